"""Text for people is safe on a terminal and plain in a pipe."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw.cli import _output
from hookfw.cli._output import Output, plain, plain_line, write_json

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]m")


def written(act):
    stream = io.StringIO()
    act(Output(stream))
    return stream.getvalue()


def is_harmless(text):
    return not any(
        (letter < " " and letter not in "\n\t") or "\x7f" <= letter <= "\x9f" or letter in "\u202e\u200b\u2066\ufeff"
        for letter in text
    )


@given(st.text(alphabet=st.characters(codec=None)))
def test_no_text_brings_control_characters_or_hidden_marks_through(text):
    assert is_harmless(plain(text))
    plain(text).encode("utf-8")
    assert "\n" not in plain_line(text)
    assert is_harmless(written(lambda out: out.line(text, (text, "bad"))))
    assert is_harmless(written(lambda out: out.block(text, indent=2)))
    assert is_harmless(written(lambda out: out.table(("a", "b"), [(text, text)])))


def test_marks_that_reorder_text_are_spelled_out():
    assert plain("rm \u202e-rf") == "rm \\u202e-rf"


def test_a_line_stays_one_line_and_a_block_keeps_its_own():
    assert written(lambda out: out.line("a\nb", " ", ("c", "dim"), indent=2)) == "  a b c\n"
    assert written(lambda out: out.block("a\n\tb", indent=2)) == "  a\n      b\n"


def test_a_table_in_a_pipe_has_columns_and_no_boxes():
    text = written(lambda out: out.table(("name", "note"), [("a", "x"), (("long name", "head"), "")]))
    assert text == "NAME       NOTE\na          x\nlong name\n"


@given(st.recursive(st.none() | st.text(alphabet=st.characters(codec=None)), st.lists, max_leaves=5))
def test_json_is_one_document_without_raw_control_characters(value):
    stream = io.StringIO()
    before, sys.stdout = sys.stdout, stream
    try:
        _output.write_json(value)
    finally:
        sys.stdout = before
    assert is_harmless(
        stream.getvalue().replace("\ufeff", "").replace("\u202e", "").replace("\u200b", "").replace("\u2066", "")
    )
    json.loads(stream.getvalue())


def on_a_terminal(*arguments, **environ):
    controller, terminal = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "hookfw", *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "120"} | environ,
    )
    os.close(terminal)
    data = b""
    while True:
        try:
            part = os.read(controller, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        data += part
    os.close(controller)
    assert child.wait(timeout=30) == 0
    return data.decode()


def test_a_terminal_gets_style_and_a_pipe_none(place):
    place.monkeypatch.delenv("NO_COLOR", raising=False)
    place.hooks('event = "session_start"\ncommand = "true"')
    where = ("--home", str(place.home), "--workspace", str(place.workspace))
    shown = on_a_terminal("fire", "session_start", *where)
    assert COLOUR.search(shown)
    assert "completed" in shown
    assert "\x1b" not in place.run("fire", "session_start", *where).out


def test_no_color_is_honoured_on_a_terminal(place):
    place.hooks('event = "session_start"\ncommand = "true"')
    shown = on_a_terminal(
        "fire", "session_start", "--home", str(place.home), "--workspace", str(place.root), NO_COLOR="1"
    )
    assert "completed" in shown
    assert not COLOUR.search(shown)


def test_an_encoding_that_lacks_letters_ends_nothing(place):
    place.hooks('name = "grüße"\nevent = "session_start"\ncommand = "true"')
    for extra in ((), ("--json",)):
        done = subprocess.run(
            [sys.executable, "-m", "hookfw", "list", "--home", place.home, "--workspace", place.workspace, *extra],
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
            capture_output=True,
            check=True,
        )
        assert b"gr\\" in done.stdout
    assert json.loads(done.stdout)["hooks"][0]["name"] == "grüße"


def test_empty_lines_of_content_are_shown_on_a_terminal_too(place):
    place.write("workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "session_start"\n\ncommand = "true"\n')
    shown = on_a_terminal("review", "--home", place.home, "--workspace", place.workspace)
    assert re.search(r'event = "session_start"\s*\r?\n\s*\r?\n\s*command', shown)


@pytest.mark.parametrize(("items", "lines"), [(200, 204), (201, 1)])
def test_a_document_is_laid_out_unless_a_list_in_it_is_too_long_to_read(capsys, items, lines):
    document = {"hooks": list(range(items))}
    write_json(document)
    out = capsys.readouterr().out
    assert json.loads(out) == document
    assert out.count("\n") == lines
