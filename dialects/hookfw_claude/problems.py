"""What loading found wrong: gathered here, each said once, with the file, the place in it and the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Diagnostic, Rejected, Source, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookfw import Severity

QUOTE_LIMIT = 64
"""Characters of a value out of a file that a message shows."""


def quoted(value: object) -> str:
    """
    A value out of a file as messages show it: one line, bounded, in back quotes, as JSON spells it.

    What is in an array or an object is not shown: header fields and variables are kept in such, and may be secrets.
    """
    match value:
        case str():
            return f"`{text.line(value, QUOTE_LIMIT)}`"
        case list():
            return "this array"
        case dict():
            return "this object"
        case None | bool():
            return f"`{'null' if value is None else str(value).lower()}`"
    return f"`{text.line(repr(value), QUOTE_LIMIT)}`"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to put after `word` when it looks like one of `known`; else empty."""
    close = text.closest(word[:QUOTE_LIMIT], known)
    return f" (did you mean `{close}`?)" if close else ""


class Problems:
    """
    The findings of one loading, in the order in which they were made.

    Attributes:
        rejected: the entries that were refused.
    """

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self.rejected: list[Rejected] = []
        self._diagnostics: dict[Diagnostic, None] = {}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Every finding; equal ones are recorded once."""
        return tuple(self._diagnostics)

    def reject(self, name: str, event: str, source: Source, problems: Sequence[str], *, strict: bool = False) -> None:
        """
        An entry is refused. `problems` are sentences without their end that say what is wrong and what would do.

        `strict`: it was to refuse where it fails.
        """
        self.rejected.append(Rejected(name, self._dialect, event, source, tuple(problems), strict))
        self.note("rejected-entry", "error", source, f"this entry is skipped: {'; '.join(problems)}", name)

    def note(self, code: str, severity: Severity, source: Source, what: str, hook: str | None = None) -> None:
        """Anything else. `what` is a sentence without its end."""
        place = f", {source.entry}" if source.entry else ""
        line = f", line {source.line}" if source.line else ""
        self._diagnostics[
            Diagnostic(
                code=code,
                severity=severity,
                message=f"{source.path}{place}{line}: {what}.",
                file=source.path,
                entry=source.entry or None,
                hook=hook,
                line=source.line,
            )
        ] = None
