"""What nobody waits for: background runs, submitted events, and what they leave to be told later."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hookfw.diagnostics import Diagnostic
from hookfw.errors import ConfigurationError
from hookfw.merge import REFUSABLE

if TYPE_CHECKING:
    from hookfw.background import Executor
    from hookfw.dialect import Delivery, Queue
    from hookfw.drivers.driver import Driver
    from hookfw.host import Host
    from hookfw.outcome import Outcome, Run

OBSERVER_PLACES = 32
"""Events that wait to be fired; two are at work besides."""


HEARD = REFUSABLE | {"post_tool_use", "post_tool_use_failure", "post_tool_batch"}
"""Events whose outcome an agent reads for the model: with them late results are delivered."""


def with_deliveries(outcome: Outcome, deliveries: Sequence[Delivery]) -> Outcome:
    """The outcome with what background runs of the session gave meanwhile, before its own texts."""
    if not deliveries:
        return outcome
    return replace(
        outcome,
        context=(*(text for item in deliveries for text in item.context), *outcome.context),
        messages=(*(text for item in deliveries for text in item.messages), *outcome.messages),
        feedback=(*(text for item in deliveries for text in item.feedback), *outcome.feedback),
        diagnostics=(*(note for item in deliveries for note in item.diagnostics), *outcome.diagnostics),
    )


class BackgroundWork:
    """
    The two queues of a supervisor: one for background runs, one for events that were submitted.

    Background runs are carried out by the executor the person chose. Submitted events are fired here: they are the
    supervisor's own work.
    """

    __slots__ = (
        "_driver",
        "_executor_name",
        "_graces",
        "_host",
        "_inbox",
        "_late",
        "_observers",
        "_runs",
        "_watchers",
    )

    def __init__(self, host: Host, executor_name: str, driver: Callable[[], Driver]) -> None:
        """`driver` is asked for when something is submitted first."""
        self._host = host
        self._executor_name = executor_name
        self._driver = driver
        self._runs: dict[Queue, Executor] = {}
        self._graces: set[float | None] = set()
        self._observers: Executor | None = None
        self._late: list[Diagnostic] = []
        self._inbox: list[Delivery] = []
        self._watchers: list[Callable[[], None]] = []

    def submit_run(self, job: Callable[[], Coroutine[Any, Any, None]], queue: Queue) -> str | None:
        """Queue a background run; the reason when it is refused. Raises `ConfigurationError` without an executor."""
        runs = self._runs.get(queue)
        if runs is None:
            info = self._host.executors.get(self._executor_name)
            if info is None:
                message = (
                    f"There is no executor named {self._executor_name!r}: set `executor` to one that is installed."
                )
                raise ConfigurationError(message)
            runs = self._runs[queue] = info.make(self._driver(), queue)
        self.note_grace(queue)
        return runs.submit(job)

    def note_grace(self, queue: Queue) -> None:
        """A run of an ecosystem with this queue is at work: the end of the session gives it its grace."""
        self._graces.add(queue.grace)

    def submit_event(self, kind: str, job: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """Queue an event; false, with a late diagnostic, when it is refused."""
        if self._observers is None:
            from hookfw.background import BackgroundQueue  # noqa: PLC0415 - only where events are submitted

            self._observers = BackgroundQueue(self._driver(), places=OBSERVER_PLACES, workers=2)
            self._graces.add(None)
        refused = self._observers.submit(job)
        if refused is not None:
            text = f"The event {kind} was not submitted: the observer {refused}; it is not tried again."
            self._late.append(Diagnostic("event-refused", "error", text))
        return refused is None

    def note(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep what background work gave until somebody asks."""
        self._late += diagnostics

    def note_run(self, run: Run, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep what a background run gave, and that it did not end well."""
        self._late += diagnostics
        if run.status != "completed":
            text = (
                f"The background hook {run.name!r} of {run.event} did not end well: "
                f"{run.error or run.status.replace('_', ' ')}."
            )
            self._late.append(Diagnostic("background-failed", "warning", text, hook=run.name))

    def take_late(self) -> list[Diagnostic]:
        """What was kept since the last call."""
        late, self._late = self._late, []
        return late

    @property
    def delivers(self) -> bool:
        """Something waits for the next outcome."""
        return bool(self._inbox)

    def deliver(self, delivery: Delivery) -> None:
        """Put what a background run gave into the inbox, and wake whoever waits for it."""
        self._inbox.append(delivery)
        for wake in self._watchers:
            wake()

    def take_deliveries(self) -> list[Delivery]:
        """What came into the inbox since the last call."""
        taken, self._inbox = self._inbox, []
        return taken

    @contextlib.contextmanager
    def watching(self, wake: Callable[[], None]) -> Iterator[None]:
        """Have `wake` called whenever something comes, and when all of it ends."""
        self._watchers.append(wake)
        try:
            yield
        finally:
            self._watchers.remove(wake)

    async def join(self, timeout: float | None) -> bool:
        """Wait up to `timeout` seconds for all of it; true when nothing is left."""
        end = None if timeout is None else time.monotonic() + timeout
        joined = True
        for executor in self._executors():
            left = None if end is None else max(0.0, end - time.monotonic())
            joined = await executor.join(left) and joined
        # A run that went to the background by itself belongs to no queue.
        left = None if end is None else max(0.0, end - time.monotonic())
        return await self._driver().join(left) and joined

    async def end(self) -> None:
        """Wait for all of it as the end of a session does, and kill what the ecosystem then kills."""
        await self._end(None)

    async def _end(self, timeout: float | None) -> None:
        graces = {timeout if grace is None else grace for grace in self._graces}
        limit = None if None in graces else max((grace for grace in graces if grace is not None), default=timeout)
        if not await self.join(limit):
            text = f"Background hooks were still running {limit:g}s after the end of the session and were killed."
            self._late.append(Diagnostic("background-cut", "warning", text))
            driver = self._driver()
            driver.cancel_spawned()
            await driver.join(None)

    def _executors(self) -> list[Executor]:
        return [*([] if self._observers is None else [self._observers]), *self._runs.values()]

    async def close(self, timeout: float) -> None:
        """Wait up to `timeout` seconds for what there is, in the queues too, then kill it and say so; refuse new work."""
        await self._end(timeout)
        forgotten = sum(executor.close() for executor in self._executors())
        if forgotten:
            text = f"{forgotten} background hooks or submitted events were still in a queue at the end and did not run."
            self._late.append(Diagnostic("background-cut", "warning", text))
        for wake in self._watchers:
            wake()
