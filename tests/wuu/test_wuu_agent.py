from __future__ import annotations

import json

import pytest

import hookfw
from hookfw import (
    EventError,
    FileChanged,
    Host,
    NativeCall,
    Notification,
    Outcome,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    Stop,
    SubagentStop,
    UserPromptSubmit,
)
from hookfw_wuu.native_answers import NO_REASON, TEXT_LIMIT
from hookfw_wuu.rules import CAP, EVENTS

AGENT = Host.load().agent("wuu")
CALL = PreToolUse(tool_name="bash", tool_input={"command": "ls"})


def parse(**told):
    return AGENT.parse_event(NativeCall(stdin=json.dumps(told).encode()))


def said(event, **outcome):
    answer = AGENT.render(event, Outcome(**outcome))
    assert answer.stderr == b""
    return answer.exit_code, json.loads(answer.stdout) if answer.stdout else None


def lost(event, **outcome):
    return {loss.field: loss.becomes for loss in AGENT.can_say(event, Outcome(**outcome))}


# calls


@pytest.mark.parametrize("name", EVENTS)
def test_every_call_is_read_as_the_event_it_was_made_of(wuu, name):
    fields = {
        "tool_name": "bash",
        "tool_input": {"command": "ls"},
        "tool_response": "ok",
        "error": "broke",
        "prompt": "hi",
        "file_path": "/w/a",
        "trigger": "auto",
        "agent_id": "a1",
    }
    cls = getattr(hookfw, name)
    event = cls(session_id="s1", cwd="/w", **{key: value for key, value in fields.items() if key in cls.model_fields})
    read = AGENT.parse_event(NativeCall(stdin=wuu.row(event).stdin))
    assert read.kind == event.kind
    assert wuu.payload(read) == wuu.payload(event)


def test_what_is_empty_is_not_known_and_what_is_unknown_is_kept():
    event = parse(hook_event_name="Stop", session_id="", cwd="", later=1, tool_name="x")
    assert event.given == {"native": {"later": 1, "tool_name": "x"}}
    assert parse(hook_event_name="PreToolUse", cwd="/w", tool_name="").given == {"cwd": "/w", "tool_name": ""}


@pytest.mark.parametrize("hint", ["PreCompact", "pre_compact"])
def test_an_event_that_the_call_does_not_name_is_the_hint(hint):
    event = AGENT.parse_event(NativeCall(event_hint=hint, stdin=b'{"compact_reason": "auto"}'))
    assert (event.kind, event.trigger) == ("pre_compact", "auto")


@pytest.mark.parametrize(
    ("stdin", "word"),
    [
        (b"", "no JSON object"),
        (b"[]", "no JSON object"),
        (b"{}", "`hook_event_name`"),
        (b'{"hook_event_name": 5}', "`hook_event_name`"),
        (b'{"hook_event_name": "preToolUse"}', "did you mean `PreToolUse`"),
        (b'{"hook_event_name": "Notification"}', "has no event"),
        (b'{"hook_event_name": "Stop", "session_id": 5}', "session_id"),
    ],
)
def test_a_call_that_names_no_event_or_cannot_be_read_is_an_error(stdin, word):
    with pytest.raises(EventError, match=word):
        AGENT.parse_event(NativeCall(stdin=stdin))


# answers


@pytest.mark.parametrize("event", [CALL, PermissionRequest(), UserPromptSubmit(), PreCompact(), SubagentStop(), Stop()])
def test_a_refusal_is_said_by_exit_two_and_by_its_json(event):
    refusal = {"decision": "deny", "refused": True}
    assert said(event, **refusal, reason="no") == (2, {"decision": "block", "reason": "no"})
    assert said(event, **refusal) == (2, {"decision": "block", "reason": NO_REASON})
    assert lost(event, **refusal, reason="no") == {}


def test_silence_and_an_allow_are_no_answer():
    assert said(CALL) == (0, None)
    assert said(CALL, decision="allow") == (0, None)
    assert lost(CALL, decision="allow") == {"decision": "nothing"}


def test_what_cannot_be_asked_is_refused():
    for event in (CALL, PermissionRequest()):
        assert said(event, decision="ask", reason="sure?") == (2, {"decision": "block", "reason": "sure?"})
        assert lost(event, decision="ask", reason="sure?") == {"decision": "refusal"}


def test_a_turn_that_cannot_be_ended_does_not_do_what_was_announced():
    outcome = {"decision": "stop", "ends_turn": True, "stop_reason": "enough"}
    assert said(CALL, **outcome) == (2, {"decision": "block", "reason": "enough"})
    assert lost(CALL, **outcome) == {"ends_turn": "refusal"}


