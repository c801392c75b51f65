"""Where background runs are carried out: the contract of an executor, and the local bounded queue."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw.hookspecs import hookimpl

if TYPE_CHECKING:
    from hookfw.dialect import Queue
    from hookfw.drivers.driver import Driver

Job = Callable[[], Coroutine[Any, Any, None]]
"""Makes the coroutine of one background run; called when its turn has come."""


class Executor(ABC):
    """Carries out background runs. Nobody waits for them, so nothing here may block."""

    @abstractmethod
    def submit(self, job: Job) -> str | None:
        """Take `job` over. Returns `None`, or the reason why it is refused, for people."""

    @abstractmethod
    async def join(self, timeout: float | None) -> bool:
        """Wait until all accepted jobs have ended, at most `timeout` seconds. Returns whether they have."""

    @abstractmethod
    def close(self) -> int:
        """Refuse further jobs and forget those that have not begun; returns how many that were."""


class ExecutorInfo(NamedTuple):
    """
    A light description of an executor.

    Attributes:
        name: as the configuration spells it.
        make: makes one for a driver, with the places and workers that a dialect's ecosystem has.
    """

    name: str
    make: Callable[[Driver, Queue], Executor]


class BackgroundQueue(Executor):
    """
    A bounded queue, first in, first out, and the few workers that empty it.

    Bounded, so that hooks which hang cannot pile up behind an agent that goes on firing. Workers start when there is
    work and end when there is none. May be used from several threads.
    """

    def __init__(self, driver: Driver, places: int | None = 32, workers: int = 2) -> None:
        """`places`: jobs that may wait, beside those at work (`None`: any number); `workers`: jobs at work at most."""
        self._driver = driver
        self._places = places
        self._workers = workers
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._working = 0
        self._closed = False

    def submit(self, job: Job) -> str | None:
        """See `Executor.submit`."""
        with self._lock:
            if self._closed:
                return "executor is closed"
            if self._working == self._workers:
                if self._places is not None and len(self._waiting) >= self._places:
                    return "queue is full"
                self._waiting.append(job)
                return None
            self._working += 1
        try:
            self._driver.spawn(self._work(job))
        except RuntimeError as error:
            with self._lock:
                self._working -= 1
            return f"no worker can be started: {error}"
        return None

    async def join(self, timeout: float | None) -> bool:
        """See `Executor.join`. Waits for all that the driver carries in the background, not this queue alone."""
        return await self._driver.join(timeout)

    def close(self) -> int:
        """See `Executor.close`. Jobs at work go on; the driver's `cancel_spawned` ends them."""
        with self._lock:
            self._closed = True
            forgotten = len(self._waiting)
            self._waiting.clear()
        return forgotten

    async def _work(self, job: Job | None) -> None:
        try:
            while job is not None:
                try:
                    await job()
                except Exception:
                    import logging  # noqa: PLC0415 - only a job that is broken itself gets here

                    logging.getLogger(__name__).exception("A background job failed; the others go on.")
                job = self._next()
        except BaseException:
            with self._lock:
                self._working -= 1
            raise

    def _next(self) -> Job | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._working -= 1  # under the lock that `submit` takes: no job is left behind without a worker
            return None


@hookimpl
def register_executors() -> Iterable[ExecutorInfo]:
    """The local queue."""
    return [ExecutorInfo(name="local", make=lambda driver, queue: BackgroundQueue(driver, queue.places, queue.workers))]
