from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    Ended,
    FileChanged,
    ModelRequest,
    PermissionRequest,
    PostCompact,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    failed,
    not_started,
)
from hookfw_wuu.prompts import STOCK_REASON
from hookfw_wuu.rules import CAP

CALL = PreToolUse(tool_name="bash", tool_input={"command": "ls"})
AFTER = PostToolUse(tool_name="bash", tool_response="ok")
BLOCK = '{"decision": "block", "reason": "no"}'

DENIED = (PreToolUse(), PermissionRequest())
BLOCKED = (UserPromptSubmit(), PreCompact(), PostCompact(), SubagentStart(), SubagentStop(), SessionStart(), Stop())
DROPPED = (PostToolUse(), PostToolUseFailure(), FileChanged())


def of_type(event):
    return type(event).__name__


@pytest.mark.parametrize("event", [*DENIED, *BLOCKED], ids=of_type)
@pytest.mark.parametrize("end", ["block", "exit 2", "failure", "timeout"])
def test_a_block_and_a_failure_refuse_alike(wuu, event, end):
    ended = {
        "block": wuu.exited(BLOCK),
        "exit 2": wuu.exited("{}", 2, "no"),
        "failure": wuu.exited(code=1, stderr="no"),
        "timeout": Ended(state="timed_out", stderr="no"),
    }[end]
    verdict = wuu.fire(event, ended, wuu.exited())
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == (
        "deny" if event in DENIED else "block",
        True,
        False,
    )
    assert "no" in verdict.reason
    assert verdict.decided_by == f"{of_type(event)}:0"
    assert (verdict.feedback, verdict.context) == ((), ())


def test_an_error_at_the_end_of_a_session_is_reported_and_refuses_nothing(wuu):
    verdict = wuu.fire(SessionEnd(), wuu.exited(BLOCK))
    assert (verdict.decision, verdict.refused, verdict.reason) == ("block", False, "no")


@pytest.mark.parametrize("event", DROPPED, ids=of_type)
@pytest.mark.parametrize("end", ["block", "exit 2", "failure"])
def test_an_error_after_the_fact_is_dropped_ends_the_row_and_is_told(wuu, event, end):
    ended = {"block": wuu.exited(BLOCK), "exit 2": wuu.exited(code=2), "failure": wuu.exited(code=1)}[end]
    verdict = wuu.fire(event, ended)
    assert (verdict.decision, verdict.refused, verdict.reason) == ("none", False, None)
    reading = wuu.read(event, ended)
    assert reading.ends_row
    assert [item.code for item in reading.diagnostics] == ["failed-hook" if end == "failure" else "dropped-block"]


@pytest.mark.parametrize("stdout", ["", "{}", "null", '{"continue":true}', '{"decision":"allow"}', "text", "[1]"])
def test_exit_two_blocks_whatever_was_printed(wuu, stdout):
    reading = wuu.read(CALL, wuu.exited(stdout, 2, "  said so \n"))
    assert (reading.status, reading.ends_row) == ("completed", True)
    assert (reading.effect.decision, reading.effect.reason) == ("deny", "said so")


@pytest.mark.parametrize(
    ("stdout", "code", "stderr", "reason"),
    [
        ('{"reason":"json"}', 2, "err", "json"),
        ('{"reason":""}', 2, " err\n", "err"),
        ('{"reason":5}', 2, "err", "err"),
        ("", 2, " \n", "The hook command `sh gate.sh` blocked this without a reason."),
        ('{"decision":"block"}', 0, "err", "err"),
        ('{"decision":"block"}', 0, "", "The hook command `sh gate.sh` blocked this without a reason."),
    ],
)
def test_the_ladder_of_a_blocks_reason(wuu, stdout, code, stderr, reason):
    assert wuu.read(CALL, wuu.exited(stdout, code, stderr)).effect.reason == reason


