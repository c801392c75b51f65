from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    Ended,
    Interrupt,
    PermissionRequest,
    PostCompact,
    PostModelRequest,
    PostToolUse,
    PreCompact,
    PreModelRequest,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
)

SHELL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
ALL = (
    PreModelRequest(), PostModelRequest(), SHELL, PermissionRequest(), PostToolUse(), PreCompact(), PostCompact(),
    SessionStart(), SessionEnd(), UserPromptSubmit(), SubagentStart(), SubagentStop(), Stop(), Interrupt(),
)  # fmt: skip
UNREAD = ("pre_model_request", "post_model_request", "session_end")
BLOCKING = ("pre_tool_use", "permission_request", "post_tool_use", "user_prompt_submit", "stop", "subagent_stop")
CONTEXT = ("session_start", "subagent_start", "user_prompt_submit")
FAILS = ("stop", "subagent_stop", "interrupt")


def of(*kinds):
    return pytest.mark.parametrize(
        "event", [event for event in ALL if event.kind in kinds], ids=lambda event: event.kind
    )


def specific(event="PreToolUse", **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def read(codex, event, answer, **handler):
    return codex.read(event, codex.exited(answer), **handler)


def fails(codex, event, answer, words):
    reading = read(codex, event, answer)
    assert (reading.status, reading.effect.decision, reading.effect.context) == ("failed", "none", ())
    assert words in reading.error
    assert words in reading.diagnostics[0].message
    return reading


def effect(codex, event, answer):
    reading = read(codex, event, answer)
    assert (reading.status, reading.error) == ("completed", None)
    return reading.effect


@pytest.mark.parametrize("event", ALL, ids=lambda event: event.kind)
def test_silence_is_no_effect(codex, event):
    for output in ("", " \n"):
        assert effect(codex, event, output).decision == "none"


@pytest.mark.parametrize("event", ALL, ids=lambda event: event.kind)
def test_exit_2_blocks_where_the_event_allows_it_and_fails_elsewhere(codex, event):
    reading = codex.read(event, codex.exited(code=2, stderr="  no \n"))
    if event.kind in BLOCKING:
        assert reading.status == "completed"
        assert reading.effect.decision == ("deny" if event.kind[0] == "p" and "post" not in event.kind else "block")
        assert reading.effect.reason == "no"
        assert bool(reading.effect.feedback) is (event.kind in ("post_tool_use", "stop", "subagent_stop"))
    else:
        assert (reading.status, reading.effect.decision) == ("failed", "none")
        assert reading.error == "exited with code 2"


@of(*BLOCKING)
def test_exit_2_without_a_reason_fails_and_says_where_the_reason_may_have_gone(codex, event):
    reading = codex.read(event, codex.exited("the reason", code=2, stderr=" "))
    assert (reading.status, reading.effect.decision) == ("failed", "none")
    assert "exited with code 2 without a reason on standard error" in reading.error
    assert "standard output is not read" in reading.error


@pytest.mark.parametrize(
    ("facts", "status", "error"),
    [
        ({"code": 1}, "failed", "exited with code 1"),
        ({"code": 127}, "failed", "exited with code 127: the command was not found"),
        ({"code": None, "signal": 9}, "failed", "was killed by signal 9"),
    ],
)
def test_other_ends_fail_and_decide_nothing(codex, facts, status, error):
    ended = codex.exited({"decision": "block", "reason": "x"}, **facts)
    reading = codex.read(UserPromptSubmit(), ended)
    assert (reading.status, reading.error, reading.effect.decision) == (status, error, "none")


def test_running_out_of_time_loses_what_was_printed(codex):
    ended = Ended(state="timed_out", stdout=json.dumps({"decision": "block", "reason": "x"}))
    reading = codex.read(SHELL, ended, timeout=5)
    assert (reading.status, reading.error, reading.effect.decision) == ("timed_out", "timed out after 5s", "none")


@of(*CONTEXT)
@pytest.mark.parametrize("output", ["branch: main", '"quoted"', "42", "null", "log\n{}"])
def test_plain_text_is_context(codex, event, output):
    assert effect(codex, event, f" {output}\n").context == (output,)


@of(*FAILS)
def test_plain_text_fails_where_the_answer_has_to_be_json(codex, event):
    fails(codex, event, "text", "JSON output")


@of("pre_tool_use", "permission_request", "post_tool_use", "pre_compact", "post_compact", *UNREAD)
def test_plain_text_is_ignored_elsewhere(codex, event):
    found = effect(codex, event, "text")
    assert (found.context, found.decision) == ((), "none")


@of(*(event.kind for event in ALL if event.kind not in UNREAD))
@pytest.mark.parametrize("output", ["[]", "{", "[12:30] hello", '{"a": 1}', '{"systemMessage": 5}', "{} bye"])
def test_what_begins_like_json_has_to_be_an_answer(codex, event, output):
    fails(codex, event, output, "returned invalid")


@of(*UNREAD)
@pytest.mark.parametrize("output", ["{", '{"systemMessage": "x", "continue": false}'])
def test_output_is_not_looked_at_where_nobody_listens(codex, event, output):
    found = effect(codex, event, output)
    assert (found.messages, found.decision) == ((), "none")


@of(*(event.kind for event in ALL if event.kind not in (*UNREAD, "interrupt")))
def test_common_fields_and_their_types(codex, event):
    harmless = {"continue": True, "suppressOutput": False, "systemMessage": "hi", "stopReason": None}
    assert effect(codex, event, harmless).messages == ("hi",)
    for field in ("continue", "suppressOutput"):
        fails(codex, event, {field: None}, "returned invalid")
        fails(codex, event, {field: "true"}, "returned invalid")
    assert effect(codex, event, '{"systemMessage": "a", "systemMessage": "b"}').messages == ("b",)


def test_interrupt_takes_a_message_and_nothing_else(codex):
    assert effect(codex, Interrupt(), {"systemMessage": "bye"}).messages == ("bye",)
    for field in ("continue", "stopReason", "suppressOutput", "hookSpecificOutput"):
        fails(codex, Interrupt(), {field: None}, "invalid interrupt")


@pytest.mark.parametrize(
    ("event", "takes"),
    [
        (event, event.kind in (*CONTEXT, "pre_tool_use", "post_tool_use", "permission_request"))
        for event in ALL
        if event.kind not in UNREAD
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_only_some_events_have_output_of_their_own(codex, event, takes):
    for answer in ({"hookSpecificOutput": None}, specific("Stop")):
        assert (read(codex, event, answer).status == "completed") is takes


@of(*CONTEXT, "pre_tool_use", "post_tool_use")
def test_context_is_handed_on_as_it_is_and_names_any_event(codex, event):
    for name in ("Stop", "SessionEnd", "PreModelRequest"):
        assert effect(codex, event, specific(name, additionalContext=" \n")).context == (" \n",)
    assert effect(codex, event, specific(additionalContext=None)).context == ()
    fails(codex, event, specific("Nonsense", additionalContext="x"), "hookEventName")
    fails(codex, event, {"hookSpecificOutput": {"additionalContext": "x"}}, "hookEventName")
    fails(codex, event, specific(additionalContext="x", more=1), "more")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"continue": False, "stopReason": "x", "suppressOutput": True}, "returned unsupported continue:false"),
        ({"stopReason": ""}, "returned unsupported stopReason"),
        ({"suppressOutput": True} | specific(permissionDecision="ask"), "returned unsupported suppressOutput"),
        (specific(updatedInput={}), "returned updatedInput without permissionDecision:allow"),
        (
            specific(updatedInput={}, permissionDecision="deny", permissionDecisionReason="x"),
            "returned updatedInput without",
        ),
        (specific(permissionDecision="allow"), "returned unsupported permissionDecision:allow"),
        (
            specific(permissionDecision="ask", permissionDecisionReason="?"),
            "returned unsupported permissionDecision:ask",
        ),
        (specific(permissionDecision="deny"), "without a non-empty permissionDecisionReason"),
        (
            specific(permissionDecision="deny", permissionDecisionReason=" "),
            "without a non-empty permissionDecisionReason",
        ),
        (specific(permissionDecisionReason="x"), "returned permissionDecisionReason without permissionDecision"),
        ({"decision": "approve"}, "returned unsupported decision:approve"),
        ({"decision": "block"}, "returned decision:block without a non-empty reason"),
        ({"decision": "block", "reason": " "}, "returned decision:block without a non-empty reason"),
        ({"reason": "x"}, "returned reason without decision"),
        ({"reason": "x"} | specific(additionalContext="c"), "returned reason without decision"),
        ({"decision": "deny"}, "returned invalid pre-tool-use JSON output"),
    ],
)
def test_what_is_refused_before_a_tool_and_that_the_message_survives(codex, answer, words):
    reading = fails(codex, SHELL, answer | {"systemMessage": "shown"}, words)
    if "returned invalid" not in words:
        assert reading.effect.messages == ("shown",)


