"""Shell lines, as far as they can be told without being a shell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw.checks.lines import fill_in, first_command, shell_line, unquoted_variable

VARIABLES = {"HOME": "/home/me", "ROOT": "/a b"}


def words(line):
    found = first_command(("sh", "-c", line), VARIABLES)
    return found and found.words


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("true", ("true",)),
        ("~/x.sh --y | z", ("/home/me/x.sh", "--y")),
        ("A=1 B=2 exec ./x", ("./x",)),
        ('"$ROOT"/x y', ("/a b/x", "y")),
        ("${HOME}/x;y", ("/home/me/x",)),
        ("# note\n\n./x", ("./x",)),
        ("echo 'a b' && c", ("echo", "a b")),
        ("$(x)", None),
        ("A=$(x) y", None),
        ("$NOBODY/x", None),
        ("./*.sh", None),
        ("'", None),
        ("", None),
        ("( x )", None),
    ],
)
def test_the_first_command_of_a_line(line, found):
    assert words(line) == found


def test_a_program_without_a_shell_is_taken_as_it_is():
    assert first_command(("/bin/x y", "$HOME"), VARIABLES).words == ("/bin/x y", "$HOME")
    assert first_command(("",), VARIABLES) is None
    assert shell_line(("/bin/bash", "-lc", "x")) == "x"
    assert shell_line(("x", "-y")) is None


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("python3 -u a/b.py", "a/b.py"),
        ("/usr/bin/python3.12 x.py", "x.py"),
        ("uv run .claude/x.py", ".claude/x.py"),
        ("bash -c 'x'", None),
        ("node", None),
        ("cat a/b", None),
        ("python3 -m mod", None),
    ],
)
def test_the_script_that_an_interpreter_is_given(line, script):
    found = first_command(("sh", "-c", line), VARIABLES).script
    assert found == script or (script is None and found is None)


def test_variables_are_filled_in_only_where_all_are_known():
    assert fill_in("$HOME/${ROOT}", VARIABLES) == "/home/me//a b"
    assert fill_in("${HOME:-x}", VARIABLES) is None
    assert fill_in("$X", VARIABLES) is None


def test_a_variable_with_a_blank_is_found_only_without_quotes():
    assert unquoted_variable("$ROOT/x", VARIABLES) == "ROOT"
    assert unquoted_variable("sh ${ROOT}/x", VARIABLES) == "ROOT"
    assert unquoted_variable('"$ROOT/x"', VARIABLES) is None
    assert unquoted_variable("$HOME/x", VARIABLES) is None


@given(st.text())
def test_any_line_is_read_without_a_fault(line):
    found = first_command(("sh", "-c", line), VARIABLES)
    assert found is None or found.words[0] is not None
    unquoted_variable(line, VARIABLES)
