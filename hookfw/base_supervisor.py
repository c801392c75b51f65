"""What every supervisor is: host, hook set and policies for one agent session, whatever it waits with."""

from __future__ import annotations

import itertools
import os
import time
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from hookfw import writing
from hookfw.authority import Authority
from hookfw.background_work import HEARD, BackgroundWork, with_deliveries
from hookfw.consent import Consent
from hookfw.diagnostics import RECORD_FAILED, Diagnostic
from hookfw.dialect_firing import DialectFiring, Rows, carry_out, finished_run
from hookfw.errors import ClosedError, HookfwError, TrustError
from hookfw.events import KINDS
from hookfw.firing import Firing
from hookfw.jsonable import corrected
from hookfw.loading import ActiveDialect, Choice, load_dialects
from hookfw.merge import CHAINED
from hookfw.modes import native
from hookfw.opening import OpenOptions, Scratch, make_host, make_places, make_session
from hookfw.outcome import NO_OUTCOME, Outcome, Run, Write
from hookfw.resources import Resources
from hookfw.settings import load_settings
from hookfw.sharing import shared_keys
from hookfw.sources import FileView
from hookfw.spelling import Translator

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from hookfw.agent import NativeAnswer, NativeCall
    from hookfw.dialect import Invocation, Row
    from hookfw.drivers.driver import Driver
    from hookfw.events import Event
    from hookfw.explaining import Explanation
    from hookfw.hooks import Hook, HookSet
    from hookfw.modes.native import Told
    from hookfw.process import Ended
    from hookfw.spelling import ToolTable


TRANSLATORS_LIMIT = 1024
"""Tool names whose spelling is remembered, times dialects."""


