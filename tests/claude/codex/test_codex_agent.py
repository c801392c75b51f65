from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookfw import (
    EventError,
    Interrupt,
    NativeCall,
    Outcome,
    PermissionRequest,
    PostCompact,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    TurnEnd,
    UserPromptSubmit,
)
from hookfw_claude.answers import NO_REASON
from hookfw_claude.codex.agent import CodexAgent

AGENT = CodexAgent()
SHELL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


def call(**fields):
    return AGENT.parse_event(NativeCall(stdin=json.dumps(fields).encode()))


def said(event, **fields):
    answer = AGENT.render(event, Outcome(**fields))
    assert answer.exit_code == 0
    return json.loads(answer.stdout) if answer.stdout else {}


def lost(event, **fields):
    return [loss.field for loss in AGENT.can_say(event, Outcome(**fields))]


def test_a_call_is_read_as_its_event():
    event = call(
        hook_event_name="PreToolUse",
        session_id="s",
        transcript_path=None,
        cwd="/w",
        model="m",
        permission_mode="plan",
        turn_id="t",
        tool_name="Bash",
        tool_input={"command": "ls"},
        tool_use_id="c",
        agent_id="a",
        agent_type="reviewer",
    )
    assert (event.kind, event.tool_input, event.agent_type, event.cwd) == (
        "pre_tool_use",
        {"command": "ls"},
        "reviewer",
        "/w",
    )
    assert event.given["transcript_path"] is None


def test_what_is_not_known_is_kept_in_native():
    assert call(hook_event_name="Stop", newer=1).native == {"newer": 1}
    assert "native" not in call(hook_event_name="Stop").given


def test_the_hint_names_the_event_where_the_call_does_not():
    for hint in ("SessionEnd", "session_end"):
        assert AGENT.parse_event(NativeCall(event_hint=hint, stdin=b'{"reason": "other"}')).kind == "session_end"


@pytest.mark.parametrize(
    ("stdin", "word"),
    [
        (b"", "no JSON object"),
        (b"[]", "no JSON object"),
        (b"\xff{", "no JSON object"),
        (b"{}", "hook_event_name"),
        (b'{"hook_event_name": 5}', "hook_event_name"),
        (b'{"hook_event_name": "PreTolUse"}', "did you mean `PreToolUse`?"),
        (b'{"hook_event_name": "Stop", "stop_hook_active": {}}', "stop_hook_active"),
    ],
)
def test_a_call_that_cannot_be_read_says_why_in_one_sentence(stdin, word):
    with pytest.raises(EventError, match=r"^[^\n]*$") as caught:
        AGENT.parse_event(NativeCall(stdin=stdin))
    assert word in str(caught.value)


def test_nothing_to_say_is_no_output():
    assert AGENT.render(Stop(), Outcome()).stdout == b""


