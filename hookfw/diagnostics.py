"""Diagnostics: what hookfw noticed and a person should know."""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]

RECORD_FAILED = "record-failed"
"""Code of the diagnostic about a firing that is not recorded."""


class Diagnostic(NamedTuple):
    """
    One finding, said in one sentence.

    Nothing is ever dropped in silence: whatever hookfw refuses, skips or bends becomes one of these.

    Attributes:
        code: a stable kebab-case word for programs (`rejected-entry`, `untrusted-hooks`, …).
        severity: `error` (something does not work), `warning` (it works otherwise than written) or `info`.
        message: one sentence for people that names the file, the entry, the field and the remedy.
        file: path of the file it is about.
        entry: the place inside the file, in the dialect's own spelling (`hooks.hooks[3]`).
        hook: name of the hook it is about.
        line: line of the file, counted from 1, where it is known.
    """

    code: str
    severity: Severity
    message: str
    file: str | None = None
    entry: str | None = None
    hook: str | None = None
    line: int | None = None

    def as_dict(self) -> dict[str, object]:
        """The diagnostic as the command line prints it in JSON."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "file": self.file,
            "entry": self.entry,
            "hook": self.hook,
            "line": self.line,
        }
