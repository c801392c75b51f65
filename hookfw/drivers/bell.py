"""A bell: wakes a thread that sleeps in a selector, from any other thread."""

from __future__ import annotations

import os
import threading


class Bell:
    """
    A pipe to itself.

    Attributes:
        fd: readable once the bell was rung.
    """

    __slots__ = ("_lock", "_open", "_writing", "fd")

    def __init__(self) -> None:
        self.fd, self._writing = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._writing, False)
        self._lock = threading.Lock()
        self._open = True

    def ring(self) -> None:
        """Wake the sleeper. A bell that was closed stays silent."""
        with self._lock:  # a late ring must not write into a descriptor that was given to someone else
            if self._open:
                try:
                    os.write(self._writing, b"\0")
                except BlockingIOError:
                    return  # it has been rung 65,536 times and not been heard yet

    def hush(self) -> None:
        """Take the rings that came; the next one wakes again."""
        try:
            os.read(self.fd, 4096)
        except BlockingIOError:
            return

    def close(self) -> None:
        """Close the pipe."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self.fd)
                os.close(self._writing)
