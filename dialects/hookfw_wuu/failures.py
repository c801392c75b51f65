"""
When a command could not do its work.

From the hooks document, "Command input and output"; the order of the questions from the public source: out of time, too
much output, not started, pipes held open after exit 0, exit 2 (which is an answer), any other exit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hookfw import text
from hookfw_wuu import notes
from hookfw_wuu.rules import CAP

if TYPE_CHECKING:
    from hookfw import Ended, Hook, RunStatus

BLOCK: Final = 2
"""The exit code that blocks, whatever was printed."""

_GONE: Final = ", because there is no `sh`, or no folder to start it in"
_BY_HAND: Final = "run its command by hand to see why"


class Failure(NamedTuple):
    """
    A command that could not do its work.

    Attributes:
        what: what happened, in words that follow its name and hold nothing it printed.
        code: of the diagnostic.
        remedy: what to do, without a full stop.
        more: what the diagnostic adds to the account.
        status: of the run.
    """

    what: str
    code: str = "failed-hook"
    remedy: str = _BY_HAND
    more: str = ""
    status: RunStatus = "failed"


def failure_of(hook: Hook, ended: Ended) -> Failure | None:
    """Why the run counts as a failure; `None` where it is an answer."""
    if ended.state == "timed_out":
        what = f"timed out after {text.seconds(hook.timeout)} s"
        return Failure(what, "hook-timed-out", "make it faster or raise its `timeout`", status="timed_out")
    if ended.state == "cancelled":
        return Failure("was cancelled", "hook-cancelled", "fire the event again", status="cancelled")
    if ended.stdout_cut or ended.stderr_cut:
        what = f"printed more than {CAP:,} bytes to standard {'output' if ended.stdout_cut else 'error'}"
        return Failure(what, "output-too-long", "print less: nothing of a cut output is read, whatever the exit code")
    if ended.state != "exited":
        return _not_started(ended)
    if ended.pipes_held and ended.exit_code == 0:
        remedy = "let it wait for what it starts, or close the streams of what stays running"
        return Failure("left a process behind that kept its output open", "pipe-held", remedy)
    return None if ended.exit_code in (0, BLOCK) else _bad_end(hook, ended)


def _not_started(ended: Ended) -> Failure:
    what = f"could not be started ({ended.error_kind})"
    if ended.error_kind == "DENIED":
        remedy = "review and approve it again, or open a new session"
        return Failure(what, "authority-denied", remedy, ", because its approval was revoked")
    if ended.error_kind == "EINVAL":
        return Failure(
            what,
            remedy="take the NUL or the half of a letter out of its command",
            more=", because no program can be given it as it is",
        )
    if ended.error_kind == "ENOENT":
        return Failure(
            what, "command-not-found", "see that PATH leads to `sh` and that the folder of the project is there", _GONE
        )
    return Failure(what)


def _bad_end(hook: Hook, ended: Ended) -> Failure:
    if ended.exit_code is None:
        return Failure("ended without a status" if ended.signal is None else f"was killed by signal {ended.signal}")
    what = f"failed with exit code {ended.exit_code}"
    match ended.exit_code:
        case 127:
            more = f": a command was not found{notes.program_of(hook)}"
            return Failure(what, "command-not-found", "correct its path or install it", more)
        case 126:
            more = f": a command is not executable{notes.program_of(hook)}"
            return Failure(what, "command-not-executable", "set its run bit or name its interpreter", more)
        case _:
            return Failure(what, remedy=f"only exit 0 and exit {BLOCK} are answers; {_BY_HAND}")
