"""Handlers that ask services, from a configuration to the outcome: through both supervisors and the command line."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading

import pytest
from driving import PATIENCE, until
from driving import Resources as Held
from services import TEN_MEGABYTES, closed_port, dying, hanging, saying, serving, speaking_otherwise

import hookfw.background
import hookfw.handlers
import hookfw_claude
import hookfw_http
import hookfw_prompt
from hookfw import Host, PreToolUse, Supervisor, open_sync

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "rm -rf build"})
DENY = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "no",
    }
}
NO = '{"ok": false, "reason": "no"}'
KEY = "sk-not-to-be-seen"


def plugins():
    host = Host()
    for plugin in (hookfw_claude, hookfw.handlers, hookfw.background, hookfw_http, hookfw_prompt):
        host.register(plugin, plugin.__name__)
    return host


@pytest.fixture
def configured(home):
    def write(*handlers, event="PreToolUse"):
        path = home / ".claude" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"hooks": {event: [{"hooks": list(handlers)}]}}))

    return write


def options(home, workspace, environ, **further):
    base = {"PATH": os.environ["PATH"], "HOME": str(home)}
    given = {"workspace": workspace, "home": home, "dialects": ["claude-code"], "trust": "all", "host": plugins()}
    return given | {"environ": base | environ} | further


def on_a_loop(home, workspace, environ, **further):
    async def main():
        async with Supervisor.open(**options(home, workspace, environ, **further)) as hooks:
            outcome = await hooks.fire(CALL)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return outcome

    return asyncio.run(main())


def without_a_loop(home, workspace, environ, **further):
    with open_sync(**options(home, workspace, environ, **further)) as hooks:
        return hooks.fire(CALL)


both_supervisors = pytest.mark.parametrize("fire", [on_a_loop, without_a_loop])


def command_line(home, workspace, environ, *arguments):
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "hookfw", "fire", "--json", "--input", "-", "--dialect", "claude-code"),
            *("--trust", "all", "--workspace", str(workspace), "--home", str(home), *arguments),
        ],
        input=json.dumps({"event": "pre_tool_use", "tool_name": "Bash", "tool_input": {"command": "rm -rf build"}}),
        env={"PATH": os.environ["PATH"], "HOME": str(home)} | environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    return json.loads(ended.stdout), ended


def http(url, **fields):
    return {
        "type": "http",
        "url": url,
        "headers": {"Authorization": "Bearer $TOKEN"},
        "allowedEnvVars": ["TOKEN"],
    } | fields


@both_supervisors
def test_an_http_hook_denies(fire, configured, home, workspace):
    with serving(saying(DENY)) as service:
        configured(http(service.url))
        held = Held()
        outcome = fire(home, workspace, {"TOKEN": KEY})
        held.check()
    assert (outcome.decision, outcome.reason) == ("deny", "no")
    (request,) = service.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json["tool_input"] == {"command": "rm -rf build"}
    (run,) = outcome.runs
    assert (run.handler, run.status) == ("http", "completed")
    assert run.duration > 0
    assert KEY not in repr(outcome)


FAILURES = {
    "dying": dying,
    "no HTTP": speaking_otherwise,
    "rubbish": saying(b"rubbish"),
    "ten megabytes": saying(b" " * TEN_MEGABYTES),
    "a status": saying(DENY, 403),
    "a redirect": saying(DENY, 302, Location="/elsewhere"),
}


@both_supervisors
@pytest.mark.parametrize(("on_failure", "decision"), [("continue", "none"), ("block", "deny")])
@pytest.mark.parametrize("answer", FAILURES)
def test_an_http_hook_without_an_answer_passes_unless_it_says_block(
    fire, configured, home, workspace, answer, on_failure, decision
):
    with serving(FAILURES[answer]) as service:
        configured(http(service.url, onFailure=on_failure))
        held = Held()
        outcome = fire(home, workspace, {"TOKEN": KEY})
        held.check()
    assert ([run.status for run in outcome.runs], outcome.decision) == (["failed"], decision)
    assert len(outcome.diagnostics) == 1
    assert KEY not in repr(outcome)


@both_supervisors
@pytest.mark.parametrize("begins", [False, True])
def test_a_hanging_http_hook_is_ended_by_its_timeout(fire, configured, home, workspace, begins):
    with hanging(begins=begins) as service:
        configured(http(service.url, timeout=0.2))
        held = Held()
        outcome = fire(home, workspace, {"TOKEN": KEY})
        held.check()
    assert [run.status for run in outcome.runs] == ["timed_out"]
    assert not outcome.refused


def test_a_cancelled_firing_leaves_nothing(configured, home, workspace):
    async def main(service):
        async with Supervisor.open(**options(home, workspace, {"TOKEN": KEY})) as hooks:
            firing = asyncio.ensure_future(hooks.fire(CALL))
            await asyncio.to_thread(until, lambda: service.requests)
            firing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await firing
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with hanging(begins=True) as service:
        configured(http(service.url))
        held = Held()
        asyncio.run(main(service))
        held.check()


def test_http_hooks_of_one_event_run_at_once(configured, home, workspace):
    arrived = threading.Barrier(3)

    def together(request, connection):
        try:
            arrived.wait(PATIENCE)
        except threading.BrokenBarrierError:
            return 200, b"alone", {}
        return 200, b"", {}

    with serving(together) as service:
        configured(*(http(f"{service.url}/{number}") for number in range(3)))
        outcome = without_a_loop(home, workspace, {"TOKEN": KEY})
    assert [run.status for run in outcome.runs] == ["completed"] * 3


SERVICES = {
    "openai": ("/v1", {"choices": [{"message": {"content": NO}}]}),
    "anthropic": ("", {"content": [{"type": "text", "text": NO}]}),
}


def variables(name, url):
    return {
        "HOOKFW_MODEL_CLIENT": name,
        f"{name.upper()}_BASE_URL": url + SERVICES[name][0],
        f"{name.upper()}_API_KEY": KEY,
        "ANTHROPIC_SMALL_FAST_MODEL": "small",
    }


PROMPT = {"type": "prompt", "prompt": "Is this fine? $ARGUMENTS"}


@both_supervisors
@pytest.mark.parametrize("name", SERVICES)
def test_a_prompt_hook_asks_a_service_and_denies(fire, configured, home, workspace, name):
    configured(PROMPT)
    with serving(saying(SERVICES[name][1])) as service:
        held = Held()
        outcome = fire(home, workspace, variables(name, service.url))
        held.check()
    assert (outcome.decision, outcome.refused, outcome.ends_turn, outcome.reason) == ("stop", True, True, "no")
    assert service.requests[0].json["model"] == "small"
    assert "rm -rf build" in service.requests[0].body.decode()
    assert KEY not in repr(outcome)


@both_supervisors
@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("answer", FAILURES)
def test_a_prompt_hook_without_a_reply_passes(fire, configured, home, workspace, name, answer):
    configured(PROMPT)
    with serving(FAILURES[answer]) as service:
        held = Held()
        outcome = fire(home, workspace, variables(name, service.url))
        held.check()
    assert ([run.status for run in outcome.runs], outcome.decision) == (["failed"], "none")
    assert len(outcome.diagnostics) == 1
    assert KEY not in repr(outcome)


@both_supervisors
@pytest.mark.parametrize("name", SERVICES)
def test_a_prompt_hook_whose_service_hangs_times_out_and_passes(fire, configured, home, workspace, name):
    configured(PROMPT | {"timeout": 0.2})
    with hanging(begins=True) as service:
        held = Held()
        outcome = fire(home, workspace, variables(name, service.url))
        held.check()
    assert ([run.status for run in outcome.runs], outcome.decision) == (["timed_out"], "none")


class Helper:
    async def ask(self, *, model, system, user, turns, timeout):
        return NO if turns == 50 and "rm -rf" in user else "{}"


@both_supervisors
def test_an_agent_hook_asks_the_program_s_helper(fire, configured, home, workspace):
    configured({"type": "agent", "prompt": "Look: $ARGUMENTS"})
    outcome = fire(home, workspace, {}, agent_client=Helper())
    assert (outcome.decision, outcome.reason, outcome.ends_turn) == ("deny", "no", False)


@both_supervisors
@pytest.mark.parametrize(("kind", "says"), [("agent", "no agent runner"), ("prompt", "HOOKFW_MODEL_CLIENT")])
def test_without_anybody_to_ask_it_passes_and_that_is_said(fire, configured, home, workspace, kind, says):
    configured({"type": kind, "prompt": "Look"})
    outcome = fire(home, workspace, {})
    assert ([run.status for run in outcome.runs], outcome.decision) == (["failed"], "none")
    assert says in outcome.diagnostics[0].message


@pytest.mark.parametrize(("kind", "says"), [("agent", "no agent runner"), ("prompt", "HOOKFW_MODEL_CLIENT")])
def test_what_is_lacking_is_said_at_load(configured, home, workspace, kind, says):
    configured({"type": kind, "prompt": "Look"})
    with open_sync(**options(home, workspace, {})) as hooks:
        (said,) = [item for item in hooks.snapshot.diagnostics if item.code == "handler-missing"]
    assert says in said.message
    assert said.entry == "hooks.PreToolUse[0].hooks[0]"


def test_the_command_line_posts(configured, home, workspace):
    with serving(saying(DENY)) as service:
        configured(http(service.url))
        said, ended = command_line(home, workspace, {"TOKEN": KEY})
    assert (said["decision"], said["reason"]) == ("deny", "no")
    assert KEY not in ended.stdout + ended.stderr


@pytest.mark.parametrize("answer", FAILURES)
def test_the_command_line_survives_every_service(configured, home, workspace, answer):
    with serving(FAILURES[answer]) as service:
        configured(http(service.url), PROMPT)
        said, ended = command_line(home, workspace, variables("openai", service.url) | {"TOKEN": KEY})
    assert [run["status"] for run in said["runs"]] == ["failed", "failed"]
    assert said["decision"] == "none"
    assert KEY not in ended.stdout + ended.stderr


@pytest.mark.parametrize("name", SERVICES)
def test_the_command_line_asks_a_model(configured, home, workspace, name):
    configured(PROMPT)
    with serving(saying(SERVICES[name][1])) as service:
        said, ended = command_line(home, workspace, variables(name, service.url))
    assert (said["refused"], said["reason"]) == (True, "no")
    assert KEY not in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "HOOKFW_MODEL_CLIENT"),
        ({"HOOKFW_MODEL_CLIENT": "opnai"}, "did you mean 'openai'"),
        ({"HOOKFW_MODEL_CLIENT": "openai"}, "OPENAI_API_KEY"),
        ({"HOOKFW_MODEL_CLIENT": "replay:/no/such/file"}, "/no/such/file"),
        (variables("openai", f"http://127.0.0.1:{closed_port()}"), "could not reach 127.0.0.1"),
    ],
)
def test_the_command_line_says_why_nobody_was_asked(configured, home, workspace, environ, says):
    configured(PROMPT)
    said, _ = command_line(home, workspace, environ)
    assert (said["decision"], [run["status"] for run in said["runs"]]) == ("none", ["failed"])
    assert says in said["runs"][0]["error"]
    assert any(says in item["message"] for item in said["diagnostics"])


@pytest.mark.parametrize("command", ["list", "check", "explain"])
def test_no_command_shows_what_was_filled_in(configured, home, workspace, command):
    configured(http("https://hooks.example"), PROMPT)
    arguments = ["pre_tool_use"] if command == "explain" else []
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "hookfw",
            command,
            *arguments,
            "--json",
            "--workspace",
            str(workspace),
            "--home",
            str(home),
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "TOKEN": KEY} | variables("openai", "http://127.0.0.1:1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode in (0, 1), ended.stderr
    assert "PreToolUse:0:0" in ended.stdout or command == "check"
    assert KEY not in ended.stdout + ended.stderr


def test_trying_a_hook_shows_its_headers_without_their_values(configured, home, workspace):
    with serving(saying(DENY)) as service:
        configured(http(service.url))
        ended = subprocess.run(
            [
                *(sys.executable, "-m", "hookfw", "try", "PreToolUse:0:0", "--json", "--trust", "all"),
                *("--dialect", "claude-code", "--workspace", str(workspace), "--home", str(home)),
            ],
            env={"PATH": os.environ["PATH"], "HOME": str(home), "TOKEN": KEY},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.returncode == 0, ended.stderr
    assert '"Authorization": "(not shown)"' in ended.stdout
    assert KEY not in ended.stdout + ended.stderr
