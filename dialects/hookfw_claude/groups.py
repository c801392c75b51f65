"""
The three levels of the family's configuration: event, matcher group, handler.

`walk` reports what stands where and what is malformed, as data. What a fault costs, how entries are numbered and which
matchers are allowed is for each agent to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Fault = Literal[
    "event-not-a-list", "group-not-an-object", "no-handlers", "handlers-not-a-list", "handler-not-an-object"
]
"""What keeps the walk from going deeper: the event's value, the group, its missing or unusable `hooks`, the handler."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Item(NamedTuple):
    """
    One place in the table: an event, a group or a handler, each reported before what it holds.

    Attributes:
        event: the event name as written.
        group: position of the group in its event, counted from 0 as written; `None` for the event itself.
        handler: position of the handler in its group, likewise; `None` for an event or a group.
        fault: what is malformed here; nothing below it is reported then.
        matcher: the group's `matcher` as written; `None` where it is absent.
        fields: the group, where it is an object.
        value: what stands here: the event's value, the group or the handler.
    """

    event: str
    group: int | None = None
    handler: int | None = None
    fault: Fault | None = None
    matcher: object = None
    fields: Mapping[str, Any] = _NOTHING
    value: Any = None

    @property
    def path(self) -> tuple[str | int, ...]:
        """The way to it from the table."""
        path: list[str | int] = [self.event]
        if self.group is not None:
            path.append(self.group)
        if self.handler is not None:
            path += ["hooks", self.handler]
        return tuple(path)

    @property
    def entry(self) -> str:
        """Where it stands in the file, for people (`hooks.PreToolUse[0].hooks[1]`)."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return f"hooks{''.join(steps)}"


def walk(table: Mapping[str, Any]) -> Iterator[Item]:
    """Every event, group and handler of `table`, in the order written."""
    for event, groups in table.items():
        if not isinstance(groups, list):
            yield Item(event, fault="event-not-a-list", value=groups)
            continue
        yield Item(event, value=groups)
        for position, group in enumerate(groups):
            yield from _walk_group(event, position, group)


def _walk_group(event: str, position: int, group: Any) -> Iterator[Item]:
    if not isinstance(group, dict):
        yield Item(event, position, fault="group-not-an-object", value=group)
        return
    whole = Item(event, position, matcher=group.get("matcher"), fields=group, value=group)
    if "hooks" not in group:
        yield whole._replace(fault="no-handlers")
        return
    handlers = group["hooks"]
    if not isinstance(handlers, list):
        yield whole._replace(fault="handlers-not-a-list")
        return
    yield whole
    for at, handler in enumerate(handlers):
        fault: Fault | None = None if isinstance(handler, dict) else "handler-not-an-object"
        yield whole._replace(handler=at, value=handler, fault=fault)
