"""Helpers for tests with real processes: both drivers, children, and proof that nothing is left."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import uuid
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from hookfw.drivers.blocking import BlockingDriver
from hookfw.drivers.on_asyncio import AsyncioDriver
from hookfw.process import Child, Kill, Spawn

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from hookfw.drivers.driver import Driver

PATIENCE = 30.0  # seconds until a condition that must come counts as missed


def on_a_loop(body: Callable[[Driver], Coroutine[Any, Any, Any]]) -> Any:
    """Run `body` with the asyncio driver."""

    async def main() -> Any:
        return await _settled(body, AsyncioDriver())

    return asyncio.run(main())


def without_a_loop(body: Callable[[Driver], Coroutine[Any, Any, Any]]) -> Any:
    """Run `body` with the blocking driver."""
    driver = BlockingDriver()
    return driver.run(_settled(body, driver))


async def _settled(body: Callable[[Driver], Coroutine[Any, Any, Any]], driver: Driver) -> Any:
    result = await body(driver)
    driver.cancel_spawned()
    await driver.join(None)
    driver.close()
    return result


both_drivers = pytest.mark.parametrize("run", [on_a_loop, without_a_loop])


def child(*argv: str, clock: Callable[[], float] = time.monotonic, **changes: Any) -> Child:
    """A child that is not started yet."""
    values: dict[str, Any] = {
        "argv": argv,
        "env": dict(os.environ),
        "cwd": "/",
        "timeout": PATIENCE,
        "kill": Kill(),
        "run_id": uuid.uuid4().hex,
    }
    return Child(Spawn(**(values | changes)), clock)


def shell(script: str, **changes: Any) -> Child:
    """A child that runs a shell script."""
    return child("sh", "-c", script, **changes)


def python(script: str, *arguments: object, **changes: Any) -> Child:
    """A child that runs a Python script."""
    return child(sys.executable, "-c", script, *map(str, arguments), **changes)


def until(condition: Callable[[], Any]) -> Any:
    """Wait for a condition and return what it gave; fails when it does not come."""
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        if time.monotonic() > end:
            pytest.fail("the condition did not come true in time")
        time.sleep(0.005)
    return value


def number_in(path: Path) -> int:
    """The process id that a script writes to `path`, once it has."""
    return until(lambda: path.exists() and int(path.read_text() or 0))


def is_gone(pid: int) -> bool:
    """No such process, or a zombie that its parent has yet to reap."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def carriers(run_id: str) -> list[int]:
    """The living processes whose environment names this run."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("HOOKFW_RUN") == run_id:
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


class Resources:
    """What this process holds: children, descriptors, threads."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._before = self._now()

    def _now(self) -> tuple[int, int, int]:
        return (
            len(self._process.children(recursive=True)),
            self._process.num_fds(),
            len(threading.enumerate()),
        )

    def check(self) -> None:
        """Fails unless all is again as it was; threads get the time to end that the system needs."""
        until(lambda: all(now <= before for now, before in zip(self._now(), self._before, strict=True)))
