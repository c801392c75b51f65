"""
The guest: a hook inside an agent that fires the hooks of all other ecosystems and answers in that agent's form.

A guest that cannot do its work says so where the agent shows it, and lets go on or refuses as `guest.on_failure` says. It is
never silent about that, and it prints nothing else.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from hookfw.agent import NativeAnswer, NativeCall
from hookfw.diagnostics import RECORD_FAILED
from hookfw.drivers.blocking import BlockingDriver
from hookfw.errors import ConfigurationError, HookfwError
from hookfw.guests.client import ends_turn
from hookfw.guests.entries import withheld
from hookfw.host import Host
from hookfw.merge import REFUSABLE, refusal_of
from hookfw.modes import native
from hookfw.opening import blocked_plugins
from hookfw.outcome import NO_OUTCOME
from hookfw.settings import Settings, config_dir, load_settings
from hookfw.sources import FileView, Places
from hookfw.sync import SyncSupervisor

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from hookfw.agent import Agent
    from hookfw.base_supervisor import BaseSupervisor
    from hookfw.diagnostics import Diagnostic
    from hookfw.events import Event
    from hookfw.opening import OpenOptions
    from hookfw.outcome import Outcome
    from hookfw.process import Child, Ended

DEPTH_VARIABLE = "HOOKFW_DEPTH"
"""How many guests this process is inside of."""
DEPTH_LIMIT = 4
"""A guest inside this many others refuses to start hooks."""

ASKS = REFUSABLE - {"stop", "subagent_stop"}
"""
Events on which a missing decision may matter: a failure is said on these, and refuses them where guests fail closed.

An end of the turn is not among them: refusing it would keep the agent at work without end.
"""
_BEGINS = "session_start"
"""The event on which everything that loading found wrong is told, once a session."""
_NOTES = 3
_FAILED, _REFUSES = 1, 2


class Reply(NamedTuple):
    """
    What a guest gives back.

    Attributes:
        answer: for the agent.
        afterwards: what goes on when the agent has its answer; it is called in a process that the agent does not wait for.
        known: there is such an agent, so that the next call is worth a background process.
    """

    answer: NativeAnswer
    afterwards: Callable[[], None] | None = None
    known: bool = True


class LaterDriver(BlockingDriver):
    """A driver that keeps background work until the agent has its answer."""

    def __init__(self, started: Sequence[Child] = ()) -> None:
        """`started`: children that were started for this call already; none of them is started again."""
        super().__init__()
        self._started = list(started)
        self._kept: list[Coroutine[Any, Any, None]] | None = []

    @property
    def keeps(self) -> bool:
        """Work waits for `release`."""
        return bool(self._kept)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """See `Driver.spawn`."""
        if self._kept is None:
            super().spawn(work)
        else:
            self._kept.append(work)

    def release(self) -> None:
        """Start what was kept; from here on nothing is kept."""
        kept, self._kept = self._kept, None
        for work in kept or ():
            super().spawn(work)

    async def wait(self, child: Child) -> Ended | None:
        """See `Driver.wait`. A run that sends itself to the background is waited for: nobody could carry it on."""
        for known in self._started:
            if (known.spawn.argv, known.spawn.cwd) == (child.spawn.argv, child.spawn.cwd):
                self._started.remove(known)
                child = known
                break
        ended = child.ended or await super().wait(child)
        while ended is None:
            ended = await super().wait(child)
        return ended


class GuestSupervisor(SyncSupervisor):
    """A supervisor of every dialect but the agent's own, which the agent itself fires."""

    def __init__(self, driver: LaterDriver, **options: Unpack[OpenOptions]) -> None:
        """See `OpenOptions` for the rest."""
        self.later = self._own_driver = driver
        super().__init__(**options)


