"""The one place where an error becomes a message on standard error and an exit status."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from hookfw.cli._output import plain_line
from hookfw.errors import HookfwError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

FAILED = 1
INTERRUPTED = 130
_SIGNALLED = 128


class _TerminatedError(BaseException):
    """The process was asked to end; what runs is ended on the way out, as after Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def guarded(action: Callable[[], object]) -> int:
    """
    Carry out `action` and give the exit status: what it returns, where that is a number, else 0.

    - an error of hookfw, or of usage: `hookfw: SENTENCE` on standard error, status 1
    - Ctrl-C: 130; SIGTERM and SIGHUP: 143 and 129; what runs is ended first
    - a reader of standard output that has gone away: nothing is said, status 1
    - anything else is a defect: one sentence with its type, the traceback with `HOOKFW_DEBUG=1` only, status 1
    """
    try:
        with _termination_raises():
            status = action()
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        return FAILED
    except _TerminatedError as error:
        return _say(f"ended by {signal.Signals(error.number).name}.", _SIGNALLED + error.number)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted.", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the last resort: a person sees a sentence, not a traceback
        return _say(_sentence(error), FAILED)
    return status if isinstance(status, int) else 0


def _sentence(error: Exception) -> str:
    if isinstance(error, HookfwError):
        return str(error)
    if isinstance(error, click.UsageError):
        return _usage(error)
    if isinstance(error, click.ClickException):
        return error.format_message()
    if os.environ.get("HOOKFW_DEBUG") == "1":
        traceback.print_exception(error)
    return (
        f"{type(error).__name__}: {error}. This is a defect of hookfw or of a plugin: please report it with what "
        "HOOKFW_DEBUG=1 adds to this message."
    )


def _usage(error: click.UsageError) -> str:
    hint = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
    return f"{error.format_message()}{hint}"


def _say(sentence: str, status: int) -> int:
    # Whoever closed standard error too does not want to hear it.
    with suppress(OSError):
        sys.stderr.write(f"hookfw: {plain_line(sentence)}\n")
    return status


def _forget_stdout() -> None:
    """Nothing more goes to standard output, so the interpreter's last flush has nothing to complain about."""
    null = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(null, sys.stdout.fileno())
    os.close(null)


@contextmanager
def _termination_raises() -> Iterator[None]:
    """While inside, SIGTERM and SIGHUP raise, so that hooks, which live in sessions of their own, are ended first."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise _TerminatedError(number)

    before = {}
    # Only the main thread may set handlers; elsewhere the program that called has its own.
    with suppress(ValueError):
        for number in (signal.SIGTERM, signal.SIGHUP):
            # What the parent chose to ignore (nohup) stays ignored.
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
