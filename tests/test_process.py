"""One child, pumped by hand: the clock stands still until a test moves it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import uuid

import psutil
import pytest
from driving import Resources, carriers, child, is_gone, number_in, python, shell, until
from hypothesis import given
from hypothesis import strategies as st

from hookfw.errors import HookfwError
from hookfw.process import Ended, Kill, not_started
from hookfw.processes.capture import Capture
from hookfw.processes.reap import _unconfirmed, has_exited, reap_later, reap_unconfirmed


@pytest.fixture(autouse=True)
def nothing_is_left():
    resources = Resources()
    yield
    resources.check()


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def step(a_child) -> None:
    """Let the child go on with what is ready now, or within a moment."""
    interest = list(a_child.interest())
    readers = [fd for fd, direction in interest if direction == "r"]
    writers = [fd for fd, direction in interest if direction == "w"]
    for ready in select.select(readers, writers, [], 0.01):
        for fd in ready:
            a_child.ready(fd)


def pump(a_child, clock=None) -> Ended:
    """Pump until the child has ended; a clock that is given follows the deadlines once the child was stopped."""

    def ended():
        step(a_child)
        a_child.tick()
        if clock is not None and a_child.deadline() is not None:
            clock.now += 0.01
        return a_child.ended

    return until(ended)


def run(a_child) -> Ended:
    a_child.start()
    return pump(a_child)


def test_a_child_that_ends_gives_all_its_facts():
    facts = run(shell("cat; echo err >&2; exit 3", stdin=b"in\n"))
    assert (facts.state, facts.exit_code, facts.signal) == ("exited", 3, None)
    assert (facts.stdout, facts.stderr) == ("in\n", "err\n")
    assert (facts.stdout_cut, facts.stderr_cut, facts.pipes_held, facts.killed) == (False,) * 4
    assert facts.confirmed
    assert facts.duration > 0
    assert facts.error_kind is None


def test_facts_and_manner_of_killing_show_their_fields():
    assert repr(not_started("ENOENT")).startswith("Ended(confirmed=True, detail='', duration=0.0, error_kind='ENOENT'")
    assert repr(Kill(grace=1.0)) == "Kill(grace=1.0, after_exit=False)"


@given(data=st.lists(st.binary(max_size=50), max_size=20), cap=st.integers(0, 200))
def test_a_capture_keeps_the_first_bytes_up_to_its_cap_and_says_when_it_dropped_any(data, cap):
    reading, writing = os.pipe()
    capture = Capture(os.fdopen(reading, "rb", buffering=0), cap)
    for piece in data:
        os.write(writing, piece)
        assert not capture.drain()
    os.close(writing)
    assert capture.drain()
    capture.close()
    whole = b"".join(data)
    assert b"".join(capture._parts) == whole[:cap]
    assert capture.cut == (len(whole) > cap)


@pytest.mark.parametrize(("size", "cut"), [(99, False), (100, False), (101, True)])
def test_output_is_cut_only_past_the_cap(size, cut):
    facts = run(shell("cat; cat >&2 < /dev/null", stdin=b"x" * size, stdout_cap=100))
    assert (len(facts.stdout), facts.stdout_cut, facts.stderr_cut) == (min(size, 100), cut, False)


def test_output_that_is_no_utf8_is_replaced_and_a_byte_order_mark_dropped():
    assert run(shell(r"printf '\357\273\277a\377\000b'")).stdout == "a\ufffd\0b"


def test_discarded_output_goes_to_the_null_device():
    facts = run(shell("[ /dev/stdout -ef /dev/null ] && [ /dev/stderr -ef /dev/null ] && exit 7", discard_output=True))
    assert (facts.exit_code, facts.stdout, facts.pipes_held) == (7, "", False)


def test_empty_input_is_a_pipe_that_is_closed():
    assert run(shell("[ -p /dev/stdin ] && cat && exit 8")).exit_code == 8


def test_the_child_leads_a_session_of_its_own_and_knows_its_run():
    script = "import os; print(os.getpid() == os.getsid(0) == os.getpgid(0), os.environ['HOOKFW_RUN'])"
    assert run(python(script, run_id="run-1", env={"PATH": os.environ["PATH"]})).stdout == "True run-1\n"


def test_a_run_inside_a_run_carries_both_so_that_the_outer_one_can_be_found(tmp_path):
    inner = python("import os; print(os.environ['HOOKFW_RUN'])", env={"HOOKFW_RUN": "outer"}, run_id="inner")
    assert run(inner).stdout == "outer/inner\n"
    run_id = uuid.uuid4().hex
    script = f"HOOKFW_RUN={run_id}/inner setsid sh -c 'echo $$ > {tmp_path}/pid; exec sleep 600' & wait"
    outer = shell(script, run_id=run_id)
    outer.start()
    pid = number_in(tmp_path / "pid")
    outer.cancel()
    assert pump(outer).confirmed
    until(lambda: is_gone(pid))


def test_a_run_whose_name_only_begins_alike_is_left_alone(tmp_path):
    run_id = uuid.uuid4().hex
    other = shell("exec sleep 600", run_id=f"{run_id}2")
    other.start()
    one = shell("exec sleep 600", run_id=run_id)
    one.start()
    one.cancel()
    pump(one)
    assert carriers(f"{run_id}2")
    other.close()


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"argv": ("/nowhere/at-all",)}, "ENOENT"),
        ({"argv": ("no-such-command-anywhere",)}, "ENOENT"),
        ({"argv": ("true",), "cwd": "/nowhere"}, "ENOENT"),
        ({"argv": ("true",), "cwd": "/etc/passwd"}, "ENOTDIR"),
        ({"argv": ("/etc/passwd",)}, "EACCES"),
        ({"argv": ("true", "x" * 4_000_000)}, "E2BIG"),
        ({"argv": ("true", "a\0b")}, "EINVAL"),
        ({"argv": ("true", "\ud800")}, "EINVAL"),
        ({"argv": ()}, "EINVAL"),
        ({"argv": ("true",), "env": {"A": "a\0b"}}, "EINVAL"),
        ({"argv": ("true",), "env": {"A=B": "c"}}, "EINVAL"),
    ],
)
def test_what_cannot_be_started_is_a_fact_with_the_name_of_the_error(changes, kind):
    a_child = child(**changes)
    a_child.start()
    assert (a_child.ended.state, a_child.ended.error_kind) == ("not_started", kind)
    assert (a_child.deadline(), list(a_child.interest())) == (None, [])


def test_a_script_without_an_interpreter_line_is_a_fact(tmp_path):
    script = tmp_path / "hook"
    script.write_text("echo hello\n")
    script.chmod(0o755)
    assert run_refused(child(str(script))) == "ENOEXEC"


def test_a_working_directory_that_was_removed_is_a_fact(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    a_child = child("true", cwd=str(gone))
    gone.rmdir()
    assert run_refused(a_child) == "ENOENT"


def run_refused(a_child) -> str:
    a_child.start()
    return a_child.ended.error_kind


def test_windows_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(HookfwError, match="Windows: run hookfw under Linux, macOS or WSL"):
        child("true")


def test_a_child_that_exited_in_time_is_not_timed_out_however_late_one_looks():
    clock = Clock()
    a_child = shell("exit 2", timeout=5.0, clock=clock)
    a_child.start()
    until(lambda: has_exited(a_child._process.pid))
    clock.now += 100.0
    a_child.tick()
    assert (a_child.ended.state, a_child.ended.exit_code) == ("exited", 2)


def test_a_child_that_exited_before_it_was_cancelled_keeps_its_result(tmp_path):
    a_child = shell("sleep 600 & echo $!; exit 2", clock=Clock())
    a_child.start()
    until(lambda: has_exited(a_child._process.pid))
    a_child.cancel()
    facts = pump(a_child)
    assert (facts.state, facts.exit_code, facts.pipes_held, facts.killed) == ("exited", 2, True, False)
    os.kill(int(facts.stdout), signal.SIGKILL)


def test_cancelling_while_a_pipe_is_held_takes_the_result_at_once():
    a_child = shell("sleep 600 & echo $!; exit 2", clock=Clock())
    a_child.start()
    until(lambda: has_exited(a_child._process.pid))
    step(a_child)
    step(a_child)
    assert a_child.ended is None
    a_child.cancel()
    facts = pump(a_child)
    assert (facts.state, facts.exit_code, facts.pipes_held) == ("exited", 2, True)
    os.kill(int(facts.stdout), signal.SIGKILL)


def test_a_held_pipe_is_given_up_after_the_drain_and_not_before():
    clock = Clock()
    a_child = shell("sleep 600 & echo $!", clock=clock, drain=1.0)
    a_child.start()
    until(lambda: step(a_child) or a_child.deadline() == clock.now + 1.0)
    clock.now += 0.9
    a_child.tick()
    assert a_child.ended is None
    clock.now += 0.2
    a_child.tick()
    assert a_child.ended.pipes_held
    os.kill(int(a_child.ended.stdout), signal.SIGKILL)


def test_the_grace_begins_with_sigterm_and_ends_with_sigkill(tmp_path):
    clock = Clock()
    script = "trap 'echo > terminated' TERM; echo > ready; while :; do sleep 0.05; done"
    a_child = shell(script, cwd=str(tmp_path), clock=clock, timeout=60.0, kill=Kill(grace=5.0))
    a_child.start()
    until((tmp_path / "ready").exists)
    clock.now += 59.0
    a_child.tick()
    assert a_child.deadline() == clock.now + 1.0
    clock.now += 1.0
    a_child.tick()
    assert a_child.deadline() == clock.now + 5.0
    until((tmp_path / "terminated").exists)
    clock.now += 4.0
    a_child.tick()
    assert not has_exited(a_child._process.pid)
    clock.now += 1.0
    facts = pump(a_child, clock)
    assert (facts.state, facts.signal, facts.confirmed) == ("timed_out", signal.SIGKILL, True)


def test_what_was_printed_before_a_timeout_is_kept():
    clock = Clock()
    a_child = shell("echo early; exec sleep 600", clock=clock, timeout=1.0)
    a_child.start()
    until(lambda: step(a_child) or a_child._stdout._parts)
    clock.now += 1.0
    facts = pump(a_child, clock)
    assert (facts.state, facts.stdout, facts.exit_code) == ("timed_out", "early\n", None)


def test_a_group_is_killed_even_where_its_members_have_cleared_their_environment(tmp_path):
    clock = Clock()
    a_child = shell("env -i sleep 600 & echo $! > pid; wait", cwd=str(tmp_path), clock=clock, timeout=1.0)
    a_child.start()
    pid = number_in(tmp_path / "pid")
    clock.now += 1.0
    assert pump(a_child, clock).confirmed
    until(lambda: is_gone(pid))


def test_a_child_without_a_timeout_asks_for_no_tick():
    a_child = shell("exit 0", timeout=float("inf"))
    a_child.start()
    assert (a_child.deadline(), a_child.remaining()) == (None, None)
    pump(a_child)


def test_input_that_nobody_took_is_dropped_with_the_result():
    a_child = shell("exec 3<&0; sleep 600 <&3 & echo $!", stdin=b"x" * 1_000_000, drain=0.05)
    facts = run(a_child)
    assert (facts.exit_code, facts.pipes_held) == (0, True)
    assert a_child._stdin is None
    os.kill(int(facts.stdout), signal.SIGKILL)


def test_a_child_that_could_not_be_reaped_is_reaped_when_it_has_died():
    process = subprocess.Popen(["sleep", "600"])
    reap_later(process.pid)
    reap_unconfirmed()
    assert process.pid in _unconfirmed
    process.kill()
    until(lambda: has_exited(process.pid))
    reap_unconfirmed()
    assert process.pid not in _unconfirmed
    assert psutil.Process().children() == []
    process.returncode = 0


def test_death_that_was_not_confirmed_in_time_is_told_and_reaped_later():
    clock = Clock()
    a_child = shell("exec sleep 600", clock=clock, timeout=1.0, reap=0.0)
    a_child.start()
    clock.now += 1.0
    a_child.tick()
    a_child.tick()
    assert (a_child.ended.state, a_child.ended.killed, a_child.ended.confirmed) == ("timed_out", True, False)
    until(lambda: all(process.status() == psutil.STATUS_ZOMBIE for process in psutil.Process().children()))
    run(child("true"))
    assert psutil.Process().children() == []


def test_cancel_from_another_thread_is_seen_by_the_thread_that_pumps():
    a_child = shell("exec sleep 600")
    a_child.start()
    threading.Thread(target=a_child.cancel).start()
    assert pump(a_child).state == "cancelled"


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_a_signal_handler_that_raises_while_a_child_is_being_started_leaves_no_process(error):
    def interrupt(number, frame):
        raise error

    def start_and_wait(a_child):
        a_child.start()
        until(lambda: False)

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        for _ in range(30):
            run_id = uuid.uuid4().hex
            a_child = shell("kill -USR1 $PPID; exec sleep 600", run_id=run_id)
            with pytest.raises(error):
                start_and_wait(a_child)
            a_child.close()
            assert carriers(run_id) == []
            assert psutil.Process().children() == []
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_an_exception_right_after_the_input_was_closed_does_not_keep_a_child_from_being_closed():
    class Interrupted:
        def __init__(self, stream):
            self.fileno, self.really_close = stream.fileno, stream.close

        def close(self):
            self.really_close()
            raise KeyboardInterrupt

    a_child = shell("exec sleep 600", stdin=b"x" * 1_000_000)
    a_child.start()
    a_child._stdin = Interrupted(a_child._stdin)
    with pytest.raises(KeyboardInterrupt):
        a_child.close()
    a_child.close()
    assert a_child.ended.state == "cancelled"


def test_closing_ends_a_child_without_anybody_pumping(tmp_path):
    a_child = shell("trap '' TERM; sleep 600 & wait", kill=Kill(grace=600.0))
    a_child.start()
    a_child.close()
    assert (a_child.ended.state, a_child.ended.confirmed) == ("cancelled", True)


def test_what_was_not_started_or_has_ended_can_be_ticked_cancelled_and_closed():
    def do_everything(a_child):
        a_child.tick()
        a_child.cancel()
        a_child.close()
        a_child.ready(0)
        return a_child.ended

    a_child = shell("exit 1")
    assert do_everything(a_child) is None
    facts = run(a_child)
    assert do_everything(a_child) is facts


def test_the_driver_is_told_of_each_descriptor_before_it_is_closed():
    a_child = shell("cat", stdin=b"x" * 1_000_000)
    forgotten = []
    a_child.forget = lambda fd: forgotten.append((fd, os.fstat(fd).st_mode))
    a_child.start()
    watched = [fd for fd, _ in a_child.interest()]
    pump(a_child)
    assert sorted(fd for fd, _ in forgotten) == sorted(watched)


def test_input_that_fits_the_pipe_need_not_be_watched():
    a_child = shell("cat", stdin=b"x" * 1000)
    a_child.start()
    assert {direction for _, direction in a_child.interest()} == {"r"}
    assert len(pump(a_child).stdout) == 1000


def test_without_pidfds_the_exit_is_found_by_short_looks(monkeypatch):
    monkeypatch.delattr(os, "pidfd_open")
    clock = Clock()
    a_child = shell("exit 9", clock=clock)
    a_child.start()
    assert a_child.deadline() <= clock.now + 0.05
    assert pump(a_child).exit_code == 9


def test_without_waitid_the_exit_is_still_seen_before_the_child_is_reaped(monkeypatch):
    monkeypatch.delattr(os, "pidfd_open")
    monkeypatch.delattr(os, "waitid")
    assert run(shell("exit 9")).exit_code == 9
    assert has_exited(2**22 + 1)


def test_a_status_that_the_system_threw_away_is_not_a_success():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        facts = run(shell("exit 2"))
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert (facts.state, facts.exit_code, facts.signal) == ("exited", None, None)


def test_the_usual_path_loads_no_event_loop_and_nothing_heavy():
    script = """
import sys, os
from hookfw.drivers.blocking import BlockingDriver
from hookfw.process import Child, Kill, Spawn
driver = BlockingDriver()
child = Child(Spawn(argv=("true",), env=dict(os.environ), cwd="/", timeout=30, kill=Kill(), run_id="r"))
driver.run(driver.wait(child))
print(sorted({"asyncio", "psutil", "pydantic", "dataclasses", "logging"} & set(sys.modules)), child.ended.exit_code)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[] 0\n"
