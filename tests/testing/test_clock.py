from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from hookfw.testing import FakeClock


def test_the_clock_moves_only_when_it_is_moved():
    clock = FakeClock(datetime(2030, 1, 1, tzinfo=UTC))
    assert clock.now() == clock.now() == datetime(2030, 1, 1, tzinfo=UTC)
    assert clock.monotonic() == 0
    clock.advance(90)
    assert clock.now() - datetime(2030, 1, 1, tzinfo=UTC) == timedelta(seconds=90)
    assert clock.monotonic() == 90


def test_it_cannot_be_moved_back():
    with pytest.raises(ValueError, match="moved back"):
        FakeClock().advance(-1)


def test_a_start_without_a_time_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        FakeClock(datetime(2030, 1, 1))  # noqa: DTZ001 - that is the point