def test_a_new_input_is_said_before_a_call_and_is_a_refusal_elsewhere():
    assert said(CALL, updated_input={"command": "pwd"}) == (0, {"updated_input": {"command": "pwd"}})
    assert lost(CALL, updated_input={"command": "pwd"}) == {}
    code, told = said(PermissionRequest(), updated_input={"command": "pwd"})
    assert (code, told["decision"]) == (2, "block")
    assert "pwd" in told["reason"]
    assert lost(PermissionRequest(), updated_input={"command": "pwd"}) == {"updated_input": "refusal"}


@pytest.mark.parametrize("new", ["ls", ["ls"], {"command": "x" * CAP}])
def test_a_new_input_that_wuu_cannot_take_is_a_refusal(new):
    answer = AGENT.render(CALL, Outcome(updated_input=new))
    assert answer.exit_code == 2
    assert len(answer.stdout) < CAP
    assert lost(CALL, updated_input=new) == {"updated_input": "refusal"}


def test_a_new_prompt_is_a_refusal_that_shows_it():
    code, told = said(UserPromptSubmit(prompt="my key is k"), prompt="my key is …")
    assert code == 2
    assert "my key is …" in told["reason"]
    assert lost(UserPromptSubmit(prompt="x"), prompt="y") == {"prompt": "refusal"}


def test_context_is_said_after_a_tool_alone():
    assert said(PostToolUse(), context=("a", "b")) == (0, {"additional_context": "a\n\nb"})
    assert lost(PostToolUse(), context=("a",)) == {}
    for event in (CALL, UserPromptSubmit(), PostToolUseFailure(), PostToolUse(tool_success=False)):
        assert said(event, context=("a",)) == (0, None)
        assert lost(event, context=("a",)) == {"context": "nothing"}


@pytest.mark.parametrize(
    ("outcome", "told", "losses"),
    [
        (
            {"feedback": ("lint",), "decision": "block", "reason": "lint"},
            "lint",
            {"feedback": "context", "reason": "context"},
        ),
        ({"decision": "block", "reason": "lint"}, "lint", {"reason": "context"}),
        ({"decision": "block"}, "A hook objected without saying why.", {"decision": "context"}),
        (
            {"decision": "stop", "ends_turn": True, "stop_reason": "enough", "context": ("c",)},
            "c\n\nenough",
            {"ends_turn": "context", "stop_reason": "context"},
        ),
    ],
)
def test_an_objection_to_a_result_is_said_as_context(outcome, told, losses):
    assert said(PostToolUse(), **outcome) == (0, {"additional_context": told})
    assert lost(PostToolUse(), **outcome) == losses


@pytest.mark.parametrize("event", [Stop(), SubagentStop()])
def test_an_end_that_should_not_be_is_a_failed_turn_and_one_that_should_is_silence(event):
    goes_on = {"decision": "block", "refused": True, "reason": "tests", "feedback": ("tests", "docs")}
    assert said(event, **goes_on) == (2, {"decision": "block", "reason": "tests\n\ndocs"})
    assert lost(event, **goes_on) == {"feedback": "reason"}
    assert said(event, decision="stop", ends_turn=True, stop_reason="done") == (0, None)
    assert said(event, decision="ask", reason="r") == (2, {"decision": "block", "reason": "r"})
    assert lost(event, decision="ask", reason="r") == {"decision": "refusal"}


@pytest.mark.parametrize("event", [SessionEnd(), FileChanged(), PostToolUseFailure(), Notification()])
def test_events_that_take_nothing_get_nothing(event):
    assert said(event, decision="block", refused=True, reason="r", context=("c",)) == (0, None)
    assert set(lost(event, decision="block", refused=True, reason="r", context=("c",))) == {
        "decision",
        "reason",
        "context",
    }


def test_a_very_long_text_is_cut_to_what_wuu_reads():
    answer = AGENT.render(CALL, Outcome(decision="deny", refused=True, reason="\x01" * TEXT_LIMIT * 9))
    assert len(answer.stdout) <= CAP
    assert lost(CALL, decision="deny", refused=True, reason="é" * TEXT_LIMIT) == {"reason": "part"}
    assert lost(PostToolUse(), context=("é" * TEXT_LIMIT,)) == {"context": "part"}


def test_what_has_no_place_is_lost_field_by_field():
    outcome = {"messages": ("m",), "env": {"A": "1"}, "terminal_sequences": ("\a",), "native": {"x": 1}}
    assert lost(CALL, **outcome) == dict.fromkeys(outcome, "nothing")


def test_the_compatibility_mode_answers_a_call_of_wuus(home, workspace):
    (home / ".wuu").mkdir()
    (home / ".wuu/config.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"command": "echo no >&2; exit 2"}]}}))
    call = NativeCall(stdin=b'{"hook_event_name": "PreToolUse", "session_id": "", "cwd": "", "tool_name": "bash"}')
    with hookfw.open_sync(workspace=workspace, mode="wuu") as hooks:
        answer = hooks.fire_native(call)
    assert (answer.exit_code, json.loads(answer.stdout)) == (2, {"decision": "block", "reason": "no"})
