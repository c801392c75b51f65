"""What languages of patterns share, and what of a pattern wildcards can say."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw.patterns import as_pattern, as_wildcards, is_common, wildcard_fits

NAMES = st.text("ab_-.|()[]*+?^$\\{}", max_size=8)


@pytest.mark.parametrize(
    ("pattern", "wildcards"),
    [
        ("^Bash$", ("Bash",)),
        ("^(Bash|Edit)$", ("Bash", "Edit")),
        ("^(?:Bash|mcp__.*)$", ("Bash", "mcp__*")),
        ("mcp__.*", ("*mcp__*",)),
        ("^mcp__memory__", ("mcp__memory__*",)),
        ("Edit|^Write$", ("*Edit*", "Write")),
        (r"^a\.b$", ("a.b",)),
        ("^a(b|c)(d|e)$", ("abd", "abe", "acd", "ace")),
        (".*", ("*",)),
        ("", ("*",)),
    ],
)
def test_a_simple_pattern_is_a_few_wildcards(pattern, wildcards):
    assert as_wildcards(pattern) == wildcards


@pytest.mark.parametrize(
    "pattern",
    [
        "a+",
        "[ab]",
        "(?i)a",
        r"\d",
        "a.b",
        "a.*?b",
        "(a",
        "a)",
        "a^b",
        "a$b",
        r"a\*",
        "a{2}",
        "(a|b)+",
        "(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)",
    ],
)
def test_a_pattern_that_says_more_is_none(pattern):
    assert as_wildcards(pattern) is None


@given(st.text("ab.*^$|()", max_size=10), st.text("ab\n", max_size=6).filter(lambda text: "\n" not in text))
def test_wildcards_fit_exactly_what_their_pattern_is_found_in(pattern, subject):
    found = as_wildcards(pattern)
    if found is not None:
        compiled = re.compile(pattern)
        assert (compiled.search(subject) is not None) == any(wildcard_fits(each, subject) for each in found)


@given(st.lists(NAMES, max_size=3), st.lists(st.text("ab.*", max_size=5), max_size=2), NAMES)
def test_the_pattern_of_names_and_wildcards_finds_exactly_them(names, wildcards, subject):
    if names or wildcards:
        pattern = as_pattern(tuple(names), tuple(wildcards))
        expected = subject in names or any(wildcard_fits(each, subject) for each in wildcards)
        assert (re.search(pattern, subject) is not None) == expected
        assert is_common(pattern)


@given(NAMES.filter(lambda name: "*" not in name))
def test_an_escaped_name_reads_back_as_itself(name):
    assert as_wildcards(as_pattern((name,))) == (name,)


def test_the_end_of_a_word_is_no_letter():
    assert as_wildcards(r"^\<Bash\>$") is None


@pytest.mark.parametrize("pattern", [r"^a+(?:b|c)?\.x{2,3}$", "[A-Za-z0-9_-]+", "[^a-z]", "(a|b)*?"])
def test_a_pattern_of_plain_parts_means_the_same_everywhere(pattern):
    assert is_common(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d",
        r"\w+",
        r"\bBash\b",
        "(?i)bash",
        "(?!Read)",
        "(?P<a>b)",
        r"(a)\1",
        "[[:alpha:]]",
        "[a&&b]",
        "[a-z--b]",
        "a**",
        "a++",
        "(?:a|s)++",
        "a?+sh",
        "x{2}{3}",
        "^*a",
        "a|*",
        "$*",
        r"\<Bash\>",
        r"[\<a]",
    ],
)
def test_what_languages_read_otherwise_is_not_common(pattern):
    assert not is_common(pattern)
