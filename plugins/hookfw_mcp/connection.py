"""
The session of one server: opened on the first call, shared by all, closed with the supervisor.

The client's scopes belong to the task that entered them, so one task opens the session, keeps it and closes it; calls come
from other tasks. A call that is given up is left behind where it does not end at once: nobody waits longer than asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Mapping
from typing import Any, Final

import anyio
from mcp import Client, MCPError
from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST, CallToolResult, Implementation

from hookfw import ServerSpec, __version__
from hookfw_mcp.http import http
from hookfw_mcp.limits import GOODBYE, LISTING, MESSAGE_LIMIT
from hookfw_mcp.stdio import stdio

# What the client logs goes where the program sends it, and nowhere else: a hook's trouble is a diagnostic.
logging.getLogger("mcp").addHandler(logging.NullHandler())

GIVEN_UP: Final = 0.2
"""Seconds in which a call that is given up must end; a session that does not let it go is of no use any more."""


class NotConnectedError(Exception):
    """Raised where there is no session; its text says why, in words that follow the server's name."""


class SessionLostError(Exception):
    """
    Raised for a call whose session ended under it; its text says why.

    Attributes:
        over: the server sent more than is read.
    """

    def __init__(self, why: str, *, over: bool) -> None:
        super().__init__(why)
        self.over = over


class Connection:
    """The session of one server. Belongs to the event loop it was made on."""

    def __init__(self, spec: ServerSpec, environ: Mapping[str, str], run_id: str) -> None:
        """`environ`: the environment that hooks inherit; `run_id` tells its process from all others."""
        self._spec = spec
        self._environ = environ
        self._run_id = run_id
        self._why = ""
        self._over = False
        self._ending = asyncio.Event()
        self._opened: asyncio.Future[Client | None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(), name=f"hookfw-mcp-{run_id}")
        self._left: set[asyncio.Task[CallToolResult]] = set()

    @property
    def usable(self) -> bool:
        """A call may be tried: it is being opened, or open."""
        return not self._ending.is_set() and not self._task.done()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """
        The answer of a tool.

        Raises `NotConnectedError` and `SessionLostError`, after which another connection has to be made, and what the
        client raises (`MCPError` for an error of the server).
        """
        client = self._opened.result() if self._opened.done() else await asyncio.shield(self._opened)
        if client is None:
            raise NotConnectedError(self._why)
        try:
            return await self._shared(client, tool, arguments)
        except MCPError as error:
            if not self._ends_session(error):
                raise
            self._lose("it ended the session")
            raise SessionLostError(self._why, over=self._over) from None

    async def has(self, tool: str) -> bool:
        """The server says that it has this tool, or does not say which ones it has."""
        client = self._opened.result() if self._opened.done() else None
        cursor: str | None = None
        with contextlib.suppress(Exception):  # it was asked only to tell one failure from another
            async with asyncio.timeout(LISTING):
                while client is not None:
                    listed = await client.list_tools(cursor=cursor)
                    if any(known.name == tool for known in listed.tools):
                        return True
                    cursor = listed.next_cursor
                    if not cursor:
                        return False
        return True

    async def close(self) -> None:
        """End the session and its server; returns when nothing is left of them."""
        self._ending.set()
        await asyncio.wait({self._task})

    async def _shared(self, client: Client, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """One call in a task of its own, which can be left where it does not end when it is cancelled."""
        task = asyncio.create_task(client.call_tool(tool, dict(arguments)))
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            self._left.add(task)
            task.add_done_callback(self._forget)
            await asyncio.wait({task}, timeout=GIVEN_UP)
            if not task.done():
                self._lose("it does not take messages any more")
            raise
        return task.result()

    def _forget(self, task: asyncio.Task[CallToolResult]) -> None:
        self._left.discard(task)
        if not task.cancelled():
            task.exception()

    def _ends_session(self, error: MCPError) -> bool:
        """The session is of no use after this error: it is closed, or the server knows it no more."""
        return (
            self._ending.is_set()
            or error.code == CONNECTION_CLOSED
            or (bool(self._spec.url) and error.code == INVALID_REQUEST)
        )

    def _lose(self, why: str) -> None:
        """End the session, for the first reason that is given."""
        self._why = self._why or why
        self._ending.set()

    def _flooded(self) -> None:
        self._over = True
        self._lose(f"it sent a message of more than {MESSAGE_LIMIT:,} bytes")

    async def _live(self) -> None:
        """Open the session, keep it until it ends or is ended, close it."""
        spec = self._spec
        if spec.url:
            streams = http(spec, self._flooded)
        else:
            streams = stdio(spec, self._environ, self._run_id, self._lose, self._flooded)
        client = Client(streams, client_info=Implementation(name="hookfw", version=__version__), cache=None)
        try:
            with anyio.fail_after(spec.startup_timeout) as bound:
                async with client:
                    bound.deadline = math.inf
                    self._opened.set_result(client)
                    await self._ending.wait()
                    bound.deadline = anyio.current_time() + GOODBYE
        except Exception as error:  # noqa: BLE001 - whatever it is, the calls that wait say it
            self._why = self._why or self._reason(error)
        finally:
            self._ending.set()
            if not self._opened.done():
                self._opened.set_result(None)
            for task in self._left:
                task.cancel()

    def _reason(self, error: Exception) -> str:
        """What went wrong, in words that follow the server's name and hold nothing that it wrote."""
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        match error:
            case TimeoutError():
                return f"it was not connected within {self._spec.startup_timeout:g}s"
            case FileNotFoundError():
                return "its command was not found"
            case PermissionError():
                return "its command may not be executed"
            case MCPError():
                return f"it refused the session with error {error.code}"
        return f"it could not be reached ({type(error).__name__})"
