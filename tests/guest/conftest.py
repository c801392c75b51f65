from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from driving import is_gone, until

COMMON = {"session_id": "5f0c", "transcript_path": "/t/5f0c.jsonl"}
CLAUDE = {**COMMON, "prompt_id": "p1", "permission_mode": "default", "effort": {"level": "medium"}}
CODEX = {**COMMON, "turn_id": "t1", "model": "gpt-5.5", "permission_mode": "default"}
_CALL = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "call_1"}
CALLS: dict[str, dict[str, Any]] = {
    "claude-code": {**CLAUDE, **_CALL, "tool_input": {"command": "echo hi", "description": "say hi"}},
    "codex": {**CODEX, **_CALL, "tool_input": {"command": "echo hi"}},
    "mind": {**CODEX, **_CALL, "tool_input": {"command": "echo hi"}},
    "deepagents": {**COMMON, "permission_mode": "default", **_CALL, "tool_input": {"command": "echo hi"}},
}
"""The call of a shell command, as each agent that sends a document makes it."""


@dataclass
class Ended:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def nothing(self):
        return (self.status, self.out, self.err) == (0, "", "")


@dataclass
class Site:
    """A home and a workspace, and real guests in it."""

    root: Path
    helped: bool = False
    process: Any = None

    @property
    def home(self):
        return self.root / "home"

    @property
    def workspace(self):
        return self.root / "workspace"

    @property
    def environ(self):
        dropped = ("HOOKFW", "XDG_", "CODEWHALE", "DEEPSEEK", "CLAUDE", "CODEX", "PYTEST")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        daemon = {} if self.helped else {"HOOKFW_DAEMON": "off"}
        return {**kept, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.root / "run"), **daemon}

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text if isinstance(text, str) else json.dumps(text))
        return target

    def codewhale(self, *entries):
        """Hooks of the person for Codewhale, each the inside of one TOML entry."""
        return self.write("home/.codewhale/config.toml", "".join(f"[[hooks.hooks]]\n{entry}\n" for entry in entries))

    def claude(self, **events):
        """Hooks of the person for Claude Code, one command an event, in a folder that the person accepted."""
        self.write("home/.claude.json", {"projects": {str(self.workspace): {"hasTrustDialogAccepted": True}}})
        hooks = {event: [{"hooks": [{"type": "command", "command": command}]}] for event, command in events.items()}
        return self.write("home/.claude/settings.json", {"hooks": hooks})

    def command(self, *arguments, stdin=b"", environ=()):
        """Run hookfw as a process of its own."""
        data = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
        ended = subprocess.run(
            [sys.executable, "-m", "hookfw", *map(str, arguments)],
            input=data,
            capture_output=True,
            cwd=self.workspace,
            env={**self.environ, **dict(environ)},
            check=False,
        )
        return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def status(self):
        """What the background process tells of itself; `None` where there is none."""
        return self.command("daemon", "status", "--json").json["process"]

    def guest(self, agent, call=None, *, event=None, environ=()):
        """What the guest in an agent answers to a call, the one of a shell command where none is given."""
        if call is None and agent == "codewhale":
            variables = {
                "DEEPSEEK_WORKSPACE": str(self.workspace),
                "DEEPSEEK_TOOL_NAME": "exec_shell",
                "DEEPSEEK_TOOL_ARGS": '{"command":"echo hi"}',
                "DEEPSEEK_SESSION_ID": "5f0c",
            }
            return self.command("guest", agent, event or "tool_call_before", environ={**variables, **dict(environ)})
        words = [agent] if event is None else [agent, event]
        given = {"cwd": str(self.workspace), **CALLS[agent]} if call is None else call
        return self.command("guest", *words, stdin=given, environ=environ)


@pytest.fixture
def site(tmp_path):
    for folder in ("home", "workspace"):
        (tmp_path / folder).mkdir()
    (tmp_path / "run").mkdir(mode=0o700)
    return Site(Path(os.path.realpath(tmp_path)))


@pytest.fixture
def helped(site):
    """The same, with a background process that runs already."""
    site.helped = True
    process = subprocess.Popen([sys.executable, "-P", "-m", "hookfw.guests.daemon"], env=site.environ, cwd="/")
    until(lambda: list((site.root / "run").glob("hookfw/*.sock")) and site.status())
    site.process = process
    yield site
    process.kill()
    process.wait()
    stop_all(site)


def stop_all(site):
    """Stop what a guest may have started in place of the one that was ended."""
    told = site.status()
    while told is not None:
        site.command("daemon", "stop")
        until(lambda pid=told["pid"]: is_gone(pid))
        told = site.status()