@pytest.mark.parametrize(
    ("kind", "cause", "remedy"),
    [
        ("ENOENT", "there is no `sh`", "see that PATH leads to `sh`"),
        ("EINVAL", "no program can be given it", "take the NUL or the half of a letter out of its command"),
    ],
)
def test_why_a_command_was_not_started_is_said_with_its_remedy(wuu, kind, cause, remedy):
    (said,) = wuu.read(CALL, not_started(kind)).diagnostics
    assert cause in said.message
    assert remedy in said.message
    assert "by hand" not in said.message


@pytest.mark.parametrize(
    ("ended", "status", "code", "word"),
    [
        (Ended(state="timed_out", exit_code=0, stdout=BLOCK), "timed_out", "hook-timed-out", "timed out after 30 s"),
        (Ended(state="exited", exit_code=0, stdout="{}", stdout_cut=True), "failed", "output-too-long", "output"),
        (Ended(state="exited", exit_code=2, stdout=BLOCK, stderr_cut=True), "failed", "output-too-long", "error"),
        (
            Ended(state="exited", exit_code=2, stdout_cut=True, pipes_held=True),
            "failed",
            "output-too-long",
            "1,048,576",
        ),
        (not_started("ENOENT"), "failed", "command-not-found", "ENOENT"),
        (not_started("EINVAL"), "failed", "failed-hook", "EINVAL"),
        (not_started("EAGAIN"), "failed", "failed-hook", "EAGAIN"),
        (not_started("DENIED"), "failed", "authority-denied", "DENIED"),
        (Ended(state="exited", exit_code=0, pipes_held=True), "failed", "pipe-held", "kept its output open"),
        (Ended(state="exited", exit_code=1, stdout=BLOCK), "failed", "failed-hook", "exit code 1"),
        (Ended(state="exited", exit_code=127), "failed", "command-not-found", "exit code 127"),
        (Ended(state="exited", exit_code=126), "failed", "command-not-executable", "exit code 126"),
        (Ended(state="exited", exit_code=-1), "failed", "failed-hook", "exit code -1"),
        (Ended(state="exited", signal=9), "failed", "failed-hook", "signal 9"),
        (Ended(state="exited"), "failed", "failed-hook", "without a status"),
        (Ended(state="cancelled"), "cancelled", "hook-cancelled", "cancelled"),
    ],
)
def test_a_failure_in_the_order_of_the_questions(wuu, ended, status, code, word):
    reading = wuu.read(CALL, ended)
    assert (reading.status, reading.ends_row) == (status, True)
    assert [item.code for item in reading.diagnostics] == [code]
    assert "the call is refused" in reading.diagnostics[0].message
    assert reading.effect.decision == "deny"
    assert word in reading.effect.reason
    assert reading.effect.updated_input is None


def test_a_failure_carries_standard_error_unless_that_was_cut(wuu):
    assert wuu.read(CALL, wuu.exited(code=3, stderr=" broke\n")).effect.reason.endswith("exit code 3: broke")
    cut = Ended(state="exited", exit_code=3, stderr="eee", stderr_cut=True)
    assert "eee" not in wuu.read(CALL, cut).effect.reason


def test_a_block_counts_although_a_pipe_is_held(wuu):
    reading = wuu.read(CALL, wuu.exited(BLOCK, 2, pipes_held=True))
    assert (reading.status, reading.effect.reason) == ("completed", "no")
    assert [item.code for item in reading.diagnostics] == ["pipe-held"]


def test_the_command_that_was_not_found_is_named_where_that_gives_nothing_away(wuu):
    reading = wuu.read(CALL, wuu.exited(code=127), wuu.hook(command="/opt/bin/check-shell --token=s3cret"))
    assert "`check-shell`" in reading.diagnostics[0].message
    assert "s3cret" not in reading.diagnostics[0].message


