"""
Permission rules about files: patterns of path segments, as `.gitignore` has them.

From the contract: `src/**` is below the current directory only, `**/src/**` at any depth. `//` begins at the root of the file
system, `~/` in the person's home, `/` in the project; a pattern without a slash is for a name at any depth.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import translate
from typing import Final, NamedTuple

_ANYWHERE: Final = "**"


class PathRule(NamedTuple):
    """
    A compiled pattern.

    Attributes:
        base: `cwd`, `workspace`, `home` or `root`: what it is relative to.
        segments: a pattern for each segment; `None` stands for any number of them.
    """

    base: str
    segments: tuple[re.Pattern[str] | None, ...]

    def fits(self, path: str, *, cwd: str, workspace: str, home: str) -> bool:
        """`path`, relative to `cwd` unless it is absolute, is meant, or lies below what is meant."""
        base = {"cwd": cwd, "workspace": workspace, "home": home, "root": "/"}[self.base]
        whole = os.path.normpath(os.path.join(cwd, path))
        inside = whole.removeprefix(base.rstrip("/") + "/")
        if not path or inside == whole:
            return False
        return self._matches(inside.split("/"))

    def _matches(self, names: list[str]) -> bool:
        """Some beginning of `names` is what the segments say."""
        reached = self._skipped({0})
        for name in names:
            stepped = set()
            for at in reached:
                segment = self.segments[at]
                if segment is None:
                    stepped.add(at)
                elif segment.match(name):
                    stepped.add(at + 1)
            reached = self._skipped(stepped)
            if len(self.segments) in reached:
                return True
        return False

    def _skipped(self, reached: set[int]) -> set[int]:
        """With the places behind every `**` that may stand for nothing."""
        for at in range(len(self.segments)):
            if at in reached and self.segments[at] is None:
                reached.add(at + 1)
        return reached


def compile_rule(what: str) -> PathRule:
    """The rule that stands in brackets behind the name of a file tool."""
    base, rest = "cwd", what
    for mark, name in (("//", "root"), ("~/", "home"), ("/", "workspace"), ("./", "cwd")):
        if what.startswith(mark):
            base, rest = name, what.removeprefix(mark)
            break
    names = [name for name in rest.split("/") if name]
    if rest == what and len(names) == 1:
        names.insert(0, _ANYWHERE)
    return PathRule(base, tuple(None if name == _ANYWHERE else re.compile(translate(name)) for name in names))
