"""`hookfw explain` and `hookfw fire --explain`: what a person reads, and what a program is given."""

from __future__ import annotations

import json

import pytest

GATE = 'event = "tool_call_before"\nname = "gate"\ncommand = "touch ran"'
OTHER = (
    'event = "tool_call_before"\nname = "other"\ncommand = "true"\ncondition = { type = "tool_name", name = "write" }'
)
CALL = {"tool_name": "bash", "tool_input": {"command": "ls"}}
SHELL = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


def test_it_shows_what_would_run_and_what_not_and_runs_nothing(place):
    place.hooks(GATE, OTHER, 'event = "session_end"\ncommand = "true"')
    result = place.there("explain", "pre_tool_use", "--input", "-", stdin=CALL)
    assert result.status == 0
    first, *rest = result.out.splitlines()
    assert first == "pre_tool_use: 1 would run, 2 not matching"
    text = "\n".join(rest)
    assert "1. gate  command, timeout 30s  runs" in text
    assert "$ sh -c 'touch ran'" in text
    assert "DEEPSEEK_TOOL_NAME=bash" in text
    assert "no match  other: it is for 'write', not for 'bash'" in text
    assert "other events session_end 1" in text
    assert not (place.workspace / "ran").exists()


def test_the_order_and_the_reduction_are_said_where_there_are_several(place):
    place.hooks('event = "message_submit"\ncommand = "true"', 'event = "message_submit"\ncommand = "false"')
    out = place.there("explain", "user_prompt_submit").out
    assert "one after another, each with the prompt that the one before it left" in out
    assert "reduced The first block ends the row" in out


def test_hooks_that_run_at_once_are_said_to(place):
    place.write("home/.codex/config.toml", "")
    place.write(
        "home/.codex/hooks.json",
        json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": c} for c in ("true", "false")]}]}}),
    )
    assert "codex Stop  all at once" in place.there("explain", "stop", "--trust", "all").out


def same(place, **more):
    table = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true", **more}]}]}
    place.write("home/.codex/hooks.json", json.dumps({"hooks": table}))
    place.write("home/.claude/settings.json", json.dumps({"hooks": table}))


def test_the_same_command_of_another_dialect_of_the_family_is_a_duplicate(place):
    same(place)
    document = place.there("explain", "pre_tool_use", "--trust", "all", "--json", "--input", "-", stdin=SHELL).json
    hooks = [(hook["dialect"], hook["standing"], hook["cause"]) for hook in document["hooks"]]
    assert hooks == [("claude-code", "runs", None), ("codex", "skipped", "duplicate")]
    assert document["hooks"][1]["reason"].startswith("duplicate: the same command runs for claude-code, its result")
    fired = place.there("fire", "pre_tool_use", "--trust", "all", "--json", "--input", "-", stdin=SHELL).json
    assert [item["dialect"] for item in fired["skipped"]] == ["codex"]


def test_without_dedupe_the_same_command_runs_in_each(place):
    same(place)
    place.write("home/.config/hookfw/config.toml", "dedupe = false")
    document = place.there("explain", "pre_tool_use", "--trust", "all", "--json", "--input", "-", stdin=SHELL).json
    assert [hook["standing"] for hook in document["hooks"]] == ["runs", "runs"]


def test_the_same_command_in_the_background_of_both_is_submitted_once(place):
    same(place, **{"async": True})
    document = place.there("explain", "pre_tool_use", "--trust", "all", "--json", "--input", "-", stdin=SHELL).json
    assert [hook["standing"] for hook in document["hooks"]] == ["background", "skipped"]


