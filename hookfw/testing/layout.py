"""Laying files out as a scratch home and workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A scratch folder: `home` and `workspace` below `root`, and the names that stand for them."""

    root: Path
    home: Path
    workspace: Path

    @property
    def names(self) -> Mapping[str, str]:
        """What `{HOME}` and `{WORKSPACE}` stand for."""
        return {"HOME": str(self.home), "WORKSPACE": str(self.workspace)}


def substitute(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with `{NAME}` replaced in every text, keys included, for each of `names`."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("{" + name + "}", text)
        return value
    if isinstance(value, list):
        return [substitute(item, names) for item in value]
    if isinstance(value, Mapping):
        return {substitute(key, names): substitute(item, names) for key, item in value.items()}
    return value


def lay_out(files: Mapping[str, Any], root: Path) -> LaidOut:
    """
    Write `files` below `root`, which exists: paths start with `home/` or `workspace/`.

    A text that starts with `#!` gets its run bits. Raises `ValueError` for a path that leads out of `root`.
    """
    place = LaidOut(root.resolve(), root.resolve() / "home", root.resolve() / "workspace")
    place.home.mkdir(exist_ok=True)
    place.workspace.mkdir(exist_ok=True)
    for name, content in files.items():
        target = place.root / name
        if not target.parent.resolve().is_relative_to(place.root):
            message = f"{name} leads out of the scratch folder; start it with home/ or workspace/"
            raise ValueError(message)
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Mapping) and "link_to" in content:
            target.symlink_to(substitute(content["link_to"], place.names))
            continue
        if isinstance(content, Mapping):
            data = bytes.fromhex(content["bytes_hex"])
        else:
            data = substitute(content, place.names).encode("utf-8", "surrogatepass")
        target.write_bytes(data)
        if data.startswith(b"#!"):
            target.chmod(0o755)
    return place
