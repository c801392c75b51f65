"""
Where hooks come from: every document, in the order in which they load.

As seen with codex-cli 0.171.0; the system's `config.toml`, folders of linked worktrees and that a `CODEX_HOME` is taken with
its links followed from the public source. Roles of documents: `requirements`, `hooks` (a `hooks.json`), `config` (the
`config.toml` of the same layer, which always follows, empty where there is none), `untrusted` (a project folder that was
not read), `flags` (what the session was started with), and those of plugins.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from hookfw import BrokenTomlError, Document, parse_toml
from hookfw_claude.codex import plugins
from hookfw_claude.projects import exists, project_folders

if TYPE_CHECKING:
    from hookfw import FileView, Places, Scope

REQUIREMENTS: Final = "/etc/codex/requirements.toml"
SYSTEM_CONFIG: Final = "/etc/codex/config.toml"
FLAGS: Final = "/<session-flags>/config.toml"
"""What stands for the path of what a session was started with."""

SETTINGS: Final = ".codex"
"""The name of a settings folder."""


def own_folder(places: Places) -> str:
    """The person's folder."""
    return places.environ.get("CODEX_HOME") or str(PurePath(places.home, SETTINGS))


def user_config(places: Places) -> str:
    """Path of the person's own configuration, where state is kept."""
    return str(PurePath(own_folder(places), "config.toml"))


def discover(places: Places, files: FileView) -> list[Document]:
    """Every document that counts for these places."""
    own = own_folder(places)
    if places.environ.get("CODEX_HOME"):
        own = files.resolve(own)
    config_path = str(PurePath(own, "config.toml"))
    found = [
        document
        for document in (
            files.document(REQUIREMENTS, "managed", "requirements"),
            files.document(SYSTEM_CONFIG, "managed", "config"),
        )
        if document is not None
    ]
    found += _layer(own, "user", files)
    config = _parsed(config_path, files)
    seen = {files.resolve(own)}
    for folder in project_folders(config, _working_directory(places), SETTINGS, files):
        real = files.resolve(folder.settings)
        if real in seen or not exists(folder.settings, files):
            continue
        seen.add(real)
        if folder.trusted:
            found += _layer(folder.settings, "project", files)
        else:
            found.append(Document(folder.settings, "project", "untrusted"))
    if places.overrides:
        lines = "\n".join(f"{key} = {value}" for key, value in places.overrides.items())
        found.append(Document(FLAGS, "cli", "flags", lines.encode("utf-8", "replace")))
    return [*found, *plugins.discover(config, own, files)]


def _working_directory(places: Places) -> str:
    """Where the session works, as far as that is in the project."""
    inside = places.cwd is not None and PurePath(places.cwd).is_relative_to(places.workspace)
    return places.cwd if inside and places.cwd is not None else places.workspace


def _layer(folder: str, scope: Scope, files: FileView) -> list[Document]:
    hooks = files.document(str(PurePath(folder, "hooks.json")), scope, "hooks")
    path = str(PurePath(folder, "config.toml"))
    config = files.document(path, scope, "config")
    if hooks is None:
        return [] if config is None else [config]
    # It ends the layer, and it is watched: state may be written there at any time.
    return [hooks, config or Document(path, scope, "config")]


def _parsed(path: str, files: FileView) -> dict[str, Any]:
    """The person's configuration; one that cannot be read trusts nothing, and loading says why."""
    try:
        return parse_toml(files.read(path).data or b"")
    except BrokenTomlError:
        return {}
