"""
Handlers: reading one entry of the file.

From the hooks document, "Handler fields"; the bounds of values from the public source. A handler that is not as it must be
is refused alone, with every reason.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from hookfw import text

FIELDS = ("type", "command", "argv", "timeout", "statusMessage", "async")
"""What a handler may say; anything else is ignored."""

# Characters by which a slip may be longer or shorter than the word that was meant.
_SLIP = 2

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """
    One handler that can be run.

    Attributes:
        command: the shell line; not run where `argv` is there.
        argv: the program and its arguments, as written.
        timeout: seconds; `None` where the event's own time holds.
        status: what the person sees while it runs.
        variables: set for it beyond the session's environment (a plugin's).
        folders: made before it starts (a plugin's data).
        legacy: the old event name of an entry in the list form: told the old way, and nothing it answers counts.
    """

    command: str
    argv: tuple[str, ...] | None = None
    timeout: float | None = None
    status: str | None = None
    variables: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    folders: tuple[str, ...] = ()
    legacy: str | None = None

    @property
    def line(self) -> str:
        """What it runs, for people."""
        return self.command if self.argv is None else " ".join(self.argv)


def read_handler(value: Mapping[str, Any]) -> Handler | list[str]:
    """The handler that `value` describes, or what is wrong with it, each in words that follow the place."""
    problems: list[str] = []
    kind = value.get("type")
    if kind != "command":
        problems.append(
            'has no `type`; write `"type": "command"`'
            if "type" not in value
            else f"has the `type` {text.compact_json(kind)}, but only `command` exists here"
        )
    command = value.get("command")
    if not isinstance(command, str):
        problems.append("needs a `command`, a text, also where `argv` is what runs")
    argv = value.get("argv")
    problems += _argv_problems(argv)
    timeout = value.get("timeout")
    if not (timeout is None or _is_time(timeout)):
        problems.append(f"has the `timeout` {_shown(timeout)}; it must be a number of seconds above 0")
    status = value.get("statusMessage")
    if not (status is None or isinstance(status, str)):
        problems.append(f"has the `statusMessage` {_shown(status)}; it must be a text")
    problems += _async_problems(value.get("async"))
    if problems:
        return problems
    return Handler(
        command=str(command),
        argv=None if argv is None else tuple(argv),
        timeout=None if timeout is None else float(timeout),
        status=status,
    )


def misspelt_fields(given: Mapping[str, Any], known: tuple[str, ...]) -> list[tuple[str, str]]:
    """The fields that were probably misspelt, each with what was meant; others are ignored, as the agent does."""
    pairs = ((name, text.closest(name, known)) for name in given if name not in known)
    return [(name, meant) for name, meant in pairs if meant is not None and _is_slip(name, meant, given)]


def _is_slip(name: str, meant: str, given: Mapping[str, Any]) -> bool:
    return meant not in given and name[:1].lower() == meant[0] and abs(len(name) - len(meant)) <= _SLIP


def _argv_problems(argv: Any) -> list[str]:
    if argv is None:
        return []
    if not isinstance(argv, list) or not argv or not all(isinstance(part, str) for part in argv):
        return ["has an `argv` that is no list of texts; name the program and each argument, or leave it out"]
    if not argv[0].strip():
        return ["has an `argv` without a program; its first text must name one"]
    return []


def _async_problems(value: Any) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return ["asks for `async`, which this agent does not have; leave it out, the handler will be waited for"]
    return [f"has the `async` {_shown(value)}; it must be false or absent"]


def _is_time(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value) and value > 0 and math.isfinite(float(value))
    except OverflowError:
        return False


def _shown(value: Any) -> str:
    return text.line(text.compact_json(value), 60)
