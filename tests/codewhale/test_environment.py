from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    Error,
    ModeChange,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    SessionStart,
    ShellEnv,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
)
from hookfw_codewhale.environment import variables

WHALE = "鲸"
MARK = "...[truncated]"
COMMON = {"mode": "ACT", "model": "deepseek-chat", "total_tokens": 7}
SESSION = {
    "DEEPSEEK_SESSION_ID": "sess_0a1b2c3d",
    "CODEWHALE_SESSION_ID": "sess_0a1b2c3d",
    "DEEPSEEK_WORKSPACE": "/srv/project",
    "DEEPSEEK_MODE": "ACT",
    "DEEPSEEK_MODEL": "deepseek-chat",
}
CALL = {"DEEPSEEK_TOOL_NAME": "bash", "DEEPSEEK_TOOL_CALL_ID": "call_7", "CODEWHALE_TOOL_CALL_ID": "call_7"}


def test_an_event_of_the_interface_has_the_session_and_the_tokens(bench):
    found = variables("session_start", SessionStart(**COMMON), bench.session())
    assert found == SESSION | {"DEEPSEEK_TOTAL_TOKENS": "7"}


def test_what_is_not_known_has_no_variable(bench):
    assert variables("session_end", SessionEnd(), bench.session(id=None)) == {"DEEPSEEK_WORKSPACE": "/srv/project"}


def test_the_event_speaks_before_the_session(bench):
    event = SessionEnd(session_id="sess_ffffffff", workspace="/elsewhere")
    found = variables("session_end", event, bench.session())
    assert found["DEEPSEEK_SESSION_ID"] == "sess_ffffffff"
    assert found["DEEPSEEK_WORKSPACE"] == "/elsewhere"


def test_a_gate_has_its_arguments_and_no_tokens(bench):
    event = PreToolUse(tool_name="bash", tool_use_id="call_7", tool_input={"b": 1, "a": "é"}, **COMMON)
    found = variables("tool_call_before", event, bench.session())
    assert found == SESSION | CALL | {"DEEPSEEK_TOOL_ARGS": '{"b":1,"a":"é"}'}


def test_shell_env_has_two_variables_and_one_name_for_its_tool(bench):
    event = ShellEnv(tool_name="Bash", tool_use_id="call_7", tool_input={"command": "ls"}, session_cost=1.0, **COMMON)
    found = variables("shell_env", event, bench.session())
    assert found == {"DEEPSEEK_TOOL_NAME": "exec_shell", "DEEPSEEK_TOOL_ARGS": '{"command":"ls"}'}


def test_a_result_has_no_arguments(bench):
    event = PostToolUse(
        tool_name="bash",
        tool_use_id="call_7",
        tool_input={"command": "ls"},
        tool_response={"ok": [1]},
        tool_success=True,
        tool_exit_code=0,
        tool_status="completed",
        **COMMON,
    )
    assert variables("tool_call_after", event, bench.session()) == SESSION | CALL | {
        "DEEPSEEK_TOTAL_TOKENS": "7",
        "DEEPSEEK_TOOL_RESULT": '{"ok":[1]}',
        "DEEPSEEK_TOOL_SUCCESS": "true",
        "DEEPSEEK_TOOL_EXIT_CODE": "0",
        "DEEPSEEK_TOOL_STATUS": "completed",
    }


def test_success_and_exit_code_are_never_made_up(bench):
    found = variables("tool_call_after", PostToolUse(tool_name="bash"), bench.session())
    assert "DEEPSEEK_TOOL_SUCCESS" not in found
    assert "DEEPSEEK_TOOL_EXIT_CODE" not in found


def test_a_failure_says_so_by_being_one_and_its_error_is_its_result(bench):
    event = PostToolUseFailure(tool_name="read", error="no such file")
    found = variables("tool_call_after", event, bench.session())
    assert (found["DEEPSEEK_TOOL_SUCCESS"], found["DEEPSEEK_TOOL_RESULT"]) == ("false", "no such file")
    assert "DEEPSEEK_ERROR" not in found


@pytest.mark.parametrize("name", ["bash", "Bash", "exec_shell"])
def test_every_spelling_of_the_shell_has_a_status(bench, name):
    event = PostToolUse(tool_name=name, tool_status="running")
    assert variables("tool_call_after", event, bench.session())["DEEPSEEK_TOOL_STATUS"] == "running"


