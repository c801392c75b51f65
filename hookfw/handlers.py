"""Handler types: what a hook can run. The built-in one runs commands."""

from __future__ import annotations

import contextlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from hookfw.hookspecs import hookimpl
from hookfw.process import Child, Ended, Kill, Spawn
from hookfw.processes.programs import find_program
from hookfw.text import decode, for_environment

if TYPE_CHECKING:
    from hookfw.dialect import Invocation
    from hookfw.drivers.driver import Driver
    from hookfw.resources import Resources


FILE_LIMIT = 1_048_576
"""Bytes that are read back of a file that a command was given."""


class HandlerCall(NamedTuple):
    """
    What a handler type is given beside the invocation.

    Attributes:
        driver: how waiting is done.
        run_id: the value of `HOOKFW_RUN`.
        environ: the environment that hooks inherit.
        scratch: makes, once, a folder for files of the session.
        resources: what handler types share and keep for the life of the supervisor.
    """

    driver: Driver
    run_id: str
    environ: Mapping[str, str]
    scratch: Callable[[], str]
    resources: Resources


class HandlerType(ABC):
    """
    Carries out invocations of one type and reports facts. The dialect decides what they mean.

    The host measures how long a run took where the facts do not tell, takes a `TimeoutError` for one that timed out, and
    whatever else is raised for one that failed.
    """

    name: ClassVar[str]

    @abstractmethod
    async def run(self, invocation: Invocation, call: HandlerCall) -> Ended:
        """Carry out one invocation within `invocation.timeout` seconds. Cancellation ends what runs."""


def _nothing(resources: Resources) -> None:
    del resources


class HandlerTypeInfo(NamedTuple):
    """
    A light description of a handler type; registering it loads nothing.

    Attributes:
        name: as `Hook.handler` has it.
        load: imports and makes it.
        needs: top-level modules it cannot do without.
        install: what is installed to have them, as pip spells it (`hookfw[http]`).
        lacks: what else keeps its handlers from running in a session (a client that nobody configured), in words that
            follow a hook's name and name the remedy; `None` where nothing does. Asked at load, and connects to nothing.
    """

    name: str
    load: Callable[[], HandlerType]
    needs: tuple[str, ...] = ()
    install: str = ""
    lacks: Callable[[Resources], str | None] = _nothing

    def missing(self) -> str | None:
        """The command that installs what is missing; `None` when nothing is."""
        from importlib.util import find_spec  # noqa: PLC0415 - only where a hook is no command

        if all(find_spec(module) is not None for module in self.needs):
            return None
        return f"pip install '{self.install}'"


class CommandHandler(HandlerType):
    """Runs a command as a supervised process."""

    name = "command"

    async def run(self, invocation: Invocation, call: HandlerCall) -> Ended:
        """Start the process, feed it its input, keep its output up to the caps, end it at its timeout."""
        env = dict(call.environ)
        for name in invocation.unset:
            env.pop(name, None)
        for name, value in invocation.env.items():
            plain = value.isascii() and "\0" not in value  # as nearly every value is
            env[name] = value if plain else _as_utf8(for_environment(value))
        for folder in invocation.folders:
            # One that cannot be made is the command's own trouble: it may not need it.
            with contextlib.suppress(OSError, ValueError):
                os.makedirs(folder, mode=0o700, exist_ok=True)
        files = _files(invocation.read_back, call.scratch)
        env.update(files)
        child = Child(
            Spawn(
                argv=tuple(_as_utf8(word) for word in invocation.argv),
                program=find_program(invocation.argv[0], env.get("PATH")) if invocation.argv else None,
                stdin=invocation.stdin,
                env=env,
                cwd=invocation.cwd,
                timeout=invocation.timeout,
                stdout_cap=invocation.stdout_cap,
                stderr_cap=invocation.stderr_cap,
                discard_output=invocation.discard_output,
                kill=invocation.kill or Kill(),
                run_id=call.run_id,
                detach_on=invocation.detach_on,
            )
        )

        return await _outlast(child, files, call.driver)


async def _outlast(child: Child, files: Mapping[str, str], driver: Driver) -> Ended:
    """The facts of a child when it ends, or when it asks to go on in the background."""
    ended = await driver.wait(child)
    if ended is None:
        return Ended(state="detached", rest=partial(_outlast, child, files, driver))
    if files:
        ended.files = {name: _read(path) for name, path in files.items()}
    return ended


def _files(wanted: Mapping[str, str], scratch: Callable[[], str]) -> dict[str, str]:
    """Empty files of these names in a fresh folder, by the variable that tells the command where each is."""
    if not wanted:
        return {}
    from tempfile import mkdtemp  # noqa: PLC0415 - only where a command is given files

    folder = mkdtemp(dir=scratch())
    files = {variable: os.path.join(folder, name) for variable, name in wanted.items()}
    for path in files.values():
        with open(path, "x", encoding="utf-8"):
            pass
    return files


def _read(path: str) -> str:
    """What a command wrote into its file, within a bound; nothing where it took the file away."""
    try:
        with open(path, "rb") as stream:
            return decode(stream.read(FILE_LIMIT))
    except OSError:
        return ""


def _as_utf8(value: str) -> str:
    """`value` as a process gets it in UTF-8, whatever encoding the locale has; bytes of the system's stay as they are."""
    if value.isascii():
        return value
    try:
        return os.fsdecode(value.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        # Half a surrogate pair, which no process can be given: starting one is refused, with the reason.
        return value


@hookimpl
def register_handler_types() -> Iterable[HandlerTypeInfo]:
    """The command handler."""
    return [HandlerTypeInfo(name="command", load=CommandHandler)]
