"""
Consent to a folder.

From the contract, "Trust and security": trust is per folder and kept by the client, `projects[PATH].hasTrustDialogAccepted` in
`~/.claude.json`. Until then no hook of any file runs, the person's own included. There is no consent to a single hook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import BrokenJsonError, Edit, HookState, Review, parse_json, text
from hookfw_claude.claude_code.locations import PROJECT_SERVERS, TRUST, trust_file
from hookfw_claude.claude_code.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Document, Hook, Loaded, Places

_ACCEPTED: Final = "hasTrustDialogAccepted"
_UNTRUSTED: Final = "untrusted: the folder was not accepted"


def is_accepted(documents: Sequence[Document], folder: str) -> bool:
    """The person accepted the folder; nothing but a plain true says so."""
    document = next((document for document in documents if document.role == TRUST), None)
    try:
        content = parse_json(document.data) if document is not None and document.problem is None else None
    except BrokenJsonError:
        return False
    projects = content.get("projects") if isinstance(content, dict) else None
    project = projects.get(folder) if isinstance(projects, dict) else None
    return isinstance(project, dict) and project.get(_ACCEPTED) is True


def judge(loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
    """Consent to the folder, and whether each hook is switched off."""
    accepted = is_accepted(documents, places.workspace)
    return {hook: _state(hook, loaded.settings.off.get(hook), accepted=accepted) for hook in loaded.hooks}


def _state(hook: Hook, off: str | None, *, accepted: bool) -> HookState:
    if not accepted:
        return HookState("untrusted", off is None, off or _UNTRUSTED)
    return HookState("managed" if hook.source.scope == "managed" else "trusted", off is None, off)


def reviews(loaded: Loaded, documents: Sequence[Document], places: Places) -> list[Review]:
    """The folder as one thing to consent to, with all that would then run; nothing where there is no hook."""
    if not loaded.hooks:
        return []
    from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library

    paths = {hook.source.path for hook in loaded.hooks}
    if any(hook.handler == "mcp_tool" for hook in loaded.hooks):
        # What a project's servers would start is part of what is consented to.
        paths |= {document.path for document in documents if document.role == PROJECT_SERVERS}
    files = [document for document in documents if document.path in paths and document.role != TRUST]
    digest = sha256()
    for document in files:
        digest.update(f"{document.path}\0{len(document.data)}\0".encode("utf-8", "replace") + document.data)
    accepted = is_accepted(documents, places.workspace)
    shown = (f"{document.path}\n{text.decode(document.data).rstrip()}" for document in files)
    return [
        Review(
            dialect=DIALECT,
            key=places.workspace,
            path=places.workspace,
            digest=digest.hexdigest(),
            state=HookState("trusted") if accepted else HookState("untrusted", note=_UNTRUSTED),
            hooks=loaded.hooks,
            text=text.without_controls("\n\n".join(shown)),
        )
    ]


def approve(review: Review, places: Places) -> list[Edit]:
    """The folder is accepted, as the client's own question does it."""
    return [Edit(trust_file(places), ("projects", review.key, _ACCEPTED), value=True)]


def revoke(review: Review, places: Places) -> list[Edit]:
    """The folder is accepted no longer."""
    return [Edit(trust_file(places), ("projects", review.key, _ACCEPTED), value=False)]
