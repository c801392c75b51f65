from __future__ import annotations

import io
import os
import pty
import subprocess
import sys

from driving import until

from hookfw import Run
from hookfw.cli._live import PATIENCE, Live


def run(status="running", message=None, number=1):
    return Run(
        id=f"r.{number}",
        name="gate",
        dialect="codewhale",
        event="tool_call_before",
        handler="command",
        source="/f",
        status=status,
        status_message=message,
    )


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_hook_that_runs_is_shown_with_its_message_and_one_that_ended_is_not():
    clock = Clock()
    display = Live(io.StringIO(), clock)
    display.tell(run(message="Looking\n\x1b[31mfor secrets"))
    display.tell(run(number=2))
    assert display.lines() == []
    clock.now += PATIENCE + 2
    assert display.lines() == ["codewhale:gate  Looking [31mfor secrets  2 s", "codewhale:gate  running  2 s"]
    display.tell(run(status="completed"))
    assert display.lines() == ["codewhale:gate  running  2 s"]


def test_a_terminal_sees_the_message_of_a_hook_while_it_runs_and_a_pipe_does_not(home, workspace):
    folder = home / ".codex"
    folder.mkdir()
    (folder / "hooks.json").write_text(
        '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "statusMessage": "Warming up",'
        '"command": "until [ -e seen ]; do :; done"}]}]}}'
    )
    terminal, end = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "hookfw", "fire", "session_start", "--trust", "all"],
        cwd=workspace,
        stdout=subprocess.PIPE,
        stderr=end,
        text=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(end)
    shown = b""

    def sees():
        nonlocal shown
        shown += os.read(terminal, 4096)
        return b"Warming up" in shown

    until(sees)
    (workspace / "seen").touch()
    out, _ = child.communicate(timeout=30)
    os.close(terminal)
    assert child.returncode == 0
    assert "Warming up" not in out
    piped = subprocess.run(
        [sys.executable, "-m", "hookfw", "fire", "session_start", "--trust", "all"],
        cwd=workspace,
        capture_output=True,
        text=True,
        check=True,
    )
    assert piped.stderr == ""


def test_no_control_character_of_a_name_or_a_status_reaches_the_terminal():
    now = 0.0
    shown = Live(io.StringIO(), lambda: now)
    shown.tell(
        Run("1", "na\x1b[2Jme\x07\ud800", "mind", "Stop", "command", "f", "running", status_message="\x1b]0;x\x07")
    )
    now = 5.0
    (line,) = shown.lines()
    assert line.isprintable()
    line.encode()
