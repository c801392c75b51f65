"""One output stream of a child, kept up to a cap."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookfw.text import decode

if TYPE_CHECKING:
    from typing import IO

_CHUNK = 65_536  # bytes: the capacity of a pipe on Linux
_ROUNDS = 32  # reads in one go: what a full pipe of the largest unprivileged size (1 MiB) holds, twice


class Capture:
    """
    Reads a non-blocking pipe; keeps the first `cap` bytes and drops the rest, so that the writer is never blocked.

    Attributes:
        fd: the descriptor to watch.
        open: the stream has not ended and was not closed.
        cut: bytes past the cap were dropped.
    """

    __slots__ = ("_left", "_parts", "_stream", "cut", "fd", "open")

    def __init__(self, stream: IO[bytes], cap: int) -> None:
        self._stream = stream
        self._left = cap
        self._parts: list[bytes] = []
        self.fd = stream.fileno()
        self.open = True
        self.cut = False
        os.set_blocking(self.fd, False)

    def read(self) -> int | None:
        """Read once. Returns the number of bytes, 0 at the end of the stream, `None` when nothing is there now."""
        try:
            data = os.read(self.fd, _CHUNK)
        except BlockingIOError:
            return None
        if len(data) <= self._left:
            self._parts.append(data)
            self._left -= len(data)
        else:
            if self._left:
                self._parts.append(data[: self._left])
                self._left = 0
            self.cut = True
        return len(data)

    def drain(self) -> bool:
        """Read what is there, without waiting, within a bound. Returns whether the stream has ended."""
        for _ in range(_ROUNDS):
            count = self.read()
            if not count:
                return count == 0
        return False

    def first_line(self) -> str | None:
        """The first line, decoded, once it is complete; `None` until then."""
        data = b"".join(self._parts)
        end = data.find(b"\n")
        return None if end < 0 else decode(data[:end])

    def close(self) -> None:
        """Close the pipe."""
        self.open = False
        self._stream.close()

    def text(self) -> str:
        """What was kept, decoded."""
        return decode(b"".join(self._parts))
