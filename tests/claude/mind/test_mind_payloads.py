from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    NativeCall,
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
from hookfw_claude.mind.calls import CALLS
from hookfw_claude.mind.dialect import Mind
from hookfw_claude.mind.payloads import FIELDS, document
from hookfw_claude.mind.rules import BY_KIND, EVENTS

EVERYTHING = {
    "session_id": "sid_1",
    "cwd": "/w",
    "workspace": "/w",
    "transcript_path": "/t.jsonl",
    "model": "m",
    "provider": "p",
    "permission_mode": "plan",
    "mode": "x",
    "effort": "high",
    "turn_id": "turn_1",
    "prompt_id": "p_1",
    "total_tokens": 5,
    "native": {"beyond": 1},
}
COMMON = {"session_id", "transcript_path", "cwd", "hook_event_name"}
CALL = {"tool_name": "shell_command", "tool_input": {"command": "ls", "cwd": "x"}, "tool_use_id": "c_1"}
AGENT = {"agent_id": "a_1", "agent_type": "reviewer"}


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        (
            PreToolUse(**EVERYTHING, **CALL),
            {"model", "turn_id", "permission_mode", "tool_name", "tool_input", "tool_use_id"},
        ),
        (PermissionRequest(**EVERYTHING, **CALL), {"model", "turn_id", "permission_mode", "tool_name", "tool_input"}),
        (
            PostToolUse(**EVERYTHING, **CALL, tool_response=[1], tool_success=True, duration_ms=5),
            {"model", "turn_id", "permission_mode", "tool_name", "tool_input", "tool_use_id", "tool_response"},
        ),
        (PreCompact(**EVERYTHING, trigger="manual", custom_instructions="x"), {"model", "turn_id", "trigger"}),
        (PostCompact(**EVERYTHING, compact_summary="x"), {"model", "turn_id", "trigger"}),
        (SessionStart(**EVERYTHING), {"model", "permission_mode", "source"}),
        (SessionEnd(**EVERYTHING, reason="clear"), {"reason"}),
        (UserPromptSubmit(**EVERYTHING, prompt="hi"), {"model", "turn_id", "permission_mode", "prompt"}),
        (SubagentStart(**EVERYTHING, **AGENT), {"model", "turn_id", "permission_mode", "agent_id", "agent_type"}),
        (
            SubagentStop(**EVERYTHING, **AGENT, result="x"),
            {
                "model",
                "turn_id",
                "permission_mode",
                "agent_id",
                "agent_type",
                "agent_transcript_path",
                "stop_hook_active",
                "last_assistant_message",
            },
        ),
        (Stop(**EVERYTHING), {"model", "turn_id", "permission_mode", "stop_hook_active", "last_assistant_message"}),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_exact_fields_whatever_else_is_known(mind, event, fields):
    assert set(mind.payload(event)) == COMMON | fields


@pytest.mark.parametrize(
    "event", [PreToolUse, PermissionRequest, PostToolUse, PreCompact, PostCompact, UserPromptSubmit]
)
def test_a_sub_agent_is_named_and_the_root_is_not(mind, event):
    assert {"agent_id", "agent_type"} <= set(mind.payload(event(**AGENT)))
    assert not {"agent_id", "agent_type"} & set(mind.payload(event(agent_type="main")))


def test_the_payload_is_compact_ascii_without_a_newline(mind):
    data = mind.row(UserPromptSubmit(session_id="s", prompt="größe ☃ \ud800")).stdin
    assert data.isascii()
    assert not data.endswith(b"\n")
    assert b": " not in data
    assert json.loads(data)["prompt"] == "größe ☃ \ufffd"


def test_what_is_not_given_is_absent_or_the_default_of_the_agent(mind):
    assert mind.payload(Stop()) == {
        "transcript_path": None,
        "hook_event_name": "Stop",
        "permission_mode": "default",
        "stop_hook_active": False,
        "last_assistant_message": None,
    }
    assert mind.payload(SubagentStop())["agent_transcript_path"] is None
    assert "tool_input" not in mind.payload(PreToolUse(tool_name="x"))


def test_what_is_given_as_null_is_null(mind):
    assert mind.payload(Stop(model=None, turn_id=None)) | {} == {
        **mind.payload(Stop()),
        "model": None,
        "turn_id": None,
    }


@pytest.mark.parametrize(
    ("mode", "sent"),
    [
        ("default", "default"),
        ("acceptEdits", "acceptEdits"),
        ("plan", "plan"),
        ("dontAsk", "dontAsk"),
        ("bypassPermissions", "bypassPermissions"),
        ("never", "bypassPermissions"),
        ("on-request", "default"),
        (None, "default"),
    ],
)
def test_permission_modes(mind, mode, sent):
    assert mind.payload(Stop(permission_mode=mode))["permission_mode"] == sent


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("startup", "startup"),
        ("initial", "startup"),
        ("calling", "startup"),
        ("", "startup"),
        (None, "startup"),
        ("resume", "resume"),
        ("session_resume", "resume"),
        ("bound", "resume"),
        ("external", "resume"),
        ("compact", "compact"),
        ("compact_resume", "compact"),
        ("clear", "clear"),
        ("fork", "clear"),
    ],
)
def test_sources(mind, source, sent):
    assert mind.payload(SessionStart(source=source))["source"] == sent


