"""Loading 10,000 hooks, against parsing the same text."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomli
from firing import lay_out

from hookfw import Host, open_sync

TEXT = "".join(
    f'[[hooks.hooks]]\nname = "hook{at}"\nevent = "tool_call_before"\ncommand = "check --number {at}"\n'
    f'timeout_secs = {at % 50 + 1}\ncondition = {{ type = "tool_name", name = "tool{at}" }}\n\n'
    for at in range(10_000)
)
PEAK = """
import sys
sys.path[:0] = {path!r}
import psutil, loading
before = psutil.Process().memory_info().rss
hooks = loading.open_sync(**loading.lay_out(__import__("pathlib").Path({scratch!r}), loading.TEXT))
assert len(hooks.snapshot.hooks) == 10_000
print(psutil.Process().memory_info().rss, before)
"""


def benchmarks(scratch: Path) -> Iterator[tuple[str, Any]]:
    """Time and memory."""
    options = lay_out(scratch / "load", TEXT)
    host = Host.load()

    def load() -> float:
        started = time.perf_counter()
        open_sync(host=host, **options)
        return time.perf_counter() - started

    def parse() -> float:
        started = time.perf_counter()
        tomli.loads(TEXT)
        return time.perf_counter() - started

    yield "load-10000", ("loading 10,000 hooks / tomli.loads of the same text", 2, load, parse)
    yield "load-memory", lambda: memory(scratch / "peak")


def memory(scratch: Path) -> str:
    """Resident memory of a process that has loaded them."""
    code = PEAK.format(path=sys.path[:2], scratch=str(scratch))
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    after, before = (int(word) / 1e6 for word in said.split())
    return f"| memory with 10,000 hooks | - | 150 MB | **{after:.0f} MB** | {after:.0f} MB | {before:.0f} MB |"
