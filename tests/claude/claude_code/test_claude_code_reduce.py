from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    ConfigChange,
    CwdChanged,
    Elicitation,
    PermissionRequest,
    PostToolBatch,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionStart,
    Stop,
    SubagentStop,
    TaskCreated,
    TeammateIdle,
    UserPromptSubmit,
)

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
PERMISSION = PermissionRequest(tool_name="Bash", tool_input={})
PROMPT = UserPromptSubmit(prompt="x")


def word(claude, decision, reason=None, **specific):
    return claude.said(
        "PreToolUse", permissionDecision=decision, permissionDecisionReason=reason or decision, **specific
    )


def test_without_runs_there_is_no_verdict(claude):
    verdict = claude.fire(CALL)
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == ("none", False, False)


@pytest.mark.parametrize("words", list(permutations(["deny", "defer", "ask", "allow"], 2)))
def test_deny_beats_defer_beats_ask_beats_allow(claude, words):
    order = ["deny", "defer", "ask", "allow"]
    verdict = claude.fire(CALL, *(word(claude, item) for item in words))
    assert verdict.decision == min(words, key=order.index)
    assert verdict.reason == verdict.decision
    assert verdict.refused is (verdict.decision in ("deny", "defer"))
    assert verdict.ends_turn is (verdict.decision == "defer")


@pytest.mark.parametrize(("decision", "reason"), [("deny", "slow"), ("ask", "fast"), ("allow", "fast")])
def test_of_denials_the_last_to_finish_gives_the_reason_of_others_the_first(claude, decision, reason):
    verdict = claude.fire(CALL, word(claude, decision, "slow"), word(claude, decision, "fast"), order=[1, 0])
    assert verdict.reason == reason
    assert verdict.decided_by == {"slow": "PreToolUse:0:0", "fast": "PreToolUse:1:0"}[reason]


def test_the_input_of_the_hook_that_finished_last_is_taken(claude):
    ends = [word(claude, "allow", updatedInput={"command": name}) for name in ("slow", "fast")]
    assert claude.fire(CALL, *ends, order=[1, 0]).updated_input == {"command": "slow"}


def test_a_hook_without_a_new_input_erases_none(claude):
    ends = [claude.said("PreToolUse", updatedInput={"command": "x"}), word(claude, "allow"), word(claude, "ask")]
    verdict = claude.fire(CALL, *ends)
    assert (verdict.decision, verdict.updated_input) == ("ask", {"command": "x"})


@pytest.mark.parametrize("decision", ["deny", "defer"])
def test_a_call_that_does_not_run_has_no_new_input(claude, decision):
    ends = [claude.said("PreToolUse", updatedInput={"command": "x"}), word(claude, decision)]
    assert claude.fire(CALL, *ends).updated_input is None


def test_texts_come_in_the_order_in_which_hooks_finished_also_beside_a_denial(claude):
    ends = [
        claude.said("PreToolUse", top={"systemMessage": name}, additionalContext=name, permissionDecision="deny")
        for name in ("slow", "fast")
    ]
    verdict = claude.fire(CALL, *ends, order=[1, 0])
    assert verdict.context == ("fast", "slow")
    assert verdict.messages == ("fast", "slow")


STOP = {"continue": False, "stopReason": "halt"}


def test_a_stop_ends_the_turn_and_the_call_still_runs(claude):
    verdict = claude.fire(CALL, claude.said("PreToolUse", top=STOP, updatedInput={"command": "x"}))
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == ("stop", False, True)
    assert (verdict.reason, verdict.stop_reason, verdict.updated_input) == ("halt", "halt", {"command": "x"})


@pytest.mark.parametrize("together", [True, False])
def test_a_denial_beside_a_stop_still_denies(claude, together):
    deny = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
    ends = (
        [claude.said("PreToolUse", top=STOP, **deny)]
        if together
        else [claude.exited(STOP), claude.said("PreToolUse", **deny)]
    )
    verdict = claude.fire(CALL, *ends)
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == ("stop", True, True)


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_first_answer_to_a_permission_request_counts(claude, order):
    allow = claude.said(
        "PermissionRequest", decision={"behavior": "allow", "updatedInput": {"a": 1}, "updatedPermissions": [1]}
    )
    deny = claude.said("PermissionRequest", decision={"behavior": "deny", "message": "no"})
    verdict = claude.fire(PERMISSION, allow, deny, order=order)
    if order == [0, 1]:
        assert (verdict.decision, verdict.refused, verdict.updated_input) == ("allow", False, {"a": 1})
        assert verdict.native == {"updatedPermissions": [1]}
    else:
        assert (verdict.decision, verdict.refused, verdict.updated_input, verdict.native) == ("deny", True, None, {})


