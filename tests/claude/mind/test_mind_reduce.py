from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookfw import (
    PermissionRequest,
    PostCompact,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
)
from hookfw_claude.mind.spill import summary

SHELL = PreToolUse(tool_name="shell_command", tool_input={"command": "ls", "cwd": "x"}, session_id="sid_1")


def specific(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def deny(reason, **fields):
    return specific("PreToolUse", permissionDecision="deny", permissionDecisionReason=reason, **fields)


def rewrite(**value):
    return specific("PreToolUse", permissionDecision="allow", updatedInput=value)


def permit(behavior, **fields):
    return specific("PermissionRequest", decision={"behavior": behavior, **fields})


def test_the_first_configured_reason_stands_whoever_finished_first(mind):
    verdict = mind.fire(SHELL, mind.exited(deny("one")), mind.exited(deny("two")), order=[1, 0])
    assert (verdict.decision, verdict.reason, verdict.refused, verdict.ends_turn) == ("deny", "one", True, False)
    assert verdict.decided_by == "PreToolUse:0:0"


def test_a_denial_drops_new_inputs_and_keeps_contexts_in_configuration_order(mind):
    ends = [
        mind.exited(rewrite(command="x")),
        mind.exited(deny("no", additionalContext="two")),
        mind.exited(specific("PreToolUse", additionalContext="three")),
    ]
    verdict = mind.fire(SHELL, *ends, order=[2, 1, 0])
    assert (verdict.updated_input, verdict.context) == (None, ("two", "three"))


@pytest.mark.parametrize(("order", "command"), [([0, 1], "b"), ([1, 0], "a")])
def test_the_input_of_the_hook_that_finished_last_is_taken_whole(mind, order, command):
    verdict = mind.fire(SHELL, mind.exited(rewrite(command="a")), mind.exited(rewrite(command="b", x=1)), order=order)
    assert verdict.updated_input == {"command": command, "cwd": "x"}
    assert (verdict.decision, verdict.refused) == ("none", False)


@pytest.mark.parametrize(
    ("tool", "given", "new", "result"),
    [
        ("shell_command", {"command": "a", "cwd": "x"}, {"command": "b", "cwd": "y"}, {"command": "b", "cwd": "x"}),
        ("exec_command", {"command": "a"}, {"command": "b", "sudo": True}, {"command": "b"}),
        ("Bash", {"command": "a", "timeout": 5}, {"command": "b"}, {"command": "b", "timeout": 5}),
        ("shell_command", None, {"command": "b"}, {"command": "b"}),
        ("apply_patch", {"patch": "a", "force": True}, {"command": "b"}, {"patch": "b", "force": True}),
        ("apply_patch", {"command": "a"}, {"command": "b"}, {"command": "b"}),
        ("write_stdin", {"session_id": "1"}, {"session_id": "2"}, {"session_id": "2"}),
        ("read_file", {"path": "a", "x": 1}, {"path": "b"}, {"path": "b"}),
    ],
)
def test_a_new_input_comes_back_in_the_fields_of_the_call(mind, tool, given, new, result):
    event = PreToolUse(tool_name=tool, tool_input=given)
    assert mind.fire(event, mind.exited(rewrite(**new))).updated_input == result


def test_permissions_deny_before_allow_before_silence(mind):
    ask = PermissionRequest(tool_name="x")
    verdict = mind.fire(
        ask, mind.exited(permit("allow")), mind.exited(permit("deny", message="a")), mind.exited(permit("deny"))
    )
    assert (verdict.decision, verdict.reason, verdict.refused) == ("deny", "a", True)
    verdict = mind.fire(ask, mind.exited(""), mind.exited(permit("allow")))
    assert (verdict.decision, verdict.refused) == ("allow", False)
    assert mind.fire(ask, mind.exited("")).decision == "none"


def test_after_a_tool_all_feedback_is_kept_in_order_and_nothing_is_refused(mind):
    stop = mind.exited({"continue": False, "reason": "one"})
    block = mind.exited({"decision": "block", "reason": "two"})
    verdict = mind.fire(PostToolUse(), block, stop)
    assert (verdict.decision, verdict.reason, verdict.feedback) == ("stop", "one", ("two", "one"))
    assert (verdict.refused, verdict.ends_turn) == (False, False)
    verdict = mind.fire(PostToolUse(), block)
    assert (verdict.decision, verdict.refused) == ("block", False)


@pytest.mark.parametrize(
    ("event", "refused", "ends_turn"),
    [
        (UserPromptSubmit(), True, True),
        (SessionStart(), False, True),
        (PreCompact(), True, False),
        (PostCompact(), True, True),
        (Stop(), False, True),
        (SubagentStop(), False, True),
        (PostToolUse(), False, False),
    ],
    ids=lambda value: getattr(value, "kind", value),
)
def test_what_a_stop_comes_to(mind, event, refused, ends_turn):
    verdict = mind.fire(event, mind.exited({"continue": False, "stopReason": "enough"}))
    assert (verdict.decision, verdict.reason, verdict.stop_reason) == ("stop", "enough", "enough")
    assert (verdict.refused, verdict.ends_turn) == (refused, ends_turn)


def test_a_blocked_prompt_is_refused_and_keeps_the_contexts(mind):
    block = {"decision": "block", "reason": "no", **specific("UserPromptSubmit", additionalContext="mine")}
    verdict = mind.fire(UserPromptSubmit(), mind.exited("kept"), mind.exited(block))
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == ("block", True, False)
    assert verdict.context == ("kept", "mine")


@pytest.mark.parametrize("event", [Stop(), SubagentStop()], ids=lambda event: event.kind)
def test_an_end_goes_on_with_every_reason_unless_somebody_stops_it(mind, event):
    blocks = [mind.exited({"decision": "block", "reason": "one"}), mind.exited(code=2, stderr="two")]
    verdict = mind.fire(event, *blocks)
    assert (verdict.decision, verdict.feedback, verdict.reason, verdict.refused) == (
        "block",
        ("one", "two"),
        "one",
        True,
    )
    verdict = mind.fire(event, *blocks, mind.exited({"continue": False}))
    assert (verdict.decision, verdict.feedback, verdict.refused, verdict.ends_turn) == ("stop", (), False, True)


def test_a_sub_agent_goes_on_at_most_three_times(mind):
    block = mind.exited({"decision": "block", "reason": "more"})
    assert mind.fire(SubagentStop(continuation_count=2), block).refused
    verdict = mind.fire(SubagentStop(continuation_count=3), block)
    assert (verdict.decision, verdict.feedback, verdict.refused) == ("none", (), False)
    assert [item.code for item in verdict.diagnostics] == ["continuation-limit"]
    assert mind.fire(Stop(continuation_count=99), block).refused
    assert mind.fire(SubagentStop(continuation_count=3), mind.exited({"continue": False})).ends_turn


def test_a_prompt_that_a_stop_drops_is_not_spilled(mind):
    block = mind.exited({"decision": "block", "reason": "x" * 21})
    assert mind.fire(Stop(), block, mind.exited({"continue": False}), additionalContextLimit=5).writes == ()


def test_messages_of_all_valid_runs_in_order_and_of_no_failed_one(mind):
    ends = [mind.exited({"systemMessage": text}, code=code) for text, code in (("a", 0), ("b", 1), ("c", 0))]
    assert mind.fire(Stop(), *ends).messages == ("a", "c")


def test_a_context_within_its_limit_is_untouched(mind):
    verdict = mind.fire(UserPromptSubmit(), mind.exited("x" * 20), additionalContextLimit=5)
    assert (verdict.context, verdict.writes) == (("x" * 20,), ())
    assert mind.fire(UserPromptSubmit(), mind.exited("x" * 10_000)).writes == ()
    assert mind.fire(UserPromptSubmit(), mind.exited("x" * 1_000_000), additionalContextLimit=0).context == (
        "x" * 1_000_000,
    )


def test_a_context_over_its_limit_is_a_summary_and_a_file_of_the_session(mind):
    whole = "HEAD" + "é" * 13 + "TAIL"
    verdict = mind.fire(UserPromptSubmit(session_id="sid_1"), mind.exited(whole), additionalContextLimit=5)
    folder = sha256(b"sid_1").hexdigest()[:16]
    (write,) = verdict.writes
    assert write.path == f"/tmp/scratch/{folder}/additional-context-11111111-2222-3333-4444-555555555555.log"
    assert (write.text, write.append, write.mode) == (whole, False, 0o600)
    (context,) = verdict.context
    assert write.path in context.splitlines()[0]
    assert context.splitlines()[1:] == ["size_bytes: 34", "head:", "HEADéééééé", "tail:", "ééééééTAIL"]


def test_the_limit_is_per_hook_and_bounds_the_prompt_of_an_end_too(mind):
    ends = [
        mind.exited({"decision": "block", "reason": "x" * 21}),
        mind.exited({"decision": "block", "reason": "short"}),
    ]
    verdict = mind.fire(Stop(), *ends, additionalContextLimit=5)
    assert "/continuation-prompt-" in verdict.feedback[0]
    assert verdict.feedback[1] == "short"
    assert verdict.reason == verdict.feedback[0]
    contexts = mind.fire(UserPromptSubmit(), mind.exited("x" * 20), mind.exited("y" * 20), additionalContextLimit=5)
    assert contexts.writes == ()


def test_a_text_past_the_cap_is_a_summary_even_without_a_limit(mind):
    verdict = mind.fire(UserPromptSubmit(), mind.exited("x" * 30_000, stdout_cut=True), additionalContextLimit=0)
    assert "size_bytes: 30000" in verdict.context[0]
    assert len(verdict.context[0]) < 10_300


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_over_256_kib_also_goes_to_a_file_and_the_answer_is_read(mind, stream):
    long = "x" * (256 * 1024 + 1)
    ended = mind.exited(stdout=long if stream == "stdout" else "", stderr=long if stream == "stderr" else "")
    verdict = mind.fire(SHELL, ended)
    (write,) = verdict.writes
    assert f"/{stream}-" in write.path
    assert write.text == long
    assert [item.code for item in verdict.diagnostics] == ["spilled-output"]
    assert mind.fire(SHELL, mind.exited("x" * 256 * 1024)).writes == ()
    assert mind.fire(SHELL, mind.exited("é" * 131_073)).writes != ()


def test_an_event_without_a_session_files_under_a_fixed_name(mind):
    verdict = mind.fire(
        Stop(), mind.exited(code=2, stderr="x" * 21), additionalContextLimit=5, session=mind.session(id=None)
    )
    assert f"/{sha256(b'session').hexdigest()[:16]}/" in verdict.writes[0].path


def test_a_sub_agent_is_given_twelve_thousand_characters_in_all(mind):
    ends = [mind.exited("a" * 8000), mind.exited("b" * 8000), mind.exited("c")]
    verdict = mind.fire(SubagentStart(), *ends)
    assert verdict.context == ("a" * 8000, "b" * 3997 + "...")
    assert [item.code for item in verdict.diagnostics] == ["context-cut"]
    exact = mind.fire(SubagentStart(), mind.exited("a" * 8000), mind.exited("b" * 4000))
    assert (len(exact.context), exact.diagnostics) == (2, ())
    dropped = mind.fire(SubagentStart(), mind.exited("a" * 8000), mind.exited("b" * 4000), mind.exited("c"))
    assert (len(dropped.context), len(dropped.diagnostics)) == (2, 1)
    narrow = mind.fire(SubagentStart(), mind.exited("a" * 8000), mind.exited("b" * 3998), mind.exited("cccc"))
    assert narrow.context[2] == ".."


@given(st.text(min_size=1, max_size=200), st.integers(1, 20))
def test_a_summary_is_bounded_and_has_both_ends(whole, limit):
    text = summary(whole, limit, "stdout", "/p")
    head, tail = text.split("head:\n", 1)[1].rsplit("\ntail:\n", 1)
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(head) + len(tail) <= limit * 4
    assert f"size_bytes: {len(whole.encode())}" in text


EFFECTS = st.lists(
    st.sampled_from(["", "deny a", "deny b", "rewrite a", "rewrite b", "context", "fail"]), min_size=1, max_size=5
)


@settings(max_examples=100, deadline=None)
@given(EFFECTS, st.randoms())
def test_only_the_input_depends_on_who_finished_when(mind, kinds, random):
    made = {
        "": mind.exited(""),
        "deny a": mind.exited(deny("a")),
        "deny b": mind.exited(deny("b")),
        "rewrite a": mind.exited(rewrite(command="a")),
        "rewrite b": mind.exited(rewrite(command="b")),
        "context": mind.exited(specific("PreToolUse", additionalContext="c")),
        "fail": mind.exited(code=1),
    }
    ends = [made[kind] for kind in kinds]
    order = list(range(len(ends)))
    random.shuffle(order)
    plain, shuffled = mind.fire(SHELL, *ends), mind.fire(SHELL, *ends, order=order)
    for field in ("decision", "reason", "context", "refused", "messages", "decided_by"):
        assert getattr(plain, field) == getattr(shuffled, field)
    denied = [kind for kind in kinds if kind.startswith("deny")]
    rewriters = [(order[at], kind) for at, kind in enumerate(kinds) if kind.startswith("rewrite")]
    expected = None if denied or not rewriters else {"command": max(rewriters)[1][-1], "cwd": "x"}
    assert shuffled.updated_input == expected
    assert shuffled.reason == (denied[0][-1] if denied else None)
