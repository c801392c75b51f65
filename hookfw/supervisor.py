"""The supervisor for asynchronous programs, and the door to the one for plain programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, Unpack

from hookfw.base_supervisor import BaseSupervisor
from hookfw.outcome import NO_OUTCOME, Outcome

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from hookfw.agent import NativeAnswer, NativeCall
    from hookfw.dialect import Delivery
    from hookfw.drivers.driver import Driver
    from hookfw.events import Event
    from hookfw.hooks import Hook
    from hookfw.modes.native import Told
    from hookfw.opening import OpenOptions
    from hookfw.sync import SyncSupervisor


class Supervisor(BaseSupervisor):
    """
    The supervisor for asynchronous programs.

        async with Supervisor.open(workspace=".", mode="codewhale") as hooks:
            outcome = await hooks.fire(PreToolUse(tool_name="Bash", tool_input={"command": "rm -rf build"}))
    """

    _own_driver: Driver | None = None

    @classmethod
    def open(cls, **options: Unpack[OpenOptions]) -> Self:
        """Load every hook for a home and a workspace. See `OpenOptions`; raises as the constructor does."""
        return cls(**options)

    async def fire(self, event: Event) -> Outcome:
        """
        Fire `event` at every hook that applies, wait for them and give one outcome.

        Hooks that fail never raise: they are runs with a status, and diagnostics. Cancelling kills and reaps what runs.
        Raises `ClosedError` after `close`.
        """
        prepared = self.prepare(event)
        if prepared is None and not self._watches_events and not self._background.delivers:
            return NO_OUTCOME
        return await self._fire(prepared, event)

    async def fire_native(self, call: NativeCall, told: Told | None = None) -> NativeAnswer:
        """
        Fire what an agent's own call announces, at every hook of every active dialect, and answer in the agent's own form.

        The agent is that of the compatibility mode. What its form cannot say is said in the nearest form that is no
        weaker; each such thing is a diagnostic of the code `degraded`, for observers and for `told`, which is called once
        with the event and the outcome. Raises `ConfigurationError` without a mode, `EventError` for a call that names no
        event or cannot be read, `ClosedError` after `close`.
        """
        return await self._fire_native(call, told)

    async def fire_hook(self, hook: Hook, event: Event) -> Outcome:
        """Run one hook alone, whatever its matcher. Raises `HookfwError` when `event` is not its own, `TrustError` without consent."""
        return await self._fire_hook(hook, event)

    async def deliveries(self) -> AsyncIterator[Delivery]:
        """What background runs give, as it comes, for an agent that waits; ends when the supervisor is closed."""
        import asyncio  # noqa: PLC0415 - the loop is an adapter

        arrived = asyncio.Event()
        with self._background.watching(arrived.set):
            while not self._closed:
                arrived.clear()
                for delivery in self._background.take_deliveries():
                    yield delivery
                if not self._background.delivers:
                    await arrived.wait()

    async def submit(self, event: Event) -> bool:
        """Queue an event nobody waits for; false when the queue is full, which `late_diagnostics` reports."""
        return self._submit(event)

    async def join_background(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds for background runs and submitted events; true when none is left."""
        return await self._join(timeout)

    async def end_background(self) -> None:
        """Wait for background runs as the end of a session does; where their ecosystem kills them then, they are killed."""
        await self._end()

    async def close(self, timeout: float | None = None) -> None:
        """Wait up to `timeout` seconds (default: as opened) for background runs, then kill them; leaves nothing behind."""
        await self._close(timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def _driver(self) -> Driver:
        if self._own_driver is None:
            from hookfw.drivers.on_asyncio import AsyncioDriver  # noqa: PLC0415 - the loop is an adapter

            self._own_driver = AsyncioDriver()
        return self._own_driver


def open_sync(**options: Unpack[OpenOptions]) -> SyncSupervisor:
    """The same with plain calls, for programs without an event loop. Takes what `Supervisor.open` takes."""
    from hookfw.sync import SyncSupervisor  # noqa: PLC0415 - only where it is used

    return SyncSupervisor(**options)
