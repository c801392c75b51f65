from __future__ import annotations

import concurrent.futures
import json
import os
import signal
import stat
import subprocess
import sys
import threading

import pytest
from driving import is_gone, until
from guest.conftest import CALLS, CODEX, stop_all

from hookfw.agent import NativeCall
from hookfw.guests import cache as guest_cache
from hookfw.guests import daemon
from hookfw.guests import wire as guest_wire
from hookfw.host import Host
from hookfw.settings import Settings

DENY = """event = "tool_call_before"\ncommand = '''echo '{"decision":"deny","reason":"not here"}' '''"""
WAIT = "echo $$ > $HOME/pid; while [ ! -e $HOME/go ]; do sleep 0.01; done; echo once >> $HOME/ran"


def reason(said):
    return said.json["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.parametrize("agent", sorted(CALLS))
def test_its_answers_are_those_of_a_guest_alone(helped, agent):
    helped.codewhale(DENY)
    said = helped.guest(agent)
    assert reason(said) == "not here"
    assert helped.status()["calls"] == 1


def test_children_run_as_the_agent_has_it(helped):
    helped.codewhale(
        'event = "tool_call_before"\ncommand = "echo $PPID > $HOME/ppid; umask > $HOME/umask; echo $MARK > $HOME/mark"'
    )
    line = f"umask 027; exec {sys.executable} -m hookfw guest codex"
    call = json.dumps({**CALLS["codex"], "cwd": str(helped.workspace)}).encode()
    ended = subprocess.run(
        ["sh", "-c", line], input=call, env={**helped.environ, "MARK": "mine"}, cwd=helped.workspace, check=True
    )
    assert ended.returncode == 0
    assert helped.status()["calls"] == 1
    assert (helped.home / "umask").read_text().strip() == "0027"
    assert (helped.home / "mark").read_text().strip() == "mine"
    assert int((helped.home / "ppid").read_text()) != helped.process.pid


def test_a_file_that_changes_or_appears_is_seen_at_once(helped):
    assert helped.guest("codex").nothing
    helped.codewhale(DENY)
    assert reason(helped.guest("codex")) == "not here"
    helped.codewhale(DENY.replace("not here", "nowhere!"))
    assert reason(helped.guest("codex")) == "nowhere!"
    (helped.home / ".codewhale" / "config.toml").unlink()
    assert helped.guest("codex").nothing
    assert helped.status()["calls"] == 4


def test_a_variable_that_loading_looks_at_is_that_of_the_call(helped):
    helped.codewhale(DENY)
    other = helped.write("other.toml", f"[[hooks.hooks]]\n{DENY.replace('not here', 'elsewhere')}\n")
    assert reason(helped.guest("codex")) == "not here"
    assert reason(helped.guest("codex", environ={"CODEWHALE_CONFIG_PATH": str(other)})) == "elsewhere"
    assert reason(helped.guest("codex")) == "not here"


def test_it_keeps_nothing_of_the_agents_environment(site):
    site.helped = True
    site.codewhale(DENY)
    site.guest("codex", environ={"OPENAI_API_KEY": "sk-not-for-you", "HOOKFW_RUN": "outer"})
    told = until(site.status)
    try:
        with open(f"/proc/{told['pid']}/environ", "rb") as stream:
            kept = stream.read()
        assert b"KEY" not in kept
        assert b"HOOKFW_RUN" not in kept
        links = [os.readlink(f"/proc/{told['pid']}/fd/{number}") for number in (0, 1, 2)]
        assert links == ["/dev/null"] * 3
    finally:
        stop_all(site)


def test_two_first_guests_at_once_start_one(site):
    site.helped = True
    site.codewhale(DENY)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda _: site.guest("codex"), range(8)))
    assert [reason(each) for each in said] == ["not here"] * 8
    until(site.status)
    try:
        assert len(list((site.root / "run" / "hookfw").glob("*.sock"))) == 1
    finally:
        stop_all(site)


def test_its_folder_and_socket_are_the_persons_alone(helped):
    folder = helped.root / "run" / "hookfw"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (socket,) = folder.glob("*.sock")
    assert stat.S_IMODE(socket.stat().st_mode) == 0o600


