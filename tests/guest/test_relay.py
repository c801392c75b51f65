from __future__ import annotations

import os
import socket
import subprocess
import threading

import pytest
from driving import until

from hookfw.guests import relay as guest_relay
from hookfw.guests import wire as guest_wire
from hookfw.process import Kill, Spawn


@pytest.fixture
def ends():
    """A relay, and the wire of whoever decides for it."""
    mine, other = socket.socketpair()
    with mine, other:
        yield guest_relay.Relay(guest_wire.Wire(mine), dict(os.environ)), guest_wire.Wire(other)


def spawn(script):
    return guest_wire.packed_spawn(
        Spawn(
            argv=("sh", "-c", script),
            env={**os.environ, "MORE": "1"},
            cwd="/",
            timeout=60.0,
            kill=Kill(),
            run_id=f"test.{os.getpid()}",
        ),
        os.environ,
    )


def test_what_is_said_together_with_the_answer_is_not_lost(ends, tmp_path):
    relay, other = ends
    mark = tmp_path / "mark"
    answer = guest_wire.marshal.dumps(("answer", 0, b"", b"", True), 2)
    run = guest_wire.marshal.dumps(("run", 1, spawn(f"touch {mark}")), 2)
    pack = guest_wire._LENGTH.pack
    other.sock.sendall(pack(len(answer)) + answer + pack(len(run)) + run)
    assert relay.ask("codex", None, b"", "/") == (0, b"", b"", True)
    thread = threading.Thread(target=relay.go_on)
    thread.start()
    until(mark.exists)
    other.send("done")
    thread.join()


def test_one_that_ends_in_the_middle_leaves_the_children_that_run(ends):
    relay, other = ends
    other.send("run", 1, spawn("sleep 0.01; echo $MORE"))
    other.sock.shutdown(socket.SHUT_WR)
    assert relay.ask("codex", None, b"", "/") is None
    (child,) = relay.started
    relay._pump_out()
    assert child.ended.stdout == "1\n"


def test_one_that_says_nothing_is_not_waited_for_without_end(ends, monkeypatch):
    relay, _ = ends
    monkeypatch.setattr(guest_relay, "PATIENCE", 0.01)
    assert relay.ask("codex", None, b"", "/") is None


def test_one_that_declines_or_talks_nonsense_decides_nothing(ends):
    relay, other = ends
    other.send("decline", "why")
    assert relay.ask("codex", None, b"", "/") is None
    other.sock.sendall(guest_wire._LENGTH.pack(3) + b"abc")
    assert relay.ask("codex", None, b"", "/") is None


def test_an_interrupt_in_the_start_of_a_child_leaves_nothing_to_wait_for(ends, monkeypatch):
    relay, other = ends
    other.send("run", 1, spawn("exec sleep 600"))
    begin = subprocess.Popen.__init__

    def interrupted(self, *args, **options):
        begin(self, *args, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "__init__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        relay.ask("codex", None, b"", "/")
    monkeypatch.undo()
    assert [child.started for child in relay.started] == [False]
