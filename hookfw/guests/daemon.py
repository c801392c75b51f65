"""
The background process: keeps the configuration loaded and decides the calls of guests. It starts nothing itself.

One for a person, a home and an installation. It serves guests that are as it is: of its user, in its namespaces, with its security
state. It ends when nobody has called for a while, and when hookfw, a plugin or the settings change.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import sys
import time
import types
from collections.abc import Callable, Coroutine, Generator
from typing import TYPE_CHECKING, Any

from hookfw.agent import NativeAnswer, NativeCall
from hookfw.errors import HookfwError
from hookfw.guests import relay as guest_relay
from hookfw.guests import wire as guest_wire
from hookfw.guests.cache import Cache, RemoteDriver
from hookfw.guests.guest import fails_closed, failure, finished, load_problems
from hookfw.host import Host
from hookfw.modes import native
from hookfw.opening import blocked_plugins
from hookfw.outcome import Write
from hookfw.process import Child
from hookfw.processes.reap import RUN_VARIABLE, end_carriers, run_mark
from hookfw.settings import config_dir, load_settings
from hookfw.sources import FileView, Places

if TYPE_CHECKING:
    from hookfw.guests.cache import Served

IDLE = 900.0
"""Seconds without a call after which it ends."""
_LOOK = 5.0
_SILENT = 60.0
"""Seconds after which whoever has connected and asked nothing is let go."""
_REAP = 1.0
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts")
_SECURITY = ("Uid", "Gid", "Groups", "NoNewPrivs", "Seccomp", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


@types.coroutine
def ask(on: Any) -> Generator[Any, Any, Any]:
    """Wait for a child, or for all coroutines of a list."""
    return (yield on)


class Task:
    """A coroutine of a call, and the list that it belongs to."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], owner: Task | None) -> None:
        self.coroutine = coroutine
        self.owner = owner
        self.left = 0
        self.error: BaseException | None = None


