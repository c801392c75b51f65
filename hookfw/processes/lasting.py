"""A process that outlives one call: a server that is spoken to over two pipes and ended with the supervisor."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

from hookfw.processes.programs import find_program
from hookfw.processes.reap import RUN_VARIABLE, end_carriers, has_exited, reap, reap_later, run_mark, signal_group

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CARRIERS = 0.5
"""Seconds in which what left the group of a server that had to be killed is looked for."""


class Lasting:
    """
    A started process. Whoever has it waits by its descriptors and calls `kill` in the end.

    It leads a session and group of its own, which is signalled only before it is reaped. Standard error goes to the null
    device.

    Attributes:
        pid: its process id.
        stdin: descriptor of its standard input, not blocking; -1 once it is closed.
        stdout: likewise, of its standard output.
    """

    __slots__ = ("_mark", "_process", "_reaped", "pid", "stdin", "stdout")

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: str | None, run_id: str) -> None:
        """
        Start it.

        Args:
            argv: program, looked for on the `PATH` of `env`, and arguments.
            env: its whole environment, to which `HOOKFW_RUN` is added.
            cwd: its working directory; `None` for that of this process.
            run_id: tells it from all others.

        Raises `OSError` where the system refuses to start it, `ValueError` for what no process can be given.
        """
        self._mark = run_mark(run_id, env.get(RUN_VARIABLE))
        self._process = subprocess.Popen(
            argv,
            executable=find_program(argv[0], env.get("PATH")),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env={**env, RUN_VARIABLE: self._mark},
            start_new_session=True,
        )
        self._reaped = False
        self.pid = self._process.pid
        self.stdin = self._descriptor(self._process.stdin)
        self.stdout = self._descriptor(self._process.stdout)

    def exited(self) -> bool:
        """The process itself has exited; others of its group may live."""
        return self._reaped or has_exited(self.pid)

    def hang_up(self) -> None:
        """Close both pipes, by which a server knows that it is not needed any more."""
        self.stdin = self.stdout = -1
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def terminate(self) -> None:
        """Ask its group to end."""
        if not self._reaped:
            signal_group(self.pid, signal.SIGTERM)

    def kill(self, *, thorough: bool) -> bool:
        """
        End what is left of its group, and reap it; true once it is reaped, so call it until it is.

        `thorough`: look for what left the group too.
        """
        if not self._reaped:
            signal_group(self.pid, signal.SIGKILL)
            if thorough:
                end_carriers(self._mark, CARRIERS)
            self._reaped = reap(self.pid)[0]
            if self._reaped:
                self._process.returncode = 0  # else `Popen` would wait for an id that is another's by then
        return self._reaped

    def abandon(self) -> None:
        """Give up waiting for one that cannot be killed; it is reaped when another process is started."""
        if not self._reaped:
            self._reaped = True
            self._process.returncode = 0
            reap_later(self.pid)

    @staticmethod
    def _descriptor(pipe: object) -> int:
        number: int = pipe.fileno()  # type: ignore[attr-defined] # both are pipes here
        os.set_blocking(number, False)
        return number
