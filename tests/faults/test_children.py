"""What a hook can do wrong, on both drivers; after each, nothing is left."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import tracemalloc
import uuid

import psutil
import pytest
from driving import Resources, both_drivers, carriers, child, is_gone, number_in, on_a_loop, python, shell, until

from hookfw.drivers.blocking import BlockingDriver
from hookfw.drivers.on_asyncio import AsyncioDriver
from hookfw.process import Kill

LEAVE_THE_GROUP = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[1] + ".new", "w") as stream:
            stream.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""


class StopError(Exception):
    """Ends a test's wait half way."""


@pytest.fixture(autouse=True)
def nothing_is_left():
    asyncio.run(asyncio.sleep(0))  # what a first loop opens for good is no leak
    resources = Resources()
    yield
    resources.check()


def ended(run, a_child):
    return run(lambda driver: driver.wait(a_child))


async def cancelled_when(driver, a_child, condition):
    """Wait for the child, and have that cancelled as soon as `condition` holds."""

    async def wait():
        await driver.wait(a_child)

    async def stop():
        await driver.in_thread(lambda: until(condition), 60)
        raise StopError

    with pytest.raises(StopError):
        await driver.gather([wait(), stop()])
    return a_child.ended


@both_drivers
def test_a_child_that_never_reads_eight_megabytes_of_input_ends_as_usual(run):
    facts = ended(run, shell("exit 3", stdin=b"x" * 8_000_000))
    assert (facts.state, facts.exit_code) == ("exited", 3)


@both_drivers
def test_a_child_that_closes_its_input_after_the_first_line_is_no_error(run):
    facts = ended(run, shell("read line; exec <&-; echo $line", stdin=b"first\n" + b"x" * 1_000_000))
    assert (facts.exit_code, facts.stdout) == (0, "first\n")


@both_drivers
def test_eight_megabytes_go_through_a_child_that_answers_while_it_reads(run):
    payload = bytes(range(32, 127)) * 84_211
    facts = ended(run, child("cat", stdin=payload, stdout_cap=len(payload)))
    assert facts.stdout.encode() == payload
    assert not facts.stdout_cut


@both_drivers
def test_fifty_megabytes_on_both_pipes_are_read_to_the_end_and_kept_up_to_the_cap(run):
    flood = "head -c 50000000 /dev/zero & head -c 50000000 /dev/zero >&2; wait; exit 5"
    tracemalloc.start()
    try:
        facts = ended(run, shell(flood, stdout_cap=1000, stderr_cap=10, timeout=100))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert facts.exit_code == 5
    assert (len(facts.stdout), len(facts.stderr)) == (1000, 10)
    assert facts.stdout_cut
    assert facts.stderr_cut
    assert peak < 4_000_000


@both_drivers
def test_a_daemon_that_keeps_a_pipe_open_holds_nobody_up(run):
    facts = ended(run, shell("sleep 600 & echo $!", drain=0.1))
    daemon = int(facts.stdout)
    assert (facts.state, facts.exit_code, facts.pipes_held) == ("exited", 0, True)
    assert not is_gone(daemon)
    os.kill(daemon, signal.SIGKILL)
    until(lambda: is_gone(daemon))


@both_drivers
def test_what_is_left_of_the_group_is_killed_after_a_normal_end_where_asked(run):
    facts = ended(run, shell("sleep 600 & echo $!", kill=Kill(after_exit=True), drain=30.0))
    assert (facts.state, facts.exit_code, facts.pipes_held) == ("exited", 0, False)
    until(lambda: is_gone(int(facts.stdout)))


@both_drivers
def test_a_timeout_kills_the_whole_group(run):
    run_id = uuid.uuid4().hex
    facts = ended(run, shell("sleep 600 & wait", timeout=0.3, run_id=run_id))
    assert (facts.state, facts.exit_code, facts.signal) == ("timed_out", None, signal.SIGKILL)
    assert (facts.killed, facts.confirmed) == (True, True)
    assert carriers(run_id) == []


