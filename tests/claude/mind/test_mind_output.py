from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookfw import (
    Ended,
    PermissionRequest,
    PostCompact,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
)
from hookfw_claude.mind.rules import EVENTS, NO_FEEDBACK, NO_PERMISSION_REASON

SHELL = PreToolUse(tool_name="shell_command", tool_input={"command": "ls"})
READ = PreToolUse(tool_name="read_file", tool_input={"path": "a"})
ASK = PermissionRequest(tool_name="shell_command", tool_input={"command": "ls"})
ALL = [
    SHELL,
    ASK,
    PostToolUse(tool_name="x"),
    PreCompact(),
    PostCompact(),
    SessionStart(),
    SessionEnd(),
    UserPromptSubmit(),
    SubagentStart(),
    SubagentStop(),
    Stop(),
]
BLOCKING = {"pre_tool_use", "permission_request", "post_tool_use", "user_prompt_submit", "stop", "subagent_stop"}
BY_KIND = pytest.mark.parametrize("event", ALL, ids=lambda event: event.kind)


def specific(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def deny(reason="no", **fields):
    return specific("PreToolUse", permissionDecision="deny", permissionDecisionReason=reason, **fields)


def permission(**decision):
    return specific("PermissionRequest", decision=decision)


@BY_KIND
def test_exit_two_blocks_where_the_event_allows_it_and_is_a_failure_elsewhere(mind, event):
    reading = mind.read(event, mind.exited(stdout=deny(), code=2, stderr=" not here \n"))
    if event.kind not in BLOCKING:
        assert reading.status == "failed"
        return
    assert reading.status == "completed"
    assert reading.effect.decision == ("deny" if event in (SHELL, ASK) else "block")
    assert reading.effect.reason == "not here"
    assert reading.effect.context == ()


@BY_KIND
def test_exit_two_without_a_reason_fails_and_so_lets_it_go_ahead(mind, event):
    reading = mind.read(event, mind.exited(stdout="text", code=2, stderr=" \n"))
    assert (reading.status, reading.effect.decision) == ("failed", "none")


@BY_KIND
@pytest.mark.parametrize("code", [1, 3, 126, 127, 255])
def test_any_other_exit_code_voids_what_was_printed(mind, event, code):
    answer = {"systemMessage": "x"}
    reading = mind.read(event, mind.exited(answer, code=code))
    assert (reading.status, reading.effect.messages) == ("failed", ())
    assert f"exit status {code}" in reading.error


@pytest.mark.parametrize(
    ("ended", "status", "code"),
    [
        (Ended(state="timed_out", stdout="{}"), "timed_out", "hook-timed-out"),
        (Ended(state="cancelled"), "cancelled", "hook-cancelled"),
        (Ended(state="not_started", error_kind="ENOENT"), "failed", "failed-hook"),
        (Ended(state="exited", signal=9), "failed", "failed-hook"),
    ],
)
def test_runs_without_an_answer(mind, ended, status, code):
    reading = mind.read(SHELL, ended)
    assert (reading.status, reading.effect.decision) == (status, "none")
    (diagnostic,) = reading.diagnostics
    assert diagnostic.code == code
    assert diagnostic.hook == "PreToolUse:0:0"


@BY_KIND
def test_nothing_and_an_empty_object_are_nothing_to_say(mind, event):
    for said in ("", " \n", "{}", "\ufeff"):
        reading = mind.read(event, mind.exited(said))
        assert (reading.status, reading.effect.decision, reading.diagnostics) == ("completed", "none", ())


@BY_KIND
def test_plain_text_is_context_a_failure_or_ignored(mind, event):
    reading = mind.read(event, mind.exited("  remember the tests\n"))
    is_context = event.kind in ("session_start", "user_prompt_submit", "subagent_start")
    assert reading.effect.context == (("remember the tests",) if is_context else ())
    assert reading.status == ("failed" if event.kind in ("stop", "subagent_stop") else "completed")


@pytest.mark.parametrize("output", ["42", "null", '"x"', "true", "-", "x {}"])
def test_json_that_is_no_object_or_array_is_plain_text(mind, output):
    assert mind.read(UserPromptSubmit(), mind.exited(output)).effect.context == (output,)


@BY_KIND
@pytest.mark.parametrize(
    "output", ["[TODO] x", "[]", "{", "{} {}", '{"systemMessage": NaN}', "{}\nx", '{"a": 1, "a": 1}x']
)
def test_what_begins_like_json_must_be_one_object(mind, event, output):
    reading = mind.read(event, mind.exited(output))
    if event.kind == "session_end":
        assert reading.status == "completed"
        return
    assert (reading.status, reading.effect.context) == ("failed", ())
    assert "JSON" in reading.diagnostics[0].message


@BY_KIND
@pytest.mark.parametrize(
    "answer",
    [
        {"verdict": "deny"},
        {"continue": "false"},
        {"continue": 0},
        {"continue": None},
        {"stopReason": None},
        {"systemMessage": 5},
        {"suppressOutput": "x"},
        {"system_message": "x"},
        {"hookSpecificOutput": None},
        {"hookSpecificOutput": []},
        {"hookSpecificOutput": {}},
        {"hookSpecificOutput": {"hookEventName": "Other"}},
        {"hookSpecificOutput": {"additionalContext": "x"}},
        {"decision": "allow"},
        {"decision": None},
    ],
    ids=json.dumps,
)
def test_objects_are_closed_and_types_strict(mind, event, answer):
    reading = mind.read(event, mind.exited(answer))
    assert reading.status == ("completed" if event.kind == "session_end" else "failed")
    assert reading.effect.decision == "none"


@BY_KIND
def test_additional_context_is_taken_where_the_event_has_it_and_fails_elsewhere(mind, event):
    name = mind.row(event).native_event
    reading = mind.read(event, mind.exited(specific(name, additionalContext=" note ")))
    if EVENTS[name].context:
        assert reading.effect.context == ("note",)
        assert mind.read(event, mind.exited(specific(name, additionalContext=" "))).effect.context == ()
        assert mind.read(event, mind.exited(specific(name, additionalContext=None))).status == "failed"
    elif event.kind != "session_end":
        assert reading.status == "failed"


@BY_KIND
def test_a_system_message_is_for_the_person_wherever_hooks_are_heard(mind, event):
    reading = mind.read(event, mind.exited({"systemMessage": " low \n", "continue": True, "suppressOutput": False}))
    assert reading.effect.messages == (() if event.kind == "session_end" else ("low",))
    assert reading.status == "completed"


@BY_KIND
def test_continue_false_stops_fails_or_does_nothing(mind, event):
    reading = mind.read(event, mind.exited({"continue": False, "stopReason": " enough "}))
    if event.kind in ("pre_tool_use", "permission_request"):
        assert reading.status == "failed"
    elif event.kind in ("subagent_start", "session_end"):
        assert (reading.status, reading.effect.decision) == ("completed", "none")
    else:
        assert (reading.effect.decision, reading.effect.reason, reading.effect.stop_reason) == (
            "stop",
            "enough",
            "enough",
        )


def test_a_stop_without_a_text_has_a_fixed_one(mind):
    assert "SessionStart" in mind.read(SessionStart(), mind.exited({"continue": False})).effect.reason
    after = mind.read(PostToolUse(), mind.exited({"continue": False, "reason": " ", "stopReason": ""})).effect
    assert (after.feedback, after.reason) == ((NO_FEEDBACK,), NO_FEEDBACK)


@pytest.mark.parametrize("event", [SHELL, ASK], ids=["call", "permission"])
@pytest.mark.parametrize("field", [{"stopReason": ""}, {"stopReason": "x"}, {"suppressOutput": True}])
def test_before_a_call_the_common_fields_that_would_do_something_fail(mind, event, field):
    assert (
        mind.read(
            event, mind.exited({**deny(), **field} if event is SHELL else {**permission(behavior="deny"), **field})
        ).status
        == "failed"
    )


@pytest.mark.parametrize(
    ("answer", "decision", "reason"),
    [
        (deny(" not today "), "deny", "not today"),
        ({"decision": "block", "reason": "old style"}, "deny", "old style"),
        ({**deny("nested"), "decision": "block", "reason": "top"}, "deny", "nested"),
        ({**deny("nested"), "decision": "block"}, "deny", "nested"),
        ({**deny("nested"), "reason": "unused"}, "deny", "nested"),
        (specific("PreToolUse", additionalContext="x"), "none", None),
    ],
)
def test_decisions_before_a_tool(mind, answer, decision, reason):
    reading = mind.read(SHELL, mind.exited(answer))
    assert (reading.status, reading.effect.decision, reading.effect.reason) == ("completed", decision, reason)


@pytest.mark.parametrize(
    "answer",
    [
        specific("PreToolUse", permissionDecision="allow"),
        specific("PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?"),
        specific("PreToolUse", permissionDecision="ask"),
        specific("PreToolUse", permissionDecision="deny"),
        deny(" "),
        deny(updatedInput={"command": "x"}),
        specific("PreToolUse", updatedInput={"command": "x"}),
        specific("PreToolUse", permissionDecision="allow", updatedInput=None),
        specific("PreToolUse", permissionDecision="allow", updatedInput="x"),
        specific("PreToolUse", permissionDecision="allow", updatedInput={"command": 5}),
        specific("PreToolUse", permissionDecision="allow", updatedInput={}),
        specific("PreToolUse", permissionDecisionReason="x"),
        specific("PreToolUse", permissionDecision="defer"),
        specific("PostToolUse", additionalContext="x"),
        {"decision": "approve"},
        {"decision": "approve", "reason": "x"},
        {**deny(), "decision": "approve"},
        {"decision": "block"},
        {"decision": "block", "reason": " "},
        {"reason": "x"},
        {"reason": ""},
    ],
    ids=json.dumps,
)
def test_answers_before_a_tool_that_fail(mind, answer):
    reading = mind.read(SHELL, mind.exited(answer))
    assert (reading.status, reading.effect.decision, reading.effect.updated_input) == ("failed", "none", None)
    assert reading.error
    assert reading.diagnostics[0].code == "invalid-output"


def test_an_allow_with_a_new_input_rewrites_and_grants_nothing(mind):
    answer = specific(
        "PreToolUse", permissionDecision="allow", permissionDecisionReason="x", updatedInput={"path": "b"}
    )
    effect = mind.read(READ, mind.exited(answer)).effect
    assert (effect.decision, effect.updated_input) == ("none", {"path": "b"})


@pytest.mark.parametrize(
    ("answer", "decision", "reason"),
    [
        (permission(behavior="allow"), "allow", None),
        (permission(behavior="allow", message="fine"), "allow", "fine"),
        (permission(behavior="deny", message=" no "), "deny", "no"),
        (permission(behavior="deny"), "deny", NO_PERMISSION_REASON),
        (permission(behavior="deny", message=" "), "deny", NO_PERMISSION_REASON),
        (
            permission(behavior="deny", interrupt=False, updatedInput=None, updatedPermissions=None),
            "deny",
            NO_PERMISSION_REASON,
        ),
        (specific("PermissionRequest"), "none", None),
    ],
)
def test_permissions(mind, answer, decision, reason):
    reading = mind.read(ASK, mind.exited(answer))
    assert (reading.status, reading.effect.decision, reading.effect.reason) == ("completed", decision, reason)


@pytest.mark.parametrize(
    "answer",
    [
        permission(),
        permission(behavior="ask"),
        permission(behavior="deny", message=None),
        permission(behavior="deny", interrupt=True),
        permission(behavior="deny", interrupt=None),
        permission(behavior="allow", updatedInput={}),
        permission(behavior="allow", updatedPermissions=[]),
        permission(behavior="allow", more=1),
        specific("PermissionRequest", decision=None),
        {"decision": "block", "reason": "x"},
    ],
    ids=json.dumps,
)
def test_permissions_that_fail(mind, answer):
    reading = mind.read(ASK, mind.exited(answer))
    assert (reading.status, reading.effect.decision) == ("failed", "none")


@pytest.mark.parametrize(
    ("answer", "decision", "feedback"),
    [
        ({"decision": "block", "reason": " red "}, "block", ("red",)),
        ({"continue": False, "reason": "model", "stopReason": "person"}, "stop", ("model",)),
        ({"continue": False, "stopReason": "person"}, "stop", ("person",)),
        ({"continue": False, "decision": "block"}, "stop", (NO_FEEDBACK,)),
        ({"continue": False, "decision": "block", "reason": "both"}, "stop", ("both",)),
        (specific("PostToolUse", additionalContext="x"), "none", ()),
    ],
)
def test_feedback_after_a_tool(mind, answer, decision, feedback):
    reading = mind.read(PostToolUse(), mind.exited(answer))
    assert (reading.status, reading.effect.decision, reading.effect.feedback) == ("completed", decision, feedback)


@pytest.mark.parametrize(
    "answer",
    [
        {"decision": "block"},
        {"decision": "approve"},
        {"reason": "x"},
        {"suppressOutput": True},
        {"replacementResult": "x"},
        specific("PostToolUse", updatedMCPToolOutput={}),
    ],
    ids=json.dumps,
)
def test_answers_after_a_tool_that_fail(mind, answer):
    assert mind.read(PostToolUse(), mind.exited(answer)).status == "failed"


@pytest.mark.parametrize("event", [UserPromptSubmit(), Stop(), SubagentStop()], ids=lambda event: event.kind)
def test_blocks_of_prompts_and_ends_need_a_reason(mind, event):
    effect = mind.read(event, mind.exited({"decision": "block", "reason": " why "})).effect
    assert (effect.decision, effect.reason) == ("block", "why")
    assert effect.feedback == (() if event.kind == "user_prompt_submit" else ("why",))
    assert mind.read(event, mind.exited({"decision": "block"})).status == "failed"
    assert mind.read(event, mind.exited({"decision": "block", "reason": " ", "continue": False})).status == "failed"
    both = mind.read(event, mind.exited({"decision": "block", "reason": "why", "continue": False})).effect
    assert (both.decision, both.reason, both.feedback) == ("stop", "why", ())


@pytest.mark.parametrize("event", [UserPromptSubmit(), SessionStart(), Stop()], ids=lambda event: event.kind)
def test_suppress_output_is_tolerated_elsewhere(mind, event):
    assert mind.read(event, mind.exited({"suppressOutput": True})).status == "completed"


def test_reasons_are_cut_except_those_that_become_a_prompt(mind):
    long = "x" * 2001
    assert mind.read(SHELL, mind.exited(deny(long))).effect.reason == "x" * 2000 + "..."
    assert mind.read(SHELL, mind.exited(code=2, stderr=long)).effect.reason == "x" * 2000 + "..."
    assert mind.read(SHELL, mind.exited(deny("x" * 2000))).effect.reason == "x" * 2000
    assert mind.read(Stop(), mind.exited({"decision": "block", "reason": long})).effect.feedback == (long,)
    assert mind.read(Stop(), mind.exited({"continue": False, "stopReason": long})).effect.reason == long
    assert (
        mind.read(SessionStart(), mind.exited({"continue": False, "stopReason": long})).effect.reason
        == "x" * 2000 + "..."
    )


def test_json_past_the_cap_fails_and_text_past_it_is_kept_as_far_as_it_goes(mind):
    assert mind.read(SHELL, mind.exited("{}", stdout_cut=True)).status == "failed"
    reading = mind.read(UserPromptSubmit(), mind.exited("text", stdout_cut=True))
    assert reading.effect.context == ("text",)
    assert [item.code for item in reading.diagnostics] == ["output-cut"]


def test_a_pipe_that_was_held_is_said_and_the_answer_counts(mind):
    reading = mind.read(SHELL, mind.exited(deny(), pipes_held=True))
    assert reading.effect.decision == "deny"
    assert [item.code for item in reading.diagnostics] == ["pipe-held"]


def test_a_background_run_asks_for_nothing_whatever_it_says(mind):
    reading = mind.read(SHELL, mind.exited(code=2, stderr="no"), **{"async": True})
    assert (reading.status, reading.effect.decision) == ("completed", "none")


@pytest.mark.parametrize(
    ("code", "command", "kind", "word"),
    [
        (127, "/opt/kit/gate --all", "command-not-found", "`gate`"),
        (126, "gate.sh", "command-not-executable", "`gate.sh`"),
        (127, "$(cat token)", "command-not-found", "exit status 127"),
    ],
)
def test_a_command_that_the_shell_could_not_run_is_named(mind, code, command, kind, word):
    (diagnostic,) = mind.read(SHELL, mind.exited(code=code), command=command).diagnostics
    assert diagnostic.code == kind
    assert word in diagnostic.message
    assert "token" not in diagnostic.message


def test_text_before_an_answer_is_said(mind):
    reading = mind.read(SHELL, mind.exited("Welcome!\n" + json.dumps(deny())))
    assert (reading.status, reading.effect.decision) == ("completed", "none")
    assert [item.code for item in reading.diagnostics] == ["text-before-json"]
    assert mind.read(SHELL, mind.exited("Welcome!\nto this")).diagnostics == ()


def test_a_reason_on_the_wrong_stream_is_said(mind):
    assert "standard output is not read" in mind.read(SHELL, mind.exited("why", code=2)).diagnostics[0].message
    assert "standard output" not in mind.read(SHELL, mind.exited("", code=2)).diagnostics[0].message


def test_a_wrong_field_is_named(mind):
    message = mind.read(SHELL, mind.exited(specific("PreToolUse", permissionDecision="no"))).diagnostics[0].message
    assert "hookSpecificOutput.permissionDecision" in message


def test_nothing_that_was_printed_is_repeated_in_what_is_said_of_a_failure(mind):
    reading = mind.read(SHELL, mind.exited("{SECRET", stderr="SECRET"))
    assert "SECRET" not in reading.error + reading.diagnostics[0].message


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(ALL), st.text(max_size=40), st.sampled_from([0, 1, 2]), st.text(max_size=10))
def test_nothing_that_is_printed_raises_and_a_failed_run_has_no_say(mind, event, stdout, code, stderr):
    reading = mind.read(event, mind.exited(stdout, code=code, stderr=stderr))
    assert reading.status in ("completed", "failed")
    if reading.status == "failed":
        assert reading.effect.decision == "none"
        assert not reading.effect.context
        assert reading.error
