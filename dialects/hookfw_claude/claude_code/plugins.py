"""
Plugin folders that the program hands in, and the hooks they bring.

From the contract: `hooks/hooks.json`, or what the manifest's `hooks` names; the variables of a plugin's handlers. Enabling
a plugin is the agent's business: a folder that is handed in counts as enabled.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import BrokenJsonError, Document, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hookfw import FileView, Places

HOOKS: Final = "plugin-hooks:"
MANIFEST: Final = "plugin-manifest:"
SERVERS: Final = "plugin-servers:"
"""Roles of documents, each followed by the plugin's folder. The manifest comes first."""

_MANIFEST_FILE = ".claude-plugin/plugin.json"
_HOOKS_FILE = "hooks/hooks.json"
_SERVERS_FILE = ".mcp.json"


class Plugin(NamedTuple):
    """
    A plugin.

    Attributes:
        name: by its manifest, else of its folder.
        root: its folder, links followed.
        data: the folder for what it keeps.
        options: what the person set, by the option's name.
    """

    name: str
    root: str
    data: str
    options: Mapping[str, str]

    @property
    def variables(self) -> dict[str, str]:
        """What its handlers find set."""
        options = {f"CLAUDE_PLUGIN_OPTION_{name.upper()}": value for name, value in self.options.items()}
        return {"CLAUDE_PLUGIN_ROOT": self.root, "CLAUDE_PLUGIN_DATA": self.data, **options}


def discover(places: Places, files: FileView) -> Iterator[Document]:
    """The manifest and the hooks files of every folder; what cannot be followed is a document with a problem."""
    for folder in places.plugin_dirs:
        root = files.resolve(os.path.join(places.workspace, folder))
        manifest = files.document(os.path.join(root, _MANIFEST_FILE), "plugin", MANIFEST + root)
        default = files.document(os.path.join(root, _HOOKS_FILE), "plugin", HOOKS + root)
        if manifest is None and default is None:
            problem = f"brings no hooks: neither {_MANIFEST_FILE} nor {_HOOKS_FILE} is there; correct the folder"
            yield Document(root, "plugin", HOOKS + root, problem=problem)
        if manifest is not None:
            yield manifest
        if default is not None:
            yield _contained(default, root, files)
        if manifest is not None:
            yield from _named(manifest, root, files)
        yield from _servers(manifest, root, files)


def _servers(manifest: Document | None, root: str, files: FileView) -> Iterator[Document]:
    """The usual file of MCP servers, and those that the manifest names beside it; one out of the plugin is not followed."""
    named = _declared(manifest).get("mcpServers")
    paths = [_SERVERS_FILE, *(named if isinstance(named, list) else [named])]
    for path in dict.fromkeys(os.path.normpath(os.path.join(root, path)) for path in paths if _is_path(path)):
        found = files.document(path, "plugin", SERVERS + root)
        if found is not None:
            yield _contained(found, root, files)


def _declared(manifest: Document | None) -> Mapping[str, Any]:
    """What a manifest holds; nothing for one that is broken, which is told when it is loaded."""
    try:
        declared = {} if manifest is None else parse_json(manifest.data)
    except BrokenJsonError:
        return {}
    return declared if isinstance(declared, dict) else {}


def _is_path(path: object) -> bool:
    return isinstance(path, str) and bool(path) and "\0" not in path


def root_of(document: Document) -> str | None:
    """The folder of the plugin that a document is of; `None` for any other document."""
    for role in (HOOKS, MANIFEST):
        if document.role.startswith(role):
            return document.role.removeprefix(role)
    return None


def name_of(manifest: Any, root: str) -> str:
    """The name of a plugin."""
    name = manifest.get("name") if isinstance(manifest, dict) else None
    return name if isinstance(name, str) and name else os.path.basename(root)


def make_plugin(name: str, root: str, places: Places, configs: Sequence[Mapping[str, Any]]) -> Plugin:
    """A plugin with its options; `configs` are tables of `pluginConfigs`, by `name@marketplace`, later over earlier."""
    options: dict[str, str] = {}
    for config in configs:
        for key, entry in config.items():
            given = entry.get("options") if isinstance(entry, dict) and is_called(key, name) else None
            for option, value in given.items() if isinstance(given, dict) else ():
                if isinstance(value, str | int | float):
                    options[option] = str(value).lower() if isinstance(value, bool) else str(value)
    return Plugin(name, root, os.path.join(places.home, ".claude", "plugins", "data", name), options)


def is_called(key: str, name: str) -> bool:
    """`key`, a `name@marketplace`, is this plugin."""
    return key.partition("@")[0] == name


def _named(manifest: Document, root: str, files: FileView) -> Iterator[Document]:
    """The hooks files that a manifest names beside the usual one."""
    named = _declared(manifest).get("hooks")
    for path in named if isinstance(named, list) else [named] if isinstance(named, str) else []:
        if not isinstance(path, str) or not path.startswith("./") or "\0" in path:
            problem = f"names the hooks file {path!r}, which must be a path that starts with `./`; it is not followed"
            yield manifest._replace(role=HOOKS + root, data=b"", problem=problem)
            continue
        target = os.path.normpath(os.path.join(root, path))
        if target == os.path.join(root, _HOOKS_FILE):
            continue
        found = files.document(target, "plugin", HOOKS + root)
        if found is None:
            problem = f"names the hooks file {path!r}, where nothing is; correct it"
            yield manifest._replace(role=HOOKS + root, data=b"", problem=problem)
        else:
            yield _contained(found, root, files)


def _contained(document: Document, root: str, files: FileView) -> Document:
    """The document, unless its path leads out of the plugin."""
    if files.resolve(document.path).startswith(root.rstrip("/") + "/"):
        return document
    return document._replace(data=b"", problem="leads out of its plugin's folder; it is not followed")
