"""How a session ends for what runs in the background: waited for, or killed after the grace of its ecosystem."""

from __future__ import annotations

import asyncio

import pytest

import hookfw.background
from hookfw import Host, Queue
from hookfw.background_work import BackgroundWork
from hookfw.drivers.on_asyncio import AsyncioDriver

BRIEF, PATIENT = Queue(grace=0.0), Queue()


class Work:
    """Background work whose jobs wait until they are let go."""

    def __init__(self):
        host = Host()
        host.register(hookfw.background, "background")
        driver = AsyncioDriver()
        self.work = BackgroundWork(host, "local", lambda: driver)
        self.let_go = asyncio.Event()
        self.ended = 0

    def submit(self, *queues):
        for queue in queues:
            assert self.work.submit_run(self._job, queue) is None

    async def _job(self):
        await self.let_go.wait()
        self.ended += 1


def test_runs_of_an_ecosystem_that_kills_them_are_killed_after_their_grace_and_it_is_said():
    async def session():
        work = Work()
        work.submit(BRIEF, BRIEF)
        await work.work.end()
        assert work.ended == 0
        assert [item.code for item in work.work.take_late()] == ["background-cut"]

    asyncio.run(session())


@pytest.mark.parametrize("queues", [(PATIENT,), (BRIEF, PATIENT)])
def test_where_any_run_has_to_be_waited_for_all_of_them_are(queues):
    async def session():
        work = Work()
        work.submit(*queues)
        ending = asyncio.create_task(work.work.end())
        for _ in range(20):
            await asyncio.sleep(0)
        assert not ending.done()
        work.let_go.set()
        await ending
        assert work.ended == len(queues)
        assert work.work.take_late() == []

    asyncio.run(session())


def test_closing_kills_after_the_grace_where_that_is_shorter_than_what_the_program_allows():
    async def session():
        work = Work()
        work.submit(BRIEF)
        await work.work.close(timeout=3600)
        assert work.ended == 0

    asyncio.run(session())


def test_closing_carries_out_what_is_still_in_a_queue():
    async def session():
        work = Work()
        work.let_go.set()
        work.submit(*[PATIENT] * 6)
        await work.work.close(timeout=3600)
        assert work.ended == 6
        assert work.work.take_late() == []
        assert work.work.submit_run(work._job, PATIENT) == "executor is closed"

    asyncio.run(session())


def test_what_never_left_a_queue_is_said():
    async def session():
        work = Work()
        work.submit(*[Queue(workers=1, grace=0.0)] * 3)
        await work.work.close(timeout=3600)
        assert work.ended == 0
        messages = [item.message for item in work.work.take_late()]
        assert "2 background hooks or submitted events were still in a queue" in messages[1]

    asyncio.run(session())


def test_nothing_in_the_background_ends_at_once():
    async def session():
        work = Work()
        await work.work.end()
        assert work.work.take_late() == []

    asyncio.run(session())