def test_an_unreviewed_hook_is_named_with_the_command_that_reviews_it(place):
    place.write("workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "tool_call_before"\nname = "p"\ncommand = "x"\n')
    out = place.there("explain", "pre_tool_use").out
    assert "skipped  p: untrusted" in out
    assert "see `hookfw review`" in out
    assert "1. p" in place.there("explain", "pre_tool_use", "--trust", "all").out


def test_refused_entries_are_told_once(place):
    place.hooks('event = "nonsense"\ncommand = "true"')
    out = place.there("explain", "pre_tool_use").out
    assert out.count("`nonsense`") == 1
    assert "rejected  hook#0" in out


def test_secrets_are_hidden_from_people_and_whole_for_programs(place):
    place.hooks(
        'event = "tool_call_before"\ncommand = "curl -H \'Authorization: Bearer abcdefghij\' https://x.example"'
    )
    call = {"tool_name": "bash", "tool_input": {"command": "ls", "api_key": "hunter2hunter2"}}
    text = place.there("explain", "pre_tool_use", "--input", "-", stdin=call).out
    assert "abcdefghij" not in text
    assert "hunter2" not in text
    assert '"command":"ls"' in text
    sent = place.there("explain", "pre_tool_use", "--input", "-", "--json", stdin=call).json["hooks"][0]["sent"]
    assert "abcdefghij" in sent["argv"][-1]
    assert "hunter2hunter2" in sent["env"]["DEEPSEEK_TOOL_ARGS"]


def test_the_document_has_rows_hooks_in_order_and_what_was_refused(place):
    place.hooks(OTHER, GATE, 'event = "nonsense"\ncommand = "true"')
    document = place.there("explain", "tool_call_before", "--json", "--input", "-", stdin=CALL).json
    assert document["event"] == "pre_tool_use"
    assert document["fields"]["tool_name"] == "bash"
    (row,) = document["rows"]
    assert (row["dialect"], row["event"], row["schedule"], row["chain"]) == (
        "codewhale",
        "tool_call_before",
        "sequential",
        None,
    )
    assert row["reduction"].startswith("Any denial denies")
    hooks = [(hook["name"], hook["standing"], hook["cause"]) for hook in document["hooks"]]
    assert hooks == [("gate", "runs", None), ("other", "unmatched", "matcher")]
    assert document["hooks"][0]["sent"]["unset"] == ["DEEPSEEK_TOOL_EXECUTION_RECEIPT"]
    assert (document["loaded"], len(document["rejected"])) == (2, 1)


def test_fire_tells_what_did_not_apply_only_when_asked(place):
    place.hooks(GATE, OTHER)
    assert "other" not in place.there("fire", "pre_tool_use", "--input", "-", stdin=CALL).out
    text = place.there("fire", "pre_tool_use", "--input", "-", "--explain", stdin=CALL).out
    assert text.startswith("pre_tool_use: goes ahead")
    assert "no match  other: it is for 'write', not for 'bash'" in text
    assert "codewhale tool_call_before  Any denial denies" in text


def test_the_document_of_fire_has_the_explanation_only_when_asked(place):
    place.hooks(GATE, OTHER)
    assert "explanation" not in place.there("fire", "pre_tool_use", "--json").json
    document = place.there("fire", "pre_tool_use", "--json", "--explain", "--input", "-", stdin=CALL).json
    assert [hook["standing"] for hook in document["explanation"]["hooks"]] == ["runs", "unmatched"]
    assert document["explanation"]["hooks"][0]["sent"] is None


def test_an_unknown_event_and_no_event_are_said_as_fire_says_them(place):
    assert "did you mean 'pre_tool_use'" in place.there("explain", "pre_tool_uses").err
    assert place.there("explain").status == 1


def test_nothing_configured_is_said(place):
    result = place.there("explain", "stop", "--no-plugin", "guard-rails", *place.no_dialects)
    assert result.out.startswith("stop: no hook is configured here")


@pytest.mark.parametrize(("fields", "told"), [({}, True), ({"tool_name": "write"}, False)])
def test_an_event_without_fields_that_matchers_look_at_says_how_to_give_them(place, fields, told):
    place.hooks('event = "tool_call_before"\ncommand = "true"\ncondition = { type = "tool_name", name = "bash" }')
    out = place.there("explain", "pre_tool_use", "--input", "-", stdin=fields).out
    assert ("give some with --input FILE" in out) is told
