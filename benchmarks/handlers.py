"""Handlers that are no command: a tool of a kept MCP session against the SDK's own call, an inline Python handler against pluggy."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firing import pluggy_call
from mcp import Client, StdioServerParameters

import hookfw.handlers
import hookfw_claude
import hookfw_mcp
from hookfw import NO_EFFECT, Effect, Host, PreToolUse, Supervisor, hookimpl, open_sync

EVENT = PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, session_id="s", cwd="/", workspace="/")
CALLS = 2_000
TOOL_CALLS = 50
FURTHER = 8
SERVER = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("bench")


@server.tool(structured_output=False)
def check(command: str) -> str:
    return "{}"


server.run("stdio")
"""


def benchmarks(scratch: Path) -> Iterator[tuple[str, Any]]:
    """A kept tool and an inline handler, on an event loop and without one."""
    scratch = scratch / "handlers"
    for folder in ("home/.codex", "workspace"):
        (scratch / folder).mkdir(parents=True)
    server = scratch / "server.py"
    server.write_text(SERVER)
    for way in ("async", "sync"):
        call = tool(scratch, server, way)
        yield f"mcp-tool-{way}", (f"a kept MCP tool, {way} / the SDK's own call", 1.5, call, sdk_call(server))
        yield (
            f"python-firing-{way}",
            (
                f"a firing with one inline Python handler, {way} / pluggy call of five",
                7,
                inline(scratch, 1, way),
                pluggy_call(),
            ),
        )
        yield (
            f"python-handler-{way}",
            (f"an inline Python handler more, {way} / pluggy call of one", 3, one_more(scratch, way), pluggy_call(1)),
        )


def tool(scratch: Path, server: Path, way: str) -> Any:
    """Seconds of one firing with one Codex hook that calls a tool whose session is kept."""
    hook = {"type": "mcp_tool", "server": "bench", "tool": "check", "input": {"command": "${tool_input.command}"}}
    (scratch / "home/.codex/hooks.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}))
    config = f"[mcp_servers.bench]\ncommand = {json.dumps(sys.executable)}\nargs = [{json.dumps(str(server))}]\n"
    (scratch / "home/.codex/config.toml").write_text(config)
    host = Host()
    for module, name in ((hookfw_claude, "claude"), (hookfw.handlers, "command"), (hookfw_mcp, "mcp")):
        host.register(module, name)
    options: dict[str, Any] = {"dialects": ["codex"], "trust": "all", "host": host}
    return fired(options | {"home": scratch / "home", "workspace": scratch / "workspace"}, way, TOOL_CALLS)


def inline(scratch: Path, count: int, way: str) -> Any:
    """Seconds of one firing with so many Python handlers."""
    host = Host()
    for number in range(count):
        host.register(handler(), f"bench{number}")
    options: dict[str, Any] = {"dialects": [], "host": host}
    return fired(options | {"home": scratch / "home", "workspace": scratch / "workspace"}, way, CALLS)


def one_more(scratch: Path, way: str) -> Any:
    """Seconds that each further Python handler adds to a firing."""
    one, many = inline(scratch, 1, way), inline(scratch, 1 + FURTHER, way)
    return lambda: (many() - one()) / FURTHER


def handler() -> Any:
    """A plugin that implements one event."""

    class Plugin:
        @hookimpl
        def pre_tool_use(self, event: object) -> Effect | None:
            return None if event else NO_EFFECT

    return Plugin()


def fired(options: dict[str, Any], way: str, calls: int) -> Any:
    """Seconds of one firing."""
    if way == "sync":
        hooks = open_sync(**options)

        def plain() -> float:
            hooks.fire(EVENT)
            started = time.perf_counter()
            for _ in range(calls):
                hooks.fire(EVENT)
            return (time.perf_counter() - started) / calls

        return plain

    async def session() -> float:
        async with Supervisor.open(**options) as hooks:
            outcome = await hooks.fire(EVENT)
            assert [run.status for run in outcome.runs] == ["completed"] * len(outcome.runs), outcome
            started = time.perf_counter()
            for _ in range(calls):
                await hooks.fire(EVENT)
            return (time.perf_counter() - started) / calls

    return lambda: asyncio.run(session())


def sdk_call(server: Path) -> Any:
    """Seconds of one call of the same tool by the SDK's own client."""

    async def session() -> float:
        async with Client(StdioServerParameters(command=sys.executable, args=[str(server)])) as client:
            await client.call_tool("check", {"command": "ls"})
            started = time.perf_counter()
            for _ in range(TOOL_CALLS):
                await client.call_tool("check", {"command": "ls"})
            return (time.perf_counter() - started) / TOOL_CALLS

    return lambda: asyncio.run(session())
