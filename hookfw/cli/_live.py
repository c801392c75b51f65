"""Running hooks, shown live on a terminal: each with what its author wants shown, and how long it has been running."""

from __future__ import annotations

import contextlib
import sys
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Self, TextIO

from hookfw.cli._output import plain_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from hookfw.outcome import Run

PATIENCE = 0.3
"""Seconds that a hook runs before it is shown: what is over in the blink of an eye only flickers."""
_REFRESH = 8


class Live:
    """
    The hooks that run at this moment.

    It is told of runs from several threads; what is shown is gone when it is left.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """`stream`: the terminal. `clock`: in seconds."""
        self._stream = stream
        self._clock = clock
        self._running: dict[str, tuple[Run, float]] = {}
        self._stack = contextlib.ExitStack()

    def tell(self, run: Run) -> None:
        """A run starts (`status` is `running`) or ended."""
        if run.status == "running":
            self._running[run.id] = run, self._clock()
        else:
            self._running.pop(run.id, None)

    def lines(self) -> list[str]:
        """One line for each hook that has been running for longer than `PATIENCE`."""
        now = self._clock()
        return [
            f"{plain_line(f'{run.dialect}:{run.name}')}  {plain_line(run.status_message or 'running')}  {now - since:.0f} s"
            for run, since in tuple(self._running.values())
            if now - since > PATIENCE
        ]

    def __enter__(self) -> Self:
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.live import Live as Display  # noqa: PLC0415 - likewise

        console = Console(file=self._stream, highlight=False, markup=False, emoji=False)
        self._stack.enter_context(
            Display(console=console, get_renderable=self._render, refresh_per_second=_REFRESH, transient=True)
        )
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def _render(self) -> RenderableType:
        from rich.spinner import Spinner  # noqa: PLC0415 - as above
        from rich.table import Table  # noqa: PLC0415 - likewise
        from rich.text import Text  # noqa: PLC0415 - likewise

        shown = Table.grid(padding=(0, 1))
        for line in self.lines():
            shown.add_row(Spinner("dots"), Text(line, "dim"))
        return shown


class _Quiet(AbstractContextManager["_Quiet"]):
    """What stands for it where nobody watches."""

    tell: None = None

    def __exit__(self, *exception: object) -> None:
        return


def live() -> Live | _Quiet:
    """Running hooks on standard error where that is a terminal; nothing in a pipe."""
    # Without standard error Python has no stream for it.
    terminal = sys.stderr is not None and sys.stderr.isatty()
    return Live(sys.stderr) if terminal else _Quiet()
