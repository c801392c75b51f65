from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Diagnostic, PreToolUse, Stop, Supervisor, open_sync
from hookfw.errors import EventError
from hookfw.outcome import Outcome
from hookfw.recording import ROTATE_AT, read_recording, recorded
from hookfw.replaying import Change, compare, compare_runs, replay

NOW = datetime(2026, 11, 30, tzinfo=UTC)
CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, session_id="s")


def gate(home, command):
    folder = home / ".codewhale"
    folder.mkdir(exist_ok=True)
    entry = f"[[hooks.hooks]]\nname = 'gate'\nevent = 'tool_call_before'\ncommand = {json.dumps(command)}\n"
    (folder / "config.toml").write_text(entry)


def lines(path):
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def records(path):
    return list(read_recording(path.read_text(), str(path)))


@pytest.fixture
def log(tmp_path):
    return tmp_path / "logs" / "session.jsonl"


def test_each_firing_is_a_line_with_the_event_as_it_was_given_and_what_came_of_it(home, workspace, log):
    gate(home, "echo no >&2; exit 2")
    with open_sync(home=home, workspace=workspace, record=log) as hooks:
        hooks.fire(CALL)
        hooks.fire(Stop())
    first, second = lines(log)
    assert first["event"] == "pre_tool_use"
    assert first["fields"] == {"tool_name": "Bash", "tool_input": {"command": "ls"}, "session_id": "s"}
    assert (first["outcome"]["decision"], first["outcome"]["refused"]) == ("deny", True)
    assert [(run["dialect"], run["name"]) for run in first["runs"]] == [("codewhale", "gate")]
    assert (second["event"], second["runs"]) == ("stop", [])
    assert log.stat().st_mode & 0o777 == 0o600


def test_an_asynchronous_supervisor_records_too(home, workspace, log):
    async def session():
        async with Supervisor.open(home=home, workspace=workspace, record=log) as hooks:
            await hooks.fire(CALL)

    asyncio.run(session())
    assert [line["event"] for line in lines(log)] == ["pre_tool_use"]


def test_no_secret_gets_into_a_recording(home, workspace, log):
    gate(home, "echo password=hunter22 >&2; exit 2")
    with open_sync(home=home, workspace=workspace, record=log) as hooks:
        hooks.fire(
            PreToolUse(
                tool_name="Bash",
                tool_input={"command": "curl -H 'Authorization: Bearer abcdefghijkl'", "api_key": "verysecret"},
            )
        )
    text = log.read_text()
    assert not any(secret in text for secret in ("hunter22", "abcdefghijkl", "verysecret"))
    (record,) = records(log)
    assert record.redacted


def test_a_recording_that_cannot_be_written_is_a_diagnostic_and_the_firing_stands(home, workspace, tmp_path):
    (tmp_path / "file").write_text("")
    gate(home, "exit 2")
    with open_sync(home=home, workspace=workspace, record=tmp_path / "file" / "below") as hooks:
        outcome = hooks.fire(CALL)
    assert outcome.refused
    assert "record-failed" in [item.code for item in outcome.diagnostics]


def test_a_recording_that_has_grown_is_rotated():
    assert recorded("log", CALL, Outcome(), [], NOW).rotate_at == ROTATE_AT


@given(st.text(), st.dictionaries(st.text(), st.text() | st.integers() | st.none(), max_size=3))
def test_what_is_written_can_be_read_whatever_is_in_it(prompt, call):
    event = PreToolUse(tool_name=prompt, tool_input=call)
    write = recorded("log", event, Outcome(diagnostics=(Diagnostic("c", "info", prompt),)), ["codewhale"], NOW)
    (record,) = read_recording(write.text.encode("utf-8", "replace").decode(), "log")
    assert record.event.kind == "pre_tool_use"
    assert record.dialects == ("codewhale",)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2, is no record"),
        ("[]", "line 2, is no record"),
        ("{}", "'format' is missing"),
        ('{"format": 99}', "the format 99"),
        ('{"format": 1, "event": "no_such", "fields": {}}', "no_such"),
        ('{"format": 1, "event": "stop", "fields": {"session_id": []}}', "session_id"),
        ('{"format": 1, "event": "stop", "fields": {}, "dialects": [], "outcome": 3, "runs": []}', "line 2"),
    ],
)
def test_a_line_that_is_no_record_is_named(line, says):
    good = recorded("log", CALL, Outcome(), [], NOW).text
    with pytest.raises(EventError, match="log, line 2, is no record of hookfw") as raised:
        list(read_recording(good + line, "log"))
    assert says in str(raised.value)


def test_replaying_tells_what_has_changed_since(home, workspace, log):
    gate(home, "echo no >&2; exit 2")
    with open_sync(home=home, workspace=workspace, record=log) as hooks:
        hooks.fire(CALL)
    with open_sync(home=home, workspace=workspace) as hooks:
        (same,) = replay(hooks, records(log))
    assert same.changes == ()
    gate(home, "true")
    with open_sync(home=home, workspace=workspace) as hooks:
        (other,) = replay(hooks, records(log))
    assert {change.field: (change.before, change.now) for change in other.changes}["decision"] == ("deny", "none")
    assert 'decision was "deny", is "none"' in map(str, other.changes)


def test_dry_runs_nothing_and_tells_which_hooks_would_run(home, workspace, log):
    gate(home, "echo >> ran")
    with open_sync(home=home, workspace=workspace, record=log) as hooks:
        hooks.fire(CALL)
        (record,) = records(log)
        assert compare_runs(record, hooks.explain(CALL)) == ()
    (home / ".codewhale" / "config.toml").write_text("")
    with open_sync(home=home, workspace=workspace) as hooks:
        (dry,) = replay(hooks, [record], dry=True)
    assert dry.changes == (Change("runs", ["codewhale:gate"], []),)
    assert (workspace / "ran").read_text().count("\n") == 1


def test_a_part_that_an_older_recording_does_not_have_is_not_compared(home, workspace, log):
    gate(home, "true")
    with open_sync(home=home, workspace=workspace, record=log) as hooks:
        outcome = hooks.fire(CALL)
    (record,) = records(log)
    assert compare(record._replace(outcome={"decision": "none"}), outcome) == ()
