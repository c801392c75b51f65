"""
`hookfw guest AGENT [EVENT]`, as an agent starts it: answered before anything of the command line is imported.

Nothing but the answer reaches the agent: both outputs are put aside while hooks run and plugins load.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INSTALLING = ("install", "uninstall")
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
        stdin = _read(0)
        from hookfw.agent import NativeCall  # noqa: PLC0415 - nothing is imported before it is needed
        from hookfw.guest import respond  # noqa: PLC0415 - likewise

        hint = arguments[2] if len(arguments) > 2 else None  # noqa: PLR2004 - see `is_call`
        call = NativeCall(hint, tuple(arguments), dict(os.environ), stdin)
        reply = respond(arguments[1], call, _cwd())
    except KeyboardInterrupt:
        return _SIGNALLED + heard[0] if heard else _INTERRUPTED
    answer = reply.answer
    _write(out, answer.stdout)
    _write(err, answer.stderr)
    if reply.afterwards is not None:
        _carry_on(reply.afterwards, (out, err))
    return answer.exit_code


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
