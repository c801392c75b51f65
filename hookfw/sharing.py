"""
The same command in the files of several dialects of one family: run once in a firing, and read by each of them.

From the decisions, "Several dialects at once": same text, same event, same matcher. Each dialect reads the one result by its
own rules, so any refusal counts. Between families the command runs in each, since payloads and answers differ.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hookfw.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookfw.dialect import Dialect
    from hookfw.hooks import Hook
    from hookfw.loading import ActiveDialect
    from hookfw.outcome import Answer, Effect, Run, Verdict
    from hookfw.process import Ended

_SHOWN = 3
"""Commands in several families that are named; more are counted."""


class Key(NamedTuple):
    """What makes the commands of two dialects one."""

    family: str
    event: str
    command: str
    matcher: str


def key_of(dialect: Dialect, hook: Hook) -> Key | None:
    """What `hook` is shared by; `None` for a dialect without a family and for what is no command."""
    if dialect.family is None or hook.command is None or hook.handler != "command":
        return None
    return Key(dialect.family, hook.event, hook.command, matcher_of(hook))


def matcher_of(hook: Hook) -> str:
    """The matcher by which commands are compared: one for everything is none, however it is written."""
    return "" if hook.matcher == "*" else hook.matcher


def family_of(dialect: Dialect) -> str:
    """The family of a dialect; one that has none is its own."""
    return dialect.family or dialect.name


def shared_keys(active: Iterable[ActiveDialect]) -> frozenset[Key]:
    """The commands that several dialects of one family have."""
    owners: dict[Key, set[str]] = defaultdict(set)
    for item in active:
        for hook in item.part.loaded.hooks:
            key = key_of(item.dialect, hook)
            if key is not None:
                owners[key].add(item.dialect.name)
    return frozenset(key for key, names in owners.items() if len(names) > 1)


def in_several_families(active: Sequence[ActiveDialect]) -> list[Diagnostic]:
    """What runs more than once for one event, because the dialects that have it are of several families."""
    owners: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    if len(active) > 1:
        for item in active:
            kinds = {native.name: native.canonical for native in item.dialect.events}
            for hook in item.part.loaded.hooks:
                if hook.command and hook.handler == "command" and hook.event in kinds:
                    places = owners[kinds[hook.event], hook.command]
                    places.setdefault(family_of(item.dialect), hook.source.path)
    found = [(kind, places) for (kind, _), places in owners.items() if len(places) > 1]
    return [
        Diagnostic(
            "command-in-several-families",
            "info",
            f"The same command for {kind} is configured in {' and '.join(places.values())}: it runs once for each, since "
            "their payloads and answers differ; take it out of all but one if once is meant.",
            file=next(iter(places.values())),
        )
        for kind, places in found[:_SHOWN]
    ] + [
        Diagnostic(
            "command-in-several-families",
            "info",
            f"{len(found) - _SHOWN} more commands are configured for several ecosystems: see `hookfw doctor`.",
        )
        for _ in found[_SHOWN : _SHOWN + 1]
    ]


class SharedRun(NamedTuple):
    """
    A run whose result other dialects may read.

    Attributes:
        dialect: whose hook ran.
        run: its run.
        ended: its facts; `None` for one in the background, which has no say.
        effect: what its own dialect read.
    """

    dialect: str
    run: Run
    ended: Ended | None
    effect: Effect


class SharedRuns:
    """The runs of one firing that another dialect may read; `keys` are the commands it is worth keeping for."""

    __slots__ = ("_kept", "_keys", "_readers")

    def __init__(self, keys: frozenset[Key]) -> None:
        self._keys = keys
        self._kept: dict[Key, SharedRun] = {}
        self._readers: set[str] = set()

    def find(self, dialect: Dialect, hook: Hook) -> SharedRun | None:
        """The run of the same command for another dialect of the family."""
        if not self._kept:
            return None
        key = key_of(dialect, hook)
        found = None if key is None else self._kept.get(key)
        if found is None or found.dialect == dialect.name:
            return None
        self._readers.add(dialect.name)
        return found

    def keep(self, dialect: Dialect, hook: Hook, shared: SharedRun) -> None:
        """Keep a run; the first of a command that has a say stays."""
        key = key_of(dialect, hook) if self._keys else None
        if key in self._keys:
            known = self._kept.get(key)
            if known is None or known.ended is None:
                self._kept[key] = shared

    def heard_once(self, verdict: Verdict, earlier: Sequence[Verdict]) -> Verdict:
        """The verdict of a dialect that read another one's run, without the texts that the other has given already."""
        if verdict.dialect not in self._readers:
            return verdict
        known = {text for by in earlier for text in (*by.context, *by.feedback, *by.messages)}

        def fresh(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(text for text in texts if text not in known)

        return replace(
            verdict,
            context=fresh(verdict.context),
            feedback=fresh(verdict.feedback),
            messages=fresh(verdict.messages),
        )

    def rewritten(self, answer: Answer) -> None:
        """
        The event is another one now: what judged the old one must judge the new one too, so it is not shared any more.

        The command whose own rewrite it is has been heard already.
        """
        if answer.updated_input is None and answer.prompt is None:
            return
        self._kept = {
            key: shared
            for key, shared in self._kept.items()
            if (shared.effect.updated_input, shared.effect.prompt) == (answer.updated_input, answer.prompt)
        }