@both_drivers
def test_a_child_that_ignores_sigterm_is_killed_when_the_grace_is_over(run, tmp_path):
    script = "trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done"
    a_child = shell(script, cwd=str(tmp_path), kill=Kill(grace=0.2))
    facts = run(lambda driver: cancelled_when(driver, a_child, (tmp_path / "pid").exists))
    assert (facts.state, facts.signal, facts.confirmed) == ("cancelled", signal.SIGKILL, True)


@both_drivers
def test_a_child_that_handles_sigterm_may_say_its_last_words(run, tmp_path):
    script = "trap 'echo bye; exit 0' TERM; echo $$ > pid; while :; do sleep 0.05; done"
    a_child = shell(script, cwd=str(tmp_path), kill=Kill(grace=30.0))
    facts = run(lambda driver: cancelled_when(driver, a_child, (tmp_path / "pid").exists))
    assert (facts.state, facts.stdout, facts.signal, facts.exit_code) == ("cancelled", "bye\n", None, None)


@both_drivers
def test_a_member_of_the_group_that_holds_a_pipe_has_the_grace_too(run, tmp_path):
    member = "trap 'sleep 0.2; echo saved; exit' TERM; echo $$ > pid; while :; do sleep 0.05; done"
    a_child = child("sh", "-c", 'sh -c "$1" & wait', "sh", member, cwd=str(tmp_path), kill=Kill(grace=30.0))
    facts = run(lambda driver: cancelled_when(driver, a_child, (tmp_path / "pid").exists))
    assert (facts.state, facts.stdout) == ("cancelled", "saved\n")


@both_drivers
def test_a_process_that_left_the_group_is_found_and_killed(run, tmp_path):
    path = tmp_path / "pid"
    a_child = python(LEAVE_THE_GROUP, path)
    facts = run(lambda driver: cancelled_when(driver, a_child, path.exists))
    assert facts.confirmed
    until(lambda: is_gone(number_in(path)))


@both_drivers
def test_a_child_ended_by_a_signal_has_a_signal_and_no_exit_code(run):
    facts = ended(run, shell("kill -SEGV $$"))
    assert (facts.state, facts.exit_code, facts.signal) == ("exited", None, signal.SIGSEGV)


@both_drivers
def test_pipes_closed_early_are_not_the_end_of_the_child(run):
    facts = ended(run, shell("echo out; exec >&- 2>&-; sleep 0.1; exit 4"))
    assert (facts.exit_code, facts.stdout, facts.pipes_held) == (4, "out\n", False)


@both_drivers
def test_a_command_that_does_not_exist_is_a_fact(run):
    facts = ended(run, child("/nowhere/at-all"))
    assert (facts.state, facts.error_kind) == ("not_started", "ENOENT")


@both_drivers
def test_two_hundred_at_once_each_get_their_own_answer(run):
    children = [child("cat", stdin=str(number).encode(), timeout=100) for number in range(200)]

    async def all_at_once(driver):
        async def one(a_child):
            await driver.wait(a_child)

        await driver.gather([one(a_child) for a_child in children])

    run(all_at_once)
    assert [a_child.ended.stdout for a_child in children] == [str(number) for number in range(200)]


@both_drivers
def test_a_hundred_one_after_another_leave_the_descriptors_flat(run):
    counts = []

    async def one_by_one(driver):
        for _ in range(100):
            await driver.wait(child("true"))
            counts.append(psutil.Process().num_fds())

    run(one_by_one)
    assert max(counts[1:]) <= counts[0]


def test_cancelling_an_asyncio_task_kills_and_reaps_before_it_is_cancelled(tmp_path):
    a_child = shell("echo $$ > pid; sleep 600 & wait", cwd=str(tmp_path))

    async def main():
        task = asyncio.create_task(AsyncioDriver().wait(a_child))
        await asyncio.to_thread(number_in, tmp_path / "pid")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert a_child.ended.state == "cancelled"

    asyncio.run(main())


