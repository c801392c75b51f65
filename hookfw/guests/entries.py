"""What a guest needs in an agent's own file: the request, the entries, and how such an entry is known again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from hookfw.dialect import NativeEvent
    from hookfw.hooks import Hook
    from hookfw.sources import FileView, Places

_RUNS_GUEST = re.compile(
    r"""(?:^|[\s;&|("'/])hookfw["']?\s+guest\s+(?!install\b|uninstall\b)["']?(?P<agent>[A-Za-z0-9._-]+)["']?(?:\s+["']?(?P<event>\w+))?"""
)

WITHHELD = "it runs `hookfw guest`, which a guest never starts"
"""Why a guest skips an entry of another guest: each would start the other without end."""


class GuestRequest(NamedTuple):
    """
    What is to be installed.

    Attributes:
        places: where the agent keeps its files.
        files: the file system, to see which file there is.
        scope: the person's own file, or the project's.
        kinds: the canonical events for which somebody has hooks here.
        command: the command line of the guest for a native event; it goes to a shell.
        closed: a guest that fails refuses what it guards.
    """

    places: Places
    files: FileView
    scope: Literal["user", "project"]
    kinds: frozenset[str]
    command: Callable[[str], str]
    closed: bool

    def names(self, events: Iterable[NativeEvent]) -> list[str]:
        """The native names of those `events` for which somebody has hooks."""
        return [event.name for event in events if not self.kinds.isdisjoint((event.canonical, *event.also))]


class GuestEntry(NamedTuple):
    """
    One entry of a guest.

    Attributes:
        event: the native event.
        keys: the way to the list that it is added to.
        value: the entry itself, as JSON and TOML have it.
    """

    event: str
    keys: tuple[str, ...]
    value: Mapping[str, Any]


class GuestEntries(NamedTuple):
    """
    The entries of a guest, and the file they belong into.

    Attributes:
        path: the file, JSON or TOML by its ending; made with `mode` where it does not exist.
        entries: what it is to hold.
        approval: what the person still has to do in the agent, in one sentence; empty for nothing.
        mode: permission bits of a file that is made.
    """

    path: str
    entries: tuple[GuestEntry, ...]
    approval: str = ""
    mode: int = 0o600


def guest_call(command: object) -> tuple[str, str | None] | None:
    """The agent whose guest a command line runs, and the event it names; `None` where it runs none."""
    found = _RUNS_GUEST.search(command) if isinstance(command, str) else None
    return None if found is None else (found["agent"], found["event"])


def withheld(hook: Hook) -> str | None:
    """Why a guest never starts `hook`; `None` where it does."""
    return None if guest_call(hook.command) is None else WITHHELD
