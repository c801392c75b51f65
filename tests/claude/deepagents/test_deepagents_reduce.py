from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookfw import (
    Done,
    Effect,
    Notification,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    Run,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
)
from hookfw_claude.deepagents.reduce import reduce

CALL = PreToolUse(tool_name="Bash")
HALT = {"continue": False, "stopReason": "enough"}


def permission(word, reason=None):
    fields = {"permissionDecision": word} | ({"permissionDecisionReason": reason} if reason is not None else {})
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}}


def answer(behavior, **fields):
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": behavior, **fields}}}


def context(event, text):
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def test_no_hook_no_verdict(bench):
    assert reduce(CALL, []).decision == "none"


@pytest.mark.parametrize(
    ("words", "decision", "reason", "refused"),
    [
        (["allow", "ask", "deny"], "deny", "deny2", True),
        (["ask", "allow"], "ask", "ask0", False),
        (["allow", "allow"], "allow", "allow0", False),
        (["deny", "deny"], "deny", "deny0", True),
        (["defer"], "none", None, False),
    ],
)
def test_the_strongest_permission_wins_and_the_first_of_equals(bench, words, decision, reason, refused):
    answers = [permission(word, f"{word}{at}") for at, word in enumerate(words)]
    verdict, _ = bench.says(CALL, *answers)
    assert (verdict.decision, verdict.reason, verdict.refused, verdict.ends_turn) == (decision, reason, refused, False)


def test_the_winner_keeps_its_own_reason_even_where_it_has_none(bench):
    verdict, _ = bench.says(CALL, permission("deny"), permission("deny", "second"))
    assert (verdict.decision, verdict.reason, verdict.refused) == ("deny", None, True)


def test_contexts_of_all_count_in_order_whatever_was_decided(bench):
    verdict, _ = bench.says(CALL, context("PreToolUse", "a"), bench.blocks("no"), context("PreToolUse", "b"))
    assert (verdict.decision, verdict.context) == ("deny", ("a", "b"))


def test_an_empty_context_is_none(bench):
    assert bench.says(CALL, context("PreToolUse", ""))[0].context == ()


def test_a_prompt_is_denied_by_any_allowed_by_any_else_left_to_the_person(bench):
    prompt = PermissionRequest(tool_name="Bash")
    assert bench.says(prompt, {})[0].decision == "none"
    allowed, _ = bench.says(prompt, {}, answer("allow"))
    assert (allowed.decision, allowed.refused) == ("allow", False)
    denied, _ = bench.says(prompt, answer("allow"), answer("deny", message="no", interrupt=True))
    assert (denied.decision, denied.reason, denied.refused) == ("deny", "no", True)
    assert denied.native == {"interrupt": True}


def test_a_blocked_prompt_takes_its_context_and_suppression_with_it(bench):
    shown = {
        "hookSpecificOutput": {
            "hookEventName": "UserPromptSubmit",
            "additionalContext": "c",
            "suppressOriginalPrompt": True,
        }
    }
    prompt = UserPromptSubmit(prompt="hi")
    kept, _ = bench.says(prompt, shown, {})
    assert (kept.decision, kept.context, kept.suppress_prompt) == ("none", ("c",), True)
    blocked, _ = bench.says(prompt, shown, bench.blocks("first"), bench.blocks("second"))
    assert (blocked.decision, blocked.reason, blocked.refused) == ("block", "first", True)
    assert (blocked.context, blocked.suppress_prompt) == ((), False)
    for halt in (HALT, {"continue": False}):
        stopped, _ = bench.says(prompt, shown, halt)
        assert (stopped.decision, stopped.refused) == ("stop", True)
        assert (stopped.context, stopped.suppress_prompt) == ((), False)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [("block", "stop", "why"), ("stop", "block", "enough")],
)
@pytest.mark.parametrize("event", [UserPromptSubmit(prompt="hi"), PreCompact(trigger="manual")])
def test_the_first_reason_of_a_block_or_a_stop_is_the_reason(bench, event, first, second, reason):
    said = {"block": bench.blocks("why"), "stop": HALT}
    verdict, _ = bench.says(event, said[first], said[second])
    assert (verdict.decision, verdict.reason, verdict.stop_reason) == ("stop", reason, "enough")
    assert (verdict.refused, verdict.context) == (True, ())


@pytest.mark.parametrize("event", [PostToolUse(tool_name="Bash"), PostToolUseFailure(tool_name="Bash")])
def test_after_a_tool_every_feedback_and_every_context_reaches_the_model(bench, event):
    name = bench.row(event).native_event
    verdict, _ = bench.says(
        event, bench.blocks("one"), context(name, "c"), {"decision": "block", "reason": "two"}, context(name, "d")
    )
    assert (verdict.decision, verdict.feedback, verdict.context) == ("block", ("one", "two"), ("c", "d"))
    assert (verdict.refused, verdict.ends_turn) == (False, False)


def test_a_stop_after_a_tool_stops_nothing_and_its_reason_is_told_last(bench):
    verdict, _ = bench.says(PostToolUse(), HALT, bench.blocks("one"))
    assert (verdict.decision, verdict.reason, verdict.feedback) == ("stop", "enough", ("one", "enough"))
    assert (verdict.refused, verdict.ends_turn) == (False, False)


