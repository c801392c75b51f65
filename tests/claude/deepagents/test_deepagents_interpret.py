from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookfw import (
    Ended,
    Notification,
    PermissionRequest,
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
)
from hookfw_claude.deepagents.interpret import is_allowed_sequence
from hookfw_claude.deepagents.rules import BLOCKED, EVENTS, KEEP_WORKING

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
OF_EVENT = {
    "SessionStart": SessionStart(source="startup"),
    "UserPromptSubmit": UserPromptSubmit(prompt="hi"),
    "SessionEnd": SessionEnd(reason="other"),
    "PermissionRequest": PermissionRequest(tool_name="Bash"),
    "Notification": Notification(notification_type="agent_completed"),
    "PreToolUse": CALL,
    "PostToolUse": PostToolUse(tool_name="Bash"),
    "PostToolUseFailure": PostToolUseFailure(tool_name="Bash"),
    "PreCompact": PreCompact(trigger="auto"),
    "Stop": Stop(),
    "SubagentStart": SubagentStart(agent_type="a"),
    "SubagentStop": SubagentStop(agent_type="a"),
}


def read(bench, event, facts):
    row = bench.row(event)
    reading = bench.dialect.interpret(row, bench.hook(row.native_event), facts)
    return reading, [note.code for note in reading.diagnostics]


def test_the_table_of_events_is_complete():
    assert list(OF_EVENT) == list(EVENTS)


@pytest.mark.parametrize(
    ("name", "decision", "reason", "feedback", "context", "codes"),
    [
        ("SessionStart", "none", None, (), (), ["unsupported-block"]),
        ("UserPromptSubmit", "block", "why", (), (), []),
        ("SessionEnd", "none", None, (), (), ["unsupported-block"]),
        ("PermissionRequest", "deny", "why", (), (), []),
        ("Notification", "none", None, (), (), ["unsupported-block"]),
        ("PreToolUse", "deny", "why", (), (), []),
        ("PostToolUse", "block", "why", ("why",), (), []),
        ("PostToolUseFailure", "block", "why", ("why",), (), []),
        ("PreCompact", "block", "why", (), (), []),
        ("Stop", "block", "why", ("why",), (), []),
        ("SubagentStart", "none", None, (), (), ["unsupported-block"]),
        ("SubagentStop", "none", None, (), ("why",), ["unsupported-block"]),
    ],
)
def test_exit_2_and_a_block_at_the_top_take_the_path_of_their_event(
    bench, name, decision, reason, feedback, context, codes
):
    for facts in (bench.blocks(" why \n"), bench.exited(json.dumps({"decision": "block", "reason": "why"}))):
        reading, noted = read(bench, OF_EVENT[name], facts)
        effect = reading.effect
        assert reading.status == "completed"
        assert (effect.decision, effect.reason, effect.feedback, effect.context) == (
            decision,
            reason,
            feedback,
            context,
        )
        assert noted == codes


def test_a_block_without_a_reason_blocks_with_a_text_of_its_own(bench):
    for facts in (bench.blocks(), bench.exited('{"decision": "block"}')):
        assert read(bench, CALL, facts)[0].effect.reason == BLOCKED


def test_exit_2_does_not_look_at_standard_output(bench):
    facts = bench.exited(json.dumps({"systemMessage": "m", "decision": "block", "reason": "other"}), 2, stderr="why")
    reading, codes = read(bench, CALL, facts)
    assert (reading.effect.reason, reading.effect.messages, codes) == ("why", (), [])


@pytest.mark.parametrize("output", ["", " \n"])
def test_silence_asks_for_nothing(bench, output):
    reading, codes = read(bench, CALL, bench.exited(output))
    assert (reading.status, reading.effect.decision, codes) == ("completed", "none", [])


@pytest.mark.parametrize("name", EVENTS)
def test_plain_text_is_context_at_a_start_and_a_prompt_and_a_mistake_elsewhere(bench, name):
    reading, codes = read(bench, OF_EVENT[name], bench.exited(" two\nlines \n"))
    assert reading.status == "completed"
    if name in ("SessionStart", "UserPromptSubmit"):
        assert (reading.effect.context, codes) == (("two\nlines",), [])
    else:
        assert (reading.effect.context, codes) == ((), ["malformed-json"])


