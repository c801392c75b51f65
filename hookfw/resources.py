"""What handler types share and keep for the life of a supervisor."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from hookfw.drivers.driver import Driver
    from hookfw.host import Host
    from hookfw.requests import AgentClient, ModelClient, ToolCaller
    from hookfw.settings import Settings

CLOSING = 5.0
"""Seconds that each kept thing has to close."""


class Closable(Protocol):
    """Something that is kept: a session, a connection."""

    async def close(self) -> None:
        """Give up what it holds, on the event loop it was used on. Called again when closing was interrupted."""


T = TypeVar("T", bound=Closable)


class Resources:
    """
    What handler types share and keep for the life of a supervisor.

    Attributes:
        host: the plugins.
        settings: hookfw's own configuration.
        environ: the environment that hooks inherit.
        model_client: handed in by the embedding program.
        agent_client: likewise.
        tool_caller: likewise.
    """

    __slots__ = ("_kept", "agent_client", "environ", "host", "model_client", "settings", "tool_caller")

    def __init__(
        self,
        *,
        host: Host,
        settings: Settings,
        environ: Mapping[str, str],
        model_client: ModelClient | None = None,
        agent_client: AgentClient | None = None,
        tool_caller: ToolCaller | None = None,
    ) -> None:
        self.host = host
        self.settings = settings
        self.environ = environ
        self.model_client = model_client
        self.agent_client = agent_client
        self.tool_caller = tool_caller
        self._kept: dict[Hashable, Any] = {}

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """
        What is kept under `key`, made on the first call; closed with the supervisor.

        A supervisor awaits everything on one event loop (its program's, or a private one), so what is kept may belong to it:
        call this in what is handed to `Driver.call`.
        """
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = make()
        return cast("T", found)

    def forget(self, key: Hashable, kept: Closable) -> None:
        """Keep `kept` no longer, unless another one has taken its place; whoever calls closes it first."""
        if self._kept.get(key) is kept:
            del self._kept[key]

    async def close(self, driver: Driver) -> None:
        """
        Close all that is kept, at once; what fails or takes too long to close is left behind.

        Closing that is interrupted can be done again.
        """

        async def close_one(key: Hashable, kept: Closable) -> None:
            with contextlib.suppress(Exception):
                await driver.call(kept.close(), CLOSING)
            self.forget(key, kept)

        if self._kept:
            await driver.gather([close_one(key, kept) for key, kept in tuple(self._kept.items())])
