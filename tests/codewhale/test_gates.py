from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Ended, PreToolUse
from hookfw.process import not_started
from hookfw_codewhale.gates import bounded

CALL = PreToolUse(tool_name="bash", tool_input={"command": "ls"}, tool_use_id="call_7")
FIXED = "ToolCallBefore hook denied tool execution"
SENTENCE = "Tool call `bash` is denied: no verdict came, and `continue_on_error = false` is set: "


def answer(code=0, **fields):
    return Ended(state="exited", exit_code=code, stdout=json.dumps(fields))


@pytest.fixture
def fire(bench):
    def run(*runs, event=CALL):
        lenient = [(bench.hook(name=f"h{number}"), ended) for number, ended in enumerate(runs)]
        return bench.fire(event, *lenient)

    return run


@pytest.mark.parametrize(
    "ended", [answer(), answer(decision="allow"), answer(status="fine"), answer(decision=["deny"])]
)
def test_what_is_no_denial_lets_the_call_through_and_grants_nothing(fire, ended):
    verdict, readings = fire(ended)
    assert (verdict.decision, verdict.refused, verdict.updated_input) == ("none", False, None)
    assert readings[0].status == "completed"


@pytest.mark.parametrize("stdout", ["", "plain words", '[{"decision":"deny"}]', "null"])
def test_what_is_no_object_says_nothing(bench, fire, stdout):
    verdict, readings = fire(bench.exited(stdout))
    assert verdict.decision == "none"
    assert readings[0].status == "completed"


@pytest.mark.parametrize("code", [0, 1])
def test_a_printed_deny_denies_whatever_the_exit_code(fire, code):
    verdict, readings = fire(answer(code, decision="deny", reason="branch is frozen"))
    assert (verdict.decision, verdict.refused, verdict.ends_turn) == ("deny", True, False)
    assert (verdict.reason, verdict.decided_by) == ("branch is frozen", "h0")
    assert readings[0].status == ("failed" if code else "completed")
    assert not readings[0].ends_row


def test_the_reason_is_bounded_sanitised_and_redacted(fire):
    verdict, _ = fire(answer(decision="deny", reason="no\x07 /etc/x\r\n " + "n" * 3_000))
    assert verdict.reason == "no [path] " + "n" * (2_000 - len("no  /etc/x\n ")) + "…[truncated]"


@pytest.mark.parametrize("reason", [None, "", " \t ", 7, ["x"]])
def test_a_denial_without_a_reason_has_the_fixed_one(fire, reason):
    verdict, readings = fire(answer(decision="deny", reason=reason))
    assert verdict.reason == FIXED
    assert "no-reason" in [note.code for note in readings[0].diagnostics]


def test_exit_two_denies_whatever_was_printed_and_raw_output_is_no_reason(bench, fire):
    ended = Ended(state="exited", exit_code=2, stdout='{"decision":"allow"}', stderr="canary")
    verdict, readings = fire(ended)
    assert (verdict.decision, verdict.reason) == ("deny", FIXED)
    assert readings[0].status == "completed"
    assert "canary" not in str(readings[0].diagnostics)


@pytest.mark.parametrize("depth", [200, 500, 900, 100_000])
def test_exit_two_denies_however_deep_what_was_printed_is_nested(fire, depth):
    nested = '{"updatedInput": {"n": ' + "[" * depth + "]" * depth + "}}"
    verdict, readings = fire(Ended(state="exited", exit_code=2, stdout=nested))
    assert (verdict.decision, verdict.refused) == ("deny", True)
    assert readings[0].status == "completed"


def test_a_number_beyond_all_numbers_makes_no_answer(fire):
    verdict, _ = fire(Ended(state="exited", exit_code=0, stdout='{"updatedInput": {"n": 1e999}}'))
    assert verdict.updated_input is None


def test_the_reason_of_exit_two_stands_before_an_earlier_printed_deny(fire):
    verdict, _ = fire(
        answer(decision="deny", reason="printed"), answer(2, reason="first"), answer(2, reason="second exit")
    )
    assert (verdict.reason, verdict.decided_by) == ("first", "h1")


def test_of_several_printed_denials_the_first_gives_the_reason(fire):
    verdict, _ = fire(answer(decision="deny", reason="one"), answer(decision="deny", reason="two"))
    assert (verdict.reason, verdict.decided_by) == ("one", "h0")


def test_deny_stands_before_ask_before_allow(fire):
    ask, allow, deny = answer(decision="ask", reason="sure?"), answer(decision="allow"), answer(decision="deny")
    assert fire(allow, ask, deny)[0].decision == "deny"
    verdict, _ = fire(allow, ask, allow)
    assert (verdict.decision, verdict.refused, verdict.reason, verdict.decided_by) == ("ask", False, "sure?", "h1")


