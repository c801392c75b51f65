"""Interrupts at safe points: a SIGINT that comes while processes and descriptors change hands waits a moment."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # `signal` looks every handler up as an enum, at each start of a hook
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType, TracebackType


class Interrupts:
    """
    Holds SIGINT back, except between `admit` and `refuse`.

    Python raises `KeyboardInterrupt` between any two instructions: also after a process was started and before anyone
    knows it. While this is entered it is raised by `admit`, or while a coroutine or the selector runs. Only Python's
    own handler in the main thread is replaced; a program that has another one knows what it does.
    """

    __slots__ = ("_admitting", "_held", "_installed")

    def __init__(self) -> None:
        self._admitting = False
        self._held = False
        self._installed = False

    def __enter__(self) -> None:
        if (
            threading.current_thread() is threading.main_thread()
            and _signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            _signal.signal(signal.SIGINT, self._handle)
            self._installed = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._installed:
            _signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._held and kind is None:
            raise KeyboardInterrupt

    def admit(self) -> None:
        """
        Let interrupts through from here on.

        Raises:
            KeyboardInterrupt: one came meanwhile.
        """
        self._admitting = True  # before looking: one that comes now is raised by the handler
        if self._held:
            self._raise()

    def refuse(self) -> None:
        """Hold interrupts back again."""
        self._admitting = False

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self._admitting:
            self._raise()
        self._held = True

    def _raise(self) -> None:
        self._admitting = self._held = False
        raise KeyboardInterrupt