def test_triggers_and_the_reason_of_an_end(mind):
    assert mind.payload(PreCompact(trigger="manual"))["trigger"] == "manual"
    assert mind.payload(PreCompact(trigger="overflow"))["trigger"] == "auto"
    assert mind.payload(SessionEnd(reason="logout"))["reason"] == "other"


def test_a_stop_hook_is_active_from_the_first_continuation_on_and_an_empty_message_is_null(mind):
    assert mind.payload(Stop(continuation_count=1))["stop_hook_active"] is True
    assert mind.payload(Stop(stop_hook_active=True))["stop_hook_active"] is True
    assert mind.payload(Stop(continuation_count=0, last_assistant_message=""))["last_assistant_message"] is None
    assert mind.payload(Stop(last_assistant_message="done"))["last_assistant_message"] == "done"


@pytest.mark.parametrize(
    ("tool", "given", "name", "shown"),
    [
        ("shell_command", {"command": "ls", "cwd": "x"}, "Bash", {"command": "ls"}),
        ("exec_command", {"command": "ls", "shell": "x"}, "Bash", {"command": "ls"}),
        ("Bash", {"command": "ls", "timeout": 5}, "Bash", {"command": "ls"}),
        ("write_stdin", {"session_id": "1", "stdin": "y"}, "Bash", {"session_id": "1", "stdin": "y"}),
        ("apply_patch", {"patch": "p", "force": True}, "apply_patch", {"command": "p"}),
        ("apply_patch", {"command": "p"}, "apply_patch", {"command": "p"}),
        ("spawn_agent", {"prompt": "x"}, "spawn_agent", {"prompt": "x"}),
        ("shell_command", "ls", "Bash", "ls"),
        ("shell_command", {"cmd": "ls"}, "Bash", {"cmd": "ls"}),
        ("apply_patch", {}, "apply_patch", {}),
        ("read_file", None, "read_file", None),
    ],
)
def test_tools_as_hooks_see_them(mind, tool, given, name, shown):
    payload = mind.payload(PreToolUse(tool_name=tool, tool_input=given))
    assert (payload["tool_name"], payload["tool_input"]) == (name, shown)


def test_events_that_mind_does_not_have_fire_nothing(mind):
    assert mind.dialect.begin(TurnEnd(), mind.session(), mind.load()) == ()
    assert mind.dialect.begin(PostToolUseFailure(), mind.session(), mind.load()) == ()
    assert mind.dialect.begin(PostToolUse(tool_success=False), mind.session(), mind.load()) == ()
    assert len(mind.dialect.begin(PostToolUse(tool_success=True), mind.session(), mind.load())) == 1


@pytest.mark.parametrize(
    ("fields", "rows"),
    [
        ({"tool_name": "exec_command", "tool_exit_code": 1}, 0),
        ({"tool_name": "Bash", "tool_exit_code": 1}, 0),
        ({"tool_name": "Bash", "tool_exit_code": 0}, 1),
        ({"tool_name": "Bash", "tool_exit_code": 1, "tool_success": True}, 1),
        ({"tool_name": "search", "tool_exit_code": 1}, 1),
        ({"tool_name": "search", "tool_status": "error"}, 0),
        ({"tool_name": "search", "tool_status": "completed"}, 1),
        ({"tool_name": "search", "is_interrupt": True}, 0),
        ({"tool_name": "search", "is_interrupt": False}, 1),
    ],
)
def test_a_call_that_did_not_succeed_has_no_event_even_where_nobody_says_so(mind, fields, rows):
    assert len(mind.dialect.begin(PostToolUse(**fields), mind.session(), mind.load())) == rows


def test_the_events_of_the_dialect_are_those_of_its_table():
    assert [event.name for event in Mind.events] == list(EVENTS) == list(FIELDS)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
)


@st.composite
def events(draw):
    """Any event as Mind itself would describe it: the fields it sends, with values it sends."""
    rules = draw(st.sampled_from(list(EVENTS.values())))
    made = {
        "tool_input": JSON,
        "tool_response": JSON,
        "tool_name": st.sampled_from(["Bash", "apply_patch", "read_file"]),
        "permission_mode": st.sampled_from(["default", "plan"]),
        "trigger": st.sampled_from(["manual", "auto"]),
        "source": st.sampled_from(["startup", "resume", "clear", "compact"]),
        "reason": st.just("other"),
        "stop_hook_active": st.booleans(),
        "last_assistant_message": st.none() | TEXTS.filter(bool),
    }
    fields = {
        name: draw(made.get(name, TEXTS)) for name in ("session_id", "transcript_path", "cwd", *FIELDS[rules.name])
    }
    return rules, fields


@given(events())
def test_an_event_that_is_sent_is_read_back_as_it_was(described):
    rules, fields = described
    sent = {**fields, "hook_event_name": rules.name}
    event = CALLS.parse(NativeCall(stdin=json.dumps(sent).encode()))
    assert event.kind == rules.canonical
    assert event.given == {name: fields[name] for name in event.given}
    assert set(event.given) == set(fields)
    again = CALLS.parse(NativeCall(stdin=json.dumps(document(BY_KIND[event.kind], event)).encode()))
    if not isinstance(fields.get("tool_input"), dict):
        assert again == event
