"""
Entry points, found without the standard library's metadata package, whose import costs two empty Pythons.

What a firing needs is in the `entry_points.txt` of each installed distribution. Name and version of a distribution are
read by the standard library, for lists and messages alone.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

_SUFFIXES = (".dist-info", ".egg-info")


class InstalledEntry(NamedTuple):
    """
    One entry point.

    Attributes:
        name: its name.
        value: the module, or module and attribute, that it names.
        folder: the metadata folder of its distribution.
    """

    name: str
    value: str
    folder: str

    def load(self) -> Any:
        """Import what it names. Raises whatever the import raises."""
        module, _, attributes = self.value.partition("[")[0].strip().partition(":")
        found: Any = importlib.import_module(module.strip())
        for attribute in filter(None, attributes.strip().split(".")):
            found = getattr(found, attribute)
        return found

    def distribution(self) -> tuple[str, str]:
        """Name and version of its distribution; empty where its metadata do not tell."""
        from importlib.metadata import Distribution  # noqa: PLC0415 - heavy, and not needed to fire
        from pathlib import Path  # noqa: PLC0415 - as above

        found = Distribution.at(Path(self.folder))
        text = found.read_text("METADATA") or found.read_text("PKG-INFO") or ""
        told = dict(line.split(": ", 1) for line in text.partition("\n\n")[0].splitlines() if ": " in line)
        return told.get("Name", ""), told.get("Version", "")


def entries(group: str, path: Sequence[str] | None = None) -> list[InstalledEntry]:
    """
    Every entry point of a group, by name, then by value.

    `path`: where distributions are looked for (default: `sys.path`). Of a distribution that is there twice the first
    counts, as for imports.
    """
    found = []
    for folder in _distributions(sys.path if path is None else path):
        try:
            with open(os.path.join(folder, "entry_points.txt"), encoding="utf-8", errors="replace") as stream:
                text = stream.read()
        except OSError:
            continue
        if group in text:
            found += [InstalledEntry(name, value, folder) for name, value in _section(text, group)]
    return sorted(found)


def _distributions(path: Sequence[str]) -> Iterator[str]:
    seen = set()
    for place in path:
        try:
            with os.scandir(place or ".") as listing:
                names = sorted(item.name for item in listing if item.name.endswith(_SUFFIXES))
        except OSError:
            continue
        for name in names:
            project = name.rpartition(".")[0].partition("-")[0].lower().replace("_", "-").replace(".", "-")
            if project not in seen:
                seen.add(project)
                yield os.path.join(place, name)


def _section(text: str, group: str) -> Iterator[tuple[str, str]]:
    """The pairs of one section of an entry points file."""
    inside = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()
