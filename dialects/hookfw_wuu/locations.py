"""
Where Wuu keeps its files, and the documents that are there.

From the hooks document, "Configure hooks", and the documents on configuration, plugins and skills: the person's file is the
base, three files of the project go over it, packages of plugins and skills stand in folders of their own.
"""

from __future__ import annotations

import os.path
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from hookfw import config_dir
from hookfw_wuu import packages, skills
from hookfw_wuu.json_files import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw import Document, FileView, Places

BASE: Final = "base"
LAYER: Final = "layer"
TRUST: Final = "trust"
"""Roles of documents."""

_HOME_VARIABLE: Final = "WUU_HOME"


def agent_home(places: Places) -> str:
    """
    Wuu's own folder: `$WUU_HOME`, else `~/.wuu`.

    A relative path counts from the home, never from the working directory: that may be a repository, and a repository must
    not become the person's own configuration.
    """
    named = places.environ.get(_HOME_VARIABLE)
    if not named:
        return str(PurePath(places.home, ".wuu"))
    if named == "~" or named.startswith("~/"):
        named = places.home + named[1:]
    return os.path.normpath(PurePath(places.home, named))


def user_config(places: Places) -> str:
    """Path of the person's own configuration."""
    return str(PurePath(agent_home(places), "config.json"))


def trust_store(places: Places) -> str:
    """Path of the approvals, in hookfw's own folder: where Wuu keeps its own is not public."""
    return str(PurePath(config_dir(places.home, places.environ), "trust.json"))


def discover(places: Places, files: FileView) -> Iterator[Document]:
    """The approvals, the person's file, the project's layers in rising priority, packages, skills with hooks."""
    home = agent_home(places)
    store = files.document(trust_store(places), "user", TRUST)
    if store is not None:
        yield store
    base = files.document(user_config(places), "user", BASE)
    if base is not None and not _is_missing(base):
        yield base
    yield from _layers(places.workspace, files)
    yield from packages.discover(str(PurePath(home, "plugins")), places, files)
    yield from skills.discover(str(PurePath(home, "skills")), "user", files)
    yield from skills.discover(str(PurePath(places.workspace, ".wuu", "skills")), "project", files)


def _layers(workspace: str, files: FileView) -> Iterator[Document]:
    """`.wuu.json`, or `wuu.json` where that is absent; `.wuu/settings.json`; `.wuu/settings.local.json`."""
    dotted = str(PurePath(workspace, ".wuu.json"))
    first = dotted if files.exists(dotted) else str(PurePath(workspace, "wuu.json"))
    folder = PurePath(workspace, ".wuu")
    for document in (
        files.document(first, "project", LAYER),
        files.document(str(folder / "settings.json"), "project", LAYER),
        files.document(str(folder / "settings.local.json"), "local", LAYER),
    ):
        if document is not None and not _is_missing(document):
            yield document


def _is_missing(document: Document) -> bool:
    """A blank file counts as missing; one that cannot be read does not."""
    return document.problem is None and is_blank(document.data)
