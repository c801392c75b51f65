"""What to start, and what came of it: plain slotted records, for a client that can afford no imports."""

from __future__ import annotations

import errno
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any, Literal

    EndState = Literal["exited", "timed_out", "cancelled", "not_started", "failed", "detached"]

NO_FACTS: Mapping[str, Any] = MappingProxyType({})


class Kill:
    """
    How the processes of a run are ended.

    Attributes:
        grace: seconds between SIGTERM and SIGKILL; `None` sends SIGKILL at once.
        after_exit: kill what is left of the group after a normal end too.
    """

    __slots__ = ("after_exit", "grace")

    def __init__(self, grace: float | None = None, *, after_exit: bool = False) -> None:
        self.grace = grace
        self.after_exit = after_exit

    def __repr__(self) -> str:
        return f"Kill(grace={self.grace!r}, after_exit={self.after_exit!r})"


class Spawn:
    """
    What to start, and its bounds.

    Attributes:
        argv: program and arguments.
        program: the file to run, where it was found already; `argv` keeps the name it is called by.
        stdin: bytes for its standard input, which is then closed.
        env: its complete environment; `HOOKFW_RUN` is added.
        cwd: working directory.
        timeout: seconds it may run.
        stdout_cap: bytes of standard output that are kept.
        stderr_cap: likewise.
        discard_output: both streams go to the null device.
        kill: how its processes are ended.
        run_id: names the run in `HOOKFW_RUN`; unique among all runs on the machine.
        drain: seconds that a process left behind may hold a pipe open after the child's own exit.
        reap: seconds in which death is confirmed after SIGKILL.
        detach_on: a first line of standard output for which this is true sends the run to the background.
    """

    __slots__ = (
        "argv",
        "cwd",
        "detach_on",
        "discard_output",
        "drain",
        "env",
        "kill",
        "program",
        "reap",
        "run_id",
        "stderr_cap",
        "stdin",
        "stdout_cap",
        "timeout",
    )

    def __init__(  # noqa: PLR0913 - a record: one keyword for each attribute
        self,
        *,
        argv: tuple[str, ...],
        program: str | None = None,
        stdin: bytes = b"",
        env: Mapping[str, str],
        cwd: str,
        timeout: float,
        stdout_cap: int = 65_536,
        stderr_cap: int = 65_536,
        discard_output: bool = False,
        kill: Kill,
        run_id: str,
        drain: float = 1.0,
        reap: float = 2.0,
        detach_on: Callable[[str], bool] | None = None,
    ) -> None:
        self.argv = argv
        self.program = program
        self.stdin = stdin
        self.env = env
        self.cwd = cwd
        self.timeout = timeout
        self.stdout_cap = stdout_cap
        self.stderr_cap = stderr_cap
        self.discard_output = discard_output
        self.kill = kill
        self.run_id = run_id
        self.drain = drain
        self.reap = reap
        self.detach_on = detach_on


class Ended:
    """
    The facts of a run that ended. What they mean is for the dialect to say.

    Attributes:
        state: how it ended; `failed` is for handlers that are no process and could give no result.
        exit_code: the exit status of a child that ended of itself; `None` where a signal ended it, hookfw ended it, or
            the status was lost (this process ignores SIGCHLD).
        signal: number of the signal that ended it.
        stdout: what it printed, decoded, up to the cap; also of a run that was ended.
        stderr: likewise.
        stdout_cut: bytes past the cap were dropped.
        stderr_cut: likewise.
        pipes_held: another process still held a pipe when the result was taken.
        error_kind: why it was not started: an errno name (`ENOENT`, `EACCES`, `ENOEXEC`, `E2BIG`, `EINVAL`, …); of a handler
            that is no process also `NO_CLIENT`, `NO_SERVER`, `NOT_CONNECTED`, `NO_TOOL`, `TOOL_ERROR`, `HTTP_STATUS`,
            `REQUEST_FAILED`, `OVER_CAP`; `HANDLER_FAILED` where its handler type raised.
        detail: what went wrong, of a handler that is no process: words that follow its name and hold no secret.
        facts: what its handler type reports beside the text (`status` of a response, `structured` content).
        duration: seconds from the start until the result was taken.
        killed: its death was asked for.
        confirmed: the child is dead and reaped, and nothing that carries its run was found alive.
        files: what it wrote into the files it was given, by the variable that named each.
        rest: makes the coroutine that waits for the real end of a run that is `detached`.
    """

    __slots__ = (
        "confirmed",
        "detail",
        "duration",
        "error_kind",
        "exit_code",
        "facts",
        "files",
        "killed",
        "pipes_held",
        "rest",
        "signal",
        "state",
        "stderr",
        "stderr_cut",
        "stdout",
        "stdout_cut",
    )

    def __init__(  # noqa: PLR0913 - a record: one keyword for each attribute
        self,
        *,
        state: EndState,
        exit_code: int | None = None,
        signal: int | None = None,
        stdout: str = "",
        stderr: str = "",
        stdout_cut: bool = False,
        stderr_cut: bool = False,
        pipes_held: bool = False,
        error_kind: str | None = None,
        duration: float = 0.0,
        killed: bool = False,
        confirmed: bool = True,
        detail: str = "",
        facts: Mapping[str, Any] = NO_FACTS,
        rest: Callable[[], Coroutine[Any, Any, Ended]] | None = None,
    ) -> None:
        self.state = state
        self.exit_code = exit_code
        self.signal = signal
        self.stdout = stdout
        self.stderr = stderr
        self.stdout_cut = stdout_cut
        self.stderr_cut = stderr_cut
        self.pipes_held = pipes_held
        self.error_kind = error_kind
        self.duration = duration
        self.killed = killed
        self.confirmed = confirmed
        self.detail = detail
        self.facts = facts
        self.files: Mapping[str, str] = {}
        self.rest = rest

    def __repr__(self) -> str:
        return f"Ended({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"


def not_started(kind: str) -> Ended:
    """The facts of a run whose process could not be started; `kind` is the errno name."""
    return Ended(state="not_started", error_kind=kind)


def failed(kind: str, detail: str, **facts: Any) -> Ended:
    """The facts of a run of a handler that is no process and could give no result."""
    return Ended(state="failed", error_kind=kind, detail=detail, facts=facts)


def refusal(error: BaseException) -> str | None:
    """The errno name of an error of `Popen`; `None` for one that a signal handler raised (`TimeoutError` has no errno)."""
    if isinstance(error, OSError) and error.errno is not None:
        return errno.errorcode.get(error.errno, "EIO")
    if isinstance(error, ValueError | IndexError):
        return "EINVAL"  # a NUL, a name with "=", a lone surrogate, no argv at all
    return None