@pytest.mark.parametrize("output", ["42", '"text"', "[1]", "null", "true"])
def test_json_that_is_no_object_is_an_invalid_answer_not_text(bench, output):
    reading, codes = read(bench, SessionStart(), bench.exited(output))
    assert (reading.status, reading.effect.context, codes) == ("failed", (), ["invalid-output"])


@pytest.mark.parametrize(
    "answer",
    [
        {"decision": "approve"},
        {"continue": None},
        {"suppressOutput": None},
        {"systemMessage": 5},
        {"hookSpecificOutput": {"permissionDecision": "deny"}},
        {"hookSpecificOutput": {"hookEventName": "SessionEnd"}},
        {"hookSpecificOutput": {"hookEventName": "Notification"}},
        {"hookSpecificOutput": {"hookEventName": "PreCompact"}},
        {"hookSpecificOutput": {"hookEventName": "PermissionRequest"}},
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "Deny"}},
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "updatedInput": "x"}},
    ],
)
def test_one_field_of_the_wrong_shape_voids_the_whole_answer_its_message_included(bench, answer):
    reading, codes = read(bench, CALL, bench.exited(json.dumps({"systemMessage": "hello"} | answer)))
    assert (reading.status, reading.effect.messages, codes) == ("failed", (), ["invalid-output"])
    assert reading.error == "invalid output"


@pytest.mark.parametrize(
    "answer",
    [
        {"stopReason": None, "systemMessage": None, "terminalSequence": None, "decision": None, "reason": None},
        {"hookSpecificOutput": None},
        {"continue": "true", "suppressOutput": "false"},
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": None, "anything": 1}},
    ],
)
def test_null_is_fine_for_texts_and_words_can_be_booleans(bench, answer):
    reading, codes = read(bench, CALL, bench.exited(json.dumps(answer)))
    assert (reading.status, reading.effect.decision, codes) == ("completed", "none", [])


def test_unknown_fields_at_the_top_are_told_one_by_one_sorted_and_the_rest_counts(bench):
    answer = {"permissionDecision": "allow", "colour": 1, **bench.specific("PreToolUse", permissionDecision="deny")}
    reading, codes = read(bench, CALL, bench.exited(json.dumps(answer)))
    assert (reading.effect.decision, codes) == ("deny", ["unsupported-field"] * 2)
    assert ["`colour`" in note.message for note in reading.diagnostics] == [True, False]


def test_an_output_for_another_event_is_ignored_alone(bench):
    answer = {"systemMessage": "m", **bench.specific("SessionStart", additionalContext="c")}
    reading, codes = read(bench, CALL, bench.exited(json.dumps(answer)))
    assert (reading.effect.messages, reading.effect.context, codes) == (("m",), (), ["mismatched-output"])


@pytest.mark.parametrize("code", [1, 91, 126, 127])
def test_any_other_status_is_a_failure_that_decides_nothing_and_is_named(bench, code):
    answer = json.dumps(bench.specific("PreToolUse", permissionDecision="deny"))
    reading, codes = read(bench, CALL, bench.exited(answer, code))
    assert (reading.status, reading.effect.decision, codes) == ("failed", "none", ["nonzero-exit"])
    assert str(code) in reading.diagnostics[0].message
    assert ("'gate'" in reading.diagnostics[0].message) == (code > 125)


@pytest.mark.parametrize(
    ("facts", "status", "code"),
    [
        ({"state": "timed_out", "stdout": '{"decision": "block"}'}, "timed_out", "timeout"),
        ({"state": "cancelled"}, "cancelled", "cancelled"),
        ({"state": "not_started", "error_kind": "ENOENT"}, "failed", "launch-failed"),
        ({"state": "not_started", "error_kind": "EACCES"}, "failed", "launch-failed"),
        ({"state": "exited", "signal": 9}, "failed", "nonzero-exit"),
    ],
)
def test_a_run_without_an_answer_blocks_nothing_and_says_why(bench, facts, status, code):
    reading, codes = read(bench, CALL, Ended(**facts))
    assert (reading.status, reading.effect.decision, codes) == (status, "none", [code])


