from __future__ import annotations

import json

import pytest

from hookfw import PreToolUse, SessionStart, Stop, UserPromptSubmit, open_sync

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, session_id="s")
FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "deepagents": ".deepagents/hooks.json",
    "mind": ".mind/hooks.json",
}
COUNTS = "echo >> count; "


class Home:
    """A home with the files of several ecosystems, and the number of times their command ran."""

    def __init__(self, home, workspace):
        self.home, self.workspace = home, workspace

    def write(self, dialect, event, command, matcher=None, **more):
        path = self.home / FILES[dialect]
        path.parent.mkdir(exist_ok=True)
        group = {"hooks": [{"type": "command", "command": command, **more}]}
        if matcher is not None:
            group["matcher"] = matcher
        known = json.loads(path.read_text()) if path.exists() else {"hooks": {}}
        known["hooks"].setdefault(event, []).append(group)
        path.write_text(json.dumps(known))

    def settings(self, text):
        folder = self.home / ".config" / "hookfw"
        folder.mkdir(parents=True)
        (folder / "config.toml").write_text(text)

    def fire(self, event, **options):
        with open_sync(home=self.home, workspace=self.workspace, trust="all", **options) as hooks:
            self.loading = hooks.snapshot.diagnostics
            return hooks.fire(event)

    @property
    def times(self):
        path = self.workspace / "count"
        return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture
def place(home, workspace):
    return Home(home, workspace)


def test_the_same_command_of_one_family_runs_once_and_each_dialect_reads_it(place):
    command = COUNTS + "echo no >&2; exit 2"
    for dialect in FILES:
        place.write(dialect, "PreToolUse", command, "Bash")
    outcome = place.fire(CALL)
    assert place.times == 1
    assert (outcome.decision, outcome.refused, outcome.reason) == ("deny", True, "no")
    assert [run.dialect for run in outcome.runs] == ["claude-code"]
    assert [item.dialect for item in outcome.skipped] == ["codex", "deepagents", "mind"]
    assert {item.reason for item in outcome.skipped} == {
        "duplicate: the same command ran for claude-code, its result counts here too"
    }


def test_any_dialect_that_reads_a_refusal_refuses(place):
    # Codex has no `ask`; Claude Code does.
    command = COUNTS + "echo '" + json.dumps({"continue": False, "stopReason": "enough"}) + "'"
    for dialect in ("claude-code", "deepagents"):
        place.write(dialect, "PreToolUse", command, "Bash")
    outcome = place.fire(CALL)
    assert place.times == 1
    # In Claude Code the call still runs; in Deep Agents Code it does not.
    assert (outcome.refused, outcome.ends_turn) == (True, True)


def test_another_text_event_or_matcher_is_another_command(place):
    place.write("claude-code", "PreToolUse", COUNTS + "true", "Bash")
    place.write("codex", "PreToolUse", COUNTS + "true ", "Bash")
    place.write("mind", "PreToolUse", COUNTS + "true", "Bash|Read")
    place.write("deepagents", "PostToolUse", COUNTS + "true", "Bash")
    assert len(place.fire(CALL).runs) == 3
    assert place.times == 3


def test_a_matcher_for_everything_is_none(place):
    place.write("claude-code", "PreToolUse", COUNTS + "true", "*")
    place.write("codex", "PreToolUse", COUNTS + "true")
    place.fire(CALL)
    assert place.times == 1


def test_one_dialect_keeps_its_own_rule_for_duplicates(place):
    place.write("codex", "SessionStart", COUNTS + "true")
    place.write("codex", "SessionStart", COUNTS + "true")
    place.fire(SessionStart(source="startup"), dialects=["codex"])
    assert place.times == 2


def test_it_can_be_switched_off(place):
    place.settings("dedupe = false\n")
    for dialect in FILES:
        place.write(dialect, "PreToolUse", COUNTS + "true", "Bash")
    outcome = place.fire(CALL)
    assert (place.times, len(outcome.runs), outcome.skipped) == (4, 4, ())


def test_a_command_judges_what_another_one_made_of_the_call(place):
    rewrite = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "rm -rf /"}}}
    gate = COUNTS + "if grep -q 'rm -rf'; then echo dangerous >&2; exit 2; fi"
    place.write("claude-code", "PreToolUse", gate, "Bash")
    place.write("claude-code", "PreToolUse", f"echo '{json.dumps(rewrite)}'", "Bash")
    place.write("codex", "PreToolUse", gate, "Bash")
    outcome = place.fire(CALL)
    assert place.times == 2
    assert (outcome.refused, outcome.decided_in) == (True, "codex")


def test_a_rewrite_that_the_command_made_itself_needs_no_second_look(place):
    answer = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {"command": "ls -l"},
        }
    }
    for dialect in ("claude-code", "codex"):
        place.write(dialect, "PreToolUse", COUNTS + f"echo '{json.dumps(answer)}'", "Bash")
    outcome = place.fire(CALL)
    assert place.times == 1
    assert outcome.updated_input == {"command": "ls -l"}
    assert outcome.rewrite == ("codex", "claude-code")


def test_a_hook_without_consent_neither_runs_nor_is_heard(place):
    place.write("claude-code", "PreToolUse", COUNTS + "exit 2", "Bash")
    place.write("deepagents", "PreToolUse", COUNTS + "exit 2", "Bash")
    with open_sync(home=place.home, workspace=place.workspace) as hooks:
        outcome = hooks.fire(CALL)
    assert [run.dialect for run in outcome.runs] == ["deepagents"]
    assert [item.dialect for item in outcome.skipped] == ["claude-code"]


def test_a_background_command_is_submitted_once(place):
    for dialect in ("claude-code", "codex", "mind"):
        place.write(dialect, "Stop", COUNTS + "true", **{"async": True})
    outcome = place.fire(Stop())
    assert [run.status for run in outcome.runs] == ["submitted"]
    assert [item.reason for item in outcome.skipped] == ["duplicate: the same command runs for claude-code"] * 2


def test_what_one_run_says_is_heard_once(place):
    for dialect in ("claude-code", "mind"):
        place.write(dialect, "UserPromptSubmit", COUNTS + "echo remember")
    outcome = place.fire(UserPromptSubmit(prompt="hello", session_id="s"))
    assert place.times == 1
    assert outcome.context == ("remember",)


def test_between_families_it_runs_in_each_and_that_is_said_once(place):
    place.write("claude-code", "SessionStart", COUNTS + "true")
    place.write("codex", "SessionStart", COUNTS + "true")
    folder = place.home / ".codewhale"
    folder.mkdir()
    (folder / "config.toml").write_text(
        f"[[hooks.hooks]]\nevent = 'session_start'\ncommand = {json.dumps(COUNTS + 'true')}\n"
    )
    place.fire(SessionStart(source="startup", session_id="s"))
    assert place.times == 2
    (found,) = [item for item in place.loading if item.code == "command-in-several-families"]
    assert found.severity == "info"
    assert ".claude/settings.json and " in found.message or ".codewhale/config.toml and " in found.message
