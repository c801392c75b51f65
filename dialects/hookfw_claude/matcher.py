"""
Matchers: everything, exact names, or a pattern.

The family shares the idea; the lines between the three are each agent's own and stand in its `Grammar`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from hookfw import Predicate


class FindsIn(Protocol):
    """A compiled pattern of some language."""

    def found_in(self, subject: str) -> bool:
        """Whether it occurs in `subject`. Raises `hookfw.PatternTimeoutError` when that takes too long to tell."""


class InvalidMatcherError(ValueError):
    """
    Raised for a matcher that its agent cannot compile.

    Attributes:
        detail: what is wrong with it.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """
    How one agent tells the three kinds of matchers apart.

    Attributes:
        compile: makes a pattern of a text, in the agent's own pattern language; raises `ValueError` for what is none.
        names: every matcher that this expression matches whole is a list of names, any other is a pattern.
        separators: the characters between names.
        strip: blanks around a name do not belong to it.
        keep_empty: an empty name counts, and matches the empty value; otherwise it is dropped.
        everything: matchers that match any value.
    """

    compile: Callable[[str], FindsIn]
    names: re.Pattern[str]
    separators: str = "|"
    strip: bool = False
    keep_empty: bool = False
    everything: frozenset[str] = frozenset({"", "*"})


class Matcher(NamedTuple):
    """
    A compiled matcher; at most one of `keys` and `pattern` is there, neither where everything matches.

    Attributes:
        keys: the exact names, as `Hook.keys` takes them.
        pattern: otherwise the pattern.
        everything: it matches any value, and where there is none.
    """

    keys: frozenset[str] | None = None
    pattern: FindsIn | None = None
    everything: bool = False

    def matches(self, subjects: Iterable[str]) -> bool:
        """Whether one of `subjects` is meant."""
        if self.everything:
            return True
        if self.keys is not None:
            return not self.keys.isdisjoint(subjects)
        return self.pattern is not None and any(self.pattern.found_in(subject) for subject in subjects)

    def predicate(self, text: str) -> Predicate | None:
        """
        `Hook.predicate` for a pattern, `None` where the keys decide or everything matches.

        It expects the subjects of a row, as a tuple, for its facts; `text` is the matcher as people wrote it.
        """
        if self.pattern is None:
            return None

        def judge(facts: Hashable) -> str | None:
            subjects = cast("tuple[str, ...]", facts)
            if self.matches(subjects):
                return None
            return f"its pattern {text!r} is found in none of {', '.join(map(repr, subjects)) or 'no value'}"

        return judge


EVERYTHING = Matcher(everything=True)
"""The matcher of a group that names none."""


def ignored_matcher(written: object, event: str) -> str | None:
    """What is said of a matcher on an event that has nothing to match; `None` where it would match everything anyway."""
    if not isinstance(written, str) or written.strip() in ("", "*"):
        return None
    return f"its `matcher` is ignored: hooks on {event} are not selected by anything and run each time; remove it"


def compile_matcher(text: str, grammar: Grammar) -> Matcher:
    """The matcher that `text` is in `grammar`. Raises `InvalidMatcherError`."""
    if text in grammar.everything:
        return EVERYTHING
    if grammar.names.fullmatch(text) is None:
        try:
            return Matcher(pattern=grammar.compile(text))
        except ValueError as error:
            raise InvalidMatcherError(str(error)) from None
    parts: Iterable[str] = re.split(f"[{re.escape(grammar.separators)}]", text)
    if grammar.strip:
        parts = (part.strip() for part in parts)
    return Matcher(keys=frozenset(part for part in parts if part or grammar.keep_empty))
