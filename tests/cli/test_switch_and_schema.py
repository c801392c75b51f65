"""`hookfw enable`, `disable` and `schema`."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("word", ["enable", "disable"])
def test_an_ecosystem_without_a_switch_for_one_hook_says_so(place, word):
    place.hooks('name = "gate"\nevent = "session_start"\ncommand = "true"')
    result = place.there(word, "gate")
    assert result.status == 1
    assert "codewhale has no switch for a single hook" in result.err
    assert "config.toml" in result.err


def test_a_hook_that_is_not_there_is_said(place):
    place.hooks('name = "gate"\nevent = "session_start"\ncommand = "true"')
    assert "did you mean 'gate'?" in place.there("disable", "gat").err


def test_the_schema_of_hookfw_names_every_setting(place):
    schema = place.run("schema").json
    assert {"dedupe", "strict_scripts", "executor", "guest", "model", "plugins"} == set(schema["properties"])
    assert schema["additionalProperties"] is False
    assert schema["title"] == "Configuration of hookfw"
    assert "Attributes" not in str(schema)
    assert schema["properties"]["dedupe"]["description"].startswith("run the same command")


def test_the_schema_of_a_dialect_is_its_own(place):
    schema = place.run("schema", "codewhale", "--json").json
    entry = schema["$defs"]["entry"]
    assert set(entry["required"]) == {"event", "command"}
    assert "tool_call_before" in entry["properties"]["event"]["enum"]


def test_the_schema_of_an_unknown_dialect_says_which_was_meant(place):
    result = place.run("schema", "codewale")
    assert (result.status, "did you mean 'codewhale'?" in result.err) == (1, True)
