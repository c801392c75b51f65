from __future__ import annotations

import asyncio
import json
import os
import sys

import psutil
import pytest
from driving import Resources, is_gone, number_in, until
from plugins.mcp.conftest import messages

from hookfw_mcp import limits

DENY = ("deny", {"input": {"reason": "no"}})


def only(outcome):
    """The one failed run, which decides nothing."""
    (run,) = outcome.runs
    assert (run.status, outcome.decision, outcome.refused) == ("failed", "none", False)
    return run


def test_what_a_tool_says_about_its_failure_is_in_the_run_and_in_no_diagnostic(rig):
    rig.write("fail")
    outcome = rig.fire()
    run = only(outcome)
    assert "called the tool 'fail' of the MCP server 'gate', and was told that it failed" in run.error
    assert "secret" in run.stderr
    assert "secret" not in str(outcome.diagnostics)
    assert "standard error" in messages(outcome, "failed-hook")[0]


def test_a_tool_that_the_server_does_not_have_is_named(rig):
    rig.write("absent")
    outcome = rig.fire()
    assert only(outcome).error == "found no tool 'absent' on the MCP server 'gate'"
    assert "correct the name of the tool" in messages(outcome, "failed-hook")[0]


def test_arguments_that_the_tool_does_not_take_fail_the_run(rig):
    rig.write(("big", {"input": {"size": "many"}}))
    assert "'big'" in only(rig.fire()).error


@pytest.mark.parametrize("size", [limits.TEXT_LIMIT + 1, 10_000_000, limits.MESSAGE_LIMIT + 1])
def test_more_text_than_is_read_fails_the_run_and_the_next_call_is_answered(rig, size):
    rig.write(("big", {"input": {"size": "${tool_input.size}"}}))
    calls = [rig.call.replace(tool_input={"size": number}) for number in (size, 3)]
    failed, answered = rig.fire(*calls)
    assert "more than" in only(failed).error
    assert "have the tool answer with less" in messages(failed, "failed-hook")[0]
    assert [run.stdout for run in answered.runs] == ["xxx"]


def test_exactly_as_much_text_as_is_read_is_read(stdio):
    stdio.write(("big", {"input": {"size": limits.TEXT_LIMIT}}))
    (run,) = stdio.fire().runs
    assert (run.status, len(run.stdout)) == ("completed", limits.TEXT_LIMIT)


def test_a_line_without_end_ends_the_session_and_not_the_memory(stdio):
    stdio.write("flood")
    assert "lost the server: it sent a message of more than 16,777,216 bytes" in only(stdio.fire()).error


def test_a_server_that_dies_fails_the_call_and_the_next_one_starts_it_anew(stdio):
    stdio.write("${tool}", DENY)
    hooks = {"PreToolUse": [{"matcher": tool, "hooks": [hook(tool)]} for tool in ("die", "pid")]}
    (stdio.home / ".codex/hooks.json").write_text(json.dumps({"hooks": hooks}))
    outcomes = stdio.fire(*(stdio.call.replace(tool_name=tool) for tool in ("pid", "die", "pid")))
    before, died, after = (outcome.runs[0] for outcome in outcomes)
    assert [before.status, died.status, after.status] == ["completed", "failed", "completed"]
    assert "called the tool 'die' of the MCP server 'gate', and lost the server: it has ended" in died.error
    assert before.stdout != after.stdout


def hook(tool, **fields):
    return {"type": "mcp_tool", "server": "gate", "tool": tool} | fields


def test_a_server_that_died_between_two_calls_is_not_even_noticed(stdio):
    stdio.write("pid")
    with stdio.open() as hooks:
        first = int(hooks.fire(stdio.call).runs[0].stdout)
        psutil.Process(first).kill()
        until(lambda: is_gone(first))
        second = until(lambda: next((run.stdout for run in hooks.fire(stdio.call).runs if run.stdout), None))
    assert int(second) != first


def test_a_server_at_an_address_that_dies_is_reached_again_when_it_is_back(http):
    http.write("die")
    outcome = http.fire()
    assert "'die'" in only(outcome).error
    assert messages(outcome, "failed-hook")


def test_a_tool_that_hangs_is_given_up_at_the_timeout_and_the_session_goes_on(rig):
    started = rig.home / "started"
    hooks = {
        "PreToolUse": [
            {"matcher": "hang", "hooks": [hook("hang", input={"started": str(started)}, timeout=3)]},
            {"matcher": "pid", "hooks": [hook("pid")]},
        ]
    }
    rig.write()
    (rig.home / ".codex/hooks.json").write_text(json.dumps({"hooks": hooks}))
    outcomes = rig.fire(*(rig.call.replace(tool_name=tool) for tool in ("pid", "hang", "pid")))
    assert [outcome.runs[0].status for outcome in outcomes] == ["completed", "timed_out", "completed"]
    assert outcomes[0].runs[0].stdout == outcomes[2].runs[0].stdout == started.read_text()
    assert "timed out after 3s (it called `gate:hang`)" in messages(outcomes[1], "hook-timed-out")[0]