def test_denials_of_calls_and_permissions_always_give_a_reason():
    denied = said(SHELL, decision="deny", refused=True, reason="no", context=("c",), updated_input={"command": "x"})
    assert denied["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "no",
        "additionalContext": "c",
    }
    assert said(SHELL, decision="deny", refused=True)["hookSpecificOutput"]["permissionDecisionReason"] == NO_REASON
    decision = said(PermissionRequest(), decision="deny", refused=True)["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "deny", "message": NO_REASON}


def test_a_question_is_said_as_a_denial_since_the_call_would_run():
    assert said(SHELL, decision="ask", reason="sure?")["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "sure?",
    }
    assert lost(SHELL, decision="ask", reason="sure?") == ["decision"]


def test_what_codex_cannot_do_before_a_call_is_lost_and_never_said_so_that_it_fails():
    assert said(SHELL, decision="allow") == {}
    assert lost(SHELL, decision="allow") == ["decision"]
    assert lost(SHELL, decision="defer", refused=True) == ["decision"]
    assert lost(SHELL, decision="stop", ends_turn=True) == ["ends_turn"]
    assert lost(PermissionRequest(), decision="ask", reason="sure?") == []
    assert lost(PermissionRequest(), decision="allow", updated_input={}) == ["updated_input"]
    denied = said(PermissionRequest(), decision="allow", updated_input={"x": 1})["hookSpecificOutput"]["decision"]
    assert denied["behavior"] == "deny"


@pytest.mark.parametrize(
    ("event", "new", "shown", "losses"),
    [
        (SHELL, {"command": "x"}, {"command": "x"}, []),
        (SHELL, {"command": "x", "timeout": 5}, None, ["updated_input"]),
        (
            PreToolUse(tool_name="Bash", tool_input={"command": "ls", "t": 5}),
            {"command": "x", "t": 5},
            {"command": "x"},
            [],
        ),
        (SHELL, {"cmd": "x"}, None, ["updated_input"]),
        (SHELL, "x", None, ["updated_input"]),
        (PreToolUse(tool_name="view_image"), {"path": "b"}, {"path": "b"}, []),
        (PreToolUse(tool_name="apply_patch", tool_input={"input": "a"}), {"input": "b"}, {"command": "b"}, []),
        (
            PreToolUse(tool_name="exec_command", tool_input={"cmd": "a", "workdir": "/"}),
            {"cmd": "b", "workdir": "/"},
            {"command": "b"},
            [],
        ),
        (
            PreToolUse(tool_name="exec_command", tool_input={"cmd": "a", "workdir": "/"}),
            {"cmd": "b", "workdir": "/etc"},
            None,
            ["updated_input"],
        ),
    ],
)
def test_new_inputs(event, new, shown, losses):
    answer = said(event, updated_input=new)
    assert answer["hookSpecificOutput"].get("updatedInput") == shown
    assert answer["hookSpecificOutput"]["permissionDecision"] == ("deny" if shown is None else "allow")
    assert lost(event, updated_input=new) == losses


def test_results():
    assert said(PostToolUse(), decision="block", feedback=("a", "b")) == {"decision": "block", "reason": "a\n\nb"}
    assert said(PostToolUse(), decision="stop", feedback=("a",)) == {"continue": False, "reason": "a"}
    told = "A hook objected without saying why."
    assert said(PostToolUse(), decision="block") == {"decision": "block", "reason": told}
    assert said(PostToolUse(), feedback=("a",)) == {"decision": "block", "reason": "a"}
    assert lost(PostToolUse(), decision="stop", feedback=("a",), ends_turn=True) == ["ends_turn"]
    stopped = {"continue": False, "stopReason": "s", "reason": "a"}
    assert said(PostToolUse(), decision="stop", reason="s", feedback=("a",)) == stopped
    assert lost(PostToolUse(), decision="block", feedback=("x" * 20_001,)) == []


def test_prompts_starts_and_compactions():
    assert said(UserPromptSubmit(), decision="block", refused=True, reason="no") == {
        "decision": "block",
        "reason": "no",
    }
    stop = {"continue": False, "stopReason": "no"}
    assert said(UserPromptSubmit(), decision="stop", refused=True, ends_turn=True, reason="no") == stop
    assert said(SessionStart(), decision="stop", ends_turn=True, reason="no") == stop
    assert said(PreCompact(), decision="block", refused=True, reason="no") == stop
    assert said(PostCompact(), decision="stop", refused=True, ends_turn=True, reason="no") == stop
    assert lost(UserPromptSubmit(), prompt="other", suppress_prompt=True) == ["prompt", "suppress_prompt"]
    assert lost(PreCompact(), decision="stop", refused=True, ends_turn=True, reason="x") == ["ends_turn"]
    assert lost(SessionStart(), decision="block", refused=True, reason="x") == ["decision"]


@pytest.mark.parametrize("event", [Stop(), SubagentStop()], ids=lambda event: event.kind)
def test_ends(event):
    assert said(event, decision="block", refused=True, feedback=("a", "b")) == {"decision": "block", "reason": "a\n\nb"}
    assert said(event, decision="stop", ends_turn=True, reason="no") == {"continue": False, "stopReason": "no"}
    assert said(event, decision="block", refused=True) == {}
    assert lost(event, decision="block", refused=True) == ["decision"]


def test_an_interrupted_agent_hears_a_message_and_nothing_else():
    assert said(Interrupt(), messages=("a", "b"), decision="stop", refused=True) == {"systemMessage": "a\nb"}
    assert lost(Interrupt(), messages=("a",), context=("c",), ends_turn=True) == ["ends_turn", "context"]


def test_a_tool_that_failed_is_answered_like_any_result():
    event = PostToolUseFailure(tool_name="x")
    assert said(event, context=("c",))["hookSpecificOutput"] == {
        "hookEventName": "PostToolUse",
        "additionalContext": "c",
    }


def test_events_whose_hooks_can_stop_nothing():
    assert said(SubagentStart(), decision="stop", refused=True, context=("c",)) == {
        "hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": "c"}
    }
    assert lost(SubagentStart(), decision="stop", refused=True, reason="x") == ["decision", "reason"]
    assert said(SessionEnd(), messages=("m",), decision="block") == {}
    assert lost(SessionEnd(), messages=("m",), decision="block") == ["decision", "messages"]
    assert lost(TurnEnd(), context=("c",)) == ["context"]


