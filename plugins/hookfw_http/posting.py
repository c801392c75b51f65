"""
One POST within bounds.

No redirect is followed, no proxy, password file or certificate of the environment is used, no cookie is kept, nothing is sent
twice, and of the answer no more is read than was asked for. What goes wrong is told in fixed words with the host alone:
neither the address nor a header nor a byte of the answer is in them. Whoever calls bounds the time.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import hookfw
from hookfw import url_problem

if TYPE_CHECKING:
    from httpx2 import Response

REQUEST_FAILED = "REQUEST_FAILED"
OVER_CAP = "OVER_CAP"

_WITHOUT_BODY = (204, 205)
"""Statuses of success after which nothing comes: to wait for it would be to wait for the end of the connection."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_IN_A_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Posted(NamedTuple):
    """What a service answered; of anything but a success no body is read."""

    status: int
    body: bytes = b""

    @property
    def well(self) -> bool:
        """A status of success."""
        return 200 <= self.status < 300  # noqa: PLR2004 - the numbers of HTTP


class PostError(Exception):
    """
    There is no answer.

    Attributes:
        kind: as `Ended.error_kind` has it.
        detail: why, in words that follow the name of whoever asked.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


def host_of(url: str) -> str:
    """Host and port of an address, for messages: what stands before and after them may be secret."""
    problem = url_problem(url)
    return "its address" if problem is not None else urlsplit(url).netloc.rpartition("@")[2]


async def post(url: str, headers: Mapping[str, str], body: bytes, limit: int) -> Posted:
    """
    What a service answers to JSON.

    Args:
        url: `http` or `https`; a name and a password in it are sent as such.
        headers: header fields beside those of JSON, which they may replace.
        body: what is sent.
        limit: bytes of the answer that are read.

    Raises:
        PostError: nothing could be sent, there was no answer of HTTP, or more than `limit` bytes of it.
    """
    import httpx2  # noqa: PLC0415 - an extra, and slow to import

    problem = url_problem(url)
    if problem is not None:
        raise PostError(REQUEST_FAILED, f"was not sent: its address {problem}")
    encoded = list(_encoded(headers))
    host = host_of(url)
    try:
        address = httpx2.URL(url)
        auth = httpx2.BasicAuth(address.username, address.password) if address.userinfo else None
        async with (
            httpx2.AsyncClient(
                verify=_context(), trust_env=False, follow_redirects=False, timeout=None, auth=auth
            ) as client,
            client.stream(
                "POST", address.copy_with(userinfo=b""), content=body, headers=_with_usual(encoded)
            ) as response,
        ):
            if not response.is_success or response.status_code in _WITHOUT_BODY:
                return Posted(response.status_code)
            if response.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
                raise PostError(
                    REQUEST_FAILED,
                    f"got a compressed answer from {host}, though it asked for a plain one; let the service send it as it is",
                )
            return Posted(response.status_code, await _read(response, limit, host))
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise PostError(REQUEST_FAILED, _account(error, host)) from None


@cache
def _context() -> ssl.SSLContext:
    """The certificates that are trusted, read once a process: that takes as long as a request."""
    import httpx2  # noqa: PLC0415 - as above

    return httpx2.create_ssl_context(trust_env=False)


def _encoded(headers: Mapping[str, str]) -> Iterator[tuple[bytes, bytes]]:
    """Header fields as they are sent. Raises `PostError` for what would be another header, or none."""
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise PostError(REQUEST_FAILED, "was not sent: one of its headers has a name that no header can have")
        if "\r" in value or "\n" in value:
            raise PostError(
                REQUEST_FAILED, f"was not sent: with everything filled in its header `{name}` holds a line break"
            )
        try:
            sent = value.strip(" \t").encode("latin-1")
        except UnicodeEncodeError:
            sent = b"\0"
        if _NOT_IN_A_VALUE.search(sent.decode("latin-1")):
            raise PostError(REQUEST_FAILED, f"was not sent: its header `{name}` holds what no header can hold")
        yield name.encode(), sent


def _with_usual(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The header fields with those of every request; a compressed answer would be larger than what is read of it."""
    given = {name.lower() for name, _ in headers}
    usual = (
        (b"Content-Type", b"application/json"),
        (b"Accept", b"application/json"),
        (b"User-Agent", f"hookfw/{hookfw.__version__}".encode()),
    )
    return [
        *(field for field in usual if field[0].lower() not in given),
        *(field for field in headers if field[0].lower() != b"accept-encoding"),
        (b"Accept-Encoding", b"identity"),
    ]


async def _read(response: Response, limit: int, host: str) -> bytes:
    """The body. What is too long is ended by its connection: a body left in the middle would be ended by a task later."""
    import httpx2  # noqa: PLC0415 - as above

    body = bytearray()
    over = False
    try:
        async for chunk in response.aiter_raw():
            if over:
                continue
            body += chunk
            over = len(body) > limit
            if over:
                await response.extensions["network_stream"].aclose()
    except httpx2.TransportError:
        if not over:
            raise
    if over:
        raise PostError(OVER_CAP, f"got more than {limit:,} bytes from {host}, of which none count")
    return bytes(body)


def _account(error: Exception, host: str) -> str:
    """What went wrong, in our own words: those of an error may quote a header."""
    import httpx2  # noqa: PLC0415 - as above

    if isinstance(error, httpx2.ConnectError):
        if _is_about_tls(error):
            return f"could not call {host}: its certificate is not accepted, or it does not speak TLS"
        return f"could not reach {host}; see that it runs and that the address is right"
    if isinstance(error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol | httpx2.InvalidURL):
        return f"could not be sent to {host}: its address or headers are not those of a request"
    if isinstance(error, httpx2.RemoteProtocolError):
        return f"got no answer of HTTP from {host}: it broke off or speaks something else"
    return f"lost the connection to {host}"


def _is_about_tls(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False
