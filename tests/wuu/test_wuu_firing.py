"""The Wuu dialect with real processes, and in the supervisor."""

from __future__ import annotations

import asyncio
import json

import pytest
from driving import is_gone, number_in, until

import hookfw
from hookfw import ClosedError, PostToolUse, PreToolUse, Stop, Supervisor

CALL = PreToolUse(tool_name="bash", tool_input={"command": "ls"})


@pytest.fixture
def configured(home, workspace):
    """Writes the person's file and gives the options of a supervisor."""

    def write(**events):
        (home / ".wuu").mkdir(exist_ok=True)
        (home / ".wuu/config.json").write_text(json.dumps({"hooks": events}))
        return {"workspace": workspace, "dialects": ["wuu"]}

    return write


def fire(options, event=CALL, **more):
    with hookfw.open_sync(**options, **more) as hooks:
        return hooks.fire(event)


def command(text, **fields):
    return {"command": text, **fields}


def printing(**answer):
    return command(f"printf '%s' '{json.dumps(answer)}'")


def test_each_hook_sees_the_newest_arguments_and_the_last_stand(configured):
    outcome = fire(
        configured(
            PreToolUse=[
                printing(updated_input={"command": "one", "more": 1}),
                command("""grep -q '"tool_input":{"command":"one","more":1}' || exit 2"""),
                printing(updated_input={"command": "two"}),
                command("""grep -q '"tool_input":{"command":"two"}' || exit 2"""),
            ]
        )
    )
    assert (outcome.refused, outcome.updated_input) == (False, {"command": "two"})
    assert [run.status for run in outcome.runs] == ["completed"] * 4


@pytest.mark.parametrize("error", ["exit 2", "exit 1"])
def test_after_the_first_error_nothing_is_started(configured, workspace, error):
    outcome = fire(configured(PreToolUse=[command("true"), command(error), command("touch ran")]))
    assert outcome.refused
    assert [run.name for run in outcome.runs] == ["PreToolUse:0", "PreToolUse:1"]
    assert [item.name for item in outcome.skipped] == ["PreToolUse:2"]
    assert not (workspace / "ran").exists()


def test_a_rewrite_does_not_change_which_hooks_run(configured):
    event = PreToolUse(tool_name="bash", tool_input={})
    outcome = fire(
        configured(PreToolUse=[printing(updated_input={"tool_name": "edit_file"}), command("exit 2", matcher="bash")]),
        event,
    )
    assert outcome.refused


def test_exactly_the_cap_is_read_and_one_byte_more_is_a_failure(configured):
    script = """python3 -c 'import sys; s = "{\\"decision\\":\\"block\\"}"; sys.stdout.write(s + " " * (1048576 - len(s) + {extra}))'"""
    (run,) = fire(configured(PreToolUse=[command(script.replace("{extra}", "0"))])).runs
    assert run.status == "completed"
    outcome = fire(configured(PreToolUse=[command(script.replace("{extra}", "1") + "; exit 2")]))
    assert (outcome.refused, outcome.runs[0].status) == (True, "failed")


@pytest.mark.parametrize(("code", "status"), [(0, "failed"), (2, "completed")])
def test_a_child_on_the_pipes_fails_exit_zero_and_lives_on(configured, workspace, code, status):
    outcome = fire(configured(PreToolUse=[command(f"sleep 60 & echo $! > child; exit {code}")]))
    pid = number_in(workspace / "child")
    try:
        assert (outcome.refused, outcome.runs[0].status, outcome.runs[0].pipes_held) == (True, status, True)
        assert not is_gone(pid)
    finally:
        import os
        import signal

        os.kill(pid, signal.SIGKILL)


def test_the_whole_group_is_killed_at_the_timeout(configured, workspace):
    outcome = fire(configured(PreToolUse=[command("sleep 60 & echo $! > child; wait", timeout=1)]))
    assert (outcome.refused, outcome.runs[0].status) == (True, "timed_out")
    until(lambda: is_gone(number_in(workspace / "child")))


def test_input_that_nobody_reads_is_no_error(configured):
    event = PreToolUse(tool_name="bash", tool_input={"command": "x" * 500_000})
    assert fire(configured(PreToolUse=[command("true")]), event).runs[0].status == "completed"


