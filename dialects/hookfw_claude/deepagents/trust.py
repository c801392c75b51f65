"""
Consent to a project's hooks.

From the hooks document, "Trusting project hooks"; the store's format from the public source. Consent is to a root and
covers later edits of its file. Nothing in a repository gives it, and nothing but a well-formed entry counts.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import TRUSTED, BrokenJsonError, Diagnostic, Document, Edit, HookState, Review, TrustError, parse_json, text
from hookfw_claude.deepagents.locations import root_of, trust_store
from hookfw_claude.deepagents.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Hook, Loaded, Places

STORE: Final = "trust"
"""The role of the trust store among documents."""

VERSION: Final = 1

_UNTRUSTED = HookState("untrusted", note="the workspace is not trusted")
_UNUSABLE = HookState("untrusted", note="the trust store cannot be used, so nothing can be recorded in it")


class Store(NamedTuple):
    """
    The trust store, read as strictly as its agent reads it.

    Attributes:
        roots: the workspaces that are trusted.
        problem: why it cannot be used, in words that follow its path; then nobody is trusted.
        path: where it is.
    """

    roots: frozenset[str] = frozenset()
    problem: str | None = None
    path: str = ""


def read_store(documents: Sequence[Document]) -> Store:
    """What the store says; missing is empty. An entry without its time of consent is skipped alone."""
    document = next((document for document in documents if document.role == STORE), None)
    if document is None:
        return Store()
    projects = _projects(document)
    if isinstance(projects, str):
        return Store(problem=projects, path=document.path)
    trusted = (root for root, entry in projects.items() if _is_consent(entry))
    return Store(frozenset(trusted), path=document.path)


def _projects(document: Document) -> Mapping[str, Any] | str:
    if document.problem is not None:
        return document.problem
    try:
        store = parse_json(document.data)
    except BrokenJsonError as error:
        return f"cannot be used: {error.detail}; repair or remove it"
    if (
        not isinstance(store, dict)
        or not _is_version(store.get("version"))
        or not isinstance(store.get("projects"), dict)
    ):
        return f"is no trust store of this agent (`version` {VERSION} and an object `projects`); repair or remove it"
    projects: Mapping[str, Any] = store["projects"]
    return projects


def _is_version(found: Any) -> bool:
    """The version is the number itself; `true` and `1.0` only equal it."""
    return type(found) is int and found == VERSION


def _is_consent(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("trusted_at"), str)


def notes(store: Store, project: Document | None) -> list[Diagnostic]:
    """What is odd about the store, and that a project's hooks are left out; `project` is then its file."""
    found = []
    if store.problem is not None:
        message = f"{store.path} {store.problem}; until then no workspace counts as trusted."
        found.append(Diagnostic("broken-trust-store", "error", message, file=store.path))
    if project is not None:
        message = (
            f"The project's hooks in {project.path} are neither read nor run, because you have not trusted "
            f"{root_of(project.path)}: see `hookfw review`."
        )
        found.append(Diagnostic("untrusted-project", "warning", message, file=project.path))
    return found


def judge(loaded: Loaded, documents: Sequence[Document]) -> Mapping[Hook, HookState]:
    """The person's own hooks and those of enabled plugins are trusted, a project's by its root."""
    roots = read_store(documents).roots
    return {
        hook: _UNTRUSTED if hook.source.scope == "project" and root_of(hook.source.path) not in roots else TRUSTED
        for hook in loaded.hooks
    }


def review(project: Document, hooks: Sequence[Hook], documents: Sequence[Document]) -> Review:
    """The project's hooks file as one thing to consent to."""
    store = read_store(documents)
    root = root_of(project.path)
    state = TRUSTED if root in store.roots else _UNTRUSTED
    return Review(
        dialect=DIALECT,
        key=root,
        path=project.path,
        digest=sha256(project.data).hexdigest(),
        state=state if store.problem is None else _UNUSABLE,
        hooks=tuple(hooks),
        text=text.without_controls(text.decode(project.data)),
    )


def approve(review: Review, places: Places) -> Sequence[Edit]:
    """
    The root is trusted from now on.

    The time is the store's own content and nothing is decided by it, so it is read here. Raises `TrustError` for a store
    that cannot be read: it is never overwritten.
    """
    path = trust_store(places)
    if review.state == _UNUSABLE:
        message = f"{path} cannot be used as it is, so nothing was recorded; repair or remove it."
        raise TrustError(message)
    now = datetime.now(UTC).isoformat()
    return (Edit(path, ("version",), VERSION), Edit(path, ("projects", review.key, "trusted_at"), now))


def revoke(review: Review, places: Places) -> Sequence[Edit]:
    """The root is trusted no longer."""
    return (Edit(trust_store(places), ("projects", review.key), None),)
