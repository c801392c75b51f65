"""An asyncio event loop in a thread of its own, for awaitables of programs that have none."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")

_PATIENCE = 5.0  # seconds that cancelled awaitables may take to end when the loop is closed


class LoopThread:
    """One loop that lasts until `close`: what an awaitable opens (a session, a connection) serves the next one too."""

    __slots__ = ("_loop", "_started", "_stop", "_thread")

    _loop: asyncio.AbstractEventLoop
    _stop: asyncio.Event

    def __init__(self) -> None:
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hookfw-loop", daemon=True)
        self._thread.start()
        self._started.wait()

    def submit(self, awaitable: Awaitable[T], deliver: Callable[[Callable[[], T]], None]) -> Callable[[], object]:
        """
        Await `awaitable` on the loop; returns what cancels it.

        `deliver` is called, in another thread, with a callable that returns the result or raises the error.
        """
        future = asyncio.run_coroutine_threadsafe(_as_coroutine(awaitable), self._loop)
        future.add_done_callback(lambda done: deliver(done.result))
        return future.cancel

    def close(self) -> None:
        """Cancel what still runs and end the thread."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._started.set()
        await self._stop.wait()


async def _as_coroutine(awaitable: Awaitable[T]) -> T:
    return await awaitable
