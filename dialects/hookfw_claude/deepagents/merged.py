"""The merged configuration: groups by event, in the order of authority, and the hooks that come of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hookfw import Hook, text
from hookfw_claude.deepagents.rules import DIALECT, EVENTS

if TYPE_CHECKING:
    from hookfw import Source
    from hookfw_claude.deepagents.handlers import Handler
    from hookfw_claude.matcher import Matcher

_SUMMARY_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Group:
    """
    One matcher group that is well formed.

    Attributes:
        matcher: as written; `None` where there is none.
        compiled: the same, compiled; `None` for one that was refused: the group then only takes its number.
        handlers: its valid handlers, each with where it stands.
        plugin: id of the plugin that brings it.
    """

    matcher: str | None
    compiled: Matcher | None
    handlers: Sequence[tuple[Handler, Source]] = ()
    plugin: str | None = None


@dataclass(frozen=True)
class Merged:
    """
    All groups of all sources, in force until the next reload.

    Attributes:
        groups: by event name, each list in the order of authority.
    """

    groups: Mapping[str, Sequence[Group]] = field(default_factory=dict)

    @cached_property
    def snapshot_id(self) -> str:
        """
        SHA-256, in hexadecimal, of the configuration in canonical form: what an agent names a snapshot by.

        Events stand in a fixed order, keys are sorted, what has no value is left out; a plugin's id and variables count.
        """
        canonical = {
            "hooks": {
                name: [_canonical(group) for group in self.groups[name]] for name in EVENTS if name in self.groups
            }
        }
        document = json.dumps(canonical, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return sha256(text.scrub(document).encode()).hexdigest()

    def hooks(self) -> Iterator[Hook]:
        """The hooks, numbered, event by event."""
        for event, rules in EVENTS.items():
            for number, group in enumerate(self.groups.get(event, ())):
                if group.compiled is None:
                    continue
                for at, (handler, source) in enumerate(group.handlers):
                    yield Hook(
                        name=f"{event}:{number}:{at}",
                        dialect=DIALECT,
                        event=event,
                        handler="command",
                        summary=text.line(handler.line, _SUMMARY_LENGTH - 1) if handler.line else "(no command)",
                        source=source,
                        timeout=rules.timeout if handler.timeout is None else handler.timeout,
                        command=handler.line,
                        matcher=group.matcher or "",
                        keys=group.compiled.keys,
                        predicate=group.compiled.predicate(group.matcher or ""),
                        status_message=handler.status,
                        config=handler,
                    )


def _canonical(group: Group) -> dict[str, Any]:
    canonical: dict[str, Any] = {"hooks": [_canonical_handler(handler) for handler, _ in group.handlers]}
    if group.matcher is not None:
        canonical["matcher"] = group.matcher
    if group.plugin is not None:
        canonical["origin"] = group.plugin
        canonical["env"] = next((dict(handler.variables) for handler, _ in group.handlers), {})
    return canonical


def _canonical_handler(handler: Handler) -> dict[str, Any]:
    fields = {
        "type": "command",
        "command": handler.command,
        "argv": None if handler.argv is None else list(handler.argv),
        "timeout": handler.timeout,
        "statusMessage": handler.status,
    }
    return {name: value for name, value in fields.items() if value is not None}
