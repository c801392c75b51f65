from __future__ import annotations

import pytest

from hookfw import (
    Ended,
    ModeChange,
    PostToolUse,
    SessionBusy,
    SessionEnd,
    SessionError,
    SessionIdle,
    SessionStart,
    SubagentStart,
    SubagentStop,
    TurnEnd,
    WaitingForUser,
)
from hookfw.process import not_started

EXECUTE = [
    ("session_start", SessionStart()),
    ("session_end", SessionEnd()),
    ("mode_change", ModeChange()),
    ("tool_call_after", PostToolUse(tool_name="read")),
]
STRUCTURED = [
    ("turn_end", TurnEnd()),
    ("subagent_spawn", SubagentStart()),
    ("subagent_complete", SubagentStop()),
    ("session_busy", SessionBusy()),
    ("session_idle", SessionIdle()),
    ("session_error", SessionError()),
    ("waiting_for_user", WaitingForUser()),
]
FAILURES = [
    Ended(state="exited", exit_code=2),
    Ended(state="exited", exit_code=1),
    Ended(state="exited", signal=9),
    Ended(state="timed_out"),
    not_started("ENOENT"),
]


@pytest.mark.parametrize("ended", FAILURES)
@pytest.mark.parametrize(("native", "event"), EXECUTE)
def test_on_the_execute_path_a_strict_failure_keeps_later_hooks_from_starting(bench, native, event, ended):
    verdict, readings = bench.fire(event, (bench.strict(native), ended), (bench.hook(native), bench.exited()))
    assert len(readings) == 1
    assert (verdict.decision, verdict.refused) == ("none", False)


@pytest.mark.parametrize("ended", FAILURES)
@pytest.mark.parametrize(("native", "event"), STRUCTURED)
def test_on_the_structured_events_nothing_keeps_later_hooks_from_starting(bench, native, event, ended):
    verdict, readings = bench.fire(event, (bench.strict(native), ended), (bench.hook(native), bench.exited()))
    assert len(readings) == 2
    assert readings[0].status in ("failed", "timed_out")
    assert (verdict.decision, verdict.refused) == ("none", False)


@pytest.mark.parametrize(("native", "event"), EXECUTE + STRUCTURED)
def test_a_lenient_failure_is_told_by_name_and_passed_over(bench, native, event):
    ended = Ended(state="exited", exit_code=3, stdout="canary", stderr="canary")
    _, readings = bench.fire(event, (bench.hook(native, name="noisy"), ended), (bench.hook(native), bench.exited()))
    assert len(readings) == 2
    assert readings[0].status == "failed"
    message = readings[0].diagnostics[0].message
    assert "`noisy`" in message
    assert "code 3" in message
    assert "canary" not in message


def test_a_decision_of_an_observer_changes_nothing_and_is_told(bench):
    event = PostToolUse(tool_name="bash")
    ended = bench.exited('{"decision":"deny","reason":"canary","additionalContext":"canary"}')
    verdict, readings = bench.fire(event, (bench.hook("tool_call_after"), ended))
    assert (verdict.decision, verdict.context, verdict.reason) == ("none", (), None)
    assert [note.code for note in readings[0].diagnostics] == ["observer-output"]
    assert "canary" not in readings[0].diagnostics[0].message


def test_ordinary_output_of_an_observer_is_nobodys_business(bench):
    event = SessionStart()
    assert bench.read(bench.hook("session_start"), event, bench.exited("started {ok}\n")).diagnostics == ()


@pytest.mark.parametrize("ended", FAILURES)
@pytest.mark.parametrize("native", ["tool_call_before", "message_submit", "session_start"])
def test_a_background_hook_steers_nothing_and_leaves_its_report_to_who_submitted_it(bench, native, ended):
    hook = bench.hook(native, background=True, continue_on_error=False)
    reading = bench.dialect.interpret(bench.row(SessionStart()), hook, ended)
    assert reading.effect.decision == "none"
    assert not reading.ends_row
    assert reading.status != "completed"
    assert reading.error
    assert reading.diagnostics == ()
