"""Writing what dialects ask for: audit lines, spill files, transcripts."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookfw.outcome import Write


def perform(write: Write) -> str | None:
    """Write one file, its folder included; the reason in one sentence when that cannot be done."""
    try:
        os.makedirs(os.path.dirname(write.path), mode=0o700, exist_ok=True)
        if write.rotate_at is not None:
            with contextlib.suppress(FileNotFoundError):
                if os.stat(write.path).st_size >= write.rotate_at:
                    os.replace(write.path, f"{write.path}.1")
        # O_NOFOLLOW: a planted link must not send an audit line into another file.
        how = os.O_APPEND if write.append else os.O_TRUNC
        descriptor = os.open(write.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | how, write.mode)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(write.text.encode("utf-8", "replace"))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        return f"{write.path} could not be written: {error.strerror or error}."
    return None
