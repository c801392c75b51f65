from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import PatternTimeoutError
from hookfw_claude.patterns_ecmascript import InvalidPatternError, Pattern


@pytest.mark.parametrize(
    ("pattern", "subject", "found"),
    [
        ("B.s", "Bash", True),
        ("^ash", "Bash", False),
        ("bash", "Bash", False),
        ("(?i:bASH)", "Bash", True),
        ("^a$", "a\n", False),
        (r"\d", "٣", False),
        (r"\w", "é", False),
        (r"(?<=a)b", "ab", True),
        (r"(?<n>a)\k<n>", "aa", True),
        (r"^(?!Edit).*$", "Bash", True),
        (r"a\Z", "aZ", True),
        ("[[:alpha:]]", "a:]", True),
        ("a{,2}$", "a{,2}", True),
        ("{", "{", True),
        (r"\p{L}", "é", False),
        ("a.c", "a\U0001f600c", False),
        ("a..c", "a\U0001f600c", True),
        ("[^]", "\n", True),
        (".", "\ud800", True),
    ],
)
def test_a_pattern_means_what_it_means_to_javascript(pattern, subject, found):
    assert Pattern(pattern).found_in(subject) is found


@pytest.mark.parametrize(
    "pattern",
    ["(?i)bash", "(?P<n>a)", "(?#c)a", "[", "(", "a**", "*", "(?x)a", "(?>a)", "(" * 5000 + ")" * 5000],
)
def test_what_javascript_does_not_compile_is_refused_with_a_reason_in_one_line(pattern):
    with pytest.raises(InvalidPatternError, match=r"\A[^\n]+\Z"):
        Pattern(pattern)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a*)*b", "(x+x+)+y", "^(a?){50}a{50}$"])
def test_without_backreferences_no_pattern_takes_long(pattern):
    assert Pattern(pattern).found_in("a" * 5000 + "!") is False


@pytest.mark.parametrize("pattern", [r"(a+)+\1$", r"(a*)*b\1", r"(a|aa)+\1{9}$"])
def test_a_pattern_that_does_not_come_to_an_end_is_given_up(pattern):
    with pytest.raises(PatternTimeoutError, match="did not come to an end"):
        Pattern(pattern).found_in("a" * 5000 + "!")


@given(pattern=st.text(alphabet=r"ab.*+?()[]{}|\^$1,-", max_size=20), subject=st.text(alphabet="ab", max_size=30))
def test_no_pattern_and_no_text_is_too_much(pattern, subject):
    with contextlib.suppress(InvalidPatternError, PatternTimeoutError):
        Pattern(pattern).found_in(subject)