def test_decisions_before_a_tool(codex):
    denied = effect(
        codex, SHELL, specific(permissionDecision="deny", permissionDecisionReason=" a ", additionalContext="c")
    )
    assert (denied.decision, denied.reason, denied.context, denied.feedback) == ("deny", "a", ("c",), ())
    assert effect(codex, SHELL, {"decision": "block", "reason": " b "}).reason == "b"
    rewritten = effect(codex, SHELL, specific(permissionDecision="allow", updatedInput={"command": "x"}))
    assert (rewritten.decision, rewritten.updated_input) == ("none", {"command": "x"})
    both = {"decision": "approve", "reason": "x"} | specific(permissionDecision="deny", permissionDecisionReason="new")
    assert effect(codex, SHELL, both).reason == "new"
    old = {"decision": "block", "reason": "old"} | specific(additionalContext="c", permissionDecision=None)
    assert (effect(codex, SHELL, old).reason, effect(codex, SHELL, old).context) == ("old", ("c",))


def decided(**fields):
    return specific("PermissionRequest", decision=fields)


def test_decisions_about_a_permission(codex):
    event = PermissionRequest()
    assert effect(codex, event, decided(behavior="allow", message=None)).decision == "allow"
    denied = effect(codex, event, decided(behavior="deny", message=" no ", interrupt=False))
    assert (denied.decision, denied.reason) == ("deny", "no")
    assert (
        effect(codex, event, decided(behavior="deny", message=" ")).reason == "PermissionRequest hook denied approval"
    )
    assert effect(codex, event, specific("PermissionRequest", decision=None)).decision == "none"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (decided(behavior="deny") | {"continue": False}, "returned unsupported continue:false"),
        (decided(behavior="deny") | {"stopReason": "x"}, "returned unsupported stopReason"),
        (decided(behavior="deny") | {"suppressOutput": True}, "returned unsupported suppressOutput"),
        (decided(behavior="allow", updatedInput={}), "returned unsupported updatedInput"),
        (decided(behavior="allow", updatedPermissions=[]), "returned unsupported updatedPermissions"),
        (decided(behavior="deny", interrupt=True), "returned unsupported interrupt:true"),
        (decided(behavior="deny", interrupt=None), "returned invalid permission-request"),
        (decided(message="x"), "returned invalid permission-request"),
        (specific("PermissionRequest", additionalContext="x"), "returned invalid permission-request"),
        ({"decision": "block", "reason": "x"}, "returned invalid permission-request"),
    ],
)
def test_what_is_refused_about_a_permission(codex, answer, words):
    fails(codex, PermissionRequest(), answer, words)


