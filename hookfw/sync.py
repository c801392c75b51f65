"""The supervisor with plain calls, for programs without an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from hookfw.base_supervisor import BaseSupervisor
from hookfw.drivers.blocking import BlockingDriver
from hookfw.outcome import NO_OUTCOME, Outcome

if TYPE_CHECKING:
    from hookfw.agent import NativeAnswer, NativeCall
    from hookfw.dialect import Delivery
    from hookfw.events import Event
    from hookfw.hooks import Hook
    from hookfw.modes.native import Told


class SyncSupervisor(BaseSupervisor):
    """
    As `Supervisor`, with plain calls.

    with hookfw.open_sync(workspace=".") as hooks:
        outcome = hooks.fire(event)

    Foreground hooks are supervised in the calling thread; background hooks in threads that end with them.
    """

    _own_driver: BlockingDriver | None = None

    def fire(self, event: Event) -> Outcome:
        """
        Fire `event` at every hook that applies, wait for them and give one outcome.

        Hooks that fail never raise. A `KeyboardInterrupt` kills and reaps what runs. Raises `ClosedError` after `close`.
        """
        prepared = self.prepare(event)
        if prepared is None and not self._watches_events and not self._background.delivers:
            return NO_OUTCOME
        return self._driver().run(self._fire(prepared, event))

    def fire_native(self, call: NativeCall, told: Told | None = None) -> NativeAnswer:
        """
        Fire what an agent's own call announces, at every hook of every active dialect, and answer in the agent's own form.

        The agent is that of the compatibility mode. What its form cannot say is said in the nearest form that is no
        weaker; each such thing is a diagnostic of the code `degraded`, for observers and for `told`, which is called once
        with the event and the outcome. Raises `ConfigurationError` without a mode, `EventError` for a call that names no
        event or cannot be read, `ClosedError` after `close`.
        """
        return self._driver().run(self._fire_native(call, told))

    def fire_hook(self, hook: Hook, event: Event) -> Outcome:
        """Run one hook alone, whatever its matcher. Raises `HookfwError` when `event` is not its own, `TrustError` without consent."""
        return self._driver().run(self._fire_hook(hook, event))

    def deliveries(self) -> list[Delivery]:
        """What background runs gave since the last call, for an agent that does not wait for the next outcome."""
        return self._background.take_deliveries()

    def submit(self, event: Event) -> bool:
        """Queue an event nobody waits for; false when the queue is full, which `late_diagnostics` reports."""
        return self._submit(event)

    def join_background(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds for background runs and submitted events; true when none is left."""
        return self._driver().run(self._join(timeout))

    def end_background(self) -> None:
        """Wait for background runs as the end of a session does; where their ecosystem kills them then, they are killed."""
        self._driver().run(self._end())

    def close(self, timeout: float | None = None) -> None:
        """Wait up to `timeout` seconds (default: as opened) for background runs, then kill them; leaves nothing behind."""
        self._driver().run(self._close(timeout))
        self._driver().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _driver(self) -> BlockingDriver:
        if self._own_driver is None:
            self._own_driver = BlockingDriver()
        return self._own_driver