def test_a_rewrite_counts_before_a_tool_alone(wuu):
    rewrite = wuu.exited({"updated_input": {"a": 1}})
    assert wuu.fire(CALL, rewrite).updated_input == {"a": 1}
    for event in (PermissionRequest(), PostToolUse(), UserPromptSubmit(), Stop()):
        assert wuu.fire(event, rewrite).updated_input is None
        assert [item.code for item in wuu.read(event, rewrite).diagnostics] == ["unused-field"]


def test_context_counts_after_a_tool_alone(wuu):
    context = wuu.exited({"additional_context": "c"})
    assert wuu.fire(AFTER, context).context == ("c",)
    for event in (CALL, UserPromptSubmit(), SessionStart(), Stop()):
        assert wuu.fire(event, context).context == ()
        assert [item.code for item in wuu.read(event, context).diagnostics] == ["unused-field"]
    for event in (PostToolUseFailure(), FileChanged()):
        assert wuu.fire(event, context).context == ()
        assert wuu.read(event, context).diagnostics == ()


def test_the_last_rewrite_stands_also_beside_a_later_error(wuu):
    first, second = wuu.exited({"updated_input": {"a": 1}}), wuu.exited({"updated_input": {"b": 2}})
    assert wuu.fire(CALL, first, second, wuu.exited({"reason": "fine"})).updated_input == {"b": 2}
    verdict = wuu.fire(CALL, first, wuu.exited(code=1))
    assert (verdict.refused, verdict.updated_input) == (True, {"a": 1})


def test_the_reason_is_the_blocking_hooks(wuu):
    verdict = wuu.fire(CALL, wuu.exited({"reason": "looked fine"}), wuu.exited(BLOCK))
    assert (verdict.reason, verdict.decided_by) == ("no", "PreToolUse:1")
    assert wuu.fire(CALL, wuu.exited({"reason": "looked fine"})).reason is None


texts = st.text(alphabet="ab \n", max_size=4)


@given(st.lists(st.tuples(st.sampled_from(["fine", "block", "fail"]), texts), max_size=5))
def test_contexts_join_up_to_the_first_error_with_a_blank_line_between_them(wuu, row):
    kept, ends = [], []
    for how, context in row:
        answer = {"additional_context": context} | ({"decision": "block"} if how == "block" else {})
        ends.append(wuu.exited(answer, code=1 if how == "fail" else 0))
    for how, context in row:
        if how != "fail" and context:
            kept.append(context)
        if how != "fine":
            break
    assert wuu.fire(AFTER, *ends).context == (("\n\n".join(kept),) if kept else ())


@given(st.lists(st.sampled_from(["fine", "block", "fail", "rewrite"]), max_size=6))
def test_the_first_error_of_a_row_decides_and_nothing_after_it_counts(wuu, row):
    ends = {
        "fine": wuu.exited("{}"),
        "block": wuu.exited(BLOCK),
        "fail": wuu.exited(code=1),
        "rewrite": wuu.exited({"updated_input": {"x": 1}}),
    }
    verdict = wuu.fire(CALL, *(ends[how] for how in row))
    first = next((index for index, how in enumerate(row) if how in ("block", "fail")), None)
    assert verdict.decision in ("none", "deny")
    assert verdict.refused == (first is not None)
    assert verdict.decided_by == (None if first is None else f"PreToolUse:{first}")
    assert (verdict.updated_input is not None) == ("rewrite" in row[:first])


@pytest.mark.parametrize(
    ("name", "word"),
    [("PreToolUse", "newest"), ("PostToolUse", "blank line"), ("Stop", "marked as failed"), ("FileChanged", "dropped")],
)
def test_how_answers_become_one_is_told(wuu, name, word):
    told = wuu.dialect.reduction(name)
    assert "the first block or failure ends the row" in told
    assert word in told


# calls


