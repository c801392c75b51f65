"""
The driver on an asyncio event loop.

Children are watched through their descriptors: no thread for a child, and none of asyncio's child watchers, which cost
one on Python 3.11.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from hookfw.drivers.driver import Driver, T, call_in_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from hookfw.process import Child, Ended


class AsyncioDriver(Driver):
    """Waits on the running event loop. One driver serves one loop."""

    def __init__(self) -> None:
        self._spawned: set[asyncio.Task[None]] = set()

    async def wait(self, child: Child) -> Ended | None:
        """See `Driver.wait`."""
        pump = _Pump(child)
        let_go = False
        try:
            pump.start()
            ended = child.ended or await pump.done
            let_go = ended is None
        except asyncio.CancelledError:
            child.cancel()
            await pump.outlast()
            raise
        else:
            return ended
        finally:
            if let_go:
                pump.let_go()
            else:
                child.close()  # only a coroutine that was thrown away, or a broken loop, leaves anything to do here
            pump.disarm()

    async def gather(self, tasks: Sequence[Coroutine[Any, Any, None]]) -> None:
        """See `Driver.gather`."""
        if len(tasks) == 1:
            await tasks[0]
            return
        running = [asyncio.ensure_future(task) for task in tasks]
        try:
            await asyncio.gather(*running)
        except BaseException:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            raise

    async def call(self, awaitable: Awaitable[T], timeout: float) -> T:
        """See `Driver.call`."""
        async with asyncio.timeout(timeout):
            return await awaitable

    async def in_thread(self, function: Callable[[], T], timeout: float) -> T:
        """See `Driver.in_thread`."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Callable[[], T]] = loop.create_future()

        def settle(result: Callable[[], T]) -> None:
            if not answer.done():
                answer.set_result(result)

        def deliver(result: Callable[[], T]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits any more
                loop.call_soon_threadsafe(settle, result)

        call_in_thread(function, deliver)
        async with asyncio.timeout(timeout):
            result = await answer
        return result()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """See `Driver.spawn`."""
        try:
            task = asyncio.get_running_loop().create_task(work)
        except RuntimeError:
            work.close()
            raise
        self._spawned.add(task)
        task.add_done_callback(self._spawned.discard)

    async def join(self, timeout: float | None) -> bool:
        """See `Driver.join`."""
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        while others := self._spawned - {asyncio.current_task()}:
            left = None if end is None else end - loop.time()
            if left is not None and left <= 0:
                return False
            await asyncio.wait(others, timeout=left)
        return True

    def cancel_spawned(self) -> None:
        """See `Driver.cancel_spawned`."""
        for task in tuple(self._spawned):
            task.cancel()


class _Pump:
    """
    Carries one child on the running loop.

    Attributes:
        done: the facts, when the child has ended.
    """

    __slots__ = ("_child", "_due", "_loop", "_timer", "_writing", "done")

    def __init__(self, child: Child) -> None:
        self._child = child
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._due: float | None = None
        self._writing = -1
        self.done: asyncio.Future[Ended | None] = self._loop.create_future()

    def start(self) -> None:
        """Start the child if need be and watch it."""
        child = self._child
        child.forget = self._forget
        if not child.started:
            child.start()
        for fd, direction in child.interest():
            if direction == "w":
                self._writing = fd
                self._loop.add_writer(fd, self._ready, fd)
            else:
                self._loop.add_reader(fd, self._ready, fd)
        self._arm()

    async def outlast(self) -> None:
        """Wait until the child has ended, whoever cancels: its deadlines bound that."""
        while self._child.ended is None:
            self.done = self._loop.create_future()
            self._arm()
            with contextlib.suppress(asyncio.CancelledError):
                await self.done

    def let_go(self) -> None:
        """Stop watching a child that goes on in the background."""
        for fd, _ in self._child.interest():
            self._forget(fd)
        self._child.detached = False

    def disarm(self) -> None:
        """Drop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = self._due = None

    def _forget(self, fd: int) -> None:
        if fd == self._writing:
            self._writing = -1
            self._loop.remove_writer(fd)
        else:
            self._loop.remove_reader(fd)

    def _ready(self, fd: int) -> None:
        self._child.ready(fd)
        self._arm()

    def _tick(self) -> None:
        self._timer = self._due = None
        self._child.tick()
        self._arm()

    def _arm(self) -> None:
        ended = self._child.ended
        if ended is not None or self._child.detached:
            self.disarm()
            if not self.done.done():
                self.done.set_result(ended)
            return
        due = self._child.deadline()
        if due == self._due:
            return
        self.disarm()
        self._due = due
        if due is not None:
            self._timer = self._loop.call_later(self._child.remaining() or 0.0, self._tick)
