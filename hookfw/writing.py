"""Writing what dialects ask for: audit lines, spill files, transcripts."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookfw.outcome import Write


def perform(write: Write) -> str | None:
    """Write one file, its folder included; the reason in one sentence when that cannot be done."""
    try:
        os.makedirs(os.path.dirname(write.path), mode=0o700, exist_ok=True)
        with os.fdopen(_opened(write), "wb") as stream:
            stream.write(write.text.encode("utf-8", "replace"))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        return f"{write.path} could not be written: {error.strerror or error}."
    except ValueError:
        return f"{write.path!r} could not be written: it holds a NUL, which no path has."
    return None


def _opened(write: Write) -> int:
    """The file, locked while it is open: of those that write at the same time one moves it away."""
    # O_NOFOLLOW: a planted link must not send an audit line into another file. O_NONBLOCK: nor must a pipe hold anybody up.
    how = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_APPEND * write.append
    while True:
        descriptor = os.open(write.path, how, write.mode)
        try:
            if not _locked(descriptor) or _settled(write, descriptor):
                if not write.append:
                    os.ftruncate(descriptor, 0)
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    """Nobody else moves the file away; who has to wait for that adds to the file as it is."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _settled(write: Write, descriptor: int) -> bool:
    """The open file stands at its path and has room; one that has none is moved away."""
    opened = os.fstat(descriptor)
    try:
        if not os.path.samestat(opened, os.lstat(write.path)):
            return False
    except FileNotFoundError:
        return False
    if write.rotate_at is None or opened.st_size < write.rotate_at:
        return True
    os.replace(write.path, f"{write.path}.1")
    return False