def test_an_event_in_canonical_spelling_meets_wuus_names_and_comes_back(configured):
    options = configured(
        PreToolUse=[
            command("""grep -q '"path":"a.txt","old_text":"x"' || exit 2""", matcher="edit_file"),
            printing(updated_input={"path": "b.txt", "old_text": "x", "new_text": "y"}),
        ]
    )
    event = PreToolUse(tool_name="Edit", tool_input={"file_path": "a.txt", "old_string": "x", "new_string": "y"})
    outcome = fire(options, event)
    assert outcome.updated_input == {"file_path": "b.txt", "old_string": "x", "new_string": "y"}


def test_a_hook_tried_alone_meets_wuus_names_too(configured):
    with hookfw.open_sync(**configured(PreToolUse=[command("cat; exit 2")])) as hooks:
        (hook,) = hooks.snapshot.hooks
        event = PreToolUse(tool_name="Bash", tool_input={"command": "ls", "timeout": 1000})
        assert (
            b'"tool_name":"bash","tool_input":{"command":"ls","timeout_seconds":1}'
            in hooks.invocation(hook, event).stdin
        )
        assert '"tool_name":"bash"' in hooks.fire_hook(hook, event).runs[0].stdout


def test_a_prompt_hook_asks_the_client_of_the_program_once(configured):
    asked = []

    class Client:
        async def complete(self, *, model, system, user, timeout):
            asked.append((model, user, timeout))
            return '{"ok": false, "reason": "writes"}'

    options = configured(
        PreToolUse=[{"type": "prompt", "prompt": "Fine? $ARGUMENTS", "model": "small-1", "timeout": 9}]
    )
    outcome = fire(options, model_client=Client())
    assert (outcome.refused, outcome.reason) == (True, "writes")
    ((model, user, timeout),) = asked
    assert (model, timeout) == ("small-1", 9)
    assert '"tool_name":"bash"' in user


def test_the_row_goes_on_after_a_prompt_that_nobody_answers(configured):
    class Client:
        async def complete(self, *, model, system, user, timeout):
            raise RuntimeError

    outcome = fire(configured(PreToolUse=[{"type": "prompt", "prompt": "?"}, command("exit 2")]), model_client=Client())
    assert (outcome.refused, outcome.decided_by) == (True, "PreToolUse:1")
    assert "prompt-unanswered" in [item.code for item in outcome.diagnostics]


def test_a_very_long_timeout_is_no_trouble(configured):
    assert fire(configured(PreToolUse=[command("true", timeout=2**62)])).runs[0].status == "completed"


# serial


def test_a_call_that_a_hook_may_rewrite_has_to_wait_for_its_turn(configured):
    options = configured(
        PreToolUse=[command("true", matcher="bash")], PostToolUse=[command("true")], Stop=[command("true")]
    )
    with hookfw.open_sync(**options) as hooks:
        assert hooks.serial_required(CALL)
        assert hooks.serial_required(PreToolUse(tool_name="Bash"))
        assert not hooks.serial_required(PreToolUse(tool_name="edit_file"))
        assert not hooks.serial_required(PostToolUse(tool_name="bash"))
        assert not hooks.serial_required(Stop())
    with pytest.raises(ClosedError):
        hooks.serial_required(CALL)


def test_both_supervisors_tell_it_and_run_nothing_for_it(configured, workspace):
    options = configured(PreToolUse=[command("touch ran")])

    async def ask():
        async with Supervisor.open(**options) as hooks:
            return hooks.serial_required(CALL)

    assert asyncio.run(ask())
    assert not (workspace / "ran").exists()


def test_an_ecosystem_that_does_not_demand_it_asks_for_no_turn(home, workspace):
    (home / ".codewhale").mkdir()
    (home / ".codewhale/config.toml").write_text('[[hooks.hooks]]\nevent = "tool_call_before"\ncommand = "true"\n')
    with hookfw.open_sync(workspace=workspace, dialects=["codewhale"]) as hooks:
        assert hooks.fire(CALL).runs
        assert not hooks.serial_required(CALL)


def test_a_hook_that_may_not_run_demands_nothing(home, workspace, configured):
    options = configured()
    (workspace / ".wuu.json").write_text(json.dumps({"hooks": {"PreToolUse": [command("true")]}}))
    with hookfw.open_sync(**options, trust="listed") as hooks:
        assert len(hooks.snapshot.hooks) == 1
        assert not hooks.serial_required(CALL)
    with hookfw.open_sync(**options, trust="all") as hooks:
        assert hooks.serial_required(CALL)
