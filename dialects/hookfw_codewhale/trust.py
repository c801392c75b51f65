"""
Consent to a project's hooks.

From the hooks document of 2026-09-29, "Project-local hooks". Two locks, both in files of the person's own: the
workspace is trusted, and the exact bytes of the project's hooks file were approved. Nothing in a repository opens
either. The document does not say where approvals are stored: hookfw keeps them in `~/.codewhale/hooks_trust.json`.
"""

from __future__ import annotations

import os.path
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import TRUSTED, Diagnostic, Document, Edit, Hook, HookState, Loaded, Places, Review, Trust, text
from hookfw_codewhale.entries import DIALECT
from hookfw_codewhale.locations import project_hooks, trust_store, user_config

if TYPE_CHECKING:
    from hookfw_codewhale.config import Settings

_DISABLED = "`[hooks].enabled` is false in your configuration"


class Consent(NamedTuple):
    """
    What the person's own files say about this workspace.

    Attributes:
        workspace_trusted: `[projects."PATH"] trust_level` is `trusted`.
        digest: SHA-256 of the hooks file that was approved, in hexadecimal.
    """

    workspace_trusted: bool = False
    digest: str | None = None


NO_CONSENT = Consent()


def read_consent(
    config: Mapping[str, Any], store: Document | None, workspace: str
) -> tuple[Consent, tuple[Diagnostic, ...]]:
    """
    The state of both locks, from the person's parsed configuration and the approvals.

    Approvals that cannot be read count as none, with a diagnostic.
    """
    approved, diagnostics = _approved_digest(store, workspace)
    return Consent(_is_trusted(config, workspace), approved), diagnostics


def _is_trusted(config: Mapping[str, Any], workspace: str) -> bool:
    projects = config.get("projects")
    if not isinstance(projects, Mapping):
        return False
    return any(
        isinstance(project, Mapping) and project.get("trust_level") == "trusted"
        for path, project in projects.items()
        if os.path.normpath(path) == workspace
    )


def _approved_digest(store: Document | None, workspace: str) -> tuple[str | None, tuple[Diagnostic, ...]]:
    if store is None:
        return None, ()
    approvals = None if store.problem else text.parse_json_object(text.decode(store.data))
    digest = approvals.get(workspace) if approvals is not None else None
    if approvals is not None and (digest is None or isinstance(digest, str)):
        return digest, ()
    what = store.problem or "is not a JSON object of workspace paths and SHA-256 digests; remove it and approve again"
    message = f"{store.path} {what}; until then no project hooks count as approved."
    return None, (Diagnostic("broken-trust-store", "error", message, file=store.path),)


def judge(loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
    """The person's own hooks are trusted; those of the project only behind both locks. The switch is for all."""
    del places
    settings: Settings = loaded.settings
    own = TRUSTED if settings.enabled else HookState("trusted", enabled=False, note=_DISABLED)
    project = _project_document(documents)
    theirs = own if project is None else _project_state(settings, digest_of(project))
    return {hook: theirs if hook.source.scope == "project" else own for hook in loaded.hooks}


def digest_of(document: Document) -> str:
    """SHA-256 of the bytes that were read, in hexadecimal: what was approved is exactly what is parsed and runs."""
    from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library, for projects with hooks alone

    return sha256(document.data).hexdigest()


def _project_document(documents: Sequence[Document]) -> Document | None:
    return next((document for document in documents if document.scope == "project"), None)


def _project_state(settings: Settings, digest: str) -> HookState:
    consent = settings.consent
    missing = []
    trust: Trust = "trusted"
    if not consent.workspace_trusted:
        trust = "untrusted"
        missing.append("the workspace is not trusted in your configuration")
    if consent.digest is None:
        trust = "untrusted"
        missing.append("its hooks file was never approved")
    elif consent.digest != digest:
        trust = "modified"
        missing.append("its hooks file changed since it was approved")
    if missing:
        return HookState(trust, settings.enabled, f"{' and '.join(missing)}; review it, then approve it")
    return TRUSTED if settings.enabled else HookState("trusted", enabled=False, note=_DISABLED)


def reviews(loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
    """
    The project's hooks file as one thing to consent to, when it brings hooks.

    An approval of a file that is gone, or brings none now, is there too: it would count again if the file came back.
    """
    document = _project_document(documents)
    hooks = tuple(hook for hook in loaded.hooks if hook.source.scope == "project")
    approved = loaded.settings.consent.digest
    if not hooks and approved is None:
        return ()
    digest = "" if document is None else digest_of(document)
    return (
        Review(
            dialect=DIALECT,
            key=places.workspace,
            path=project_hooks(places),
            digest=digest,
            state=_project_state(loaded.settings, digest),
            hooks=hooks,
            text="" if document is None else text.without_controls(text.decode(document.data)),
            approved=approved,
        ),
    )


def approve(review: Review, places: Places) -> Sequence[Edit]:
    """Both locks: the digest, and the workspace as trusted. They count from the next session on."""
    return (
        Edit(trust_store(places), (review.key,), review.digest),
        Edit(user_config(places), ("projects", review.key, "trust_level"), "trusted"),
    )


def revoke(review: Review, places: Places) -> Sequence[Edit]:
    """The digest goes; that the workspace is trusted is also about other things than hooks, and stays."""
    return (Edit(trust_store(places), (review.key,), None),)
