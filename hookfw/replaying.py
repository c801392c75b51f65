"""Replaying: the events of a recording once more at today's hooks, and what has become different."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw.documents import answer_document
from hookfw.redaction import without_secret_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hookfw.explaining import Explanation
    from hookfw.outcome import Outcome
    from hookfw.recording import Record
    from hookfw.sync import SyncSupervisor

RUNS = "runs"
"""Name of the change that `dry` tells: which hooks run."""


class Change(NamedTuple):
    """One part of an outcome that is another one now."""

    field: str
    before: Any
    now: Any

    def __str__(self) -> str:
        """In words, for people and for the messages of tests."""
        return f"{self.field} was {_shown(self.before)}, is {_shown(self.now)}"


class Replayed(NamedTuple):
    """One record, and what has changed since."""

    record: Record
    changes: tuple[Change, ...]


def replay(hooks: SyncSupervisor, records: Iterable[Record], *, dry: bool = False) -> Iterator[Replayed]:
    """
    Fire each event again, in order, and compare; with `dry` nothing runs, and only which hooks would run is compared.

    Raises what `fire` raises.
    """
    for record in records:
        if dry:
            yield Replayed(record, compare_runs(record, hooks.explain(record.event, sent=False)))
        else:
            yield Replayed(record, compare(record, hooks.fire(record.event)))


def compare(record: Record, outcome: Outcome) -> tuple[Change, ...]:
    """What of the outcome differs from the recorded one; a part that a recording does not have is not compared."""
    now: Mapping[str, Any] = json.loads(json.dumps(without_secret_values(answer_document(outcome))))
    before = record.outcome
    return tuple(
        Change(name, before[name], value) for name, value in now.items() if name in before and before[name] != value
    )


def compare_runs(record: Record, explanation: Explanation) -> tuple[Change, ...]:
    """Whether the same hooks would run, as far as that can be told without running those before them."""
    would = [
        (item.hook.dialect, item.hook.name)
        for item in explanation.hooks
        if item.standing in ("runs", "background", "fails")
    ]
    if sorted(would) == sorted(record.ran):
        return ()
    return (Change(RUNS, [":".join(each) for each in record.ran], [":".join(each) for each in would]),)


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
