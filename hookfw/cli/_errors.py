"""The one place where an error becomes a message on standard error and an exit status."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from hookfw.cli._output import plain, plain_line
from hookfw.errors import ConfigurationError, HookfwError, TrustError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

FAILED = 1
INTERRUPTED = 130
_SIGNALLED = 128


_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class ChangedError(TrustError):
    """
    Raised when content is not what was shown; the sentence is followed by what changed.

    Attributes:
        changes: the lines of the difference; none where it is not known.
    """

    def __init__(self, message: str, changes: Sequence[str]) -> None:
        super().__init__(message)
        self.changes = changes


def guarded(action: Callable[[], object]) -> int:
    """
    Carry out `action` and give the exit status: what it returns, where that is a number, else 0.

    - an error of hookfw, or of usage: `hookfw: SENTENCE` on standard error, status 1
    - Ctrl-C: 130; SIGTERM, SIGHUP and SIGQUIT: 143, 129 and 131; what runs is ended first
    - a reader of standard output that has gone away: nothing is said, status 1
    - standard output that is closed, or what the system answers otherwise: likewise one sentence and status 1
    - anything else is a defect: one sentence with its type, the traceback with `HOOKFW_DEBUG=1` only, status 1

    A command that calls `sys.exit` chooses its own status.
    """
    heard: list[int] = []
    try:
        with _termination_interrupts(heard):
            _need_output()
            status = action()
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        return FAILED
    except (KeyboardInterrupt, click.Abort):
        if heard:
            return _say(f"ended by {signal.Signals(heard[0]).name}.", _SIGNALLED + heard[0])
        return _say("interrupted.", INTERRUPTED)
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - the last resort: a person sees a sentence, not a traceback
        status = _say(_sentence(error), FAILED, error.changes if isinstance(error, ChangedError) else ())
        _settle_stdout()
    return status if isinstance(status, int) else 0


def _need_output() -> None:
    # None where the descriptor was closed before Python started. Hooks would run, and nobody would see what they said.
    if sys.stdout is None:
        message = "Standard output is closed, so nothing can be shown; send it to /dev/null where nothing should be."
        raise ConfigurationError(message)


def _sentence(error: BaseException) -> str:
    if isinstance(error, HookfwError):
        return str(error)
    if isinstance(error, click.UsageError):
        return _usage(error)
    if isinstance(error, click.ClickException):
        return error.format_message()
    if os.environ.get("HOOKFW_DEBUG") == "1":
        traceback.print_exception(error)
    if isinstance(error, OSError) and error.errno is not None:
        return _answer_of_the_system(error)
    return (
        f"{type(error).__name__}: {error}. This is a defect of hookfw or of a plugin: please report it with what "
        "HOOKFW_DEBUG=1 adds to this message."
    )


def _usage(error: click.UsageError) -> str:
    hint = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
    return f"{error.format_message()}{hint}"


def _answer_of_the_system(error: OSError) -> str:
    try:
        os.getcwd()
    except OSError:
        return "The current directory does not exist any more; change to one that does."
    about = f"{error.filename}: " if error.filename is not None else ""
    return f"{about}{error.strerror}; nothing more was done."


def _say(sentence: str, status: int, details: Sequence[str] = ()) -> int:
    # Whoever closed standard error does not want to hear it.
    with suppress(OSError):
        if sys.stderr is not None:
            sys.stderr.write(f"hookfw: {plain_line(sentence)}\n")
            sys.stderr.writelines(f"{plain(line)}\n" for line in details)
    return status


def _settle_stdout() -> None:
    """What cannot be written now, on a full disk, cannot be written by the interpreter's last flush either."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _forget_stdout()


def _forget_stdout() -> None:
    """Nothing more goes to standard output, so the interpreter's last flush has nothing to complain about."""
    null = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(null, sys.stdout.fileno())
    os.close(null)


@contextmanager
def _termination_interrupts(heard: list[int]) -> Iterator[None]:
    """
    While inside, SIGTERM and its like do what Ctrl-C does, so that hooks, which live in sessions of their own, are ended.

    Their numbers are added to `heard`. Whoever holds Ctrl-C back while processes change hands holds them back as well.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt):
            interrupt(signal.SIGINT, frame)
        else:
            raise KeyboardInterrupt

    before = {}
    # Only the main thread may set handlers; elsewhere the program that called has its own.
    with suppress(ValueError):
        for number in _ENDING:
            # What the parent chose to ignore (nohup) stays ignored.
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def undisturbed() -> Iterator[None]:
    """While inside, no signal is heard that asks the process to end: it is ending, and what it leaves is cleared away."""
    before = {}
    with suppress(ValueError):
        for number in (signal.SIGINT, *_ENDING):
            before[number] = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
