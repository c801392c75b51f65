"""The entries of a guest in the files of the family: one group with one command for each event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw import GuestEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hookfw import GuestRequest

TIMEOUT: Final = 600
"""Seconds: what a command of the family has by default. Each hook that the guest starts has its own limit besides."""


def entries(
    request: GuestRequest,
    names: Iterable[str],
    timeouts: Mapping[str, int | None],
    more: Mapping[str, Mapping[str, Any]],
) -> tuple[GuestEntry, ...]:
    """
    An entry for each event of `names`, for every tool.

    `timeouts`: other seconds than the usual, or none at all, by event. `more`: further fields of the handler, by event.
    """
    found = []
    for name in names:
        handler: dict[str, Any] = {"type": "command", "command": request.command(name)}
        timeout = timeouts.get(name, TIMEOUT)
        if timeout is not None:
            handler["timeout"] = timeout
        handler |= more.get(name, {})
        found.append(GuestEntry(name, ("hooks", name), {"hooks": [handler]}))
    return tuple(found)
