"""
A server built with the official SDK, for tests: `server.py stdio [--stubborn]` or `server.py http PORT_FILE`.

Its tools answer, fail, die, hang, talk rubbish and talk too much, as they are asked to.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import anyio
from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("tests")
state = {"rubbish": False}
stdout = os.dup(1)  # the SDK keeps what its tools print away from its messages


def note(path: str, text: str) -> None:
    """A file that is there with all that is in it."""
    partial = Path(f"{path}.new") if text else Path(path)
    partial.write_text(text)
    partial.rename(path)


@server.tool(structured_output=False)
def pid() -> str:
    return str(os.getpid())


@server.tool(structured_output=False)
def echo(value: str) -> str:
    return value


@server.tool(structured_output=False)
def deny(reason: str) -> str:
    specific = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": f"{reason} ({os.getpid()})",
    }
    return json.dumps({"hookSpecificOutput": specific})


@server.tool()
def structured(reason: str) -> dict[str, str]:
    return {"systemMessage": reason}


@server.tool(structured_output=False)
def image() -> list[object]:
    return ["before", Image(data=b"x", format="png"), "after"]


@server.tool(structured_output=False)
def fail() -> str:
    raise ToolError("the secret of the server")


@server.tool(structured_output=False)
def big(size: int) -> str:
    return "x" * size


@server.tool(structured_output=False)
def die() -> str:
    os._exit(3)


@server.tool(structured_output=False)
async def hang(started: str) -> str:
    note(started, str(os.getpid()))
    await anyio.sleep_forever()
    return ""


@server.tool(structured_output=False)
async def meet(folder: str, guests: int) -> str:
    """Answers once so many calls of it are under way at the same time."""
    note(f"{folder}/{os.urandom(8).hex()}", "")
    while len(os.listdir(folder)) < guests:
        await anyio.sleep(0.01)
    return str(os.getpid())


@server.tool(structured_output=False)
def environment() -> str:
    return json.dumps(dict(os.environ) | {"cwd": os.getcwd()})


@server.tool(structured_output=False)
def rubbish() -> str:
    state["rubbish"] = True
    os.write(stdout, b"this is no message\n\xff\xfe{]\n")
    return "after rubbish"


@server.tool(structured_output=False)
def flood() -> str:
    """Never ends a line, over standard output."""
    while True:
        os.write(stdout, b"x" * 65536)


async def http(port_file: str) -> None:
    import uvicorn

    app = server.streamable_http_app()

    async def crooked(scope, receive, send):
        if not state["rubbish"] or scope["type"] != "http":
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": b"{] no message"})

    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(crooked, log_level="critical")
    ready = uvicorn.Server(config)
    note(port_file, str(listening.getsockname()[1]))
    await ready.serve(sockets=[listening])


if __name__ == "__main__":
    if sys.argv[1] == "http":
        anyio.run(http, sys.argv[2])
    elif "--stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            server.run("stdio")
        finally:
            while True:
                time.sleep(60)
    else:
        server.run("stdio")
