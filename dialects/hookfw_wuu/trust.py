"""
Consent to a project's layers and to packages.

From the hooks document ("project configuration follows the normal rules of trust") and the document on plugins ("bound to the
exact content"). Wuu keeps no review of single hooks, and where it keeps its own approvals is not public: hookfw keeps them in
`trust.json` of its own folder, which is the person's alone. Consent to a project is to the hooks of its layers as they were
shown: when they change, they do not count again before they are approved again.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import TRUSTED, BrokenJsonError, Diagnostic, Edit, HookState, Review, text
from hookfw_wuu.entries import hooks_of
from hookfw_wuu.json_files import read_object
from hookfw_wuu.locations import LAYER, TRUST, trust_store
from hookfw_wuu.packages import Package, of_documents
from hookfw_wuu.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hookfw import Document, Hook, Loaded, Places

PROJECTS: Final = "projects"
PACKAGES: Final = "packages"
"""The two tables of the store, below the dialect's name: path to the digest that was approved."""

_PROJECT_SCOPES: Final = ("project", "local")


class Store(NamedTuple):
    """
    The approvals.

    Attributes:
        projects: canonical workspace path to digest.
        packages: canonical folder of a package to digest.
        problem: what is said of a store that cannot be used; then nothing is approved.
    """

    projects: Mapping[str, Any] = {}
    packages: Mapping[str, Any] = {}
    problem: Diagnostic | None = None


def read_store(documents: Sequence[Document]) -> Store:
    """What the person approved; a missing store holds nothing."""
    document = next((document for document in documents if document.role == TRUST), None)
    if document is None:
        return Store()
    problem = document.problem
    if problem is None:
        try:
            own = read_object(document.data).get(DIALECT, {})
        except BrokenJsonError as error:
            problem = f"cannot be used: {error}; repair or remove it"
        else:
            projects, packages = (own.get(name, {}) if isinstance(own, dict) else None for name in (PROJECTS, PACKAGES))
            if isinstance(projects, dict) and isinstance(packages, dict):
                return Store(projects, packages)
            problem = f"cannot be used: `{DIALECT}` in it must hold objects `{PROJECTS}` and `{PACKAGES}`; repair or remove it"
    message = f"{document.path} {problem}; until then no project and no package counts as approved."
    return Store(problem=Diagnostic("broken-trust-store", "error", message, file=document.path))


def layers_of(documents: Sequence[Document]) -> list[Document]:
    """The project's layers, in rising priority."""
    return [document for document in documents if document.role == LAYER]


def project_digest(documents: Sequence[Document]) -> str:
    """SHA-256 of what the project's layers say about hooks, each with its path; their other settings play no part."""
    from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library, for projects with hooks alone

    said = [[document.path, _hooks_in(document)] for document in layers_of(documents)]
    said = [item for item in said if item[1]]
    return sha256(text.compact_json(said).encode()).hexdigest()


def _hooks_in(document: Document) -> dict[str, Any]:
    try:
        return hooks_of(read_object(document.data)) if document.problem is None else {}
    except BrokenJsonError:
        return {}


def speaking_layers(documents: Sequence[Document]) -> list[Document]:
    """The layers that say something about hooks, be it that there are none."""
    return [document for document in layers_of(documents) if _hooks_in(document)]


def project_state(documents: Sequence[Document], places: Places) -> HookState:
    """Consent to the layers of the project as they are."""
    return _state(
        read_store(documents).projects.get(places.workspace), project_digest(documents), "the project's hooks"
    )


def package_state(package: Package, store: Store) -> HookState:
    """Consent to the content of a package as it is."""
    return _state(store.packages.get(package.root), package.fingerprint(), "the package was")


def was_approved(package: Package, store: Store) -> bool:
    """The package was approved at some time, with this content or another."""
    return isinstance(store.packages.get(package.root), str)


def _state(approved: Any, digest: str, what: str) -> HookState:
    if approved == digest:
        return TRUSTED
    if isinstance(approved, str):
        return HookState("modified", note=f"{what} changed since the approval; review, then approve again")
    return HookState("untrusted", note=f"{what} never approved; review, then approve")


def judge(loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
    """The person's own hooks need no consent; a project's and a package's do."""
    store = read_store(documents)
    scopes = {hook.source.scope for hook in loaded.hooks}
    project = project_state(documents, places) if scopes.intersection(_PROJECT_SCOPES) else TRUSTED
    packages = {}
    if "plugin" in scopes:
        found = [package for package in of_documents(documents) if package.problem is None]
        packages = {package.manifest.path: package_state(package, store) for package in found}
    gone = HookState("untrusted", note="its package is gone")
    states = {}
    for hook in loaded.hooks:
        if hook.source.scope == "plugin":
            states[hook] = packages.get(hook.source.path, gone)
        else:
            states[hook] = project if hook.source.scope in _PROJECT_SCOPES else TRUSTED
    return states


def project_review(
    hooks: Iterable[Hook], removed: Iterable[str], documents: Sequence[Document], places: Places
) -> Review:
    """The project's layers as one thing to consent to, with the hooks they bring, and what they take away in sentences."""
    layers = speaking_layers(documents)
    approved = read_store(documents).projects.get(places.workspace)
    contents = (f"{layer.path}\n{text.decode(layer.data).rstrip()}" for layer in layers)
    shown = "\n\n".join((*contents, *(f"Once approved: {each}" for each in removed)))
    return Review(
        dialect=DIALECT,
        key=places.workspace,
        path=layers[0].path if layers else places.workspace,
        digest=project_digest(documents),
        state=project_state(documents, places),
        hooks=tuple(hooks),
        text=text.without_controls(shown),
        approved=approved if isinstance(approved, str) else None,
    )


def package_review(package: Package, hooks: Iterable[Hook], store: Store) -> Review:
    """A package as one thing to consent to."""
    approved = store.packages.get(package.root)
    content = ", ".join(sorted(item.path.removeprefix(package.root + "/") for item in package.content))
    return Review(
        dialect=DIALECT,
        key=package.root,
        path=package.manifest.path,
        digest=package.fingerprint(),
        state=package_state(package, store),
        hooks=tuple(hooks),
        text=text.without_controls(f"{text.decode(package.manifest.data).rstrip()}\n\nfiles: {content}"),
        approved=approved if isinstance(approved, str) else None,
    )


def approve(review: Review, places: Places) -> Sequence[Edit]:
    """The digest is recorded; it counts from the next session on."""
    return (Edit(trust_store(places), (DIALECT, _table(review), review.key), review.digest),)


def revoke(review: Review, places: Places) -> Sequence[Edit]:
    """The digest goes."""
    return (Edit(trust_store(places), (DIALECT, _table(review), review.key), None),)


def _table(review: Review) -> str:
    """Where a review is filed: a package is reviewed by its manifest, a project by its layers."""
    return PACKAGES if review.path == os.path.join(review.key, "plugin.json") else PROJECTS