@pytest.mark.parametrize(
    ("answer", "decision", "reason", "feedback"),
    [
        ({"decision": "block", "reason": " a "}, "block", " a ", (" a ",)),
        ({"continue": False}, "stop", "PostToolUse hook stopped execution", ("PostToolUse hook stopped execution",)),
        ({"continue": False, "stopReason": "s"}, "stop", "s", ("s",)),
        ({"continue": False, "stopReason": "s", "reason": " r "}, "stop", "s", ("r",)),
        ({"continue": False, "reason": "r", "decision": "block"}, "stop", "PostToolUse hook stopped execution", ("r",)),
        (
            {"continue": False, "decision": "block"},
            "stop",
            "PostToolUse hook stopped execution",
            ("PostToolUse hook stopped execution",),
        ),
    ],
)
def test_decisions_after_a_tool(codex, answer, decision, reason, feedback):
    found = effect(codex, PostToolUse(), answer)
    assert (found.decision, found.reason, found.feedback) == (decision, reason, feedback)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"suppressOutput": True, "decision": "block", "reason": "x"}, "returned unsupported suppressOutput"),
        (
            specific("PostToolUse", updatedMCPToolOutput={}, additionalContext="c"),
            "returned unsupported updatedMCPToolOutput",
        ),
        ({"decision": "block"}, "returned decision:block without a non-empty reason"),
        ({"reason": "x"}, "returned reason without decision"),
        ({"decision": "approve", "reason": "x"}, "returned invalid post-tool-use"),
    ],
)
def test_what_is_refused_after_a_tool(codex, answer, words):
    fails(codex, PostToolUse(), answer, words)


