"""The guest as an agent starts it: with its background process, and alone, against an empty Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GATE = '[[hooks.hooks]]\nevent = "tool_call_before"\ncommand = "true"\n'


def benchmarks(scratch: Path) -> Iterator[tuple[str, Any]]:
    """One call with one shell hook of another ecosystem, and one that no hook is for."""
    home, workspace, run = (scratch / "guest" / name for name in ("home", "workspace", "run"))
    for folder in (home / ".codewhale", workspace):
        folder.mkdir(parents=True)
    run.mkdir(mode=0o700)
    (home / ".codewhale" / "config.toml").write_text(GATE)
    environ = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(run), "HOOKFW_DISABLE": ""}
    place = {"cwd": workspace, "env": environ}
    hookfw = str(Path(sys.executable).parent / "hookfw")
    call = {
        "hook_event_name": "PreToolUse",
        "cwd": str(workspace),
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    guest = [hookfw, "guest", "codex", "PreToolUse"]
    alone = {"cwd": workspace, "env": {**environ, "HOOKFW_DAEMON": "off"}}
    floor = process([sys.executable, "-c", "pass"], b"", place)
    daemon = subprocess.Popen([sys.executable, "-P", "-m", "hookfw.guests.daemon"], env=environ, cwd="/")
    try:
        while not list(run.glob("hookfw/*.sock")):
            time.sleep(0.01)
        stdin = json.dumps(call).encode()
        other = json.dumps({**call, "hook_event_name": "Stop", "stop_hook_active": False}).encode()
        yield "guest-warm", ("guest, warm, one hook / python -c pass", 4, process(guest, stdin, place), floor)
        yield "guest-none", ("guest, warm, no hook / python -c pass", 4, process(guest, other, place), floor)
        yield "guest-cold", ("guest, cold, one hook / python -c pass", 20, process(guest, stdin, alone), floor)
    finally:
        daemon.kill()
        daemon.wait()


def process(arguments: list[str], stdin: bytes, place: dict[str, Any]) -> Any:
    """Seconds of one process."""

    def run() -> float:
        started = time.perf_counter()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, input=stdin, **place)
        return time.perf_counter() - started

    return run
