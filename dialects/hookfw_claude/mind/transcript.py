"""
The session record: one JSON object a line, only ever added to.

From the paragraph on session records of the hooks document; the form of session ids, the values of `actor` and that readers
pass over damaged lines from the public source. An agent that speaks Mind keeps one `Transcript` for each of its agents, the
root and every sub-agent, and gives its path in events; firing hooks never writes one.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, Final, Literal, NamedTuple, Self

from hookfw import text

Actor = Literal["user", "assistant", "system", "tool"]

ACTORS: Final = frozenset({"user", "assistant", "system", "tool"})
EVENTS: Final = (
    "session.started",
    "session.ended",
    "turn.started",
    "turn.completed",
    "turn.failed",
    "turn.interrupted",
    "message.created",
    "message.updated",
    "tool.started",
    "tool.completed",
    "tool.failed",
    "context.compacted",
    "context.compaction.failed",
)
"""What is recorded."""

_FIELDS: Final = ("timestamp", "event", "session_id", "turn_id", "actor", "payload")
_SESSION_ID = re.compile(r"sid_[0-9a-z]+_([0-9a-z]{1,11})_[0-9a-f]{6}")
_BASE_36: Final = 36
_LATEST: Final = 253_402_214_400_000
"""Milliseconds to the end of the year 9999, past which there are no dates."""


class Entry(NamedTuple):
    """
    One line.

    Attributes:
        timestamp: UTC, milliseconds, ending in `Z`.
        event: one of `EVENTS`.
        session_id: of the agent whose record it is.
        turn_id: the turn it belongs to.
        actor: who did it.
        payload: what it is about.
    """

    timestamp: str
    event: str
    session_id: str
    turn_id: str | None
    actor: Actor | None
    payload: Mapping[str, Any]

    def line(self) -> str:
        """The entry as it is written, its newline included."""
        return text.compact_json(self._asdict()) + "\n"


def created_in(session_id: str) -> datetime | None:
    """When a session was made, by the id itself (milliseconds in base 36), in UTC; `None` for ids of another form."""
    found = _SESSION_ID.fullmatch(session_id)
    milliseconds = int(found[1], _BASE_36) if found else _LATEST
    return datetime.fromtimestamp(milliseconds / 1000, UTC) if milliseconds < _LATEST else None


def path_of(home: str, session_id: str, created: datetime) -> str:
    """
    Where the record of a session is kept.

    `created` is its creation time, in the time zone by which days are counted; the same id always gives the same path.
    Raises `ValueError` for an id that is no plain file name.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]+", session_id):
        message = f"The session id {text.line(session_id, 64)!r} cannot be part of a file name: use letters, digits, `_`, `-`."
        raise ValueError(message)
    day = created.strftime("%Y/%m/%d")
    return str(PurePath(home, ".mind", "sessions", day, f"session-{session_id}.jsonl"))


def read(data: bytes) -> Iterator[Entry]:
    """Every undamaged entry of a record, in order."""
    for line in data.split(b"\n"):
        told = text.parse_json_object(text.decode(line))
        if told is not None and _is_entry(told):
            yield Entry(**{name: told[name] for name in _FIELDS})


def _is_entry(told: Mapping[str, Any]) -> bool:
    return (
        set(told) == set(_FIELDS)
        and all(isinstance(told[name], str) and told[name] for name in ("timestamp", "event", "session_id"))
        and isinstance(told["turn_id"], str | None)
        and (told["actor"] is None or (isinstance(told["actor"], str) and told["actor"] in ACTORS))
        and isinstance(told["payload"], dict)
    )


class Transcript:
    """
    The record of one agent, open for writing.

    As a context manager it marks when the session is entered, also again after a resume, and when it is left.
    """

    def __init__(self, path: str, session_id: str, now: Callable[[], datetime]) -> None:
        """`now` is the clock, UTC. Raises `OSError` where the file cannot be made or opened."""
        self.path = path
        self._session_id = session_id
        self._now = now
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._stream = os.fdopen(os.open(path, flags, 0o600), "r+b", buffering=0)
        self._end_broken_line()

    def append(
        self,
        event: str,
        payload: Mapping[str, Any] | None = None,
        *,
        turn_id: str | None = None,
        actor: Actor | None = None,
    ) -> Entry:
        """
        Add one entry, as one write.

        Raises `ValueError` for an event that Mind does not record or a payload that is no JSON, and `OSError` where it
        cannot be written.
        """
        if event not in EVENTS:
            message = f"Mind records no event {event!r}; it records {', '.join(EVENTS)}."
            raise ValueError(message)
        now = self._now().astimezone(UTC)
        stamp = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        plain = json.loads(json.dumps(dict(payload or {}), allow_nan=False))
        entry = Entry(stamp, event, self._session_id, turn_id, actor, plain)
        self._stream.write(entry.line().encode())
        return entry

    def close(self) -> None:
        """Close the file; what was added is there already."""
        self._stream.close()

    def __enter__(self) -> Self:
        self.append("session.started")
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self.append("session.ended")
        finally:
            self.close()

    def _end_broken_line(self) -> None:
        """A line that was cut short by a crash must not swallow the next one."""
        if self._stream.seek(0, os.SEEK_END) > 0:
            self._stream.seek(-1, os.SEEK_END)
            if self._stream.read(1) != b"\n":
                self._stream.write(b"\n")
