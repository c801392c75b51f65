"""Which tool calls of a session may run beside each other: all, but those that must run alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from types import MappingProxyType


class Lane:
    """Calls pass side by side; one that must run alone waits for those before it and holds up those behind it."""

    __slots__ = ("_gate", "_quiet", "_running")

    def __init__(self) -> None:
        self._gate = asyncio.Lock()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._running = 0

    @asynccontextmanager
    async def taken(self, *, alone: bool) -> AsyncIterator[None]:
        """Wait for the turn of a call, and hold it."""
        async with self._gate:
            if alone:
                await self._quiet.wait()
                yield
                return
            self._running += 1
            self._quiet.clear()
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._quiet.set()


class Lanes:
    """
    The lanes of one session.

    A call that another one makes while it runs (a sub-agent's) has its turn with that one: it waits only for calls of the
    same caller, else it would wait for the one that waits for it.
    """

    __slots__ = ("_outermost",)

    def __init__(self) -> None:
        self._outermost = Lane()

    @asynccontextmanager
    async def taken(self, *, alone: bool) -> AsyncIterator[None]:
        """Wait for the turn of a call, and hold it."""
        around = _AROUND.get()
        async with around.get(self, self._outermost).taken(alone=alone):
            inside = _AROUND.set({**around, self: Lane()})
            try:
                yield
            finally:
                _AROUND.reset(inside)


_AROUND: ContextVar[Mapping[Lanes, Lane]] = ContextVar("_AROUND", default=MappingProxyType({}))
"""For each session, the lane of the call that is around the running code."""
