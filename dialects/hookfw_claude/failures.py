"""
Runs that did not end well, in words for the run and for people.

What is said comes from fixed words, the hook's name, the first word of its command and numbers; never from the rest of a
command line, the payload or what was printed.
"""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING, NamedTuple

from hookfw import Diagnostic

if TYPE_CHECKING:
    from hookfw import Ended, Hook
    from hookfw_claude.reading import Said

_CODES = {
    "timed_out": "hook-timed-out",
    "cancelled": "hook-cancelled",
    "failed": "failed-hook",
    "not_started": "failed-hook",
}


_MISSING = {
    126: ("command-not-executable", "set its run bit or name its interpreter"),
    127: ("command-not-found", "install it or correct its path"),
}
"""The shell's own account of a command that it could not run."""

_TOOL_REMEDIES = {
    "NO_SERVER": "correct the name, or configure the server",
    "NOT_CONNECTED": "start the server by hand to see why",
    "NO_TOOL": "correct the name of the tool",
    "TOOL_ERROR": "see what the tool says, in the run's standard error",
    "OVER_CAP": "have the tool answer with less",
    "REQUEST_FAILED": "correct the hook's `input`, or the server's configuration",
}
"""The remedy of a tool that was not called, or gave nothing."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Failed(NamedTuple):
    """A failure, told twice: for the run, and as a diagnostic."""

    error: str
    diagnostic: Diagnostic


def of_failure(hook: Hook, said: Said, what: str, ended: Ended) -> Failed:
    """A run that has no say; `what` follows the hook's name."""
    if said.kind == "timed_out":
        what = timed_out(hook)
    if said.kind == "failed" and ended.exit_code in _MISSING:
        code, remedy = _MISSING[ended.exit_code]
        return Failed(
            what, note(hook, code, f"{what}{_command_name(hook)}: it has no say and blocks nothing; {remedy}")
        )
    code = _CODES.get(said.kind, "invalid-output")
    remedy = {
        "hook-timed-out": "make it faster or raise its `timeout`",
        "hook-cancelled": "fire the event again",
        "failed-hook": by_hand(hook, ended),
    }.get(code, "correct what it prints")
    return Failed(what, note(hook, code, f"{what}: it has no say and blocks nothing; {remedy}"))


def timed_out(hook: Hook) -> str:
    """A run that ran out of time; of one that called a tool, whose."""
    called = f" (it called `{hook.summary}`)" if hook.handler == "mcp_tool" else ""
    return f"timed out after {hook.timeout:g}s{called}"


def by_hand(hook: Hook, ended: Ended) -> str:
    """The remedy of a run that failed."""
    if hook.handler == "command":
        return "run its command by hand to see why"
    if hook.handler == "mcp_tool" and ended.error_kind in _TOOL_REMEDIES:
        return _TOOL_REMEDIES[ended.error_kind]
    return f"see that a plugin runs the type `{hook.handler}` and that what it calls answers"


def _command_name(hook: Hook) -> str:
    """The file name of the command's first word, in parentheses, where that gives nothing away; else empty."""
    words = (hook.command or "").split(maxsplit=1)
    name = os.path.basename(words[0]) if words else ""
    return f" (`{name}`, or a command that it runs)" if _PLAIN_NAME.fullmatch(name) else ""


def note(hook: Hook, code: str, what: str) -> Diagnostic:
    """A warning about a hook at firing; `what` follows its name and ends without a full stop."""
    message = f"The hook `{hook.name}` ({hook.source.path}, {hook.source.entry}) {what}."
    return Diagnostic(code, "warning", message, file=hook.source.path, entry=hook.source.entry, hook=hook.name)
