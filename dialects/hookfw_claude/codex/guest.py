"""
The entries of a guest in the hooks file of Codex.

From the contract, "Where hooks come from" and "Timeouts": what ends a session has 3 seconds at most.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from hookfw import GuestEntries
from hookfw_claude import guest
from hookfw_claude.codex.layers import SETTINGS, own_folder
from hookfw_claude.codex.rules import NATIVE_EVENTS
from hookfw_claude.toml_or_json import hooks_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import GuestRequest

_TIMEOUTS: Final[Mapping[str, int]] = {"SessionEnd": 3, "Interrupt": 3}


def entries(request: GuestRequest) -> GuestEntries:
    """What the layer's file must hold."""
    user = request.scope == "user"
    folder = own_folder(request.places) if user else str(PurePath(request.places.workspace, SETTINGS))
    trusted = "" if user else "trust this project and "
    return GuestEntries(
        hooks_file(folder, request.files),
        guest.entries(request, request.names(NATIVE_EVENTS), _TIMEOUTS, {}),
        f"Codex passes new hooks over in silence until you {trusted}approve them there: see /hooks.",
    )
