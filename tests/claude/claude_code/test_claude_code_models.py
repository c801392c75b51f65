from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    AgentRequest,
    Ended,
    ModelRequest,
    PermissionDenied,
    PermissionRequest,
    PostToolBatch,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    Stop,
    SubagentStop,
    TaskCompleted,
    TaskCreated,
    TeammateIdle,
    UserPromptExpansion,
    UserPromptSubmit,
    failed,
)
from hookfw_claude.claude_code.asking import fill

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
NO = '{"ok": false, "reason": "not now"}'
PROMPT = {"type": "prompt", "prompt": "May it?"}


def sent(claude, event=CALL, environ=None, **fields):
    row = claude.row(event)
    hook = claude.hook(row.native_event, **(PROMPT | fields))
    return claude.dialect.invocation(row, hook, claude.session(environ=environ or {}))


def test_the_event_is_put_where_arguments_stand(claude):
    request = sent(claude, prompt="Is $ARGUMENTS safe? $ARGUMENTS").config
    assert isinstance(request, ModelRequest)
    payload = claude.payload(CALL)
    assert json.loads(request.user.removeprefix("Is ").split(" safe? ")[0]) == payload
    assert request.user.count("hook_event_name") == 2
    assert '"ok"' in request.system


def test_without_a_placeholder_the_event_is_appended(claude):
    head, _, tail = sent(claude, prompt="Is this safe?").config.user.partition("\n\nARGUMENTS: ")
    assert head == "Is this safe?"
    assert json.loads(tail) == claude.payload(CALL)


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        (r"costs \$1.00 of $ARGUMENTS", "costs $1.00 of {}"),
        (r"\$ARGUMENTS", "$ARGUMENTS\n\nARGUMENTS: {}"),
        (r"$HOME $1 $ARGUMENTS", "$HOME $1 {}"),
        (r"\\ and \n $ARGUMENTS", r"\\ and \n {}"),
        ("", "\n\nARGUMENTS: {}"),
    ],
)
def test_a_backslash_keeps_a_dollar_and_nothing_else_is_filled_in(template, filled):
    assert fill(template, "{}") == filled


@given(st.text(alphabet="\\$ARGUMENTS x"), st.text(alphabet="\\$ARGUMENTS {}"))
def test_what_is_filled_in_is_not_looked_at_again(template, payload):
    mark = "\N{SNOWMAN}"
    assert fill(template, payload) == fill(template, mark).replace(mark, payload)


@pytest.mark.parametrize(
    ("fields", "environ", "model"),
    [
        ({"model": "mine"}, {"ANTHROPIC_SMALL_FAST_MODEL": "small"}, "mine"),
        ({}, {"ANTHROPIC_SMALL_FAST_MODEL": "small"}, "small"),
        ({}, {"ANTHROPIC_SMALL_FAST_MODEL": ""}, None),
        ({}, {}, None),
    ],
)
@pytest.mark.parametrize("kind", ["prompt", "agent"])
def test_the_model_is_the_hook_s_own_else_the_small_fast_one_else_the_client_s(claude, kind, fields, environ, model):
    assert sent(claude, environ=environ, type=kind, **fields).config.model == model


def test_an_agent_is_asked_with_fifty_turns(claude):
    request = sent(claude, type="agent").config
    assert isinstance(request, AgentRequest)
    assert request.turns == 50


def test_the_times_of_a_model_and_of_an_agent(claude):
    assert sent(claude).timeout == 30
    assert sent(claude, type="agent").timeout == 60
    assert sent(claude, timeout=5).timeout == 5


@pytest.mark.parametrize("kind", ["prompt", "agent"])
@pytest.mark.parametrize("reply", ['{"ok": true}', '{"ok": true, "reason": "fine"}', ' {"ok": true, "more": 1}\n'])
def test_a_yes_says_nothing(claude, kind, reply):
    verdict = claude.fire(CALL, claude.exited(reply), **(PROMPT | {"type": kind}))
    assert (verdict.decision, verdict.refused, verdict.ends_turn, verdict.context) == ("none", False, False, ())
    assert not verdict.diagnostics


@pytest.mark.parametrize(
    ("event", "decision", "refused", "ends_turn", "feedback"),
    [
        (CALL, "stop", True, True, ()),
        (PostToolUse(tool_name="Bash", tool_input={}), "stop", False, True, ("not now",)),
        (PostToolUseFailure(tool_name="Bash", tool_input={}), "block", False, False, ("not now",)),
        (PostToolBatch(), "stop", False, True, ()),
        (UserPromptSubmit(prompt="x"), "stop", True, True, ()),
        (UserPromptExpansion(prompt="x"), "stop", True, True, ()),
        (Stop(), "block", True, False, ("not now",)),
        (SubagentStop(), "block", True, False, ("not now",)),
        (TaskCreated(), "block", True, False, ("not now",)),
        (TaskCompleted(), "block", True, False, ("not now",)),
        (TeammateIdle(), "block", True, False, ("not now",)),
        (PermissionRequest(tool_name="Bash", tool_input={}), "none", False, False, ()),
        (PermissionDenied(tool_name="Bash", tool_input={}), "none", False, False, ()),
    ],
)
def test_what_a_no_does_on_each_event(claude, event, decision, refused, ends_turn, feedback):
    verdict = claude.fire(event, claude.exited(NO), **PROMPT)
    assert (verdict.decision, verdict.refused, verdict.ends_turn, verdict.feedback) == (
        decision,
        refused,
        ends_turn,
        feedback,
    )
    if decision != "none":
        assert verdict.reason == "not now"
        assert verdict.stop_reason == ("not now" if decision == "stop" else None)


