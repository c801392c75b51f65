"""Finding a program on the search path once, instead of by trial at every start."""

from __future__ import annotations

import os

_LIMIT = 256
_found: dict[tuple[str, str], str] = {}


def find_program(name: str, path: str | None) -> str | None:
    """
    The file that `name` stands for on the search path `path`; `None` where that is for the system to find out.

    A file that was found is looked at again, so one that is gone is searched anew. Left to the system: names with a
    slash, search paths with relative folders, and names that are nowhere.
    """
    if path is None or not name or "/" in name or "\0" in name:
        return None
    key = (name, path)
    known = _found.get(key)
    if known is not None and os.access(known, os.X_OK):
        return known
    for folder in path.split(os.pathsep):
        if not folder.startswith("/"):
            return None
        file = f"{folder}/{name}"
        if os.path.isfile(file) and os.access(file, os.X_OK):
            if len(_found) >= _LIMIT:
                _found.clear()
            _found[key] = file
            return file
    return None
