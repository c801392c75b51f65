"""
The contract of a driver: how waiting is done.

Firing is written once, as coroutines that wait for nothing but a driver. On an event loop the driver is an adapter of the
loop; without one it is a trampoline. This module and the blocking driver import no event loop.
"""

from __future__ import annotations

import contextvars
import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence
    from typing import NoReturn

    from hookfw.process import Child, Ended

T = TypeVar("T")


class Driver(ABC):
    """Carries children, Python handlers and background work. What is cancelled is killed and reaped first."""

    @abstractmethod
    async def wait(self, child: Child) -> Ended | None:
        """
        The facts of `child`, which is started if it was not. Cancellation ends and reaps it.

        `None` when the child asked to go on in the background (`Child.detached`): it runs on, and has to be waited for
        again, by whoever carries it there.
        """

    @abstractmethod
    async def gather(self, tasks: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Run `tasks` interleaved. If one raises, the others are cancelled and awaited; then its error is raised."""

    @abstractmethod
    async def call(self, awaitable: Awaitable[T], timeout: float) -> T:
        """
        The result of an awaitable of this process, which may need an asyncio event loop.

        Raises:
            TimeoutError: after `timeout` seconds; the awaitable is cancelled.
        """

    @abstractmethod
    async def in_thread(self, function: Callable[[], T], timeout: float) -> T:
        """
        The result of a blocking function, called in a daemon thread of its own.

        Raises:
            TimeoutError: after `timeout` seconds. A thread cannot be ended: its late result is dropped.
        """

    @abstractmethod
    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """
        Run `work` in the background.

        Raises:
            RuntimeError: it cannot be started: no running event loop, no further thread.
        """

    @abstractmethod
    async def join(self, timeout: float | None) -> bool:
        """Wait until all that was spawned has ended, at most `timeout` seconds. Returns whether it has."""

    @abstractmethod
    def cancel_spawned(self) -> None:
        """Cancel all that was spawned; `join` waits until it has ended."""

    def close(self) -> None:
        """Give up what the driver itself holds. Cancel and join first what was spawned."""
        return


def call_in_thread(function: Callable[[], T], deliver: Callable[[Callable[[], T]], None]) -> None:
    """
    Call `function` in a daemon thread of its own, with the context variables of the caller.

    `deliver` is called in that thread with a callable that returns the function's result or raises its error.
    """
    context = contextvars.copy_context()

    def work() -> None:
        try:
            result = context.run(function)
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
            deliver(_raiser(error))
        else:
            deliver(lambda: result)

    threading.Thread(target=work, name="hookfw-handler", daemon=True).start()


def _raiser(error: BaseException) -> Callable[[], NoReturn]:
    def raise_it() -> NoReturn:
        raise error

    return raise_it
