"""
The entries of a guest in Claude Code's settings.

From the contract, "Where hooks are configured", "Timeouts" and `onFailure`. The project's entries go into the settings of one person:
the command line names a file of theirs.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Final

from hookfw import GuestEntries
from hookfw_claude import guest
from hookfw_claude.claude_code.rules import EVENTS, NATIVE_EVENTS, SESSION_END

if TYPE_CHECKING:
    from hookfw import GuestRequest

_REPLACES: Final = "WorktreeCreate"
"""A hook there does the client's own work: one that only stands in for others would leave it undone."""


def entries(request: GuestRequest) -> GuestEntries:
    """What the settings file must hold; SessionEnd has no timeout, which would raise what all hooks have together."""
    places = request.places
    own = places.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(places.home, ".claude")
    user = request.scope == "user"
    path = (
        os.path.join(own, "settings.json") if user else os.path.join(places.workspace, ".claude", "settings.local.json")
    )
    more = {
        name: {"onFailure": "block"} for name, rules in EVENTS.items() if request.closed and rules.failing == "blocks"
    }
    names = [name for name in request.names(NATIVE_EVENTS) if name != _REPLACES]
    return GuestEntries(
        path,
        guest.entries(request, names, {SESSION_END: None}, more),
        "Claude Code runs it in folders that you accepted in its own dialog about trust.",
    )
