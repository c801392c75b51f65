"""Several ecosystems in one firing."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ecosystems import ORDER, write_hook

from hookfw import PreToolUse, SessionStart, open_sync

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, session_id="s")
START = SessionStart(source="startup", session_id="s")
TIMES = 10


def benchmarks(scratch: Path) -> Iterator[tuple[str, Any]]:
    """Six dialects with one hook `true` each."""
    subject, floor = chained(scratch)
    yield "six-chained", ("six ecosystems, before a tool call / each of them alone, added", 1.2, subject, floor)
    subject, floor = side_by_side(scratch)
    yield "six-at-once", ("six ecosystems, at a session's start / their six Popen", 1.5, subject, floor)


def lay_out(folder: Path, event: str, dialects: tuple[str, ...]) -> Any:
    """A supervisor over a home with one hook of each dialect."""
    home, workspace = folder / "home", folder / "workspace"
    home.mkdir(parents=True)
    workspace.mkdir()
    for at, dialect in enumerate(dialects):
        write_hook(home, dialect, event, f"true {at}")  # the number keeps a family from running it once
    return open_sync(home=home, workspace=workspace, trust="all", environ=environ_of(home))


def environ_of(home: Path) -> dict[str, str]:
    """Mind starts a login shell: here one without a profile, whose cost is the person's and not ours."""
    return os.environ | {"HOME": str(home), "SHELL": "/bin/sh"}


def repeated(hooks: Any, event: Any) -> float:
    """Seconds of one firing."""
    started = time.perf_counter()
    for _ in range(TIMES):
        hooks.fire(event)
    return (time.perf_counter() - started) / TIMES


def chained(scratch: Path) -> tuple[Any, Any]:
    """All six, against the sum of the six."""
    hooks = lay_out(scratch / "six", "PreToolUse", ORDER)
    alone = [lay_out(scratch / f"alone-{dialect}", "PreToolUse", (dialect,)) for dialect in ORDER]
    return lambda: repeated(hooks, CALL), lambda: sum(repeated(each, CALL) for each in alone)


def side_by_side(scratch: Path) -> tuple[Any, Any]:
    """Nothing can be rewritten, so none waits for another; the floor starts the same six programs together."""
    hooks = lay_out(scratch / "start", "SessionStart", ORDER)
    calls = [hooks.invocation(hook, START) for hook in hooks.snapshot.hooks]

    def six_processes() -> float:
        started = time.perf_counter()
        for _ in range(TIMES):
            children = [
                subprocess.Popen(
                    call.argv,
                    cwd=call.cwd,
                    env=environ_of(Path(hooks.session.home)),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
                for call in calls
            ]
            for child in children:
                child.communicate(b"{}")
        return (time.perf_counter() - started) / TIMES

    return lambda: repeated(hooks, START), six_processes
