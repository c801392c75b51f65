"""
Ending processes: an exit seen before it is reaped, a whole group, and what left its group.

Until a child is reaped its process id, and with it the id of the group it leads, cannot be given to another process.
So a group is only ever signalled while its leader is not yet reaped.
"""

from __future__ import annotations

import os
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import signal

RUN_VARIABLE = "HOOKFW_RUN"
"""The environment variable that every process of a run carries, whatever group or session it moved to."""

PASS = 0.01
"""Seconds between two scans for processes that carry a run."""

QUIET_PASSES = 2
"""Scans in a row that must find none: a process that forks while the list is read escapes one, not the next."""

_unconfirmed: deque[int] = deque()


def run_mark(run_id: str, outer: str | None) -> str:
    """
    The value of `HOOKFW_RUN` for the run `run_id`.

    `outer` is the value that hookfw itself was started with: where a hook runs hooks of its own (in sessions of their
    own), ending the outer run has to find the inner ones too.
    """
    return f"{outer}/{run_id}" if outer else run_id


def has_exited(pid: int) -> bool:
    """Whether the child `pid` has exited; it is not reaped."""
    if hasattr(os, "waitid"):
        try:
            return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True  # where SIGCHLD is ignored the system has reaped it already
    # macOS has no os.waitid before Python 3.13.
    import psutil  # noqa: PLC0415 - the minimal client and the usual path do without it

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def reap(pid: int) -> tuple[bool, int | None]:
    """
    Reap the child `pid` if it has exited.

    Returns whether it is gone, and its exit status: a negative number is the signal that ended it, `None` a status
    that someone else took (SIGCHLD ignored, a foreign `wait`). `Popen.poll` would call that one 0, a success.
    """
    try:
        found, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True, None
    return (True, os.waitstatus_to_exitcode(status)) if found else (False, None)


def reap_later(pid: int) -> None:
    """Remember a child whose death could not be confirmed in time; `reap_unconfirmed` tries again."""
    _unconfirmed.append(pid)


def reap_unconfirmed() -> None:
    """Reap the children that `reap_later` remembers and that have died since."""
    for pid in tuple(_unconfirmed):
        if reap(pid)[0]:
            _unconfirmed.remove(pid)


def signal_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to the group that `pid` leads; one that is gone, or that may not be signalled, is no error."""
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def kill_carriers(mark: str) -> list[int]:
    """
    Kill every process that carries `mark`, or a run nested in it, in its environment; returns their ids.

    A walk over children does not find a process that was forked twice: its parent is gone. The environment it was
    started with stays readable. Processes of other users are out of reach. A scan costs about 20 µs for each process.
    """
    import psutil  # noqa: PLC0415 - only a run that has to be killed needs it

    found = []
    for process in psutil.process_iter():
        try:
            value = process.environ().get(RUN_VARIABLE, "")
            if value == mark or value.startswith(f"{mark}/"):
                process.kill()  # psutil makes sure that the id was not given to another process since
                found.append(process.pid)
        except (psutil.Error, OSError):
            continue
    return found


def end_carriers(mark: str, seconds: float) -> None:
    """Kill what carries `mark` until none is left, for at most `seconds`; children among them are reaped."""
    end = time.monotonic() + seconds
    killed: set[int] = set()
    quiet = 0
    while quiet < QUIET_PASSES and time.monotonic() < end:
        found = kill_carriers(mark)
        killed.update(found)
        quiet = 0 if found else quiet + 1
        time.sleep(PASS)
    for pid in killed:
        if not reap(pid)[0]:
            reap_later(pid)