def test_decisions_about_a_prompt(codex):
    context = specific("UserPromptSubmit", additionalContext="kept")
    blocked = effect(codex, UserPromptSubmit(), {"decision": "block", "reason": " no "} | context)
    assert (blocked.decision, blocked.reason, blocked.context) == ("block", " no ", ("kept",))
    stopped = effect(codex, UserPromptSubmit(), {"continue": False, "decision": "block"} | context)
    assert (stopped.decision, stopped.reason, stopped.context) == (
        "stop",
        "UserPromptSubmit hook stopped execution",
        ("kept",),
    )
    fails(codex, UserPromptSubmit(), {"decision": "block"} | context, "without a non-empty reason")
    assert effect(codex, UserPromptSubmit(), {"suppressOutput": True, "reason": "x"} | context).context == ("kept",)


@of("stop", "subagent_stop")
def test_decisions_about_an_end(codex, event):
    blocked = effect(codex, event, {"decision": "block", "reason": " go on "})
    assert (blocked.decision, blocked.reason, blocked.feedback) == ("block", "go on", ("go on",))
    stopped = effect(codex, event, {"continue": False, "decision": "block", "reason": "x", "stopReason": "end"})
    assert (stopped.decision, stopped.reason, stopped.stop_reason, stopped.feedback) == ("stop", "end", "end", ())
    fails(codex, event, {"decision": "block", "reason": ""}, "without a non-empty reason")


@of("session_start", "pre_compact", "post_compact")
def test_events_that_can_only_be_stopped(codex, event):
    assert effect(codex, event, {"continue": False, "stopReason": "z"}).stop_reason == "z"
    fails(codex, event, {"decision": "block", "reason": "x"}, "returned invalid")


def test_nothing_stops_a_sub_agent_from_starting(codex):
    found = effect(codex, SubagentStart(), {"continue": False} | specific("SubagentStart", additionalContext="c"))
    assert (found.decision, found.context) == ("none", ("c",))


def test_an_asynchronous_run_decides_nothing_but_has_its_status(codex):
    deny = specific(permissionDecision="deny", permissionDecisionReason="x") | {"systemMessage": "m"}
    reading = read(codex, SHELL, deny, **{"async": True})
    assert (reading.status, reading.effect.decision, reading.effect.messages) == ("completed", "none", ())
    reading = read(codex, SHELL, {"decision": "approve", "systemMessage": "m"}, **{"async": True})
    assert (reading.status, reading.effect.messages) == ("failed", ())


def test_what_is_odd_about_a_run_is_said(codex):
    reading = codex.read(SessionStart(), codex.exited("log\n{}", pipes_held=True, stdout_cut=True, stderr_cut=True))
    assert [item.code for item in reading.diagnostics] == ["text-before-json", "pipe-held", "output-cut"]
    assert reading.effect.context == ("log\n{}",)
    cut = codex.read(SHELL, codex.exited({"decision": "block", "reason": "x"}, stdout_cut=True))
    assert (cut.status, cut.effect.decision) == ("failed", "none")


ANSWERS = st.dictionaries(
    st.sampled_from(["continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"]),
    st.none() | st.booleans() | st.sampled_from(["block", "approve", "", "x"])
    | st.dictionaries(
        st.sampled_from(["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext", "decision"]),
        st.none() | st.sampled_from(["PreToolUse", "Stop", "allow", "deny", "ask", "x", ""]) | st.just({"behavior": "deny"}),
    ),
)  # fmt: skip


@given(st.sampled_from(ALL), ANSWERS | st.text(max_size=8))
def test_a_run_that_fails_decides_nothing_and_one_that_decides_says_why(codex, event, answer):
    reading = read(codex, event, answer)
    found = reading.effect
    assert (reading.status == "failed") is (reading.error is not None)
    if reading.status == "failed":
        assert (found.decision, found.reason, found.context, found.feedback, found.updated_input) == (
            "none", None, (), (), None,
        )  # fmt: skip
    elif found.decision in ("deny", "block"):
        assert found.reason
        assert found.reason.strip()
