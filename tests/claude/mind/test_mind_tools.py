from __future__ import annotations

import pytest

from hookfw import PreToolUse, SessionEnd, failed

CALL = PreToolUse(tool_name="shell_command", tool_input={"command": "ls"})
TOOL = {"type": "mcp_tool", "server": "gate", "tool": "check"}
BLOCK = {"decision": "block", "reason": "no"}


def read(mind, ended, event=CALL):
    return mind.read(event, ended, **TOOL)


def test_structured_content_counts_before_text(mind):
    reading = read(mind, mind.exited("not looked at", facts={"structured": BLOCK}))
    assert (reading.status, reading.effect.reason) == ("completed", "no")


@pytest.mark.parametrize("structured", [None, [1], "text"])
def test_else_the_text_is_one_json_object(mind, structured):
    reading = read(mind, mind.exited(BLOCK, facts={"structured": structured}))
    assert reading.effect.reason == "no"


def test_no_text_says_nothing(mind):
    reading = read(mind, mind.exited(""))
    assert (reading.status, reading.effect.decision) == ("completed", "none")


@pytest.mark.parametrize("output", ["plain text", "42", "[1]", "{", '{"a": 1}'])
def test_any_other_text_fails_the_run(mind, output):
    reading = read(mind, mind.exited(output))
    assert reading.status == "failed"
    assert reading.effect.decision == "none"


def test_a_call_that_failed_names_the_remedy(mind):
    reading = read(mind, failed("NO_SERVER", "could not be called: unknown MCP server 'gate'"))
    assert (reading.status, reading.error) == ("failed", "could not be called: unknown MCP server 'gate'")
    assert "configure the server" in reading.diagnostics[0].message


def test_at_the_end_of_a_session_nothing_is_read(mind):
    reading = read(mind, mind.exited("plain text"), SessionEnd())
    assert reading.status == "completed"


def test_the_call_is_filled_in_and_goes_to_the_configured_server(mind):
    import json

    from hookfw import Document, Places

    hooks = {"hooks": {"PreToolUse": [{"hooks": [TOOL | {"input": {"all": "${tool_input}"}}]}]}}
    documents = [
        Document("/home/ada/.mind/hooks.json", "user", "hooks", json.dumps(hooks).encode()),
        Document("/home/ada/.mind/config.toml", "user", "config", b"[mcp_servers.gate]\ncommand = 'one'\n"),
        Document("/home/ada/.mind/p.config.toml", "user", "profile", b"[mcp_servers.gate]\nargs = ['two']\n"),
        Document("cli", "cli", "override", b"mcp_servers.gate.env.A = '3'"),
    ]
    places = Places(home="/home/ada", workspace="/srv/project")
    (hook,) = mind.dialect.load(documents, places, trust_all=True).hooks
    (row,) = mind.dialect.begin(CALL, mind.session(), mind.dialect.load(documents, places, trust_all=True))
    asked = mind.dialect.invocation(row, hook, mind.session()).config
    assert (asked.spec.command, asked.spec.args, asked.spec.env) == ("one", ("two",), (("A", "3"),))
    assert asked.arguments == {"all": {"command": "ls"}}
