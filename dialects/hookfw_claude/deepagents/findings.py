"""What loading finds wrong: refused entries and the sentences that tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hookfw import Diagnostic, Rejected, Source
from hookfw_claude.deepagents.rules import DIALECT

if TYPE_CHECKING:
    from hookfw import Document, Severity


class Place:
    """
    A place in a document, for sentences and for hooks.

    Attributes:
        document: the document.
        entry: the place inside it (`hooks.PreToolUse[0].hooks[1]`).
        line: its line, from 1, where it is known.
    """

    __slots__ = ("document", "entry", "line")

    def __init__(self, document: Document, entry: str, line: int | None = None) -> None:
        self.document = document
        self.entry = entry
        self.line = line

    @property
    def source(self) -> Source:
        """The place as hooks name it."""
        return Source(self.document.path, self.document.scope, self.entry, self.line)


class Findings:
    """Refused entries and diagnostics, in the order they were found."""

    def __init__(self) -> None:
        self.rejected: list[Rejected] = []
        self.diagnostics: list[Diagnostic] = []

    def refuse(
        self,
        place: Place,
        event: str | None,
        problems: Sequence[str],
        code: str = "invalid-config",
        why: Place | None = None,
    ) -> None:
        """
        One entry is refused, for every reason in `problems`, each in words that follow its place.

        `why`: the place of its group or event, where the reason is there.
        """
        self.rejected.append(Rejected(place.entry, DIALECT, event, place.source, tuple(problems)))
        reasons = "; it ".join(problems)
        detail = f"{reasons}{_end(reasons)} It does not run"
        if why is not None and why.entry != place.entry:
            detail = f"does not run, because {why.entry} {reasons}"
        self.tell(code, "error", place, detail)

    def refuse_all(self, places: Sequence[Place], group: Place, event: str, problem: str, code: str) -> None:
        """A group or event is refused with the handlers at `places`, all for one reason; itself where it holds none."""
        for place in places or (group,):
            self.refuse(place, event, [problem], code, group)

    def file(self, document: Document, code: str, detail: str, line: int | None = None) -> None:
        """A whole file cannot be used; `detail` follows its path."""
        message = f"{document.path} {detail}, none of its hooks run until then."
        self.diagnostics.append(Diagnostic(code, "error", message, file=document.path, line=line))

    def tell(self, code: str, severity: Severity, place: Place, detail: str) -> None:
        """Something is odd at a place; `detail` follows it."""
        message = f"{place.document.path}: {place.entry} {detail}{_end(detail)}"
        self.diagnostics.append(
            Diagnostic(code, severity, message, file=place.document.path, entry=place.entry, line=place.line)
        )


def _end(sentence: str) -> str:
    """What ends a sentence; a question ends itself."""
    return "" if sentence.endswith("?") else "."