def test_lines_that_are_no_messages_are_passed_over(stdio):
    stdio.write("rubbish", event="PreToolUse")
    assert [run.stdout for run in stdio.fire().runs] == ["after rubbish"]


def test_an_answer_that_is_no_message_fails_the_call(http):
    http.write("rubbish")
    with http.open() as hooks:
        hooks.fire(http.call)
        outcome = hooks.fire(http.call)
    assert "'rubbish'" in only(outcome).error


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", ["unknown MCP server 'gate'", "configure the server"]),
        ("[mcp_servers.gate]\ncommand = 'x'\nenabled = false\n", ["switched off"]),
        ("[mcp_servers.gate]\ncommand = '/nowhere/server'\n", ["its command was not found", "by hand"]),
        ("[mcp_servers.gate]\ncommand = '/etc/passwd'\n", ["may not be executed"]),
        ("[mcp_servers.gate]\ncommand = 'true'\n", ["could not reach the MCP server 'gate'"]),
        ("[mcp_servers.gate]\nurl = 'http://127.0.0.1:1/mcp'\n", ["could not reach the MCP server 'gate'"]),
        ("[mcp_servers.gate]\ncommand = 'cat'\nstartup_timeout_sec = 1\n", ["could not reach"]),
        ("[mcp_servers.gate]\ncommand = 'sleep'\nargs = ['60']\nstartup_timeout_sec = 1\n", ["connected within 1s"]),
    ],
)
def test_a_server_that_cannot_be_reached_fails_the_run_with_the_reason(stdio, config, words):
    stdio.write("pid", config=config)
    before = Resources()
    outcome = stdio.fire()
    only(outcome)
    (message,) = messages(outcome, "failed-hook")
    assert [word for word in words if word not in message] == []
    before.check()


@pytest.mark.parametrize("stubborn", [(), ("--stubborn",)])
def test_closing_leaves_nothing_even_of_a_server_that_does_not_want_to_end(stdio, stubborn):
    stdio.write("pid", config=stdio.serve(*stubborn))
    before = Resources()
    with stdio.open() as hooks:
        pid = int(hooks.fire(stdio.call).runs[0].stdout)
        assert psutil.pid_exists(pid)
    assert not psutil.pid_exists(pid)
    before.check()


@pytest.mark.parametrize("stubborn", [(), ("--stubborn",)])
def test_on_an_event_loop_closing_leaves_nothing_either(stdio, stubborn):
    stdio.write("pid", config=stdio.serve(*stubborn))

    async def body(hooks):
        return int((await hooks.fire(stdio.call)).runs[0].stdout)

    stdio.run(body)
    before = Resources()
    pid = stdio.run(body)
    assert not psutil.pid_exists(pid)
    before.check()


def test_closing_ends_the_session_at_an_address_without_ending_the_server(http):
    http.write("pid")
    http.fire()
    before = Resources()
    pid = int(http.fire().runs[0].stdout)
    assert psutil.pid_exists(pid)
    before.check()


def test_cancelling_a_firing_leaves_the_session_and_closing_leaves_nothing(rig):
    started = rig.home / "started"
    rig.write(("hang", {"input": {"started": str(started)}}))

    async def body(hooks):
        firing = asyncio.create_task(hooks.fire(rig.call))
        while not started.exists():
            await asyncio.sleep(0.01)
        firing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await firing

    before = Resources()
    rig.run(body)
    if rig.way == "stdio":
        assert is_gone(number_in(started))
    before.check()


def test_a_loop_that_ends_without_closing_takes_the_server_with_it(stdio):
    from hookfw import Supervisor

    stdio.write("pid")

    async def main():
        return int((await Supervisor.open(**stdio.options).fire(stdio.call)).runs[0].stdout)

    assert is_gone(asyncio.run(main()))


def test_closing_ends_what_a_server_has_started_in_its_group(stdio):
    script = stdio.home / "serve.sh"
    words = f"{sys.executable} {os.path.dirname(__file__)}/server.py stdio"
    script.write_text(f"sleep 600 &\necho $! > {stdio.home}/child\n{words}\n")
    stdio.write("pid", config=f"[mcp_servers.gate]\ncommand = 'sh'\nargs = ['{script}']\n")
    assert [run.status for run in stdio.fire().runs] == ["completed"]
    child = number_in(stdio.home / "child")
    until(lambda: is_gone(child))


@pytest.mark.parametrize("mode", ["fail", "hang"])
def test_the_command_line_says_what_went_wrong(stdio, mode):
    fields = {"timeout": 3, "input": {"started": str(stdio.home / "started")}} if mode == "hang" else {}
    stdio.write((mode, fields))
    document = stdio.command()
    assert [run["status"] for run in document["runs"]] == [{"fail": "failed", "hang": "timed_out"}[mode]]
    assert mode in " ".join(item["message"] for item in document["diagnostics"])
    started = stdio.home / "started"
    assert not started.exists() or is_gone(int(started.read_text()))
