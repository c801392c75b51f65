r"""
Patterns in the language of Rust's `regex`, matched so that none can hang the supervisor.

The language is the crate's own: `paula` binds it (regex 1.12, wheels for every Python that hookfw runs on). Of the other
candidates `rregex` binds it too, but for single versions of Python, and `google-re2` reads another language: `\d` and
`\w` are ASCII there, and `a{1001}` and `(?x)` are refused.

The crate looks at each character once, whatever the pattern, so `(a+)+$` is no trap. What is left is the size of a
pattern, which it bounds at 10 MiB, and the length of the text, which is bounded here: the largest patterns take about a
millisecond a character.
"""

from __future__ import annotations

from typing import Final

import paula  # type: ignore[import-untyped]  # a compiled module without stubs

from hookfw import PatternTimeoutError, text

TEXT_LIMIT: Final = 256
"""Characters of a text that a pattern looks at: no tool, agent type or trigger has a name as long."""


class InvalidPatternError(ValueError):
    """Raised for a text that is no pattern; its text says why."""


class Pattern:
    """A compiled pattern, searched anywhere in a text."""

    __slots__ = ("_compiled", "text")

    def __init__(self, pattern: str) -> None:
        """Compile `pattern`. Raises `InvalidPatternError`."""
        self.text = pattern
        try:
            self._compiled = paula.Regex(pattern)
        except UnicodeEncodeError:
            message = "it holds half a surrogate pair"
            raise InvalidPatternError(message) from None
        except ValueError as error:
            raise InvalidPatternError(_reason(str(error))) from None

    def found_in(self, subject: str) -> bool:
        """Whether the pattern occurs in `subject`. Raises `PatternTimeoutError` for one that is too long to look at."""
        if len(subject) > TEXT_LIMIT:
            message = f"the pattern {self.text!r} is not tried on more than {TEXT_LIMIT} characters"
            raise PatternTimeoutError(message)
        return bool(self._compiled.is_match(text.scrub(subject)))


def _reason(report: str) -> str:
    """The crate's report without the drawing of the pattern: its last line says what is wrong."""
    return report.strip().splitlines()[-1].removeprefix("error: ").removesuffix(".")
