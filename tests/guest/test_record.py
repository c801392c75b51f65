from __future__ import annotations

import json
import stat

import pytest
from guest.conftest import CALLS

from hookfw.guests.client import Call, call_of

DENY = """event = "tool_call_before"\ncommand = '''echo '{"decision":"deny","reason":"not here"}' '''"""


@pytest.fixture(params=["alone", "helped"])
def either(request):
    """A guest that decides alone, and one that has its background process decide."""
    return request.getfixturevalue("site" if request.param == "alone" else "helped")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_call_is_recorded_and_can_be_replayed(either):
    either.codewhale(DENY)
    given = {"cwd": str(either.workspace), **CALLS["codex"]}
    said = either.command("guest", "codex", "PreToolUse", "--record", "log.jsonl", stdin=given)
    assert said.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    end = {"session_id": "s", "cwd": str(either.workspace), "hook_event_name": "Notification", "message": "x"}
    either.command("guest", "claude-code", "--record=log.jsonl", stdin={**end, "notification_type": "idle_prompt"})
    path = either.workspace / "log.jsonl"
    assert [line["event"] for line in lines(path)] == ["pre_tool_use", "notification"]
    assert lines(path)[0]["outcome"]["reason"] == "not here"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    if either.helped:
        assert either.status()["calls"] == 2


def test_a_recording_that_cannot_be_written_is_said_and_changes_nothing_else(either):
    (either.workspace / "log.jsonl").mkdir()
    given = {"cwd": str(either.workspace), **CALLS["codex"]}
    said = either.command("guest", "codex", "PreToolUse", "--record", "log.jsonl", stdin=given)
    assert said.status == 0
    assert list(said.json) == ["systemMessage"]
    assert "log.jsonl" in said.json["systemMessage"]


def test_an_installed_guest_records_and_one_that_is_installed_without_it_does_not(site):
    site.codewhale(DENY)
    path = site.home / ".codex" / "hooks.json"
    site.command("guest", "install", "codex", "--record", "a b.jsonl")
    assert f"PreToolUse --record '{site.workspace}/a b.jsonl'" in path.read_text()
    site.command("guest", "install", "codex")
    assert "--record" not in path.read_text()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("guest codex", Call("codex")),
        ("guest codex Stop --record f", Call("codex", "Stop", "f")),
        ("guest --record f codex Stop", Call("codex", "Stop", "f")),
        ("guest codex --record=f", Call("codex", None, "f")),
        ("guest codex --record", None),
        ("guest codex --record=", None),
        ("guest codex --other f", None),
        ("guest install codex --record f", None),
        ("guest codex a b", None),
    ],
)
def test_the_line_of_a_guest_is_read(line, found):
    assert call_of(line.split()) == found
