"""
What was shown under which digest, so that a change since then can be shown as a difference.

Kept in hookfw's own state folder, for the person alone. It grants nothing: consent is the ecosystem's store alone.
"""

from __future__ import annotations

import contextlib
import os
from hashlib import sha256
from typing import TYPE_CHECKING

from platformdirs import user_state_dir

from hookfw.outcome import Write
from hookfw.writing import perform

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookfw.dialect import Review


def remember(reviews: Iterable[Review]) -> None:
    """Keep the texts that are being shown; a place that cannot be written loses the difference, nothing else."""
    for review in reviews:
        perform(Write(_path(review.digest), review.text, append=False))


def difference(digest: str, review: Review) -> list[str]:
    """What changed between the text shown under `digest` and `review`, line by line; empty when it is not known."""
    from difflib import unified_diff  # noqa: PLC0415 - only where something changed

    with contextlib.suppress(OSError), open(_path(digest), encoding="utf-8", errors="replace") as stream:
        before = stream.read()
        lines = unified_diff(before.splitlines(), review.text.splitlines(), "as shown", "now", lineterm="")
        return list(lines)
    return []


def _path(digest: str) -> str:
    return os.path.join(user_state_dir("hookfw"), "reviewed", sha256(digest.encode("utf-8", "replace")).hexdigest())
