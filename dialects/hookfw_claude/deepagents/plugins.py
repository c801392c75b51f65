"""
Plugins: which are enabled, and the hooks documents they bring.

From the hooks document, "Plugin hooks"; the registry's files and the rules for paths from the public source. Enabling a
plugin is the consent to its hooks. Each plugin stands alone: what is wrong with one costs that one.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import BrokenJsonError, Diagnostic, Document, parse_json
from hookfw_claude.deepagents.locations import enabled_plugins, installed_plugins, is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hookfw import FileView, Places

ENABLED: Final = "enabled-plugins"
INSTALLED: Final = "installed-plugins"
HOOKS: Final = "plugin-hooks:"
INLINE: Final = "plugin-manifest:"
"""Roles of documents; the last two are followed by the plugin's id."""

_MANIFESTS = ("plugin.json", ".claude-plugin/plugin.json", ".codex-plugin/plugin.json")
_STATE_VERSION = 1
_INSTALLED_VERSION = 2


class Plugin(NamedTuple):
    """
    An enabled plugin.

    Attributes:
        id: `name@marketplace`.
        root: its folder; `None` where the registry does not say it.
    """

    id: str
    root: str | None


class Registry(NamedTuple):
    """The enabled plugins by id, and what is wrong with the files that say so: the path, and words that follow it."""

    plugins: tuple[Plugin, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()


def read_registry(documents: Sequence[Document]) -> Registry:
    """The enabled plugins, from the two state files as far as they can be read."""
    problems: list[tuple[str, str]] = []
    switches = _table(documents, ENABLED, "enabledPlugins", _STATE_VERSION, problems)
    installed = _table(documents, INSTALLED, "plugins", _INSTALLED_VERSION, problems)
    enabled = sorted(name for name, switch in switches.items() if switch is True)
    return Registry(tuple(Plugin(name, _install_path(installed.get(name))) for name in enabled), tuple(problems))


def notes(documents: Sequence[Document]) -> list[Diagnostic]:
    """What is wrong with the state files."""
    return [
        Diagnostic("plugin-hooks-failed", "error", f"{path} {problem}.", file=path)
        for path, problem in read_registry(documents).problems
    ]


def discover(places: Places, files: FileView) -> list[Document]:
    """The state files and the documents of all enabled plugins; what cannot be followed is a document with a problem."""
    state = [
        files.document(enabled_plugins(places), "user", ENABLED),
        files.document(installed_plugins(places), "user", INSTALLED),
    ]
    found = [document for document in state if document is not None]
    for plugin in read_registry(found).plugins:
        found += _documents_of(plugin, installed_plugins(places), files)
    return found


def plugin_of(document: Document) -> str | None:
    """The id of the plugin that brings a hooks document or manifest; `None` for any other document."""
    for role in (HOOKS, INLINE):
        if document.role.startswith(role):
            return document.role.removeprefix(role)
    return None


def inline_hooks(manifest: Any) -> tuple[Mapping[str, Any], tuple[str, ...]] | None:
    """
    The event table in a manifest and the way to it; `None` where there is none.

    The inline object is the table itself, or wraps it in `hooks` once more.
    """
    declared = manifest.get("hooks") if isinstance(manifest, dict) else None
    if not isinstance(declared, dict) or not declared:
        return None
    wrapped = declared.get("hooks")
    return (wrapped, ("hooks", "hooks")) if isinstance(wrapped, dict) else (declared, ("hooks",))


def _documents_of(plugin: Plugin, registry: str, files: FileView) -> Iterator[Document]:
    """The default document, those the manifest names, and the manifest itself."""
    if plugin.root is None:
        yield _broken(
            registry, plugin, f"does not say where the enabled plugin {plugin.id!r} is installed; reinstall it"
        )
        return
    root = files.resolve(plugin.root)
    if not is_folder(root, files):
        yield _broken(plugin.root, plugin, f"is no folder, though the plugin {plugin.id!r} is installed there")
        return
    manifest = next(
        (found for name in _MANIFESTS if (found := files.document(os.path.join(root, name), "plugin"))), None
    )
    declared = {} if manifest is None else _declared(manifest)
    if declared is not None:
        seen = set()
        default = files.document(_hooks_file(os.path.join(root, "hooks"), files), "plugin", HOOKS + plugin.id)
        if default is not None:
            seen.add(default.path)
            yield _contained(default, root, files)
        for document in _named(manifest, declared.get("hooks"), plugin, root, files) if manifest is not None else ():
            if document.path not in seen or document.problem is not None:
                seen.add(document.path)
                yield document
    if manifest is not None:
        yield manifest._replace(role=INLINE + plugin.id)


def _declared(manifest: Document) -> Mapping[str, Any] | None:
    """What a manifest says; `None` for one that cannot be used, which is told when it is loaded and costs the plugin."""
    try:
        declared = parse_json(manifest.data)
    except BrokenJsonError:
        return None
    return declared if isinstance(declared, dict) else None


def _named(manifest: Document, named: Any, plugin: Plugin, root: str, files: FileView) -> Iterator[Document]:
    """The documents that the manifest names, in its order."""
    if named is None or isinstance(named, dict):
        return
    for path in named if isinstance(named, list) else [named]:
        fault = _path_fault(path)
        if fault is not None:
            yield _broken(manifest.path, plugin, f"names the hooks path {path!r}, which {fault}; it is not followed")
            continue
        target = _hooks_file(os.path.join(root, path), files)
        found = files.document(os.path.normpath(target), "plugin", HOOKS + plugin.id)
        if found is None:
            yield _broken(manifest.path, plugin, f"names the hooks path {path!r}, where nothing is; correct it")
        else:
            yield _contained(found, root, files)


def _path_fault(path: object) -> str | None:
    if not isinstance(path, str):
        return "is no text"
    if not path.startswith("./") or path == "./":
        return 'must start with "./", below the plugin\'s folder'
    if ".." in path.split("/"):
        return 'must not contain ".."'
    return "holds a NUL character" if "\0" in path else None


def _hooks_file(path: str, files: FileView) -> str:
    return os.path.join(path, "hooks.json") if is_folder(path, files) else path


def _contained(document: Document, root: str, files: FileView) -> Document:
    """The document, unless a link in its path leads out of the plugin."""
    if os.path.commonpath((root, files.resolve(document.path))) == root:
        return document
    return document._replace(data=b"", problem="leads out of its plugin's folder; it is not followed")


def _broken(path: str, plugin: Plugin, problem: str) -> Document:
    return Document(path=path, scope="plugin", role=HOOKS + plugin.id, problem=problem)


def _table(
    documents: Iterable[Document], role: str, key: str, version: int, problems: list[tuple[str, str]]
) -> Mapping[str, Any]:
    """One table of one state file; empty, with the problem noted, where the file cannot be used."""
    document = next((document for document in documents if document.role == role), None)
    if document is None:
        return {}
    detail = document.problem
    if detail is None:
        try:
            state = parse_json(document.data)
        except BrokenJsonError as error:
            detail = f"cannot be used: {error.detail}; repair it"
        else:
            table = state.get(key, {}) if isinstance(state, dict) else None
            if isinstance(table, dict) and _is_known_version(state.get("version", version), version):
                return table
            detail = f"is no registry of this agent (`version` {version} at most and an object `{key}`); repair it"
    problems.append((document.path, f"{detail}; no plugin hooks load until then"))
    return {}


def _is_known_version(found: object, newest: int) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and 1 <= found <= newest


def _install_path(entries: Any) -> str | None:
    """The folder of the first usable installation."""
    for entry in entries if isinstance(entries, list) else ():
        path = entry.get("installPath") if isinstance(entry, dict) else None
        if isinstance(path, str) and os.path.isabs(path) and "\0" not in path:
            return path
    return None