def respond(
    name: str, call: NativeCall, cwd: str, driver: LaterDriver | None = None, record: str | None = None
) -> Reply:
    """
    The reply of the guest in the agent `name` to a call, decided in this process. Never raises for what goes wrong.

    `cwd` is the directory the agent started the guest in. `driver` is how waiting is done. `record`: the file
    that the firing is recorded in.
    """
    closed = False
    agent = event = None
    try:
        environ = call.environ
        places = Places(home=home_of(environ), workspace="", environ=environ)
        closed = fails_closed(places)
        settings = load_settings(places, FileView())
        host = Host.load(blocked_plugins((), settings, environ))
        agent = host.agent(name)
        event = native.event_of(agent, call)
        hooks = open_guest(agent, call, event, cwd, host, driver or LaterDriver(), record)
        return _reply(hooks, agent, event, closed=closed)
    except HookfwError as error:
        agent = agent or _agent(name)
        return Reply(failure(agent, event, call, str(error), closed=closed), known=agent is not None)
    except Exception as error:  # noqa: BLE001 - whatever it is, the agent must hear of it
        return Reply(failure(agent, event, call, _defect(error), closed=closed))


def _agent(name: str) -> Agent | None:
    """The agent, where it is the settings that are broken and not the agent: it must hear of that in its own form."""
    try:
        return Host.load().agent(name)
    except HookfwError:
        return None


def open_guest(
    agent: Agent, call: NativeCall, event: Event, cwd: str, host: Host, driver: LaterDriver, record: str | None
) -> GuestSupervisor:
    """The supervisor for a call. Raises `HookfwError`."""
    return GuestSupervisor(
        driver,
        mode=agent.name,
        without=(agent.name,),
        withheld=withheld,
        workspace=workspace_of(agent, call, event, cwd),
        home=home_of(call.environ),
        cwd=event.cwd,
        session_id=event.session_id,
        environ={**call.environ, DEPTH_VARIABLE: str(next_depth(call.environ))},
        host=host,
        record=record,
    )


def home_of(environ: Mapping[str, str]) -> str:
    """The home of whoever is in `environ`."""
    return environ.get("HOME") or os.path.expanduser("~")


def workspace_of(agent: Agent, call: NativeCall, event: Event, cwd: str) -> str:
    """The project: as the call says, else where the agent started the guest."""
    return event.workspace or agent.project(call) or cwd


def next_depth(environ: Mapping[str, str]) -> int:
    """The depth of what a guest starts. Raises `ConfigurationError` where guests are inside of each other too deep."""
    told = environ.get(DEPTH_VARIABLE, "")
    depth = int(told) if told.isascii() and told.isdigit() else 0
    if depth >= DEPTH_LIMIT:
        message = (
            f"Hooks that start agents are inside of each other {depth} deep ({DEPTH_VARIABLE}), so no more are started: "
            "look for a hook that starts an agent whose hooks start it again."
        )
        raise ConfigurationError(message)
    return depth + 1


def fails_closed(places: Places) -> bool:
    """
    Whether a failure refuses.

    Where hookfw's own configuration cannot be read it does if the word `closed` stands in it: somebody wanted that.
    """
    files = FileView()
    try:
        settings: Settings = load_settings(places, files)
    except ConfigurationError:
        data = files.read(os.path.join(config_dir(places.home, places.environ), "config.toml")).data
        return data is None or b"closed" in data
    return settings.guest.on_failure == "closed"


def _reply(hooks: GuestSupervisor, agent: Agent, event: Event, *, closed: bool) -> Reply:
    driver = hooks.later
    if event.kind in agent.unawaited:

        def fire() -> None:
            driver.release()
            hooks.fire(event)
            hooks.end_background()
            hooks.close()

        fires = hooks.prepare(event) is not None or hooks.records
        return Reply(NativeAnswer(), fire if fires else None)
    try:
        outcome = hooks.fire(event)
        answer = finished(agent, event, outcome, load_problems(hooks), closed=closed)
    except BaseException:
        hooks.close(timeout=0)
        raise
    if not driver.keeps:
        hooks.close()
        return Reply(answer)
    # What is kept open belongs to this process; whoever carries the rest on opens it anew.
    driver.run(hooks.resources.close(driver))
    driver.close()

    def carry_on() -> None:
        driver.release()
        hooks.end_background()
        hooks.close()

    return Reply(answer, carry_on)


class LoadProblems(NamedTuple):
    """
    What loading found wrong.

    Attributes:
        failures: what kept a file, a dialect or a plugin from being read, or a strict guard from running: whoever loads so
            little may miss a decision.
        others: entries and settings that are refused alone.
    """

    failures: Sequence[Diagnostic]
    others: Sequence[Diagnostic]


