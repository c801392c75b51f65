"""
Plugin packages: the hooks of their `plugin.json`, and the fingerprint that consent is bound to.

From the hooks document ("enabled packages can contribute hooks") and the document on plugins: a package needs an approval
that is bound to its exact content; to copy it in is not enough. The fingerprint is made of every file of the package, its
path and its bytes.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Final, NamedTuple

from hookfw import BrokenJsonError, Document
from hookfw_wuu.entries import hooks_of
from hookfw_wuu.json_files import read_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hookfw import FileView, Places

MANIFEST: Final = "package:"
HANDED_IN: Final = "handed-package:"
CONTENT: Final = "content:"
"""Roles of documents, each followed by the package's folder; a manifest comes before the content of its package."""

FILE_LIMIT: Final = 2_000
"""Files of a package."""
SIZE_LIMIT: Final = 64 * 1024 * 1024
"""Bytes of all files of a package together."""

_EMPTY_FOLDER: Final = "is a directory"
"""How the view says that there is a folder; one with something in it is never read as a file."""


class Package(NamedTuple):
    """
    A package that brings hooks, or that cannot be read.

    Attributes:
        root: its folder.
        manifest: its `plugin.json`.
        content: all its files, the manifest included.
        handed_in: the program named it, so that it is loaded to be seen before anybody approved it.
    """

    root: str
    manifest: Document
    content: tuple[Document, ...]
    handed_in: bool

    @property
    def problem(self) -> str | None:
        """Why its content has no fingerprint, in words that follow a path; `None` when it has."""
        return next((f"{item.path} {item.problem}" for item in self.content if item.problem is not None), None)

    def fingerprint(self) -> str:
        """SHA-256 over the path and the bytes of every file, in hexadecimal."""
        from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library, for packages with hooks alone

        digest = sha256()
        for item in sorted(self.content, key=lambda item: item.path):
            path = os.path.relpath(item.path, self.root)
            digest.update(f"{path}\0{len(item.data)}\0".encode("utf-8", "surrogateescape") + item.data)
        return digest.hexdigest()


def discover(folder: str, places: Places, files: FileView) -> Iterator[Document]:
    """The packages in Wuu's own folder by name, then those handed in, in their order."""
    for name in files.names(folder):
        root = files.resolve(os.path.join(folder, name))
        manifest = files.document(os.path.join(root, "plugin.json"), "plugin", MANIFEST + root)
        if manifest is not None:
            yield from _package(manifest, root, files)
    for named in places.plugin_dirs:
        root = files.resolve(os.path.join(places.workspace, named))
        manifest = files.document(os.path.join(root, "plugin.json"), "plugin", HANDED_IN + root)
        if manifest is None:
            problem = "is no package of Wuu: there is no plugin.json in it; correct the folder"
            yield Document(root, "plugin", HANDED_IN + root, problem=problem)
        else:
            yield from _package(manifest, root, files)


def of_documents(documents: Sequence[Document]) -> list[Package]:
    """The packages among all documents, in their order; one folder is one package."""
    found: dict[str, Package] = {}
    for document in documents:
        for role in (MANIFEST, HANDED_IN):
            if document.role.startswith(role):
                root = document.role.removeprefix(role)
                # A folder that is in place and handed in as well was looked at twice.
                content = {item.path: item for item in documents if item.role == CONTENT + root}
                known = found.get(root)
                handed_in = role == HANDED_IN or (known is not None and known.handed_in)
                found[root] = Package(root, document, tuple(content.values()), handed_in)
    return list(found.values())


def _package(manifest: Document, root: str, files: FileView) -> Iterator[Document]:
    """A manifest; and all files of its package, where it brings hooks."""
    yield manifest
    if _brings_hooks(manifest):
        left = SIZE_LIMIT
        for count, document in enumerate(_content(root, "", files)):
            left -= len(document.data)
            if count >= FILE_LIMIT or left < 0:
                bound = f"{FILE_LIMIT:,} files or {SIZE_LIMIT // 1024 // 1024} MiB"
                yield document._replace(
                    data=b"", problem=f"is beyond the {bound} that a package may have; make it smaller"
                )
                return
            yield document


def _brings_hooks(manifest: Document) -> bool:
    try:
        return manifest.problem is None and any(hooks_of(read_object(manifest.data)).values())
    except BrokenJsonError:
        return False


def _content(root: str, below: str, files: FileView) -> Iterator[Document]:
    """Every file below a folder, by name. A link counts as its target's path, which must be in the package."""
    for name in files.names(os.path.join(root, below)):
        inner = os.path.join(below, name)
        path = os.path.join(root, inner)
        target = files.resolve(path)
        if target != path:
            inside = target.startswith(root.rstrip("/") + "/")
            data = f"link to {os.path.relpath(target, root)}".encode("utf-8", "surrogateescape") if inside else b""
            problem = None if inside else "is a link out of its package; replace it by the file itself"
            yield Document(path, "plugin", CONTENT + root, data, problem)
        elif files.names(path):
            yield from _content(root, inner, files)
        else:
            found = files.document(path, "plugin", CONTENT + root)
            if found is not None and not (found.problem or "").startswith(_EMPTY_FOLDER):
                yield found