def test_a_command_gets_the_event_the_environment_and_the_workspace(wuu):
    call = wuu.dialect.invocation(wuu.row(CALL), wuu.hook(timeout=7), wuu.session())
    assert (call.argv, call.cwd, call.timeout) == (("sh", "-c", "sh gate.sh"), "/srv/project", 7)
    assert (call.env, call.unset, call.stdout_cap, call.stderr_cap) == ({}, (), CAP, CAP)
    assert (call.kill.grace, call.kill.after_exit) == (None, False)
    assert call.stdin.startswith(b'{"hook_event_name":"PreToolUse","session_id":"","cwd":""')


def test_a_prompt_is_one_request_with_every_placeholder_filled(wuu):
    hook = wuu.hook(type="prompt", prompt="$ARGUMENTS or $ARGUMENTS?", model="small-1", timeout=9)
    call = wuu.dialect.invocation(wuu.row(CALL), hook, wuu.session())
    payload = wuu.row(CALL).stdin.decode()
    assert isinstance(call.config, ModelRequest)
    assert (call.config.user, call.config.model, call.timeout) == (f"{payload} or {payload}?", "small-1", 9)
    assert '"ok"' in call.config.system
    assert '"reason"' in call.config.system


def test_without_a_placeholder_nothing_of_the_event_is_sent(wuu):
    hook = wuu.hook(type="prompt", prompt="Is it a working day?")
    request = wuu.dialect.invocation(wuu.row(CALL), hook, wuu.session()).config
    assert (request.user, request.model) == ("Is it a working day?", None)


# prompts


def replied(text):
    return Ended(state="exited", exit_code=0, stdout=text)


def test_a_models_no_blocks_with_its_reason_or_a_stock_text(wuu):
    reading = wuu.read(CALL, replied('{"ok": false, "reason": "writes"}'), wuu.prompt())
    assert (reading.status, reading.ends_row) == ("completed", True)
    assert (reading.effect.decision, reading.effect.reason, reading.effect.context) == ("deny", "writes", ())
    assert wuu.read(CALL, replied("{}"), wuu.prompt()).effect.reason == STOCK_REASON


def test_a_models_yes_lets_through(wuu):
    reading = wuu.read(CALL, replied('{"ok": true, "reason": "reads only"}'), wuu.prompt())
    assert (reading.status, reading.ends_row, reading.effect.decision) == ("completed", False, "none")
    assert reading.diagnostics == ()


@pytest.mark.parametrize("ok", ["true", "false"])
def test_after_a_tool_the_models_reason_is_context(wuu, ok):
    reading = wuu.read(AFTER, replied(f'{{"ok": {ok}, "reason": "r"}}'), wuu.prompt("PostToolUse"))
    assert (reading.effect.decision, reading.effect.context) == ("none", ("r",))
    assert reading.ends_row == (ok == "false")


@pytest.mark.parametrize(
    ("ended", "status", "word"),
    [
        (failed("NO_CLIENT", "no client"), "failed", "no model client"),
        (failed("REQUEST_FAILED", "unreachable"), "failed", "unreachable"),
        (Ended(state="timed_out"), "timed_out", "no answer after 30 s"),
        (not_started("NO_HANDLER"), "failed", "no plugin"),
        (not_started("DENIED"), "failed", "revoked"),
        (Ended(state="cancelled"), "failed", "cancelled"),
        (replied("I think not."), "failed", "not one JSON object"),
        (replied('{"ok": "no"}'), "failed", "a text as `ok`"),
        (Ended(state="exited", exit_code=0, stdout='{"ok": false}', stdout_cut=True), "failed", "too long"),
    ],
)
def test_a_prompt_without_an_answer_lets_through_with_a_warning(wuu, ended, status, word):
    reading = wuu.read(CALL, ended, wuu.prompt())
    assert (reading.status, reading.ends_row, reading.effect.decision) == (status, False, "none")
    (told,) = reading.diagnostics
    assert (told.code, told.severity) == ("prompt-unanswered", "warning")
    assert word in told.message
    assert reading.error in told.message
