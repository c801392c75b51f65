from __future__ import annotations

import json

import pytest

from hookfw import (
    ConfigChange,
    CwdChanged,
    Elicitation,
    Error,
    EventError,
    FileChanged,
    MessageDisplay,
    NativeCall,
    Notification,
    Outcome,
    PermissionRequest,
    PostToolBatch,
    PostToolUse,
    PreCompact,
    PreModelSwitch,
    PreToolUse,
    SessionStart,
    ShellEnv,
    Stop,
    SubagentStop,
    TaskCompleted,
    UserPromptSubmit,
    WorktreeCreate,
)
from hookfw_claude.claude_code.agent import ClaudeCodeAgent

AGENT = ClaudeCodeAgent()
CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
PERMISSION = PermissionRequest(tool_name="Bash", tool_input={})
ENDS = [Stop(), SubagentStop()]


def call(hint=None, **fields):
    return AGENT.parse_event(NativeCall(event_hint=hint, stdin=json.dumps(fields).encode()))


def said(event, **fields):
    answer = AGENT.render(event, Outcome(**fields))
    assert answer.exit_code == 0
    return json.loads(answer.stdout) if answer.stdout else {}


def specific(event, **fields):
    inner = said(event, **fields)["hookSpecificOutput"]
    inner.pop("hookEventName")
    return inner


def lost(event, **fields):
    return [loss.field for loss in AGENT.can_say(event, Outcome(**fields))]


def test_a_call_is_read_as_its_event():
    event = call(
        hook_event_name="PreToolUse",
        session_id="s",
        transcript_path="/t",
        cwd="/w",
        prompt_id="p",
        permission_mode="plan",
        effort={"level": "medium"},
        tool_name="mcp__srv__scan",
        tool_input={"x": 1},
        tool_use_id="t",
        mcp_server={"name": "srv"},
    )
    assert event == PreToolUse(
        session_id="s",
        transcript_path="/t",
        cwd="/w",
        prompt_id="p",
        permission_mode="plan",
        effort="medium",
        tool_name="mcp__srv__scan",
        tool_input={"x": 1},
        tool_use_id="t",
        native={"mcp_server": {"name": "srv"}},
    )


def test_a_failure_of_the_turn_is_an_error():
    assert call(hook_event_name="StopFailure", error="rate_limit") == Error(error="rate_limit")


def test_what_happened_to_a_file_is_kept_beside():
    assert call("FileChanged", file_path="/x", event="add") == FileChanged(file_path="/x", native={"event": "add"})


@pytest.mark.parametrize(
    "stdin", [b"", b"[]", b"{}", b'{"hook_event_name": "PreToolCall"}', b'{"hook_event_name": "Stop", "cwd": 5}']
)
def test_a_call_that_cannot_be_read_is_refused_in_one_sentence(stdin):
    with pytest.raises(EventError, match=r"\A[^\n]+\.\Z|\A[^\n]+\?\)\Z"):
        AGENT.parse_event(NativeCall(stdin=stdin))


def test_what_the_dialect_sends_the_agent_reads_back(claude):
    event = Stop(
        session_id="s",
        effort="high",
        stop_hook_active=True,
        last_assistant_message="m",
        background_tasks=[],
        session_crons=[],
    )
    assert AGENT.parse_event(NativeCall(stdin=claude.row(event).stdin)) == event


def test_nothing_to_say_is_nothing_on_standard_output():
    for event in (CALL, SessionStart(), Stop(), UserPromptSubmit()):
        assert AGENT.render(event, Outcome()).stdout == b""


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (
            {"decision": "deny", "refused": True, "reason": "no"},
            {"permissionDecision": "deny", "permissionDecisionReason": "no"},
        ),
        (
            {"decision": "block", "refused": True},
            {"permissionDecision": "deny", "permissionDecisionReason": "Blocked by hook"},
        ),
        (
            {"decision": "defer", "refused": True, "reason": "d"},
            {"permissionDecision": "defer", "permissionDecisionReason": "d"},
        ),
        ({"decision": "ask", "reason": "q"}, {"permissionDecision": "ask", "permissionDecisionReason": "q"}),
        ({"decision": "allow"}, {"permissionDecision": "allow"}),
        ({"updated_input": {"command": "x"}}, {"updatedInput": {"command": "x"}}),
        ({"context": ("a", "b")}, {"additionalContext": "a\n\nb"}),
    ],
)
def test_answers_about_a_call(outcome, expected):
    assert specific(CALL, **outcome) == expected


