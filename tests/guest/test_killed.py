"""Either side may be killed at any moment: each call ends with its decision, hooks run once, and nothing is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading

import psutil
import pytest
from driving import is_gone, until
from guest.conftest import CALLS, stop_all

from hookfw.guests import relay as guest_relay
from hookfw.guests import wire as guest_wire

DENY = """event = "tool_call_before"\ncommand = '''echo '{"decision":"deny","reason":"not here"}' '''"""
WAIT = "echo $$ > $HOME/pid; while [ ! -e $HOME/go ]; do sleep 0.01; done; echo once >> $HOME/ran"


def started(site, call):
    guest = subprocess.Popen(
        [sys.executable, "-m", "hookfw", "guest", "codex"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=site.environ,
        cwd=site.workspace,
    )
    guest.stdin.write(json.dumps({**CALLS["codex"], "cwd": str(site.workspace), **call}).encode())
    guest.stdin.close()
    guest.stdin = None
    return guest


def helper(site):
    """The id of the background process; `None` where there is none."""
    wire = guest_relay.connect(site.environ, guest_wire.meeting_point({**site.environ, "PYTHONPATH": ""}))
    if wire is None:
        return None
    with wire.sock:
        return guest_wire.peer(wire.sock)[0]


def left_over(site):
    """Processes of hooks that were run for this home."""
    found = []
    for process in psutil.process_iter():
        try:
            environ = process.environ()
        except psutil.Error:
            continue
        if environ.get("HOME") == str(site.home) and "HOOKFW_RUN" in environ:
            found.append(process.pid)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_at_random_moments(helped, seed):
    chance = random.Random(seed)
    mark = 'sed \'s/.*tool_use_id":"//; s/".*//\' >> $HOME/ran; sleep 0.05'
    helped.claude(PreToolUse=mark)
    helped.codewhale('event = "tool_call_before"\ncommand = "sleep 0.05; exit 0"', DENY)
    ended = []
    for number in range(8):
        guest = started(helped, {"tool_use_id": f"call_{seed}_{number}"})
        threading.Event().wait(chance.uniform(0.0, 0.4))
        victim = helper(helped) if chance.random() < 0.6 else guest.pid
        if victim is not None and (victim != guest.pid or guest.poll() is None):
            os.kill(victim, signal.SIGKILL)
        out, err = guest.communicate(timeout=60)
        if victim == guest.pid:
            continue
        ended.append(number)
        assert (guest.returncode, err) == (0, b"")
        assert json.loads(out)["hookSpecificOutput"]["permissionDecisionReason"] == "not here"
    assert ended
    until(lambda: not left_over(helped))
    ran = (helped.home / "ran").read_text().split()
    assert len(ran) == len(set(ran))
    assert {f"call_{seed}_{number}" for number in ended} <= set(ran)


def test_the_hooks_of_a_guest_that_is_killed_are_ended(helped):
    helped.codewhale(f'event = "tool_call_before"\ncommand = "{WAIT}"')
    guest = started(helped, {})
    child = int(until(lambda: (helped.home / "pid").exists() and (helped.home / "pid").read_text().strip()))
    guest.kill()
    guest.communicate()
    until(lambda: is_gone(child))
    assert not (helped.home / "ran").exists()


def test_one_that_hangs_is_ended_so_that_the_next_guest_finds_another(helped, monkeypatch):
    monkeypatch.setattr(guest_relay, "PATIENCE", 0.05)
    helped.codewhale(DENY)
    helped.process.send_signal(signal.SIGSTOP)
    (path,) = (helped.root / "run" / "hookfw").glob("*.sock")
    wire = guest_relay.connect(helped.environ, str(path))
    with wire.sock:
        assert guest_relay.Relay(wire, helped.environ).ask("codex", None, b"{}", "/") is None
    assert helped.process.wait() == -signal.SIGKILL
    try:
        assert helped.guest("codex").json["hookSpecificOutput"]["permissionDecision"] == "deny"
        until(helped.status)
    finally:
        stop_all(helped)


def test_the_hooks_of_the_end_of_a_session_run_also_where_it_is_killed_before_them(helped):
    mark = "echo $$ > $HOME/pid; while [ ! -e $HOME/go ]; do sleep 0.01; done; echo one >> $HOME/ran"
    helped.codewhale(
        f'event = "session_end"\ncommand = "{mark}"', 'event = "session_end"\ncommand = "echo two >> $HOME/ran"'
    )
    call = {"session_id": "s", "hook_event_name": "SessionEnd", "reason": "other"}
    assert helped.guest("codex", {**call, "cwd": str(helped.workspace)}).nothing
    until(lambda: (helped.home / "pid").exists() and (helped.home / "pid").read_text().strip())
    helped.process.kill()
    helped.process.wait()
    (helped.home / "go").touch()
    until(lambda: (helped.home / "ran").exists() and "two" in (helped.home / "ran").read_text())
    until(lambda: not left_over(helped))
    assert sorted((helped.home / "ran").read_text().split()) == ["one", "two"]


def test_a_guest_that_does_not_listen_holds_up_nobody(helped):
    helped.claude(PostToolUse="cat > /dev/null")
    call = {**CALLS["codex"], "hook_event_name": "PostToolUse", "tool_response": "x" * (4 << 20)}
    stdin = json.dumps({**call, "cwd": str(helped.workspace)}).encode()
    (path,) = (helped.root / "run" / "hookfw").glob("*.sock")
    wire = guest_relay.connect(helped.environ, str(path))
    with wire.sock:
        wire.send("call", "codex", None, dict(helped.environ), stdin, str(helped.workspace), None)
        until(lambda: (helped.status() or {}).get("calls") == 1)
        said = []
        while said == []:
            said = wire.receive()
        assert said is not None, "it was let go, since it did not listen"
        assert (said[0][0], len(said[0][2]["stdin"]) > 4 << 20) == ("run", True)


def test_long_payloads_and_long_answers_at_once_wait_for_nobody(helped):
    hook = {"type": "command", "command": "cat; exit 0"}
    helped.claude()
    helped.write("home/.claude/settings.json", {"hooks": {"PostToolUse": [{"hooks": [hook, {**hook, "timeout": 9}]}]}})
    other = {"PostToolUse": [{"hooks": [{"type": "command", "command": f"cat; exit {number}"}]} for number in (0, 1)]}
    helped.write("home/.deepagents/hooks.json", {"hooks": other})
    call = {**CALLS["codex"], "hook_event_name": "PostToolUse", "tool_response": "x" * (8 << 20)}
    guest = started(helped, call)
    guest.communicate(timeout=60)
    assert guest.returncode == 0
    assert helper(helped) == helped.process.pid
    assert helped.status()["calls"] == 1
