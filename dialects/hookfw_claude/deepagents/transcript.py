"""
Transcripts: the conversation as JSON lines that hooks may read.

From the hooks document, "Common fields"; names, records and file modes from the public source. An agent's session keeps
one `Transcripts` and flushes it before it fires an event; a firing itself writes none.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

from filelock import FileLock

from hookfw import text
from hookfw_claude.deepagents.locations import transcript
from hookfw_claude.deepagents.redaction import redact_content

SCHEMA_VERSION: Final = 1
REVISIONS: Final = 20
"""Earlier contents of a transcript that are kept beside it."""

LOCK_TIMEOUT: Final = 10.0
"""Seconds to wait for another process that writes the same transcript."""

Role = Literal["user", "assistant", "tool", "system"]


class Message(NamedTuple):
    """
    One message of the conversation.

    Attributes:
        role: who speaks.
        content: what is said, a JSON value; it is redacted.
        id: the message's id, where it has one; a message with an id is recorded once.
        name: name of the tool or speaker.
        timestamp: when, ISO 8601.
    """

    role: Role
    content: Any
    id: str | None = None
    name: str | None = None
    timestamp: str | None = None


class Transcripts:
    """The transcripts of one person's sessions, written for the person alone."""

    def __init__(self, home: str) -> None:
        """`home`: absolute path of the person's home."""
        self._home = home
        self._pending: dict[tuple[str, str | None], list[Message]] = {}

    def append(self, session_id: str, messages: Iterable[Message], *, agent_id: str | None = None) -> None:
        """Add messages to the transcript of a session or of one of its subagents; nothing is written yet."""
        self._pending.setdefault((session_id, agent_id), []).extend(messages)

    def flush(self, session_id: str, *, agent_id: str | None = None) -> str:
        """
        Write what was added and return the path, for `transcript_path` or `agent_transcript_path`.

        The file is replaced as a whole under a lock; what other processes wrote to it meanwhile is kept. Raises `OSError`
        when it cannot be written and `filelock.Timeout` when somebody holds the lock for too long; what was added stays
        to be written.
        """
        path = transcript(self._home, session_id, agent_id)
        key = (session_id, agent_id)
        _make_private(os.path.dirname(path), self._home)
        with FileLock(f"{path}.lock", timeout=LOCK_TIMEOUT, mode=0o600):
            before = _read(path)
            after = before + _lines(self._pending.get(key, ()), before, session_id, agent_id)
            if after != before or not os.path.exists(path):
                _replace(path, after, before)
            self._pending.pop(key, None)
        return path


def _lines(messages: Iterable[Message], before: bytes, session_id: str, agent_id: str | None) -> bytes:
    """The records of the messages that `before` does not have yet."""
    records = [record for line in before.splitlines() if (record := text.parse_json_object(text.decode(line)))]
    known = {record.get("message_id") for record in records} - {None}
    sequence = len(records)
    lines = []
    for message in messages:
        if message.id is not None and message.id in known:
            continue
        known.add(message.id)
        lines.append(_record(message, sequence, session_id, agent_id))
        sequence += 1
    return "".join(f"{text.scrub(line)}\n" for line in lines).encode()


def _record(message: Message, sequence: int, session_id: str, agent_id: str | None) -> str:
    record = {
        "schema_version": SCHEMA_VERSION,
        "sequence": sequence,
        "record_id": message.id or f"{message.role}:{sequence}",
        "timestamp": message.timestamp,
        "thread_id": session_id,
        "agent_id": agent_id,
        "role": message.role,
        "message_id": message.id,
        "content": redact_content(message.content),
        "name": message.name,
    }
    always = ("content",)
    kept = {name: value for name, value in record.items() if value is not None or name in always}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _make_private(folder: str, home: str) -> None:
    """Make the folder; it and those above it below the agent's own are for the person alone."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    top = os.path.join(home, ".deepagents", "transcripts")
    while len(folder) >= len(top):
        os.chmod(folder, 0o700)
        folder = os.path.dirname(folder)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            found = stream.read()
    except FileNotFoundError:
        return b""
    # A line that was cut short must not swallow the next one.
    return found if not found or found.endswith(b"\n") else found + b"\n"


def _replace(path: str, data: bytes, before: bytes) -> None:
    if before:
        _write(f"{path}.bak-{sha256(before).hexdigest()}", before)
        _prune(path)
    _write(path, data)


def _write(path: str, data: bytes) -> None:
    """Replace a file in one step; a temporary file is for the person alone from the start."""
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _prune(path: str) -> None:
    """Of the earlier contents the newest stay."""
    folder, name = os.path.split(path)
    kept = [entry for entry in os.scandir(folder) if entry.name.startswith(f"{name}.bak-")]
    kept.sort(key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
    for entry in kept[REVISIONS:]:
        with contextlib.suppress(OSError):
            os.unlink(entry.path)
