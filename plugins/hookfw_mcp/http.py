"""
A server at an address, on streamable HTTP.

No proxy and no stored password of the environment is used, redirects do not leave the server, and no answer is read
beyond the limit of a message.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final

import httpx2
from mcp.client.streamable_http import streamable_http_client

from hookfw_mcp.limits import MESSAGE_LIMIT

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

    from hookfw import ServerSpec

CONNECT: Final = 30.0
"""Seconds for connecting and sending; waiting for an answer is bounded by the call."""


class _OverLimitError(httpx2.StreamError):
    """An answer longer than a message may be."""


class _Bounded(httpx2.AsyncByteStream):
    """The body of a response, up to the limit."""

    def __init__(self, inner: httpx2.AsyncByteStream, over: Callable[[], None]) -> None:
        self._inner = inner
        self._over = over

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MESSAGE_LIMIT
        async for chunk in self._inner:
            left -= len(chunk)
            if left < 0:
                self._over()
                message = "the answer is longer than a message may be"
                raise _OverLimitError(message)
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class _BoundedTransport(httpx2.AsyncHTTPTransport):
    """Bounds the answers to messages; the stream of what a server says unasked has no end."""

    def __init__(self, over: Callable[[], None]) -> None:
        super().__init__(trust_env=False)
        self._over = over

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if request.method == "POST" and isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, self._over)
        return response


@contextlib.asynccontextmanager
async def http(spec: ServerSpec, over: Callable[[], None]) -> AsyncIterator[TransportStreams]:
    """Reach a server; gives the streams of its messages. `over` is called when it sends too much."""
    async with (
        httpx2.AsyncClient(
            headers=dict(spec.headers),
            timeout=httpx2.Timeout(CONNECT, read=None),
            trust_env=False,
            transport=_BoundedTransport(over),
        ) as client,
        streamable_http_client(spec.url, http_client=client, max_sse_event_size=MESSAGE_LIMIT) as streams,
    ):
        yield streams
