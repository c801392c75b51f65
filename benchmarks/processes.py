"""Running hooks, against plain child processes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firing import lay_out
from twins import TwinsPlugin

import hookfw.background
import hookfw.handlers
from hookfw import Host, PreToolUse, SessionStart, Supervisor, open_sync

EVENT = PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, session_id="s")
TIMES = 20


def benchmarks(scratch: Path) -> Iterator[tuple[str, Any]]:
    """One hook `true`, ten hooks at once."""
    for way in ("async", "sync"):
        yield (
            f"one-hook-{way}",
            (f"one hook `true`, {way} / subprocess.run", 1.3, one_hook(scratch / f"one-{way}", way), one_process),
        )
        yield (
            f"ten-hooks-{way}",
            (f"ten hooks at once, {way} / ten Popen", 1.3, ten_hooks(scratch / f"ten-{way}", way), ten_processes),
        )


def repeated(options: dict[str, Any], event: Any, way: str) -> Any:
    """Seconds of one firing."""
    if way == "sync":
        hooks = open_sync(**options)

        def plain() -> float:
            started = time.perf_counter()
            for _ in range(TIMES):
                hooks.fire(event)
            return (time.perf_counter() - started) / TIMES

        return plain

    async def session() -> float:
        async with Supervisor.open(**options) as hooks:
            await hooks.fire(event)
            started = time.perf_counter()
            for _ in range(TIMES):
                await hooks.fire(event)
            return (time.perf_counter() - started) / TIMES

    return lambda: asyncio.run(session())


def one_hook(scratch: Path, way: str) -> Any:
    """A Codewhale gate that says nothing."""
    return repeated(lay_out(scratch, '[[hooks.hooks]]\nevent = "tool_call_before"\ncommand = "true"\n'), EVENT, way)


def one_process() -> float:
    """What anyone would write."""
    started = time.perf_counter()
    for _ in range(TIMES):
        subprocess.run(["sh", "-c", "true"], input=b"{}", capture_output=True, check=False)
    return (time.perf_counter() - started) / TIMES


def ten_hooks(scratch: Path, way: str) -> Any:
    """Ten hooks of the concurrent test dialect."""
    scratch.mkdir()
    (scratch / ".concurrent.json").write_text(
        json.dumps([{"event": "session_start", "command": f"true {at}"} for at in range(10)])
    )
    host = Host()
    host.register(TwinsPlugin(), "twins")
    host.register(hookfw.handlers, "command")
    host.register(hookfw.background, "background")
    return repeated({"home": scratch, "workspace": scratch, "host": host}, SessionStart(), way)


def ten_processes() -> float:
    """Started together, then communicated with."""
    started = time.perf_counter()
    for _ in range(TIMES):
        children = [
            subprocess.Popen(
                ["sh", "-c", f"true {at}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            for at in range(10)
        ]
        for child in children:
            child.communicate(b"{}")
    return (time.perf_counter() - started) / TIMES
