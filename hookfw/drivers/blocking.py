"""The driver for programs without an event loop: plain calls, one selector, no thread for a child."""

from __future__ import annotations

import threading
import time
from math import inf
from typing import TYPE_CHECKING, Any

from hookfw.drivers.driver import Driver, T, call_in_thread
from hookfw.drivers.trampoline import LONGEST, Cancelled, Group, Pending, Trampoline, suspend

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from hookfw.drivers.loop_thread import LoopThread
    from hookfw.process import Child, Ended


class BlockingDriver(Driver):
    """Waits in `run`, in the calling thread; several threads may be in it at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spawned: dict[threading.Thread, tuple[Trampoline, threading.Event]] = {}
        self._loop: LoopThread | None = None

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """
        The result of a coroutine that waits for nothing but this driver; its error is raised.

        Whatever interrupts it (`KeyboardInterrupt`) ends and reaps its children, closes its coroutines and is raised.
        """
        try:
            on = coroutine.send(None)
        except StopIteration as stop:
            result: T = stop.value  # it had nothing to wait for, so there was nothing to end either
            return result
        try:
            return Trampoline().run(coroutine, on)
        except BaseException:
            coroutine.close()  # an interrupt may have come just before the trampoline had it
            raise

    async def wait(self, child: Child) -> Ended | None:
        """See `Driver.wait`."""
        ended: Ended | None = await suspend(child)
        return ended

    async def gather(self, tasks: Sequence[Coroutine[Any, Any, None]]) -> None:
        """See `Driver.gather`."""
        await suspend(Group(tasks))

    async def call(self, awaitable: Awaitable[T], timeout: float) -> T:
        """See `Driver.call`. The awaitable runs on a private event loop that lasts until `close`."""
        pending: Pending[T] = Pending(timeout)
        pending.abandon = self._private_loop().submit(awaitable, pending.deliver)
        result: Callable[[], T] = await suspend(pending)
        return result()

    async def in_thread(self, function: Callable[[], T], timeout: float) -> T:
        """See `Driver.in_thread`."""
        pending: Pending[T] = Pending(timeout)
        call_in_thread(function, pending.deliver)
        result: Callable[[], T] = await suspend(pending)
        return result()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """See `Driver.spawn`. Each gets a daemon thread."""
        trampoline = Trampoline(cancellable=True)
        ended = threading.Event()

        def carry() -> None:
            try:
                trampoline.run(work)
            except Cancelled:
                return  # by `cancel_spawned`
            finally:
                ended.set()

        thread = threading.Thread(target=carry, name="hookfw-background", daemon=True)
        with self._lock:
            self._spawned = {known: its for known, its in self._spawned.items() if known.is_alive()}
            self._spawned[thread] = trampoline, ended
            try:
                thread.start()
            except RuntimeError:
                del self._spawned[thread]
                work.close()
                raise

    async def join(self, timeout: float | None) -> bool:
        """See `Driver.join`. The calling thread sleeps: coroutines gathered with this one stand still."""
        end = None if timeout is None else time.monotonic() + timeout
        here = threading.current_thread()
        while others := [(thread, ended) for thread, (_, ended) in tuple(self._spawned.items()) if thread is not here]:
            for thread, ended in others:
                # Not `Thread.join`: interrupted by a signal that raises, it takes a living thread for ended.
                while not ended.wait(min(LONGEST, inf if end is None else max(0.0, end - time.monotonic()))):
                    if end is not None and time.monotonic() >= end:
                        return False
                thread.join()
                with self._lock:
                    self._spawned.pop(thread, None)
        return True

    def cancel_spawned(self) -> None:
        """See `Driver.cancel_spawned`."""
        for trampoline, _ in tuple(self._spawned.values()):
            trampoline.cancel()

    def close(self) -> None:
        """See `Driver.close`: ends the private event loop."""
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.close()

    def _private_loop(self) -> LoopThread:
        with self._lock:
            if self._loop is None:
                from hookfw.drivers.loop_thread import LoopThread  # noqa: PLC0415 - most programs never need asyncio

                self._loop = LoopThread()
            return self._loop
