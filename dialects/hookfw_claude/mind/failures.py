"""
Runs that did not end well, in words for the run and for people.

What is said comes from fixed words, the hook's name and numbers; never from a command line, the payload or what was printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hookfw import Diagnostic

if TYPE_CHECKING:
    from hookfw import Hook
    from hookfw_claude.reading import Said

_CODES = {
    "timed_out": "hook-timed-out",
    "cancelled": "hook-cancelled",
    "failed": "failed-hook",
    "not_started": "failed-hook",
}


class Failed(NamedTuple):
    """A failure, told twice: for the run, and as a diagnostic."""

    error: str
    diagnostic: Diagnostic


def of_failure(hook: Hook, said: Said, what: str) -> Failed:
    """A run that has no say; `what` follows the hook's name."""
    if said.kind == "timed_out":
        what = f"timed out after {hook.timeout:g}s"
    code = _CODES.get(said.kind, "invalid-output")
    remedy = {
        "hook-timed-out": "make it faster or raise its `timeout`",
        "hook-cancelled": "fire the event again",
        "failed-hook": "run its command by hand to see why",
    }.get(code, "correct what it prints")
    return Failed(what, note(hook, code, f"{what}: it has no say and blocks nothing; {remedy}"))


def note(hook: Hook, code: str, what: str) -> Diagnostic:
    """A warning about a hook at firing; `what` follows its name and ends without a full stop."""
    message = f"The hook `{hook.name}` ({hook.source.path}, {hook.source.entry}) {what}."
    return Diagnostic(code, "warning", message, file=hook.source.path, entry=hook.source.entry, hook=hook.name)
