"""
Texts that are too long to be passed whole: the preview that stands for them, and the file that holds the whole.

From the contract, "Sizes". Files lie in the session's own folder and go with it.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from hookfw import Write
from hookfw_claude.claude_code.rules import PREVIEW, TEXT_LIMIT

if TYPE_CHECKING:
    from hookfw import Session

_FOLDER = "tool-results"


class Spills:
    """
    Bounds the texts of one firing.

    Attributes:
        writes: the files to write for the texts that were too long.
    """

    def __init__(self, session: Session) -> None:
        self.writes: list[Write] = []
        self._session = session

    def bounded(self, whole: str) -> str:
        """`whole` within its limit, else its preview."""
        if len(whole) <= TEXT_LIMIT:
            return whole
        path = str(PurePath(self._session.scratch(), _FOLDER, f"hook-{self._session.new_id()}.txt"))
        self.writes.append(Write(path, whole, append=False))
        return f"{len(whole):,} characters, the whole of them in {path}; the first {PREVIEW:,}:\n\n{whole[:PREVIEW]}"
