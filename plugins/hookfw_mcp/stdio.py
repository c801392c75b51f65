"""
A server on standard input and output.

Its messages are read with a bound and without a thread. It is ended as the protocol says it: its input is closed, then it
is asked to end, then it is killed, whatever happens to the task that does it.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Final

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from hookfw import Lasting, ServerSpec
from hookfw_mcp.limits import HANG_UP, MESSAGE_LIMIT, REAP

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import TransportStreams

    Incoming = MemoryObjectSendStream[SessionMessage | Exception]
    Outgoing = MemoryObjectReceiveStream[SessionMessage]

INHERITED: Final = (
    "HOME",
    "HOOKFW_RUN",
    "LANG",
    "LC_ALL",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
)
"""What a server inherits of the variables that hooks inherit: no secret is handed to it that its configuration does not name."""

_CHUNK: Final = 65_536
_POLL: Final = 0.01
"""Seconds between two looks at a server that is to end."""


def environment(spec: ServerSpec, environ: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a server."""
    return {name: environ[name] for name in INHERITED if name in environ} | dict(spec.env)


@contextlib.asynccontextmanager
async def stdio(
    spec: ServerSpec,
    environ: Mapping[str, str],
    run_id: str,
    lost: Callable[[str], None],
    over: Callable[[], None],
) -> AsyncIterator[TransportStreams]:
    """
    Start a server; gives the streams of its messages.

    `lost` is called, with the reason, when nothing more can come from it; before that `over`, when it sent too much.
    Raises `OSError` and `ValueError` where it cannot be started.
    """
    server = Lasting((spec.command, *spec.args), environment(spec, environ), spec.cwd, run_id)
    try:
        incoming, to_session = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        # Without a bound, so that no call waits for a server that does not read.
        from_session, outgoing = anyio.create_memory_object_stream[SessionMessage](math.inf)
        async with incoming, to_session, from_session, outgoing, anyio.create_task_group() as tasks:
            tasks.start_soon(_read, server, incoming, lost, over)
            tasks.start_soon(_write, server, outgoing, lost)
            yield to_session, from_session
            tasks.cancel_scope.cancel()
    finally:
        await _end(server)


async def _read(server: Lasting, incoming: Incoming, lost: Callable[[str], None], over: Callable[[], None]) -> None:
    """Hand on every line that is a message; a line that is none is what some server prints, and passed over."""
    pending = bytearray()
    seen = 0
    async with incoming:
        while True:
            await anyio.wait_readable(server.stdout)
            try:
                data = os.read(server.stdout, _CHUNK)
            except BlockingIOError:
                continue
            if not data:
                break
            pending += data
            while (end := pending.find(b"\n", seen)) >= 0:
                line = bytes(pending[:end])
                del pending[: end + 1]
                seen = 0
                with contextlib.suppress(ValueError):
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                    await incoming.send(SessionMessage(message))
            seen = len(pending)
            if seen > MESSAGE_LIMIT:
                over()
                break
        lost("it has ended")


async def _write(server: Lasting, outgoing: Outgoing, lost: Callable[[str], None]) -> None:
    async for message in outgoing:
        text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
        left = memoryview(f"{text}\n".encode())
        while left:
            try:
                left = left[os.write(server.stdin, left) :]
            except BlockingIOError:
                await anyio.wait_writable(server.stdin)
            except OSError:
                lost("it does not read any more")
                return


async def _end(server: Lasting) -> None:
    """End the server, its whole group and, where it had to be killed, what left the group."""
    willing = False
    try:
        with anyio.CancelScope(shield=True):
            server.hang_up()
            willing = await _within(HANG_UP, server.exited)
            if not willing:
                server.terminate()
                await _within(HANG_UP, server.exited)
            if not await _within(REAP, lambda: server.kill(thorough=not willing)):
                server.abandon()
    finally:
        # Only a second cancellation, which no scope holds off, leaves anything to do here.
        server.hang_up()
        if not server.kill(thorough=not willing):
            server.abandon()


async def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    end = anyio.current_time() + seconds
    while not condition():
        if anyio.current_time() >= end:
            return False
        await anyio.sleep(_POLL)
    return True
