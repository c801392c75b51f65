"""
A trampoline: runs coroutines that wait for children, for other threads and for each other, over one `poll`.

A coroutine suspends by yielding what it waits for: a `Child`, a `Pending` or a `Group`. The trampoline resumes it with the
result. Whatever interrupts it (a signal that raises, `cancel`), children are ended and reaped before the coroutines are
closed and the interrupt goes on its way.
"""

from __future__ import annotations

import contextlib
import math
import select
import time
import types
from collections import deque
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hookfw.drivers.bell import Bell
from hookfw.drivers.interrupts import Interrupts
from hookfw.process import Child

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence

T = TypeVar("T")

LONGEST = 1.0
"""
Seconds of one sleep at most. A signal that comes just before the system begins to wait does not end the wait: only with the next
step of Python its handler is called.
"""


class Cancelled(BaseException):
    """Raised by `Trampoline.run` after `Trampoline.cancel`; like `KeyboardInterrupt`, not for `except Exception`."""


class Pending(Generic[T]):
    """
    A result that another thread delivers.

    Attributes:
        timeout: seconds to wait, from the moment it is waited for; then `TimeoutError` is raised there.
        abandon: called when nobody waits any more.
        result: returns the result or raises its error; `None` until it was delivered.
        bell: wakes the trampoline that waits.
    """

    __slots__ = ("abandon", "bell", "result", "timeout")

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.abandon: Callable[[], object] = _nothing
        self.result: Callable[[], T] | None = None
        self.bell: Bell | None = None

    def deliver(self, result: Callable[[], T]) -> None:
        """Hand in the result; from any thread."""
        self.result = result  # before the bell is looked at: the waiting side does it the other way round
        if self.bell is not None:
            self.bell.ring()


class Group:
    """Coroutines that run interleaved; whoever waits for the group goes on when all have ended."""

    __slots__ = ("error", "left", "owner", "tasks")

    owner: Task

    def __init__(self, coroutines: Sequence[Coroutine[Any, Any, None]]) -> None:
        self.tasks = [Task(coroutine, self) for coroutine in coroutines]
        self.left = len(self.tasks)
        self.error: BaseException | None = None


class Task:
    """
    One coroutine on the trampoline.

    Attributes:
        coroutine: what runs.
        group: what it belongs to; `None` for the first one.
        waits_for: what it is suspended on.
        aborted: it is closed instead of resumed.
        done: it has ended.
    """

    __slots__ = ("aborted", "coroutine", "done", "group", "waits_for")

    def __init__(self, coroutine: Coroutine[Any, Any, Any], group: Group | None) -> None:
        self.coroutine = coroutine
        self.group = group
        self.waits_for: Child | Pending[Any] | Group | None = None
        self.aborted = False
        self.done = False


@types.coroutine
def suspend(on: Child | Pending[Any] | Group) -> Generator[Child | Pending[Any] | Group, Any, Any]:
    """Wait for `on`: the facts of a child, the delivered callable of a pending result, nothing for a group."""
    return (yield on)


