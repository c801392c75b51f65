r"""
What the languages of patterns have in common, and what of it is no more than names and wildcards.

JavaScript, Rust and Python mean the same by letters, escaped punctuation, `.`, groups, alternatives, plain classes, one
count after each of these and the two anchors, as long as the text has no line breaks: names of tools have none. A second
count is possessive, refused or one of the first, and `\<` and `\>` are the ends of a word in Rust.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Final

ANY: Final = "*"
ALTERNATIVES: Final = 64
"""Wildcards that a pattern may come to; one with more stays a pattern."""

_SPECIAL: Final = r"\.^$*+?{}[]()|"
_ESCAPED: Final = re.compile(r"\\[!-/:;=?@\[-`{-~]")
_COMMON: Final = re.compile(
    rf"""
    (?: [\^$|]
      | \((?:\?:|(?!\?))
      | (?: [^\\.^$*+?{{}}\[\]()|]         # a letter that stands for itself
          | {_ESCAPED.pattern}
          | [.)]
          | \[\^?(?:[A-Za-z0-9_ ]-[A-Za-z0-9_ ]|[A-Za-z0-9_ ,/:.]|{_ESCAPED.pattern})+-?\]
        )
        (?:(?:[*+?]|\{{[0-9]+(?:,[0-9]*)?\}})\??)?
    )*
    """,
    re.VERBOSE,
)


def wildcard_fits(wildcard: str, text: str) -> bool:
    """The whole of `text` is what `wildcard` says, in which `*` stands for any letters."""
    first, *pieces = wildcard.split(ANY)
    if not pieces:
        return text == wildcard
    last = pieces.pop()
    position, end = len(first), len(text) - len(last)
    if end < position or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in pieces:
        found = text.find(piece, position, end)
        if found < 0:
            return False
        position = found + len(piece)
    return True


def is_common(pattern: str) -> bool:
    """Every language of patterns means the same by it."""
    return _COMMON.fullmatch(pattern) is not None


def as_pattern(names: tuple[str, ...], wildcards: tuple[str, ...] = (), patterns: tuple[str, ...] = ()) -> str:
    """The pattern, in any of the languages, that finds exactly what one of these is for; `patterns` as they are."""
    whole = [_escaped(name) for name in names] + [".*".join(map(_escaped, text.split(ANY))) for text in wildcards]
    parts = []
    if len(whole) == 1:
        parts.append(f"^{whole[0]}$")
    elif whole:
        parts.append(f"^(?:{'|'.join(whole)})$")
    return "|".join([*parts, *patterns])


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in text)


def as_wildcards(pattern: str) -> tuple[str, ...] | None:
    """
    The wildcards (names, where they have no `*`) that fit exactly what `pattern` is found in; `None` where it says more.

    Letters, escaped punctuation, `.*`, anchors at the ends, groups and alternatives can be said by wildcards.
    """
    try:
        reader = _Reader(pattern)
        found = reader.alternatives()
    except _MoreError:
        return None
    if reader.position < len(pattern):
        return None
    whole = [_whole(text) for text in found]
    if any(text is None for text in whole):
        return None
    return tuple(dict.fromkeys(text for text in whole if text is not None))


_START, _END, _ANYTHING = "\ue000", "\ue001", "\ue002"
"""Marks for the anchors and for any letters, while a pattern is read."""


class _MoreError(Exception):
    """A pattern says more than wildcards can."""


class _Reader:
    """Reads one pattern into the sequences of letters and marks that it stands for."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.position = 0
        if any(mark in pattern for mark in (_START, _END, _ANYTHING)):
            raise _MoreError

    def alternatives(self) -> list[str]:
        """Sequences between `|`, up to the end or a closing bracket."""
        found = self._sequence()
        while self._here() == "|":
            self.position += 1
            found += self._sequence()
            if len(found) > ALTERNATIVES:
                raise _MoreError
        return found

    def _sequence(self) -> list[str]:
        found = [""]
        while (letter := self._here()) not in ("", "|", ")"):
            found = [before + after for before, after in product(found, self._piece(letter))]
            if len(found) > ALTERNATIVES:
                raise _MoreError
            if self._here() in tuple("*+?{"):
                raise _MoreError
        return found

    def _piece(self, letter: str) -> list[str]:
        rest = self._pattern[self.position :]
        if letter == "(":
            self.position += 3 if rest.startswith("(?:") else 1
            inner = self.alternatives()
            if self._here() != ")":
                raise _MoreError
            self.position += 1
            return inner
        if rest.startswith(".*"):
            self.position += 2
            return [_ANYTHING]
        if letter in "^$":
            self.position += 1
            return [_START if letter == "^" else _END]
        escaped = _ESCAPED.match(rest)
        if escaped is not None and escaped[0] != r"\*":
            self.position += 2
            return [escaped[0][1]]
        if letter in _SPECIAL:
            raise _MoreError
        self.position += 1
        return [letter]

    def _here(self) -> str:
        return self._pattern[self.position : self.position + 1]


def _whole(text: str) -> str | None:
    """A sequence as a wildcard for whole names; `None` where an anchor stands inside it."""
    inner = text.removeprefix(_START)
    start = "" if inner != text else ANY
    body = inner.removesuffix(_END)
    end = "" if body != inner else ANY
    if _START in body or _END in body:
        return None
    return re.sub(r"\*+", ANY, f"{start}{body.replace(_ANYTHING, ANY)}{end}")
