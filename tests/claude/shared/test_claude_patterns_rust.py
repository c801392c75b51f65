from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import PatternTimeoutError
from hookfw_claude.patterns_rust import TEXT_LIMIT, InvalidPatternError, Pattern


@pytest.mark.parametrize(
    ("pattern", "subject", "found"),
    [
        ("B.s", "Bash", True),
        ("^ash", "Bash", False),
        ("bash", "Bash", False),
        ("(?i)bASH", "Bash", True),
        ("^a$", "a\n", False),
        (r"\d", "٣", True),
        (r"\w", "é", True),
        (r"(?-u:\w)", "é", False),
        (r"\p{Greek}", "λ", True),
        ("(?i)ß", "ẞ", True),
        ("[a-z&&[^aeiou]]", "e", False),
        ("[[:alpha:]]", "1", False),
        ("(?x) a b # c", "ab", True),
        (r"a\z", "a", True),
        ("a{1001}", "a" * 256, False),
        (".", "\ud800", True),
    ],
)
def test_a_pattern_means_what_it_means_to_the_rust_crate(pattern, subject, found):
    assert Pattern(pattern).found_in(subject) is found


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("^(?!Edit).*$", "look-around"),
        ("(?<=a)b", "look-around"),
        (r"(a)\1", "backreferences"),
        (r"a\Z", "unrecognized escape"),
        (r"\Qa\E", "unrecognized escape"),
        ("[a", "unclosed character class"),
        ("a{", "unclosed counted repetition"),
        ("*", "missing expression"),
        ("(" * 300 + ")" * 300, "nest"),
        ("(a{1000}){1000}", "size limit"),
        ("\ud800", "surrogate"),
    ],
)
def test_what_the_rust_crate_does_not_compile_is_refused_with_its_reason_in_one_line(pattern, why):
    with pytest.raises(InvalidPatternError, match=r"\A[^\n]*\Z") as caught:
        Pattern(pattern)
    assert why in str(caught.value)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a*)*b", "(x+x+)+y"])
def test_a_pattern_that_hangs_a_backtracking_engine_is_answered(pattern):
    assert not Pattern(pattern).found_in("ax" * (TEXT_LIMIT // 2 - 1) + "!")


def test_the_largest_patterns_are_answered_for_every_text_that_is_looked_at():
    assert not Pattern("(?:a{0,1000}){90}!").found_in("a" * TEXT_LIMIT)


def test_a_text_that_is_too_long_is_given_up_and_not_judged():
    assert Pattern("a$").found_in("a" * TEXT_LIMIT)
    with pytest.raises(PatternTimeoutError, match=f"'a\\$' is not tried on more than {TEXT_LIMIT} characters"):
        Pattern("a$").found_in("a" * (TEXT_LIMIT + 1))


@given(st.text(max_size=12), st.text(max_size=20))
def test_any_text_is_a_pattern_or_refused(pattern, subject):
    with contextlib.suppress(InvalidPatternError):
        assert Pattern(pattern).found_in(subject) in (True, False)
