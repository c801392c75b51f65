"""What background runs give later: the inbox, runs that detach themselves, files that are read back."""

from __future__ import annotations

import asyncio

import psutil
import pytest
from test_supervisor import Rig, children

from hookfw import PreToolUse, SessionEnd, SessionStart, Supervisor, open_sync

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
WAIT = "until [ -e go ]; do :; done"


@pytest.fixture
def rig(home, workspace):
    return Rig("sync", home, workspace)


def test_a_background_result_comes_with_the_next_outcome_an_agent_reads(rig):
    rig.write("heard", {"event": "session_start", "command": "echo later", "background": True, "name": "b"})
    with open_sync(**rig.options()) as hooks:
        assert hooks.fire(SessionStart()).runs[0].status == "submitted"
        assert hooks.join_background(30)
        assert hooks.fire(SessionEnd()).context == ()
        outcome = hooks.fire(CALL)
        assert (outcome.context, outcome.messages) == (("later",), ("b",))
        assert hooks.fire(CALL).context == ()


def test_a_background_result_may_be_taken_without_an_outcome(rig):
    rig.write("heard", {"event": "session_start", "command": "echo later", "background": True})
    with open_sync(**rig.options()) as hooks:
        hooks.fire(SessionStart())
        assert hooks.join_background(30)
        assert [item.context for item in hooks.deliveries()] == [("later",)]
        assert hooks.fire(CALL).context == ()


def test_an_agent_that_waits_hears_of_results_as_they_come(rig):
    rig.write("heard", *[{"event": "session_start", "command": f"echo {at}", "background": True} for at in range(3)])

    async def session():
        heard = []

        async def listen(hooks):
            heard.extend([delivery.context[0] async for delivery in hooks.deliveries()])

        async with Supervisor.open(**rig.options()) as hooks:
            listener = asyncio.create_task(listen(hooks))
            await hooks.fire(SessionStart())
            assert await hooks.join_background(30)
        await asyncio.wait_for(listener, 30)
        return heard

    assert asyncio.run(session()) == ["0", "1", "2"]


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_run_whose_first_line_says_so_goes_to_the_background(home, workspace, kind):
    rig = Rig(kind, home, workspace)
    rig.write(
        "heard",
        {"event": "pre_tool_use", "command": f"echo detach; {WAIT}; echo late", "name": "slow"},
        {"event": "pre_tool_use", "command": 'echo \'{"context": ["now"]}\'', "name": "quick"},
    )

    async def session():
        async with Supervisor.open(**rig.options()) as hooks:
            first = await hooks.fire(CALL)
            (workspace / "go").touch()
            await hooks.join_background(30)
            return first, hooks._background.take_deliveries()

    if kind == "async":
        first, late = asyncio.run(session())
    else:
        with open_sync(**rig.options()) as hooks:
            first = hooks.fire(CALL)
            (workspace / "go").touch()
            hooks.join_background(30)
            late = hooks.deliveries()
    assert [(run.name, run.status) for run in first.runs] == [("slow", "submitted"), ("quick", "completed")]
    assert first.context == ("now",)
    assert [item.context for item in late] == [("late",)]


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_detached_run_still_has_its_timeout_and_ends_with_the_session(home, workspace, kind):
    rig = Rig(kind, home, workspace)
    before = children()
    rig.write("heard", {"event": "pre_tool_use", "command": "echo detach; sleep 1000", "timeout": 1000})
    (outcome,), _ = rig.fire(CALL, close_timeout=0.05)
    assert outcome.runs[0].status == "submitted"
    assert children() == before
    descriptors = psutil.Process().num_fds()
    rig.write("heard", {"event": "pre_tool_use", "command": "echo detach; sleep 1000", "timeout": 0.2})
    rig.fire(CALL, close_timeout=60)
    assert children() == before
    assert psutil.Process().num_fds() == descriptors


def test_another_first_line_changes_nothing(rig):
    rig.write("heard", {"event": "pre_tool_use", "command": "echo '{}'; exit 0"})
    assert rig.one(CALL).runs[0].status == "completed"


def test_a_file_that_a_command_is_given_is_read_back_and_goes_with_the_session(rig):
    rig.write("heard", {"event": "session_start", "command": 'printf %s "$NOTES" > where; echo A=1 > $NOTES'})
    outcome = rig.one(SessionStart())
    assert outcome.env == {"NOTES": "A=1\n"}
    from pathlib import Path

    assert not Path((rig.workspace / "where").read_text()).exists()


def test_a_file_that_the_command_takes_away_is_no_failure(rig):
    rig.write("heard", {"event": "session_start", "command": 'rm "$NOTES"'})
    assert rig.one(SessionStart()).runs[0].status == "completed"


def test_a_dialect_has_a_queue_of_its_own_size(rig):
    rig.write("heard", *[{"event": "session_start", "command": f": {at}", "background": True} for at in range(60)])
    outcome = rig.one(SessionStart())
    assert [run.status for run in outcome.runs] == ["submitted"] * 60
