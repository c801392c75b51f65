from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Ended
from hookfw_claude.reading import Rules, Said, exit_hint, read, read_output

BRACKETS = Rules()
WHATEVER_PARSES = Rules(json_begins="", constants=True)


def ended(stdout="", code=0, **facts):
    return Ended(**{"state": "exited", "exit_code": code, "stdout": stdout} | facts)


@pytest.mark.parametrize("output", ["", " \n\t", "\ufeff"])
def test_blank_output_says_nothing(output):
    assert read(ended(output), BRACKETS).kind == "nothing"


@pytest.mark.parametrize(
    ("output", "bracketed", "parsed"),
    [
        ('{"a": 1}', Said("json", value={"a": 1}), Said("json", value={"a": 1})),
        ('\ufeff {"a": 1}\r\n', Said("json", value={"a": 1}), Said("json", value={"a": 1})),
        ("42", Said("text", "42"), Said("json", value=42)),
        ('"x"', Said("text", '"x"'), Said("json", value="x")),
        (" hello ", Said("text", "hello"), Said("text", "hello")),
        ("[note] x", "broken", Said("text", "[note] x")),
        ('{"a": 1} {"a": 2}', "broken", Said("text", '{"a": 1} {"a": 2}')),
        ("{" * 50_000, "broken", "text"),
        ('{"a": NaN}', "broken", "json"),
    ],
)
def test_what_is_json_is_said_by_the_first_character_or_by_parsing(output, bracketed, parsed):
    for rules, expected in ((BRACKETS, bracketed), (WHATEVER_PARSES, parsed)):
        said = read_output(output, rules)
        assert (said.kind if isinstance(expected, str) else said) == expected


@pytest.mark.parametrize(
    ("output", "kind"),
    [("{}", "json"), ('{"a": }', "broken"), ('{"a": 1', "text"), ('{"a": 1} note', "text"), ("a}", "text")],
)
def test_where_json_must_end_as_well_anything_else_is_text(output, kind):
    assert read_output(output, Rules(json_begins="{", json_ends="}")).kind == kind


def test_exit_2_is_a_block_with_the_stripped_standard_error_where_the_event_has_it():
    facts = ended('{"a": 1}', 2, stderr=" no \n")
    assert read(facts, BRACKETS) == Said("block", "no")
    assert read(facts, Rules(blocks=False)) == Said("failed", "ended with exit status 2")


def test_output_that_nobody_reads_says_nothing():
    assert read(ended("{"), Rules(reads=False)).kind == "nothing"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (ended("{}", 1), Said("failed", "ended with exit status 1")),
        (ended(code=None, signal=9), Said("failed", "was killed by signal 9")),
        (ended(code=None), Said("failed", "ended without an exit status")),
        (ended(state="timed_out", code=None), Said("timed_out", "ran out of time")),
        (ended(state="cancelled", code=None), Said("cancelled", "was called off")),
        (
            ended(state="not_started", code=None, error_kind="ENOENT"),
            Said("not_started", "could not be started (ENOENT)"),
        ),
    ],
)
def test_a_command_that_gave_no_answer_says_why_without_its_output(facts, said):
    assert read(facts, BRACKETS) == said


def test_126_and_127_say_what_the_shell_means_by_them():
    assert "not executable" in exit_hint(126)
    assert "not found" in exit_hint(127)
    assert exit_hint(1) == ""


@given(st.text(), st.sampled_from([BRACKETS, WHATEVER_PARSES]))
def test_any_output_is_read(output, rules):
    assert read_output(output, rules).kind in ("nothing", "text", "json", "broken")
