from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    Error,
    Event,
    FileChanged,
    PermissionRequest,
    PostToolUseFailure,
    PreToolUse,
    SessionStart,
    Stop,
    SubagentStop,
    UserPromptSubmit,
)

COMMON = {"session_id": "s", "transcript_path": "/t", "cwd": "/srv/project", "prompt_id": "p"}


def keys(claude, event):
    return list(claude.payload(event))


def test_a_payload_is_one_line_and_its_newline(claude):
    data = claude.row(PreToolUse(tool_name="Bash", tool_input={"command": "a\nb"})).stdin
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1


def test_fields_come_in_the_order_of_the_client(claude):
    event = PreToolUse(
        **COMMON,
        permission_mode="default",
        agent_id="a",
        agent_type="general-purpose",
        effort="medium",
        tool_name="Bash",
        tool_input={"command": "ls"},
        tool_use_id="toolu_1",
        native={"mcp_server": {"name": "srv", "source": "dynamic"}},
    )
    assert keys(claude, event) == [
        *COMMON,
        "permission_mode",
        "agent_id",
        "agent_type",
        "effort",
        "hook_event_name",
        "tool_name",
        "tool_input",
        "tool_use_id",
        "mcp_server",
    ]


def test_effort_is_an_object_on_events_about_tools_and_ends(claude):
    assert claude.payload(Stop(effort="high"))["effort"] == {"level": "high"}
    assert claude.payload(Error(effort="high"))["effort"] == {"level": "high"}
    assert claude.payload(Stop(effort=None))["effort"] is None
    assert "effort" not in claude.payload(UserPromptSubmit(effort="high"))


def test_a_session_has_no_permission_mode_yet(claude):
    assert keys(claude, SessionStart(session_id="s", permission_mode="default", source="startup")) == [
        "session_id",
        "hook_event_name",
        "source",
    ]


def test_what_is_not_given_is_absent_and_null_stays_null(claude):
    assert claude.payload(UserPromptSubmit()) == {"hook_event_name": "UserPromptSubmit"}
    assert claude.payload(UserPromptSubmit(prompt=None))["prompt"] is None


@pytest.mark.parametrize("event", [Stop(), SubagentStop()])
def test_the_end_of_a_turn_always_tells_of_background_work(claude, event):
    payload = claude.payload(event)
    assert (payload["stop_hook_active"], payload["background_tasks"], payload["session_crons"]) == (False, [], [])


def test_texts_of_background_work_are_cut(claude):
    payload = claude.payload(Stop(background_tasks=[{"id": "1", "description": "x" * 2000, "n": 5}, "odd"]))
    assert payload["background_tasks"] == [{"id": "1", "description": "x" * 1000, "n": 5}, "odd"]


def test_a_long_error_of_a_tool_keeps_both_ends(claude):
    whole = "a" * 6000 + "b" * 6000
    error = claude.payload(PostToolUseFailure(error=whole))["error"]
    assert error.startswith("a" * 5000)
    assert error.endswith("b" * 5000)
    assert "2000 characters left out" in error
    assert claude.payload(PostToolUseFailure(error="x" * 10_000))["error"] == "x" * 10_000


def test_the_old_name_of_the_agent_tool_is_not_shown(claude):
    assert claude.payload(PreToolUse(tool_name="Task", tool_input={}))["tool_name"] == "Agent"


def test_what_only_the_client_knows_is_passed_on(claude):
    payload = claude.payload(FileChanged(file_path="/x", native={"event": "change", "file_path": "/other"}))
    assert (payload["event"], payload["file_path"]) == ("change", "/x")


def test_a_permission_request_has_no_id_of_the_call(claude):
    event = PermissionRequest(tool_name="Bash", tool_input={}, tool_use_id="t", permission_suggestions=[])
    assert "tool_use_id" not in claude.payload(event)
    assert claude.payload(event)["permission_suggestions"] == []


@given(command=st.text(alphabet=st.characters()))
def test_any_text_arrives_as_valid_json_in_utf_8(claude, command):
    event = PreToolUse.model_construct(tool_name="Bash", tool_input={"command": command})
    sent = json.loads(claude.row(event).stdin.decode())
    assert sent["tool_input"]["command"] == command.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def test_every_event_of_the_contract_has_its_fields(claude):
    import hookfw
    from hookfw_claude.claude_code.payloads import FIELDS
    from hookfw_claude.claude_code.rules import EVENTS

    assert set(FIELDS) == set(EVENTS)
    for name, fields in FIELDS.items():
        event: type[Event] = getattr(hookfw, {"StopFailure": "Error"}.get(name, name))
        assert set(fields) <= set(event.model_fields), name
