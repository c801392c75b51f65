"""`hookfw adapt`: a command of one ecosystem as a hook of another, as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from driving import is_gone, number_in

CALL = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "make"}}
TO_CLAUDE = ("--from", "codewhale", "--to", "claude-code")


def started(*arguments, **variables):
    return subprocess.Popen(
        [sys.executable, "-m", "hookfw", "adapt", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **variables},
        text=True,
    )


def adapted(*arguments, given=CALL, **variables):
    process = started(*arguments, **variables)
    text = given if isinstance(given, str) else json.dumps(given)
    out, err = process.communicate(text)
    return process.returncode, out, err


@pytest.fixture(autouse=True)
def _in_a_workspace(home, workspace, monkeypatch):
    monkeypatch.chdir(workspace)


def test_one_word_is_a_line_for_the_shell():
    status, out, _ = adapted(*TO_CLAUDE, "--", """echo '{"decision": "deny", "reason": "'$DEEPSEEK_TOOL_NAME'"}'""")
    answer = json.loads(out)["hookSpecificOutput"]
    assert (status, answer["permissionDecision"], answer["permissionDecisionReason"]) == (0, "deny", "Bash")


def test_several_words_are_a_program_and_its_arguments():
    said = '{"decision": "deny", "reason": "a $HOME; b"}'
    _, out, _ = adapted(*TO_CLAUDE, "--", "printf", "%s", said)
    assert json.loads(out)["hookSpecificOutput"]["permissionDecisionReason"] == "a $HOME; b"


def test_the_event_is_told_where_the_call_does_not_say_it():
    said = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}}'
    call = {"DEEPSEEK_TOOL_NAME": "bash", "DEEPSEEK_TOOL_ARGS": '{"command": "make"}'}
    command = ("--from", "claude-code", "--to", "codewhale", "--event", "tool_call_before", "--", "echo", said)
    assert adapted(*command, given="", **call)[:2] == (0, '{"decision":"deny","reason":"no"}\n')


def test_a_command_that_says_nothing_answers_nothing():
    assert adapted(*TO_CLAUDE, "--", "true")[:2] == (0, "")


def test_what_was_noticed_is_told_on_standard_error_alone():
    status, out, err = adapted(*TO_CLAUDE, "--", "exit 3")
    assert (status, out) == (0, "")
    assert err.startswith("hookfw: ")
    assert "exited with code 3" in err


def test_a_call_that_cannot_be_read_is_a_failed_hook():
    status, out, err = adapted(*TO_CLAUDE, "--", "true", given="{")
    assert (status, out) == (1, "")
    assert "Standard input is no JSON object" in err


def test_an_event_that_the_command_has_not_is_no_answer():
    status, out, err = adapted(*TO_CLAUDE, "--", "true", given={"hook_event_name": "Stop"})
    assert (status, out) == (0, "")
    assert "codewhale has no event for stop" in err


def test_no_hook_of_the_person_runs_beside_it(home):
    (home / ".codewhale").mkdir()
    (home / ".codewhale" / "config.toml").write_text(
        '[[hooks.hooks]]\nevent = "tool_call_before"\ncommand = "exit 2"\ncontinue_on_error = false\n'
    )
    assert adapted(*TO_CLAUDE, "--", "true")[:2] == (0, "")


def test_what_is_behind_an_answer_is_shown_as_json():
    status, out, _ = adapted(*TO_CLAUDE, "--json", "--", "echo", '{"decision": "deny", "reason": "no"}')
    document = json.loads(out)
    assert status == 0
    assert json.loads(document["answer"]["stdout"])["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert (document["event"], document["outcome"]["decision"]) == ("pre_tool_use", "deny")
    assert document["runs"][0]["dialect"] == "codewhale"
    _, out, _ = adapted(*TO_CLAUDE, "--json", "--", "true", given={"hook_event_name": "Stop"})
    assert json.loads(out)["notes"] == ["codewhale has no event for stop, so no hook of it runs on this call."]


def test_a_command_is_needed():
    status, _, err = adapted(*TO_CLAUDE, "--")
    assert status == 1
    assert "COMMAND" in err


def test_a_signal_that_ends_it_ends_the_command(tmp_path):
    file = tmp_path / "pid"
    process = started(*TO_CLAUDE, "--", f"echo $$ > {file}; exec sleep 300")
    process.stdin.write(json.dumps(CALL))
    process.stdin.close()
    pid = number_in(file)
    process.send_signal(signal.SIGTERM)
    process.stdin = None
    process.communicate()
    assert process.returncode == 143
    assert is_gone(pid)
