"""Whole firings with real processes."""

from __future__ import annotations

import asyncio
import json
import os

import psutil
import pytest

from hookfw import (
    Notification,
    PermissionRequest,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    Supervisor,
    UserPromptSubmit,
)
from hookfw.events import parse_event
from hookfw.testing.layout import lay_out
from hookfw_claude.deepagents.demo import DEMO

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="call_1")


def codes(outcome):
    return [item.code for item in outcome.diagnostics]


def children():
    return set(psutil.Process().children(recursive=True))


def test_every_matching_handler_runs_whatever_the_others_said_and_the_order_of_authority_decides(rig):
    rig.project(PreToolUse=[rig.group("echo project >&2; exit 2")])
    rig.trust()
    rig.user(PreToolUse=[rig.group("touch ran; echo user >&2; exit 2")])
    outcome = rig.fire(CALL)
    assert (outcome.decision, outcome.reason, outcome.decided_by) == ("deny", "project", "PreToolUse:0:0")
    assert [run.name for run in outcome.runs] == ["PreToolUse:0:0", "PreToolUse:1:0"]
    assert (rig.workspace / "ran").exists()


def test_results_combine_in_configuration_order_although_all_start_together(rig):
    wait = "until [ -e go ]; do :; done; echo first"
    rig.user(SessionStart=[rig.group(wait, "touch go; echo second")])
    assert rig.fire(SessionStart()).context == ("first", "second")


def test_an_argument_list_is_run_without_a_shell_and_the_command_is_not(rig):
    show = rig.write(rig.home / "show", '#!/bin/sh\nprintf "%s\\n" "$@" > shown\n', mode=0o755)
    rig.user(PreToolUse=[rig.group({"command": "touch ran", "argv": [str(show), "a b", "$HOME", "*", "~"]})])
    rig.fire(CALL)
    assert (rig.workspace / "shown").read_text() == "a b\n$HOME\n*\n~\n"
    assert not (rig.workspace / "ran").exists()


def test_a_handler_runs_in_the_payload_s_directory(rig):
    (rig.workspace / "sub").mkdir()
    rig.user(PreToolUse=[rig.group("touch here")])
    rig.fire(CALL.replace(cwd=str(rig.workspace / "sub")))
    assert (rig.workspace / "sub/here").exists()


def test_a_directory_that_is_gone_is_a_failed_launch_that_blocks_nothing(rig):
    rig.user(PreToolUse=[rig.group("exit 2")])
    outcome = rig.fire(CALL.replace(cwd=str(rig.workspace / "gone")))
    assert ([run.status for run in outcome.runs], outcome.decision) == (["failed"], "none")
    assert codes(outcome) == ["launch-failed"]


def test_an_empty_command_loads_and_fails_when_it_is_fired(rig):
    rig.user(PreToolUse=[rig.group(" ", {"command": "", "argv": ["/bin/sh", "-c", "echo no >&2; exit 2"]})])
    outcome = rig.fire(CALL)
    assert [run.status for run in outcome.runs] == ["failed", "completed"]
    assert (outcome.reason, codes(outcome)) == ("no", ["invalid-command"])


def test_variables_that_look_like_credentials_are_kept_back_wherever_the_word_stands(rig):
    names = [
        "MY_KEY",
        "monkey",
        "A_TOKEN_B",
        "SECRETS",
        "PASSWORD",
        "APIKEY",
        "DB_PASS",
        "PASSWD",
        "CREDENTIALS",
        "AUTH",
    ]
    environ = dict(os.environ) | dict.fromkeys(names, "x")
    shown = " ".join(f"${{{name}+{name}}}" for name in names)
    rig.user(SessionStart=[rig.group(f"echo {shown}")])
    assert rig.fire(SessionStart(), environ=environ).context == ("DB_PASS PASSWD CREDENTIALS AUTH",)


def test_a_timeout_ends_the_whole_group_at_once_and_decides_nothing(rig):
    before = children()
    answer = rig.prints(rig.specific("PreToolUse", permissionDecision="deny"))
    rig.user(
        PreToolUse=[
            rig.group({"command": f"trap '' TERM; sleep 1000 & {answer}; sleep 1000", "timeout": 0.3}, "exit 1")
        ]
    )
    outcome = rig.fire(CALL)
    assert [run.status for run in outcome.runs] == ["timed_out", "failed"]
    assert (outcome.decision, codes(outcome)) == ("none", ["nonzero-exit", "timeout"])
    assert children() == before


def test_a_decision_counts_although_a_child_holds_the_output_and_it_is_said(rig):
    rig.user(PreToolUse=[rig.group({"command": "sleep 1000 & echo no >&2; exit 2", "timeout": 1000})])
    before = children()
    outcome = rig.fire(CALL)
    assert (outcome.decision, outcome.reason, codes(outcome)) == ("deny", "no", ["pipe-held"])
    for child in children() - before:
        child.kill()


@pytest.mark.parametrize(("size", "decision"), [(100_000, "deny"), (100_001, "none")])
def test_an_answer_counts_up_to_the_last_byte_of_the_cap(rig, size, decision):
    answer = json.dumps(rig.specific("PreToolUse", permissionDecision="deny", permissionDecisionReason="REASON"))
    path = rig.write(rig.home / "answer", answer.replace("REASON", "x" * (size - len(answer) + len("REASON"))))
    rig.user(PreToolUse=[rig.group(f"cat {path}")])
    outcome = rig.fire(CALL)
    assert (outcome.decision, outcome.runs[0].stdout_cut) == (decision, size > 100_000)
    assert codes(outcome) == ([] if decision == "deny" else ["stdout-truncated", "malformed-json"])