def test_a_new_input_is_never_allowed_by_accident():
    assert "permissionDecision" not in specific(CALL, updated_input={"command": "x"})


def test_a_refused_call_has_no_new_input():
    assert "updatedInput" not in specific(CALL, decision="deny", refused=True, updated_input={"command": "x"})


def test_an_input_that_is_no_object_is_a_loss_and_the_call_is_denied():
    assert lost(CALL, updated_input="x") == ["updated_input"]
    denied = specific(CALL, updated_input="x")
    assert denied["permissionDecision"] == "deny"
    assert denied["permissionDecisionReason"].endswith('Claude Code takes an object. Its input: "x"')


def test_a_stop_is_said_beside_the_denial():
    answer = said(CALL, decision="stop", refused=True, ends_turn=True, reason="halt")
    assert answer["continue"] is False
    assert answer["stopReason"] == "halt"
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_deferred_call_ends_the_run_by_itself():
    assert "continue" not in said(CALL, decision="defer", refused=True, ends_turn=True)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ({"decision": "deny", "refused": True, "reason": "no"}, {"behavior": "deny", "message": "no"}),
        (
            {"decision": "deny", "refused": True, "reason": "no", "native": {"interrupt": True}},
            {"behavior": "deny", "message": "no", "interrupt": True},
        ),
        ({"decision": "allow", "updated_input": {"a": 1}}, {"behavior": "allow", "updatedInput": {"a": 1}}),
        (
            {"decision": "allow", "reason": "r", "native": {"updatedPermissions": [1]}},
            {"behavior": "allow", "message": "r", "updatedPermissions": [1]},
        ),
    ],
)
def test_answers_to_a_permission_request(outcome, expected):
    assert specific(PERMISSION, **outcome) == {"decision": expected}
    assert lost(PERMISSION, **outcome) == []


def test_a_new_input_without_a_permission_is_a_loss():
    assert lost(PERMISSION, updated_input={"a": 1}) == ["updated_input"]


def test_a_blocked_prompt():
    assert said(UserPromptSubmit(), decision="block", refused=True, reason="r", suppress_prompt=True) == {
        "decision": "block",
        "reason": "r",
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "suppressOriginalPrompt": True},
    }


def test_a_prompt_that_goes_ahead_cannot_be_kept_out_of_sight_so_it_does_not():
    assert said(UserPromptSubmit(), suppress_prompt=True)["decision"] == "block"
    assert lost(UserPromptSubmit(), suppress_prompt=True) == ["suppress_prompt"]


def test_a_stopped_prompt():
    assert said(UserPromptSubmit(), decision="stop", refused=True, ends_turn=True, reason="r") == {
        "continue": False,
        "stopReason": "r",
    }


def test_a_prompt_cannot_be_rewritten_so_it_is_blocked_and_the_new_one_shown():
    blocked = said(UserPromptSubmit(), prompt="other")
    assert blocked["decision"] == "block"
    assert blocked["reason"].endswith("Its prompt: other")
    assert lost(UserPromptSubmit(), prompt="other") == ["prompt"]


