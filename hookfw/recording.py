"""
Recording: what was fired and what came of it, one JSON object a line, to be fired again later.

A recording holds no secrets: texts that look like one, and values under names of one, are replaced by `[secret]`. What hooks
printed is not kept, only what was made of it.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw.documents import answer_document, run_document
from hookfw.errors import EventError, HookfwError
from hookfw.events import parse_event
from hookfw.jsonable import as_json
from hookfw.outcome import Write
from hookfw.redaction import SECRET, without_secret_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from hookfw.events import Event
    from hookfw.outcome import Outcome

FORMAT = 1
"""Version of the form of a line; a later one is refused."""
ROTATE_AT = 16 * 1024 * 1024
"""Bytes at which a recording is renamed to `FILE.1` and begun anew."""


class Record(NamedTuple):
    """
    One line of a recording.

    Attributes:
        line: its number, from 1.
        event: the event, as it was given.
        dialects: the dialects that were active, in firing order.
        outcome: what the agent was told to do, as `hookfw fire --json` has it.
        ran: dialect and name of what was started or submitted.
        redacted: something of the event was a secret, so hooks see another value now.
    """

    line: int
    event: Event
    dialects: tuple[str, ...]
    outcome: Mapping[str, Any]
    ran: tuple[tuple[str, str], ...]
    redacted: bool


def recorded(path: str, event: Event, outcome: Outcome, dialects: Sequence[str], now: datetime) -> Write:
    """The line that records one firing, to be appended to the file at `path`; `event` as it was given."""
    document = {
        "format": FORMAT,
        "at": now.isoformat(timespec="milliseconds"),
        "event": event.kind,
        "fields": as_json(dict(event.given)),
        "dialects": list(dialects),
        "outcome": answer_document(outcome),
        "runs": [run_document(run) for run in outcome.runs],
        "skipped": [{"name": item.name, "dialect": item.dialect, "reason": item.reason} for item in outcome.skipped],
        "diagnostics": [item.as_dict() for item in outcome.diagnostics],
    }
    line = json.dumps(without_secret_values(document), ensure_ascii=False, separators=(",", ":"))
    return Write(os.path.abspath(path), f"{line}\n", rotate_at=ROTATE_AT)


def read_recording(text: str, name: str) -> Iterator[Record]:
    """
    The lines of a recording; `name` is what messages call the file.

    Raises `EventError` for a line that is no record, with its number: the last one may have been cut off by a full disk.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield _record(number, json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError, HookfwError) as error:
                message = f"{name}, line {number}, is no record of hookfw ({_why(error)}); take the line out."
                raise EventError(message) from None


def _record(number: int, document: Any) -> Record:
    if document["format"] != FORMAT:
        message = f"it has the format {document['format']!r:.20}, this hookfw reads {FORMAT}"
        raise EventError(message)
    event, _ = parse_event(document["event"], document["fields"])
    return Record(
        line=number,
        event=event,
        dialects=tuple(document["dialects"]),
        outcome=dict(document["outcome"]),
        ran=tuple((run["dialect"], run["name"]) for run in document["runs"]),
        redacted=SECRET in json.dumps(document["fields"]),
    )


def _why(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
