from __future__ import annotations

import concurrent.futures
import json

import pytest
from driving import until
from guest.conftest import CALLS, CLAUDE, CODEX

DENY = """event = "tool_call_before"\ncommand = '''echo '{"decision":"deny","reason":"not here"}' '''"""
AGENTS = sorted(CALLS)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_gate_of_codewhale_denies_in_the_form_of_every_agent(site, agent):
    site.codewhale(DENY)
    said = site.guest(agent)
    specific = said.json["hookSpecificOutput"]
    assert (said.status, said.err) == (0, "")
    assert specific["permissionDecision"] == "deny"
    assert specific["permissionDecisionReason"] == "not here"


def test_a_gate_of_claude_code_denies_in_the_form_of_codewhale(site):
    site.claude(PreToolUse="echo not here >&2; exit 2")
    said = site.guest("codewhale")
    assert said.json["decision"] == "deny"
    assert "not here" in said.json["reason"]


WUU = {"hook_event_name": "PreToolUse", "session_id": "", "tool_name": "bash", "tool_input": {"command": "echo hi"}}


def test_a_gate_of_codewhale_denies_in_the_form_of_wuu(site):
    site.codewhale(DENY)
    said = site.guest("wuu", {**WUU, "cwd": str(site.workspace)})
    assert said.status == 2
    assert said.json["reason"] == "not here"


def test_a_hook_of_wuu_adds_context_in_claude_code(site):
    hook = {"type": "command", "command": """echo '{"additional_context":"from Wuu"}'"""}
    site.write("home/.wuu/config.json", {"hooks": {"PostToolUse": [hook]}})
    call = {**CALLS["claude-code"], "hook_event_name": "PostToolUse", "tool_response": {"stdout": "hi"}}
    said = site.guest("claude-code", {**call, "cwd": str(site.workspace)})
    assert said.json["hookSpecificOutput"] == {"hookEventName": "PostToolUse", "additionalContext": "from Wuu"}


@pytest.mark.parametrize("agent", [*AGENTS, "codewhale"])
def test_where_nobody_has_hooks_a_guest_says_nothing(site, agent):
    assert site.guest(agent).nothing


def test_an_agent_runs_its_own_hooks_itself(site):
    site.codewhale(DENY)
    assert site.guest("codewhale").nothing


def test_a_rewrite_of_claude_code_reaches_codex_with_the_allow_that_it_needs(site):
    answer = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "echo safe"}}}
    site.claude(PreToolUse=f"echo '{json.dumps(answer)}'")
    assert site.guest("codex").json == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {"command": "echo safe"},
        }
    }


def test_a_rewrite_of_codewhale_reaches_claude_code_without_a_permission(site):
    site.codewhale("""event = "tool_call_before"\ncommand = '''echo '{"updatedInput":{"command":"echo safe"}}' '''""")
    specific = site.guest("claude-code").json["hookSpecificOutput"]
    assert "permissionDecision" not in specific
    assert specific["updatedInput"]["command"] == "echo safe"