def test_an_empty_command_is_named_as_such(bench):
    hook = bench.hook(command=" ")
    facts = Ended(state="not_started", error_kind="ENOENT")
    assert bench.dialect.interpret(bench.row(CALL), hook, facts).diagnostics[0].code == "invalid-command"


def test_what_was_cut_and_what_held_the_output_open_is_told_and_the_decision_counts(bench):
    facts = bench.exited(code=2, stderr="why", stdout_cut=True, stderr_cut=True, pipes_held=True)
    reading, codes = read(bench, CALL, facts)
    assert reading.effect.decision == "deny"
    assert codes == ["stdout-truncated", "stderr-truncated", "pipe-held"]


@pytest.mark.parametrize("mark", ["", "\ufffd\ufffd"])
@pytest.mark.parametrize("first", ["", "\0"])
def test_json_in_utf16_that_was_taken_for_utf8_still_counts(bench, mark, first):
    wide = "".join(f"{first}{letter}" + ("" if first else "\0") for letter in '{"decision": "block", "reason": "no"}\n')
    assert read(bench, CALL, bench.exited(mark + wide))[0].effect.reason == "no"


def test_text_with_nul_characters_stays_text(bench):
    assert read(bench, SessionStart(), bench.exited("a\0b"))[0].effect.context == ("a\0b",)


# Fields that are read and not applied.


@pytest.mark.parametrize("field", ["initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"])
def test_fields_of_a_start_that_say_something_are_told(bench, field):
    real = {"watchPaths": ["/a"], "reloadSkills": True}.get(field, "t")
    empty = {"watchPaths": [], "reloadSkills": False}.get(field, "")
    for value, codes in ((real, ["unsupported-field"]), (empty, [])):
        answer = bench.specific("SessionStart", additionalContext="c", **{field: value})
        reading, noted = read(bench, SessionStart(), bench.exited(json.dumps(answer)))
        assert (reading.effect.context, noted) == (("c",), codes)


@pytest.mark.parametrize(
    ("event", "field", "value"),
    [
        (UserPromptSubmit(), "sessionTitle", ""),
        (PostToolUse(), "updatedToolOutput", 0),
        (PostToolUse(), "updatedMCPToolOutput", {}),
    ],
)
def test_other_fields_are_told_unless_they_are_null(bench, event, field, value):
    name = bench.row(event).native_event
    for given_value, codes in ((value, ["unsupported-field"]), (None, [])):
        answer = bench.specific(name, additionalContext="c", **{field: given_value})
        reading, noted = read(bench, event, bench.exited(json.dumps(answer)))
        assert (reading.effect.context, noted) == (("c",), codes)


@pytest.mark.parametrize(("word", "left"), [("allow", "none"), ("ask", "none"), ("deny", "deny"), (None, "none")])
def test_a_rewrite_takes_an_allow_or_ask_down_and_leaves_a_deny(bench, word, left):
    answer = bench.specific("PreToolUse", permissionDecision=word, updatedInput={"command": "x"}, additionalContext="c")
    reading, codes = read(bench, CALL, bench.exited(json.dumps(answer)))
    effect = reading.effect
    assert (effect.decision, effect.updated_input, effect.context, codes) == (left, None, ("c",), ["unsupported-field"])
    assert "updatedInput" in reading.diagnostics[0].message


def test_defer_is_no_decision_and_never_an_allow(bench):
    answer = bench.specific("PreToolUse", permissionDecision="defer")
    reading, codes = read(bench, CALL, bench.exited(json.dumps(answer)))
    assert (reading.effect.decision, codes) == ("none", ["unsupported-field"])


