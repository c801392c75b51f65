"""`hookfw try`: one hook alone, with all that was sent and came back."""

from __future__ import annotations

import json
import os

import pytest

GATE = """event = "tool_call_before"
name = "gate"
command = '''echo "looked at $DEEPSEEK_TOOL_ARGS" >&2; echo '{"decision": "ask", "reason": "look first"}' '''
condition = { type = "tool_name", name = "write" }"""


def test_what_was_sent_what_came_back_and_how_it_was_read(place):
    place.hooks(GATE)
    document = place.there("try", "gate", "--json").json
    assert document["hook"]["name"] == "gate"
    assert document["event"] == "pre_tool_use"
    assert document["sent"]["argv"][:2] == ["sh", "-c"]
    assert document["sent"]["stdin"] == ""
    assert document["sent"]["env"]["DEEPSEEK_TOOL_ARGS"] == '{"command":"echo hello"}'
    assert document["sent"]["cwd"] == str(place.workspace)
    assert document["run"]["exit_code"] == 0
    assert document["run"]["stderr"] == 'looked at {"command":"echo hello"}\n'
    assert (document["outcome"]["decision"], document["outcome"]["reason"]) == ("ask", "look first")


def test_people_see_the_same(place):
    place.hooks(GATE)
    out = place.there("try", "gate").out
    for part in ("sent\n", "DEEPSEEK_TOOL_NAME=Bash", "standard input: empty", "came back\n", "exit code 0"):
        assert part in out
    assert 'looked at {"command":"echo hello"}' in out
    assert "read as\n  ask by codewhale:gate, goes ahead\n" in out


def test_the_document_on_standard_input_is_shown(place):
    place.hooks('event = "turn_end"\nname = "log"\ncommand = "cat >/dev/null"')
    assert '"event":"turn_end"' in place.there("try", "log").out


def test_fields_in_the_input_replace_the_made_ones(place):
    place.hooks(GATE)
    fields = {"tool_name": "write", "tool_input": {"file_path": "x"}, "zzz": 1}
    document = place.there("try", "gate", "--json", "--input", "-", stdin=fields).json
    assert document["sent"]["env"]["DEEPSEEK_TOOL_NAME"] == "write"
    assert document["fields"]["tool_use_id"] == "call_1"
    assert [item["code"] for item in document["diagnostics"]] == ["unknown-field"]


def test_an_event_that_does_not_fire_the_hook_is_refused(place):
    place.hooks(GATE)
    result = place.there("try", "gate", "--input", "-", stdin={"event": "session_start"})
    assert result.status == 1
    assert "'gate' is for tool_call_before" in result.err


def test_an_unknown_hook_says_which_was_probably_meant(place):
    place.hooks(GATE)
    assert "did you mean 'gate'?" in place.there("try", "gaet").err
    assert "`hookfw list`" in place.there("try", "xyz").err


def test_one_of_several_hooks_of_a_name_is_chosen_by_its_entry(place):
    place.hooks(
        'event = "turn_end"\nname = "a"\ncommand = "echo 1"', 'event = "turn_end"\nname = "a"\ncommand = "echo 2"'
    )
    result = place.there("try", "a")
    assert result.status == 1
    assert "2 hooks named 'a'" in result.err
    assert place.there("try", "hooks.hooks[1]", "--json").json["run"]["stdout"] == "2\n"


@pytest.mark.parametrize("name", ["log", "codewhale:log"])
def test_a_hook_nobody_approved_runs_only_when_asked_to(place, name):
    place.write(
        "workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "turn_end"\nname = "log"\ncommand = "echo > ran"\n'
    )
    result = place.there("try", name)
    assert result.status == 1
    assert "untrusted" in result.err
    assert not (place.workspace / "ran").exists()
    assert place.there("try", name, "--trust", "all").status == 0
    assert (place.workspace / "ran").exists()


def test_a_hook_that_fails_is_shown_with_what_it_printed(place):
    place.hooks('event = "turn_end"\nname = "bad"\ncommand = "echo why >&2; exit 3"')
    out = place.there("try", "bad").out
    assert "exit code 3" in out
    assert "    why\n" in out


@pytest.mark.parametrize(
    "event",
    [
        "session_start", "session_end", "turn_end", "message_submit", "tool_call_before", "tool_call_after", "mode_change",
        "on_error", "subagent_spawn", "subagent_complete", "shell_env", "session_idle", "session_error", "waiting_for_user",
        "session_busy",
    ],
)  # fmt: skip
def test_there_is_a_made_event_for_each_native_one(place, event):
    place.hooks(f'event = "{event}"\nname = "it"\ncommand = "true"')
    result = place.there("try", "it", "--json")
    assert result.json["run"]["status"] == "completed"
    assert result.json["diagnostics"] == []


def test_a_python_handler_is_said_to_run_with_the_others(place):
    result = place.there("try", "python:cli")
    assert result.status == 1
    assert "'python:cli' is a plugin" in result.err


GUARD = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "sh guard.sh"}]}]}}
ENTRY = "hooks.PreToolUse[0].hooks[0]"


def same_name_twice(place):
    return [place.write(f"{where}/.claude/settings.json", json.dumps(GUARD)) for where in ("home", "workspace")]


def test_two_hooks_of_one_name_are_told_apart_by_their_file(place):
    files = same_name_twice(place)
    refused = place.there("try", "PreToolUse:0:0", "--trust", "all")
    assert refused.status == 1
    assert "--dialect" not in refused.err
    for path in files:
        named = f"{path}:{ENTRY}"
        assert f"claude-code {named}" in refused.err
        for name in (named, f"{path}:1", f"{os.path.relpath(path)}:{ENTRY}"):
            document = place.there("try", name, "--trust", "all", "--json").json
            assert document["hook"]["source"] == str(path)


@pytest.mark.parametrize("name", [f":{ENTRY}", f"nowhere.json:{ENTRY}", "home/.claude/settings.json:7"])
def test_a_file_or_a_line_without_a_hook_names_none(place, name):
    same_name_twice(place)
    assert "There is no hook named" in place.there("try", name).err


def test_a_name_that_stands_in_a_command_names_the_hook_that_runs_it(place):
    place.write("home/.claude/settings.json", json.dumps(GUARD))
    assert "did you mean 'claude-code:PreToolUse:0:0', which runs sh guard.sh?" in place.there("try", "guard.sh").err
