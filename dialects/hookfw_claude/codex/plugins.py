"""
The hooks that enabled plugins bring.

That `[plugins."NAME@MARKETPLACE"]` of the person's `config.toml` enables them, the key and the variables of their hooks as
seen with codex-cli 0.171.0; which version is the active one, what a manifest may say of hooks and where data is kept from
the public source.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import BrokenJsonError, Document, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hookfw import FileView

MANIFEST: Final = "manifest"
"""The role of a plugin's manifest among documents."""

_MANIFESTS = (".codex-plugin/plugin.json", ".claude-plugin/plugin.json")
_DEFAULT_HOOKS = "hooks/hooks.json"
_LOCAL = "local"
_SEGMENT = re.compile(r"[A-Za-z0-9_-]+")
_VERSION = re.compile(r"(?!\.\.?$)[A-Za-z0-9_.+-]+")
_SEMANTIC = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")


class Plugin(NamedTuple):
    """
    One installed plugin.

    Attributes:
        id: `NAME@MARKETPLACE`.
        root: the folder of its active version.
        data: the folder for its data.
    """

    id: str
    root: str
    data: str

    def environment(self) -> dict[str, str]:
        """The variables of its hooks, which stand as `${NAME}` in their commands, too."""
        return {
            "PLUGIN_ROOT": self.root,
            "CLAUDE_PLUGIN_ROOT": self.root,
            "PLUGIN_DATA": self.data,
            "CLAUDE_PLUGIN_DATA": self.data,
        }

    def key_source(self, path: str) -> str:
        """What stands for a file of the plugin in the keys of its hooks."""
        return f"{self.id}:{PurePath(path).relative_to(self.root).as_posix()}"


def discover(config: Mapping[str, Any], own: str, files: FileView) -> Iterator[Document]:
    """
    The manifest of each enabled plugin and the files of hooks that it names, by the plugins' ids.

    `config` is the person's configuration, `own` their folder.
    """
    table = config.get("plugins")
    for plugin_id, entry in sorted(table.items()) if isinstance(table, dict) else ():
        if not isinstance(entry, dict) or entry.get("enabled", True) is not True:
            continue
        folder = _folder(plugin_id, own)
        if folder is None:
            yield _problem(own, f"names the plugin {plugin_id!r}, which is no `NAME@MARKETPLACE`; correct the key")
            continue
        version = active_version(files.names(folder))
        if version is None:
            yield _problem(folder, "holds no plugin, though it is enabled; install it or disable it")
            continue
        yield from _documents(PurePath(folder, version), files)


def plugin_of(manifest: Document) -> Plugin:
    """The plugin whose manifest this is."""
    root = PurePath(manifest.path).parent.parent
    marketplace, name = root.parts[-3:-1]
    store = root.parents[3]
    return Plugin(f"{name}@{marketplace}", str(root), str(store / "data" / f"{name}-{marketplace}"))


def active_version(names: tuple[str, ...]) -> str | None:
    """The version in force of those in a plugin's folder: `local`, else the highest; `None` where there is none."""
    versions = [name for name in names if _VERSION.fullmatch(name)]
    return _LOCAL if _LOCAL in versions else max(versions, key=_precedence, default=None)


def inline_hooks(manifest: Any) -> list[Any]:
    """The tables of hooks that stand in a manifest itself."""
    given = manifest.get("hooks") if isinstance(manifest, dict) else None
    tables = given if isinstance(given, list) else [given]
    return [table for table in tables if isinstance(table, dict)]


def _folder(plugin_id: str, own: str) -> str | None:
    name, _, marketplace = plugin_id.rpartition("@")
    if not _SEGMENT.fullmatch(name) or not _SEGMENT.fullmatch(marketplace):
        return None
    return str(PurePath(own, "plugins", "cache", marketplace, name))


def _documents(root: PurePath, files: FileView) -> Iterator[Document]:
    for name in _MANIFESTS:
        manifest = files.document(str(root / name), "plugin", MANIFEST)
        if manifest is not None:
            yield manifest
            for path in _named_files(manifest):
                found = files.document(str(root / path), "plugin")
                if found is not None:
                    yield found
                elif path != _DEFAULT_HOOKS:
                    yield Document(str(root / path), "plugin", problem="does not exist, though its manifest names it")
            return
    yield Document(str(root / _MANIFESTS[0]), "plugin", MANIFEST, problem="does not exist; install the plugin again")


def _named_files(manifest: Document) -> list[str]:
    """The files of hooks, below the plugin's folder; none where the hooks stand in the manifest or it cannot be read."""
    try:
        content = parse_json(manifest.data)
    except BrokenJsonError:
        return []
    given = content.get("hooks") if isinstance(content, dict) else None
    paths = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    inside = [path.removeprefix("./") for path in paths if isinstance(path, str) and _is_inside(path)]
    return inside or ([] if inline_hooks(content) else [_DEFAULT_HOOKS])


def _is_inside(path: str) -> bool:
    return path.startswith("./") and path != "./" and ".." not in PurePath(path).parts


def _problem(path: str, problem: str) -> Document:
    return Document(path, "plugin", MANIFEST, problem=problem)


def _precedence(version: str) -> tuple[Any, ...]:
    """By semantic versioning; whatever is no such version stands below, by its letters."""
    found = _SEMANTIC.fullmatch(version)
    if found is None:
        return (0, version)
    numbers = tuple(int(found[part]) for part in (1, 2, 3))
    # A release stands above its candidates; numbers in their names count as numbers and stand below words.
    candidate = tuple(
        (0, int(word), "") if word.isdigit() else (1, 0, word) for word in (found[4] or "").split(".") if word
    )
    return (1, numbers, found[4] is None, candidate, found[5] or "")
