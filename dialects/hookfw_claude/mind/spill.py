"""
Texts that are too long: the summary that stands for them, and the file that holds the whole.

From the paragraphs on `additionalContextLimit` and on output that is too large; the estimate of tokens, the lines of the
summary and the names of files from the public source. Files lie in the session's own folder and go with it.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from hookfw import Write
from hookfw_claude.mind.rules import CHARACTERS_A_TOKEN, DEFAULT_CONTEXT_LIMIT, SPILL_SIZE

if TYPE_CHECKING:
    from hookfw import Session

Channel = Literal["stdout", "stderr", "additional-context", "continuation-prompt"]


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

    def bounded(self, whole: str, limit: int, channel: Channel, *, cut: bool = False) -> str:
        """
        `whole` where it is within `limit` tokens, else its summary; the limit 0 is none.

        `cut`: `whole` is only the beginning of what was printed, so it is summarised without a limit too.
        """
        tokens = -(-len(whole) // CHARACTERS_A_TOKEN)
        if tokens > limit > 0 or cut:
            return summary(whole, limit or DEFAULT_CONTEXT_LIMIT, channel, self._write(whole, channel))
        return whole

    def stream(self, printed: str, channel: Channel) -> str | None:
        """The path of the file for a stream that is too long to be only in memory; else `None`."""
        if len(printed) * 4 <= SPILL_SIZE or len(printed.encode("utf-8", "replace")) <= SPILL_SIZE:
            return None
        return self._write(printed, channel)

    def _write(self, whole: str, channel: Channel) -> str:
        from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library, for long texts alone

        folder = sha256(self._session_id.encode("utf-8", "replace")).hexdigest()[:16]
        path = str(PurePath(self._session.scratch(), folder, f"{channel}-{self._session.new_id()}.log"))
        self.writes.append(Write(path, whole, append=False))
        return path


def summary(whole: str, limit: int, channel: Channel, path: str) -> str:
    """Where the whole text is, its size in bytes, and as much of its two ends as `limit` tokens hold."""
    budget = limit * CHARACTERS_A_TOKEN
    tail = budget // 2
    size = len(whole.encode("utf-8", "replace"))
    head = whole[: budget - tail]
    return f"The whole {channel} of this hook is in {path}\nsize_bytes: {size}\nhead:\n{head}\ntail:\n{whole[-tail:]}"
