"""
The entries of a guest in Codewhale's files.

From "Configuration" of the hooks document of 2026-09-29. `default_timeout_secs`, where it is set, counts instead of the entry's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw import GuestEntries, GuestEntry
from hookfw_codewhale.locations import project_hooks, user_config
from hookfw_codewhale.native import NATIVE_EVENTS

if TYPE_CHECKING:
    from hookfw import GuestRequest

_TIMEOUT: Final = 600
"""Seconds: as long as the hooks of other ecosystems may take."""
_STRICT: Final = frozenset({"message_submit", "tool_call_before"})
"""Where a strict hook that fails refuses; elsewhere it would only keep later hooks from running."""


def entries(request: GuestRequest) -> GuestEntries:
    """What the file must hold. A failed tool is told by `tool_call_after` already, so `on_error` stands for errors alone."""
    user = request.scope == "user"
    keys = ("hooks", "hooks") if user else ("hooks",)
    names = [name for name in request.names(NATIVE_EVENTS) if name != "on_error" or "error" in request.kinds]
    found = []
    for name in names:
        value: dict[str, Any] = {
            "event": name,
            "name": "hookfw guest",
            "command": request.command(name),
            "timeout_secs": _TIMEOUT,
        }
        if request.closed and name in _STRICT:
            value["continue_on_error"] = False
        found.append(GuestEntry(name, keys, value))
    return GuestEntries(
        user_config(request.places) if user else project_hooks(request.places),
        tuple(found),
        ""
        if user
        else "Codewhale runs it once this workspace is trusted and the file is approved there: see /hooks review.",
    )
