from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Ended, UserPromptSubmit
from hookfw.process import not_started

PROMPT = UserPromptSubmit(prompt="hello there")
BLOCKED = "message_submit hook blocked submission"
FAILED = "message_submit hook failed and blocked submission"


@pytest.fixture
def fire(bench):
    def run(*runs, event=PROMPT):
        made = [
            (bench.hook("message_submit", name=f"h{number}", continue_on_error=not strict), ended)
            for number, (ended, strict) in enumerate(runs)
        ]
        return bench.fire(event, *made)

    return run


def answer(bench, code=0, **fields):
    return bench.exited(json.dumps(fields), code)


def test_a_text_replaces_the_prompt_and_the_last_one_stands(bench, fire):
    verdict, readings = fire((answer(bench, text="one"), False), (answer(bench, text="two"), False))
    assert (verdict.prompt, verdict.decision, verdict.refused) == ("two", "none", False)
    assert [reading.effect.prompt for reading in readings] == ["one", "two"]


def test_a_replacement_equal_to_the_original_is_none(bench, fire):
    assert fire((answer(bench, text="hello there"), False))[0].prompt is None


@pytest.mark.parametrize("stdout", ["", " \n", '{"reason": "only for blocks"}', "{}"])
def test_silence_and_an_object_without_text_change_nothing_and_are_no_fault(bench, fire, stdout):
    verdict, readings = fire((bench.exited(stdout), False))
    assert verdict.prompt is None
    assert readings[0].diagnostics == ()


@pytest.mark.parametrize(
    ("stdout", "code"),
    [
        ("canary", "invalid-output"),
        ('["canary"]', "invalid-output"),
        ('{"text": ""}', "invalid-output"),
        ('{"text": 7}', "invalid-output"),
        ('{"text": null}', "invalid-output"),
        (json.dumps({"text": "x" * 32_001}), "invalid-output"),
        ('loading canary\n{"text": "x"}', "not-one-json"),
        ('{"hookSpecificOutput": {"canary": 1}}', "wrong-shape"),
    ],
)
def test_an_invalid_answer_is_ignored_and_told_without_repeating_it(bench, fire, stdout, code):
    verdict, readings = fire((bench.exited(stdout), True))
    assert verdict.prompt is None
    assert readings[0].status == "completed"
    assert [note.code for note in readings[0].diagnostics] == [code]
    assert "h0" in readings[0].diagnostics[0].message
    assert "canary" not in readings[0].diagnostics[0].message


def test_the_limit_of_a_replacement_counts_characters(bench, fire):
    assert fire((answer(bench, text="鲸" * 32_000), False))[0].prompt == "鲸" * 32_000


def test_output_that_was_cut_is_no_answer(bench, fire):
    verdict, readings = fire((bench.exited('{"text": "x"}', stdout_cut=True), False))
    assert verdict.prompt is None
    assert readings[0].diagnostics[0].code == "output-cut"


@pytest.mark.parametrize("strict", [True, False])
def test_exit_two_blocks_at_once_with_the_structured_reason(bench, fire, strict):
    ended = answer(bench, 2, reason="see /etc/x token=abc", text="no")
    verdict, readings = fire((ended, strict), (answer(bench, text="later"), False))
    assert (verdict.decision, verdict.refused, verdict.prompt) == ("block", True, None)
    assert verdict.reason == "see [path] [secret]"
    assert verdict.decided_by == "h0"
    assert [reading.status for reading in readings] == ["completed"]


@pytest.mark.parametrize("stdout", ["", "canary", '{"reason": " \\t"}', '{"reason": 7}', '{"text": "canary"}'])
def test_exit_two_without_a_reason_has_the_fixed_one_and_says_so(bench, fire, stdout):
    verdict, readings = fire((bench.exited(stdout, 2, stderr="canary"), False))
    assert verdict.reason == BLOCKED
    assert "no-reason" in [note.code for note in readings[0].diagnostics]
    assert not any("canary" in note.message for note in readings[0].diagnostics)


@pytest.mark.parametrize(
    ("ended", "reason", "status"),
    [
        (Ended(state="exited", exit_code=7, stdout="canary", stderr="canary"), FAILED, "failed"),
        (Ended(state="exited", exit_code=7, stdout='{"reason":"no ticket","text":"x"}'), "no ticket", "failed"),
        (Ended(state="exited", signal=9, stdout='{"reason":"canary"}'), FAILED, "failed"),
        (Ended(state="timed_out", stdout='{"reason":"canary"}'), "hook timed out after 30s", "timed_out"),
        (Ended(state="timed_out", confirmed=False), "hook did not complete cleanly", "timed_out"),
        (not_started("ENOENT"), "hook process could not be started (NotFound)", "failed"),
        (not_started("DENIED"), "Hook authority was denied: its approval was revoked", "failed"),
    ],
)
def test_any_other_failure_blocks_when_strict_and_ends_the_row(bench, fire, ended, reason, status):
    verdict, readings = fire((ended, True), (answer(bench, text="later"), False))
    assert (verdict.decision, verdict.reason, verdict.prompt) == ("block", reason, None)
    assert [reading.status for reading in readings] == [status]
    assert "canary" not in str(readings[0].diagnostics)


@pytest.mark.parametrize(
    ("ended", "message"),
    [
        (Ended(state="exited", exit_code=7, stdout='{"text":"not used"}'), "message_submit hook exited with code 7"),
        (Ended(state="exited", exit_code=7, stdout='{"reason":"token=abc"}'), "[secret]"),
        (Ended(state="timed_out"), "hook timed out after 30s"),
    ],
)
def test_a_lenient_failure_warns_the_person_and_the_next_hook_runs(bench, fire, ended, message):
    verdict, readings = fire((ended, False), (answer(bench, text="later"), False))
    assert (verdict.decision, verdict.refused, verdict.prompt) == ("none", False, "later")
    assert verdict.messages == (message,)
    assert readings[0].error is not None


@given(st.text(), st.sampled_from([0, 1, 2, None]), st.booleans())
def test_no_output_ever_becomes_a_reason_or_a_diagnostic_as_it_is(bench, noise, code, strict):
    canary = f"zq{noise}canary"
    hook = bench.hook("message_submit", continue_on_error=not strict)
    ended = Ended(state="exited", exit_code=code, stdout=canary, stderr=canary)
    verdict, readings = bench.fire(PROMPT, (hook, ended))
    assert "canary" not in f"{verdict.reason} {verdict.messages} {verdict.prompt} {readings[0].diagnostics}"
    assert verdict.refused == (code == 2 or (strict and code != 0))
