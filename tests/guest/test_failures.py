from __future__ import annotations

import subprocess
import sys

import pytest
from guest.conftest import CALLS

from hookfw.guests import client as guest_client

AGENTS = sorted(CALLS)
CLOSED = '[guest]\non_failure = "closed"\n'
BROKEN = "[[hooks.hooks]\n"


@pytest.fixture
def closed(site):
    site.write("home/.config/hookfw/config.toml", CLOSED)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_broken_configuration_of_another_ecosystem_is_said_and_lets_the_call_run(site, agent):
    path = site.write("home/.codewhale/config.toml", BROKEN)
    said = site.guest(agent)
    assert said.status == 0
    assert str(path) in said.json["systemMessage"]
    assert "permissionDecision" not in said.json.get("hookSpecificOutput", {})


@pytest.mark.parametrize("agent", AGENTS)
def test_a_guest_that_fails_closed_denies_the_call_and_says_why(site, closed, agent):
    path = site.write("home/.codewhale/config.toml", BROKEN)
    specific = site.guest(agent).json["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny"
    assert str(path) in specific["permissionDecisionReason"]


def test_codewhale_is_told_by_standard_error_and_by_a_status_that_refuses_nothing(site):
    path = site.write("home/.codex/hooks.json", "{")
    said = site.guest("codewhale")
    assert (said.status, said.out) == (1, "")
    assert str(path) in said.err


WUU = {"hook_event_name": "PreToolUse", "session_id": "", "tool_name": "bash", "tool_input": {"command": "echo hi"}}


def test_wuu_is_told_by_standard_error_alone_since_any_status_would_refuse(site):
    path = site.write("home/.codewhale/config.toml", BROKEN)
    said = site.guest("wuu", {**WUU, "cwd": str(site.workspace)})
    assert (said.status, said.out) == (0, "")
    assert str(path) in said.err
    assert site.guest("wuu", b"nothing").status == 0


def test_wuu_is_refused_where_guests_fail_closed(site, closed):
    site.write("home/.codewhale/config.toml", BROKEN)
    assert site.guest("wuu", {**WUU, "cwd": str(site.workspace)}).status == 2
    assert site.guest("wuu", b"nothing").status == 2


def test_codewhale_is_refused_where_guests_fail_closed(site, closed):
    path = site.write("home/.codex/hooks.json", "{")
    said = site.guest("codewhale")
    assert said.json["decision"] == "deny"
    assert str(path) in said.json["reason"]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_that_cannot_be_read_is_said_in_the_form_of_the_event_that_the_entry_names(site, agent):
    said = site.guest(agent, b"\xff no JSON", event="PreToolUse")
    assert said.status == 0
    assert "tandard input" in said.json["systemMessage"]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_that_cannot_be_read_is_denied_where_guests_fail_closed(site, closed, agent):
    said = site.guest(agent, b"\xff no JSON", event="PreToolUse")
    assert said.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_call_of_no_known_event_is_said_on_standard_error_with_a_status(site):
    said = site.guest("codex", b"nothing")
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("hookfw guest: ")


def test_it_refuses_by_the_status_that_blocks_where_guests_fail_closed(site, closed):
    assert site.guest("codex", b"nothing").status == 2


def test_an_agent_that_nobody_knows_is_said(site):
    said = site.command("guest", "clod-code", "PreToolUse", stdin=b"{}")
    assert (said.status, said.out) == (1, "")
    assert "did you mean 'claude-code'" in said.err


def test_hookfws_own_broken_configuration_is_said(site):
    path = site.write("home/.config/hookfw/config.toml", "dedupe = 3\n")
    assert str(path) in site.guest("codex", event="PreToolUse").json["systemMessage"]


def test_hookfws_own_broken_configuration_fails_closed_where_it_says_closed(site):
    site.write("home/.config/hookfw/config.toml", CLOSED + "nonsense = [\n")
    specific = site.guest("codex", event="PreToolUse").json["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny"


def test_a_failure_at_the_end_of_a_turn_never_keeps_the_agent_at_work(site, closed):
    site.write("home/.codewhale/config.toml", BROKEN)
    call = {**CALLS["claude-code"], "cwd": str(site.workspace), "hook_event_name": "Stop", "stop_hook_active": False}
    assert "decision" not in (site.guest("claude-code", call).out or "{}")


def test_a_guest_inside_four_others_starts_nothing_and_says_so(site):
    site.codewhale('event = "tool_call_before"\ncommand = "touch $HOME/ran"')
    said = site.guest("codex", environ={"HOOKFW_DEPTH": "4"})
    assert "HOOKFW_DEPTH" in said.json["systemMessage"]
    assert not (site.home / "ran").exists()


def test_a_depth_that_is_no_number_counts_as_none(site):
    site.codewhale('event = "tool_call_before"\ncommand = "touch $HOME/ran"')
    assert site.guest("codex", environ={"HOOKFW_DEPTH": "four"}).nothing
    assert (site.home / "ran").exists()


def test_a_guest_of_an_agent_that_a_hook_starts_does_its_work(site):
    site.codewhale("""event = "tool_call_before"\ncommand = '''echo '{"decision":"deny","reason":"no"}' '''""")
    said = site.guest("codex", environ={"HOOKFW_DEPTH": "1"})
    assert said.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_workspace_that_is_gone_is_said(site):
    call = {"DEEPSEEK_WORKSPACE": str(site.root / "gone"), "DEEPSEEK_TOOL_NAME": "exec_shell"}
    said = site.command("guest", "codewhale", "tool_call_before", environ=call)
    assert said.status == 1
    assert str(site.root / "gone") in said.err


REJECTED = """event = "tool_call_before"\ntimeout_secs = 3"""
BEGINS = {"session_id": "s", "transcript_path": "/t", "hook_event_name": "SessionStart", "source": "startup"}


@pytest.mark.parametrize("kind", ["site", "helped"])
def test_an_entry_that_is_refused_alone_is_told_when_a_session_begins_and_denies_no_call(kind, request):
    site = request.getfixturevalue(kind)
    site.write("home/.config/hookfw/config.toml", CLOSED)
    path = site.codewhale(REJECTED)
    assert site.guest("claude-code").nothing
    said = site.guest("claude-code", {**BEGINS, "cwd": str(site.workspace)})
    assert list(said.json) == ["systemMessage"]
    assert f"{path}, hooks.hooks[0]" in said.json["systemMessage"]


def test_a_setting_that_is_refused_alone_denies_no_call(site, closed):
    site.write("home/.codewhale/config.toml", "[hooks]\nenabled = 3\nworking_dir = 3\ndefault_timeout_secs = -1\n")
    assert site.guest("codex").nothing


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("home/.codewhale/config.toml", f"[[hooks.hooks]]\n{REJECTED}\ncontinue_on_error = false\n"),
        ("home/.codewhale/config.toml", "hooks = 3\n"),
        ("home/.codewhale/config.toml", "[hooks]\nhooks = 3\n"),
        (
            "home/.claude/settings.json",
            {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "onFailure": "block"}]}]}},
        ),
        ("home/.claude/settings.json", {"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}),
        ("home/.wuu/config.json", {"hooks": {"PreToolUse": 3}}),
        ("home/.wuu/config.json", {"hooks": {"PreToolUse": [{"type": "nothing"}]}}),
        ("home/.mind/hooks.json", "{"),
        ("home/.deepagents/hooks.json", {"hooks": 3}),
    ],
)
def test_a_file_or_a_strict_guard_that_is_lost_is_a_failure(site, closed, path, text):
    path = site.write(path, text)
    specific = site.guest("codex").json["hookSpecificOutput"]
    assert str(path) in specific["permissionDecisionReason"]


