from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookfw import (
    NativeCall,
    Notification,
    PermissionRequest,
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
from hookfw_claude.deepagents.agent import DeepAgentsAgent
from hookfw_claude.deepagents.locations import transcript
from hookfw_claude.deepagents.tools import TOOLS

TOOL = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "call_1"}
EVENTS = [
    (SessionStart(source="resume", model="m"), {"source": "resume", "model": "m"}),
    (UserPromptSubmit(prompt="hi"), {"prompt": "hi"}),
    (SessionEnd(reason="clear"), {"reason": "clear"}),
    (PermissionRequest(**TOOL), {k: TOOL[k] for k in ("tool_name", "tool_input")} | {"permission_suggestions": []}),
    (
        Notification(notification_type="cache_expiring", message="m", title="t"),
        {"notification_type": "cache_expiring", "message": "m", "title": "t"},
    ),
    (PreToolUse(**TOOL), TOOL),
    (
        PostToolUse(**TOOL, tool_response={"a": None}, duration_ms=5),
        TOOL | {"tool_response": {"a": None}, "duration_ms": 5},
    ),
    (PostToolUseFailure(**TOOL, error="bad"), TOOL | {"error": "bad", "is_interrupt": False}),
    (PreCompact(trigger="auto"), {"trigger": "auto", "custom_instructions": ""}),
    (
        Stop(last_assistant_message="done"),
        {"stop_hook_active": False, "last_assistant_message": "done", "background_tasks": [], "session_crons": []},
    ),
    (SubagentStart(agent_id="a1", agent_type="r"), {"agent_id": "a1", "agent_type": "r"}),
    (
        SubagentStop(agent_id="a1", agent_type="r", agent_transcript_path="/t"),
        {
            "agent_id": "a1",
            "agent_type": "r",
            "stop_hook_active": False,
            "agent_transcript_path": "/t",
            "last_assistant_message": "",
            "background_tasks": [],
            "session_crons": [],
        },
    ),
]
COMMON = {"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": "/w", "permission_mode": "auto"}


def sent(bench, event, **session):
    return json.loads(bench.row(event, **session).stdin)


@pytest.mark.parametrize(("event", "own"), EVENTS, ids=lambda value: getattr(value, "kind", ""))
def test_each_event_sends_the_common_fields_and_its_own_and_no_others(bench, event, own):
    name = bench.row(event).native_event
    assert sent(bench, event.replace(**COMMON)) == {**COMMON, "hook_event_name": name, **own}


def test_a_payload_is_one_compact_line_in_utf8(bench):
    data = bench.row(UserPromptSubmit(prompt='naïve 漢字 🙂 "x" \\')).stdin
    assert "naïve 漢字 🙂" in data.decode()
    assert b"\n" not in data
    assert b'": ' not in data


def test_what_is_known_is_sent_and_what_is_not_is_absent(bench):
    event = Stop(**COMMON, prompt_id="p", effort="high", agent_id="a", agent_type="t")
    assert sent(bench, event).items() >= {"prompt_id": "p", "effort": {"level": "high"}, "agent_id": "a"}.items()
    bare = sent(bench, SessionStart())
    assert set(bare) == {"hook_event_name", "permission_mode"}
    assert bare["permission_mode"] == "default"


def test_null_is_never_sent_at_the_top_and_stays_inside_data(bench):
    event = PostToolUse(tool_name="Bash", tool_input={"a": None}, tool_response=None, duration_ms=None, cwd=None)
    assert sent(bench, event) == {
        "hook_event_name": "PostToolUse",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"a": None},
    }


def test_the_transcript_path_is_made_of_the_session_where_the_event_has_none(bench):
    assert sent(bench, Stop(session_id="S 1"))["transcript_path"] == transcript("/home/ada", "S 1")
    both = sent(bench, SubagentStop(session_id="s", agent_id="a"))
    assert both["agent_transcript_path"] == transcript("/home/ada", "s", "a")


