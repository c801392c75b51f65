"""
Where Deep Agents Code keeps things.

From the hooks document, "Setup" and "Trusting project hooks"; the plugin registry, the transcripts and the project's root
from the public source.
"""

from __future__ import annotations

import os.path
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from hookfw import text

if TYPE_CHECKING:
    from hookfw import FileView, Places

_PREFIX_LENGTH: Final = 32
_SLUG_LENGTH: Final = 48
_DIGEST_LENGTH: Final = 32


def own_folder(home: str) -> str:
    """The person's folder of the agent."""
    return os.path.join(home, ".deepagents")


def user_hooks(places: Places) -> str:
    """The person's hooks."""
    return os.path.join(own_folder(places.home), "hooks.json")


def project_hooks(root: str) -> str:
    """The project's hooks."""
    return os.path.join(root, ".deepagents", "hooks.json")


def root_of(hooks_path: str) -> str:
    """The project whose hooks file this is."""
    return os.path.dirname(os.path.dirname(hooks_path))


def trust_store(places: Places) -> str:
    """The workspaces the person trusts."""
    return os.path.join(own_folder(places.home), ".state", "hooks_trust.json")


def enabled_plugins(places: Places) -> str:
    """The switches of the plugins."""
    return os.path.join(own_folder(places.home), ".state", "plugin_state.json")


def installed_plugins(places: Places) -> str:
    """Where each plugin was installed."""
    return os.path.join(own_folder(places.home), ".state", "installed_plugins.json")


def plugin_data(places: Places, plugin: str) -> str:
    """The data folder of a plugin, by its id (`name@marketplace`)."""
    slug = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_-") else "-" for letter in plugin)
    slug = slug.strip("-")[:_SLUG_LENGTH] or "plugin"
    digest = sha256(text.scrub(plugin).encode()).hexdigest()[:_DIGEST_LENGTH]
    store = places.environ.get("DEEPAGENTS_CODE_PLUGIN_CACHE_DIR")
    if store and (store == "~" or store.startswith("~/")):
        store = places.home + store[1:]
    return os.path.join(store or os.path.join(own_folder(places.home), "plugins"), "data", f"{slug}-{digest}")


def transcript(home: str, session_id: str, agent_id: str | None = None) -> str:
    """The transcript of a session, or of one of its subagents."""
    folder = os.path.join(own_folder(home), "transcripts")
    if agent_id is None:
        return os.path.join(folder, f"{_file_name(session_id)}.jsonl")
    return os.path.join(folder, _file_name(session_id), "agents", f"{_file_name(agent_id)}.jsonl")


def _file_name(identifier: str) -> str:
    """A readable beginning, and a digest that tells any two ids apart."""
    ascii_only = normalize("NFKD", identifier).encode("ascii", "ignore").decode("ascii").lower()
    words = "".join(letter if letter.isalnum() else " " for letter in ascii_only).split()
    prefix = "-".join(words)[:_PREFIX_LENGTH] or "id"
    return f"{prefix}--{sha256(text.scrub(identifier).encode()).hexdigest()}"


def project_root(workspace: str, files: FileView) -> str:
    """The enclosing git root, links resolved; outside git the workspace itself."""
    start = folder = files.resolve(workspace)
    while True:
        mark = os.path.join(folder, ".git")
        if is_folder(mark, files):
            return folder
        pointer = files.read(mark).data
        if pointer is not None:
            return folder if _leads_to_a_repository(pointer, folder, files) else start
        parent = os.path.dirname(folder)
        if parent == folder:
            return start
        folder = parent


def _leads_to_a_repository(pointer: bytes, folder: str, files: FileView) -> bool:
    """The `.git` file of a linked worktree or submodule names a folder that is there."""
    line = text.decode(pointer).strip()
    if not line.startswith("gitdir:") or "\n" in line or "\0" in line:
        return False
    return is_folder(os.path.join(folder, line.removeprefix("gitdir:").strip()), files)


def is_folder(path: str, files: FileView) -> bool:
    """
    `path` is a folder, as far as the view can tell.

    Only what is a folder has itself under the name `.`, and reading a folder is a problem; where nothing is, is none.
    """
    found = files.read(os.path.join(path, "."))
    return found.data is None and found.problem is not None