def test_the_last_rewrite_stands_and_a_silent_hook_erases_none(fire):
    verdict, _ = fire(answer(updatedInput={"a": 1}), answer(decision="ask", updatedInput={"b": 2}), answer())
    assert (verdict.decision, verdict.updated_input) == ("ask", {"b": 2})


def test_with_a_denial_no_rewrite_and_no_context_goes_out(fire):
    verdict, _ = fire(
        answer(updatedInput={"a": 1}, additionalContext="x"), answer(decision="deny", updatedInput={"b": 2})
    )
    assert (verdict.updated_input, verdict.context) == (None, ())


@pytest.mark.parametrize("rewrite", ["rm -rf /", [1], 7, True, {"command": "x" * 32_755}])
def test_a_rewrite_that_is_no_object_or_too_large_is_ignored_and_told(fire, rewrite):
    verdict, readings = fire(answer(decision="ask", updatedInput=rewrite))
    assert (verdict.decision, verdict.updated_input) == ("ask", None)
    assert [note.code for note in readings[0].diagnostics] == ["ignored-rewrite"]


@pytest.mark.parametrize("text", ["x" * 32_754, "鲸" * 10_918])
def test_a_rewrite_of_exactly_32_kib_counts(fire, text):
    assert fire(answer(updatedInput={"command": text}))[0].updated_input == {"command": text}


def test_a_null_rewrite_is_none(fire):
    verdict, readings = fire(answer(updatedInput=None))
    assert verdict.updated_input is None
    assert readings[0].diagnostics == ()


def test_contexts_are_bounded_each_and_keep_lines(fire):
    verdict, _ = fire(answer(additionalContext="one\r\n\ttwo\x1b[2J"), answer(additionalContext="x" * 2_001))
    assert verdict.context == ("one\n\ttwo [2J", "x" * 2_000 + "…[truncated]")


@given(st.lists(st.text(alphabet="a\n", max_size=3_000).map(lambda text: text or "b"), max_size=7), st.integers(1, 9))
def test_contexts_together_are_what_cutting_their_join_gives(contexts, times):
    contexts = [context * times for context in contexts]
    joined = "\n".join(contexts)
    cut = joined if len(joined) <= 8_000 else joined[:8_000] + "…[truncated]"
    assert "\n".join(bounded(contexts)) == cut


@pytest.mark.parametrize("extra", [[], ["z"], ["", "z"]])
def test_contexts_that_fill_the_room_to_the_last_character(extra):
    assert "\n".join(bounded(["x" * 8_000, *extra])) == "x" * 8_000 + ("…[truncated]" if extra else "")


@pytest.mark.parametrize(
    ("ended", "detail", "status"),
    [
        (Ended(state="timed_out", stdout='{"decision":"allow"}'), "hook timed out after 30s", "timed_out"),
        (Ended(state="timed_out", confirmed=False), "hook did not complete cleanly", "timed_out"),
        (Ended(state="exited", signal=9, stdout='{"decision":"allow"}'), "hook returned no verdict", "failed"),
        (Ended(state="exited", exit_code=1, stdout='{"decision":"maybe"}'), "hook returned no verdict", "failed"),
        (not_started("ENOTDIR"), "hook process could not be started (NotADirectory)", "failed"),
        (not_started("EACCES"), "hook process could not be started (PermissionDenied)", "failed"),
        (not_started("E2BIG"), "hook process could not be started (ArgumentListTooLong)", "failed"),
        (not_started("EINVAL"), "hook process could not be started (InvalidInput)", "failed"),
        (not_started("EMFILE"), "hook process could not be started (Other)", "failed"),
        (not_started("DENIED"), "Hook authority was denied: its approval was revoked", "failed"),
        (not_started("NO_HANDLER"), "hook executor did not run", "failed"),
        (Ended(state="cancelled"), "hook did not complete cleanly", "cancelled"),
    ],
)
def test_a_strict_gate_without_a_verdict_denies_and_names_itself_and_the_cause(bench, ended, detail, status):
    verdict, readings = bench.fire(CALL, (bench.strict(), ended), (bench.hook(name="later"), answer()))
    assert (verdict.decision, verdict.refused, verdict.decided_by) == ("deny", True, "gate")
    assert verdict.reason == f"{SENTENCE}gate: {detail}"
    assert [reading.status for reading in readings] == [status]
    assert len(readings[0].diagnostics) >= 1


def test_a_lenient_gate_without_a_verdict_has_no_say_even_if_it_printed_a_deny(bench):
    ended = Ended(state="exited", signal=9, stdout='{"decision":"deny","additionalContext":"x"}')
    verdict, readings = bench.fire(CALL, (bench.hook(), ended), (bench.hook(name="later"), answer()))
    assert (verdict.decision, verdict.context) == ("none", ())
    assert len(readings) == 2
    assert readings[0].diagnostics[0].code == "failed-hook"


