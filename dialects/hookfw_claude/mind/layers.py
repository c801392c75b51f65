"""
Where hooks come from: every document of the person, the profile, the project and the session, in their order.

From "Hooks configuration" of the hooks document; the profile's file name, the folders of a project and what an override may
do from the public source. Roles of documents: `hooks` (a `hooks.json`), `config` (the `config.toml` of the same layer,
which always follows, empty where there is none), `profile`, `override`, and `untrusted` (a project folder that was not
read).
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from hookfw import BrokenTomlError, Document, parse_toml
from hookfw_claude.mind.trust import user_config
from hookfw_claude.projects import exists, project_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw import FileView, Places, Scope

OVERRIDES = "cli"
"""What stands for the path of hooks that a session was started with."""

_PROFILE_NAME = re.compile(r"[A-Za-z0-9_-]+")


def discover(places: Places, files: FileView) -> list[Document]:
    """Every document that counts for these places, in layer order."""
    path = user_config(places)
    own = str(PurePath(path).parent)
    seen = {files.resolve(own)}
    found = _layer(own, "user", files)
    if places.profile is not None:
        found.append(_profile(own, places.profile, files))
    for folder in project_folders(_parsed(path, files), places.workspace, ".mind", files):
        real = files.resolve(folder.settings)
        if real in seen or not exists(folder.settings, files):
            continue
        seen.add(real)
        if folder.trusted:
            found += _layer(folder.settings, "project", files)
        else:
            found.append(Document(folder.settings, "project", "untrusted"))
    return [*found, *_overrides(places)]


def _layer(folder: str, scope: Scope, files: FileView) -> list[Document]:
    hooks = files.document(str(PurePath(folder, "hooks.json")), scope, "hooks")
    config = files.document(str(PurePath(folder, "config.toml")), scope, "config")
    if hooks is None:
        return [] if config is None else [_resolved(config, files)]
    if config is None:
        # It ends the layer, and it is watched: state may be written there at any time.
        config = Document(str(PurePath(folder, "config.toml")), scope, "config")
    return [_resolved(hooks, files), _resolved(config, files)]


def _profile(folder: str, name: str, files: FileView) -> Document:
    path = str(PurePath(folder, f"{name}.config.toml"))
    if not _PROFILE_NAME.fullmatch(name):
        problem = "is not read: the name of a profile has letters, digits, `-` and `_` only"
        return Document(path, "user", "profile", problem=problem)
    found = files.document(path, "user", "profile")
    if found is None:
        problem = f"does not exist: make it, or start without the profile {name!r}"
        return Document(path, "user", "profile", problem=problem)
    return _resolved(found, files)


def _overrides(places: Places) -> Iterator[Document]:
    for key, value in places.overrides.items():
        yield Document(OVERRIDES, "cli", "override", f"{key} = {value}".encode("utf-8", "replace"))


def _resolved(document: Document, files: FileView) -> Document:
    """The document under its real path: hooks are filed under it, whatever links led there."""
    return document._replace(path=files.resolve(document.path))


def _parsed(path: str, files: FileView) -> dict[str, Any]:
    """The person's configuration; one that cannot be read trusts nothing, and loading says why."""
    try:
        return parse_toml(files.read(path).data or b"")
    except BrokenTomlError:
        return {}