def test_cancelling_an_asyncio_task_again_does_not_cut_the_grace_short(tmp_path):
    script = "trap 'sleep 0.3; echo saved; exit' TERM; echo $$ > pid; while :; do sleep 0.05; done"
    a_child = shell(script, cwd=str(tmp_path), kill=Kill(grace=30.0))

    async def main():
        task = asyncio.create_task(AsyncioDriver().wait(a_child))
        await asyncio.to_thread(number_in, tmp_path / "pid")
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert a_child.ended.stdout == "saved\n"


def test_a_wait_that_is_thrown_away_with_its_loop_ends_the_child(tmp_path):
    a_child = shell("echo $$ > pid; sleep 600 & wait", cwd=str(tmp_path))

    async def main():
        wait = AsyncioDriver().wait(a_child)
        wait.send(None)
        number_in(tmp_path / "pid")
        wait.close()

    asyncio.run(main())
    assert a_child.ended.state == "cancelled"


def interrupt_when(condition) -> None:
    """Send this process a SIGINT, as a person would, once `condition` holds."""

    def interrupt():
        until(condition)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()


def test_an_interrupt_of_the_blocking_driver_kills_reaps_and_closes_everything(tmp_path):
    children = [shell(f"echo $$ > {n}; sleep 600 & wait", cwd=str(tmp_path)) for n in range(5)]
    closed = []
    driver = BlockingDriver()

    async def wait(a_child):
        try:
            await driver.wait(a_child)
        finally:
            closed.append(a_child)

    interrupt_when(lambda: len(list(tmp_path.iterdir())) == 5)
    with pytest.raises(KeyboardInterrupt):
        driver.run(driver.gather([wait(a_child) for a_child in children]))
    assert [a_child.ended.state for a_child in children] == ["cancelled"] * 5
    assert len(closed) == 5


def test_an_interrupt_while_a_child_is_being_started_leaves_no_child():
    driver = BlockingDriver()
    for _ in range(30):
        run_id = uuid.uuid4().hex
        with pytest.raises(KeyboardInterrupt):
            driver.run(driver.wait(shell("kill -INT $PPID; exec sleep 600", run_id=run_id)))
        assert carriers(run_id) == []
        assert psutil.Process().children() == []


def test_a_second_interrupt_ends_the_grace(tmp_path):
    script = "trap 'echo > second' TERM; echo $$ > pid; while :; do sleep 0.05; done"
    a_child = shell(script, cwd=str(tmp_path), kill=Kill(grace=600.0))
    driver = BlockingDriver()
    interrupt_when((tmp_path / "pid").exists)
    interrupt_when((tmp_path / "second").exists)
    with pytest.raises(KeyboardInterrupt):
        driver.run(driver.wait(a_child))
    assert (a_child.ended.state, a_child.ended.signal) == ("cancelled", signal.SIGKILL)


def test_an_interrupt_of_an_asyncio_program_kills_and_reaps(tmp_path):
    a_child = shell("echo $$ > pid; sleep 600 & wait", cwd=str(tmp_path))
    interrupt_when((tmp_path / "pid").exists)
    with pytest.raises(KeyboardInterrupt):
        on_a_loop(lambda driver: driver.wait(a_child))
    assert a_child.ended.state == "cancelled"


@both_drivers
def test_a_timeout_is_kept_while_a_blocking_handler_runs_beside_it(run):
    release = threading.Event()
    a_child = shell("sleep 600", timeout=0.2)

    async def both(driver):
        async def wait():
            await driver.wait(a_child)
            release.set()

        async def block():
            assert await driver.in_thread(lambda: release.wait(30), 60)

        await driver.gather([block(), wait()])

    run(both)
    assert a_child.ended.state == "timed_out"


@both_drivers
def test_a_timeout_without_end_is_no_error(run):
    facts = ended(run, shell("exit 6", timeout=float("inf")))
    assert facts.exit_code == 6
