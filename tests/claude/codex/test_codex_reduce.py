from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    PermissionRequest,
    PostCompact,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionStart,
    Stop,
    SubagentStop,
    UserPromptSubmit,
)
from hookfw_claude.codex.reduce import NO_COMMAND

SHELL = PreToolUse(tool_name="Bash", tool_input={"command": "ls", "workdir": "/w"})


def deny(reason):
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


def rewrite(new, **more):
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": new,
            **more,
        }
    }


def context(text, event="PreToolUse"):
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def permit(behavior, **more):
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": behavior, **more}}}


def fire(codex, event, *answers, **options):
    return codex.fire(
        event, *(codex.exited(answer) if isinstance(answer, (dict, str)) else answer for answer in answers), **options
    )


def test_nothing_is_the_empty_verdict(codex):
    verdict = fire(codex, SHELL, "", "{}")
    assert (verdict.decision, verdict.refused, verdict.ends_turn, verdict.decided_by) == ("none", False, False, None)


def test_any_denial_denies_with_the_first_configured_reason_and_voids_new_inputs(codex):
    verdict = fire(codex, SHELL, rewrite({"command": "x"}), deny("first"), deny("second"), order=(2, 1, 0))
    assert (verdict.decision, verdict.reason, verdict.refused) == ("deny", "first", True)
    assert verdict.updated_input is None
    assert verdict.decided_by == "pre_tool_use:0:0"


def test_of_several_new_inputs_the_one_of_the_hook_that_finished_last_stands(codex):
    answers = rewrite({"command": "a"}), rewrite({"command": "b"})
    assert fire(codex, SHELL, *answers, order=(1, 0)).updated_input == {"command": "a", "workdir": "/w"}
    assert fire(codex, SHELL, *answers, order=(0, 1)).updated_input == {"command": "b", "workdir": "/w"}


@pytest.mark.parametrize(
    ("name", "given", "new", "updated"),
    [
        ("Bash", {"command": "ls"}, {"command": "x", "workdir": "/", "n": 1}, {"command": "x"}),
        ("Bash", None, {"command": "x"}, {"command": "x"}),
        ("exec_command", {"cmd": "ls", "workdir": "/w"}, {"command": "x"}, {"cmd": "x", "workdir": "/w"}),
        ("exec_command", {"command": "ls"}, {"command": "x"}, {"command": "x"}),
        ("shell", {"command": ["ls"], "timeout_ms": 5}, {"command": "x"}, {"command": ["bash", "-lc", "x"], "timeout_ms": 5}),
        ("apply_patch", {"input": "a"}, {"command": "b"}, {"input": "b"}),
        ("apply_patch", {"command": "a"}, {"command": "b"}, {"command": "b"}),
        ("mcp__a__b", {"x": 1}, {"y": 2}, {"y": 2}),
        ("mcp__a__b", {"x": 1}, ["z"], ["z"]),
    ],
)  # fmt: skip
def test_a_new_input_comes_in_the_fields_of_the_call(codex, name, given, new, updated):
    verdict = fire(codex, PreToolUse(tool_name=name, tool_input=given), rewrite(new))
    assert (verdict.decision, verdict.updated_input, verdict.refused) == ("none", updated, False)


@pytest.mark.parametrize("new", [{"cmd": "x"}, {"command": 5}, "x", []])
def test_a_shell_call_whose_new_input_has_no_command_fails(codex, new):
    verdict = fire(codex, SHELL, rewrite(new, additionalContext="c"))
    assert (verdict.decision, verdict.refused, verdict.reason) == ("deny", True, NO_COMMAND)
    assert (verdict.updated_input, verdict.context, verdict.decided_by) == (None, ("c",), "pre_tool_use:0:0")
    assert [item.code for item in verdict.diagnostics] == ["unusable-input"]
    assert fire(codex, SHELL, rewrite(new), rewrite({"command": "x"}), order=(0, 1)).decision == "none"


def test_contexts_stay_in_configuration_order_beside_a_denial(codex):
    verdict = fire(codex, SHELL, context("one"), deny("no"), context("two"), order=(2, 1, 0))
    assert verdict.context == ("one", "two")


def test_messages_of_all_runs_are_shown_failed_ones_too(codex):
    verdict = fire(codex, SHELL, {"systemMessage": "a"}, {"systemMessage": "b", "decision": "approve"})
    assert verdict.messages == ("a", "b")


def test_a_denied_permission_beats_an_allowed_one(codex):
    event = PermissionRequest(tool_name="Bash")
    verdict = fire(codex, event, permit("allow"), permit("deny", message="no"), permit("deny", message="later"))
    assert (verdict.decision, verdict.reason, verdict.refused) == ("deny", "no", True)
    assert fire(codex, event, "", permit("allow")).decision == "allow"
    assert not fire(codex, event, "", permit("allow")).refused


