"""
Texts that are too long: what stands for them, and the file that holds the whole.

As seen with codex-cli 0.171.0; how the middle is cut out from the public source. Files lie in the session's own folder and go
with it, where the client leaves them in the folder for temporary files.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from hookfw import Write, text
from hookfw_claude.codex.rules import BYTES_A_TOKEN

if TYPE_CHECKING:
    from hookfw import Session

FOLDER: Final = "hook_outputs"


class Spills:
    """
    Bounds the texts of one firing.

    Attributes:
        writes: the files to write for the texts that were too long.
    """

    def __init__(self, session_id: str | None, session: Session) -> None:
        self.writes: list[Write] = []
        self._session_id = session_id or session.id or "session"
        self._session = session

    def bounded(self, whole: str, limit: int) -> str:
        """`whole` where it is within `limit` tokens, else what stands for it; the limit 0 is none."""
        if tokens_of(whole) <= limit or limit == 0:
            return whole
        path = str(PurePath(self._session.scratch(), FOLDER, self._folder(), f"{self._session.new_id()}.txt"))
        self.writes.append(Write(path, whole, append=False))
        footer = f"\n\nFull hook output saved to: {path}"
        return truncated(whole, max(0, limit - tokens_of(footer))) + footer

    def _folder(self) -> str:
        """The session's id, as far as it is a plain file name."""
        name = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in self._session_id)
        return name[:64]


def tokens_of(whole: str) -> int:
    """About how many tokens a text has."""
    return -(-_size(whole) // BYTES_A_TOKEN)


def truncated(whole: str, limit: int) -> str:
    """A text with its middle cut out, so that `limit` tokens of its two ends are left, and what was cut said."""
    budget = limit * BYTES_A_TOKEN
    head = text.byte_prefix(whole, budget // 2)
    tail = _suffix(whole[len(head) :], budget - budget // 2)
    lines = whole.count("\n") + (not whole.endswith("\n"))
    removed = -(-(_size(whole) - budget) // BYTES_A_TOKEN)
    return (
        f"Warning: truncated output (original token count: {tokens_of(whole)})\nTotal output lines: {lines}\n\n"
        f"{head}…{removed} tokens truncated…{tail}"
    )


def _suffix(whole: str, limit: int) -> str:
    """The longest suffix of whole characters within `limit` bytes of UTF-8."""
    data = whole.encode("utf-8", "replace")
    return data[max(0, len(data) - limit) :].decode("utf-8", "ignore") if limit else ""


def _size(whole: str) -> int:
    return len(whole.encode("utf-8", "replace"))