class Trampoline:
    """Runs one coroutine, and those it gathers, in the calling thread. Used once."""

    __slots__ = (
        "_bell",
        "_cancellable",
        "_cancelled",
        "_children",
        "_error",
        "_interrupts",
        "_owners",
        "_pendings",
        "_poll",
        "_ready",
        "_result",
        "_tasks",
    )

    _poll: select.poll

    def __init__(self, *, cancellable: bool = False) -> None:
        """`cancellable`: `cancel` will be called. Until `run` it holds no descriptors."""
        self._cancellable = cancellable
        self._cancelled = False
        self._interrupts = Interrupts()
        self._bell: Bell | None = None
        self._children: dict[Child, Task] = {}
        self._owners: dict[int, Child] = {}
        self._pendings: dict[Pending[Any], tuple[float, Task]] = {}
        self._tasks: dict[Task, None] = {}
        self._ready: deque[tuple[Task, Any, BaseException | None]] = deque()
        self._result: Any = None
        self._error: BaseException | None = None

    def run(self, coroutine: Coroutine[Any, Any, T], on: Child | Pending[Any] | Group | None = None) -> T:
        """
        The result of `coroutine`; its error is raised.

        `on`: what it waits for, where it has begun already.

        Raises:
            Cancelled: `cancel` was called.
        """
        root = Task(coroutine, None)
        with self._interrupts:
            self._poll = select.poll()
            try:
                if on is None:
                    self._enter(root)
                else:
                    self._tasks[root] = None
                    root.waits_for = on
                    self._wait(root, on)
                if self._cancellable:
                    self._hang_bell()
                while not root.done:
                    self._turn()
            except BaseException:
                self._break_off()
                raise
            finally:
                if self._bell is not None:
                    self._bell.close()
        if self._error is not None:
            raise self._error
        result: T = self._result
        return result

    def cancel(self) -> None:
        """Interrupt `run`, from any thread."""
        self._cancelled = True  # before the bell is looked at: `run` hangs it before it looks here
        if self._bell is not None:
            self._bell.ring()

    def _turn(self) -> None:
        while self._ready and not self._cancelled:
            self._step(*self._ready.popleft())
        if self._cancelled:
            raise Cancelled
        if not self._tasks:
            return
        now = time.monotonic()
        dues = [now if pending.result is not None else due for pending, (due, _) in self._pendings.items()]
        self._pump(self._children, min(dues, default=now + LONGEST) - now)
        for child in [child for child in self._children if child.ended is not None or child.detached]:
            if child.ended is None:
                self._let_go(child)
            self._ready.append((self._children.pop(child), child.ended, None))
        self._collect(time.monotonic())

    def _pump(self, children: Iterable[Child], longest: float) -> None:
        """Sleep until something is ready or due, `longest` seconds at most, and let the children go on."""
        waits = [left for child in children if (left := child.remaining()) is not None]
        self._interrupts.admit()
        try:
            found = self._poll.poll(math.ceil(min([longest, LONGEST, *waits]) * 1000))
        finally:
            self._interrupts.refuse()
        for fd, _ in found:
            child = self._owners.get(fd)
            if child is not None:
                child.ready(fd)
            elif self._bell is not None and fd == self._bell.fd:
                self._bell.hush()
        for child in children:
            if child.remaining() == 0.0:
                child.tick()

    def _collect(self, now: float) -> None:
        """Resume those whose result another thread has delivered, or whose time is up."""
        for pending, (due, task) in tuple(self._pendings.items()):
            if pending.result is not None:
                self._ready.append((task, pending.result, None))
            elif due <= now:
                pending.abandon()
                self._ready.append((task, None, TimeoutError()))
            else:
                continue
            del self._pendings[pending]

    def _step(self, task: Task, value: object, error: BaseException | None) -> None:
        """Resume `task` with a value or an error, or close it where it was aborted."""
        task.waits_for = None
        try:
            if task.aborted:
                task.coroutine.close()
                self._leave(task, None, None)
                return
            self._interrupts.admit()
            on = task.coroutine.send(value) if error is None else task.coroutine.throw(error)
        except StopIteration as stop:
            self._interrupts.refuse()
            self._leave(task, stop.value, None)
        except BaseException as problem:  # noqa: BLE001 - it is raised where the task is waited for
            self._interrupts.refuse()
            task.coroutine.close()  # an interrupt may have come just before it began, or just after it yielded
            self._leave(task, None, problem)
        else:
            self._interrupts.refuse()
            task.waits_for = on
            self._wait(task, on)

    def _wait(self, task: Task, on: Child | Pending[Any] | Group) -> None:
        if isinstance(on, Child):
            self._watch(task, on)
        elif isinstance(on, Pending):
            on.bell = self._bell or self._hang_bell()
            self._pendings[on] = (time.monotonic() + on.timeout, task)
        else:
            on.owner = task
            for member in on.tasks:
                self._enter(member)
            if not on.tasks:
                self._ready.append((task, None, None))

    def _hang_bell(self) -> Bell:
        self._bell = bell = Bell()
        self._poll.register(bell.fd, select.POLLIN)
        return bell

    def _watch(self, task: Task, child: Child) -> None:
        self._children[child] = task  # first of all: an interrupt from here on finds it
        child.forget = self._forget
        if not child.started:
            child.start()
        for fd, direction in child.interest():
            self._owners[fd] = child
            self._poll.register(fd, select.POLLOUT if direction == "w" else select.POLLIN)
        if child.ended is not None:
            self._ready.append((self._children.pop(child), child.ended, None))

    def _let_go(self, child: Child) -> None:
        """Stop watching a child that goes on in the background."""
        for fd, _ in child.interest():
            self._forget(fd)
        child.detached = False

    def _forget(self, fd: int) -> None:
        del self._owners[fd]
        self._poll.unregister(fd)

    def _enter(self, task: Task) -> None:
        self._tasks[task] = None
        self._ready.append((task, None, None))

    def _leave(self, task: Task, value: object, error: BaseException | None) -> None:
        """Note the end of `task`; the last of a group resumes whoever waits for it."""
        task.done = True
        del self._tasks[task]
        group = task.group
        if group is None:
            self._result, self._error = value, error
            return
        group.left -= 1
        if error is not None and group.error is None:
            group.error = error
            for member in group.tasks:
                self._abort(member)
        if not group.left:
            self._ready.append((group.owner, None, group.error))

    def _abort(self, task: Task) -> None:
        """Have `task` closed as soon as what it waits for has ended."""
        if task.done or task.aborted:
            return
        task.aborted = True
        on = task.waits_for
        if isinstance(on, Child):
            on.cancel()
        elif isinstance(on, Group):
            for member in on.tasks:
                self._abort(member)
        elif isinstance(on, Pending) and self._pendings.pop(on, None) is not None:
            on.abandon()
            self._ready.append((task, None, None))

    def _break_off(self) -> None:
        """End and reap all children, then close all coroutines, those that were begun last first."""
        children = [child for child in self._children if child.started]
        try:
            for child in children:
                child.cancel()
            while running := [child for child in children if child.ended is None]:
                self._pump(running, LONGEST)
        finally:
            for child in children:
                child.close()  # a second interrupt came: no grace any more
            for pending in self._pendings:
                pending.abandon()
            for task in reversed(self._tasks):
                with contextlib.suppress(Exception):  # the interrupt that is under way is what the caller sees
                    task.coroutine.close()


def _nothing() -> None:
    """A result of a thread: it cannot be abandoned, only not be used."""