@pytest.mark.parametrize(
    "event", [PostToolUse(tool_name="x"), PostToolUseFailure(tool_name="x")], ids=lambda event: event.kind
)
def test_what_the_model_is_told_of_a_result_is_kept_in_order_and_refuses_nothing(codex, event):
    verdict = fire(codex, event, codex.exited(code=2, stderr="one"), {"decision": "block", "reason": "two"})
    assert (verdict.decision, verdict.reason, verdict.feedback) == ("block", "one", ("one", "two"))
    assert (verdict.refused, verdict.ends_turn) == (False, False)
    stopped = fire(codex, event, {"decision": "block", "reason": "b"}, {"continue": False, "stopReason": "s"})
    assert (stopped.decision, stopped.reason, stopped.stop_reason, stopped.feedback) == ("stop", "s", "s", ("b", "s"))
    assert (stopped.refused, stopped.ends_turn) == (False, False)


STOP = {"continue": False, "stopReason": "z"}


@pytest.mark.parametrize(
    ("event", "refused", "ends_turn"),
    [
        (SessionStart(), False, True),
        (UserPromptSubmit(), True, True),
        (PreCompact(), True, False),
        (PostCompact(), True, True),
        (Stop(), False, True),
        (SubagentStop(), False, True),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_what_a_stop_does(codex, event, refused, ends_turn):
    verdict = fire(codex, event, "{}", STOP)
    assert (verdict.decision, verdict.reason, verdict.stop_reason) == ("stop", "z", "z")
    assert (verdict.refused, verdict.ends_turn) == (refused, ends_turn)


def test_a_blocked_prompt_is_refused_and_contexts_are_kept(codex):
    verdict = fire(codex, UserPromptSubmit(), "kept", {"decision": "block", "reason": "no"})
    assert (verdict.decision, verdict.refused, verdict.context) == ("block", True, ("kept",))


@pytest.mark.parametrize("event", [Stop(stop_hook_active=True), SubagentStop()], ids=lambda event: event.kind)
def test_an_end_goes_on_with_every_prompt_however_often_and_a_stop_beats_that(codex, event):
    blocks = {"decision": "block", "reason": "a"}, {"decision": "block", "reason": "b"}
    verdict = fire(codex, event, *blocks, order=(1, 0))
    assert (verdict.decision, verdict.reason, verdict.feedback, verdict.refused) == ("block", "a", ("a", "b"), True)
    stopped = fire(codex, event, blocks[0], STOP)
    assert (stopped.decision, stopped.feedback, stopped.refused, stopped.ends_turn) == ("stop", (), False, True)


def test_every_text_has_its_own_limit(codex):
    long = "x" * 10_001
    verdict = fire(codex, UserPromptSubmit(), "y" * 9_000, long)
    assert verdict.context[0] == "y" * 9_000
    assert "original token count: 2501" in verdict.context[1]
    assert [write.text for write in verdict.writes] == [long]
    small = fire(codex, SessionStart(), "x" * 500, additionalContextLimit=50)
    assert "original token count: 125" in small.context[0]
    assert fire(codex, SessionStart(), long, additionalContextLimit=0).context == (long,)


def test_what_the_model_is_told_is_bounded_and_reasons_and_messages_are_not(codex):
    long = "x" * 12_000
    assert len(fire(codex, PostToolUse(), {"decision": "block", "reason": long}).feedback[0]) < 10_500
    assert len(fire(codex, Stop(), {"decision": "block", "reason": long}).feedback[0]) < 10_500
    assert fire(codex, SHELL, deny(long) | {"systemMessage": long}).reason == long
    assert fire(codex, SHELL, {"systemMessage": long}).messages == (long,)


ANSWERS = st.sampled_from(["", "no json", deny("d"), rewrite({"command": "x"}), rewrite({}), context("c"), {"decision": "block", "reason": "b"}, {"continue": False}])  # fmt: skip


@given(
    st.lists(ANSWERS, max_size=5).flatmap(
        lambda answers: st.tuples(st.just(answers), st.permutations(range(len(answers))))
    )
)
def test_a_call_is_either_refused_or_rewritten_and_the_order_of_ends_changes_only_the_new_input(codex, drawn):
    answers, order = drawn
    verdict = fire(codex, SHELL, *answers, order=order)
    assert verdict.refused is (verdict.decision == "deny")
    assert not (verdict.refused and verdict.updated_input is not None)
    other = fire(codex, SHELL, *answers)
    assert verdict.context == other.context
    if deny("d") in answers or {"decision": "block", "reason": "b"} in answers:
        assert (verdict.decision, verdict.reason) == (other.decision, other.reason)
