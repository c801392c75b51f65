from __future__ import annotations

import asyncio
import json

import pytest

from hookfw import SessionStart, ToolResult, UserPromptSubmit

DENY = ("deny", {"input": {"reason": "not ${tool_input.command}"}})


def pid_in(outcome):
    return outcome.reason.rpartition("(")[2]


def test_a_tool_decides_with_json_and_its_session_is_kept(rig):
    rig.write(DENY)
    outcomes = rig.fire(rig.call, rig.call, rig.call)
    assert [outcome.decision for outcome in outcomes] == ["deny"] * 3
    assert outcomes[0].reason.startswith("not ls (")
    assert len({pid_in(outcome) for outcome in outcomes}) == 1


def test_on_an_event_loop_calls_at_once_share_the_session(rig):
    meeting = rig.home / "meeting"
    meeting.mkdir()
    rig.write(
        ("meet", {"input": {"folder": str(meeting), "guests": 6}}),
        ("meet", {"input": {"folder": str(meeting), "guests": 6}}),
    )

    async def body(hooks):
        return await asyncio.gather(*(hooks.fire(rig.call) for _ in range(3)))

    outcomes = rig.run(body)
    assert [run.status for outcome in outcomes for run in outcome.runs] == ["completed"] * 6
    assert len({run.stdout for outcome in outcomes for run in outcome.runs}) == 1


def test_the_command_line_calls_tools(rig):
    rig.write(DENY)
    document = rig.command()
    assert (document["decision"], document["refused"]) == ("deny", True)
    assert [run["status"] for run in document["runs"]] == ["completed"]


def test_plain_text_of_a_tool_is_what_plain_standard_output_is(rig):
    rig.write(("echo", {"input": {"value": "known facts"}}), event="UserPromptSubmit")
    assert rig.fire(UserPromptSubmit(prompt="x"))[0].context == ("known facts",)


def test_parts_that_are_no_text_are_markers(rig):
    rig.write("image", event="SessionStart")
    assert rig.fire(SessionStart())[0].context == ("before\n[image]\nafter",)


def test_a_result_that_is_structured_is_read_too(rig):
    rig.write(("structured", {"input": {"reason": "for the person"}}))
    assert rig.fire().messages == ("for the person",)


def test_a_server_gets_what_it_is_configured_with_and_no_secret_of_the_environment(stdio):
    config = stdio.serve() + 'env_vars = ["SECRET_TOO"]\nenv = { GIVEN = "yes" }\n'
    stdio.environ["SECRET_TOO"] = "named"
    stdio.write("environment", config=config)
    told = json.loads(stdio.fire().runs[0].stdout)
    assert (told["GIVEN"], told["SECRET_TOO"], told["cwd"]) == ("yes", "named", str(stdio.workspace))
    assert "SECRET" not in told


class Caller:
    """An embedding program that is connected to `gate`."""

    def __init__(self, answer):
        self.answer, self.calls = answer, []

    def has(self, server):
        return server == "gate"

    async def call(self, server, tool, arguments, timeout):
        await asyncio.sleep(0)
        self.calls.append((server, tool, dict(arguments), timeout))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


ASK = ("check", {"input": {"count": "${tool_input.count}"}, "timeout": 5})


def test_the_embedding_program_is_asked_first(stdio):
    stdio.write(ASK, config="")
    caller = Caller(ToolResult('{"decision": "block", "reason": "said the program"}'))
    assert stdio.fire(mcp=caller).reason == "said the program"
    assert caller.calls == [("gate", "check", {"count": 3}, 5)]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (ValueError("secret"), "ValueError"),
        (TimeoutError(), "timed out after 5s"),
        (ToolResult("secret", is_error=True), "was told that it failed"),
        (ToolResult("x" * 1_048_577), "more than 1,048,576 bytes"),
        ("no result at all", "AttributeError"),
    ],
)
def test_a_program_that_gives_no_answer_fails_the_run(stdio, answer, code):
    stdio.write(ASK, config="")
    outcome = stdio.fire(mcp=Caller(answer))
    (run,) = outcome.runs
    assert run.status in ("failed", "timed_out")
    assert code in run.error
    assert "secret" not in str(outcome.diagnostics)
    assert outcome.decision == "none"


def test_what_a_program_gives_as_structured_content_counts_without_text(stdio):
    stdio.write(ASK, config="")
    answer = ToolResult("", {"decision": "block", "reason": "in fields"})
    assert stdio.fire(mcp=Caller(answer)).reason == "in fields"
