"""What loading found wrong: one value, told as a row of `/hooks list` and as a diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from hookfw import Diagnostic, Source, text

if TYPE_CHECKING:
    from collections.abc import Iterable

Disposition = Literal["rejected", "warning"]
"""What became of the entry or setting; a warning stays and works otherwise than written."""

LABEL_LIMIT = 64
"""Characters of a value out of a file that a message shows."""


class Problem(NamedTuple):
    """
    A refusal or a warning about one entry or one setting.

    Attributes:
        disposition: see `Disposition`.
        subject: the event and the hook's label, or the setting, in back quotes.
        details: what is wrong and the remedy, one text each; never a command, never a path.
    """

    disposition: Disposition
    subject: str
    details: tuple[str, ...]

    @property
    def row(self) -> str:
        """The line under the configuration problems of `/hooks list`."""
        return f"{self.disposition}: {self.subject} — {'; '.join(self.details)}"

    def diagnostic(self, code: str, source: Source, *, hook: str | None = None) -> Diagnostic:
        """The same for hookfw, with the file and the place in it."""
        verdict = "is refused" if self.disposition == "rejected" else "may not do what it says"
        line = f", line {source.line}" if source.line else ""
        place = f", {source.entry}{line}" if source.entry else ""
        return Diagnostic(
            code=code,
            severity="error" if self.disposition == "rejected" else "warning",
            message=f"{source.path}{place}: {self.subject} {verdict}: {'; '.join(self.details)}.",
            file=source.path,
            entry=source.entry or None,
            hook=hook,
            line=source.line,
        )


def quoted(value: str) -> str:
    """A text out of a file as messages show it: one line, bounded, in back quotes."""
    # Nearly every text is short and one line already, and there may be thousands.
    plain = len(value) <= LABEL_LIMIT and value.isprintable()
    return f"`{value}`" if plain else f"`{text.line(value, LABEL_LIMIT)}`"


_KINDS = (
    (bool, "a boolean"),
    (int, "a whole number"),
    (float, "a fraction"),
    (str, "a text"),
    (list, "an array"),
    (dict, "a table"),
)


def kind_of(value: object) -> str:
    """What a TOML value is, in words."""
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "a date or time")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to put after `word` when it looks like one of `known`; else empty."""
    close = text.closest(word[:LABEL_LIMIT], known)
    return f" (did you mean `{close}`?)" if close else ""
