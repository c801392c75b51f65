"""One dialect's share of a firing: from its matching hooks to its verdict."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hookfw.diagnostics import Diagnostic
from hookfw.dialect import Done, Invocation, Reading, Step
from hookfw.guard import FAILURES
from hookfw.handlers import HandlerCall
from hookfw.matching import doubts
from hookfw.merge import REFUSABLE, merge, refusal_of
from hookfw.outcome import NO_EFFECT, Outcome, Run, RunStatus, Skipped, Verdict
from hookfw.process import Ended, failed, not_started
from hookfw.sharing import SharedRun, SharedRuns

if TYPE_CHECKING:
    from hookfw.base_supervisor import BaseSupervisor
    from hookfw.dialect import Row
    from hookfw.drivers.driver import Driver
    from hookfw.events import Event
    from hookfw.hooks import Hook
    from hookfw.loading import ActiveDialect
    from hookfw.matching import Selection

Rows = Sequence[tuple["Row", "Selection"]]
"""The rows of one dialect that some hook matches, with these hooks."""

NO_HANDLER = "NO_HANDLER"
DENIED = "DENIED"
HANDLER_FAILED = "HANDLER_FAILED"


class DialectFiring:
    """
    The state of one dialect in one firing, while it lasts.

    Runs are kept by their place in configuration order, whatever order they end in.

    Attributes:
        active: the dialect.
        skipped: hooks that matched and were not started.
        diagnostics: what was noticed.
    """

    __slots__ = (
        "_driver",
        "_finished",
        "_position",
        "_runs",
        "_shared",
        "_supervisor",
        "active",
        "diagnostics",
        "skipped",
    )

    def __init__(
        self, supervisor: BaseSupervisor, driver: Driver, active: ActiveDialect, shared: SharedRuns | None = None
    ) -> None:
        """`shared`: the runs that dialects read of each other in this firing."""
        self.active = active
        self.skipped: list[Skipped] = []
        self.diagnostics: list[Diagnostic] = []
        self._supervisor = supervisor
        self._driver = driver
        self._shared = SharedRuns(frozenset()) if shared is None else shared
        self._runs: dict[int, Run] = {}
        self._position = 0
        self._finished = 0

    @property
    def runs(self) -> list[Run]:
        """What was started or submitted, in configuration order."""
        return [run for _, run in sorted(self._runs.items())]

    async def fire_hook(self, row: Row, hook: Hook) -> Outcome:
        """Run one hook alone, in the foreground, and reduce what it says."""
        done: list[Done] = []
        await self._foreground(row, hook, self._next_position(), done)
        verdict = self.active.dialect.reduce(row.event, done, self._supervisor.session)
        outcome = merge([verdict], self.runs)
        return replace(outcome, diagnostics=(*self.diagnostics, *outcome.diagnostics))

    async def fire(self, event: Event, rows: Rows) -> Verdict:
        """The rows, in order, reduced. What the dialect's own code raises stays its own failure."""
        done: list[Done] = []
        try:
            for row, selection in rows:
                if selection.doubtful:
                    self.diagnostics += doubts(row, selection)
                steps = self.active.dialect.plan(row, self._with_consent(selection.hooks))
                if row.schedule == "concurrent":
                    await self._concurrent(row, steps, done)
                else:
                    await self._sequential(row, steps, done)
            done.sort(key=lambda item: item.position)
            verdict = self.active.dialect.reduce(event, done, self._supervisor.session)
        except Exception as error:  # noqa: BLE001 - a dialect is a plugin
            return self._broken(event, rows, error)
        for write in verdict.writes:
            problem = self._supervisor.write(write)
            if problem is not None:
                self._note("write-failed", "warning", problem)
        return verdict

    def _broken(self, event: Event, rows: Rows, error: Exception) -> Verdict:
        """The verdict of a dialect whose own code failed: nothing, but a refusal where a strict hook stood guard."""
        name = self.active.dialect.name
        guards = [hook.name for _, selection in rows for hook in selection.hooks if hook.strict]
        refused = bool(guards) and event.kind in REFUSABLE
        consequence = "what a strict hook of it guards is refused" if refused else "its hooks had no say"
        self._note(
            "dialect-failed",
            "error",
            f"The dialect {name!r} failed on {event.kind}, so {consequence}: {type(error).__name__}: {error}; "
            "report it to whoever made the dialect.",
        )
        if not refused:
            return Verdict(dialect=name)
        return Verdict(
            dialect=name,
            decision=refusal_of(event.kind),
            refused=True,
            decided_by=guards[0],
            reason=f"The strict hook {guards[0]!r} gave no answer, because the dialect {name!r} failed.",
        )

    def _with_consent(self, hooks: Sequence[Hook]) -> list[Hook]:
        """The hooks that may run; the others are skipped, and one diagnostic says how many nobody has reviewed."""
        runnable, unreviewed = [], []
        for hook in hooks:
            state = self.active.part.states[hook]
            refusal = state.refusal
            if refusal is None:
                runnable.append(hook)
                if state.note is not None:
                    self._note("modified-script", "warning", f"The hook {hook.name!r} runs, but: {state.note}.")
            else:
                self._skip(hook, refusal)
                if state.enabled:
                    unreviewed.append(hook.name)
        if unreviewed:
            self._note(
                "untrusted-hooks",
                "warning",
                f"{len(unreviewed)} matching hook{'s' * (len(unreviewed) > 1)} of {self.active.dialect.name} did not run, "
                f"because what they run is not approved ({', '.join(unreviewed)}): see `hookfw review`.",
            )
        return runnable

    async def _sequential(self, row: Row, steps: Sequence[Step], done: list[Done]) -> None:
        """One hook after another; with a chain, each sees the event as the one before it rewrote it."""
        ended_by: str | None = None
        for step in steps:
            if ended_by is not None:
                self._skip(step.hook, f"not started: {ended_by} ended the row")
            elif step.how == "foreground":
                if await self._foreground(row, step.hook, self._next_position(), done):
                    ended_by = step.hook.name
                elif row.chain is not None:
                    row = self._chained(row, done[-1])
            else:
                self._not_in_foreground(row, step)

    async def _concurrent(self, row: Row, steps: Sequence[Step], done: list[Done]) -> None:
        """All hooks at once."""
        tasks: list[Coroutine[Any, Any, Any]] = []
        for step in steps:
            if step.how == "foreground":
                tasks.append(self._foreground(row, step.hook, self._next_position(), done))
            else:
                self._not_in_foreground(row, step)
        await self._driver.gather(tasks)

    def _not_in_foreground(self, row: Row, step: Step) -> None:
        if step.how == "background":
            self._background(row, step.hook)
        else:
            self._skip(step.hook, step.reason)

    def _chained(self, row: Row, last: Done) -> Row:
        """The row as the next hook sees it, after the rewrite of the last one."""
        if row.chain == "prompt" and last.effect.prompt is not None:
            event = row.event.replace(prompt=last.effect.prompt)
        elif row.chain == "tool_input" and last.effect.updated_input is not None:
            event = row.event.replace(tool_input=last.effect.updated_input)
        else:
            return row
        self._shared.rewritten(last.effect)
        rows = self.active.dialect.begin(event, self._supervisor.session, self.active.part.loaded)
        return next(again for again in rows if again.native_event == row.native_event)

    async def _foreground(self, row: Row, hook: Hook, position: int, done: list[Done]) -> bool:
        """Run one hook and keep what came of it; true when it ends the row."""
        supervisor = self._supervisor
        shared = self._shared.find(self.active.dialect, hook)
        if shared is not None and shared.ended is not None:
            return self._read_again(row, hook, position, done, shared)
        run_id = supervisor.new_run_id()
        if supervisor.watches_runs:
            supervisor.observe_started(_run(hook, run_id, "running"))
        invocation = self.active.dialect.invocation(row, hook, supervisor.session)
        ended = await carry_out(supervisor, self._driver, self.active, hook, invocation, run_id)
        if ended.rest is not None:
            # It asked to go on in the background: it has no say in this firing any more.
            self._runs[position] = run = _run(hook, run_id, "submitted")
            self._shared.keep(self.active.dialect, hook, SharedRun(self.active.dialect.name, run, None, NO_EFFECT))
            supervisor.follow(self.active, row, hook, run_id, ended.rest)
            return False
        if ended.error_kind == NO_HANDLER:
            self._note(
                "handler-missing",
                "error",
                f"The hook {hook.name!r} did not run: {supervisor.host.unusable_handler(hook.handler)}.",
                hook=hook.name,
            )
        reading = self.active.dialect.interpret(row, hook, ended)
        run = finished_run(hook, run_id, ended, reading)
        self._runs[position] = run
        self.diagnostics += reading.diagnostics
        done.append(
            Done(hook=hook, row=row, run=run, effect=reading.effect, position=position, finished=self._finished)
        )
        self._finished += 1
        if ended.state != "cancelled" and ended.error_kind != DENIED:
            self._shared.keep(
                self.active.dialect, hook, SharedRun(self.active.dialect.name, run, ended, reading.effect)
            )
        supervisor.observe_finished(run)
        return reading.ends_row

    def _read_again(self, row: Row, hook: Hook, position: int, done: list[Done], shared: SharedRun) -> bool:
        """Read the run of the same command for another dialect; true when it ends the row."""
        ended = shared.ended or not_started(DENIED)
        self._skip(hook, f"duplicate: the same command ran for {shared.dialect}, its result counts here too")
        reading = self.active.dialect.interpret(row, hook, ended)
        self.diagnostics += reading.diagnostics
        run = finished_run(hook, shared.run.id, ended, reading)
        done.append(Done(hook, row, run, reading.effect, position, self._finished))
        self._finished += 1
        return reading.ends_row

    def _background(self, row: Row, hook: Hook) -> None:
        """Submit one hook; it is never waited for, and has no effect."""
        supervisor = self._supervisor
        shared = self._shared.find(self.active.dialect, hook)
        if shared is not None:
            self._skip(hook, f"duplicate: the same command runs for {shared.dialect}")
            return
        run_id = supervisor.new_run_id()
        invocation = self.active.dialect.invocation(row, hook, supervisor.session)
        refused = supervisor.submit_background(self.active, row, hook, invocation, run_id)
        if refused is None:
            run = self._runs[self._next_position()] = _run(hook, run_id, "submitted")
            self._shared.keep(self.active.dialect, hook, SharedRun(self.active.dialect.name, run, None, NO_EFFECT))
            return
        self._skip(hook, f"background {refused}")
        self._note(
            "background-refused",
            "error",
            f"The background hook {hook.name!r} of {row.native_event} was not submitted: the {refused}.",
            hook=hook.name,
        )

    def _skip(self, hook: Hook, reason: str) -> None:
        self.skipped.append(Skipped(hook.name, reason, self.active.dialect.name, hook.source.path))

    def _note(self, code: str, severity: Any, message: str, *, hook: str | None = None) -> None:
        self.diagnostics.append(Diagnostic(code, severity, message, hook=hook))

    def _next_position(self) -> int:
        self._position += 1
        return self._position


