"""A server on 127.0.0.1 that tests tell what to answer: well, with rubbish, with too much, halfway, never."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEN_MEGABYTES = 10_000_000


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Service:
    """
    A running server.

    `answer(request)` gives status, body and further headers, or calls something on the raw connection and gives `None`.
    """

    def __init__(self, answer: Callable[[Request, Any], tuple[int, bytes, dict[str, str]] | None]) -> None:
        self.requests: list[Request] = []
        self.let_go = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                service.requests.append(request)
                said = answer(request, self)
                if said is None:
                    self.close_connection = True
                    return
                status, content, headers = said
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                try:
                    self.wfile.write(content)
                except OSError:
                    self.close_connection = True  # whoever asked has read enough

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = False
        self._server.handle_error = lambda *_: None
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.let_go.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving(answer: Callable[..., Any]) -> Iterator[Service]:
    """A server for a while."""
    service = Service(answer)
    try:
        yield service
    finally:
        service.close()


def saying(body: object, status: int = 200, **headers: str) -> Callable[..., Any]:
    """Answers with this body: bytes as they are, anything else as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda request, connection: (status, content, {k.replace("_", "-"): v for k, v in headers.items()})


def dying(request: Request, connection: Any) -> None:
    """Breaks off in the middle of its answer."""
    connection.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"decision"')
    connection.wfile.flush()
    connection.connection.shutdown(socket.SHUT_RDWR)


def speaking_otherwise(request: Request, connection: Any) -> None:
    """Answers with something that is no HTTP."""
    connection.wfile.write(b"220 mail.example ESMTP ready\r\n" * 10)


@contextmanager
def hanging(*, begins: bool) -> Iterator[Service]:
    """A server that never ends an answer, until whoever asked has gone or the test lets go."""

    def answer(request: Request, connection: Any) -> None:
        if begins:
            connection.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
            connection.wfile.flush()
        connection.connection.settimeout(0.02)
        while not service.let_go.is_set():
            with suppress(TimeoutError):
                if not connection.connection.recv(1):
                    return

    service = Service(answer)
    try:
        yield service
    finally:
        service.close()


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