class BaseSupervisor(Consent, ABC):
    """What the supervisors for asynchronous and for plain programs share: loading, selecting, background work, trust."""

    def __init__(self, **options: Unpack[OpenOptions]) -> None:
        """
        Load every hook for a home and a workspace. See `OpenOptions` for the parameters.

        Raises `ConfigurationError` for a home, workspace or configuration of hookfw that cannot be used and
        `UnknownDialectError` for a dialect or mode that no plugin registers.
        """
        places = make_places(options)
        self.settings = options.get("settings") or load_settings(places, FileView())
        self.host = host = make_host(options, self.settings, places.environ)
        self._places = places._replace(handler_types=frozenset(host.handler_types))
        mode = options.get("mode")
        self._agent = None if mode is None else host.agent(mode)
        self._choice = Choice(
            options.get("dialects"),
            mode,
            options.get("trust", "stored"),
            self.settings.strict_scripts,
            options.get("thorough", False),
            options.get("without", ()),
            options.get("withheld"),
        )
        self._close_timeout = options.get("close_timeout", 10.0)
        self._closed = self._cleared = False
        self._run_prefix = os.urandom(6).hex()
        self._run_numbers = itertools.count(1)
        self.monotonic = time.monotonic
        self._scratch = Scratch()
        self.session = make_session(options.get("session_id"), places, self._scratch)
        self.resources = Resources(
            host=host,
            settings=self.settings,
            environ=places.environ,
            model_client=options.get("model_client"),
            agent_client=options.get("agent_client"),
            tool_caller=options.get("mcp"),
        )
        self._background = BackgroundWork(host, self.settings.executor, self._driver)
        self.python_kinds = frozenset(kind for kind in KINDS if host.python_handlers(kind))
        self._on_progress = options.get("on_progress")
        self.watches_runs = bool(self._on_progress) or host.observed("run_started") or host.observed("run_finished")
        self._record = options.get("record")
        self._watches_events = host.observed("event_fired") or self._record is not None
        self._watches_diagnostics = host.observed("diagnostic_emitted")
        self.reload()

    @property
    def snapshot(self) -> HookSet:
        """The hook set in force."""
        return self._snapshot

    @property
    def dialect_names(self) -> tuple[str, ...]:
        """The active dialects, in firing order."""
        return tuple(active.dialect.name for active in self._active)

    def reload(self) -> HookSet:
        """Read all configuration anew and replace the hook set whole. Firings under way keep the one they began with."""
        snapshot, active = load_dialects(self.resources, self._choice, self._places, FileView())
        self._snapshot = snapshot
        self._active = active
        self.shared_keys = shared_keys(active) if self.settings.dedupe else frozenset()
        self._tables = self._tool_tables()
        self._translators: dict[tuple[str, str], Translator] = {}
        self._authority = Authority(self._places, enforced=self._choice.trust != "all")
        if self._watches_diagnostics:
            for diagnostic in (*self.host.diagnostics, *snapshot.diagnostics):
                self.host.diagnostic_emitted(diagnostic)
        return snapshot

    def _tool_tables(self) -> list[ToolTable]:
        """The tables by which tools are known: that of the compatibility mode, whose calls come in, before all others."""
        named = [name for name in self.host.dialects if name == self._choice.mode]
        spoken = [dialect.tools for dialect in self.host.loadable_dialects(named).values()]
        tables = (*spoken, *(item.dialect.tools for item in self._active))
        return list(dict.fromkeys(table for table in tables if table is not None))

    def select(self, active: ActiveDialect, event: Event) -> Rows:
        """The rows of `event` in one dialect that some hook matches; the dialect sees tools in its own spelling."""
        rows = self._rows(active, event)
        return [(row, found) for row in rows if (found := active.index.select(row)).hooks]

    def _rows(self, active: ActiveDialect, event: Event) -> Sequence[Row]:
        """Every row of `event` in one dialect."""
        name = getattr(event, "tool_name", None)
        if name is not None and active.dialect.tools is not None:
            event = self.translator(active, name).event(event, name, getattr(event, "tool_input", None))[0]
        return active.dialect.begin(event, self.session, active.part.loaded)

    def translator(self, active: ActiveDialect, name: str) -> Translator:
        """Between the spelling in which a tool of this name was given, and that of one dialect."""
        key = (active.dialect.name, name)
        found = self._translators.get(key)
        if found is None:
            if len(self._translators) >= TRANSLATORS_LIMIT:
                self._translators.clear()
            found = self._translators[key] = Translator(active.dialect.tools, self._tables, name)
        return found

    def canonical_tool(self, name: str) -> str:
        """The canonical name of a tool, given in the spelling of any active ecosystem; its own where none knows it."""
        return next((table.to_canonical(name, None).name for table in self._tables if table.knows(name)), name)

    def _spoken(self, active: ActiveDialect, name: str) -> str:
        """The name that a dialect has for a tool."""
        return name if active.dialect.tools is None else self.translator(active, name).spoken

    def prepare(self, event: Event) -> tuple[Event, list[tuple[ActiveDialect, Rows]]] | None:
        """
        The event with what the session knows of it, and the matching hooks; `None` when nothing takes part.

        Where one dialect can rewrite the event for the next, one that nothing matches yet may take part all the same.

        The hot path of an agent: an event that no hook names costs a look-up.
        """
        self._check_open()
        kind = event.kind
        name = getattr(event, "tool_name", None)
        interested = [
            active
            for active in self._active
            if kind in active.kinds and not (name is not None and active.passes_over(kind, self._spoken(active, name)))
        ]
        handled = kind in self.python_kinds
        if not interested and not handled:
            return None
        event = self._filled(event)
        selected = [(active, self.select(active, event)) for active in interested]
        if not handled and not any(rows for _, rows in selected):
            return None
        if kind not in CHAINED:
            selected = [(active, rows) for active, rows in selected if rows]
        return event, selected

    def explain(self, event: Event, *, sent: bool = True) -> Explanation:
        """
        What would become of `event`, hook by hook, with nothing run: what starts in which order, what does not, and why.

        `sent`: tell what each hook would be given, too. Without a run nothing is rewritten, so every hook is explained with
        the event as it is given. Raises `ClosedError` after `close`.
        """
        from hookfw.explaining import explain  # noqa: PLC0415 - not to fire

        self._check_open()
        return explain(
            self.host, self._active, self._filled(event), self._rows, self.session, self.shared_keys, sent=sent
        )

    def _check_open(self) -> None:
        if self._closed:
            message = "The supervisor is closed; open a new one."
            raise ClosedError(message)

    def serial_required(self, event: Event) -> bool:
        """The call that `event` announces must run alone, because a hook may change it. Raises `ClosedError` after `close`."""
        prepared = self.prepare(event)
        return prepared is not None and any(active.runs_alone(rows) for active, rows in prepared[1])

    @property
    def records(self) -> bool:
        """Every firing is recorded, those too in which no hook takes part."""
        return self._record is not None

    def new_run_id(self) -> str:
        """A fresh value for `HOOKFW_RUN`."""
        return f"{self._run_prefix}.{next(self._run_numbers)}"

    def still_trusted(self, active: ActiveDialect, hook: Hook) -> bool:
        """Consent to `hook` has not been taken back since it was loaded."""
        return self._authority.holds(active, hook)

    def observe_started(self, run: Run) -> None:
        """Tell whoever watches that a run starts."""
        if self.watches_runs:
            if self._on_progress is not None:
                self._on_progress(run)
            self.host.run_started(run)

    def observe_finished(self, run: Run) -> None:
        """Tell whoever watches that a run ended."""
        if self.watches_runs:
            if self._on_progress is not None:
                self._on_progress(run)
            self.host.run_finished(run)

    def write(self, write: Write) -> str | None:
        """Perform a write a dialect asks for; the reason in one sentence when it cannot be done."""
        return writing.perform(write)

    def submit_background(
        self, active: ActiveDialect, row: Row, hook: Hook, invocation: Invocation, run_id: str
    ) -> str | None:
        """Queue one background run; the reason when it is refused."""
        driver = self._driver()

        async def job() -> None:
            ended = await carry_out(self, driver, active, hook, invocation, run_id)
            await self._settle(active, row, hook, run_id, ended)

        return self._background.submit_run(job, active.dialect.background)

    def follow(
        self,
        active: ActiveDialect,
        row: Row,
        hook: Hook,
        run_id: str,
        rest: Callable[[], Coroutine[Any, Any, Ended]],
    ) -> None:
        """Carry a run that went to the background by itself to its end; it runs already, so it waits for no place."""

        async def job() -> None:
            await self._settle(active, row, hook, run_id, await rest())

        self._background.note_grace(active.dialect.background)
        self._driver().spawn(job())

    async def _settle(self, active: ActiveDialect, row: Row, hook: Hook, run_id: str, ended: Ended) -> None:
        """Keep what a background run gave for the next outcome, and tell whoever watches."""
        while ended.rest is not None:
            ended = await ended.rest()
        reading = active.dialect.interpret(row, hook, ended)
        run = finished_run(hook, run_id, ended, reading)
        self._background.note_run(run, reading.diagnostics)
        delivery = active.dialect.late(row, hook, ended)
        if delivery is not None:
            self._background.deliver(delivery)
        self.observe_finished(run)

    def late_diagnostics(self) -> list[Diagnostic]:
        """What background runs and submitted events gave since the last call."""
        return self._background.take_late()

    def invocation(self, hook: Hook, event: Event) -> Invocation | None:
        """What would be carried out for `hook` on `event`; `None` when the event does not fire the hook's own."""
        found = self._row_of(hook, self._filled(event))
        return None if found is None else found[0].dialect.invocation(found[1], hook, self.session)

    def _row_of(self, hook: Hook, event: Event) -> tuple[ActiveDialect, Row] | None:
        for active in self._active:
            if active.dialect.name == hook.dialect:
                for row in self._rows(active, event):
                    if row.native_event == hook.event:
                        return active, row
        return None

    def _filled(self, event: Event) -> Event:
        """
        The event with the workspace, directory and session it does not tell; what is given as null stays null.

        What JSON cannot say becomes text: else no hook could be told of it, and none would guard it.
        """
        given = event.model_fields_set
        missing = corrected((name, event.__dict__[name]) for name in given)
        if "workspace" not in given:
            missing["workspace"] = self.session.workspace
        if "cwd" not in given:
            missing["cwd"] = event.workspace or self.session.workspace
        if self.session.id is not None and "session_id" not in given:
            missing["session_id"] = self.session.id
        return event.replace(**missing) if missing else event

    async def _fire(self, prepared: tuple[Event, list[tuple[ActiveDialect, Rows]]] | None, event: Event) -> Outcome:
        outcome, given = NO_OUTCOME, event
        if prepared is not None:
            event, selected = prepared
            outcome = await Firing(self, self._driver(), event).fire(selected)
        if event.kind in HEARD:
            outcome = with_deliveries(outcome, self._background.take_deliveries())
        if self._record is not None:
            outcome = await self._recorded(os.fspath(self._record), given, outcome)
        if self._watches_diagnostics:
            for diagnostic in outcome.diagnostics:
                self.host.diagnostic_emitted(diagnostic)
        if self._watches_events:
            self.host.event_fired(event, outcome)
        return outcome

    async def _recorded(self, path: str, given: Event, outcome: Outcome) -> Outcome:
        """The outcome, once it stands in the recording; a recording that cannot be written is a diagnostic."""
        from hookfw.recording import recorded  # noqa: PLC0415 - only where something is recorded

        problem = await self._note(recorded(path, given, outcome, self.dialect_names, self.session.now()))
        if problem is None:
            return outcome
        note = Diagnostic(RECORD_FAILED, "warning", f"This firing is not recorded: {problem}", file=path)
        return replace(outcome, diagnostics=(*outcome.diagnostics, note))

    async def _note(self, write: Write) -> str | None:
        """Append a line to the recording; the reason in one sentence when that cannot be done."""
        return self.write(write)

    async def _fire_native(self, call: NativeCall, told: Told | None) -> NativeAnswer:
        agent = native.chosen(self._agent)
        event = native.event_of(agent, call)
        outcome = await self._fire(self.prepare(event), event)
        answer, degraded = native.answer_of(agent, event, outcome)
        if self._watches_diagnostics:
            for diagnostic in degraded:
                self.host.diagnostic_emitted(diagnostic)
        if told is not None:
            told(event, replace(outcome, diagnostics=(*outcome.diagnostics, *degraded)) if degraded else outcome)
        return answer

    async def _fire_hook(self, hook: Hook, event: Event) -> Outcome:
        found = self._row_of(hook, self._filled(event))
        if found is None:
            message = f"The hook {hook.name!r} is for {hook.event}, which {event.kind} does not fire."
            raise HookfwError(message)
        state = found[0].part.states[hook]
        if not state.runs:
            why = f"not approved ({state.refusal}): see `hookfw review`" if state.enabled else "switched off"
            message = f"The hook {hook.name!r} does not run, because it is {why}."
            raise TrustError(message)
        active, row = found
        return await DialectFiring(self, self._driver(), active).fire_hook(row, hook)

    def _submit(self, event: Event) -> bool:
        prepared = self.prepare(event)
        if prepared is None and not self._watches_events:
            return True

        async def job() -> None:
            outcome = await self._fire(prepared, event)
            self._background.note(outcome.diagnostics)

        return self._background.submit_event(event.kind, job)

    @abstractmethod
    def _driver(self) -> Driver:
        """How this supervisor waits."""

    async def _join(self, timeout: float | None) -> bool:
        return await self._background.join(timeout)

    async def _end(self) -> None:
        await self._background.end()

    async def _close(self, timeout: float | None) -> None:
        if self._cleared:
            return
        self._closed = True
        await self._background.close(self._close_timeout if timeout is None else timeout)
        await self.resources.close(self._driver())
        self._scratch.remove()
        self._cleared = True  # not before: closing that was interrupted can be done again
