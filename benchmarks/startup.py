"""Whole commands, against an empty Python."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firing import lay_out

_ENTRY = """[[hooks.hooks]]
event = "tool_call_before"
name = "hook {0}"
command = "true {0}"
condition = {{ type = "tool_name", name = "b*h{0}" }}
"""


def benchmarks(scratch: Path) -> Iterator[tuple[str, Any]]:
    """The version, one firing with one shell hook, and an explanation of many."""
    options = lay_out(scratch / "cli", '[[hooks.hooks]]\nevent = "tool_call_before"\ncommand = "true"\n')
    hookfw = str(Path(sys.executable).parent / "hookfw")
    event = scratch / "event.json"
    event.write_text('{"event": "pre_tool_use", "tool_name": "Bash", "tool_input": {"command": "ls"}}')
    fire = [hookfw, "fire", "--json", "--input", str(event)]
    fire += ["--home", str(options["home"]), "--workspace", str(options["workspace"]), "--dialect", "codewhale"]
    floor = process([sys.executable, "-c", "pass"])
    yield "version", ("hookfw --version / python -c pass", 4, process([hookfw, "--version"]), floor)
    many = lay_out(scratch / "many", "".join(_ENTRY.format(number) for number in range(1000)))
    explain = [hookfw, "explain", "pre_tool_use", "--json", "--input", str(event), "--dialect", "codewhale"]
    explain += ["--home", str(many["home"]), "--workspace", str(many["workspace"])]
    yield "explain-json", ("hookfw explain --json, 1,000 hooks / python -c pass", 20, process(explain), floor)
    yield "fire-json", ("hookfw fire --json, one hook / python -c pass", 18, process(fire), floor)


def process(arguments: list[str]) -> Any:
    """Seconds of one process."""

    def run() -> float:
        started = time.perf_counter()
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HOOKFW_DISABLE": ""})
        return time.perf_counter() - started

    return run
