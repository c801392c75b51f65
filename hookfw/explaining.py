"""
Explaining: what would become of an event, hook by hook, with nothing run.

It asks what a firing asks, in the same order: which rows the event fires, whether a hook is found for one, whether it may
run, how its dialect schedules it, who would carry it out and what it would be given.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from hookfw.diagnostics import Diagnostic
from hookfw.errors import PatternTimeoutError
from hookfw.events import KINDS
from hookfw.hooks import TRUSTED, HookState
from hookfw.loading import python_hooks
from hookfw.matching import doubts, why_not
from hookfw.merge import CHAINED
from hookfw.python_handlers import DIALECT as PYTHON
from hookfw.sharing import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookfw.dialect import Chain, Dialect, Invocation, Row, Session
    from hookfw.events import Event
    from hookfw.hooks import Hook, Rejected
    from hookfw.host import Host
    from hookfw.loading import ActiveDialect
    from hookfw.sharing import Key

Standing = Literal["runs", "background", "fails", "skipped", "unmatched"]
"""
What would become of a hook: it runs and is waited for, or is submitted; it cannot be carried out, which is a failed run; it
applies and is not started; or it does not apply.
"""

Cause = Literal["", "handler", "trust", "disabled", "plan", "duplicate", "event", "matcher"]
"""
What kind of reason it has: nobody carries its handler type out, consent, its switch, its dialect's schedule (an
equal handler, a type that does not run on this event), the same command of another dialect, another event, its matcher or
condition.
"""

_PYTHON_REDUCTION = (
    "Each handler counts as a dialect of its own: the strictest decision wins, the first of equals gives the reason, the "
    "last rewrite stands, and a failure of a strict handler refuses."
)


class ExplainedHook(NamedTuple):
    """
    One hook, and what would become of it.

    Attributes:
        hook: the hook.
        state: consent, and its switch.
        standing: see `Standing`.
        cause: see `Cause`; empty where it runs.
        reason: the same in words, for people; empty where it runs and nothing is odd.
        sent: what would be carried out, for hooks that start and where it was asked for.
    """

    hook: Hook
    state: HookState
    standing: Standing
    cause: Cause = ""
    reason: str = ""
    sent: Invocation | None = None


class ExplainedRow(NamedTuple):
    """
    One native event that the event fires.

    Attributes:
        native_event: the dialect's name of it.
        schedule: its hooks run one after another, or all at once.
        chain: which field of the event a rewrite of one hook replaces for the next.
        reduction: how the answers of its hooks become one, in sentences.
        hooks: those that would start, in the order in which they would.
        skipped: those that apply and would not start, in the order in which they would be passed over.
    """

    native_event: str
    schedule: Literal["sequential", "concurrent"]
    chain: Chain | None
    reduction: str
    hooks: tuple[ExplainedHook, ...] = ()
    skipped: tuple[ExplainedHook, ...] = ()


class ExplainedDialect(NamedTuple):
    """
    One dialect's part.

    Attributes:
        dialect: its name; `python` for the Python handlers.
        rows: what the event fires there, in order.
        unmatched: the hooks that do not apply, in configuration order.
        rejected: entries that were refused at load, so that they apply to nothing.
    """

    dialect: str
    rows: tuple[ExplainedRow, ...] = ()
    unmatched: tuple[ExplainedHook, ...] = ()
    rejected: tuple[Rejected, ...] = ()

    @property
    def hooks(self) -> Sequence[ExplainedHook]:
        """Every hook: row by row those that start and those that are passed over, then those that do not apply."""
        return [*(hook for row in self.rows for hook in (*row.hooks, *row.skipped)), *self.unmatched]


class Explanation(NamedTuple):
    """
    What would become of an event.

    Attributes:
        event: the event, with what the session fills in.
        dialects: the Python handlers where there are any, then each active dialect, in firing order.
        diagnostics: what was noticed: a pattern that ran out of time, a dialect that failed.
    """

    event: Event
    dialects: tuple[ExplainedDialect, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def hooks(self) -> Sequence[ExplainedHook]:
        """Every hook, dialect by dialect."""
        return [hook for part in self.dialects for hook in part.hooks]


def explain(
    host: Host,
    active: Sequence[ActiveDialect],
    event: Event,
    rows_of: Callable[[ActiveDialect, Event], Sequence[Row]],
    session: Session,
    shared_keys: frozenset[Key],
    *,
    sent: bool,
) -> Explanation:
    """
    What would become of `event` in the Python handlers and each dialect.

    `rows_of` makes the rows of an event in a dialect's own spelling, `shared_keys` are the commands that dialects have in
    common; `sent` asks for what hooks would be given.
    """
    shared = _Shared(event.kind, shared_keys)
    python = explain_python(host, KINDS, event.kind)
    parts = [] if python is None else [python]
    diagnostics: list[Diagnostic] = []
    for each in active:
        part, notes = explain_dialect(
            each, event.kind, partial(rows_of, each, event), session, host.unusable_handler, shared, sent=sent
        )
        parts.append(part)
        diagnostics += notes
    return Explanation(event, tuple(parts), tuple(diagnostics))


def explain_python(host: Host, kinds: Sequence[str], kind: str) -> ExplainedDialect | None:
    """The Python handlers of all `kinds` on an event of `kind`; `None` where no plugin has one."""
    handlers = python_hooks(host, kinds)
    if not handlers:
        return None
    apply = [ExplainedHook(hook, TRUSTED, "runs") for hook in handlers if hook.event == kind]
    others = [
        ExplainedHook(hook, TRUSTED, "unmatched", "event", _other_event(hook))
        for hook in handlers
        if hook.event != kind
    ]
    row = ExplainedRow(kind, "sequential", None, _PYTHON_REDUCTION, tuple(apply))
    return ExplainedDialect(PYTHON, (row,) if apply else (), tuple(others))


def explain_dialect(
    active: ActiveDialect,
    kind: str,
    rows_of: Callable[[], Sequence[Row]],
    session: Session,
    unusable: Callable[[str], str | None],
    shared: _Shared,
    *,
    sent: bool,
) -> tuple[ExplainedDialect, list[Diagnostic]]:
    """
    One dialect's part on an event of `kind`, and what was noticed.

    `rows_of` makes the rows, `unusable` says why a handler type cannot be used, `shared` knows what dialects before it
    started, `sent` asks for what hooks would be given. What the dialect's own code raises is a diagnostic.
    """
    loaded = active.part.loaded
    try:
        rows = rows_of()
        explained = [_row(active, row, session, unusable, shared, sent=sent) for row in rows]
    except Exception as error:  # noqa: BLE001 - a dialect is a plugin
        problem = (
            f"The dialect {active.dialect.name!r} failed on {kind}, so what its hooks would do cannot be told: "
            f"{type(error).__name__}: {error}; report it to whoever made the dialect."
        )
        return ExplainedDialect(active.dialect.name, rejected=loaded.rejected), [
            Diagnostic("dialect-failed", "error", problem)
        ]
    matching = {item.hook for row in explained for item in (*row.hooks, *row.skipped)}
    by_name = {row.native_event: row for row in reversed(rows)}
    meant = _natives(active.dialect, kind)
    unmatched = [_unmatched(active, hook, by_name, meant, kind) for hook in loaded.hooks if hook not in matching]
    part = ExplainedDialect(
        active.dialect.name,
        tuple(row for row in explained if row.hooks or row.skipped),
        tuple(unmatched),
        loaded.rejected,
    )
    return part, [note for row in rows for note in doubts(row, active.index.select(row))]


class _Shared:
    """What dialects started so far that others of their family read, as `hookfw.sharing` has it in a firing."""

    def __init__(self, kind: str, keys: frozenset[Key]) -> None:
        self._keys = keys
        self._started: dict[Key, tuple[str, bool]] = {}
        self._unless = ", unless another hook rewrites the event before" if kind in CHAINED else ""

    def duplicate(self, dialect: Dialect, hook: Hook, *, waited_for: bool) -> str | None:
        """Why `hook` is not started for its dialect; `None` where it is, which is kept in mind."""
        key = key_of(dialect, hook) if self._keys else None
        if key is None or key not in self._keys:
            return None
        owner, has_a_say = self._started.get(key, (dialect.name, False))
        if owner != dialect.name and (has_a_say or not waited_for):
            result = ", its result counts here too" if waited_for else ""
            return f"duplicate: the same command runs for {owner}{result}{self._unless}"
        if not has_a_say:
            self._started[key] = (dialect.name, waited_for)
        return None


def _row(
    active: ActiveDialect,
    row: Row,
    session: Session,
    unusable: Callable[[str], str | None],
    shared: _Shared,
    *,
    sent: bool,
) -> ExplainedRow:
    dialect, states = active.dialect, active.part.states
    starting: list[ExplainedHook] = []
    skipped: list[ExplainedHook] = []
    runnable: list[Hook] = []
    for hook in active.index.select(row).hooks:
        state = states[hook]
        refusal = state.refusal
        if refusal is None:
            runnable.append(hook)
        else:
            skipped.append(ExplainedHook(hook, state, "skipped", "trust" if state.enabled else "disabled", refusal))
    for hook, how, reason in dialect.plan(row, runnable):
        state = states[hook]
        if how == "skip":
            skipped.append(ExplainedHook(hook, state, "skipped", "plan", reason))
            continue
        duplicate = shared.duplicate(dialect, hook, waited_for=how == "foreground")
        if duplicate is not None:
            skipped.append(ExplainedHook(hook, state, "skipped", "duplicate", duplicate))
            continue
        invocation = dialect.invocation(row, hook, session) if sent else None
        problem = unusable(hook.handler)
        if problem is not None:
            starting.append(ExplainedHook(hook, state, "fails", "handler", problem, invocation))
        else:
            standing: Standing = "runs" if how == "foreground" else "background"
            starting.append(ExplainedHook(hook, state, standing, reason=state.note or "", sent=invocation))
    return ExplainedRow(
        row.native_event,
        row.schedule,
        row.chain,
        dialect.reduction(row.native_event),
        tuple(starting),
        tuple(skipped),
    )


def _natives(dialect: Dialect, kind: str) -> frozenset[str]:
    """The native events that an event of `kind` can fire."""
    return frozenset(native.name for native in dialect.events if kind in (native.canonical, *native.also))


def _unmatched(
    active: ActiveDialect, hook: Hook, rows: dict[str, Row], meant: frozenset[str], kind: str
) -> ExplainedHook:
    row = rows.get(hook.event)
    state = active.part.states[hook]
    if row is not None:
        try:
            reason = why_not(hook, row) or "it does not apply"
        except PatternTimeoutError:
            reason = "its pattern ran out of time"
        return ExplainedHook(hook, state, "unmatched", "matcher", reason)
    reason = f"this {kind} does not fire {hook.event}" if hook.event in meant else _other_event(hook)
    return ExplainedHook(hook, state, "unmatched", "event", reason)


def _other_event(hook: Hook) -> str:
    return f"it is for the event {hook.event}"