def test_a_question_reaches_codex_as_a_denial(site):
    site.codewhale("""event = "tool_call_before"\ncommand = '''echo '{"decision":"ask","reason":"sure?"}' '''""")
    specific = site.guest("codex").json["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny"
    assert "sure?" in specific["permissionDecisionReason"]


def test_a_stop_hook_keeps_the_turn_of_codex_going_and_is_told_that_it_did(site):
    script = site.write(
        "home/go-on.sh",
        'grep -q \'"stop_hook_active":true\' && exit 0\necho \'{"decision":"block","reason":"run the tests"}\'\n',
    )
    site.claude(Stop=f"sh {script}")
    stop = {**CODEX, "cwd": str(site.workspace), "hook_event_name": "Stop", "last_assistant_message": "done"}
    assert site.guest("codex", {**stop, "stop_hook_active": False}).json == {
        "decision": "block",
        "reason": "run the tests",
    }
    assert site.guest("codex", {**stop, "stop_hook_active": True}).nothing


def test_the_project_of_claude_code_is_the_one_its_variable_names(site):
    below = site.workspace / "below"
    below.mkdir()
    site.codewhale('event = "tool_call_before"\ncommand = "pwd >> $HOME/seen"')
    call = {**CALLS["claude-code"], "cwd": str(below)}
    site.guest("claude-code", call, environ={"CLAUDE_PROJECT_DIR": str(site.workspace)})
    assert (site.home / "seen").read_text().split() == [str(site.workspace)]


def test_what_a_hook_prints_beside_an_answer_reaches_nobody(site):
    site.codewhale('event = "tool_call_before"\ncommand = "echo noise; echo noise >&2"')
    for agent in AGENTS:
        assert site.guest(agent).nothing


def test_hooks_are_told_how_deep_they_are(site):
    site.codewhale('event = "tool_call_before"\ncommand = "printf %s $HOOKFW_DEPTH > $HOME/depth"')
    site.guest("codex")
    assert (site.home / "depth").read_text() == "1"
    site.guest("codex", environ={"HOOKFW_DEPTH": "3"})
    assert (site.home / "depth").read_text() == "4"


def test_a_background_hook_is_not_waited_for_and_runs(site):
    site.codewhale(
        'event = "tool_call_after"\nbackground = true\n'
        'command = "while [ ! -e $HOME/go ]; do sleep 0.01; done; touch $HOME/ran"'
    )
    call = {**CALLS["claude-code"], "hook_event_name": "PostToolUse", "tool_response": {"stdout": "hi"}}
    assert site.guest("claude-code", {**call, "cwd": str(site.workspace)}).nothing
    (site.home / "go").touch()
    until((site.home / "ran").exists)


@pytest.mark.parametrize("agent", ["claude-code", "codex", "mind"])
def test_the_end_of_a_session_does_not_wait_for_its_hooks(site, agent):
    site.codewhale('event = "session_end"\ncommand = "while [ ! -e $HOME/go ]; do sleep 0.01; done; touch $HOME/ran"')
    call = {"session_id": "s", "cwd": str(site.workspace), "hook_event_name": "SessionEnd", "reason": "other"}
    assert site.guest(agent, call).nothing
    (site.home / "go").touch()
    until((site.home / "ran").exists)


def test_a_hook_that_sends_itself_to_the_background_has_no_say(site):
    site.claude(PreToolUse="""echo '{"async":true}'; touch $HOME/ran; exit 2""")
    assert site.guest("codex").nothing
    until((site.home / "ran").exists)


def test_twenty_guests_at_once_each_get_their_own_answer(site):
    site.claude(PreToolUse='sed \'s/.*tool_use_id":"//; s/".*//\' >&2; exit 2')

    def one(number):
        call = {**CALLS["codex"], "cwd": str(site.workspace), "tool_use_id": f"call_{number}_"}
        return site.guest("codex", call).json["hookSpecificOutput"]["permissionDecisionReason"]

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        reasons = list(pool.map(one, range(20)))
    assert [number for number, reason in enumerate(reasons) if f"call_{number}_" not in reason] == []


def test_a_failed_call_is_a_failed_call_everywhere(site):
    site.codewhale('event = "tool_call_after"\ncommand = "printf %s $DEEPSEEK_TOOL_SUCCESS > $HOME/success"')
    call = {
        **CLAUDE,
        "cwd": str(site.workspace),
        "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash",
        "tool_input": {"command": "exit 3"},
        "tool_use_id": "toolu_2",
        "error": "Exit code 3",
        "is_interrupt": False,
    }
    assert site.guest("claude-code", call).nothing
    assert (site.home / "success").read_text() == "false"


def test_what_codex_does_not_tell_is_not_guessed(site):
    site.codewhale(
        'event = "tool_call_after"\n'
        'command = "env | grep -c -e DEEPSEEK_TOOL_SUCCESS -e DEEPSEEK_TOOL_EXIT_CODE > $HOME/count"'
    )
    call = {**CALLS["codex"], "hook_event_name": "PostToolUse", "tool_response": "no such file"}
    assert site.guest("codex", {**call, "cwd": str(site.workspace)}).nothing
    assert (site.home / "count").read_text().strip() == "0"