def test_feedback_about_a_result():
    assert said(PostToolUse(), decision="block", feedback=("a", "b")) == {"decision": "block", "reason": "a\n\nb"}
    failed = PostToolUse(tool_success=False)
    assert said(failed, context=("c",))["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"


def test_a_batch_ends_the_turn_or_adds_context():
    assert said(PostToolBatch(), decision="block", ends_turn=True, reason="r") == {"decision": "block", "reason": "r"}
    assert specific(PostToolBatch(), feedback=("f",), context=("c",)) == {"additionalContext": "f\n\nc"}


@pytest.mark.parametrize("event", ENDS)
def test_an_end_is_put_off_with_one_text(event):
    answer = specific(event, decision="block", refused=True, feedback=("more",), reason="more", context=("c",))
    assert answer == {"additionalContext": "c\n\nmore"}


@pytest.mark.parametrize("event", ENDS)
def test_context_alone_does_not_put_off_an_end(event):
    assert said(event, context=("c",)) == {"systemMessage": "c"}
    assert lost(event, context=("c",)) == ["context"]


@pytest.mark.parametrize("event", ENDS)
def test_an_end_that_is_refused_without_a_text_is_a_loss(event):
    assert lost(event, decision="block", refused=True) == ["decision"]


@pytest.mark.parametrize("event", ENDS)
def test_a_stop_at_the_end(event):
    assert said(event, decision="stop", ends_turn=True, reason="r") == {"continue": False, "stopReason": "r"}


@pytest.mark.parametrize("event", [PreCompact(), ConfigChange()])
def test_gates_are_blocked(event):
    assert said(event, decision="block", refused=True, reason="r") == {"decision": "block", "reason": "r"}


def test_a_task_is_kept_open_by_exit_status_2():
    answer = AGENT.render(TaskCompleted(), Outcome(decision="block", refused=True, feedback=("not yet",)))
    assert (answer.exit_code, answer.stdout, answer.stderr) == (2, b"", b"not yet")


def test_a_switch_of_model():
    assert specific(PreModelSwitch(), decision="ask", reason="q")["permissionDecision"] == "ask"
    assert specific(PreModelSwitch(), decision="block", refused=True)["permissionDecision"] == "deny"


def test_a_question_of_a_server():
    assert specific(Elicitation(), native={"action": "accept", "content": {"a": 1}}) == {
        "action": "accept",
        "content": {"a": 1},
    }
    declined = specific(Elicitation(), decision="block", refused=True, native={"action": "accept", "content": {}})
    assert declined == {"action": "decline"}
    assert specific(Elicitation(), decision="block", refused=True, native={"action": "cancel"}) == {"action": "cancel"}


def test_a_worktree():
    assert AGENT.render(WorktreeCreate(), Outcome(native={"worktreePath": "/w"})).stdout == b"/w\n"
    answer = AGENT.render(WorktreeCreate(), Outcome(decision="block", refused=True, reason="r"))
    assert (answer.exit_code, answer.stderr) == (1, b"r")


def test_what_is_shown_in_the_place_of_a_message():
    assert specific(MessageDisplay(), native={"displayContent": "x"}) == {"displayContent": "x"}


@pytest.mark.parametrize(
    ("event", "outcome", "fields"),
    [
        (ShellEnv(), {"decision": "deny", "refused": True}, ["decision"]),
        (Notification(), {"messages": ("m",)}, ["messages"]),
        (SessionStart(), {"decision": "block", "refused": True}, ["decision"]),
        (SessionStart(), {"ends_turn": True}, ["ends_turn"]),
        (CwdChanged(), {"env": {"A": "1"}}, ["env"]),
        (CALL, {"prompt": "x"}, ["prompt"]),
        (CALL, {"decision": "deny", "refused": True, "reason": "r"}, []),
    ],
)
def test_what_cannot_be_said_is_a_loss(event, outcome, fields):
    assert lost(event, **outcome) == fields


def test_a_value_of_a_wrong_type_is_left_out_since_it_would_void_the_whole_answer():
    native = {"sessionTitle": 5, "other": 1}
    assert said(UserPromptSubmit(), native=native, decision="block", refused=True, reason="r") == {
        "decision": "block",
        "reason": "r",
    }
    assert lost(UserPromptSubmit(), native=native) == ["native"]
    assert (
        lost(PERMISSION, native={"interrupt": True})
        == lost(PERMISSION, native={"updatedPermissions": []})
        == ["native"]
    )


def test_a_sequence_that_would_not_be_shown_is_a_loss():
    assert said(CALL, terminal_sequences=("\a", "\x1b[2J")) == {"terminalSequence": "\a"}
    assert lost(CALL, terminal_sequences=("\a", "\x1b[2J")) == ["terminal_sequences"]


def test_a_teammate_is_refused_by_status_and_stopped_beside_it():
    answer = AGENT.render(TaskCompleted(), Outcome(decision="stop", refused=True, ends_turn=True, reason="r"))
    assert (answer.exit_code, answer.stderr) == (2, b"r")
    assert json.loads(answer.stdout) == {"continue": False, "stopReason": "r"}
