"""Places: files that others may change, links out of a project, a home that is a project, records nobody can read."""

from __future__ import annotations

import stat
from collections import defaultdict
from typing import TYPE_CHECKING

from hookfw.diagnostics import Diagnostic
from hookfw.scripts import record_path, recorded
from hookfw.sources import Places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw.checks.checkup import Checkup


def check(checkup: Checkup) -> Iterator[Diagnostic]:
    """Everything about where configuration lies."""
    yield from _surroundings(checkup)
    yield from _record(checkup)
    seen: dict[tuple[str, str], list[str]] = defaultdict(list)
    told: set[str] = set()
    for dialect, document in checkup.documents:
        real = checkup.files.resolve(document.path)
        if document.role == "hooks":
            seen[dialect, real].append(document.path)
        if document.path in told:
            continue
        told.add(document.path)
        mode = checkup.files.mode(document.path)
        if mode is not None and stat.S_ISREG(mode) and mode & stat.S_IWOTH:
            message = f"{document.path} may be changed by anyone on this machine, and what it says is run; run `chmod o-w` on it."
            yield Diagnostic("writable-by-others", "error", message, document.path)
        if document.scope in ("project", "local") and _leads_out(document.path, real, checkup):
            message = (
                f"{document.path} is a link that leads out of the project, to {real}: what is approved there can change without "
                "the project; put the file itself there."
            )
            yield Diagnostic("linked-config", "warning", message, document.path)
    for (dialect, real), paths in seen.items():
        if len(paths) > 1:
            message = (
                f"{dialect} reads {real} {len(paths)} times ({', '.join(paths)}), so its hooks run as often; keep one."
            )
            yield Diagnostic("file-read-twice", "warning", message, real)


def _surroundings(checkup: Checkup) -> Iterator[Diagnostic]:
    if checkup.files.resolve(checkup.home) == checkup.files.resolve(checkup.workspace) and checkup.hooks:
        message = (
            f"The workspace is the home {checkup.home}, so its files count as the person's and as the project's, and hooks may "
            "run twice; work in a folder below it."
        )
        yield Diagnostic("home-is-workspace", "warning", message)
    for name in ("HOME", "PATH"):
        if checkup.hooks and not checkup.environ.get(name):
            message = f"The variable {name} is not set, so commands of hooks may not find what they need; set it."
            yield Diagnostic("missing-variable", "warning", message)


def _record(checkup: Checkup) -> Iterator[Diagnostic]:
    """The digests of scripts, where nobody approved anything that needed them yet: else loading has said it."""
    where = Places(checkup.home, checkup.workspace, checkup.environ)
    _, problem = recorded(where, checkup.files)
    path = record_path(where)
    if problem is not None and all(item.code != "scripts-unreadable" for item in checkup.known):
        message = f"{path} {problem}; until then no change of a script is noticed."
        yield Diagnostic("scripts-unreadable", "error", message, path)


def _leads_out(path: str, real: str, checkup: Checkup) -> bool:
    inside = path.startswith(checkup.workspace.rstrip("/") + "/")
    return inside and not real.startswith(checkup.files.resolve(checkup.workspace).rstrip("/") + "/")
