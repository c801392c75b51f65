"""
The guest's side of the background process: that one decides, this one runs.

Children are started here, so environment, directory, limits, namespaces and terminal are those the agent gave its guest.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw.guests import wire as guest_wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hookfw.process import Child

REST, ALL = 1, 2
"""What goes on after an answer: what was kept for later, or everything, since the agent does not wait."""
PATIENCE = 5.0
"""Seconds that the background process has for its next word while nothing of its runs."""

LONGEST = 1.0
"""Seconds of one sleep at most: a signal that comes just before the system begins to wait does not end the wait."""


_NONSENSE = (ValueError, TypeError, KeyError, AttributeError)
"""What messages of another form raise."""


class Decided(NamedTuple):
    """
    What the background process answered.

    Attributes:
        exit_code: for the agent.
        stdout: likewise.
        stderr: likewise.
        goes_on: what it has to run, once the agent has its answer: `REST`, `ALL`, or nothing.
    """

    exit_code: int
    stdout: bytes
    stderr: bytes
    goes_on: int


class Relay:
    """
    One call that the background process decides.

    Attributes:
        started: every child that was started for it, in order.
        wrote: the firing is recorded.
    """

    def __init__(self, wire: guest_wire.Wire, environ: Mapping[str, str]) -> None:
        self.started: list[Child] = []
        self.wrote = False
        self._wire = wire
        self._environ = environ
        self._running: dict[int, Child] = {}
        self._said: list[tuple[Any, ...]] = []
        self._finished = False

    def ask(self, agent: str, hint: str | None, stdin: bytes, cwd: str, record: str | None = None) -> Decided | None:
        """
        What it answers; `None` where it does not serve this call, or is gone.

        What interrupts this ends the children and is raised.
        """
        try:
            self._wire.send("call", agent, hint, dict(self._environ), stdin, cwd, record)
            return self._until("answer")
        except TimeoutError:
            self._end_other()
            return None
        except (OSError, *_NONSENSE):
            return None
        except BaseException:
            self.end()
            raise

    def go_on(self) -> bool:
        """Run what is left to run, once the agent has its answer; false where the other side was gone before all was said."""
        self._finished = False
        try:
            self._until("done")
        except (OSError, *_NONSENSE):
            return False
        finally:
            self._pump_out()
        return self._finished

    def end(self) -> None:
        """End every child that runs."""
        for child in self.started:
            child.cancel()
        try:
            self._pump_out()
        finally:
            for child in self.started:
                child.close()

    def _pump_out(self) -> None:
        # One whose start was interrupted has been ended there, and has no facts to wait for.
        while running := [child for child in self.started if child.started and child.ended is None]:
            self._pump(running, None, listen=False)

    def _until(self, word: str) -> Decided | None:
        """Run what is to be run until `word` comes, or the other side is gone."""
        last = time.monotonic()
        while True:
            while self._said:
                name, *rest = self._said.pop(0)
                if name in (word, "decline"):
                    self._finished = name == word
                    return Decided(*rest) if name == "answer" else None
                self._obey(name, rest)
            limit = None if self._running else max(0.0, last + PATIENCE - time.monotonic())
            heard = self._pump(self._running.values(), limit)
            if self._tell():
                last = time.monotonic()
            if not heard:
                if limit == 0.0:
                    self._end_other()
                    return None
                continue
            messages = self._listen()
            if messages is None:
                return None
            last = time.monotonic()
            self._said += messages

    def _end_other(self) -> None:
        """End a background process that hangs, so that it does not cost every later guest its patience."""
        pid, _ = guest_wire.peer(self._wire.sock)
        if pid not in (0, os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def _tell(self) -> bool:
        """Tell what became of children that have ended; whether there were any."""
        ended = [(number, child.ended) for number, child in self._running.items() if child.ended is not None]
        for number, facts in ended:
            del self._running[number]
            self._wire.send("ended", number, guest_wire.packed_facts(facts))
        return bool(ended)

    def _listen(self) -> list[tuple[Any, ...]] | None:
        try:
            return self._wire.receive()
        except guest_wire.WireError:
            return None

    def _obey(self, name: str, told: Sequence[Any]) -> None:
        if name == "run":
            from hookfw.process import Child  # noqa: PLC0415 - most calls start nothing

            number, spawn = told
            child = Child(guest_wire.unpacked_spawn(spawn, self._environ))
            self.started.append(child)
            self._running[number] = child
            child.start()
        elif name == "write":
            from hookfw.outcome import Write  # noqa: PLC0415 - only where something is recorded
            from hookfw.writing import perform  # noqa: PLC0415 - likewise

            number, *write = told
            self.wrote = True
            self._wire.send("written", number, perform(Write(*write)))
        elif name == "cancel" and told[0] in self._running:
            self._running[told[0]].cancel()

    def _pump(self, running: Iterable[Child], limit: float | None, *, listen: bool = True) -> bool:
        """Sleep until something is ready or due; whether the background process has said something."""
        poll = select.poll()
        own: dict[int, Child] = {}
        talking = self._wire.sock.fileno()
        if listen:
            poll.register(talking, select.POLLIN)
        children = list(running)
        waits = [LONGEST if limit is None else limit]
        for child in children:
            for fd, direction in child.interest():
                own[fd] = child
                poll.register(fd, select.POLLOUT if direction == "w" else select.POLLIN)
            left = child.remaining()
            if left is not None:
                waits.append(left)
            if child.ended is not None:
                waits.append(0.0)
        ready = [fd for fd, _ in poll.poll(min(LONGEST, *waits) * 1000 + 0.5)]
        for fd in ready:
            if fd in own:
                own[fd].ready(fd)
        for child in children:
            if child.remaining() == 0.0:
                child.tick()
        return talking in ready


def connect(environ: Mapping[str, str], path: str | None = None) -> guest_wire.Wire | None:
    """The background process of this person, home and installation; `None` where there is none to be trusted."""
    path = path or guest_wire.meeting_point(environ)
    if path is None:
        return None
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.settimeout(PATIENCE)
        sock.connect(path)
        if guest_wire.peer(sock)[1] != os.geteuid():
            sock.close()
            return None
    except OSError:
        sock.close()
        return None
    return guest_wire.Wire(sock)
