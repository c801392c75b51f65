from __future__ import annotations

import asyncio

import pytest
from driving import both_drivers, on_a_loop

from hookfw import Host, Resources
from hookfw import resources as module
from hookfw.settings import Settings


class Kept:
    """Something that is kept, and how often it was closed."""

    def __init__(self, closing=None):
        self.closed = 0
        self._closing = closing

    async def close(self):
        self.closed += 1
        if self._closing is not None:
            await self._closing()


def made():
    return Resources(host=Host(), settings=Settings(), environ={})


def test_what_is_kept_is_made_once_and_by_its_key():
    resources = made()
    first = resources.keep("a", Kept)
    assert resources.keep("a", Kept) is first
    assert resources.keep(("a",), Kept) is not first


def test_what_is_forgotten_is_made_anew_unless_another_has_taken_its_place():
    resources = made()
    first = resources.keep("a", Kept)
    resources.forget("a", first)
    second = resources.keep("a", Kept)
    assert second is not first
    resources.forget("a", first)
    assert resources.keep("a", Kept) is second


@both_drivers
def test_closing_closes_all_once(run):
    resources = made()
    kept = [resources.keep(number, Kept) for number in range(3)]

    async def body(driver):
        await resources.close(driver)
        await resources.close(driver)

    run(body)
    assert [item.closed for item in kept] == [1, 1, 1]


@both_drivers
def test_what_fails_to_close_does_not_keep_others_from_it(run):
    async def fail():
        raise OSError

    resources = made()
    kept = [resources.keep(0, lambda: Kept(fail)), resources.keep(1, Kept)]
    run(resources.close)
    assert [item.closed for item in kept] == [1, 1]


@both_drivers
def test_what_does_not_come_to_an_end_is_left_behind(run, monkeypatch):
    monkeypatch.setattr(module, "CLOSING", 0.1)

    async def forever():
        await asyncio.Event().wait()

    resources = made()
    kept = [resources.keep(0, lambda: Kept(forever)), resources.keep(1, Kept)]
    run(resources.close)
    assert [item.closed for item in kept] == [1, 1]


@both_drivers
def test_all_are_closed_at_the_same_time(run):
    arrived = []

    async def meet():
        arrived.append(1)
        while len(arrived) < 3:
            await asyncio.sleep(0.001)

    resources = made()
    for number in range(3):
        resources.keep(number, lambda: Kept(meet))
    run(resources.close)
    assert len(arrived) == 3


def test_closing_that_was_interrupted_can_be_done_again():
    reached = asyncio.Event()

    async def wait_once():
        if not reached.is_set():
            reached.set()
            await asyncio.Event().wait()

    resources = made()
    kept = resources.keep("a", lambda: Kept(wait_once))

    async def body(driver):
        closing = asyncio.create_task(resources.close(driver))
        await reached.wait()
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        await resources.close(driver)

    on_a_loop(body)
    assert kept.closed == 2