def test_a_strict_gate_that_exits_badly_with_a_decision_has_answered_and_still_ends_the_row(bench):
    ended = answer(1, decision="allow", updatedInput={"a": 1})
    verdict, readings = bench.fire(CALL, (bench.strict(), ended), (bench.hook(name="later"), answer(decision="deny")))
    assert (verdict.decision, verdict.updated_input) == ("none", {"a": 1})
    assert len(readings) == 1


def test_a_strict_gate_that_is_silent_and_exits_well_lets_the_call_through(bench):
    verdict, readings = bench.fire(CALL, (bench.strict(), answer()), (bench.hook(name="later"), answer()))
    assert verdict.decision == "none"
    assert len(readings) == 2


def test_exit_two_of_a_strict_gate_ends_the_row(bench):
    verdict, readings = bench.fire(CALL, (bench.strict(), answer(2, reason="no")), (bench.hook(), answer()))
    assert verdict.reason == "no"
    assert len(readings) == 1


def test_a_missing_verdict_stands_before_exit_two(bench):
    verdict, _ = bench.fire(CALL, (bench.hook(name="two"), answer(2, reason="no")), (bench.strict(), answer(1)))
    assert (verdict.reason, verdict.decided_by) == (f"{SENTENCE}gate: hook returned no verdict", "gate")


def test_names_in_the_refusal_are_bounded_and_a_hook_without_one_is_called_unnamed(bench):
    long = bench.strict(name="g\n" * 100)
    assert bench.fire(CALL, (long, answer(1)))[0].reason.endswith(f"{'g ' * 32}…[truncated]: hook returned no verdict")
    unnamed = bench.strict(name=None)
    verdict, _ = bench.fire(CALL.replace(tool_name="t" * 99), (unnamed, answer(1)))
    assert verdict.reason.endswith("(unnamed): hook returned no verdict")
    assert f"`{'t' * 64}…[truncated]`" in verdict.reason
    assert verdict.decided_by == "tool_call_before#0"


@pytest.mark.parametrize(
    ("stdout", "code"),
    [
        ('{"hookSpecificOutput":{"permissionDecision":"deny"}}', "wrong-shape"),
        ('{"continue":false}', "wrong-shape"),
        ('{"decision":"deny"}\n{"decision":"deny"}', "not-one-json"),
        ('checking… {"decision":"deny"}', "not-one-json"),
        ('{"decision":"block"}', "unknown-decision"),
        ('{"decision":true}', "unknown-decision"),
    ],
)
def test_an_answer_that_says_nothing_here_is_told_by_name_without_repeating_it(bench, fire, stdout, code):
    verdict, readings = fire(bench.exited(stdout))
    assert verdict.decision == "none"
    assert [note.code for note in readings[0].diagnostics] == [code]
    assert "`h0`" in readings[0].diagnostics[0].message


def test_a_decision_in_output_that_was_cut_is_not_read_and_that_is_told(bench, fire):
    verdict, readings = fire(bench.exited('{"decision":"deny"}', stdout_cut=True))
    assert verdict.decision == "none"
    assert readings[0].diagnostics[0].code == "output-cut"


@given(
    st.dictionaries(
        st.sampled_from(["decision", "reason", "updatedInput", "additionalContext"]),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.dictionaries(st.text(), inner)
        ),
    ),
    st.sampled_from([0, 1, 2, 127, None]),
    st.booleans(),
)
def test_any_answer_is_read_without_an_error_and_only_a_refusal_refuses(bench, fields, code, strict):
    hook = bench.hook(continue_on_error=not strict)
    ended = Ended(state="exited", exit_code=code, stdout=json.dumps(fields))
    verdict, _ = bench.fire(CALL, (hook, ended))
    assert verdict.refused == (verdict.decision == "deny")
    assert (verdict.reason is not None) >= verdict.refused
    if strict and code not in (0, 2) and fields.get("decision") not in ("allow", "ask"):
        assert verdict.refused
    if code == 2:
        assert verdict.refused


@given(st.lists(st.tuples(st.sampled_from(["allow", "ask", "deny", ""]), st.sampled_from([0, 1, 2])), max_size=6))
def test_a_denial_is_never_lost_among_any_number_of_hooks(bench, said):
    runs = [(bench.hook(), answer(code, decision=word)) for word, code in said]
    verdict, _ = bench.fire(CALL, *runs)
    assert verdict.refused == any(word == "deny" or code == 2 for word, code in said)
    assert (verdict.decision == "ask") == (not verdict.refused and any(word == "ask" for word, _ in said))
