"""From arguments and a JSON file to an event: every bad input is one clear sentence."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw.cli._app import early_options
from hookfw.cli._input import read_fields
from hookfw.errors import EventError
from hookfw.events import KINDS


@pytest.fixture
def fire(place):
    def run(*arguments, **options):
        return place.there("fire", "--json", *arguments, **options)

    return run


def refused(result, *parts):
    assert result.status == 1
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.startswith("hookfw: ")
    for part in parts:
        assert part in result.err
    return True


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ("is empty",)),
        ("  \n", ("is empty",)),
        ("[1]", ("a JSON array", "not an object")),
        ('"x"', ("a JSON string",)),
        ("1", ("a JSON number",)),
        ("1.5", ("a JSON number",)),
        ("true", ("a JSON boolean",)),
        ("null", ("a JSON null",)),
        ('{"a": 1,\n "b" 2}', ("no JSON", "line 2, column 6")),
        ("[" * 100_000, ("nested too deeply",)),
        ('{"total_tokens": ' + "9" * 5000 + "}", ("cannot be used",)),
        ('{"event": 3}', ("named by a text, not by 3",)),
        ('{"event": "pre_tool_use", "tool_name": 5}', ("tool_name",)),
    ],
)
def test_what_is_no_event_is_one_sentence(place, fire, text, parts):
    path = place.write("in.json", text)
    assert refused(fire("--input", path), *parts)
    assert refused(fire("--input", "-", stdin=text.encode()), *parts)


def test_the_file_is_named_and_standard_input_too(place, fire):
    path = place.write("in.json", "[]")
    assert str(path) in fire("--input", path).err
    assert "Standard input" in fire("--input", "-", stdin=b"[]").err


def test_files_that_cannot_be_read(place, fire):
    (place.root / "broken").symlink_to("nowhere")
    (place.root / "loop").symlink_to("loop")
    assert refused(fire("stop", "--input", place.root / "gone"), "gone does not exist")
    assert refused(fire("stop", "--input", place.root), "is a directory")
    assert refused(fire("stop", "--input", place.root / "broken"), "a link to a file that does not exist")
    assert refused(fire("stop", "--input", place.root / "loop"), "cannot be read")
    assert refused(fire("stop", "--input", place.write("file", "{}") / "below"), "cannot be read")


def test_a_file_without_permission_is_named(place, fire):
    path = place.write("secret.json", "{}")
    path.chmod(0)
    if os.access(path, os.R_OK):  # root, whom only few files keep out
        path = Path("/proc/sys/vm/drop_caches")
    assert refused(fire("stop", "--input", path), "permission denied", str(path))


def test_places_that_cannot_be_used(place):
    assert refused(place.run("fire", "stop", "--home", place.root / "gone"), "home", "gone", "does not exist")
    assert refused(place.run("fire", "stop", "--workspace", place.root / "gone"), "workspace", "does not exist")
    assert refused(place.run("list", "--workspace", place.write("file", "")), "is not a directory")


def test_an_unknown_dialect_says_which_was_probably_meant(fire):
    assert refused(fire("stop", "--dialect", "codewale"), "did you mean 'codewhale'?")


def test_no_event_at_all(fire):
    assert refused(fire(), "No event is named", "hookfw events")


@pytest.mark.parametrize(
    ("name", "meant"),
    [("pre_tool_uze", "pre_tool_use"), ("tool_call_befor", "tool_call_before"), ("sesion_start", "session_start")],
)
def test_an_unknown_event_says_which_was_probably_meant(fire, name, meant):
    assert refused(fire(name), repr(name), f"did you mean {meant!r}?")


def test_an_event_like_no_other_points_at_the_list(fire):
    assert refused(fire("xyzzy"), "`hookfw events`")


def test_native_names_are_accepted_as_argument_and_in_the_input(place, fire):
    assert fire("message_submit").json["event"] == "user_prompt_submit"
    assert fire("--input", "-", stdin={"event": "tool_call_before"}).json["event"] == "pre_tool_use"


@pytest.mark.parametrize("kind", KINDS)
def test_every_canonical_event_can_be_fired_without_fields(fire, kind):
    assert fire(kind).json["event"] == kind


def test_argument_and_input_may_agree_but_not_differ(fire):
    assert fire("pre_tool_use", "--input", "-", stdin={"event": "tool_call_before"}).status == 0
    assert refused(fire("stop", "--input", "-", stdin={"event": "pre_tool_use"}), "stop", "pre_tool_use")


def test_an_unknown_field_is_a_diagnostic_that_says_which_was_probably_meant(fire):
    result = fire("stop", "--input", "-", stdin={"sesion_id": "x", "zzz": 1})
    found = [item for item in result.json["diagnostics"] if item["code"] == "unknown-field"]
    assert [item["entry"] for item in found] == ["sesion_id", "zzz"]
    assert "did you mean 'session_id'?" in found[0]["message"]
    assert "native" in found[1]["message"]


def test_a_byte_order_mark_and_crlf_are_no_error(place, fire):
    (place.root / "in.json").write_bytes(b'\xef\xbb\xbf{"event":\r\n"stop"}\r\n')
    assert fire("--input", place.root / "in.json").status == 0


def test_a_lone_surrogate_and_a_nul_are_no_error(fire):
    assert fire("--input", "-", stdin=b'{"event": "user_prompt_submit", "prompt": "\\ud800\\u0000"}').status == 0


JSON_TEXT = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
).map(lambda value: json.dumps(value).encode())


@given(st.binary() | JSON_TEXT | st.tuples(JSON_TEXT, st.binary(max_size=3)).map(b"".join))
def test_any_input_gives_fields_or_one_sentence(data):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            assert isinstance(read_fields("-"), dict)
        except EventError as error:
            assert str(error).startswith("Standard input ")  # noqa: PT017 - both ends are fine


@given(st.lists(st.sampled_from(["--no-plugin", "--no-plugin=a", "--home", "--home=h", "--", "x", ""])))
def test_early_options_take_any_arguments(arguments):
    early = early_options(arguments)
    assert len(early.blocked) <= len(arguments)
    if "--" in arguments:
        assert early == early_options(arguments[: arguments.index("--") + 1])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_no_json_are_refused(fire, number):
    text = f'{{"tool_name": "Bash", "tool_input": {{"n": {number}}}}}'
    assert refused(fire("pre_tool_use", "--input", "-", stdin=text.encode()), "Standard input cannot be used", number)


def test_a_number_with_too_many_digits_is_refused_in_words_that_help(fire):
    text = f'{{"tool_name": "Bash", "tool_input": {{"n": {"9" * 5000}}}}}'
    said = fire("pre_tool_use", "--input", "-", stdin=text.encode())
    assert refused(said, "a number in it has too many digits; write it as a text")
    assert "sys." not in said.err


def test_an_input_without_end_is_refused(fire):
    assert refused(fire("stop", "--input", "/dev/zero"), "/dev/zero is longer than 67,108,864 bytes")
