from __future__ import annotations

import itertools
import json

import pytest
from ecosystems import ORDER, WORDS, prints, specific, write_hook

from hookfw import Effect, Host, PreToolUse, SessionStart, hookimpl, open_sync
from hookfw.outcome import STRENGTH

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"}, session_id="s")
CASES = [(dialect, word) for dialect in ORDER for word in WORDS[dialect]]
PAIRS = [(first, second) for first, second in itertools.combinations(CASES, 2) if first[0] != second[0]]


def fire(home, workspace, event, **options):
    with open_sync(home=home, workspace=workspace, trust="all", **options) as hooks:
        return hooks.fire(event)


def configure(home, dialect, word):
    # The comment keeps one family from sharing the run.
    write_hook(home, dialect, "PreToolUse", f": {dialect}; {WORDS[dialect][word]}")


def test_the_six_are_all_there_are():
    assert sorted(Host.load().dialects) == sorted(ORDER)


@pytest.mark.parametrize(("dialect", "word"), CASES)
def test_one_ecosystem_alone_decides_by_its_own_rules(home, workspace, dialect, word):
    configure(home, dialect, word)
    outcome = fire(home, workspace, CALL)
    assert outcome.decision == word
    # A stop alone lets the call run in Claude Code, and in Deep Agents Code it does not.
    assert outcome.refused == (word in ("deny", "defer") or (word == "stop" and dialect == "deepagents"))
    assert outcome.ends_turn == (word in ("stop", "defer"))


@pytest.mark.parametrize("order", ["as they come", "turned"])
@pytest.mark.parametrize(("first", "second"), PAIRS, ids="-".join)
def test_of_two_the_strictest_decision_stands_and_nothing_is_lost(home, workspace, first, second, order):
    configure(home, *first)
    configure(home, *second)
    names = [first[0], second[0]] if order == "as they come" else [second[0], first[0]]
    words = dict([first, second])
    outcome = fire(home, workspace, CALL, dialects=names)
    strictest = max(words.values(), key=STRENGTH.__getitem__)
    assert STRENGTH[outcome.decision] == STRENGTH[strictest]
    assert outcome.refused == any(
        word in ("deny", "defer") or (dialect, word) == ("deepagents", "stop") for dialect, word in words.items()
    )
    assert outcome.ends_turn == any(word in ("stop", "defer") for word in words.values())
    winner = next((name for name in names if words[name] == outcome.decision), None)
    assert outcome.decided_in == (winner if outcome.decision != "none" else None)
    assert [run.dialect for run in outcome.runs] == names


def test_all_six_are_asked_in_their_order_and_the_mode_is_first(home, workspace):
    for dialect in ORDER:
        configure(home, dialect, "none")
    assert [run.dialect for run in fire(home, workspace, CALL).runs] == list(ORDER)
    assert [run.dialect for run in fire(home, workspace, CALL, mode="mind").runs] == [
        "mind",
        *(name for name in ORDER if name != "mind"),
    ]


def test_a_rewrite_reaches_every_later_ecosystem_and_the_outcome_says_whose_stands(home, workspace):
    write_hook(home, "claude-code", "PreToolUse", specific(updatedInput={"command": "ls -l"}))
    for dialect in ("codewhale", "codex", "deepagents", "mind"):
        write_hook(home, dialect, "PreToolUse", f": {dialect}; cat > {workspace}/{dialect}")
    write_hook(home, "wuu", "PreToolUse", prints({"updated_input": {"command": "ls -la"}}))
    outcome = fire(home, workspace, CALL)
    for dialect in ("codex", "deepagents", "mind"):
        assert "ls -l" in (workspace / dialect).read_text(), dialect
    assert outcome.updated_input == {"command": "ls -la"}
    assert outcome.rewrite == ("wuu", "claude-code")


def test_a_broken_file_of_one_leaves_the_verdicts_of_the_others_alone(home, workspace):
    for dialect in ORDER:
        configure(home, dialect, "none")
    configure(home, "mind", "deny")
    (home / ".claude" / "settings.json").write_text("{")
    (home / ".wuu" / "config.json").write_text("[")
    outcome = fire(home, workspace, CALL)
    assert (outcome.decision, outcome.decided_in) == ("deny", "mind")
    assert [run.dialect for run in outcome.runs] == ["codewhale", "codex", "deepagents", "mind"]


def test_the_context_of_all_is_joined_in_their_order(home, workspace):
    for dialect in ("claude-code", "codex", "deepagents", "mind"):
        answer = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": dialect}}
        write_hook(home, dialect, "SessionStart", prints(answer))
    outcome = fire(home, workspace, SessionStart(source="startup", session_id="s"))
    assert outcome.context == ("claude-code", "codex", "deepagents", "mind")


@pytest.mark.parametrize("asking", ["claude-code", "codewhale", "deepagents"])
@pytest.mark.parametrize("first", [True, False])
def test_a_question_is_not_lost_beneath_the_stop_of_another_ecosystem(home, workspace, asking, first):
    stopping = "claude-code" if asking != "claude-code" else "deepagents"
    configure(home, asking, "ask")
    configure(home, stopping, "stop")
    names = [asking, stopping] if first else [stopping, asking]
    outcome = fire(home, workspace, CALL, dialects=names)
    assert (outcome.decision, outcome.asks) == ("stop", True)
    assert outcome.refused == (stopping == "deepagents")


@pytest.mark.parametrize(("dialect", "refused"), [("claude-code", False), ("deepagents", True)])
def test_nor_beneath_the_stop_of_its_own(home, workspace, dialect, refused):
    answer = {
        "continue": False,
        "stopReason": "enough",
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"},
    }
    write_hook(home, dialect, "PreToolUse", prints(answer))
    outcome = fire(home, workspace, CALL)
    assert (outcome.decision, outcome.asks, outcome.refused) == ("stop", True, refused)


def test_a_gate_that_only_a_rewritten_call_concerns_judges_it(home, workspace):
    write_hook(home, "wuu", "PreToolUse", prints({"updated_input": {"command": "rm -rf build"}}))
    gate = {"type": "command", "command": "echo never >&2; exit 2", "if": "Bash(rm *)"}
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(
        json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [gate]}]}})
    )
    outcome = fire(home, workspace, CALL, mode="wuu")
    assert (outcome.refused, outcome.decided_in, outcome.reason) == (True, "claude-code", "never")
    assert not fire(home, workspace, CALL, dialects=["claude-code"]).runs


def test_a_gate_that_only_a_call_rewritten_in_python_concerns_judges_it(home, workspace):
    class Plugin:
        @hookimpl
        def pre_tool_use(self, event):
            return Effect(updated_input={"command": "rm -rf build"})

    host = Host.load()
    host.register(Plugin(), "rewriter")
    gate = {"type": "command", "command": "echo never >&2; exit 2", "if": "Bash(rm *)"}
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(
        json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [gate]}]}})
    )
    assert fire(home, workspace, CALL, host=host).refused