def test_every_other_field_that_is_left_out_is_a_loss():
    fields = {"env": {"A": "1"}, "terminal_sequences": ("x",), "native": {"x": 1}, "context": ("c",)}
    assert lost(Stop(), **fields) == ["context", "terminal_sequences", "env", "native"]


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=8)
WORDS = {
    "pre_tool_use": ("deny",),
    "permission_request": ("deny", "allow"),
    "post_tool_use": ("block", "stop"),
    "pre_compact": ("stop",),
    "post_compact": ("stop",),
    "session_start": ("stop",),
    "user_prompt_submit": ("block", "stop"),
    "stop": ("block", "stop"),
    "subagent_stop": ("block", "stop"),
}


@settings(deadline=None)
@given(data=st.data())
def test_what_the_agent_says_is_what_the_dialect_hears(codex, data):
    event = data.draw(
        st.sampled_from(
            [
                SHELL,
                PermissionRequest(tool_name="x"),
                PostToolUse(tool_name="x"),
                PreCompact(),
                PostCompact(),
                SessionStart(),
                UserPromptSubmit(),
                SubagentStart(),
                Stop(),
                SubagentStop(),
            ]
        )
    )
    decision = data.draw(st.sampled_from(("none", *WORDS.get(event.kind, ()))))
    reason = None if decision == "none" else data.draw(TEXTS)
    told = (reason,) if decision != "none" and event.kind == "post_tool_use" else ()
    if decision == "block" and event.kind in ("stop", "subagent_stop"):
        told = (reason,)
    takes_context = event.kind in (
        "pre_tool_use",
        "post_tool_use",
        "session_start",
        "user_prompt_submit",
        "subagent_start",
    )
    wanted = codex.fire(event)
    outcome = Outcome(
        decision=decision,
        reason=reason,
        stop_reason=reason if decision == "stop" else None,
        feedback=told,
        refused=(decision in ("deny", "block") and event.kind != "post_tool_use")
        or (decision == "stop" and event.kind in ("user_prompt_submit", "pre_compact", "post_compact")),
        ends_turn=decision == "stop" and event.kind not in ("post_tool_use", "pre_compact"),
        context=data.draw(st.lists(TEXTS, max_size=1).map(tuple)) if takes_context else (),
        messages=data.draw(st.lists(TEXTS, max_size=1).map(tuple)),
        updated_input={"command": data.draw(TEXTS)} if event is SHELL and decision == "none" else None,
    )
    assert AGENT.can_say(event, outcome) == []
    answer = AGENT.render(event, outcome)
    heard = codex.fire(event, codex.exited(answer.stdout.decode(), code=answer.exit_code))
    assert wanted.decision == "none"
    for name in (
        "decision",
        "reason",
        "stop_reason",
        "feedback",
        "refused",
        "ends_turn",
        "context",
        "messages",
        "updated_input",
    ):
        assert getattr(heard, name) == getattr(outcome, name), name
