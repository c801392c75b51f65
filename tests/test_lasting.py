from __future__ import annotations

import os
import sys

import psutil
import pytest
from driving import Resources, carriers, is_gone, number_in, until

from hookfw import Lasting

ENV = {"PATH": os.environ["PATH"]}


def shell(script, run_id="run", **env):
    return Lasting(["sh", "-c", script], ENV | env, None, run_id)


def end(process, *, thorough=False):
    process.hang_up()
    until(lambda: process.kill(thorough=thorough))


def test_it_is_spoken_to_over_two_pipes_that_do_not_block():
    before = Resources()
    process = Lasting(["cat"], ENV, None, "run")
    with pytest.raises(BlockingIOError):
        os.read(process.stdout, 1)
    os.write(process.stdin, b"hello")
    assert until(lambda: readable(process)) == b"hello"
    end(process)
    before.check()


def readable(process):
    try:
        return os.read(process.stdout, 100)
    except BlockingIOError:
        return b""


def test_one_that_ends_at_the_end_of_its_input_is_seen_to():
    process = Lasting(["cat"], ENV, None, "run")
    assert not process.exited()
    process.hang_up()
    until(process.exited)
    assert psutil.pid_exists(process.pid)  # not reaped: its group can still be signalled
    end(process)
    assert not psutil.pid_exists(process.pid)
    assert process.exited()
    assert process.kill(thorough=False)


def test_asked_to_end_it_may_clean_up(tmp_path):
    ready, cleaned = tmp_path / "ready", tmp_path / "cleaned"
    process = shell(f"trap 'touch {cleaned}; exit' TERM; touch {ready}; while :; do sleep 0.01; done")
    until(ready.exists)
    process.terminate()
    until(process.exited)
    end(process)
    assert cleaned.exists()
    process.terminate()  # after it is gone: nobody is signalled


def test_its_whole_group_ends_with_it(tmp_path):
    process = shell(f"sleep 600 & echo $! > {tmp_path}/child")
    child = number_in(tmp_path / "child")
    until(process.exited)
    end(process)
    until(lambda: is_gone(child))


@pytest.mark.parametrize("thorough", [True, False])
def test_what_left_its_group_is_looked_for_on_demand(tmp_path, thorough):
    away = (
        f"import os, time; os.setsid(); open({str(tmp_path / 'away')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    )
    process = Lasting(["sh", "-c", '"$0" -c "$1" & wait', sys.executable, away], ENV, None, "run-away")
    gone = number_in(tmp_path / "away")
    end(process, thorough=thorough)
    if not thorough:
        assert carriers("run-away") == [gone]
        psutil.Process(gone).kill()
    until(lambda: is_gone(gone))


def test_it_carries_its_run_inside_the_outer_one(tmp_path):
    process = shell(f"echo $HOOKFW_RUN > {tmp_path}/run; cat", HOOKFW_RUN="outer")
    until(lambda: (tmp_path / "run").exists() and (tmp_path / "run").read_text() == "outer/run\n")
    end(process)


@pytest.mark.parametrize(
    ("argv", "error"),
    [(["/nowhere/server"], FileNotFoundError), (["/etc/passwd"], PermissionError), (["a\0b"], ValueError)],
)
def test_one_that_cannot_be_started_is_an_error_and_leaves_nothing(argv, error):
    before = Resources()
    with pytest.raises(error):
        Lasting(argv, ENV, None, "run")
    before.check()


def test_one_that_is_given_up_is_reaped_later():
    from hookfw.processes.reap import reap_unconfirmed

    process = shell("sleep 600")
    process.abandon()
    assert process.exited()
    os.kill(process.pid, 9)
    until(lambda: reap_unconfirmed() or not psutil.pid_exists(process.pid))
    process.hang_up()
