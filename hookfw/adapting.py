"""
A command of one ecosystem as a hook of another: it is called, and answers, as its own agent would have it.

The call of the agent becomes the canonical event; one hook of the command's dialect is fired with it, as if its
configuration held nothing else; the outcome becomes the answer of the agent. Whatever the command does (fail, run out of
time, print nonsense) means what it means in its own dialect.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from hookfw.conversion import RESULT, conversion_of, natives_for
from hookfw.dialect import Dialect
from hookfw.errors import ConversionError
from hookfw.handlers import CommandHandler, HandlerTypeInfo
from hookfw.hooks import Source
from hookfw.hookspecs import hookimpl
from hookfw.host import Host
from hookfw.modes import native
from hookfw.portable import PortableHook
from hookfw.supervisor import open_sync
from hookfw.text import closest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hookfw.agent import AgentInfo, NativeAnswer, NativeCall
    from hookfw.dialect import (
        Delivery,
        DialectInfo,
        Done,
        Invocation,
        NativeEvent,
        Reading,
        Row,
        Session,
        Step,
    )
    from hookfw.events import Event
    from hookfw.hooks import Hook, HookState, Loaded
    from hookfw.modes.native import Told
    from hookfw.outcome import Verdict
    from hookfw.process import Ended
    from hookfw.sources import Document, FileView, Places

LONGEST_MARGIN = 1.0
"""Seconds that a command at most ends before its agent would end all of it; a third of a short time."""

SHORTEST = 0.05
"""Seconds that a command has at least."""

FAILED = "post_tool_use_failure"


class NoSuchEventError(ConversionError):
    """Raised where the command's own agent would run no hook at all: that is for its caller to take as no answer."""


class Adapted(NamedTuple):
    """
    A command to be adapted.

    Attributes:
        origin: the dialect it speaks.
        target: the dialect whose agent calls.
        command: the shell line.
        native: the native event of `origin` that it is a hook of; `None` for the one that the call's event fires.
        timeout: seconds that the agent gives the whole.
        strict: its failure refuses, where its dialect lets a hook ask for that.
    """

    origin: str
    target: str
    command: str
    native: str | None = None
    timeout: float = 60.0
    strict: bool = False


def adapt(
    host: Host, adapted: Adapted, call: NativeCall, told: Told | None = None, *, spent: Callable[[], float] = float
) -> NativeAnswer:
    """
    Answer one call of an agent with a command of another ecosystem.

    `told` is called with the event and the whole outcome, `spent` for the seconds of the timeout that are gone when the
    command is about to start. Raises `ConversionError` where the command's dialect has no
    such event or cannot be converted, `EventError` for a call that cannot be read, `UnknownDialectError`.
    """
    if not adapted.command.strip():
        message = "The command is empty: nothing would run, and no gate would stand; name one after --."
        raise ConversionError(message)
    if call.event_hint is not None and adapted.target in host.dialects:
        _must_be_known(call.event_hint, host.dialect(adapted.target))
    event = native.event_of(host.agent(adapted.target), call)
    single = _Single(
        host.dialect(adapted.origin), adapted, _event_of(adapted, host.dialect(adapted.origin), event), spent
    )
    with open_sync(
        workspace=_folder(event),
        dialects=[adapted.origin],
        mode=adapted.target,
        trust="all",
        environ=call.environ,
        close_timeout=adapted.timeout,
        host=_host(host, single, adapted.target),
    ) as hooks:
        refused = hooks.snapshot.rejected
        if refused:
            message = f"The command cannot be a hook of {adapted.origin}: {'; '.join(refused[0].problems)}."
            raise ConversionError(message)
        return hooks.fire_native(call, told)


def _event_of(adapted: Adapted, dialect: Dialect, event: Event) -> str:
    """The native event of the command: the one that is named, or the first that the call's event fires."""
    if adapted.native is not None:
        return _must_be_known(adapted.native, dialect)
    failed = event.kind == RESULT and getattr(event, "tool_success", None) is False
    found = natives_for(dialect, FAILED if failed else event.kind)
    if not found:
        message = f"{dialect.name} has no event for {event.kind}, so no hook of it runs on this call."
        raise NoSuchEventError(message)
    return found[0].name


