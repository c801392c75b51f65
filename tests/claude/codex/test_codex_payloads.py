from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hookfw
from hookfw import (
    NativeCall,
    PermissionRequest,
    PostModelRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreModelRequest,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    UserPromptSubmit,
)
from hookfw_claude.codex.calls import CALLS
from hookfw_claude.codex.dialect import Codex
from hookfw_claude.codex.payloads import FIELDS, document
from hookfw_claude.codex.rules import BY_KIND, EVENTS

COMMON = {"session_id": "s", "transcript_path": None, "cwd": "/w"}
EVERYTHING = {
    "session_id": "s",
    "cwd": "/w",
    "turn_id": "t",
    "model": "m",
    "permission_mode": "plan",
    "mode": "m",
    "effort": "high",
}


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        (PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="c", **EVERYTHING),
         "turn_id model permission_mode tool_name tool_input tool_use_id"),
        (PermissionRequest(tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="c", **EVERYTHING),
         "turn_id model permission_mode tool_name tool_input"),
        (PreCompact(trigger="manual", **EVERYTHING), "turn_id model trigger"),
        (SessionStart(source="startup", **EVERYTHING), "model permission_mode source"),
        (SessionEnd(reason="clear", **EVERYTHING), "reason"),
        (UserPromptSubmit(prompt="p", **EVERYTHING), "turn_id model permission_mode prompt"),
        (Stop(**EVERYTHING), "turn_id model permission_mode stop_hook_active last_assistant_message"),
        (SubagentStop(agent_id="a", agent_type="b", **EVERYTHING),
         "turn_id agent_id agent_type model permission_mode agent_transcript_path stop_hook_active last_assistant_message"),
        (hookfw.Interrupt(**EVERYTHING), "turn_id model permission_mode"),
        (PreModelRequest(request_id="r", attempt_number=1, thread_id="h", **EVERYTHING),
         "kind request_id attempt_number thread_id turn_id model"),
        (PostModelRequest(request_id="r", status="failed", usage={"total_tokens": 1}, **EVERYTHING),
         "kind request_id turn_id model status error token_usage"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)  # fmt: skip
def test_exactly_these_fields_whatever_else_is_known(codex, event, fields):
    sent = codex.payload(event)
    assert list(sent) == ["session_id", "transcript_path", "cwd", "hook_event_name", *fields.split()]
    assert sent | COMMON == sent


def test_the_payload_is_compact_in_utf_8_without_a_newline(codex):
    assert (
        codex.row(UserPromptSubmit(prompt="é\ud800")).stdin
        == (
            '{"transcript_path":null,"hook_event_name":"UserPromptSubmit","permission_mode":"default","prompt":"é\ufffd"}'
        ).encode()
    )


def test_a_sub_agent_is_named_and_the_root_is_not(codex):
    assert codex.payload(PreToolUse(tool_name="x", agent_id="a", agent_type="b"))["agent_type"] == "b"
    assert "agent_id" not in codex.payload(PreToolUse(tool_name="x", agent_id=None))


def test_what_is_always_sent_has_its_value_where_the_event_gives_none(codex):
    stop = codex.payload(Stop())
    assert (stop["stop_hook_active"], stop["last_assistant_message"]) == (False, None)
    assert codex.payload(SessionEnd(reason="logout"))["reason"] == "other"
    assert codex.payload(PreModelRequest())["kind"] == "sampling"
    assert codex.payload(PostModelRequest())["error"] is None


@pytest.mark.parametrize(
    ("mode", "sent"),
    [
        ("acceptEdits", "acceptEdits"),
        ("never", "bypassPermissions"),
        ("on-request", "default"),
        ("untrusted", "default"),
        (None, "default"),
    ],
)
def test_permission_modes(codex, mode, sent):
    assert codex.payload(Stop(permission_mode=mode))["permission_mode"] == sent


def test_what_is_native_is_taken_over_where_the_event_has_the_field(codex):
    sent = codex.payload(PreModelRequest(native={"kind": "other", "request_id": "r", "more": 1}))
    assert (sent["kind"], sent["request_id"], "more" in sent) == ("other", "r", False)


