"""Recordings as tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

if TYPE_CHECKING:
    import os

    from hookfw.opening import OpenOptions


def replay_file(file: str | os.PathLike[str], *, dry: bool = False, **options: Unpack[OpenOptions]) -> list[str]:
    """
    What has changed since the recording `file` was made, one text for each difference.

    `dry` runs nothing and compares which hooks would run; `options` are those of `hookfw.open_sync`. Raises `EventError` for
    a file that is no recording, `OSError` for one that cannot be read.
    """
    from hookfw.recording import read_recording  # noqa: PLC0415 - the pytest plugin imports this module at its start
    from hookfw.replaying import replay  # noqa: PLC0415 - likewise
    from hookfw.supervisor import open_sync  # noqa: PLC0415 - likewise

    records = list(read_recording(Path(file).read_text(encoding="utf-8", errors="replace"), str(file)))
    with open_sync(**options) as hooks:
        return [
            f"line {item.record.line}, {item.record.event.kind}: {change}"
            for item in replay(hooks, records, dry=dry)
            for change in item.changes
        ]