def _must_be_known(name: str, dialect: Dialect) -> str:
    """The name, which is of a native event. Raises `ConversionError` where it is of none."""
    names = [spec.name for spec in dialect.events]
    if name in names:
        return name
    close = closest(name, names)
    meant = f"did you mean {close!r}?" if close else "see `hookfw events`."
    message = f"{dialect.name} has no event named {name!r}: {meant}"
    raise ConversionError(message)


def _folder(event: Event) -> str:
    """The project of the call, as far as it is there; else where the agent started its hook."""
    known = (folder for folder in (event.workspace, event.cwd) if folder is not None and os.path.isdir(folder))
    return next(known, os.getcwd())


def _host(host: Host, single: _Single, target: str) -> Host:
    """A host with the command's dialect, the agent and nothing else: no other hook of the person takes part."""
    infos = [host.dialects[single.name]._replace(load=lambda: single, traces=())]
    if target in host.dialects and target != single.name:
        infos.append(host.dialects[target])
    alone = Host()
    alone.register(_Only(infos, host.agents[target]), "adapt")
    return alone


class _Only:
    """The one plugin of that host."""

    def __init__(self, dialects: Sequence[DialectInfo], agent: AgentInfo) -> None:
        self._dialects = dialects
        self._agent = agent

    @hookimpl
    def register_dialects(self) -> Sequence[DialectInfo]:
        """The command's dialect, and that of the agent for its names of tools."""
        return self._dialects

    @hookimpl
    def register_agents(self) -> Sequence[AgentInfo]:
        """The agent that calls."""
        return [self._agent]

    @hookimpl
    def register_handler_types(self) -> Sequence[HandlerTypeInfo]:
        """Commands."""
        return [HandlerTypeInfo(name="command", load=CommandHandler)]


class _Single(Dialect):
    """A dialect whose whole configuration is one command."""

    def __init__(self, dialect: Dialect, adapted: Adapted, event: str, spent: Callable[[], float]) -> None:
        self._dialect = dialect
        self._spent = spent
        self._adapted = adapted
        self._event = event
        self.name = dialect.name  # type: ignore[misc] # each is another dialect's
        self.events: Sequence[NativeEvent] = dialect.events  # type: ignore[misc] # likewise
        self.handler_types = dialect.handler_types  # type: ignore[misc] # likewise
        self.tools = dialect.tools  # type: ignore[misc] # likewise
        self.background = dialect.background  # type: ignore[misc] # likewise

    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """The configuration that the command would stand in."""
        del files
        conversion = conversion_of(self._dialect)
        hook = PortableHook(
            place="the command",
            event=self._event,
            kinds=(),
            command=self._adapted.command,
            strict=self._adapted.strict,
        )
        made = conversion.dump([hook], places).document
        return conversion.documents(made.path, made.data)

    def load(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
        """The hook, which ends a little before its agent would end it."""
        loaded = self._dialect.load(documents, places, trust_all=trust_all)
        given = self._adapted.timeout
        timeout = max(round(given - self._spent() - min(LONGEST_MARGIN, given / 3), 2), SHORTEST)
        # It stands in no file, and least of all in that of the person.
        source = Source(path="hookfw adapt", scope="cli", entry="the command")
        return loaded._replace(hooks=tuple(hook._replace(timeout=timeout, source=source) for hook in loaded.hooks))

    def judge(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
        """As the dialect does."""
        return self._dialect.judge(loaded, documents, places)

    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """As the dialect does."""
        return self._dialect.begin(event, session, loaded)

    def plan(self, row: Row, hooks: Sequence[Hook]) -> Sequence[Step]:
        """As the dialect does."""
        return self._dialect.plan(row, hooks)

    def invocation(self, row: Row, hook: Hook, session: Session) -> Invocation:
        """As the dialect does."""
        return self._dialect.invocation(row, hook, session)

    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """As the dialect does."""
        return self._dialect.interpret(row, hook, ended)

    def late(self, row: Row, hook: Hook, ended: Ended) -> Delivery | None:
        """As the dialect does."""
        return self._dialect.late(row, hook, ended)

    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """As the dialect does."""
        return self._dialect.reduce(event, done, session)