@pytest.mark.parametrize(
    ("name", "given", "shown"),
    [
        ("Bash", {"command": "ls", "timeout": 5, "description": "d"}, ("Bash", {"command": "ls"})),
        ("exec_command", {"cmd": "ls", "workdir": "/"}, ("Bash", {"command": "ls"})),
        ("shell", {"command": ["bash", "-lc", "ls -l"], "timeout_ms": 5}, ("Bash", {"command": "ls -l"})),
        ("shell", {"command": ["ls", "a b"]}, ("Bash", {"command": "ls 'a b'"})),
        ("shell", {"command": [5]}, ("Bash", {"command": [5]})),
        ("local_shell", {"command": "ls"}, ("Bash", {"command": "ls"})),
        ("apply_patch", {"input": "*** Begin"}, ("apply_patch", {"command": "*** Begin"})),
        ("apply_patch", {"command": "*** Begin\n"}, ("apply_patch", {"command": "*** Begin\n"})),
        ("view_image", {"path": "x.png"}, ("view_image", {"path": "x.png"})),
        ("spawn_agent", {"message": "go"}, ("spawn_agent", {"message": "go"})),
        ("Agent", {"prompt": "go"}, ("spawn_agent", {"prompt": "go"})),
        ("Write", {"file_path": "a", "content": "b"}, ("Write", {"file_path": "a", "content": "b"})),
        ("Bash", "ls", ("Bash", "ls")),
        ("Bash", {"cmd": "ls"}, ("Bash", {"cmd": "ls"})),
    ],
)
def test_tools_as_hooks_see_them(codex, name, given, shown):
    sent = codex.payload(PreToolUse(tool_name=name, tool_input=given))
    assert (sent["tool_name"], sent["tool_input"]) == shown


def test_who_is_asked_for_a_permission_sees_why_and_a_patch_without_its_end(codex):
    shell = {"command": "ls", "description": "needs it", "timeout": 5}
    assert codex.payload(PermissionRequest(tool_name="Bash", tool_input=shell))["tool_input"] == {
        "command": "ls",
        "description": "needs it",
    }
    patch = {"command": "*** End Patch\n"}
    assert codex.payload(PermissionRequest(tool_name="apply_patch", tool_input=patch))["tool_input"] == {
        "command": "*** End Patch"
    }


@pytest.mark.parametrize(
    ("name", "given", "seen"),
    [
        ("Bash", {"command": "cat <<E\nx\nE\n", "description": None}, {"command": "cat <<E\nx\nE\n"}),
        ("mcp__a__b", {"command": "x\n"}, {"command": "x\n"}),
        ("mcp__a__b", {"command": "x\n", "more": 1}, {"command": "x\n", "more": 1}),
        ("apply_patch", {"input": "*** End Patch\n", "description": "d"}, {"command": "*** End Patch"}),
    ],
)
def test_of_what_permission_is_asked_for_only_a_patch_loses_its_end(codex, name, given, seen):
    assert codex.payload(PermissionRequest(tool_name=name, tool_input=given))["tool_input"] == seen


@pytest.mark.parametrize("given", [{}, {"tool_input": None}])
def test_a_call_without_an_input_is_named_all_the_same(codex, given):
    sent = codex.payload(PreToolUse(tool_name="exec_command", **given))
    assert (sent["tool_name"], "tool_input" in sent) == ("Bash", False)


def test_results_of_tools(codex):
    assert codex.payload(PostToolUse(tool_name="Bash", tool_response="hi\n"))["tool_response"] == "hi\n"
    failed = PostToolUseFailure(tool_name="Bash", error="boom")
    assert (codex.payload(failed)["hook_event_name"], codex.payload(failed)["tool_response"]) == ("PostToolUse", "boom")


def test_the_events_of_the_dialect_are_those_of_its_table():
    assert [event.name for event in Codex.events] == list(EVENTS) == list(FIELDS)
    assert {kind for event in Codex.events for kind in (event.canonical, *event.also)} == set(BY_KIND)


VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@st.composite
def events(draw):
    rules = draw(st.sampled_from(list(EVENTS.values())))
    event = getattr(hookfw, rules.name)
    fields = {"session_id": draw(VALUES), "cwd": draw(VALUES)}
    for name in FIELDS[rules.name]:
        if name in ("turn_id", "model", "prompt", "trigger", "source", "tool_use_id", "agent_id", "agent_type"):
            fields[name] = draw(VALUES)
    if "tool_name" in FIELDS[rules.name]:
        fields |= {
            "tool_name": draw(st.sampled_from(["Bash", "apply_patch", "x"])),
            "tool_input": {"command": draw(VALUES)},
        }
    if rules.name == "PostModelRequest":
        fields["usage"] = {"total_tokens": 5}
    return rules, event(**fields)


@given(events())
def test_what_is_sent_is_read_back_as_it_was(described):
    rules, event = described
    sent = document(rules, event)
    again = CALLS.parse(NativeCall(stdin=json.dumps(sent).encode()))
    assert type(again) is type(event)
    assert document(rules, again) == sent
