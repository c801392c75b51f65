"""Handler types of third parties: what they raise and how long they take, as the host takes it."""

from __future__ import annotations

import asyncio
import json

import pytest

import hookfw.background
import hookfw_claude
from hookfw import Ended, HandlerType, HandlerTypeInfo, Host, HttpRequest, PreToolUse, Supervisor, hookimpl, open_sync
from hookfw.requests import AgentRequest, ModelRequest, ServerSpec, ToolRequest, visible

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
SECRET = "not-to-be-seen"


class Odd(HandlerType):
    """Does what a test asks of it."""

    name = "odd"

    def __init__(self, does):
        self._does = does

    async def run(self, invocation, call):
        return await self._does(invocation, call)


def host_of(does, **info):
    made = HandlerTypeInfo("odd", lambda: Odd(does), **info)

    class Plugin:
        @hookimpl
        def register_handler_types(self):
            return [made]

    host = Host()
    host.register(Plugin(), "odd")
    host.register(hookfw_claude, "claude")
    host.register(hookfw.background, "background")
    return host


@pytest.fixture
def options(home, workspace):
    def make(host, count=1, **fields):
        path = home / ".claude" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        hooks = [{"type": "odd", "number": number} | fields for number in range(count)]
        path.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": hooks}]}}))
        return {"workspace": workspace, "home": home, "dialects": ["claude-code"], "trust": "all", "host": host}

    return make


def on_a_loop(options):
    async def main():
        async with Supervisor.open(**options) as hooks:
            return await hooks.fire(CALL)

    return asyncio.run(main())


def without_a_loop(options):
    with open_sync(**options) as hooks:
        return hooks.fire(CALL)


both_supervisors = pytest.mark.parametrize("fire", [on_a_loop, without_a_loop])


@both_supervisors
@pytest.mark.parametrize("error", [RuntimeError(SECRET), SystemExit(SECRET)])
def test_what_a_type_raises_is_the_failure_of_its_run_alone(fire, options, error):
    async def does(invocation, call):
        if invocation.config["number"] == 0:
            raise error
        return Ended(state="exited", exit_code=2, stderr="no")

    outcome = fire(options(host_of(does), count=2))
    assert [run.status for run in outcome.runs] == ["failed", "completed"]
    assert (outcome.decision, outcome.reason) == ("deny", "no")
    assert type(error).__name__ in outcome.runs[0].error
    assert SECRET not in repr(outcome)


@both_supervisors
@pytest.mark.parametrize("waiting", ["call", "in_thread"])
def test_a_type_out_of_time_timed_out(fire, options, waiting):
    async def does(invocation, call):
        if waiting == "call":
            return await call.driver.call(asyncio.Event().wait(), invocation.timeout)
        import threading

        return await call.driver.in_thread(lambda: threading.Event().wait(5), invocation.timeout)

    (run,) = fire(options(host_of(does), timeout=0.05)).runs
    assert (run.status, run.error) == ("timed_out", "timed out after 0.05s")


@both_supervisors
def test_the_host_measures_how_long_a_run_took(fire, options):
    async def measured(invocation, call):
        return Ended(state="exited", exit_code=0, duration=7.0)

    async def unmeasured(invocation, call):
        return Ended(state="exited", exit_code=0)

    assert fire(options(host_of(measured))).runs[0].duration == 7.0
    assert fire(options(host_of(unmeasured))).runs[0].duration > 0


@pytest.mark.parametrize(
    ("lacks", "says"),
    [
        (lambda resources: "has no oracle to ask; buy one", "each has no oracle to ask; buy one"),
        (lambda resources: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_what_a_type_lacks_is_said_at_load(options, lacks, says):
    with open_sync(**options(host_of(None, lacks=lacks), count=2)) as hooks:
        (said,) = [item for item in hooks.snapshot.diagnostics if item.code == "handler-missing"]
    assert says in said.message
    assert "2 hooks of claude-code cannot run" in said.message


@pytest.mark.parametrize(
    "config",
    [
        HttpRequest("https://hooks.example", {"X-Token": SECRET}),
        ServerSpec(command="serve", env=(("TOKEN", SECRET),), headers=(("X-Token", SECRET),)),
        ToolRequest("s", "t", {"a": 1}, ServerSpec(url="https://x", headers=(("X-Token", SECRET),))),
    ],
)
def test_header_fields_and_variables_are_shown_by_name_alone(config):
    shown = json.dumps(visible(config))
    assert SECRET not in shown + repr(config) + str(config)
    assert "(not shown)" in shown


def test_other_requests_are_shown_whole():
    assert visible(ModelRequest("user", "system")) == {"user": "user", "system": "system", "model": None}
    assert visible(AgentRequest("user"))["turns"] == 50
    assert visible({"database": "rules.db"}) == {"database": "rules.db"}
    assert visible(None) is None
    assert visible(object()) is None
