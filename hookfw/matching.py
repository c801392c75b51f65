"""Matching: which hooks of a dialect apply to a row. Literal keys first, then predicates, memoised by what they see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hookfw.diagnostics import Diagnostic
from hookfw.errors import PatternTimeoutError

if TYPE_CHECKING:
    from hookfw.dialect import Row
    from hookfw.hooks import Hook

MEMO_LIMIT = 1024
"""Selections remembered for each native event; when it is full the oldest are dropped."""


class Selection(NamedTuple):
    """
    The hooks that apply to a row.

    Attributes:
        hooks: in configuration order, each once.
        doubtful: those of them whose pattern ran out of time: a gate that could not be judged counts as matched.
    """

    hooks: tuple[Hook, ...] = ()
    doubtful: tuple[Hook, ...] = ()


_NONE = Selection()


class _Bucket:
    """The hooks of one native event: those found by a literal key, those that must always be asked, and the memo."""

    __slots__ = ("keyed", "memo", "open")

    def __init__(self) -> None:
        self.keyed: dict[str, list[tuple[int, Hook]]] = {}
        self.open: list[tuple[int, Hook]] = []
        self.memo: dict[object, Selection] = {}


class HookIndex:
    """The hooks of one dialect by native event; looks a row up without asking every hook."""

    __slots__ = ("_buckets",)

    def __init__(self, hooks: Iterable[Hook]) -> None:
        self._buckets: dict[str, _Bucket] = {}
        for position, hook in enumerate(hooks):
            bucket = self._buckets.get(hook.event)
            if bucket is None:
                bucket = self._buckets[hook.event] = _Bucket()
            if hook.keys is None:
                bucket.open.append((position, hook))
            else:
                for key in hook.keys:
                    bucket.keyed.setdefault(key, []).append((position, hook))

    @property
    def events(self) -> frozenset[str]:
        """The native events that some hook names."""
        return frozenset(self._buckets)

    def literal_keys(self, events: Iterable[str]) -> frozenset[str] | None:
        """Every literal key by which a hook of these native events is found; `None` when one is not found by a key."""
        buckets = [bucket for event in events if (bucket := self._buckets.get(event)) is not None]
        if any(bucket.open for bucket in buckets):
            return None
        return frozenset(key for bucket in buckets for key in bucket.keyed)

    def select(self, row: Row) -> Selection:
        """The hooks that apply to `row`."""
        bucket = self._buckets.get(row.native_event)
        if bucket is None:
            return _NONE
        if not bucket.open:
            for subject in row.subjects:
                if subject in bucket.keyed:
                    break
            else:
                return _NONE
        key = (row.subjects, row.facts)
        found = bucket.memo.get(key)
        if found is None:
            found = _search(bucket, row)
            if len(bucket.memo) >= MEMO_LIMIT:
                del bucket.memo[next(iter(bucket.memo))]
            bucket.memo[key] = found
        return found


def _search(bucket: _Bucket, row: Row) -> Selection:
    candidates = dict(bucket.open)
    for subject in row.subjects:
        candidates.update(bucket.keyed.get(subject, ()))
    hooks, doubtful = [], []
    for _, hook in sorted(candidates.items()):
        try:
            if hook.predicate is None or hook.predicate(row.facts) is None:
                hooks.append(hook)
        except PatternTimeoutError:
            hooks.append(hook)
            doubtful.append(hook)
    return Selection(tuple(hooks), tuple(doubtful))


def why_not(hook: Hook, row: Row) -> str | None:
    """The reason why `hook` does not apply to `row`, for people; `None` when it applies."""
    if hook.event != row.native_event:
        return f"it is for the event {hook.event}"
    if hook.keys is not None and hook.keys.isdisjoint(row.subjects):
        return f"it is for {_alternatives(sorted(hook.keys))}, not for {_alternatives(row.subjects)}"
    return None if hook.predicate is None else hook.predicate(row.facts)


def doubts(row: Row, selection: Selection) -> list[Diagnostic]:
    """What is said of hooks whose pattern ran out of time."""
    return [
        Diagnostic(
            "pattern-timeout",
            "warning",
            f"The matcher of {hook.name!r} in {hook.source.path} ran out of time on {', '.join(row.subjects)!r}, so "
            "the hook counts as matched: simplify the pattern.",
            hook=hook.name,
        )
        for hook in selection.doubtful
    ]


def _alternatives(names: Sequence[str]) -> str:
    return " or ".join(repr(name) for name in names) or "an event without a subject"
