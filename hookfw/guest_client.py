"""
`hookfw guest AGENT [EVENT]`, as an agent starts it: answered before anything of the command line is imported.

Nothing but the answer reaches the agent: both outputs are put aside while hooks run and plugins load.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INSTALLING = ("install", "uninstall")
SWITCH = "HOOKFW_DAEMON"
"""With `off` in this variable a guest neither asks nor starts a background process."""
_KEPT = frozenset(
    {"HOME", "PATH", "LANG", "TMPDIR", "PYTHONPATH", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"}
)
_SIGNALLED = 128
_INTERRUPTED = 130


def is_call(arguments: Sequence[str]) -> bool:
    """These arguments, those after the program, are an agent's call of its guest and nothing else."""
    return (
        len(arguments) in (2, 3)
        and arguments[0] == "guest"
        and arguments[1] not in _INSTALLING
        and not any(word.startswith("-") for word in arguments)
    )


def run(arguments: Sequence[str]) -> int:
    """Answer one call and give the exit status. What the agent does not wait for is carried on by another process."""
    out, err = _put_aside(1), _put_aside(2)
    heard = _hear_endings()
    try:
        answer, afterwards = _answer(arguments[1], arguments[2] if len(arguments) > 2 else None)  # noqa: PLR2004 - see `is_call`
    except KeyboardInterrupt:
        return _SIGNALLED + heard[0] if heard else _INTERRUPTED
    _write(out, answer[1])
    _write(err, answer[2])
    if afterwards is not None:
        _carry_on(afterwards, (out, err))
    return answer[0]


def _answer(agent: str, hint: str | None) -> tuple[tuple[int, bytes, bytes], Callable[[], None] | None]:
    """Exit status and output for the agent, and what goes on afterwards."""
    stdin, cwd, environ = _read(0), _cwd(), dict(os.environ)
    relay = None
    helped = environ.get(SWITCH) != "off"
    if helped:
        from hookfw import guest_relay  # noqa: PLC0415 - nothing is imported before it is needed

        wire = guest_relay.connect(environ)
        relay = None if wire is None else guest_relay.Relay(wire, environ)
        decided = None if relay is None else relay.ask(agent, hint, stdin, cwd)
        if relay is not None and decided is not None:
            return decided[:3], relay.go_on if decided.goes_on else None
    from hookfw.agent import NativeCall  # noqa: PLC0415 - likewise
    from hookfw.guest import LaterDriver, respond  # noqa: PLC0415 - likewise

    started = relay.started if relay is not None else ()
    try:
        reply = respond(agent, NativeCall(hint, (), environ, stdin), cwd, LaterDriver(started))
    finally:
        if relay is not None:
            relay.end()
    if helped and relay is None:
        _start_background(environ)
    return reply.answer, reply.afterwards


def _start_background(environ: dict[str, str]) -> None:
    """Start the background process for the calls to come; it gets nothing of the agent's but the person's own places."""
    from hookfw import guest_wire  # noqa: PLC0415 - nothing is imported before it is needed

    if guest_wire.meeting_point(environ) is None:
        return
    import subprocess  # noqa: PLC0415 - likewise

    kept = {name: value for name, value in environ.items() if name in _KEPT or name.startswith("LC_")}
    try:
        subprocess.Popen(
            [sys.executable, "-P", "-m", "hookfw.daemon"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kept,
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return  # then the next call is decided without it, too


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "/"  # it is gone; the call may say where the project is


def _put_aside(descriptor: int) -> int:
    """The real output behind `descriptor`, which leads nowhere from here on; -1 where it is closed."""
    try:
        kept = os.dup(descriptor)
    except OSError:
        kept = -1
    null = os.open(os.devnull, os.O_WRONLY)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)
    return kept


def _read(descriptor: int) -> bytes:
    parts = []
    try:
        while part := os.read(descriptor, 1 << 20):
            parts.append(part)
    except OSError:
        pass  # closed: an agent that has nothing to say
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        return  # nobody listens


def _hear_endings() -> list[int]:
    """From here on SIGTERM and SIGHUP do what Ctrl-C does, so that hooks, which live in sessions of their own, are ended."""
    heard: list[int] = []

    def stop(number: int, frame: Any) -> None:
        heard.append(number)
        interrupt = signal.getsignal(signal.SIGINT)
        if not callable(interrupt):
            raise KeyboardInterrupt
        interrupt(signal.SIGINT, frame)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)
    return heard


def _carry_on(work: Callable[[], None], outputs: tuple[int, ...]) -> None:
    """Do `work` in a process of its own that holds nothing of the agent's open."""
    if os.fork():
        return
    _leave(work, outputs)


def _leave(work: Callable[[], None], outputs: tuple[int, ...]) -> NoReturn:
    status = 1
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        for descriptor in (null, *outputs):
            if descriptor > 2:  # noqa: PLR2004 - the standard streams stay, and lead nowhere
                os.close(descriptor)
        work()
        status = 0
    finally:
        os._exit(status)
