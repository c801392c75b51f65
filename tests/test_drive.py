"""What both drivers promise beyond carrying a child."""

from __future__ import annotations

import asyncio
import contextvars
import select
import signal
import threading

import pytest
from driving import Resources, both_drivers, shell, until

from hookfw.drivers.blocking import BlockingDriver
from hookfw.drivers.driver import Driver
from hookfw.drivers.interrupts import Interrupts
from hookfw.drivers.on_asyncio import AsyncioDriver
from hookfw.drivers.trampoline import LONGEST, Cancelled, Trampoline
from hookfw.process import Child

variable = contextvars.ContextVar("variable", default="unset")


@pytest.fixture(autouse=True)
def nothing_is_left():
    asyncio.run(asyncio.sleep(0))  # what a first loop opens for good is no leak
    resources = Resources()
    yield
    resources.check()


@both_drivers
def test_an_error_of_one_task_ends_the_others_before_it_is_raised(run):
    sleepers = [shell("exec sleep 600") for _ in range(3)]
    closed = []

    async def body(driver):
        async def wait(a_child):
            try:
                await driver.wait(a_child)
            finally:
                closed.append(a_child)

        async def nested():
            await driver.gather([wait(sleepers[1]), wait(sleepers[2])])

        async def fail():
            await driver.wait(shell("exit 0"))
            raise LookupError

        with pytest.raises(LookupError):
            await driver.gather([wait(sleepers[0]), nested(), fail()])
        assert [a_child.ended.state for a_child in sleepers] == ["cancelled"] * 3
        assert len(closed) == 3

    run(body)


@both_drivers
def test_an_error_before_others_have_begun_ends_them_too(run):
    begun = []

    async def body(driver):
        async def fail():
            raise LookupError

        async def later():
            await driver.wait(shell("exit 0"))
            begun.append(1)

        with pytest.raises(LookupError):
            await driver.gather([fail(), later(), later()])

    run(body)
    assert begun == []


@both_drivers
def test_gathered_tasks_run_interleaved_and_nothing_is_a_group_too(run):
    order = []

    async def body(driver):
        async def work(name, script):
            await driver.wait(shell(script))
            order.append(name)

        await driver.gather([])
        await driver.gather([work("slow", "sleep 0.5"), work("quick", "exit 0")])
        await driver.gather([work("alone", "exit 0")])

    run(body)
    assert order == ["quick", "slow", "alone"]


@both_drivers
def test_a_result_and_an_error_come_back_from_a_thread(run):
    async def body(driver):
        assert await driver.in_thread(lambda: 7, 30) == 7
        with pytest.raises(ZeroDivisionError):
            await driver.in_thread(lambda: 1 / 0, 30)
        variable.set("of the caller")
        assert await driver.in_thread(variable.get, 30) == "of the caller"
        assert await driver.in_thread(threading.get_ident, 30) != threading.get_ident()

    run(body)


@both_drivers
def test_a_thread_that_is_late_is_given_up_and_its_result_dropped(run):
    release = threading.Event()

    async def body(driver):
        with pytest.raises(TimeoutError):
            await driver.in_thread(lambda: release.wait(30), 0.05)
        release.set()
        assert await driver.in_thread(lambda: 1, 30) == 1

    run(body)


def test_a_thread_that_outlives_its_loop_is_no_error():
    release = threading.Event()

    async def main():
        with pytest.raises(TimeoutError):
            await AsyncioDriver().in_thread(lambda: release.wait(30), 0.01)

    asyncio.run(main())
    release.set()


@both_drivers
def test_an_awaitable_that_needs_an_event_loop_is_called(run):
    async def answer(value):
        await asyncio.sleep(0)
        return value

    async def fail():
        raise LookupError

    async def body(driver):
        assert await driver.call(answer(3), 30) == 3
        assert await driver.call(answer(4), 30) == 4
        with pytest.raises(LookupError):
            await driver.call(fail(), 30)

    run(body)


@both_drivers
def test_an_awaitable_that_is_late_is_cancelled(run):
    ended = threading.Event()

    async def forever():
        try:
            await asyncio.sleep(600)
        finally:
            ended.set()

    async def body(driver):
        with pytest.raises(TimeoutError):
            await driver.call(forever(), 0.05)
        assert await driver.in_thread(lambda: ended.wait(30), 60)

    run(body)


@both_drivers
def test_two_awaitables_wait_for_each_other_side_by_side(run):
    async def body(driver):
        meeting = asyncio.Event()

        async def set_it():
            await driver.call(call_set(meeting), 30)

        async def wait_for_it():
            await driver.call(meeting.wait(), 30)

        await driver.gather([wait_for_it(), set_it()])

    async def call_set(meeting):
        meeting.set()

    run(body)


@both_drivers
def test_an_awaitable_is_abandoned_when_its_group_fails(run):
    ended = threading.Event()
    begun = threading.Event()

    async def forever():
        begun.set()
        try:
            await asyncio.sleep(600)
        finally:
            ended.set()

    async def body(driver):
        async def call():
            await driver.call(forever(), 60)

        async def fail():
            await driver.in_thread(lambda: begun.wait(30), 60)
            raise LookupError

        with pytest.raises(LookupError):
            await driver.gather([call(), fail()])
        assert await driver.in_thread(lambda: ended.wait(30), 60)

    run(body)


@both_drivers
def test_join_waits_for_what_was_spawned_and_for_what_that_spawned(run):
    done = []

    async def body(driver):
        async def second():
            await driver.wait(shell("exit 0"))
            done.append("second")

        async def first():
            await driver.wait(shell("exit 0"))
            done.append("first")
            driver.spawn(second())

        driver.spawn(first())
        assert await driver.join(30)
        assert await driver.join(None)

    run(body)
    assert done == ["first", "second"]


