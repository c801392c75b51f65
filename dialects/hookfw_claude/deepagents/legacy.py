"""
The old, list-shaped form of the file.

From the hooks document, "Legacy configuration"; the table and the old payload from the public source. What has an
equivalent is carried over; every event and entry that is not gets a diagnostic of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw_claude.deepagents.handlers import Handler
from hookfw_claude.payload import encode

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT: Final = 5.0
"""Seconds an old hook has."""

EVENTS: Mapping[str, tuple[str, str | None]] = MappingProxyType(
    {
        # The old start of a session was its first prompt.
        "session.start": ("UserPromptSubmit", None),
        "user.prompt": ("UserPromptSubmit", None),
        "task.complete": ("Notification", "agent_completed"),
        "session.end": ("SessionEnd", None),
        "context.offload": ("PreCompact", "manual"),
        "context.compact": ("PreCompact", "manual"),
        "input.required": ("Notification", "agent_needs_input"),
    }
)
"""Old event name to the event and matcher that stand for it, in the agent's own order."""

_WITH_THREAD = frozenset({"session.start", "task.complete", "session.end"})


class Carried(NamedTuple):
    """An old event that was carried over: a group of its own with one handler."""

    at: int
    event: str
    matcher: str | None
    handler: Handler


class Skipped(NamedTuple):
    """
    What was not carried over.

    Attributes:
        at: position of the entry in the list, from 0.
        detail: why, in words that follow its place.
        whole: the entry has no usable part, rather than one event without an equivalent.
    """

    at: int
    detail: str
    whole: bool


def is_legacy(hooks: Any) -> bool:
    """`hooks` has the old form: a list of objects, or an empty one."""
    return isinstance(hooks, list) and all(isinstance(entry, dict) for entry in hooks)


def migrate(entries: list[dict[str, Any]]) -> Iterator[Carried | Skipped]:
    """What becomes of each entry and event, in order."""
    for at, entry in enumerate(entries):
        command, events = entry.get("command"), entry.get("events")
        if not isinstance(command, list) or not command or not all(isinstance(part, str) for part in command):
            yield Skipped(at, "needs a `command`, a list of texts that is not empty", whole=True)
            continue
        if not (events is None or isinstance(events, list)):
            yield Skipped(at, "has `events` that are no list of event names", whole=True)
            continue
        for name in dict.fromkeys(map(_name, events or EVENTS)):
            if name not in EVENTS:
                yield Skipped(at, f"names the old event {name!r}, which has no equivalent", whole=False)
                continue
            event, matcher = EVENTS[name]
            handler = Handler(command=" ".join(command), argv=tuple(command), timeout=TIMEOUT, legacy=name)
            yield Carried(at, event, matcher, handler)


def payload(name: str, session_id: str | None) -> bytes:
    """What an old hook reads: the old event name, and the session where it was always told."""
    fields = {"event": name}
    if name in _WITH_THREAD and session_id is not None:
        fields["thread_id"] = session_id
    return encode(fields)


def _name(event: Any) -> str:
    return event if isinstance(event, str) else repr(event)