def test_a_blocked_prompt_takes_every_context_with_it(claude):
    verdict = claude.fire(PROMPT, claude.exited({"decision": "block", "reason": "r"}), claude.exited("ctx"))
    assert (verdict.decision, verdict.refused, verdict.context) == ("block", True, ())


def test_a_stopped_prompt_is_refused(claude):
    verdict = claude.fire(PROMPT, claude.exited(STOP), claude.exited("ctx"))
    assert (verdict.decision, verdict.refused, verdict.ends_turn, verdict.context) == ("stop", True, True, ())


def test_contexts_of_a_prompt_add_up(claude):
    ends = [claude.said("UserPromptSubmit", additionalContext="one"), claude.exited("two\n")]
    assert claude.fire(PROMPT, *ends).context == ("one", "two")


@pytest.mark.parametrize("event", [PostToolUse(), PostToolUse(tool_success=False)])
def test_each_block_of_a_result_is_told_in_configuration_order_and_refuses_nothing(claude, event):
    ends = [claude.exited(code=2, stderr="one"), claude.exited(code=2, stderr="two")]
    verdict = claude.fire(event, *ends, order=[1, 0])
    assert (verdict.decision, verdict.feedback, verdict.refused) == ("block", ("one", "two"), False)


@pytest.mark.parametrize(
    "ended", [{"code": 2, "stderr": "e"}, {"stdout": '{"decision": "block"}'}, {"stdout": '{"continue": false}'}]
)
def test_a_batch_is_followed_by_no_further_request(claude, ended):
    verdict = claude.fire(PostToolBatch(), claude.exited(**ended))
    assert (verdict.refused, verdict.ends_turn) == (False, True)


@pytest.mark.parametrize("event", [SessionStart(), PreCompact(), CwdChanged(), TaskCreated()])
def test_where_a_stop_is_ignored(claude, event):
    verdict = claude.fire(event, claude.exited(STOP))
    assert (verdict.decision, verdict.ends_turn) == ("none", False)


@pytest.mark.parametrize("event", [PreCompact(), ConfigChange(source="skills"), TaskCreated(), TeammateIdle()])
def test_a_gate_that_blocks_refuses(claude, event):
    verdict = claude.fire(event, claude.exited({"decision": "block", "reason": "later"}))
    assert (verdict.decision, verdict.reason, verdict.refused) == ("block", "later", True)


def test_a_stopped_teammate_ends_its_turn(claude):
    verdict = claude.fire(TeammateIdle(), claude.exited(STOP))
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == ("stop", False, True)


def test_nobody_blocks_managed_settings(claude):
    verdict = claude.fire(ConfigChange(source="policy_settings"), claude.exited(code=2))
    assert (verdict.decision, verdict.refused) == ("none", False)
    assert [item.code for item in verdict.diagnostics] == ["block-overridden"]


ENDS = [Stop(), SubagentStop()]


@pytest.mark.parametrize("event", ENDS)
def test_every_hook_that_puts_off_the_end_gets_its_text_through(claude, event):
    ends = [claude.exited(code=2, stderr="one"), claude.exited({"decision": "block", "reason": "two"})]
    verdict = claude.fire(event, *ends, order=[1, 0])
    assert (verdict.decision, verdict.refused, verdict.feedback) == ("block", True, ("one", "two"))


@pytest.mark.parametrize("event", ENDS)
def test_context_alone_makes_the_agent_go_on(claude, event):
    ended = claude.said(claude.row(event).native_event, additionalContext="look again")
    verdict = claude.fire(event, ended)
    assert (verdict.decision, verdict.refused, verdict.feedback, verdict.context) == (
        "block",
        True,
        ("look again",),
        (),
    )
    assert verdict.decided_by is not None


@pytest.mark.parametrize("event", ENDS)
def test_a_stop_beats_every_block_of_an_end(claude, event):
    verdict = claude.fire(event, claude.exited(STOP), claude.exited(code=2, stderr="more"))
    assert (verdict.decision, verdict.refused, verdict.ends_turn, verdict.feedback) == ("stop", False, True, ())