def test_every_request_to_go_on_adds_its_text(bench):
    verdict, _ = bench.says(
        Stop(), bench.blocks("one"), {}, context("Stop", "two"), {"decision": "block", "reason": "three"}
    )
    assert (verdict.decision, verdict.reason, verdict.refused) == ("block", "one", True)
    assert (verdict.feedback, verdict.context) == (("one", "two", "three"), ())


def test_a_stop_from_anyone_ends_the_turn_all_the_same(bench):
    verdict, _ = bench.says(Stop(), bench.blocks("go on"), HALT)
    assert (verdict.decision, verdict.reason, verdict.feedback) == ("stop", "enough", ())
    assert (verdict.ends_turn, verdict.refused) == (True, False)


@pytest.mark.parametrize(("count", "goes_on"), [(None, True), (0, True), (7, True), (8, False), (9, False)])
def test_the_ninth_continuation_in_a_row_is_refused_and_said(bench, count, goes_on):
    verdict, codes = bench.says(Stop(continuation_count=count, stop_hook_active=True), bench.blocks("again"))
    assert bool(verdict.feedback) is goes_on
    assert (verdict.decision == "block") is goes_on
    assert codes == ([] if goes_on else ["continuation-cap"])


def test_that_the_turn_was_prolonged_before_forbids_nothing(bench):
    assert bench.says(Stop(stop_hook_active=True), bench.blocks("again"))[0].feedback == ("again",)


def test_a_finished_subagent_cannot_go_on_and_its_parent_is_told(bench):
    verdict, codes = bench.says(SubagentStop(), context("SubagentStop", "a"), bench.blocks("b"))
    assert (verdict.decision, verdict.context, verdict.refused) == ("none", ("a", "b"), False)
    assert codes == ["unsupported-block"]


@pytest.mark.parametrize(
    ("event", "decision", "refused", "ends_turn"),
    [
        (SessionStart(), "stop", True, True),
        (UserPromptSubmit(), "stop", True, True),
        (CALL, "stop", True, True),
        (PermissionRequest(), "stop", True, True),
        (PostToolUse(), "stop", False, False),
        (PostToolUseFailure(), "stop", False, False),
        (PreCompact(), "stop", True, False),
        (Stop(), "stop", False, True),
        (SubagentStart(), "stop", True, False),
        (Notification(notification_type="agent_completed"), "stop", False, False),
        (SubagentStop(), "none", False, False),
        (SessionEnd(), "none", False, False),
    ],
)
def test_what_continue_false_does_for_each_event(bench, event, decision, refused, ends_turn):
    verdict, _ = bench.says(event, HALT, {"continue": True})
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == (decision, refused, ends_turn)
    assert verdict.stop_reason == ("enough" if decision == "stop" else None)
    assert verdict.decided_by == (f"{bench.row(event).native_event}:0:0" if decision == "stop" else None)


def test_the_first_stop_reason_holds_and_the_others_are_told(bench):
    verdict, codes = bench.says(CALL, {"continue": False}, HALT, {"continue": False, "stopReason": "later"})
    assert (verdict.reason, codes) == ("enough", ["additional-stop-reason"])


def test_the_reason_of_a_denial_comes_before_that_of_a_stop(bench):
    verdict, _ = bench.says(CALL, HALT, permission("deny", "no"))
    assert (verdict.decision, verdict.reason, verdict.stop_reason) == ("stop", "no", "enough")


def test_a_stopped_prompt_is_rejected_with_the_stop_s_reason_although_a_hook_allowed_it(bench):
    verdict, _ = bench.says(PermissionRequest(), answer("allow"), HALT)
    assert (verdict.decision, verdict.reason, verdict.refused) == ("stop", "enough", True)
    assert verdict.native == {"interrupt": True}


def test_messages_and_sequences_come_in_configuration_order(bench):
    said = [{"systemMessage": text, "terminalSequence": "\a"} for text in "ab"]
    verdict, _ = bench.says(Notification(), *said)
    assert (verdict.messages, verdict.terminal_sequences) == (("a", "b"), ("\a", "\a"))


EFFECTS = st.builds(
    Effect,
    decision=st.sampled_from(["none", "allow", "ask", "deny"]),
    reason=st.none() | st.text(max_size=2),
    context=st.lists(st.text(min_size=1, max_size=2), max_size=2).map(tuple),
    messages=st.lists(st.text(max_size=2), max_size=1).map(tuple),
    stop_reason=st.none() | st.text(max_size=2),
    detail=st.sampled_from([None, "stopped"]),
)


@given(st.lists(EFFECTS, max_size=5), st.randoms(use_true_random=False))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_who_ended_first_changes_nothing_and_a_refusal_is_never_lost(bench, effects, shuffle: random.Random):
    hook, row = bench.hook(), bench.row(CALL)
    run = Run("id", hook.name, "deepagents", hook.event, "command", hook.source.path, "completed")
    done = [Done(hook, row, run, effect, at, len(effects) - at) for at, effect in enumerate(effects)]
    shuffled = list(done)
    shuffle.shuffle(shuffled)
    verdict = reduce(CALL, done)
    assert reduce(CALL, shuffled) == verdict
    assert verdict.refused == any(effect.decision == "deny" or effect.detail == "stopped" for effect in effects)
    if verdict.decision == "allow":
        assert all(effect.decision in ("none", "allow") for effect in effects)
