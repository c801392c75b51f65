from __future__ import annotations

import json

import pytest

EVENT = {"event": "pre_tool_use", "tool_name": "Bash", "tool_input": {"command": "ls"}}
DENIES = 'name = "gate"\nevent = "tool_call_before"\ncommand = "exit 2"'
ALLOWS = 'name = "gate"\nevent = "tool_call_before"\ncommand = "true"'


def record(place):
    place.hooks(DENIES)
    file = place.root / "session.jsonl"
    assert place.run("fire", "--record", file, "--input", "-", stdin=EVENT).status == 0
    return file


def test_what_was_recorded_comes_out_the_same_today(place):
    file = record(place)
    result = place.run("replay", file)
    assert result.status == 0
    assert "1 of 1 events came out as recorded." in result.out


def test_an_outcome_that_changed_is_shown_and_is_status_1(place):
    file = record(place)
    place.hooks(ALLOWS)
    result = place.run("replay", file)
    assert result.status == 1
    assert 'decision was "deny", is "none"' in result.out
    assert "0 of 1 events came out as recorded, 1 did not." in result.out
    document = place.run("replay", file, "--json").json
    assert document["changed"] == 1
    assert {"field": "refused", "before": True, "now": False} in document["events"][0]["changes"]


def test_dry_compares_which_hooks_would_run(place):
    file = record(place)
    place.hooks(ALLOWS)
    assert "1 of 1 events would run the same hooks." in place.run("replay", file, "--dry").out
    place.hooks()
    assert place.run("replay", file, "--dry").status == 1


def test_secrets_that_were_left_out_are_a_warning(place):
    place.hooks(DENIES)
    file = place.root / "session.jsonl"
    event = EVENT | {"tool_input": {"command": "curl --token=abcdefgh12345"}}
    place.run("fire", "--record", file, "--input", "-", stdin=event)
    document = place.run("replay", file, "--json").json
    assert "redacted-events" in [item["code"] for item in document["diagnostics"]]


def test_a_file_that_is_no_recording_is_one_sentence(place):
    file = place.root / "other.jsonl"
    file.write_text("hello\n")
    result = place.run("replay", file)
    assert result.status == 1
    assert "line 1, is no record of hookfw" in result.err
    assert "does not exist; name a file that holds a recording" in place.run("replay", "nowhere").err


def test_standard_input_is_a_recording_too(place):
    file = record(place)
    assert place.run("replay", "-", stdin=file.read_bytes()).status == 0
    assert place.run("replay", "-", stdin=json.dumps({}).encode()).status == 1


@pytest.mark.parametrize("mode", [(), ("--dry",)])
def test_a_recording_without_events_is_no_success(place, mode):
    place.write("empty.jsonl", "")
    out = place.there("replay", place.root / "empty.jsonl", *mode).out
    assert out.startswith("The recording holds no event, so nothing was compared.\n")
