r"""
Patterns in the language of Python's `re`, matched so that none can hang the supervisor.

`re` says what a pattern is; the third-party `regex`, which can be told to give up, does the matching. Both read the same
language but for a few forms that `re` takes literally and `regex` does not (`x{e<=1}` is fuzzy there, `[[:alpha:]]` a
class): those are escaped first.
"""

from __future__ import annotations

import re
import warnings
from typing import Final

import regex

from hookfw import PatternTimeoutError

TIME_LIMIT: Final = 0.25
"""Seconds one pattern may look at one text."""

# Beside single characters: escapes and counts, and what is no pattern at all.
_PIECE = re.compile(r"\\N\{[^}]*\}|\\.|\{(?:\d+(?:,\d*)?|,\d*)\}", re.DOTALL)
_COMMENT = re.compile(r"\(\?#[^)]*\)")
_VERBOSE_COMMENT = re.compile(rf"{_COMMENT.pattern}|#[^\n]*")
_VERBOSE = re.compile(r"\(\?[aiLmsu]*x")


class InvalidPatternError(ValueError):
    """Raised for a text that is no pattern; its text says why and where."""


class Pattern:
    """A compiled pattern, searched anywhere in a text."""

    __slots__ = ("_compiled", "text")

    def __init__(self, text: str) -> None:
        """Compile `text`. Raises `InvalidPatternError`."""
        self.text = text
        try:
            with warnings.catch_warnings():
                # Python announces forms that may mean something else one day; today they mean what they mean.
                warnings.simplefilter("ignore")
                re.compile(text)
                self._compiled = regex.compile(_plain(text), regex.VERSION0)
        except (re.error, regex.error) as error:
            raise InvalidPatternError(str(error)) from None
        except (RecursionError, OverflowError):
            message = "it is nested too deep or counts too far"
            raise InvalidPatternError(message) from None

    def found_in(self, subject: str) -> bool:
        """Whether the pattern occurs in `subject`. Raises `PatternTimeoutError` when that takes too long to tell."""
        try:
            return self._compiled.search(subject, timeout=TIME_LIMIT) is not None
        except TimeoutError:
            message = f"the pattern {self.text!r} did not come to an end within {TIME_LIMIT:g}s"
            raise PatternTimeoutError(message) from None


def _plain(text: str) -> str:
    """`text` with the characters escaped that only `regex` takes for something else."""
    if "{" not in text and "[" not in text:
        return text
    comment = _COMMENT if _VERBOSE.search(text) is None else _VERBOSE_COMMENT
    parts: list[str] = []
    position, opened = 0, -1
    while position < len(text):
        found = (comment.match(text, position) if opened < 0 else None) or _PIECE.match(text, position)
        piece = text[position] if found is None else found[0]
        # A bracket right after the opening one, or after its `^`, is a member and does not close the class.
        first = position == opened + 1 or (position == opened + 2 and text[position - 1] == "^")
        position += len(piece)
        if piece == "[" and opened < 0:
            opened = position - 1
        elif piece == "]" and opened >= 0 and not first:
            opened = -1
        elif piece in ("{", "}") or (opened >= 0 and piece in ("[", "]")):
            piece = f"\\{piece}"
        parts.append(piece)
    return "".join(parts)
