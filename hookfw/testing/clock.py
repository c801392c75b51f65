"""A clock that only moves when it is told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FakeClock:
    """
    Stands in for the clock that pure functions are handed.

    `now` and `monotonic` are plain callables, so either can be passed where a clock is asked for.
    """

    __slots__ = ("_elapsed", "_start")

    def __init__(self, start: datetime | None = None) -> None:
        """`start`: the first answer of `now`; by default noon UTC of 1 January 2026. It has to know its time zone."""
        self._start = start or datetime(2026, 1, 1, 12, tzinfo=UTC)
        if self._start.tzinfo is None:
            message = "a clock needs a start with a time zone; give `tzinfo`"
            raise ValueError(message)
        self._elapsed = 0.0

    def now(self) -> datetime:
        """The time of day, in the zone of the start."""
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        """Seconds since the clock was made, as far as it was moved."""
        return self._elapsed

    def advance(self, seconds: float) -> None:
        """Move the clock forward. Raises `ValueError` for a negative number: time does not run backwards here."""
        if seconds < 0:
            message = f"a clock cannot be moved back by {-seconds} seconds"
            raise ValueError(message)
        self._elapsed += seconds
