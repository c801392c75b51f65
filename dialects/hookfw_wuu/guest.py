"""
The entries of a guest in Wuu's configuration.

From "Configuration" of the hooks document: a flat list of entries for each event. A project's layer takes the place of the person's list
of an event, so entries there would remove hooks of the person's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import ConfigurationError, GuestEntries, GuestEntry
from hookfw_wuu.locations import user_config
from hookfw_wuu.rules import NATIVE_EVENTS

if TYPE_CHECKING:
    from hookfw import GuestRequest

_TIMEOUT: Final = 600
"""Seconds: as long as the hooks of other ecosystems may take."""


def entries(request: GuestRequest) -> GuestEntries:
    """What the configuration must hold. Raises `ConfigurationError` for a project."""
    if request.scope == "project":
        message = (
            "A project's configuration of Wuu takes the place of your own hooks for an event instead of adding to them: "
            "install the guest for yourself, with --scope user."
        )
        raise ConfigurationError(message)
    found = [
        GuestEntry(name, ("hooks", name), {"type": "command", "command": request.command(name), "timeout": _TIMEOUT})
        for name in request.names(NATIVE_EVENTS)
    ]
    return GuestEntries(user_config(request.places), tuple(found), "Wuu reads it when it is started again.")
