from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.claude_code.env_file import parse


@pytest.mark.parametrize(
    ("written", "values", "unread"),
    [
        ("", {}, 0),
        ("export A=1\n", {"A": "1"}, 0),
        ("export A=1", {"A": "1"}, 0),
        ("  export A=1  \r\n\nexport B=2\n", {"A": "1", "B": "2"}, 0),
        ("# note\nexport A=1 # why\n", {"A": "1"}, 0),
        ("export A='q x'\n", {"A": "q x"}, 0),
        ('export A="q \\"x\\" \\n"\n', {"A": 'q "x" \\n'}, 0),
        ("export A=a\\ b\n", {"A": "a b"}, 0),
        ("export A=1 B=2\n", {"A": "1", "B": "2"}, 0),
        ("export A=1; export B=2\n", {"A": "1", "B": "2"}, 0),
        ("export A=\n", {"A": ""}, 0),
        ('export PATH="$PATH:./bin"\n', {"PATH": "/usr/bin:./bin"}, 0),
        ("export A=${PATH}x B=$A\n", {"A": "/usr/binx", "B": "/usr/binx"}, 0),
        ("export A='$PATH'\n", {"A": "$PATH"}, 0),
        ("export A=$MISSING\n", {"A": ""}, 0),
        ("export A='two\nlines'\nexport B=1\n", {"A": "two\nlines", "B": "1"}, 0),
        ("export A=$(date)\nexport B=1\n", {"B": "1"}, 1),
        ("export A=`date`\n", {}, 1),
        ("export A=${B:-x}\n", {}, 1),
        ("export A=~/bin\n", {}, 1),
        ("export A='open\n", {}, 1),
        ("export 1A=x\n", {}, 1),
        ("export A\n", {}, 1),
        ("A=1\n", {}, 1),
        ("source other\nexport A=1\n", {"A": "1"}, 1),
        ("export A=1 && rm x\n", {}, 1),
    ],
)
def test_lines_of_a_file_of_variables(written, values, unread):
    found = parse(written, {"PATH": "/usr/bin"})
    assert (dict(found.values), found.unread) == (values, unread)


NAMES = st.from_regex(r"[A-Z_][A-Z0-9_]{0,5}", fullmatch=True).filter(lambda name: name != "_")
VALUES = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=12)


@given(variables=st.dictionaries(NAMES, VALUES, max_size=4))
def test_what_a_shell_quotes_is_read_back(variables):
    written = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    assert parse(written, {}) == (variables, 0)


@given(value=st.text(alphabet="ab \"'\\$Z{}~", max_size=8))
def test_what_is_read_is_what_a_shell_would_read(value):
    found = parse(f"export X={value}\n", {"Z": "zz", "ab": "q"})
    if found.unread or "X" not in found.values:
        return
    shell = subprocess.run(
        ["/bin/sh", "-c", f'export X={value}\nprintf %s "$X"'],
        env={"Z": "zz", "ab": "q"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shell.returncode != 0 or found.values["X"] == shell.stdout


@given(written=st.text(max_size=60))
def test_no_text_is_too_much(written):
    parse(written, {"A": "1"})


@pytest.mark.parametrize("line", ['export A="cost $5"', 'export A="$?"', "export A=/a:~/b", "export A=$B:~/b"])
def test_what_a_shell_would_expand_is_left_out_and_not_taken_as_it_is(line):
    assert parse(line, {"B": "b"}) == ({}, 1)


def test_a_tab_after_export_is_a_blank():
    assert parse("export\tA=1:a~b", {}) == ({"A": "1:a~b"}, 0)
