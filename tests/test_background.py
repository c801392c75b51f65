"""The bounded queue of background runs, on both drivers."""

from __future__ import annotations

import logging
import threading

import pytest
from driving import Resources, both_drivers, shell, until
from hypothesis import given, settings
from hypothesis import strategies as st

from hookfw import Queue
from hookfw.background import BackgroundQueue, register_executors
from hookfw.drivers.blocking import BlockingDriver
from hookfw.drivers.on_asyncio import AsyncioDriver


@pytest.fixture(autouse=True)
def nothing_is_left():
    resources = Resources()
    yield
    resources.check()


class Jobs:
    """Jobs that wait for a gate, and what became of them."""

    def __init__(self, driver) -> None:
        self.driver = driver
        self.gate = threading.Event()
        self.lock = threading.Lock()
        self.order = []
        self.at_work = self.most = 0

    def job(self, name):
        async def work():
            with self.lock:
                self.order.append(name)
                self.at_work += 1
                self.most = max(self.most, self.at_work)
            await self.driver.in_thread(lambda: self.gate.wait(30), 60)
            with self.lock:
                self.at_work -= 1

        return work


@both_drivers
def test_two_jobs_are_at_work_thirty_two_wait_and_the_next_is_refused(run):
    async def body(driver):
        queue, jobs = BackgroundQueue(driver), Jobs(driver)
        assert [queue.submit(jobs.job(number)) for number in range(34)] == [None] * 34
        assert queue.submit(jobs.job(34)) == "queue is full"
        assert not await queue.join(0.01)
        jobs.gate.set()
        assert await queue.join(30)
        assert sorted(jobs.order) == list(range(34))
        assert jobs.most == 2

    run(body)


@both_drivers
def test_jobs_begin_in_the_order_in_which_they_were_submitted(run):
    async def body(driver):
        queue, jobs = BackgroundQueue(driver, workers=1), Jobs(driver)
        jobs.gate.set()
        for number in range(10):
            assert queue.submit(jobs.job(number)) is None
        assert await queue.join(30)
        assert jobs.order == list(range(10))

    run(body)


@both_drivers
def test_a_job_that_raises_is_logged_and_does_not_stop_its_worker(run, caplog):
    async def broken():
        raise LookupError

    async def body(driver):
        queue, jobs = BackgroundQueue(driver, workers=1), Jobs(driver)
        jobs.gate.set()
        queue.submit(broken)
        queue.submit(jobs.job("next"))
        assert await queue.join(30)
        assert jobs.order == ["next"]

    with caplog.at_level(logging.ERROR):
        run(body)
    assert "A background job failed" in caplog.text


@both_drivers
def test_workers_end_with_the_work_and_start_again_with_new_work(run):
    async def body(driver):
        queue, jobs = BackgroundQueue(driver), Jobs(driver)
        jobs.gate.set()
        for number in range(3):
            assert queue.submit(jobs.job(number)) is None
            assert await queue.join(30)
        assert jobs.order == [0, 1, 2]

    run(body)


@both_drivers
def test_a_closed_queue_refuses_says_how_many_it_forgot_and_lets_the_others_end(run):
    async def body(driver):
        queue, jobs = BackgroundQueue(driver), Jobs(driver)
        for number in range(5):
            queue.submit(jobs.job(number))
        assert queue.close() == 3
        assert queue.submit(jobs.job(5)) == "executor is closed"
        jobs.gate.set()
        assert await queue.join(30)
        assert sorted(jobs.order) == [0, 1]

    run(body)


@both_drivers
def test_cancelling_what_is_at_work_frees_the_worker(run):
    async def body(driver):
        queue, jobs = BackgroundQueue(driver, workers=1), Jobs(driver)
        a_child = shell("exec sleep 600")

        async def wait():
            await driver.wait(a_child)

        queue.submit(wait)
        await driver.in_thread(lambda: until(lambda: a_child.started), 60)
        driver.cancel_spawned()
        assert await queue.join(30)
        assert a_child.ended.state == "cancelled"
        jobs.gate.set()
        assert queue.submit(jobs.job("after")) is None
        assert await queue.join(30)
        assert jobs.order == ["after"]

    run(body)


def test_a_queue_whose_driver_cannot_start_a_worker_says_so_and_stays_usable():
    queue = BackgroundQueue(AsyncioDriver(), workers=1)
    for _ in range(2):
        assert queue.submit(Jobs(None).job(1)) == "no worker can be started: no running event loop"


@settings(max_examples=20, deadline=None)
@given(places=st.integers(0, 5), workers=st.integers(1, 4), threads=st.integers(1, 4), each=st.integers(1, 6))
def test_submitted_from_many_threads_every_job_is_done_or_refused(places, workers, threads, each):
    driver = BlockingDriver()
    queue, jobs = BackgroundQueue(driver, places, workers), Jobs(driver)
    answers = []

    def submit():
        answers.extend(queue.submit(jobs.job(0)) for _ in range(each))

    submitting = [threading.Thread(target=submit) for _ in range(threads)]
    for thread in submitting:
        thread.start()
    for thread in submitting:
        thread.join()
    accepted = answers.count(None)
    assert accepted == min(threads * each, places + workers)
    jobs.gate.set()
    assert driver.run(queue.join(30))
    assert len(jobs.order) == accepted
    assert jobs.most <= workers


def test_the_local_queue_is_registered_as_an_executor():
    (info,) = register_executors()
    assert info.name == "local"
    assert isinstance(info.make(BlockingDriver(), Queue()), BackgroundQueue)