async def carry_out(
    supervisor: BaseSupervisor,
    driver: Driver,
    active: ActiveDialect,
    hook: Hook,
    invocation: Invocation,
    run_id: str,
) -> Ended:
    """
    Carry out one invocation, unless consent was taken back since loading or its handler type is not installed.

    What a handler type raises is the failure of this run alone.
    """
    if not supervisor.still_trusted(active, hook):
        return not_started(DENIED)
    handler = supervisor.host.handler_type(hook.handler)
    if handler is None:
        return not_started(NO_HANDLER)
    session = supervisor.session
    started = supervisor.monotonic()
    try:
        ended = await handler.run(
            invocation, HandlerCall(driver, run_id, session.environ, session.scratch, supervisor.resources)
        )
    except TimeoutError:
        ended = Ended(state="timed_out")
    except FAILURES as error:
        ended = failed(
            HANDLER_FAILED,
            f"was not carried out, because its handler type {hook.handler!r} failed ({type(error).__name__}); "
            "report it to whoever made the type",
        )
    if not ended.duration:
        ended.duration = supervisor.monotonic() - started
    return ended


def finished_run(hook: Hook, run_id: str, ended: Ended, reading: Reading) -> Run:
    """The run of a hook that ended: the facts and its dialect's status."""
    return Run(
        id=run_id,
        name=hook.name,
        dialect=hook.dialect,
        event=hook.event,
        handler=hook.handler,
        source=hook.source.path,
        status="cancelled" if ended.state == "cancelled" else reading.status,
        exit_code=ended.exit_code,
        signal=ended.signal,
        duration=ended.duration,
        stdout=ended.stdout,
        stderr=ended.stderr,
        stdout_cut=ended.stdout_cut,
        stderr_cut=ended.stderr_cut,
        pipes_held=ended.pipes_held,
        error=reading.error,
        status_message=hook.status_message,
    )


def _run(hook: Hook, run_id: str, status: RunStatus) -> Run:
    return Run(
        id=run_id,
        name=hook.name,
        dialect=hook.dialect,
        event=hook.event,
        handler=hook.handler,
        source=hook.source.path,
        status=status,
        status_message=hook.status_message,
    )
