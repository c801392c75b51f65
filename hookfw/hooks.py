"""Hooks and the hook set: what was loaded, from where, and what may run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from hookfw.diagnostics import Diagnostic
    from hookfw.sources import Document, Scope

Trust = Literal["managed", "trusted", "modified", "untrusted"]
"""Consent to a hook. `managed` and `trusted` may run; whether it is enabled is a separate matter."""

Predicate = Callable[[Hashable], str | None]
"""Judges the facts of a row: `None` when the hook applies, else the reason for "no", for people."""


class Source(NamedTuple):
    """
    Where a hook was configured.

    Attributes:
        path: the file (or the package of a Python handler).
        scope: who wrote it.
        entry: the place in the file, in the dialect's own spelling (`hooks.hooks[3]`).
        line: line of the entry, counted from 1, where it is known.
    """

    path: str
    scope: Scope
    entry: str
    line: int | None = None


class _HookFields(NamedTuple):
    """The fields of a hook: a tuple, because there may be ten thousand."""

    name: str
    dialect: str
    event: str
    handler: str
    summary: str
    source: Source
    timeout: float
    command: str | None = None
    matcher: str = ""
    keys: frozenset[str] | None = None
    predicate: Predicate | None = None
    background: bool = False
    strict: bool = False
    timeout_note: str | None = None
    status_message: str | None = None
    config: Any = None


class Hook(_HookFields):
    """
    One configured entry that passed loading. Immutable; compared by identity.

    Attributes:
        name: as runs and logs call it.
        dialect: name of the dialect.
        event: native event name.
        handler: handler type (`command`, …).
        summary: what it runs, in one line for people (the command, the URL, …).
        source: where it was configured.
        timeout: seconds that will apply.
        command: the command line as configured, for command handlers.
        matcher: the matcher or condition for people; empty when it always applies.
        keys: subjects that select it, compared for equality; `None` selects by the predicate alone.
        predicate: what else must hold; `None` when the keys decide.
        background: submitted and never waited for.
        strict: a failure of this hook refuses what it guards.
        timeout_note: which setting gives the timeout, when it is not the hook's own.
        status_message: what its author wants shown while it runs.
        config: what only the dialect reads.
    """

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


class HookState(NamedTuple):
    """Whether a hook may run: consent, and whether it is switched on."""

    trust: Trust
    enabled: bool = True
    note: str | None = None
    """Why it may not run, or what is odd about it, for people."""

    @property
    def runs(self) -> bool:
        """It has consent and is enabled."""
        return self.enabled and self.trust in ("managed", "trusted")

    @property
    def refusal(self) -> str | None:
        """Why it is passed over when it matches, as `Skipped.reason` has it; `None` where it may run."""
        if self.runs:
            return None
        return self.note or self.trust if self.enabled else "disabled"


TRUSTED = HookState("trusted")


class Rejected(NamedTuple):
    """
    An entry that was refused at load.

    Attributes:
        name: as a run of it would be called.
        dialect: name of the dialect.
        event: native event name; `None` where it names none that exists.
        source: where it was configured.
        problems: every reason.
        strict: it was to be a guard whose failure refuses.
    """

    name: str
    dialect: str
    event: str | None
    source: Source
    problems: tuple[str, ...]
    strict: bool = False


class Loaded(NamedTuple):
    """What a dialect made of its documents. `settings` is what only the dialect reads."""

    hooks: tuple[Hook, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    settings: Any = None


class DialectHooks(NamedTuple):
    """The part of a hook set that one dialect loaded."""

    dialect: str
    loaded: Loaded
    documents: tuple[Document, ...]
    states: Mapping[Hook, HookState]


class HookSet(NamedTuple):
    """
    All loaded hooks of all dialects. Immutable; a reload makes a new one.

    Attributes:
        parts: one for each active dialect, in firing order.
        diagnostics: those of loading, all dialects.
        watched: every path that was asked for while loading, missing ones too.
    """

    parts: tuple[DialectHooks, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    watched: tuple[str, ...] = ()

    @property
    def hooks(self) -> Sequence[Hook]:
        """Every hook that loaded, reviewed or not, in firing order."""
        return [hook for part in self.parts for hook in part.loaded.hooks]

    @property
    def rejected(self) -> Sequence[Rejected]:
        """Every entry that was refused."""
        return [entry for part in self.parts for entry in part.loaded.rejected]

    def state(self, hook: Hook) -> HookState:
        """Whether `hook` may run. Raises `KeyError` for a hook of another set."""
        for part in self.parts:
            state = part.states.get(hook)
            if state is not None:
                return state
        raise KeyError(hook.name)