def test_a_folder_that_others_can_look_into_is_not_used(site):
    folder = site.root / "run" / "hookfw"
    folder.mkdir()
    folder.chmod(0o755)
    assert guest_wire.meeting_folder({"XDG_RUNTIME_DIR": str(site.root / "run")}) is None
    folder.rmdir()
    folder.symlink_to(site.home)
    assert guest_wire.meeting_folder({"XDG_RUNTIME_DIR": str(site.root / "run")}) is None


def test_another_home_and_blocked_plugins_are_not_served(helped):
    helped.codewhale(DENY)
    assert helped.guest("codex", environ={"HOOKFW_DISABLE": "codewhale"}).nothing
    assert helped.status()["calls"] == 0


def test_another_security_state_is_not_served(helped):
    helped.codewhale(DENY)
    call = json.dumps({**CALLS["codex"], "cwd": str(helped.workspace)}).encode()
    script = (
        "import ctypes, os, sys; assert ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) == 0; "
        "os.execv(sys.executable, [sys.executable, '-m', 'hookfw', 'guest', 'codex'])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        input=call,
        env=helped.environ,
        cwd=helped.workspace,
        capture_output=True,
        check=True,
    )
    assert b"not here" in ended.stdout
    assert helped.status()["calls"] == 0


def test_a_process_in_other_namespaces_is_another(tmp_path):
    unshared = subprocess.run(
        [
            "unshare",
            "--uts",
            sys.executable,
            "-c",
            "from hookfw.guests.daemon import identity; print(identity('self'))",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if unshared.returncode:
        pytest.skip("no namespaces can be made here")
    assert unshared.stdout.strip() != str(daemon.identity("self"))


def test_a_hook_of_another_handler_type_is_left_to_the_guest(helped):
    helped.codewhale(DENY)
    hook = {"type": "http", "url": "http://127.0.0.1:9/"}
    helped.claude()
    helped.write("home/.claude/settings.json", {"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    assert reason(helped.guest("codex")) == "not here"


def test_background_hooks_begin_after_the_answer_and_end(helped):
    helped.codewhale(f'event = "tool_call_after"\nbackground = true\ncommand = "{WAIT}"')
    call = {**CALLS["codex"], "hook_event_name": "PostToolUse", "tool_response": "hi", "cwd": str(helped.workspace)}
    assert helped.guest("codex", call).nothing
    assert helped.status()["calls"] == 1
    (helped.home / "go").touch()
    until((helped.home / "ran").exists)


def test_the_end_of_a_session_does_not_wait_for_its_hooks(helped):
    helped.codewhale(f'event = "session_end"\ncommand = "{WAIT}"')
    call = {"session_id": "s", "cwd": str(helped.workspace), "hook_event_name": "SessionEnd", "reason": "other"}
    assert helped.guest("codex", call).nothing
    (helped.home / "go").touch()
    until((helped.home / "ran").exists)


def test_a_rewrite_passes_from_hook_to_hook_and_a_turn_goes_on(helped):
    helped.claude(Stop="""echo '{"decision":"block","reason":"go on"}'""")
    call = {**CODEX, "cwd": str(helped.workspace), "hook_event_name": "Stop", "stop_hook_active": False}
    assert helped.guest("codex", call).json == {"decision": "block", "reason": "go on"}
    assert helped.status()["calls"] == 1


def test_twenty_guests_at_once_each_get_their_own_answer(helped):
    helped.claude(PreToolUse='sed \'s/.*tool_use_id":"//; s/".*//\' >&2; exit 2')

    def one(number):
        call = {**CALLS["codex"], "cwd": str(helped.workspace), "tool_use_id": f"call_{number}_"}
        return reason(helped.guest("codex", call))

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        reasons = list(pool.map(one, range(20)))
    assert [number for number, told in enumerate(reasons) if f"call_{number}_" not in told] == []
    assert helped.status()["calls"] == 20


def in_the_middle(site, act):
    """A guest whose first hook waits, `act` in that moment, and what the guest answers."""
    site.codewhale(f'event = "tool_call_before"\ncommand = "{WAIT}"', DENY)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(site.guest("codex")))
    thread.start()
    until(lambda: (site.home / "pid").exists() and (site.home / "pid").read_text().strip())
    act()
    (site.home / "go").touch()
    thread.join()
    return answers[0]


def test_a_background_process_that_is_killed_leaves_the_decision_to_the_guest_and_nothing_runs_twice(helped):
    def kill():
        helped.process.kill()
        helped.process.wait()

    assert reason(in_the_middle(helped, kill)) == "not here"
    assert (helped.home / "ran").read_text().split() == ["once"]


def test_a_background_process_that_hangs_leaves_the_decision_to_the_guest(helped, monkeypatch):
    try:
        said = in_the_middle(helped, lambda: helped.process.send_signal(signal.SIGSTOP))
    finally:
        helped.process.send_signal(signal.SIGCONT)
    assert reason(said) == "not here"
    assert (helped.home / "ran").read_text().split() == ["once"]


def test_a_guest_that_is_killed_harms_nobody_else(helped):
    helped.codewhale(f'event = "tool_call_before"\ncommand = "{WAIT}"', DENY)
    call = json.dumps({**CALLS["codex"], "cwd": str(helped.workspace)}).encode()
    guest = subprocess.Popen(
        [sys.executable, "-m", "hookfw", "guest", "codex"],
        stdin=subprocess.PIPE,
        env=helped.environ,
        cwd=helped.workspace,
    )
    guest.stdin.write(call)
    guest.stdin.close()
    child = int(until(lambda: (helped.home / "pid").exists() and (helped.home / "pid").read_text().strip()))
    guest.kill()
    guest.wait()
    (helped.home / "go").touch()
    until(lambda: is_gone(child))
    assert reason(helped.guest("codex")) == "not here"


def test_a_guest_that_is_asked_to_end_ends_its_hooks(helped):
    helped.codewhale(f'event = "tool_call_before"\ncommand = "{WAIT}"')
    guest = subprocess.Popen(
        [sys.executable, "-m", "hookfw", "guest", "codex"],
        stdin=subprocess.PIPE,
        env=helped.environ,
        cwd=helped.workspace,
    )
    guest.stdin.write(json.dumps({**CALLS["codex"], "cwd": str(helped.workspace)}).encode())
    guest.stdin.close()
    child = int(until(lambda: (helped.home / "pid").exists() and (helped.home / "pid").read_text().strip()))
    guest.terminate()
    assert guest.wait() == 128 + signal.SIGTERM
    until(lambda: is_gone(child))


def test_it_ends_when_the_settings_change(helped):
    helped.codewhale(DENY)
    helped.write("home/.config/hookfw/config.toml", '[guest]\non_failure = "closed"\n')
    assert reason(helped.guest("codex")) == "not here"
    assert helped.process.wait() == 0


def test_it_ends_when_it_is_told_to(helped):
    assert "Stopped" in helped.command("daemon", "stop").out
    assert helped.process.wait() == 0
    assert helped.command("daemon", "status").out == "No background process runs.\n"
    assert helped.command("daemon", "stop").out == "No background process runs.\n"


def test_a_failure_is_said_in_the_agents_form(helped):
    said = helped.guest("codex", b"no JSON", event="PreToolUse")
    assert "tandard input" in said.json["systemMessage"]
    path = helped.write("home/.codewhale/config.toml", "[[hooks.hooks]\n")
    assert str(path) in helped.guest("codex").json["systemMessage"]


def test_nonsense_on_its_socket_is_no_harm(helped):
    import socket

    (path,) = (helped.root / "run" / "hookfw").glob("*.sock")
    for nonsense in (b"\xff" * 64, b"\x00\x00\x00\x02zz", guest_wire._LENGTH.pack(3) + b"abc"):
        with socket.socket(socket.AF_UNIX) as sock:
            sock.connect(str(path))
            sock.sendall(nonsense)
            assert sock.recv(1) == b""
    assert helped.status()["calls"] == 0


def test_an_idle_one_ends(site, monkeypatch):
    monkeypatch.setattr(daemon, "IDLE", -1.0)
    monkeypatch.setattr(daemon, "_LOOK", 0.01)
    path = str(site.root / "run" / "it.sock")
    daemon.Daemon(path, {"HOME": str(site.home)}).run()
    assert not os.path.exists(path)


def test_only_one_guest_at_a_time_has_the_lock_with_which_it_starts_one(tmp_path):
    path = str(tmp_path / "it.sock")
    lock = guest_wire.locked(path)
    assert guest_wire.locked(path) is None
    os.close(lock)
    again = guest_wire.locked(path)
    assert again is not None
    os.close(again)


def test_another_folder_of_hookfws_own_configuration_is_not_served(helped):
    helped.write("elsewhere/hookfw/config.toml", '[guest]\non_failure = "closed"\n')
    helped.write("home/.codewhale/config.toml", "[[broken\n")
    assert "systemMessage" in helped.guest("codex").json
    elsewhere = {"XDG_CONFIG_HOME": str(helped.root / "elsewhere")}
    said = helped.guest("codex", environ=elsewhere)
    until(lambda: helped.command("daemon", "stop", "--json", environ=elsewhere).json["stopped"])
    assert said.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert helped.status()["calls"] == 1


def test_a_directory_that_is_named_relative_to_the_guest_is_the_guests_own(helped):
    helped.claude()
    entry = {"hooks": [{"type": "command", "command": "echo not here >&2; exit 2"}]}
    helped.write("workspace/.claude/settings.json", {"hooks": {"PreToolUse": [entry]}})
    assert "not here" in reason(helped.guest("codex", {**CALLS["codex"], "cwd": "."}))


def test_a_runtime_folder_with_a_long_name_is_replaced_by_a_short_one():
    path = guest_wire.meeting_point({"XDG_RUNTIME_DIR": "/run/" + "long/" * 30})
    assert path is not None
    assert len(path) < 108
    assert guest_wire.meeting_folder({"TMPDIR": "/run/" + "long/" * 30}) == os.path.dirname(path)


def test_a_hook_whose_approval_is_taken_back_does_not_run(helped):
    helped.claude(PreToolUse="echo not here >&2; exit 2")
    assert "not here" in reason(helped.guest("codex"))
    (helped.home / ".claude.json").write_text("{}")
    project = helped.write("workspace/.claude/settings.json", (helped.home / ".claude/settings.json").read_text())
    (helped.home / ".claude/settings.json").unlink()
    helped.write("home/.claude.json", {"projects": {str(helped.workspace): {"hasTrustDialogAccepted": True}}})
    assert "not here" in reason(helped.guest("codex"))
    helped.write("home/.claude.json", {"projects": {str(helped.workspace): {"hasTrustDialogAccepted": False}}})
    assert project.exists()
    assert "permissionDecision" not in (helped.guest("codex").out or "")
    assert helped.status()["calls"] == 4 - 1


def test_a_hook_set_that_is_kept_holds_nothing_of_the_environment_but_what_was_asked_for(site):
    import gc

    site.codewhale(DENY)
    host = Host.load()
    cache = guest_cache.Cache(host, Settings())
    secret = "sk-" + "not-for-you"
    environ = {**site.environ, "PATH": os.environ["PATH"], "SOME_KEY": secret}
    agent = host.agent("codex")
    call = NativeCall(None, (), environ, json.dumps({**CALLS["codex"], "cwd": str(site.workspace)}).encode())
    event = agent.parse_event(call)
    served, mine = cache.get(agent, call, event, "/")
    one = served.for_call(guest_cache.RemoteDriver(daemon.ask), mine, event)
    one.let_go()
    del one, mine, call, environ, event
    gc.collect()
    assert [thing for thing in gc.get_objects() if isinstance(thing, dict) and thing.get("SOME_KEY") == secret] == []
    assert served.serves("pre_tool_use")
    served._snapshot = served.snapshot._replace(watched=("relative",))
    assert not served.serves("pre_tool_use")


def test_whoever_connects_and_asks_nothing_is_let_go(site, monkeypatch):
    import socket

    monkeypatch.setattr(daemon, "_SILENT", 0.0)
    monkeypatch.setattr(daemon, "_LOOK", 0.01)
    path = str(site.root / "run" / "it.sock")
    serving = daemon.Daemon(path, {"HOME": str(site.home)})
    thread = threading.Thread(target=serving.run)
    thread.start()
    until(lambda: os.path.exists(path))
    with socket.socket(socket.AF_UNIX) as sock:
        until(lambda: sock.connect_ex(path) == 0)
        assert sock.recv(1) == b""
    serving._ends = True
    thread.join()
