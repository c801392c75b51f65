"""What the background process keeps: loaded hook sets, each with everything that it was loaded from."""

from __future__ import annotations

import copy
import itertools
import os
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hookfw.authority import Authority
from hookfw.background_work import BackgroundWork
from hookfw.base_supervisor import BaseSupervisor
from hookfw.drivers.driver import Driver
from hookfw.guests.entries import withheld
from hookfw.guests.guest import DEPTH_VARIABLE, home_of, next_depth, workspace_of
from hookfw.opening import Scratch, make_session
from hookfw.resources import Resources

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from hookfw.agent import Agent, NativeCall
    from hookfw.drivers.driver import T
    from hookfw.events import Event
    from hookfw.hooks import HookSet
    from hookfw.host import Host
    from hookfw.outcome import Write
    from hookfw.process import Child, Ended
    from hookfw.settings import Settings

_PLACES = 16
"""Hook sets that are kept."""
_RECENT = 50_000_000
"""Nanoseconds for which a file counts as still being written: the clock of a file system is no finer than this."""

Signature = tuple[tuple[int, ...] | None, ...]


class AskedEnviron(Mapping[str, str]):
    """
    An environment that remembers which variables loading looked at, so that no other has to be kept.

    Attributes:
        asked: the variables and what they were; `None` for those that are not set.
        read_whole: somebody went through all of them.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.asked: dict[str, str | None] = {}
        self.read_whole = False

    def __getitem__(self, name: str) -> str:
        self.asked[name] = value = self._environ.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        self.read_whole = True
        return iter(self._environ)

    def __len__(self) -> int:
        self.read_whole = True
        return len(self._environ)

    def forget(self) -> None:
        """Keep what was asked for, and nothing else."""
        self._environ = {name: value for name, value in self.asked.items() if value is not None}


_COMMANDS_ONLY = "the background process of guests runs commands only"


class RemoteDriver(Driver):
    """
    A driver that has its children run by the guest that asked, and carries nothing else.

    Attributes:
        kept: background work; it begins when the agent has its answer.
    """

    def __init__(self, ask: Callable[[Any], Awaitable[Any]]) -> None:
        """`ask` suspends until a child has ended, or until all coroutines of a list have."""
        self._ask = ask
        self.kept: list[Coroutine[Any, Any, None]] = []

    async def wait(self, child: Child) -> Ended | None:
        """See `Driver.wait`. A run that sends itself to the background is waited for."""
        ended: Ended = await self._ask(child)
        return ended

    async def gather(self, tasks: Sequence[Coroutine[Any, Any, None]]) -> None:
        """See `Driver.gather`."""
        await self._ask(list(tasks))

    async def write(self, write: Write) -> str | None:
        """Have the guest write a file; the reason in one sentence when it cannot."""
        problem: str | None = await self._ask(write)
        return problem

    async def call(self, awaitable: Awaitable[T], timeout: float) -> T:
        """Raises `RuntimeError`: an event with a handler that is no command is not served, see `Served.serves`."""
        del awaitable, timeout
        raise RuntimeError(_COMMANDS_ONLY)

    async def in_thread(self, function: Callable[[], T], timeout: float) -> T:
        """Raises `RuntimeError`, as `call` does."""
        del function, timeout
        raise RuntimeError(_COMMANDS_ONLY)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """See `Driver.spawn`."""
        self.kept.append(work)

    async def join(self, timeout: float | None) -> bool:
        """See `Driver.join`."""
        del timeout
        return not self.kept

    def cancel_spawned(self) -> None:
        """See `Driver.cancel_spawned`."""
        for work in self.kept:
            work.close()
        self.kept.clear()


class Served(BaseSupervisor):
    """
    A supervisor whose hook set serves many calls, each with its own environment and session.

    Attributes:
        asked: what loading looked at in the environment.
        remote: how the call that is served waits; there is none before `for_call`.
    """

    asked: AskedEnviron
    remote: RemoteDriver

    def reload(self) -> HookSet:
        """See `BaseSupervisor.reload`. What loading looked at in the environment is kept, and nothing else of it."""
        whole = self._places
        self.asked = AskedEnviron(whole.environ)
        self._places = whole._replace(environ=self.asked)
        self.resources.environ = self.asked
        snapshot = super().reload()
        self.asked.forget()
        self.session = self.session._replace(environ=self.asked)
        return snapshot

    def serves(self, kind: str) -> bool:
        """Every handler that an event of this kind can start is a command, nobody observes, and no path is relative."""
        observed = self.watches_runs or self._watches_events or self._watches_diagnostics
        if observed or kind in self.python_kinds or self.settings.executor != "local":
            return False
        if not all(map(os.path.isabs, self.snapshot.watched)):
            return False  # what they mean depends on where the guest is
        for active in self._active:
            if kind in active.kinds:
                names = {native.name for native in active.dialect.events if kind in (native.canonical, *native.also)}
                if any(hook.handler != "command" and hook.event in names for hook in active.part.loaded.hooks):
                    return False
        return True

    def for_call(
        self, driver: RemoteDriver, environ: Mapping[str, str], event: Event, record: str | None = None
    ) -> Served:
        """The same hook set, for one call, which is recorded in the file `record`."""
        made = copy.copy(self)
        made.take(driver, environ, event, record)
        return made

    def take(self, driver: RemoteDriver, environ: Mapping[str, str], event: Event, record: str | None) -> None:
        """Serve one call: everything that is not the hook set is made anew."""
        self.remote = driver
        self._record = record
        self._places = self._places._replace(environ=environ, cwd=event.cwd)
        self._scratch = Scratch()
        self.session = make_session(event.session_id, self._places, self._scratch)
        self.resources = Resources(host=self.host, settings=self.settings, environ=environ)
        self._background = BackgroundWork(self.host, self.settings.executor, self._driver)
        self._run_prefix = os.urandom(6).hex()
        self._run_numbers = itertools.count(1)
        self._authority = Authority(self._places, enforced=True)

    async def fired(self, event: Event) -> Any:
        """The outcome of one event."""
        return await self._fire(self.prepare(event), event)

    async def _note(self, write: Write) -> str | None:
        """The guest writes it: with its rights and limits, where the agent sees it."""
        return await self.remote.write(write)

    def let_go(self) -> None:
        """Give up what one call made."""
        self._scratch.remove()

    def _driver(self) -> RemoteDriver:
        return self.remote


class Cache:
    """The hook sets of one home, by agent and place; one that is not as the files are now is loaded anew."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self._host = host
        self._settings = settings
        self._kept: dict[tuple[str, str, str | None], tuple[Served, Signature, bool]] = {}

    def get(self, agent: Agent, call: NativeCall, event: Event, cwd: str) -> tuple[Served, dict[str, str]]:
        """The hook set for a call, and the environment of its hooks. Raises `HookfwError`."""
        environ = {**call.environ, DEPTH_VARIABLE: str(next_depth(call.environ))}
        key = (agent.name, os.path.realpath(os.path.join(cwd, workspace_of(agent, call, event, cwd))), event.cwd)
        kept = self._kept.pop(key, None)
        if kept is not None:
            served, signature, settled = kept
            asked = served.asked.asked
            same = settled and all(environ.get(name) == value for name, value in asked.items())
            if not same or _signature(served.snapshot.watched) != signature:
                kept = None
        if kept is None:
            kept = self._loaded(agent, key, environ)
        self._kept[key] = kept
        while len(self._kept) > _PLACES:
            del self._kept[next(iter(self._kept))]
        return kept[0], environ

    def _loaded(
        self, agent: Agent, key: tuple[str, str, str | None], environ: Mapping[str, str]
    ) -> tuple[Served, Signature, bool]:
        began = time.time_ns()
        served = Served(
            mode=agent.name,
            without=(agent.name,),
            withheld=withheld,
            workspace=key[1],
            home=home_of(environ),
            cwd=key[2],
            environ=environ,
            host=self._host,
            settings=self._settings,
        )
        signature = _signature(served.snapshot.watched)
        newest = max((max(status[1:3]) for status in signature if status is not None), default=0)
        return served, signature, newest < began - _RECENT and not served.asked.read_whole


def _signature(paths: Sequence[str]) -> Signature:
    """What tells whether something at these paths changed: missing ones count too, and links with what they lead to."""
    return tuple(_status(path) for path in paths)


def _status(path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        try:
            found = os.lstat(path)
        except (OSError, ValueError):
            return None
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_mode
