"""
The entries of a guest in the hooks file of Deep Agents Code.

From "Setup" and "Trusting project hooks" of the hooks document. A file in the older form, a list, takes no entries of the newer one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import GuestEntries
from hookfw_claude import guest
from hookfw_claude.deepagents.locations import project_hooks, project_root, user_hooks
from hookfw_claude.deepagents.rules import NATIVE_EVENTS

if TYPE_CHECKING:
    from hookfw import GuestRequest


def entries(request: GuestRequest) -> GuestEntries:
    """What the hooks file must hold."""
    if request.scope == "user":
        path, approval = user_hooks(request.places), ""
    else:
        path = project_hooks(project_root(request.places.workspace, request.files))
        approval = "Deep Agents Code runs it once you trust this workspace, which it asks when it starts."
    return GuestEntries(path, guest.entries(request, request.names(NATIVE_EVENTS), {}, {}), approval)