@both_drivers
def test_join_gives_up_after_its_timeout_and_cancelling_ends_what_runs(run):
    a_child = shell("exec sleep 600")

    async def body(driver):
        async def work():
            await driver.wait(a_child)

        driver.spawn(work())
        assert not await driver.join(0.05)
        assert not await driver.join(0)
        await driver.in_thread(lambda: until(lambda: a_child.started), 60)
        driver.cancel_spawned()
        assert await driver.join(30)
        assert a_child.ended.state == "cancelled"

    run(body)


@both_drivers
def test_work_may_join_the_driver_that_carries_it(run):
    async def body(driver):
        async def work():
            assert await driver.join(None)

        driver.spawn(work())
        assert await driver.join(30)

    run(body)


def test_an_interrupt_waits_until_it_is_admitted_and_is_never_lost():
    interrupts = Interrupts()
    with pytest.raises(KeyboardInterrupt), interrupts:
        signal.raise_signal(signal.SIGINT)
    with Interrupts():
        pass
    admitted = Interrupts()
    with admitted:
        admitted.admit()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            admitted.admit()
        admitted.admit()
        admitted.refuse()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_program_for_interrupts_is_left_alone():
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        with Interrupts():
            signal.raise_signal(signal.SIGINT)
        assert seen == [1]
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_of_a_coroutine_that_computes_reaches_it():
    a_child = shell("exec sleep 600")
    driver = BlockingDriver()

    async def wait():
        await driver.wait(a_child)

    async def compute():
        with pytest.raises(KeyboardInterrupt) as caught:
            signal.raise_signal(signal.SIGINT)
        raise caught.value

    with pytest.raises(KeyboardInterrupt):
        driver.run(driver.gather([wait(), compute()]))
    assert a_child.ended.state == "cancelled"


def test_an_interrupt_that_comes_while_a_child_is_being_started_waits_until_it_is_known():
    class Interrupted(Child):
        def start(self):
            signal.raise_signal(signal.SIGINT)
            super().start()

    a_child = Interrupted(shell("exec sleep 600").spawn)
    driver = BlockingDriver()
    with pytest.raises(KeyboardInterrupt):
        driver.run(driver.wait(a_child))
    assert a_child.ended.state == "cancelled"


def test_an_asyncio_driver_drops_the_late_result_of_a_thread_without_a_word():
    complaints = []
    release = threading.Event()

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: complaints.append(context))
        with pytest.raises(TimeoutError):
            await AsyncioDriver().in_thread(lambda: release.wait(30), 0.01)
        release.set()
        await asyncio.to_thread(
            until, lambda: "hookfw-handler" not in {thread.name for thread in threading.enumerate()}
        )
        await asyncio.sleep(0)

    asyncio.run(main())
    assert complaints == []


def test_spawning_without_a_running_loop_is_refused():
    async def work():
        return

    with pytest.raises(RuntimeError, match="no running event loop"):
        AsyncioDriver().spawn(work())


def test_spawning_without_a_further_thread_is_refused():
    async def work():
        return

    before = threading.stack_size(1 << 46)  # more than there are addresses: no thread can start
    try:
        with pytest.raises(RuntimeError, match="can't start new thread"):
            BlockingDriver().spawn(work())
    finally:
        threading.stack_size(before)


def test_a_trampoline_cancelled_before_it_runs_closes_its_coroutine():
    async def work():
        pytest.fail("it must not begin")

    trampoline = Trampoline(cancellable=True)
    trampoline.cancel()
    with pytest.raises(Cancelled):
        trampoline.run(work())
    trampoline.cancel()


def test_a_late_result_of_a_trampoline_that_is_gone_is_dropped():
    release, delivered = threading.Event(), threading.Event()
    driver = BlockingDriver()

    def late():
        release.wait(30)
        delivered.set()

    with pytest.raises(TimeoutError):
        driver.run(driver.in_thread(late, 0.01))
    release.set()
    assert delivered.wait(30)


def test_the_blocking_driver_serves_several_threads_at_once():
    driver = BlockingDriver()
    codes = []

    def fire(code):
        codes.append(driver.run(driver.wait(shell(f"exit {code}"))).exit_code)

    threads = [threading.Thread(target=fire, args=(code,)) for code in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == list(range(8))


def test_closing_the_blocking_driver_twice_or_unused_is_no_error():
    driver = BlockingDriver()
    driver.close()
    driver.close()
    assert isinstance(driver, Driver)


def test_no_sleep_is_long_so_that_a_signal_that_comes_just_before_it_is_heard(monkeypatch):
    sleeps = []

    class Poll:
        def __init__(self):
            self._poll = real()
            self.register, self.unregister = self._poll.register, self._poll.unregister

        def poll(self, milliseconds):
            sleeps.append(milliseconds / 1000)
            return self._poll.poll(milliseconds)

    real = select.poll
    monkeypatch.setattr(select, "poll", Poll)
    waits = []
    wait = threading.Event.wait

    def watched(event, timeout=None):
        waits.append(timeout)
        return wait(event, timeout)

    driver = BlockingDriver()
    driver.spawn(_outlast(driver, shell("sleep 0.1", timeout=3600)))
    monkeypatch.setattr(threading.Event, "wait", watched)
    driver.run(driver.join(None))
    driver.close()
    assert sleeps
    assert max(sleeps) <= LONGEST
    assert waits
    assert all(timeout is not None and timeout <= LONGEST for timeout in waits)


async def _outlast(driver, child):
    await driver.wait(child)