def test_permissions_to_remember_leave_the_allow_and_a_rewrite_does_not(bench):
    def prompt(**decision):
        answer = bench.specific("PermissionRequest", decision={"behavior": "allow", **decision})
        reading, codes = read(bench, PermissionRequest(), bench.exited(json.dumps(answer)))
        return reading.effect.decision, codes

    assert prompt() == ("allow", [])
    assert prompt(updatedPermissions=[]) == ("allow", [])
    assert prompt(updatedPermissions=[{"type": "setMode"}]) == ("allow", ["unsupported-field"])
    assert prompt(updatedInput={}) == ("none", ["unsupported-field"])


def test_a_denied_prompt_may_interrupt(bench):
    answer = bench.specific("PermissionRequest", decision={"behavior": "deny", "message": "no", "interrupt": True})
    effect = read(bench, PermissionRequest(), bench.exited(json.dumps(answer)))[0].effect
    assert (effect.decision, effect.reason, effect.native) == ("deny", "no", {"interrupt": True})


def test_a_block_and_a_permission_in_one_answer_deny_with_the_block_s_reason(bench):
    for word in ("allow", "ask", "deny"):
        answer = {"decision": "block", "reason": "first"} | bench.specific(
            "PreToolUse", permissionDecision=word, permissionDecisionReason="second"
        )
        effect = read(bench, CALL, bench.exited(json.dumps(answer)))[0].effect
        assert (effect.decision, effect.reason) == ("deny", "first")


def test_context_on_stop_asks_to_go_on_and_one_hook_can_ask_twice(bench):
    answer = {"decision": "block", "reason": "one"} | bench.specific("Stop", additionalContext="two")
    effect = read(bench, Stop(), bench.exited(json.dumps(answer)))[0].effect
    assert (effect.decision, effect.feedback, effect.context) == ("block", ("one", "two"), ())
    empty = read(bench, Stop(), bench.exited(json.dumps(bench.specific("Stop", additionalContext=""))))[0].effect
    assert (empty.decision, empty.feedback) == ("block", (KEEP_WORKING,))


# Common fields.


def test_suppress_output_hides_the_hook_s_own_message_and_nothing_else(bench):
    answer = {"suppressOutput": True, "systemMessage": "m", "terminalSequence": "\a"}
    effect = read(bench, CALL, bench.exited(json.dumps(answer)))[0].effect
    assert (effect.messages, effect.terminal_sequences) == ((), ("\a",))


def test_a_stop_reason_without_a_stop_is_ignored_and_told(bench):
    reading, codes = read(bench, CALL, bench.exited('{"stopReason": "why"}'))
    assert (reading.effect.stop_reason, codes) == (None, ["ignored-stop-reason"])


@pytest.mark.parametrize(
    ("sequence", "allowed"),
    [
        ("\a", True),
        ("\x1b]2;build\a", True),
        ("\x1b]9;done\x1b\\\a\x1b]777;notify;a;b\a", True),
        ("\x1b]99;;é\a", True),
        ("", False),
        ("hello", False),
        ("\ahello", False),
        ("\x1b]52;c;aGk=\a", False),
        ("\x1b]2;a\x1bb\a", False),
        ("\x1b]2;a\x9bb\a", False),
        ("\x1b]2;build", False),
        ("\x1b[2J", False),
    ],
)
def test_only_bells_titles_and_notices_are_written_to_the_terminal(bench, sequence, allowed):
    assert is_allowed_sequence(sequence) is allowed
    reading, codes = read(bench, CALL, bench.exited(json.dumps({"systemMessage": "m", "terminalSequence": sequence})))
    assert reading.effect.terminal_sequences == ((sequence,) if allowed else ())
    assert (reading.effect.messages, codes) == (("m",), [] if allowed else ["invalid-terminal-sequence"])


@given(st.text(), st.sampled_from(list(EVENTS)), st.sampled_from([0, 1, 2]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_hook_prints_is_read(bench, output, name, code):
    reading, _ = read(bench, OF_EVENT[name], bench.exited(output, code, stderr=output))
    assert reading.status in ("completed", "failed")
    assert reading.effect.decision != "allow"
