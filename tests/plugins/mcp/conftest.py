"""What the tests of `mcp_tool` handlers share: a home whose Codex hooks call a real server, and the ways to fire at it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from driving import until

import hookfw.background
import hookfw.handlers
import hookfw_claude
import hookfw_mcp
from hookfw import Host, PreToolUse, Supervisor, open_sync

SERVER = Path(__file__).parent / "server.py"
CALL = PreToolUse(tool_name="mcp__x__y", tool_input={"command": "ls", "count": 3}, session_id="s")


class Rig:
    """
    A home with hooks that call tools, and firings at them.

    `way`: how the server is reached, `stdio` or `http`.
    """

    call = CALL

    def __init__(self, home, workspace, way):
        self.home, self.workspace, self.way = home, workspace, way
        self.host = Host()
        for module, name in (
            (hookfw_claude, "claude"),
            (hookfw.handlers, "command"),
            (hookfw.background, "background"),
            (hookfw_mcp, "mcp"),
        ):
            self.host.register(module, name)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(home), "SECRET": "of the person"}
        self._servers = []
        (home / ".codex").mkdir()

    def serve(self, *arguments):
        """The configuration of a server that is started now (`http`) or by hookfw."""
        if self.way == "stdio":
            words = json.dumps([str(SERVER), "stdio", *arguments])
            return f"[mcp_servers.gate]\ncommand = {json.dumps(sys.executable)}\nargs = {words}\n"
        port = self.home / f"port{len(self._servers)}"
        self._servers.append(subprocess.Popen([sys.executable, SERVER, "http", port]))
        until(port.exists)
        return f'[mcp_servers.gate]\nurl = "http://127.0.0.1:{port.read_text()}/mcp"\n'

    def write(self, *tools, config=None, event="PreToolUse"):
        """Hooks that call these tools: a name, or a name and further fields."""
        hooks = []
        for tool in tools:
            name, fields = tool if isinstance(tool, tuple) else (tool, {})
            hooks.append({"type": "mcp_tool", "server": "gate", "tool": name} | fields)
        (self.home / ".codex/hooks.json").write_text(json.dumps({"hooks": {event: [{"hooks": hooks}]}}))
        (self.home / ".codex/config.toml").write_text(self.serve() if config is None else config)

    @property
    def options(self):
        return {
            "workspace": self.workspace,
            "home": self.home,
            "dialects": ["codex"],
            "host": self.host,
            "trust": "all",
            "environ": self.environ,
        }

    def open(self, **options):
        return open_sync(**self.options | options)

    def fire(self, *events, **options):
        """Outcomes of these events, one after another, in one plain session."""
        with self.open(**options) as hooks:
            outcomes = [hooks.fire(event) for event in events or (CALL,)]
        return outcomes if events else outcomes[0]

    def run(self, body, **options):
        """What `body` gives, with a supervisor on an event loop."""

        async def main():
            async with Supervisor.open(**self.options | options) as hooks:
                return await body(hooks)

        return asyncio.run(main())

    def command(self, *arguments):
        """The document of `hookfw fire`."""
        ended = subprocess.run(
            [
                *(sys.executable, "-m", "hookfw", "fire", "--json", "--trust", "all", "--dialect", "codex"),
                *("--home", self.home, "--workspace", self.workspace, "--input", "-", *arguments),
            ],
            input=json.dumps({"event": "pre_tool_use", "tool_name": "Bash", "tool_input": {"command": "ls"}}),
            capture_output=True,
            text=True,
            check=True,
            env=self.environ,
        )
        assert ended.stderr == ""
        return json.loads(ended.stdout)

    def close(self):
        for server in self._servers:
            with contextlib.suppress(ProcessLookupError):
                server.kill()
            server.wait()


@pytest.fixture(params=["stdio", "http"])
def rig(request, home, workspace):
    made = Rig(home, workspace, request.param)
    yield made
    made.close()


@pytest.fixture
def stdio(home, workspace):
    """The same, for what only a server that hookfw starts does."""
    return Rig(home, workspace, "stdio")


@pytest.fixture
def http(home, workspace):
    """The same, for what only a server at an address does."""
    made = Rig(home, workspace, "http")
    yield made
    made.close()


def messages(outcome, code):
    """What is said under this code."""
    return [item.message for item in outcome.diagnostics if item.code == code]