def load_problems(hooks: BaseSupervisor) -> LoadProblems:
    """What loading found wrong. What is about one entry or setting names it; the rest is about more than that."""
    snapshot = hooks.snapshot
    wrong = [item for item in (*hooks.host.diagnostics, *snapshot.diagnostics) if item.severity == "error"]
    if not wrong:
        return LoadProblems((), ())
    guards = {(hook.source.path, hook.source.entry) for hook in snapshot.hooks if hook.strict}
    guards |= {(entry.source.path, entry.source.entry) for entry in snapshot.rejected if entry.strict}
    failures = [item for item in wrong if not item.entry or (item.file, item.entry) in guards]
    return LoadProblems(failures, [item for item in wrong if item not in failures])


def finished(agent: Agent, event: Event, outcome: Outcome, problems: LoadProblems, *, closed: bool) -> NativeAnswer:
    """
    The answer that says what `outcome` says, and what went wrong on the way to it.

    Only failures refuse, where guests fail closed. What costs an entry alone is told when a session begins, and a recording
    that cannot be written whenever it cannot.
    """
    wrong = list(problems.failures) if event.kind in ASKS or event.kind == _BEGINS else []
    wrong += [item for item in outcome.diagnostics if item.severity == "error"]
    refuses = closed and bool(wrong) and event.kind in ASKS and not outcome.refused
    wrong += problems.others if event.kind == _BEGINS else ()
    notes = [item.message for item in wrong]
    if len(notes) > _NOTES:
        notes = [*notes[:_NOTES], f"And {len(notes) - _NOTES} more: see `hookfw doctor`."]
    notes += [item.message for item in outcome.diagnostics if item.code == RECORD_FAILED]
    return _said(agent, event, outcome, notes, refuses=refuses)


def failure(agent: Agent | None, event: Event | None, call: NativeCall, message: str, *, closed: bool) -> NativeAnswer:
    """The answer of a guest that has no outcome."""
    if agent is not None and event is None:
        event = _named(agent, call)
    if agent is None or event is None:
        said = f"hookfw guest: {message}\n".encode("utf-8", "replace")
        passes = _FAILED if agent is None else agent.failing_status
        return NativeAnswer(_REFUSES if closed and not ends_turn(call.event_hint, call.stdin) else passes, b"", said)
    try:
        return _said(agent, event, NO_OUTCOME, [message], refuses=closed and event.kind in ASKS)
    except Exception as error:  # noqa: BLE001 - the agent's own code is broken: its form is out of reach
        return failure(None, None, call, f"{message} {_defect(error)}", closed=closed)


def _named(agent: Agent, call: NativeCall) -> Event | None:
    """The bare event that the command line names, where the call itself cannot be read."""
    if call.event_hint is None:
        return None
    try:
        return agent.parse_event(NativeCall(event_hint=call.event_hint, stdin=b"{}"))
    except Exception:  # noqa: BLE001 - then nothing is known
        return None


def _said(agent: Agent, event: Event, outcome: Outcome, notes: Sequence[str], *, refuses: bool) -> NativeAnswer:
    notes = [f"hookfw guest: {note}" for note in notes]
    if refuses:
        outcome = replace(outcome, decision=refusal_of(event.kind), refused=True, reason="\n".join(notes))
    elif notes:
        outcome = replace(outcome, messages=(*outcome.messages, *notes))
    answer, _ = native.answer_of(agent, event, outcome)
    if not notes or (refuses and (answer.stdout or answer.exit_code)):
        return answer
    if any(loss.field == "messages" for loss in agent.can_say(event, outcome)) or not answer.stdout:
        silent = not answer.stdout and not answer.exit_code
        told = answer.stderr + "".join(f"{note}\n" for note in notes).encode("utf-8", "replace")
        return NativeAnswer(agent.failing_status if silent else answer.exit_code, answer.stdout, told)
    return answer


def _defect(error: Exception) -> str:
    return f"{type(error).__name__}: {error}. This is a defect of hookfw or of a plugin: please report it."