@pytest.mark.parametrize(("count", "active"), [(0, False), (1, True), (None, False)])
def test_the_flag_of_a_prolonged_turn_follows_the_count(bench, count, active):
    assert sent(bench, Stop(continuation_count=count))["stop_hook_active"] is active
    assert sent(bench, Stop(stop_hook_active=True))["stop_hook_active"] is True


def test_native_fields_are_taken_over_and_never_replace_one_s_own(bench):
    payload = sent(bench, Stop(native={"thread": "t", "hook_event_name": "X", "mcp_server": "m"}))
    assert (payload["thread"], payload["hook_event_name"]) == ("t", "Stop")
    assert "mcp_server" not in payload


@pytest.mark.parametrize(
    ("fields", "native"),
    [
        ({}, "PostToolUse"),
        ({"tool_success": False}, "PostToolUseFailure"),
        ({"tool_success": True, "tool_exit_code": 1}, "PostToolUse"),
        ({"tool_status": "error"}, "PostToolUseFailure"),
        ({"tool_exit_code": 1}, "PostToolUseFailure"),
        ({"tool_exit_code": 0}, "PostToolUse"),
        ({"tool_name": "execute", "tool_exit_code": 1}, "PostToolUseFailure"),
        ({"tool_name": "Read", "tool_exit_code": 1}, "PostToolUse"),
    ],
)
def test_a_failed_call_fires_the_other_event_instead(bench, fields, native):
    assert bench.row(PostToolUse(**{"tool_name": "Bash"} | fields)).native_event == native


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"error": "bad"}, "bad"),
        ({"tool_response": "output"}, "output"),
        ({"tool_exit_code": 3}, "The command ended with exit status 3."),
        ({}, "The tool failed."),
    ],
)
def test_a_failure_always_has_a_text(bench, fields, error):
    assert sent(bench, PostToolUse(tool_name="Bash", tool_success=False, **fields))["error"] == error


# Tools.


@pytest.mark.parametrize(
    ("name", "given_input", "public", "shown"),
    [
        ("execute", {"command": "a", "timeout": 5, "cwd": "/x"}, "Bash", {"command": "a", "timeout": 5000}),
        ("execute", {"timeout": 1.5}, "Bash", {"timeout": 1.5}),
        ("execute", {"timeout": True}, "Bash", {"timeout": True}),
        ("write_file", {"file_path": "/a", "content": "x", "mode": 1}, "Write", {"file_path": "/a", "content": "x"}),
        (
            "edit_file",
            {"file_path": "/a", "old_string": "x", "new_string": "y", "replace_all": True, "z": 1},
            "Edit",
            {"file_path": "/a", "old_string": "x", "new_string": "y", "replace_all": True},
        ),
        (
            "read_file",
            {"file_path": "/a", "offset": 0, "limit": 5},
            "Read",
            {"file_path": "/a", "offset": 1, "limit": 5},
        ),
        ("read_file", {"file_path": "/a", "offset": "3"}, "Read", {"file_path": "/a", "offset": "3"}),
        ("glob", {"pattern": "*", "path": "/", "z": 1}, "Glob", {"pattern": "*", "path": "/"}),
        (
            "grep",
            {"pattern": "a.b(c)", "max_count": 3, "glob": "*", "path": "/", "output_mode": "content"},
            "Grep",
            {"pattern": r"a\.b\(c\)", "head_limit": 3, "glob": "*", "path": "/", "output_mode": "content"},
        ),
        ("ls", {"path": "/", "z": 1}, "LS", {"path": "/"}),
        ("web_search", {"q": 1}, "web_search", {"q": 1}),
        ("Bash", {"command": "a", "timeout": 5}, "Bash", {"command": "a", "timeout": 5}),
        ("mcp__memory__store", {"a": 1}, "mcp__memory__store", {"a": 1}),
    ],
)
def test_hooks_see_public_names_and_shapes(bench, name, given_input, public, shown):
    event = PreToolUse(tool_name=name, tool_input=given_input)
    row = bench.row(event)
    assert row.subjects == (public,)
    payload = json.loads(row.stdin)
    assert (payload["tool_name"], payload["tool_input"]) == (public, shown)


