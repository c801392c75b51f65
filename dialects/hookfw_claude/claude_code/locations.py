"""
Where settings are: every document in the order in which hooks start.

From the contract, "Where hooks are configured". Managed settings come first, then the person's, the project's, the project's local
ones, those of this run, plugins. Hooks in the front matter of skills and sub-agents are the agent's own business.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Final

from hookfw import BrokenTomlError, Document, parse_toml
from hookfw_claude.claude_code import plugins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw import FileView, Places, Scope

SETTINGS: Final = "settings"
TRUST: Final = "trust"
PROJECT_SERVERS: Final = "servers"
"""Roles of documents; those of plugins stand in `plugins`."""

OVERRIDE: Final = "settings"
"""The override that stands for the client's `--settings`: a file, or the settings themselves as JSON."""
OVERRIDE_PATH: Final = "--settings"
"""What stands for the path of settings that were given as JSON."""

_MANAGED: Final = {
    "darwin": "/Library/Application Support/ClaudeCode",
    "win32": r"C:\Program Files\ClaudeCode",
}
_MANAGED_ELSEWHERE: Final = "/etc/claude-code"


def discover(places: Places, files: FileView) -> list[Document]:
    """Every document that counts for these places."""
    found = [*_managed(places, files), *_own(places, files), *_of_this_run(places, files)]
    found += plugins.discover(places, files)
    if found:
        trust = files.document(trust_file(places), "user", TRUST)
        found += [] if trust is None else [trust]
        servers = files.document(os.path.join(places.workspace, ".mcp.json"), "project", PROJECT_SERVERS)
        found += [] if servers is None else [servers]
    return found


def trust_file(places: Places) -> str:
    """Where the client keeps which folders were accepted."""
    return os.path.join(places.home, ".claude.json")


def _managed(places: Places, files: FileView) -> Iterator[Document]:
    folder = _MANAGED.get(places.platform, _MANAGED_ELSEWHERE)
    parts = os.path.join(folder, "managed-settings.d")
    names = sorted(name for name in files.names(parts) if name.endswith(".json"))
    for path in (os.path.join(folder, "managed-settings.json"), *(os.path.join(parts, name) for name in names)):
        yield from _settings(path, "managed", files)


def _own(places: Places, files: FileView) -> Iterator[Document]:
    """The person's settings and the project's, each file once: a home may be the project."""
    folder = places.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(places.home, ".claude")
    project = os.path.join(places.workspace, ".claude")
    seen = set()
    choices: tuple[tuple[str, str, Scope], ...] = (
        (folder, "settings.json", "user"),
        (project, "settings.json", "project"),
        (project, "settings.local.json", "local"),
    )
    for where, name, scope in choices:
        for document in _settings(os.path.join(where, name), scope, files):
            if document.path not in seen:
                seen.add(document.path)
                yield document


def _of_this_run(places: Places, files: FileView) -> Iterator[Document]:
    written = places.overrides.get(OVERRIDE)
    if written is None:
        return
    try:
        given = parse_toml(f"value = {written}".encode())["value"]
    except BrokenTomlError:
        given = None
    if not isinstance(given, str):
        problem = f"must be a text, a path or JSON, as the override `{OVERRIDE}` of this session; it is ignored"
        yield Document(OVERRIDE_PATH, "cli", SETTINGS, problem=problem)
    elif given.lstrip().startswith("{"):
        yield Document(OVERRIDE_PATH, "cli", SETTINGS, given.encode("utf-8", "replace"))
    else:
        path = os.path.join(places.workspace, given)
        found = list(_settings(path, "cli", files))
        yield from found or [Document(path, "cli", SETTINGS, problem="does not exist; correct the path")]


def _settings(path: str, scope: Scope, files: FileView) -> Iterator[Document]:
    """A settings file under its real path: a link out of the project is then seen as one."""
    found = files.document(path, scope, SETTINGS)
    if found is not None:
        yield found._replace(path=files.resolve(path))