@pytest.mark.parametrize("handler", [PROMPT | {"continueOnBlock": True}, {"type": "agent", "prompt": "look"}])
@pytest.mark.parametrize(
    ("event", "decision"), [(CALL, "deny"), (PostToolUse(tool_name="Bash", tool_input={}), "block")]
)
def test_with_continue_on_block_and_of_an_agent_a_no_does_not_end_the_turn(claude, event, decision, handler):
    verdict = claude.fire(event, claude.exited(NO), **handler)
    assert (verdict.decision, verdict.reason, verdict.ends_turn) == (decision, "not now", False)


@pytest.mark.parametrize("event", [Stop(), SubagentStop()])
def test_what_is_impossible_lets_the_agent_stop(claude, event):
    verdict = claude.fire(event, claude.exited('{"ok": false, "reason": "r", "impossible": true}'), **PROMPT)
    assert (verdict.decision, verdict.feedback) == ("none", ())


def test_elsewhere_what_is_impossible_is_a_no(claude):
    verdict = claude.fire(CALL, claude.exited('{"ok": false, "reason": "r", "impossible": true}'), **PROMPT)
    assert verdict.refused


@pytest.mark.parametrize("reply", ['{"ok": false}', '{"ok": false, "reason": " "}'])
def test_a_no_without_a_reason_has_the_client_s_words(claude, reply):
    assert claude.fire(CALL, claude.exited(reply), **PROMPT).reason == "Blocked by hook"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no",
        "[]",
        "null",
        "{}",
        '{"reason": "no"}',
        '{"ok": "false"}',
        '{"ok": 0}',
        '{"ok": null}',
        '{"ok": false, "reason": 5}',
        '{"ok": false, "reason": null}',
        '{"ok": false, "impossible": "no"}',
        f"```json\n{NO}\n```",
        f"I say: {NO}",
        f"{NO} as I said",
        f"{NO}{NO}",
        NO[:-1],
    ],
)
def test_a_reply_that_is_not_exactly_one_answer_is_no_decision_and_that_is_said(claude, reply):
    reading = claude.read(CALL, claude.exited(reply), **PROMPT)
    assert reading.status == "failed"
    assert reading.effect.decision == "none"
    assert [item.code for item in reading.diagnostics] == ["invalid-output"]


@pytest.mark.parametrize(
    ("ended", "status"),
    [
        (failed("NO_CLIENT", "has no model to ask; set one"), "failed"),
        (failed("REQUEST_FAILED", "got no reply from the model"), "failed"),
        (Ended(state="timed_out"), "timed_out"),
        (Ended(state="cancelled"), "cancelled"),
    ],
)
@pytest.mark.parametrize("on_failure", [{}, {"onFailure": "block"}])
def test_without_a_reply_the_event_passes_whatever_on_failure_says(claude, ended, status, on_failure):
    reading = claude.read(CALL, ended, **PROMPT, **on_failure)
    assert (reading.status, reading.effect.decision) == (status, "none")
    assert len(reading.diagnostics) == 1
    assert not claude.hook(**PROMPT, **on_failure).strict


def test_what_was_lacking_is_said_with_its_remedy_and_no_other(claude):
    reading = claude.read(CALL, failed("NO_CLIENT", "has no model to ask; set one"), **PROMPT)
    (said,) = reading.diagnostics
    assert said.message.endswith("has no model to ask; set one; it has no say and blocks nothing.")
    assert reading.error == "has no model to ask; set one"


def test_events_on_which_a_no_does_nothing_are_said_at_load(claude):
    loaded = claude.load_handlers(PROMPT, event="PermissionRequest")
    assert "does nothing on PermissionRequest" in loaded.diagnostics[0].message


@pytest.mark.parametrize("kind", ["prompt", "agent"])
def test_on_failure_of_what_asks_a_model_is_said_once_and_truly(claude, kind):
    loaded = claude.load_handlers({"type": kind, "prompt": "x", "onFailure": "block"})
    (said,) = loaded.diagnostics
    assert f"`onFailure` is not one of handlers of the type `{kind}`" in said.message
    assert "background" not in said.message
