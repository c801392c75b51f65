from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    Error,
    FileChanged,
    Notification,
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
    UserPromptSubmit,
)
from hookfw_wuu.payloads import projected

CALL = {"tool_name": "bash", "tool_input": {"command": "ls"}}
BASE = {"session_id": "s1", "cwd": "/w"}


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        (PreToolUse(**BASE, **CALL, tool_use_id="c", model="m", permission_mode="x"), CALL),
        (PermissionRequest(**BASE, **CALL), CALL),
        (PostToolUse(**BASE, **CALL, tool_response="ok"), {**CALL, "tool_response": "ok"}),
        (PostToolUseFailure(**BASE, **CALL, error="e", tool_response="r"), {**CALL, "error": "e"}),
        (PostToolUseFailure(**BASE, **CALL, tool_response="r"), {**CALL, "error": "r"}),
        (UserPromptSubmit(**BASE, prompt="hi"), {"prompt": "hi"}),
        (PreCompact(**BASE, trigger="auto", reason="r"), {"compact_reason": "auto"}),
        (PreCompact(**BASE, reason="r"), {"compact_reason": "r"}),
        (PostCompact(**BASE, trigger="auto", error="e"), {"error": "e", "compact_reason": "auto"}),
        (SubagentStart(**BASE, agent_id="a", agent_type="t"), {"agent_id": "a"}),
        (SubagentStop(**BASE, agent_id="a", result="r"), {"agent_id": "a"}),
        (SessionStart(**BASE, source="startup"), {}),
        (SessionEnd(**BASE, reason="exit"), {}),
        (Stop(**BASE, stop_hook_active=True), {}),
        (FileChanged(**BASE, file_path="/w/a"), {"file_path": "/w/a"}),
        (FileChanged(**BASE, file_path="src/../a"), {"file_path": "/w/a"}),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, dict) else "",
)
def test_the_payload_of_each_event(wuu, event, fields):
    assert wuu.payload(event) == {"hook_event_name": type(event).__name__, **BASE, **fields}


def test_three_fields_are_always_there(wuu):
    assert wuu.payload(Stop()) == {"hook_event_name": "Stop", "session_id": "", "cwd": ""}
    assert wuu.payload(Stop(), wuu.session(id="opened"))["session_id"] == "opened"
    assert wuu.payload(Stop(session_id="own"), wuu.session(id="opened"))["session_id"] == "own"


def test_what_is_empty_is_left_out_and_an_empty_object_is_not(wuu):
    assert set(wuu.payload(UserPromptSubmit(prompt=""))) == {"hook_event_name", "session_id", "cwd"}
    assert set(wuu.payload(PostToolUse(tool_name="x", tool_input=None, tool_response=""))) == {
        "hook_event_name",
        "session_id",
        "cwd",
        "tool_name",
    }
    assert wuu.payload(PreToolUse(tool_name="x", tool_input={}))["tool_input"] == {}


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (PostToolUse(tool_response="x"), "PostToolUse"),
        (PostToolUse(tool_response="x", tool_success=True), "PostToolUse"),
        (PostToolUse(tool_response={"is_error": False}), "PostToolUse"),
        (PostToolUse(tool_response={"is_error": "yes"}), "PostToolUse"),
        (PostToolUse(tool_response="x", tool_success=False), "PostToolUseFailure"),
        (PostToolUse(tool_response={"is_error": True, "content": []}), "PostToolUseFailure"),
        (PostToolUse(tool_response={"isError": True, "content": []}), "PostToolUseFailure"),
        (PostToolUseFailure(tool_response={"is_error": False}), "PostToolUseFailure"),
    ],
)
def test_a_call_that_failed_fires_the_other_event(wuu, event, name):
    assert wuu.row(event).native_event == name


@pytest.mark.parametrize("event", [Error(error="x"), Notification(message="x")])
def test_events_wuu_does_not_have_fire_nothing(wuu, event):
    assert wuu.dialect.begin(event, wuu.session(), wuu.load()) == ()


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (None, ""),
        ("as it is", "as it is"),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "image", "data": "…"}, {"type": "text", "text": "b"}]},
            "a\n[image]\nb",
        ),
        ([{"type": "text", "text": "a"}], "a"),
        ({"content": "plain"}, "plain"),
        ({"content": []}, '{"content":[]}'),
        ({"stdout": "x", "code": 0}, '{"stdout":"x","code":0}'),
        ([1, 2], "[1,2]"),
        ({"content": [{"type": "text"}]}, "[text]"),
        (7, "7"),
    ],
)
def test_a_result_is_always_text(result, text):
    assert projected(result) == text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "content", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(json_values)
def test_no_result_reaches_a_hook_as_an_object(wuu, result):
    payload = wuu.payload(PostToolUse(tool_response=result, tool_name="x"))
    assert isinstance(payload.get("tool_response", payload.get("error", "")), str)


def test_a_lone_surrogate_does_not_break_the_payload(wuu):
    assert json.loads(wuu.row(UserPromptSubmit(prompt="\ud800")).stdin)["prompt"] == "\ufffd"


def test_only_hooks_before_a_call_see_what_was_rewritten(wuu):
    assert wuu.row(PreToolUse(**CALL)).chain == "tool_input"
    for event in (PermissionRequest(**CALL), PostToolUse(**CALL), UserPromptSubmit(prompt="x")):
        assert wuu.row(event).chain is None
        assert wuu.row(event).schedule == "sequential"
