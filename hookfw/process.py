"""
One supervised child process: a state machine over non-blocking descriptors that a driver pumps.

The machine waits for nothing itself. A driver watches the descriptors of `Child.interest`, calls `Child.ready` for each
that is ready and `Child.tick` when `Child.deadline` has come, until `Child.ended` holds the facts. So one core serves
every event loop and none, and it imports little.

A child leads a session and process group of its own. It is reaped last of all: until then its group can be signalled
without hitting a stranger that was given the same id.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from hookfw.errors import HookfwError
from hookfw.processes.capture import Capture
from hookfw.processes.facts import Ended, Kill, Spawn, failed, not_started, refusal
from hookfw.processes.popen import ReachablePopen
from hookfw.processes.reap import (
    PASS,
    QUIET_PASSES,
    RUN_VARIABLE,
    end_carriers,
    has_exited,
    kill_carriers,
    reap,
    reap_later,
    reap_unconfirmed,
    run_mark,
    signal_group,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import IO, Literal

    Phase = Literal["new", "running", "draining", "terminating", "killing", "ended"]

__all__ = ["Child", "Ended", "Kill", "Spawn", "failed", "not_started"]

_POLL = 0.01  # seconds between two looks at a child that no descriptor reports on


class Child:
    """
    One child process, from its start until its facts are known.

    Phases: `new`, `running`; then `draining` after its own exit, or `terminating` (SIGTERM was sent) and `killing`
    (SIGKILL was sent); then `ended`.

    One thread pumps it. `cancel` may be called from any thread; what is set off there shows in `deadline`, so a driver
    that is asleep in another thread has to be woken where `Kill.grace` is used.

    Attributes:
        ended: the facts, once they are known.
        forget: called with each descriptor of `interest` just before it is closed; the driver sets it.
        spawn: what it starts, and its bounds.
        detached: its first line sent it to the background: whoever waits goes on, and another may wait again.
    """

    __slots__ = (
        "_deadline",
        "_drain",
        "_exited",
        "_give_up",
        "_judged",
        "_lock",
        "_mark",
        "_monotonic",
        "_phase",
        "_pidfd",
        "_polled",
        "_process",
        "_quiet",
        "_started",
        "_stderr",
        "_stdin",
        "_stdout",
        "_stopped",
        "_unsent",
        "_watched",
        "detached",
        "ended",
        "forget",
        "spawn",
    )

    _process: ReachablePopen
    _stopped: Literal["timed_out", "cancelled"]

    def __init__(self, spawn: Spawn, monotonic: Callable[[], float] = time.monotonic) -> None:
        """
        `monotonic` is the clock, in seconds.

        Raises:
            HookfwError: on Windows, which has neither process groups nor signals.
        """
        if sys.platform == "win32":
            message = "Command hooks cannot be supervised on Windows: run hookfw under Linux, macOS or WSL."
            raise HookfwError(message)
        self.ended: Ended | None = None
        self.forget: Callable[[int], None] = _forget_nothing
        self.spawn = spawn
        self._monotonic = monotonic
        self._mark = run_mark(spawn.run_id, spawn.env.get(RUN_VARIABLE))
        self._phase: Phase = "new"
        self._lock = threading.RLock()
        self._watched: dict[int, Callable[[], None]] = {}
        self._stdin: IO[bytes] | None = None
        self._stdout: Capture | None = None
        self._stderr: Capture | None = None
        self._unsent = memoryview(spawn.stdin)
        self._drain = spawn.drain
        self._pidfd = -1
        self._exited = False
        self._judged = spawn.detach_on is None
        self.detached = False
        self._quiet = 0
        self._started = self._polled = self._deadline = self._give_up = 0.0

    @property
    def started(self) -> bool:
        """`start` was called."""
        return self._phase != "new"

    def start(self) -> None:
        """Start the process. Never raises for what the system answers: `ended` then says why it was not started."""
        reap_unconfirmed()
        spawn = self.spawn
        output = subprocess.DEVNULL if spawn.discard_output else subprocess.PIPE
        self._started = self._polled = self._monotonic()
        self._deadline = self._started + spawn.timeout
        try:
            ReachablePopen(
                self._keep,
                spawn.argv,
                executable=spawn.program,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=spawn.cwd,
                env={**spawn.env, RUN_VARIABLE: self._mark},
                start_new_session=True,
            )
            self._phase = "running"
        except BaseException as error:
            kind = refusal(error)
            if kind is None:
                # An interrupt between the fork and the return: the process is there, its id perhaps not known yet.
                self._phase = "new"
                self._process.returncode = 0
                self._process.close_pipes()
                end_carriers(self._mark, spawn.reap)
                raise
            self._phase = "ended"
            self.ended = not_started(kind)
        else:
            self._watch(self._process)

    def interest(self) -> Iterable[tuple[int, Literal["r", "w"]]]:
        """The descriptors to watch, for reading or writing. After `start` none is added; `forget` tells which go."""
        writing = -1 if self._stdin is None else self._stdin.fileno()
        return [(fd, "w" if fd == writing else "r") for fd in self._watched]

    def ready(self, fd: int) -> None:
        """Go on after `fd` has become ready. A descriptor that is no longer watched is no error."""
        with self._lock:
            go_on = self._watched.get(fd)
            if go_on is not None:
                go_on()

    def deadline(self) -> float | None:
        """When `tick` must be called next, on the clock that was handed in; `None` when nothing is due."""
        if self._phase in ("new", "ended"):
            return None
        due = self._deadline
        if self._pidfd < 0 and not self._exited:
            due = min(due, self._polled + _POLL)
        return None if due == inf else due

    def remaining(self) -> float | None:
        """Seconds until `deadline`, not below 0."""
        due = self.deadline()
        return None if due is None else max(0.0, due - self._monotonic())

    def tick(self) -> None:
        """Do what is due. Calling it early, or often, does no harm."""
        with self._lock:
            if self._phase in ("new", "ended"):
                return
            now = self._polled = self._monotonic()
            if self._pidfd < 0:
                self._look()
            if now >= self._deadline and self.ended is None:
                self._due(now)

    def cancel(self) -> None:
        """End it. A child that has already exited keeps its result, which is then taken at once."""
        with self._lock:
            if self._phase == "running" and not has_exited(self._process.pid):
                self._stop("cancelled")
            elif self._phase in ("running", "draining"):
                # The pumping thread takes the result: it alone may tell its driver to forget descriptors.
                self._drain = 0.0
                self._deadline = self._monotonic()

    def close(self) -> None:
        """End it without grace and wait, at most `Spawn.reap` seconds: the last resort where nobody pumps any more."""
        with self._lock:
            self.cancel()
            if self._phase == "terminating":
                self._kill()
            while self._phase not in ("new", "ended"):
                self._look()
                self.tick()
                time.sleep(min(self.remaining() or 0.0, _POLL))

    def _keep(self, process: ReachablePopen) -> None:
        self._process = process

    def _watch(self, process: ReachablePopen) -> None:
        spawn = self.spawn
        if process.stdin is not None:
            self._stdin = process.stdin
            os.set_blocking(process.stdin.fileno(), False)
            self._feed()  # most payloads fit the pipe: then it never needs to be watched
            if self._stdin is not None:
                self._watched[process.stdin.fileno()] = self._feed
        if process.stdout is not None:
            self._stdout = Capture(process.stdout, spawn.stdout_cap)
            self._watched[self._stdout.fd] = partial(self._read, self._stdout)
        if process.stderr is not None:
            self._stderr = Capture(process.stderr, spawn.stderr_cap)
            self._watched[self._stderr.fd] = partial(self._read, self._stderr)
        try:
            self._pidfd = os.pidfd_open(process.pid)
        except (AttributeError, OSError):
            return  # macOS, an old kernel, no descriptor left: `deadline` then asks for short steps
        self._watched[self._pidfd] = self._look

    def _captures(self) -> list[Capture]:
        return [capture for capture in (self._stdout, self._stderr) if capture is not None and capture.open]

    def _feed(self) -> None:
        stdin = self._stdin
        if stdin is None:
            return
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(stdin.fileno(), self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            pass  # a child need not read its input
        self._close_stdin(stdin)

    def _close_stdin(self, stdin: IO[bytes]) -> None:
        # Let go first: an exception of a signal handler between the steps must not leave a closed file to close again.
        self._stdin = None
        self._unwatch(stdin.fileno())
        stdin.close()

    def _read(self, capture: Capture) -> None:
        if capture.read() != 0:
            if not self._judged and capture is self._stdout:
                self._judge(capture)
            return
        self._close_capture(capture)
        if not self._captures():
            if self._phase == "draining":
                self._finish()
            elif self._phase == "terminating" and self._exited:
                self._kill()

    def _judge(self, capture: Capture) -> None:
        line = capture.first_line()
        if line is not None and self.spawn.detach_on is not None:
            self._judged = True
            self.detached = self.spawn.detach_on(line)

    def _close_capture(self, capture: Capture) -> None:
        self._unwatch(capture.fd)
        capture.close()

    def _unwatch(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            self.forget(fd)

    def _look(self) -> None:
        """Notice the child's own exit. It stays a zombie, and the group id its own, until `_finish`."""
        if self._exited or not has_exited(self._process.pid):
            return
        self._exited = True
        self._close_pidfd()
        if self._phase == "running":
            if self.spawn.kill.after_exit:
                signal_group(self._process.pid, signal.SIGKILL)
            self._phase = "draining"
            self._deadline = self._monotonic() + self._drain
            for capture in self._captures():
                if capture.drain():
                    self._close_capture(capture)
            if not self._captures():
                self._finish()
        elif self._phase == "terminating" and not self._captures():
            # The rest of the grace is for members of the group that still hold a pipe; of others nothing is known.
            self._kill()

    def _close_pidfd(self) -> None:
        pidfd, self._pidfd = self._pidfd, -1
        if pidfd >= 0:
            self._unwatch(pidfd)
            os.close(pidfd)

    def _due(self, now: float) -> None:
        if self._phase == "running":
            self._look()  # it may have exited in the very moment of its deadline
            if not self._exited:
                self._stop("timed_out")
        elif self._phase == "draining":
            self._finish()
        elif self._phase == "terminating":
            self._kill()
        else:
            self._hunt(now)

    def _stop(self, state: Literal["timed_out", "cancelled"]) -> None:
        self._stopped = state
        grace = self.spawn.kill.grace
        if grace is None:
            self._kill()
            return
        signal_group(self._process.pid, signal.SIGTERM)
        self._phase = "terminating"
        self._deadline = self._monotonic() + grace

    def _kill(self) -> None:
        signal_group(self._process.pid, signal.SIGKILL)
        self._phase = "killing"
        self._deadline = self._monotonic()
        self._give_up = self._deadline + self.spawn.reap

    def _hunt(self, now: float) -> None:
        self._quiet = 0 if kill_carriers(self._mark) else self._quiet + 1
        if (self._exited and self._quiet >= QUIET_PASSES) or now >= self._give_up:
            self._finish()
        else:
            self._deadline = now + PASS

    def _finish(self) -> None:
        stopped = self._phase == "killing"
        held = False
        for capture in self._captures():
            held |= not capture.drain()
            self._close_capture(capture)
        if self._stdin is not None:
            self._close_stdin(self._stdin)
        self._close_pidfd()
        pid = self._process.pid
        gone, status = reap(pid)
        if not gone:
            reap_later(pid)
        self._process.returncode = status or 0  # whatever it was: Popen must not wait for it any more
        self._phase = "ended"
        self.ended = Ended(
            state=self._stopped if stopped else "exited",
            exit_code=status if status is not None and status >= 0 and not stopped else None,
            signal=-status if status is not None and status < 0 else None,
            stdout=self._stdout.text() if self._stdout is not None else "",
            stderr=self._stderr.text() if self._stderr is not None else "",
            stdout_cut=self._stdout is not None and self._stdout.cut,
            stderr_cut=self._stderr is not None and self._stderr.cut,
            pipes_held=held,
            duration=self._monotonic() - self._started,
            killed=stopped,
            confirmed=gone and (not stopped or self._quiet >= QUIET_PASSES),
        )


def _forget_nothing(fd: int) -> None:
    """A driver that asks for `interest` each time needs no notice."""
