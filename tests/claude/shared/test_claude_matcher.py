from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.matcher import EVERYTHING, Grammar, InvalidMatcherError, compile_matcher
from hookfw_claude.patterns_python import Pattern

NAMES = re.compile(r"[\w |,-]*")
STRIPPED = Grammar(compile=Pattern, names=NAMES, separators="|,", strip=True)
VERBATIM = Grammar(compile=Pattern, names=NAMES, keep_empty=True)


@pytest.mark.parametrize("text", ["", "*"])
def test_a_matcher_of_everything_matches_also_where_there_is_no_value(text):
    matcher = compile_matcher(text, STRIPPED)
    assert matcher == EVERYTHING
    assert matcher.matches(())
    assert matcher.matches(("x",))
    assert matcher.predicate(text) is None


@pytest.mark.parametrize(
    ("grammar", "text", "keys"),
    [
        (STRIPPED, "Edit | Write,Read", {"Edit", "Write", "Read"}),
        (STRIPPED, "|,", set()),
        (VERBATIM, "A | B", {"A ", " B"}),
        (VERBATIM, "A,B|", {"A,B", ""}),
    ],
)
def test_names_are_split_as_the_grammar_says(grammar, text, keys):
    assert compile_matcher(text, grammar).keys == keys


def test_names_are_compared_whole_and_with_their_case():
    matcher = compile_matcher("Edit|Write", STRIPPED)
    assert matcher.matches(("Bash", "Edit"))
    assert not matcher.matches(("edit",))
    assert not matcher.matches(("WriteAll",))
    assert not matcher.matches(())


def test_any_other_character_makes_a_pattern_that_is_found_anywhere():
    matcher = compile_matcher(".dit", STRIPPED)
    assert matcher.keys is None
    assert matcher.matches(("NotebookEdit",))
    assert not matcher.matches(("Bash",))
    assert not matcher.matches(())


def test_the_predicate_of_a_pattern_gives_its_reason():
    judge = compile_matcher("^Ba", STRIPPED).predicate("^Ba")
    assert judge(("x", "Bash")) is None
    assert judge(("Read", "View")) == "its pattern '^Ba' is found in none of 'Read', 'View'"
    assert "no value" in judge(())


def test_a_pattern_that_does_not_compile_is_refused_with_the_reason():
    with pytest.raises(InvalidMatcherError, match="unterminated subpattern") as caught:
        compile_matcher("mcp__(", STRIPPED)
    assert "position" in caught.value.detail


@given(st.text("AB |,-*.", max_size=6), st.text("AB ", max_size=3))
def test_a_matcher_says_what_its_three_rules_say(text, subject):
    if text in ("", "*"):
        expected = True
    elif re.fullmatch(r"[\w |,-]+", text):
        expected = subject in {part.strip() for part in re.split("[|,]", text)} - {""}
    else:
        try:
            expected = re.search(text, subject) is not None
        except re.error:
            with pytest.raises(InvalidMatcherError):
                compile_matcher(text, STRIPPED)
            return
    assert compile_matcher(text, STRIPPED).matches((subject,)) is expected
