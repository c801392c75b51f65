from __future__ import annotations

import subprocess
import sys

import pytest

from hookfw import (
    Error,
    Host,
    ModeChange,
    Notification,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionStart,
    ShellEnv,
    UserPromptSubmit,
)
from hookfw_codewhale.native import EVENTS


@pytest.mark.parametrize(
    ("event", "natives"),
    [
        (SessionStart(), ["session_start"]),
        (ModeChange(), ["mode_change"]),
        (UserPromptSubmit(prompt="x"), ["message_submit"]),
        (PreToolUse(tool_name="bash"), ["tool_call_before"]),
        (PostToolUse(tool_name="bash"), ["tool_call_after"]),
        (PostToolUse(tool_name="bash", tool_success=True), ["tool_call_after"]),
        (PostToolUse(tool_name="bash", tool_success=False), ["tool_call_after", "on_error"]),
        (PostToolUseFailure(tool_name="bash"), ["tool_call_after", "on_error"]),
        (Error(error="x"), ["on_error"]),
        (Notification(message="x"), []),
    ],
)
def test_an_event_fires_its_native_events_in_order(bench, event, natives):
    assert [row.native_event for row in bench.rows(event)] == natives


def test_every_native_event_answers_some_canonical_event(bench):
    from hookfw.events import event_class

    fired = {row.native_event for spec in EVENTS.values() for row in bench.rows(event_class(spec.canonical)())}
    assert fired == set(EVENTS)


def test_the_global_switch_silences_every_event(bench):
    assert list(bench.rows(PreToolUse(tool_name="bash"), enabled=False)) == []


def test_only_the_prompt_is_chained_and_all_rows_are_sequential(bench):
    prompt, call = bench.row(UserPromptSubmit(prompt="x")), bench.row(PreToolUse(tool_name="bash"))
    assert (prompt.chain, call.chain) == ("prompt", None)
    assert prompt.schedule == call.schedule == "sequential"


def test_hooks_are_looked_up_by_the_tool_and_no_tool_is_no_subject(bench):
    assert bench.row(PreToolUse(tool_name="bash")).subjects == ("bash",)
    assert bench.row(ShellEnv(tool_name="Bash")).subjects == ("exec_shell",)
    assert bench.row(Error(error="x")).subjects == ()


def test_payload_and_variables_are_made_only_when_asked_for(bench):
    def resolve(path):
        raise AssertionError(path)

    run = {"command": "ls", "cwd": "/srv", "completion": "completed", "exit_code": 0}
    rows = bench.rows(PostToolUse(tool_name="bash", execution=run), bench.session(resolve=resolve))
    assert len(rows) == 1


def test_a_hook_is_a_shell_line_in_the_workspace(bench):
    event = PreToolUse(tool_name="bash", tool_input={"command": "ls"}, workspace="/elsewhere")
    session = bench.session()
    made = bench.dialect.invocation(bench.row(event, session), bench.hook(timeout_secs=7), session)
    assert made.argv == ("sh", "-c", "gate.sh --all")
    assert (made.cwd, made.timeout, made.stdin) == ("/elsewhere", 7.0, b"")
    assert made.env["DEEPSEEK_TOOL_ARGS"] == '{"command":"ls"}'
    assert made.unset == ("DEEPSEEK_TOOL_EXECUTION_RECEIPT",)
    assert (made.kill.grace, made.kill.after_exit) == (None, True)
    assert not made.discard_output


def test_on_windows_the_command_is_passed_to_cmd(bench):
    session = bench.session(platform="win32")
    row = bench.row(PreToolUse(tool_name="bash"), session)
    assert bench.dialect.invocation(row, bench.hook(), session).argv == ("cmd", "/C", "gate.sh --all")


def test_the_configured_folder_wins_over_the_workspace(bench):

    hook = bench.hook()
    hook = hook._replace(config=hook.config._replace(working_dir="/configured"))
    made = bench.dialect.invocation(bench.row(PreToolUse(tool_name="bash")), hook, bench.session())
    assert made.cwd == "/configured"


@pytest.mark.parametrize(
    ("native", "event", "cap"),
    [
        ("session_start", SessionStart(), 65_536),
        ("shell_env", ShellEnv(), 327_680),
        ("message_submit", UserPromptSubmit(prompt="x"), 409_600),
        ("tool_call_before", PreToolUse(tool_name="bash"), 262_144),
    ],
)
def test_as_much_output_is_kept_as_a_legal_answer_takes(bench, native, event, cap):
    made = bench.dialect.invocation(bench.row(event), bench.hook(native), bench.session())
    assert (made.stdout_cap, made.stderr_cap) == (cap, 65_536)


def test_the_output_of_a_background_hook_goes_nowhere(bench):
    hook = bench.hook(background=True)
    row = bench.row(PreToolUse(tool_name="bash"))
    assert bench.dialect.invocation(row, hook, bench.session()).discard_output
    assert bench.dialect.plan(row, [hook])[0].how == "background"


def test_the_package_registers_its_dialect_agent_and_demonstration_as_any_plugin_does():
    host = Host.load()
    assert host.dialect("codewhale").name == "codewhale"
    assert "codewhale" in host.agents


def test_registering_loads_neither_the_dialect_nor_the_models_of_events():
    code = (
        "import sys, hookfw_codewhale as plugin\n"
        "plugin.register_dialects(), plugin.register_agents()\n"
        "print([name for name in ('hookfw_codewhale.dialect', 'hookfw_codewhale.agent', 'pydantic', 'asyncio', 'tomli')"
        " if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "[]"


def test_a_process_left_behind_that_held_the_output_open_is_told_and_the_decision_counts(bench):
    event = PreToolUse(tool_name="bash")
    ended = bench.exited('{"decision":"deny","reason":"no"}', pipes_held=True)
    verdict, readings = bench.fire(event, (bench.hook(), ended))
    assert verdict.refused
    assert [note.code for note in readings[0].diagnostics] == ["pipe-held"]
