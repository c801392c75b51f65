from __future__ import annotations

import pytest

from hookfw import Ended, PermissionRequest, PreToolUse, SessionStart, Stop, UserPromptSubmit

SHELL = PreToolUse(tool_name="Bash")


def answer(text, **more):
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": text}} | more


def test_context_and_message_of_a_run_that_ended_well_come_later(codex):
    given = codex.late(SHELL, codex.exited(answer("c", systemMessage="m")))
    assert (given.context, given.messages, given.feedback, given.diagnostics) == (("c",), ("m",), (), ())
    assert codex.late(UserPromptSubmit(), codex.exited("plain")).context == ("plain",)


@pytest.mark.parametrize(
    ("event", "stdout"),
    [
        (SHELL, ""),
        (SHELL, "plain"),
        (SHELL, '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "x"}}'),
        (SessionStart(), '{"continue": false, "stopReason": "x"}'),
        (Stop(), '{"decision": "block", "reason": "x"}'),
        (PermissionRequest(), '{"hookSpecificOutput": {"hookEventName": "Stop", "decision": {"behavior": "allow"}}}'),
        (SessionStart(), "{ broken"),
        (Stop(), "plain"),
    ],
)  # fmt: skip
def test_decisions_and_failures_come_to_nothing(codex, event, stdout):
    assert codex.late(event, codex.exited(stdout)) is None


@pytest.mark.parametrize(
    "ended",
    [
        Ended(state="exited", exit_code=1, stdout="text"),
        Ended(state="exited", exit_code=2, stderr="no"),
        Ended(state="timed_out", stdout="text"),
        Ended(state="not_started", error_kind="ENOENT"),
    ],
)
def test_of_a_run_that_did_not_end_well_the_model_hears_nothing(codex, ended):
    assert codex.late(UserPromptSubmit(), ended) is None


def test_context_that_is_too_long_is_cut_and_said(codex):
    given = codex.late(SessionStart(), codex.exited("a" * 10_001))
    assert given.context[0].startswith("Warning: truncated output (original token count: 2501)")
    assert [item.code for item in given.diagnostics] == ["context-cut"]
    whole = codex.late(SessionStart(), codex.exited("a" * 10_001), additionalContextLimit=0)
    assert whole.context == ("a" * 10_001,)
