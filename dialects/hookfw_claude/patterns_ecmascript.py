"""
Patterns in the language of JavaScript's `RegExp`, matched so that none can hang the supervisor.

`corvus-regex-ecma262` was chosen by test: it refuses what JavaScript refuses (`(?i)x`, `(?P<n>x)`, `(?#c)x`), reads by
UTF-16 code unit as JavaScript does without flags, searches in linear time where no backreference is, and gives up at a time limit
where one is. `regress` has the same language but neither: `(a+)+$` on 26 letters took it seconds, with the
interpreter lock held.
"""

from __future__ import annotations

from typing import Final

from corvus_regex_ecma262 import MatchLimitError, Regex, error

from hookfw import PatternTimeoutError

TIME_LIMIT: Final = 0.25
"""Seconds one pattern may look at one text."""


class InvalidPatternError(ValueError):
    """Raised for a text that is no pattern; its text says why and where."""


class Pattern:
    """A compiled pattern without flags, searched anywhere in a text."""

    __slots__ = ("_compiled", "text")

    def __init__(self, text: str) -> None:
        """Compile `text`. Raises `InvalidPatternError`."""
        self.text = text
        try:
            self._compiled = Regex(text, timeout=TIME_LIMIT)
        except error as problem:
            raise InvalidPatternError(str(problem).removeprefix("ecmaregex: ")) from None

    def found_in(self, subject: str) -> bool:
        """Whether the pattern occurs in `subject`. Raises `PatternTimeoutError` when that takes too long to tell."""
        try:
            return self._compiled.test(subject)
        except MatchLimitError:
            message = f"the pattern {self.text!r} did not come to an end within {TIME_LIMIT:g}s"
            raise PatternTimeoutError(message) from None