@pytest.mark.parametrize(
    ("count", "cap", "obeyed"),
    [(0, None, True), (7, None, True), (8, None, False), (2, "2", False), (1, "2", True), (8, "x", False)],
)
@pytest.mark.parametrize("event", [Stop, SubagentStop])
def test_the_end_is_put_off_only_so_often(claude, event, count, cap, obeyed):
    environ = {} if cap is None else {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": cap}
    verdict = claude.fire(
        event(continuation_count=count), claude.exited(code=2, stderr="more"), session=claude.session(environ=environ)
    )
    assert (verdict.decision == "block") is obeyed
    assert bool(verdict.feedback) is obeyed
    assert [item.code for item in verdict.diagnostics] == ([] if obeyed else ["block-overridden"])


def test_what_is_to_be_watched_adds_up_and_other_native_fields_are_the_last_ones(claude):
    ends = [
        claude.said("SessionStart", watchPaths=["/a"], sessionTitle="one"),
        claude.said("SessionStart", watchPaths=["/b"], sessionTitle="two"),
    ]
    assert claude.fire(SessionStart(), *ends).native == {"watchPaths": ["/a", "/b"], "sessionTitle": "two"}


@pytest.mark.parametrize(("size", "whole"), [(10_000, True), (10_001, False)])
@pytest.mark.parametrize("field", ["context", "messages"])
def test_a_text_that_is_too_long_becomes_a_preview_and_a_file(claude, size, whole, field):
    text = "x" * size
    ended = claude.said("PreToolUse", top={"systemMessage": text}, additionalContext=text)
    verdict = claude.fire(CALL, ended)
    (told,) = getattr(verdict, field)
    if whole:
        assert told == text
        assert verdict.writes == ()
    else:
        write = verdict.writes[0]
        assert write.text == text
        assert write.path in told
        assert "x" * 2000 in told
        assert len(told) < 2500


def test_the_reason_of_a_denial_is_never_cut(claude):
    assert claude.fire(CALL, claude.exited(code=2, stderr="x" * 20_000)).reason == "x" * 20_000


def test_variables_come_in_configuration_order_later_over_earlier(claude):
    ends = [
        claude.exited(files={"CLAUDE_ENV_FILE": "export A=1 B=1\n"}),
        claude.exited(files={"CLAUDE_ENV_FILE": 'export B="$A$HOME"\nalias x=y\n'}),
    ]
    verdict = claude.fire(SessionStart(), *ends, order=[1, 0], session=claude.session(environ={"HOME": "/h"}))
    assert verdict.env == {"A": "1", "B": "1/h"}
    assert [item.code for item in verdict.diagnostics] == ["env-lines-ignored"]


def test_a_failed_hook_keeps_the_variables_it_wrote(claude):
    ended = claude.exited(code=1, files={"CLAUDE_ENV_FILE": "export A=1\n"})
    assert claude.fire(SessionStart(), ended).env == {"A": "1"}


WORDS = st.lists(st.sampled_from(["deny", "defer", "ask", "allow", "none"]), min_size=1, max_size=5)


@given(words=WORDS, data=st.data())
def test_whatever_the_order_a_denial_is_never_lost_and_nothing_is_allowed_by_accident(claude, words, data):
    order = data.draw(st.permutations(range(len(words))))
    ends = [claude.exited() if item == "none" else word(claude, item) for item in words]
    verdict = claude.fire(CALL, *ends, order=order)
    assert verdict.refused is bool({"deny", "defer"} & set(words))
    assert (verdict.decision == "allow") is (set(words) <= {"allow", "none"} and "allow" in words)


def test_standard_error_for_the_person_has_no_limit(claude):
    verdict = claude.fire(SessionStart(source="startup"), claude.exited("", 2, "e" * 20_000))
    assert (verdict.messages, verdict.writes) == (("e" * 20_000,), ())


def test_a_long_system_message_beside_it_still_has_one(claude):
    said = claude.said("SessionStart", top={"systemMessage": "m" * 10_001}, code=2, stderr="why")
    shown, told = claude.fire(SessionStart(source="startup"), said).messages
    assert (len(shown) < 10_001, told) == (True, "why")


@pytest.mark.parametrize("order", list(permutations(range(2))))
@pytest.mark.parametrize("exit_2", [True, False])
def test_a_declined_question_carries_no_other_hooks_answer(claude, order, exit_2):
    no = claude.exited("", 2, "no") if exit_2 else claude.said("Elicitation", action="decline")
    yes = claude.said("Elicitation", action="accept", content={"a": 1})
    verdict = claude.fire(Elicitation(mcp_server_name="s"), no, yes, order=order)
    assert (verdict.decision, verdict.native) == ("block", {"action": "decline"})
