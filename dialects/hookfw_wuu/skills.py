"""
Hooks in the front matter of a skill: read, and never registered.

From the hooks document, "Configure hooks".
"""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING, Final

from hookfw import Diagnostic, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw import Document, FileView, Scope

SKILL: Final = "skill"
"""The role of a skill that brings hooks."""

_FENCE: Final = re.compile(r"-{3,}\s*")
_KEY: Final = re.compile(r"""(["']?)hooks\1\s*:""")


def discover(folder: str, scope: Scope, files: FileView) -> Iterator[Document]:
    """The skills of a folder whose front matter has hooks."""
    for name in files.names(folder):
        found = files.document(os.path.join(folder, name, "SKILL.md"), scope, SKILL)
        if found is not None and has_hooks(text.decode(found.data)):
            yield found


def has_hooks(content: str) -> bool:
    """The front matter, the lines between the first two lines of dashes, has a key `hooks` of its own."""
    lines = iter(content.splitlines())
    if not _FENCE.fullmatch(next(lines, "")):
        return False
    for line in lines:
        if _FENCE.fullmatch(line):
            return False
        if _KEY.match(line):
            return True
    return False


def asleep(document: Document) -> Diagnostic:
    """What is said of such a skill."""
    message = (
        f"{document.path}: the hooks in the front matter of this skill are never registered, by Wuu as by hookfw; what is "
        "to run belongs into `hooks` of a configuration file."
    )
    return Diagnostic("skill-hooks", "info", message, file=document.path, entry="hooks")
