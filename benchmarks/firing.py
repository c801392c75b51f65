"""Firing without a match, against one pluggy call of five implementations."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pluggy
import psutil

from hookfw import PreToolUse, Supervisor, open_sync

CALLS = 2_000
EVENT = PreToolUse(tool_name="Read", tool_input={"file_path": "a"}, session_id="s")


def benchmarks(scratch: Path) -> Iterator[tuple[str, Any]]:
    """No match with 1,000 hooks: other events, literal conditions, patterns; and memory."""
    limits = {"other events": 3, "literal conditions": 3, "patterns": 10}
    for kind, limit in limits.items():
        for way in ("async", "sync"):
            fire = firing(scratch / f"{kind}-{way}".replace(" ", "-"), kind, way)
            yield (
                f"no-match-{kind}-{way}",
                (f"no match, 1,000 hooks, {kind}, {way} / pluggy call of five", limit, fire, pluggy_call()),
            )
    yield "memory-flat", lambda: memory(scratch / "memory")


def config(kind: str) -> str:
    """1,000 hooks, none of which applies to `Read`."""
    entry = {
        "other events": 'event = "session_start"',
        "literal conditions": 'event = "tool_call_before"\ncondition = {{ type = "tool_name", name = "tool{at}" }}',
        "patterns": 'event = "tool_call_before"\ncondition = {{ type = "tool_name", name = "tool{at}_*" }}',
    }[kind]
    return "".join(f'[[hooks.hooks]]\ncommand = "true"\n{entry.format(at=at)}\n\n' for at in range(1_000))


def lay_out(scratch: Path, text: str) -> dict[str, Any]:
    """A home with a Codewhale configuration, and what a supervisor is opened with."""
    (scratch / "home" / ".codewhale").mkdir(parents=True, exist_ok=True)
    (scratch / "workspace").mkdir(exist_ok=True)
    (scratch / "home" / ".codewhale" / "config.toml").write_text(text)
    return {"home": scratch / "home", "workspace": scratch / "workspace", "dialects": ["codewhale"]}


def firing(scratch: Path, kind: str, way: str) -> Any:
    """Seconds of one firing."""
    options = lay_out(scratch, config(kind))
    event = EVENT
    if way == "sync":
        hooks = open_sync(**options)

        def plain() -> float:
            started = time.perf_counter()
            for _ in range(CALLS):
                hooks.fire(event)
            return (time.perf_counter() - started) / CALLS

        return plain

    async def session() -> float:
        async with Supervisor.open(**options) as hooks:
            await hooks.fire(event)
            started = time.perf_counter()
            for _ in range(CALLS):
                await hooks.fire(event)
            return (time.perf_counter() - started) / CALLS

    return lambda: asyncio.run(session())


def pluggy_call(implementations: int = 5) -> Any:
    """Seconds of one call of so many implementations."""
    spec, impl = pluggy.HookspecMarker("bench"), pluggy.HookimplMarker("bench")

    class Spec:
        @spec
        def fire(self, event: object) -> None: ...

    class Plugin:
        @impl
        def fire(self, event: object) -> object:
            return event

    manager = pluggy.PluginManager("bench")
    manager.add_hookspecs(Spec)
    for _ in range(implementations):
        manager.register(Plugin())

    def call() -> float:
        started = time.perf_counter()
        for _ in range(CALLS):
            manager.hook.fire(event=EVENT)
        return (time.perf_counter() - started) / CALLS

    return call


def memory(scratch: Path) -> str:
    """Resident memory before and after 100,000 firings of as many different calls."""
    options = lay_out(scratch, config("patterns")[: 200 * 90])
    process = psutil.Process()
    with open_sync(**options) as hooks:
        for number in range(3_000):
            hooks.fire(PreToolUse(tool_name=f"warm{number}", tool_input={}))
        before = process.memory_info().rss
        for number in range(100_000):
            hooks.fire(PreToolUse(tool_name=f"call{number}", tool_input={"number": number}))
        after = process.memory_info().rss
    return f"| memory over 100,000 firings | before them | flat | **+{(after - before) / 1e6:.1f} MB** | {after / 1e6:.0f} MB | {before / 1e6:.0f} MB |"
