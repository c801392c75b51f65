from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hookfw import PatternTimeoutError
from hookfw_claude.patterns_python import InvalidPatternError, Pattern

PIECES = st.lists(
    st.sampled_from(
        [
            *"abe1_,-^$.|()[]{}*+?\\:<=!#",
            "{1,2}",
            "{,2}",
            "{e<=1}",
            "{e}",
            "{i}",
            "[[:alpha:]]",
            "[^",
            "(?:",
            "(?=",
            "(?<!a)",
            "(?#[{)",
            "(?i)",
            "(?x)",
            r"\w",
            r"\b",
            r"\[",
            r"\{",
            r"\N{HYPHEN-MINUS}",
        ]
    ),
    max_size=10,
).map("".join)


def reference(text, subject):
    """What Python's own engine says: found, not found, or no pattern."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return re.search(text, subject) is not None
        except (re.error, OverflowError, RecursionError):
            return "invalid"


def ours(text, subject):
    try:
        return Pattern(text).found_in(subject)
    except InvalidPatternError:
        return "invalid"


@given(PIECES, st.text("abe1_-[]{}<=:# ", min_size=1, max_size=8))
@example("(?:foo){e<=1}", "fxo{e<=1}")
@example("b{e}", "a")
@example("[[:alpha:]]", "b]")
@example("[]{e}]", "}")
@example("[^]a]", "]")
@example("(?x)a # [ {e}\n[ab]", "ab")
@example("[(?#][)]", ")")
@example("[a#]{e}(?x:)", "#{e}")
def test_a_pattern_means_what_it_means_in_python(text, subject):
    assert ours(text, subject) == reference(text, subject)


@pytest.mark.parametrize(
    "text", ["mcp__(", "[a", "*", "(?P<a>", "a" + "(" * 5000 + ")" * 5000, "a{99999999999999999999}"]
)
def test_what_python_does_not_compile_is_refused_with_a_reason(text):
    with pytest.raises(InvalidPatternError, match=r"\w+ \w+"):
        Pattern(text)


def test_a_pattern_that_python_warns_about_is_a_pattern():
    assert Pattern("[[a]").found_in("[")


def test_a_pattern_that_never_ends_is_given_up():
    with pytest.raises(PatternTimeoutError, match=r"'\(a\|aa\)\+\$' did not come to an end within 0.25s"):
        Pattern("(a|aa)+$").found_in("a" * 60 + "!")


def test_a_pattern_that_hangs_python_hangs_nobody_here():
    # Python's own engine needs hours for this; it is judged, or given up, at once.
    assert not Pattern("(a+)+$").found_in("a" * 40 + "!")