class Conversation:
    """One guest, and the coroutines that decide its call; they go on when it tells what became of its children."""

    def __init__(self, wire: guest_wire.QueuedWire) -> None:
        self.wire = wire
        self.called = False
        self.began = time.monotonic()
        self.served: Served | None = None
        self._numbers = 0
        self._waiting: dict[int, Task] = {}
        self._marks: dict[int, str] = {}

    def begin(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine until it has to wait."""
        self._resume(Task(coroutine, None), None, None)

    def ended(self, number: int, facts: dict[str, Any]) -> None:
        """A child of the guest has ended."""
        self._marks.pop(number, None)
        task = self._waiting.pop(number, None)
        if task is not None:
            self._resume(task, guest_wire.unpacked_facts(facts), None)

    def written(self, number: int, problem: str | None) -> None:
        """The guest has written a file, or says why not."""
        task = self._waiting.pop(number, None)
        if task is not None:
            self._resume(task, problem, None)

    def close(self) -> None:
        """The guest is gone: nothing goes on, and what it would have ended is ended."""
        tasks = [*self._waiting.values()]
        self._waiting.clear()
        for task in tasks:
            at: Task | None = task
            while at is not None:
                with contextlib.suppress(Exception):
                    at.coroutine.close()
                at = at.owner
        self.wire.sock.close()
        for mark in self._marks.values():
            end_carriers(mark, _REAP)
        if self.served is not None:
            self.served.let_go()

    def _resume(self, task: Task, value: Any, error: BaseException | None) -> None:
        try:
            on = task.coroutine.send(value) if error is None else task.coroutine.throw(error)
        except StopIteration:
            self._leave(task, None)
        except Exception as problem:  # noqa: BLE001 - it is raised where the coroutine is waited for
            self._leave(task, problem)
        else:
            self._wait(task, on)

    def _wait(self, task: Task, on: Any) -> None:
        if isinstance(on, Child):
            self._numbers += 1
            self._waiting[self._numbers] = task
            environ = self.served.session.environ if self.served is not None else {}
            self._marks[self._numbers] = run_mark(on.spawn.run_id, on.spawn.env.get(RUN_VARIABLE))
            self.wire.send("run", self._numbers, guest_wire.packed_spawn(on.spawn, environ))
            return
        if isinstance(on, Write):
            self._numbers += 1
            self._waiting[self._numbers] = task
            self.wire.send("write", self._numbers, *on)
            return
        task.left = len(on)
        if not on:
            self._resume(task, None, None)
        for coroutine in on:
            self._resume(Task(coroutine, task), None, None)

    def _leave(self, task: Task, problem: BaseException | None) -> None:
        owner = task.owner
        if owner is None:
            if problem is not None:
                raise problem
            return
        owner.left -= 1
        owner.error = owner.error or problem
        if not owner.left:
            error, owner.error = owner.error, None
            self._resume(owner, None, error)


class Daemon:
    """The background process of one home."""

    def __init__(self, path: str, environ: dict[str, str]) -> None:
        """`path`: of its socket. Raises `HookfwError` where hookfw's configuration cannot be used."""
        self._path = path
        self._environ = environ
        places = Places(
            home=os.path.realpath(environ.get("HOME") or os.path.expanduser("~")), workspace="", environ=environ
        )
        self._config = os.path.join(config_dir(places.home, environ), "config.toml")
        settings = load_settings(places, FileView())
        self._closed = fails_closed(places)
        self._host = Host.load(blocked_plugins((), settings, environ))
        self._cache = Cache(self._host, settings)
        self._same = self._installation()
        self._identity = identity("self")
        self._selector = selectors.DefaultSelector()
        self._talks: dict[int, Conversation] = {}
        self._ends = False
        self._calls = 0
        self._last = self._began = time.monotonic()

    def run(self) -> None:
        """Serve until nobody calls any more."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        listener.bind(self._path)
        os.chmod(self._path, 0o600)
        listener.listen(128)
        listener.settimeout(0.0)
        self._selector.register(listener, selectors.EVENT_READ, None)
        own = os.stat(self._path).st_ino
        try:
            while self._talks or not self._ends:
                for key, _ in self._selector.select(_LOOK):
                    if key.data is None:
                        self._accept(listener)
                    else:
                        self._hear(key.data)
                for talk in [*self._talks.values()]:
                    if not talk.called and time.monotonic() - talk.began > _SILENT:
                        self._drop(talk)
                if not self._talks:
                    idle = time.monotonic() - self._last > IDLE
                    if idle or self._installation() != self._same or not _is(self._path, own):
                        self._ends = True
        finally:
            if _is(self._path, own):
                os.unlink(self._path)
            listener.close()
            self._selector.close()

    def _installation(self) -> tuple[Any, ...]:
        """What the process was started from: hookfw, the folders that packages are installed in, the settings."""
        here = os.path.dirname(os.path.dirname(__file__))
        places = (here, os.path.join(here, "_version.py"), self._config, *sys.path)
        found: list[tuple[int, int] | None] = []
        for place in places:
            try:
                status = os.stat(place)
            except OSError:
                found.append(None)
            else:
                found.append((status.st_mtime_ns, status.st_ino))
        return tuple(found)

    def _accept(self, listener: socket.socket) -> None:
        try:
            sock, _ = listener.accept()
        except OSError:
            return
        talk = Conversation(guest_wire.QueuedWire(sock))
        if guest_wire.peer(sock)[1] != os.geteuid():
            sock.close()
            return
        self._talks[sock.fileno()] = talk
        self._selector.register(sock, selectors.EVENT_READ, talk)

    def _hear(self, talk: Conversation) -> None:
        try:
            talk.wire.flush()
            try:
                messages = talk.wire.receive()
            except BlockingIOError:
                messages = []
            if messages is None:
                self._drop(talk)
                return
            for name, *told in messages:
                if name == "call":
                    self._last = time.monotonic()
                    self._call(talk, *told)
                elif name == "ended":
                    talk.ended(*told)
                elif name == "written":
                    talk.written(*told)
                elif name == "status":
                    talk.wire.send("status", os.getpid(), time.monotonic() - self._began, self._calls)
                elif name == "stop":
                    self._ends = True
                    talk.wire.send("done")
            waits = selectors.EVENT_WRITE if talk.wire.full else 0
            self._selector.modify(talk.wire.sock, selectors.EVENT_READ | waits, talk)
        except Exception:  # noqa: BLE001 - whatever it is, the guest decides the call itself
            self._drop(talk)

    def _drop(self, talk: Conversation) -> None:
        fd = talk.wire.sock.fileno()
        if self._talks.pop(fd, None) is not None:
            self._selector.unregister(talk.wire.sock)
        talk.close()

    def _call(
        self,
        talk: Conversation,
        name: str,
        hint: str | None,
        environ: dict[str, str],
        stdin: bytes,
        cwd: str,
        record: str | None,
    ) -> None:
        talk.called = True
        pid, _ = guest_wire.peer(talk.wire.sock)
        if self._ends or self._installation() != self._same:
            self._ends = True
            talk.wire.send("decline", "hookfw has changed")
        elif guest_wire.home_key(environ) != guest_wire.home_key(self._environ) or environ.get("HOOKFW_DISABLE"):
            talk.wire.send("decline", "another home, or other plugins")
        elif not os.path.isabs(environ.get("HOME") or "/"):
            talk.wire.send("decline", "a relative home")
        elif self._identity is None or identity(str(pid)) != self._identity:
            talk.wire.send("decline", "another security state")
        else:
            self._calls += 1
            talk.begin(self._decide(talk, name, NativeCall(hint, (), environ, stdin), cwd, record))

    async def _decide(self, talk: Conversation, name: str, call: NativeCall, cwd: str, record: str | None) -> None:
        agent = event = None
        afterwards: Callable[[], Coroutine[Any, Any, Any]] | None = None
        try:
            agent = self._host.agent(name)
            event = native.event_of(agent, call)
            served, environ = self._cache.get(agent, call, event, cwd)
            if not served.serves(event.kind):
                talk.wire.send("decline", "not only commands")
                return
            driver = RemoteDriver(ask)
            mine = talk.served = served.for_call(driver, environ, event, record)
            if event.kind in agent.unawaited:
                answer, waits = NativeAnswer(), mine.prepare(event) is not None or mine.records
                afterwards = (lambda: mine.fired(event)) if waits else None
            else:
                outcome = await mine.fired(event)
                problems = load_problems(mine)
                answer = finished(agent, event, outcome, problems, closed=self._closed)
        except HookfwError as error:
            answer = failure(agent, event, call, str(error), closed=self._closed)
            driver = RemoteDriver(ask)
        goes_on = guest_relay.ALL if afterwards is not None else guest_relay.REST if driver.kept else 0
        talk.wire.send("answer", *answer, goes_on)
        if afterwards is not None:
            await afterwards()
        while driver.kept:
            kept, driver.kept = driver.kept, []
            await driver.gather(kept)
        if goes_on:
            talk.wire.send("done")


def identity(pid: str) -> tuple[Any, ...] | None:
    """Namespaces and security state of a process; `None` where they cannot be seen."""
    try:
        spaces = tuple(
            os.readlink(f"/proc/{pid}/ns/{name}") for name in _NAMESPACES if os.path.lexists(f"/proc/self/ns/{name}")
        )
        root = os.readlink(f"/proc/{pid}/root")
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as stream:
            told = dict(line.rstrip().split(":", 1) for line in stream if ":" in line)
    except OSError:
        return None
    return (root, _label(pid), spaces, *(told.get(name) for name in _SECURITY))


def _label(pid: str) -> bytes | None:
    """What a security module has for a process; `None` where there is none."""
    try:
        with open(f"/proc/{pid}/attr/current", "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _is(path: str, inode: int) -> bool:
    try:
        return os.lstat(path).st_ino == inode
    except OSError:
        return False


def main() -> int:
    """Run as the background process, unless there is one already."""
    os.chdir("/")
    os.umask(0o077)
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    environ = dict(os.environ)
    path = guest_wire.meeting_point(environ)
    if path is None:
        return 1
    if len(sys.argv) < 2 and guest_wire.locked(path) is None:  # noqa: PLR2004 - a guest hands in the lock that it has
        return 0
    Daemon(path, environ).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
