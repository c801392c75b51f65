"""The call of a command handler: a shell line, or a program with its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from hookfw import Invocation

if TYPE_CHECKING:
    from hookfw import Kill

FAMILY = "claude"
"""What these agents are to the host: dialects with one protocol for commands, so that what several of them have runs once."""
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """
    How one agent starts its commands.

    Attributes:
        shell: the program and options before a shell line.
        kill: how its processes are ended.
        stdout_cap: bytes of standard output that are kept.
        stderr_cap: likewise.
    """

    shell: tuple[str, ...]
    kill: Kill
    stdout_cap: int
    stderr_cap: int

    def invocation(
        self,
        command: str | Sequence[str],
        *,
        stdin: bytes,
        cwd: str,
        timeout: float,
        env: Mapping[str, str] = _NOTHING,
        unset: Iterable[str] = (),
    ) -> Invocation:
        """
        The call of `command`: a text is a shell line, a sequence is run as it is.

        `timeout` is in seconds; `unset` names inherited variables that are removed before those of `env` are set.
        """
        return Invocation(
            argv=(*self.shell, command) if isinstance(command, str) else tuple(command),
            stdin=stdin,
            env=env,
            unset=tuple(unset),
            cwd=cwd,
            timeout=timeout,
            stdout_cap=self.stdout_cap,
            stderr_cap=self.stderr_cap,
            kill=self.kill,
        )
