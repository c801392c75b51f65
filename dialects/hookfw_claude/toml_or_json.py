"""Which of the two files of a layer takes new hooks, where an agent reads `hooks.json` and a table of `config.toml`."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from hookfw import BrokenTomlError, parse_toml

if TYPE_CHECKING:
    from hookfw import FileView


def hooks_file(folder: str, files: FileView) -> str:
    """
    The file that has hooks already, so that the layer keeps one of the two; `hooks.json` where neither has.

    A `config.toml` that cannot be read is the one to be repaired first.
    """
    own = str(PurePath(folder, "hooks.json"))
    config = str(PurePath(folder, "config.toml"))
    if files.read(own).data is not None:
        return own
    try:
        hooks = parse_toml(files.read(config).data or b"").get("hooks")
    except BrokenTomlError:
        return config
    events = [name for name in hooks if name != "state"] if isinstance(hooks, dict) else []
    return config if events else own
