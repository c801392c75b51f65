"""
Which project folders count: where a project begins, and what the person trusts.

From the hooks document of Mind, "Hooks configuration", and the public sources of Mind and Codex, which share the search for
the root, the order of the look-up and the rule for linked worktrees. Only the person's own `config.toml` is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import text

if TYPE_CHECKING:
    from hookfw import FileView

_DEFAULT_MARKERS = (".git",)
_POINTER = "gitdir:"


class ProjectFolder(NamedTuple):
    """
    One folder between the project root and the workspace.

    Attributes:
        settings: path of the settings folder that counts for it.
        trusted: the person trusts it.
    """

    settings: str
    trusted: bool


def project_folders(
    config: Mapping[str, Any], workspace: str, settings: str, files: FileView
) -> Iterator[ProjectFolder]:
    """
    Every folder from the project root down to `workspace`, outermost first.

    `config` is the person's own configuration, `settings` the name of an agent's settings folder (`.mind`). A linked git worktree takes its settings from the main checkout.
    """
    folders = [PurePath(workspace), *PurePath(workspace).parents]
    markers = _markers(config)
    root = next((folder for folder in folders if any(_exists(folder / mark, files) for mark in markers)), folders[0])
    checkout = next((folder for folder in folders if _exists(folder / ".git", files)), None)
    repository = None if checkout is None else _repository(checkout, files)
    levels = _trust_levels(config)
    for folder in reversed(folders[: folders.index(root) + 1]):
        asked = (folder, root) if repository is None else (folder, root, repository)
        level = next((levels[str(place)] for place in asked if str(place) in levels), None)
        home = folder
        if checkout is not None and repository is not None and folder.is_relative_to(checkout):
            home = repository / folder.relative_to(checkout)
        yield ProjectFolder(str(home / settings), level == "trusted")


def exists(path: str, files: FileView) -> bool:
    """Something is at `path`, of whatever kind."""
    found = files.read(path)
    return found.data is not None or found.problem is not None


def _exists(path: PurePath, files: FileView) -> bool:
    return exists(str(path), files)


def _markers(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Names that mark a project root; an empty list leaves the workspace itself."""
    markers = config.get("project_root_markers")
    if not isinstance(markers, list):
        return _DEFAULT_MARKERS
    return tuple(marker.strip() for marker in markers if isinstance(marker, str) and marker.strip())


def _trust_levels(config: Mapping[str, Any]) -> dict[str, str]:
    """Path, exactly as written, to `trusted` or `untrusted`."""
    projects = config.get("projects")
    if not isinstance(projects, dict):
        return {}
    return {
        path: entry["trust_level"]
        for path, entry in projects.items()
        if isinstance(entry, dict) and entry.get("trust_level") in ("trusted", "untrusted")
    }


def _repository(checkout: PurePath, files: FileView) -> PurePath | None:
    """The main checkout: `checkout` itself, or the one that its `.git` file points to."""
    data = files.read(str(checkout / ".git")).data
    if data is None:
        return checkout
    pointer = text.decode(data).strip()
    if not pointer.startswith(_POINTER) or "\n" in pointer:
        return None
    folder = PurePath(files.resolve(str(checkout / pointer.removeprefix(_POINTER).strip())))
    if folder.parent.name != "worktrees" or folder.parent.parent.name != ".git":
        return None
    return folder.parent.parent.parent