@pytest.mark.parametrize("name", ["memory_store", "store", "mcp__memory__store"])
def test_a_tool_of_a_known_server_is_named_after_it_and_keeps_all_arguments(bench, name):
    event = PreToolUse(tool_name=name, tool_input={"timeout": 5}, native={"mcp_server": "memory"})
    assert bench.row(event).subjects == ("mcp__memory__store",)
    assert sent(bench, event)["tool_input"] == {"timeout": 5}


@given(
    st.fixed_dictionaries({}, optional={"command": st.text(), "timeout": st.integers(0, 10**6)}),
    st.fixed_dictionaries({}, optional={"pattern": st.text(), "max_count": st.integers()}),
    st.fixed_dictionaries({}, optional={"file_path": st.text(), "offset": st.integers()}),
)
def test_the_table_leads_there_and_back(execute, grep, read_file):
    for name, given_input in (("execute", execute), ("grep", grep), ("read_file", read_file)):
        public = TOOLS.to_canonical(name, given_input)
        assert TOOLS.to_native(public.name, public.input) == (name, given_input, True)
        if "pattern" in public.input:
            assert re.fullmatch(public.input["pattern"], given_input["pattern"])


def test_a_half_second_comes_back_as_a_fraction():
    assert TOOLS.to_native("Bash", {"timeout": 1500}).input == {"timeout": 1.5}


# Matching and planning.


@pytest.mark.parametrize(
    ("event", "subjects"),
    [
        (SessionStart(source="clear"), ("clear",)),
        (SessionEnd(reason="other"), ("other",)),
        (Notification(notification_type="agent_completed"), ("agent_completed",)),
        (PreCompact(trigger="manual"), ("manual",)),
        (SubagentStart(agent_type="r"), ("r",)),
        (SubagentStop(agent_type="r"), ("r",)),
        (UserPromptSubmit(prompt="x"), ()),
        (Stop(), ()),
        (SessionStart(), ()),
    ],
)
def test_each_event_is_matched_on_its_own_field(bench, event, subjects):
    row = bench.row(event)
    assert (row.subjects, row.facts, row.schedule) == (subjects, subjects, "concurrent")


def test_an_event_this_agent_does_not_have_fires_nothing(bench):
    from hookfw import TurnEnd

    assert bench.dialect.begin(TurnEnd(), bench.session(), bench.load()) == ()


def test_a_notification_this_agent_does_not_know_runs_no_handler(bench):
    hook = bench.hook("Notification")
    (step,) = bench.dialect.plan(bench.row(Notification(notification_type="idle_prompt")), [hook])
    assert (step.how, step.reason) == ("skip", "this agent has no notification 'idle_prompt'")
    for known in (Notification(notification_type="cache_expiring"), Notification()):
        assert bench.dialect.plan(bench.row(known), [hook])[0].how == "foreground"


@given(st.sampled_from([event for event, _ in EVENTS]), st.text(), st.none() | st.text(max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_payload_read_back_is_the_event(bench, event, session_id, effort):
    event = event.replace(**COMMON | {"session_id": session_id, "effort": effort})
    call = NativeCall(stdin=bench.row(event).stdin)
    read = DeepAgentsAgent().parse_event(call)
    assert type(read) is type(event)
    # Everything the event says is there again; what the agent always sends may come on top, what no payload holds is gone.
    lost = {"tool_use_id"} if event.kind == "permission_request" else set()
    given_fields = {name: value for name, value in event.given.items() if value is not None and name not in lost}
    assert read.given.items() >= given_fields.items()
