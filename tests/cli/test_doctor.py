"""`hookfw doctor`: each finding with its remedy, worst first, and nothing found where nothing is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
GATE = 'event = "tool_call_before"\nname = "gate"\ncommand = {}'


def codes(place, *arguments):
    result = place.there("doctor", "--json", *arguments)
    return [item["code"] for item in result.json["findings"]]


def findings(place, code):
    return [item for item in place.there("doctor", "--json").json["findings"] if item["code"] == code]


def gate(place, command, **more):
    fields = "".join(f"\n{name} = {json.dumps(value)}" for name, value in more.items())
    place.hooks(GATE.format(json.dumps(command)) + fields)


def claude(place, event, *handlers, matcher=None, project=False):
    group = {"hooks": [{"type": "command", **handler} for handler in handlers]}
    if matcher is not None:
        group["matcher"] = matcher
    path = "workspace/.claude/settings.json" if project else "home/.claude/settings.json"
    place.write(path, json.dumps({"hooks": {event: [group]}}))
    place.write("home/.claude.json", json.dumps({"projects": {str(place.workspace): {"hasTrustDialogAccepted": True}}}))


def codex(place, event, *commands, matcher=None):
    group = {"hooks": [{"type": "command", "command": command} for command in commands]}
    if matcher is not None:
        group["matcher"] = matcher
    place.write("home/.codex/hooks.json", json.dumps({"hooks": {event: [group]}}))


def test_nothing_is_wrong_where_nothing_is_configured(place):
    result = place.there("doctor")
    assert (result.status, result.out) == (0, "0 hooks examined: 0 wrong, 0 risky, 0 good to know.\n")


def test_a_sound_hook_has_no_finding(place):
    place.write("workspace/check.sh", "#!/bin/sh\nexit 0\n")
    gate(place, "./check.sh")
    assert place.there("doctor", "--json").json == {"ok": True, "findings": []}


def test_findings_stand_worst_first_and_an_error_is_status_1(place):
    place.hooks(
        GATE.format('"npx check"'),
        'event = "nonsense"\ncommand = "true"',
        'event = "tool_call_before"\ncommand = "curl --token abcdefghij"',
    )
    result = place.there("doctor", "--json")
    severities = [item["severity"] for item in result.json["findings"]]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)
    assert {"error", "warning", "info"} == set(severities)
    assert (result.status, result.json["ok"]) == (1, False)


def test_a_warning_alone_is_status_0(place):
    gate(place, "curl --token abcdefghij >/dev/null")
    place.write("bin/curl", "#!/bin/sh\n")
    place.monkeypatch.setenv("PATH", f"{place.root / 'bin'}:/bin:/usr/bin")
    result = place.there("doctor")
    assert result.status == 0
    assert "warning: " in result.out


def test_what_loading_and_plugins_say_is_told_too(place):
    place.hooks('event = "tool_call_befor"\ncommand = "true"')
    (found,) = findings(place, "rejected-hook")
    assert "tool_call_before" in found["message"]
    assert "unknown-plugin" in codes(place, "--no-plugin", "nobody")


@pytest.mark.parametrize(
    ("text", "mode", "code"),
    [
        (None, 0, "script-missing"),
        ("#!/bin/sh\n", 0o644, "script-not-executable"),
        ("#!/bin/sh\r\nexit 0\r\n", 0o755, "script-line-ends"),
        ("\ufeff#!/bin/sh\n", 0o755, "script-mark"),
        ("#!/nowhere/python\n", 0o755, "no-interpreter"),
        ("#!/bin/sh\n", 0o757, "writable-by-others"),
    ],
)
def test_a_script_that_cannot_be_started_or_trusted_is_found(place, text, mode, code):
    if text is not None:
        path = place.workspace / "check.sh"
        path.write_bytes(text.encode())
        path.chmod(mode)
    gate(place, "./check.sh --all")
    assert codes(place) == [code]
    (found,) = findings(place, code)
    assert "check.sh" in found["message"]
    assert found["file"] == str(place.config)


def test_an_interpreter_makes_the_run_bit_needless_but_not_the_file(place):
    gate(place, "python3 -u tools/check.py")
    assert codes(place) == ["script-missing"]
    place.write("workspace/tools/check.py", "pass\n")
    assert codes(place) == []


def test_a_folder_in_the_place_of_a_script_is_found(place):
    (place.workspace / "check").mkdir()
    gate(place, "./check")
    assert codes(place) == ["script-missing"]


def test_a_program_that_is_nowhere_is_found_and_what_a_shell_knows_is_not(place):
    gate(place, "no-such-program --x")
    assert codes(place) == ["command-not-found"]
    for line in ("if true; then exit 0; fi", "[ -e x ] || exit 0", "X=1 true", "cd / && true", "# note\ntrue"):
        gate(place, line)
        assert codes(place) == [], line


def test_what_only_a_run_can_tell_is_left_alone(place):
    for line in ("$(which x) y", "`x`", "./*.sh", "$UNKNOWN/x.sh", "'unclosed", "where=$(pwd) && true"):
        gate(place, line)
        assert not set(codes(place)) & {"script-missing", "command-not-found"}, line


def test_a_path_with_a_blank_needs_quotes(place):
    place.write("home/my hooks/check.sh", "#!/bin/sh\n")
    gate(place, f"{place.home}/my hooks/check.sh")
    assert codes(place) == ["unquoted-path"]
    gate(place, f"'{place.home}/my hooks/check.sh'")
    assert codes(place) == []


def test_a_variable_with_a_blank_needs_quotes(place):
    place.write("a b/check.sh", "#!/bin/sh\n")
    place.monkeypatch.setenv("TOOLS", str(place.root / "a b"))
    gate(place, "$TOOLS/check.sh")
    assert codes(place) == ["unquoted-path"]
    gate(place, '"$TOOLS/check.sh"')
    assert codes(place) == []


def test_a_relative_script_is_doubted_only_where_the_directory_moves(place):
    place.write("workspace/check.sh", "#!/bin/sh\n")
    gate(place, "./check.sh")
    assert codes(place) == []
    claude(place, "PreToolUse", {"command": "./check.sh"})
    place.config.unlink()
    assert codes(place) == ["relative-script"]
    claude(place, "PreToolUse", {"command": '"$CLAUDE_PROJECT_DIR"/check.sh'})
    assert codes(place) == []


@pytest.mark.parametrize(
    ("matcher", "meant"), [("bash", "Bash"), ("Edot|Wrte", "Write"), ("Nothing.*", None), ("|", None)]
)
def test_a_matcher_that_matches_no_tool_is_found(place, matcher, meant):
    codex(place, "PreToolUse", "true", matcher=matcher)
    (found,) = findings(place, "matches-no-tool")
    assert meant is None or f"did you mean {meant!r}?" in found["message"] or "'Edit'" in found["message"]


@pytest.mark.parametrize("matcher", ["Bash", "Edit|Nothing", "B.*", "", "*", "mcp__x__y", "mcp__.*"])
def test_a_matcher_that_can_match_is_not_doubted(place, matcher):
    codex(place, "PreToolUse", "true", matcher=matcher)
    assert "matches-no-tool" not in codes(place)


def test_a_condition_on_more_than_the_name_is_not_doubted(place):
    claude(place, "PreToolUse", {"command": "true", "if": "Bash(git push *)"}, matcher="Bash")
    assert codes(place) == []
    (place.home / ".claude" / "settings.json").unlink()
    place.hooks(GATE.format('"true"') + '\ncondition = { type = "mode", mode = "Yolo" }')
    assert codes(place) == []


def test_a_condition_that_its_matcher_excludes_is_found(place):
    claude(place, "PreToolUse", {"command": "true", "if": "Edit(*.py)"}, matcher="Bash")
    (found,) = findings(place, "odd-condition")
    assert "does not name" in found["message"]


@pytest.mark.parametrize("write", [claude, codex])
def test_a_matcher_on_an_event_without_anything_to_match_is_found(place, write):
    handler = {"command": "true"} if write is claude else "true"
    write(place, "UserPromptSubmit", handler, matcher="Bash")
    assert "ignored-matcher" in codes(place)
    write(place, "UserPromptSubmit", handler, matcher="*")
    assert "ignored-matcher" not in codes(place)


def test_consent_that_is_missing_is_told_file_by_file_and_not_hook_by_hook(place):
    codex(place, "Stop", *(f"true {number}" for number in range(7)))
    (found,) = findings(place, "untrusted-hooks")
    assert "7 hooks of codex" in found["message"]
    assert "and 2 more" in found["message"]
    assert "hookfw review" in found["message"]


def test_what_changed_since_its_approval_and_what_is_switched_off_are_told(place):
    codex(place, "Stop", "true")
    (review,) = place.there("review", "--json").json["reviews"]
    place.there("approve", review["digest"])
    assert codes(place) == []
    place.there("disable", "stop:0:0")
    assert codes(place) == ["hooks-disabled"]
    place.there("enable", "stop:0:0")
    codex(place, "Stop", "false")
    assert codes(place) == ["modified-hooks"]


def test_timeouts_in_another_unit_are_found_once(place):
    gate(place, "true", timeout_secs=30000)
    assert len(codes(place)) == 1
    assert "milliseconds" in place.there("doctor").out


def test_a_secret_is_found_and_never_shown(place):
    place.write("bin/curl", "#!/bin/sh\n")
    place.monkeypatch.setenv("PATH", f"{place.root / 'bin'}:/bin:/usr/bin")
    gate(place, "curl -H 'Authorization: Bearer abcdefghij' https://x.example")
    result = place.there("doctor")
    assert "secret-in-command" in result.out
    assert "abcdefghij" not in result.out + place.there("doctor", "--json").out
    gate(place, 'curl -H "Authorization: Bearer $TOKEN" https://x.example')
    assert codes(place) == []


def test_letters_that_are_not_seen_are_found(place):
    gate(place, "true \u202e x")
    assert codes(place) == ["hidden-letters"]


@pytest.mark.parametrize("line", ["sleep 9 &", "nohup sleep 9", "true && setsid sleep 9", "sleep 9 & disown"])
def test_a_process_that_is_left_behind_is_found(place, line):
    gate(place, line)
    assert "process-left-behind" in codes(place)


@pytest.mark.parametrize("line", ["true && true", "true 2>&1", "true > x 2>&1", "true & wait"])
def test_what_waits_for_its_processes_is_not_doubted(place, line):
    gate(place, line)
    assert "process-left-behind" not in codes(place)


def test_an_agent_within_an_agent_is_found(place):
    gate(place, "cat | claude -p 'is this safe?'")
    assert "starts-an-agent" in codes(place)
    gate(place, "cat .claude/notes")
    assert "starts-an-agent" not in codes(place)


def test_a_package_runner_on_every_call_is_good_to_know(place):
    gate(place, "npx --yes check")
    assert "slow-start" in codes(place)


def test_a_gate_that_only_exits_with_1_refuses_nothing(place):
    place.write("workspace/check.sh", "#!/bin/sh\ngrep -q rm && exit 1\nexit 0\n")
    gate(place, "./check.sh")
    assert codes(place) == ["failure-for-refusal"]
    gate(place, "./check.sh", continue_on_error=False)
    assert codes(place) == []
    place.write("workspace/check.sh", "#!/bin/sh\ngrep -q rm && exit 2\nexit 1\n")
    gate(place, "./check.sh")
    assert codes(place) == []


def test_a_refusal_without_a_reason_is_good_to_know(place):
    gate(place, "grep -q rm && exit 2; exit 0")
    assert codes(place) == ["refusal-without-reason"]
    gate(place, "grep -q rm && { echo no >&2; exit 2; }; exit 0")
    assert codes(place) == []


def test_a_path_of_another_system_is_found(place):
    gate(place, "type C:\\hooks\\check.bat")
    assert "windows-path" in codes(place)
    gate(place, "printf 'a\\n'")
    assert codes(place) == []


def test_a_handler_type_that_is_not_installed_is_found(place):
    claude(place, "Stop", {"type": "prompt", "prompt": "Is all done?"})
    assert "handler-missing" in codes(place, "--no-plugin", "prompt")


def test_a_turn_that_may_not_end_is_found(place):
    claude(place, "Stop", {"command": "echo more >&2; exit 2"})
    assert codes(place) == ["endless-turn"]
    claude(place, "Stop", {"command": "grep -q '\"stop_hook_active\":true' && exit 0; echo more >&2; exit 2"})
    assert codes(place) == []


def test_a_command_that_is_there_twice_is_found_once(place):
    claude(place, "PreToolUse", {"command": "true"}, {"command": "true"})
    assert codes(place) == ["repeated-command"]


def test_the_same_command_in_a_family_runs_once_unless_that_is_switched_off(place):
    claude(place, "Stop", {"command": "true"})
    codex(place, "Stop", "true")
    (found,) = findings(place, "shared-command")
    assert found["severity"] == "info"
    place.write("home/.config/hookfw/config.toml", "dedupe = false")
    (found,) = findings(place, "shared-command")
    assert found["severity"] == "warning"


def test_the_same_command_in_several_families_is_told_for_every_command(place):
    claude(place, "PreToolUse", *({"command": f"true {number}"} for number in range(5)))
    place.hooks(*(f'event = "tool_call_before"\ncommand = "true {number}"' for number in range(5)))
    assert codes(place) == ["command-in-several-families"] * 5


def test_a_project_configuration_that_leads_out_of_the_project_is_found(place):
    target = place.write("elsewhere/hooks.toml", '[[hooks]]\nevent = "session_start"\ncommand = "true"\n')
    (place.workspace / ".codewhale").mkdir()
    (place.workspace / ".codewhale" / "hooks.toml").symlink_to(target)
    assert "linked-config" in codes(place)


def test_a_project_script_that_leads_out_of_the_project_is_found(place):
    target = place.write("elsewhere/check.sh", "#!/bin/sh\n")
    (place.workspace / "check.sh").symlink_to(target)
    place.write("workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "session_start"\ncommand = "./check.sh"\n')
    assert "linked-script" in codes(place)


def test_a_configuration_that_anyone_may_change_is_found(place):
    gate(place, "true")
    place.config.chmod(0o666)
    assert codes(place) == ["writable-by-others"]


def test_a_home_that_is_the_project_is_found(place):
    gate(place, "true")
    result = place.run("doctor", "--home", place.home, "--workspace", place.home, "--json")
    assert "home-is-workspace" in [item["code"] for item in result.json["findings"]]


def test_a_record_of_scripts_that_cannot_be_read_is_found(place):
    place.write("home/.config/hookfw/scripts.json", "[]")
    assert codes(place) == ["scripts-unreadable"]


def test_settings_that_cannot_be_used_are_a_finding_among_others(place):
    place.write("home/.config/hookfw/config.toml", "dedup = true")
    gate(place, "no-such-program")
    result = place.there("doctor", "--json")
    found = {item["code"]: item["message"] for item in result.json["findings"]}
    assert set(found) == {"broken-settings", "command-not-found"}
    assert "did you mean 'dedupe'?" in found["broken-settings"]
    assert result.status == 1
    assert place.there("list").status == 1


def test_a_variable_that_programs_need_is_missed(place):
    gate(place, "true")
    place.monkeypatch.delenv("PATH")
    assert codes(place) == ["missing-variable"]


def test_a_dialect_that_fails_on_one_hook_costs_no_other_finding(place, monkeypatch):
    from hookfw.sync import SyncSupervisor

    def broken(*_):
        raise RuntimeError("out of order")

    monkeypatch.setattr(SyncSupervisor, "invocation", broken)
    gate(place, "curl --token abcdefghij")
    assert codes(place) == ["secret-in-command"]


def test_every_code_is_documented():
    written = (ROOT / "docs" / "doctor.md").read_text()
    source = "".join(path.read_text() for path in (ROOT / "hookfw" / "checks").glob("*.py"))
    source += (ROOT / "hookfw" / "cli" / "doctor.py").read_text()
    found = set(re.findall(r"(?:found|Diagnostic)\(\s*\"([a-z-]+)\"", source))
    assert len(found) > 25
    assert [code for code in sorted(found) if f"| `{code}` |" not in written] == []


CONFIGURATIONS = sorted((ROOT / "tests" / "cases").glob("*/config-*.json"))


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_configurations_of_all_ecosystems_are_examined_without_a_fault(place, path):
    for name, text in json.loads(path.read_text()).get("files", {}).items():
        if isinstance(text, str):
            place.write(name, text)
    result = place.there("doctor", "--json")
    assert result.status in (0, 1)
    # One of them selects tool calls by how a session starts.
    doubted = [item["code"] for item in result.json["findings"]].count("matches-no-tool")
    assert doubted == (path.parent.name == "mind" and path.stem == "config-01")


def test_a_secret_is_shown_in_no_finding_wherever_it_stands(place):
    secret = "sk-abcdefghijklmnopqrstuvwxyz"
    claude(place, "PreToolUse", {"command": f"/nope/{secret}"}, {"command": f"{secret}/x"}, matcher=secret)
    codex(place, secret, "true")
    for arguments in ((), ("--json",)):
        out = place.there("doctor", *arguments).out
        assert "matches-no-tool" in out
        assert "script-missing" in out
        assert secret not in out