def test_the_payload_is_on_standard_input_and_nowhere_else(rig):
    rig.user(PreToolUse=[rig.group("cat > stdin.json")])
    hostile = "'; touch owned; $(touch owned)"
    rig.fire(PreToolUse(tool_name="execute", tool_input={"command": hostile}), session_id="s1")
    payload = json.loads((rig.workspace / "stdin.json").read_text())
    assert (payload["tool_name"], payload["tool_input"]) == ("Bash", {"command": hostile})
    assert payload["session_id"] == "s1"
    assert not (rig.workspace / "owned").exists()


def test_equal_handlers_all_run(rig):
    rig.user(PreToolUse=[rig.group("echo x >> log"), rig.group("echo x >> log")])
    assert len(rig.fire(CALL).runs) == 2
    assert (rig.workspace / "log").read_text() == "x\nx\n"


def test_native_names_reach_hooks_as_public_ones_and_do_not_match_themselves(rig):
    rig.user(
        PreToolUse=[
            rig.group("true", matcher="execute"),
            rig.group("true", matcher="Bash"),
            rig.group("true", matcher="^Ba"),
        ]
    )
    outcome = rig.fire(PreToolUse(tool_name="execute", tool_input={}))
    assert [run.name for run in outcome.runs] == ["PreToolUse:1:0", "PreToolUse:2:0"]


def test_a_pattern_that_never_ends_counts_as_matched_and_is_said(rig):
    rig.user(PreToolUse=[rig.group("exit 2", matcher="(x|xx)+$")])
    outcome = rig.fire(PreToolUse(tool_name="x" * 60 + "!", tool_input={}))
    assert outcome.refused
    assert any("(x|xx)+$" in item.message or "pattern" in item.message for item in outcome.diagnostics)


def test_an_unknown_notification_runs_nothing_and_says_why(rig):
    rig.user(Notification=[rig.group("touch ran")])
    outcome = rig.fire(Notification(notification_type="idle_prompt"))
    assert (outcome.runs, [item.name for item in outcome.skipped]) == ((), ["Notification:0:0"])
    assert not (rig.workspace / "ran").exists()


def test_old_hooks_run_at_their_new_events_and_decide_nothing(rig):
    save = rig.write(
        rig.home / "save", '#!/bin/sh\ncat > stdin.json\necho \'{"decision":"block"}\'\nexit 2\n', mode=0o755
    )
    rig.write(rig.home / ".deepagents/hooks.json", {"hooks": [{"command": [str(save)], "events": ["session.start"]}]})
    outcome = rig.fire(UserPromptSubmit(prompt="hi"), session_id="s1")
    assert (outcome.decision, [run.status for run in outcome.runs]) == ("none", ["completed"])
    assert json.loads((rig.workspace / "stdin.json").read_text()) == {"event": "session.start", "thread_id": "s1"}


def test_a_firing_writes_no_transcript(rig):
    rig.user(SessionEnd=[rig.group("true")])
    rig.fire(SessionEnd(reason="other"), session_id="s1")
    assert os.listdir(rig.home / ".deepagents") == ["hooks.json"]


def test_a_turn_is_prolonged_eight_times_and_no_more(rig):
    from hookfw_claude.deepagents.turns import Turn

    rig.user(Stop=[rig.group("echo more >&2; exit 2")])
    turn, instructions = Turn(), []
    with rig.open() as hooks:
        while (instruction := turn.settle(hooks.fire(turn.stop("done")))) is not None:
            instructions.append(instruction)
    assert instructions == ["more"] * 8


def test_cancelling_kills_what_runs(rig):
    before = children()
    rig.user(Stop=[rig.group("touch started; sleep 1000")])

    async def session():
        async with Supervisor.open(workspace=rig.workspace, home=rig.home, host=rig.host) as hooks:
            task = asyncio.create_task(hooks.fire(Stop()))
            while not (rig.workspace / "started").exists():
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(session())
    assert children() == before


def test_a_prompt_for_permission_is_answered_by_the_strictest_hook(rig):
    allow = rig.prints(rig.specific("PermissionRequest", decision={"behavior": "allow"}))
    rig.user(PermissionRequest=[rig.group(allow, "echo no >&2; exit 2")])
    outcome = rig.fire(PermissionRequest(tool_name="Bash", tool_input={}))
    assert (outcome.decision, outcome.reason, outcome.refused) == ("deny", "no", True)


def test_the_demonstration_shows_what_its_titles_say(rig, tmp_path):
    (tmp_path / "demo").mkdir()
    place = lay_out(DEMO.files, tmp_path / "demo")
    outcomes = []
    with rig.open(home=place.home, workspace=place.workspace) as hooks:
        for _, kind, fields in DEMO.steps:
            outcomes.append(hooks.fire(parse_event(kind, fields)[0]))
    assert [outcome.decision for outcome in outcomes] == ["none", "deny", "none", "block", "none", "block"]
    assert outcomes[0].context == ("Sprint goal: ship the importer.",)
    assert outcomes[4].runs[0].status == "timed_out"
