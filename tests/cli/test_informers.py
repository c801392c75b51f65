"""`hookfw events`, `dialects` and `plugins`."""

from __future__ import annotations

import pytest

from hookfw.events import KINDS


def test_every_canonical_event_stands_beside_its_native_names(place):
    document = {item["event"]: item["native"] for item in place.run("events", "--json").json["events"]}
    assert list(document) == list(KINDS)
    assert [item["name"] for item in document["pre_tool_use"]["codewhale"]] == ["tool_call_before"]
    assert document["pre_tool_use"]["codewhale"][0]["steers"]
    assert "codewhale" not in document["worktree_create"]
    lines = place.run("events").out.splitlines()
    assert lines[0].split()[0] == "EVENT"
    (prompt,) = [line for line in lines if line.startswith("user_prompt_submit ")]
    assert "UserPromptSubmit (claude-code, codex, " in prompt
    assert "message_submit (codewhale)" in prompt


@pytest.mark.parametrize("name", ["pre_tool_use", "tool_call_before"])
def test_one_event_is_shown_with_what_hooks_of_each_dialect_can_do(place, name):
    head, *rows = place.run("events", name).out.splitlines()
    assert head.split() == ["EVENT", "DIALECT", "NATIVE", "NAME", "HOOKS", "CAN"]
    assert {row.split()[0] for row in rows} == {"pre_tool_use"}
    (codewhale,) = [row for row in rows if " codewhale " in row]
    assert "tool_call_before" in codewhale
    assert "denies" in codewhale
    document = place.run("events", name, "--json").json["events"]
    assert [item["event"] for item in document] == ["pre_tool_use"]


def test_an_event_that_nobody_knows_is_one_sentence(place):
    result = place.run("events", "pre_tool_uze")
    assert result.status == 1
    assert "did you mean 'pre_tool_use'" in result.err


def test_dialects_say_which_version_of_the_agent_they_follow(place):
    (dialect,) = [item for item in place.run("dialects", "--json").json["dialects"] if item["name"] == "codewhale"]
    assert dialect["title"] == "Codewhale"
    assert dialect["follows"] in place.run("dialects").out


def test_a_host_without_dialects_says_so(place):
    assert "No dialect is installed" in place.run("dialects", *place.no_dialects).out
    assert place.run("dialects", *place.no_dialects, "--json").json == {"dialects": []}


def test_plugins_are_shown_with_package_version_and_what_they_provide(place):
    found = {item["name"]: item for item in place.run("plugins", "--json").json["plugins"]}
    assert found["cli"]["package"] == "hookfw"
    assert found["cli"]["provides"] == ["register_commands"]
    assert "register_commands" in place.run("plugins").out


def test_a_plugin_that_is_not_active_is_shown_with_the_reason(place):
    assert "not active: blocked" in place.run("plugins", "--no-plugin", "codewhale").out


@pytest.mark.parametrize("command", ["events", "dialects", "plugins"])
def test_their_output_fits_a_pipe(place, command):
    out = place.run(command).out
    assert "\x1b" not in out
    assert not set(out) & set("│┃━─")