def test_nothing_is_printed_into_another_stream_where_one_is_closed(site):
    site.write("home/.codex/hooks.json", "{")
    line = f"{sys.executable} -m hookfw guest codewhale tool_call_before"
    for closed in ("2>&-", "<&- 2>&-", "<&-"):
        ended = subprocess.run(
            ["sh", "-c", f"exec {line} {closed}"],
            input=b"",
            env={**site.environ, "DEEPSEEK_TOOL_NAME": "exec_shell"},
            cwd=site.workspace,
            capture_output=True,
            check=False,
        )
        assert ended.stdout == b""


def test_a_guest_that_is_broken_itself_says_so_and_refuses_where_that_is_wanted(site, monkeypatch, capfd):
    monkeypatch.setenv("HOME", str(site.home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    call = guest_client.Call("codex", "PreToolUse")
    status, out, err = guest_client._broken(call, ImportError("no module"))
    assert (status, out) == (1, b"")
    assert b"ImportError: no module" in err
    site.write("home/.config/hookfw/config.toml", CLOSED)
    assert guest_client._broken(call, ImportError("no module"))[0] == 2
    assert guest_client._broken(guest_client.Call("codex", "Stop"), ImportError("no module"))[0] == 1


def test_a_guest_whose_own_modules_are_gone_says_so(site):
    script = (
        "import sys; sys.modules['hookfw.guests.guest'] = None; from hookfw.cli import main; sys.argv[1:] = ['guest', 'codex'];"
        "sys.exit(main())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], input=b"{}", env=site.environ, capture_output=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"hookfw guest: ModuleNotFoundError" in ended.stderr


def test_an_agent_that_cannot_be_loaded_never_keeps_a_turn_going(site, closed):
    assert site.guest("clod-code", {"hook_event_name": "Stop"}, event="Stop").status == 1
    assert site.guest("clod-code", {"hook_event_name": "Stop"}).status == 1
    text = {"hook_event_name": "PreToolUse", "tool_input": {"command": "echo stop_hook_active Stop"}}
    assert site.guest("clod-code", text).status == 2


@pytest.mark.parametrize("stdin", [b"", b"\xff\xfe", b"[" * 100_000, b'{"hook_event_name": "PreToolUse"', b"null"])
def test_whatever_comes_in_the_agent_hears_of_it_and_no_traceback(site, stdin):
    said = site.guest("claude-code", stdin, event="UserPromptSubmit")
    assert (said.status, said.err) == (0, "")
    assert list(said.json) == ["systemMessage"]


def test_a_call_of_ten_megabytes_is_decided(site):
    site.codewhale('event = "tool_call_before"\ncommand = "echo no >&2; exit 2"')
    call = {**CALLS["codex"], "cwd": str(site.workspace), "tool_input": {"command": "x" * 10_000_000}}
    assert site.guest("codex", call).json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_without_a_home_and_with_a_runtime_folder_that_is_not_there_a_call_is_decided(site):
    said = site.guest("codex", environ={"HOME": str(site.root / "gone"), "XDG_RUNTIME_DIR": "/proc/none"})
    assert said.status == 0
    assert "gone" in (said.json["systemMessage"] if said.out else "gone")


def test_an_agent_that_there_is_not_starts_no_background_process(site):
    said = site.guest("nosuch", b"{}", environ={"HOOKFW_DAEMON": ""})
    assert "There is no agent named 'nosuch'" in said.err
    assert site.command("daemon", "status").out == "No background process runs.\n"
