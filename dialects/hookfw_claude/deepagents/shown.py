"""
What the person sees of hooks.

From the hooks document, "Troubleshooting hooks" and "Handler fields".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hookfw_claude.deepagents.tools import public_name

if TYPE_CHECKING:
    from hookfw import Diagnostic, Event, Outcome, Run


class StatusSlot:
    """The one line that shows which handler runs: the one that started last, until it ends, then the one before it."""

    __slots__ = ("_running",)

    def __init__(self) -> None:
        self._running: dict[str, str] = {}

    def note(self, run: Run, status: str | None = None) -> None:
        """A run started or ended; `status` is its handler's `statusMessage`."""
        if run.status == "running":
            self._running[run.id] = status or f"Running {run.event} hook"
        else:
            self._running.pop(run.id, None)

    @property
    def text(self) -> str:
        """What stands there now; empty when nothing runs."""
        return next(reversed(self._running.values()), "")


def attribution(event: Event, outcome: Outcome) -> str | None:
    """Who answered the permission prompt, for the person alone (`PermissionRequest hook denied Bash`)."""
    if event.kind != "permission_request" or not (outcome.refused or outcome.decision == "allow"):
        return None
    return f"PermissionRequest hook {'denied' if outcome.refused else 'allowed'} {public_name(event) or 'a tool'}"


def notices(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """The diagnostics of one invocation as notices, equal ones once; what is only informative is for the log."""
    lines = (f"Hook {item.severity}: {item.message}" for item in diagnostics if item.severity != "info")
    return list(dict.fromkeys(lines))