@pytest.mark.parametrize(("name", "status"), [("write", "completed"), ("bash", "fine")])
def test_no_other_tool_and_no_other_word_is_a_status(bench, name, status):
    event = PostToolUse(tool_name=name, tool_status=status)
    assert "DEEPSEEK_TOOL_STATUS" not in variables("tool_call_after", event, bench.session())


def test_an_error_without_a_tool_has_its_text_only(bench):
    found = variables("on_error", Error(error="connection reset", **COMMON), bench.session())
    assert found == SESSION | {"DEEPSEEK_TOTAL_TOKENS": "7", "DEEPSEEK_ERROR": "connection reset"}


def test_an_error_of_a_tool_names_the_tool(bench):
    event = Error(error="boom", tool_name="bash", tool_use_id="call_7", tool_exit_code=3_221_225_477)
    found = variables("on_error", event, bench.session())
    assert found["DEEPSEEK_TOOL_NAME"] == "bash"
    assert found["DEEPSEEK_TOOL_SUCCESS"] == "false"
    assert found["DEEPSEEK_TOOL_EXIT_CODE"] == "3221225477"


def test_a_failed_tool_words_its_own_error(bench):
    event = PostToolUse(tool_name="bash", tool_response="boom", tool_success=False)
    assert variables("on_error", event, bench.session())["DEEPSEEK_ERROR"] == "tool `bash` failed: boom"


def test_a_mode_change_tells_both_modes(bench):
    found = variables("mode_change", ModeChange(mode="PLAN", previous_mode="ACT"), bench.session())
    assert (found["DEEPSEEK_MODE"], found["DEEPSEEK_PREVIOUS_MODE"]) == ("PLAN", "ACT")


@pytest.mark.parametrize(
    ("native", "event"),
    [("subagent_spawn", SubagentStart(prompt="x" * 2_049)), ("subagent_complete", SubagentStop(result="x" * 2_049))],
)
def test_the_message_of_a_sub_agent_event_is_its_preview(bench, native, event):
    assert variables(native, event, bench.session())["DEEPSEEK_MESSAGE"] == "x" * 2_048 + MARK


@pytest.mark.parametrize(
    ("cost", "shown"), [(0.5, "0.500000"), (0, "0.000000"), (1.23456789, "1.234568"), (float("nan"), None)]
)
def test_the_cost_has_six_decimals(bench, cost, shown):
    found = variables("session_end", SessionEnd(session_cost=cost), bench.session())
    assert found.get("DEEPSEEK_SESSION_COST") == shown


@pytest.mark.parametrize(
    ("native", "name", "event", "limit"),
    [
        ("message_submit", "DEEPSEEK_MESSAGE", lambda text: UserPromptSubmit(prompt=text), 5_000),
        ("on_error", "DEEPSEEK_ERROR", lambda text: Error(error=text), 5_000),
        ("tool_call_after", "DEEPSEEK_TOOL_RESULT", lambda text: PostToolUse(tool_response=text), 10_000),
        ("session_start", "DEEPSEEK_MODEL", lambda text: SessionStart(model=text), 4_096),
        ("tool_call_before", "CODEWHALE_TOOL_CALL_ID", lambda text: PreToolUse(tool_use_id=text), 4_096),
    ],
)
def test_exactly_the_cap_is_untouched_and_one_byte_more_is_cut_with_the_mark_on_top(bench, native, name, event, limit):
    def value(text):
        return variables(native, event(text), bench.session())[name]

    assert value("x" * limit) == "x" * limit
    assert value("x" * (limit + 1)) == "x" * limit + MARK
    assert value("x" + WHALE * limit) == "x" + WHALE * ((limit - 1) // 3) + MARK


def test_arguments_are_capped_as_they_are_serialised(bench):
    event = PreToolUse(tool_name="bash", tool_input={"command": "x" * 20_000})
    found = variables("tool_call_before", event, bench.session())["DEEPSEEK_TOOL_ARGS"]
    assert found == '{"command":"' + "x" * (10_000 - len('{"command":"')) + MARK


def test_arguments_an_agent_had_cut_go_on_as_they_came(bench):
    event = PreToolUse(tool_name="bash", native={"tool_args_preview": '{"command":"xx' + MARK})
    found = variables("tool_call_before", event, bench.session())
    assert found["DEEPSEEK_TOOL_ARGS"] == '{"command":"xx' + MARK


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_every_value_can_be_an_environment_variable(bench, text):
    event = Error(error=text, tool_name=text, tool_response={"text": text}, mode=text, model=text, session_id=text)
    for value in variables("on_error", event, bench.session()).values():
        assert b"\0" not in os.fsencode(value)
        value.encode()
