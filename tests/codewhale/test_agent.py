from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    Ended,
    Error,
    EventError,
    ModeChange,
    NativeCall,
    Outcome,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionBusy,
    SessionEnd,
    SessionError,
    SessionIdle,
    SessionStart,
    ShellEnv,
    SubagentStart,
    SubagentStop,
    TurnEnd,
    UserPromptSubmit,
    WaitingForUser,
)
from hookfw_codewhale.agent import CodewhaleAgent

AGENT = CodewhaleAgent()
MARK = "...[truncated]"


def call(bench, event, *, hint=True):
    """The call that Codewhale makes to a hook of `event`."""
    row = bench.row(event)
    return NativeCall(event_hint=row.native_event if hint else None, environ=row.env, stdin=row.stdin)


def carried(event, **changes):
    """The fields that a call carries: those of the session come from it where the event had none."""
    return {"session_id": "sess_0a1b2c3d", "workspace": "/srv/project"} | dict(event.given) | changes


word = st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30)
session_fields = {
    "mode": st.sampled_from(["ACT", "PLAN"]),
    "model": word,
    "session_id": word,
    "workspace": word.map("/".__add__),
}
ui_fields = session_fields | {"total_tokens": st.integers(0, 10**9), "session_cost": st.integers(0, 99).map(float)}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | word,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(word, inner, max_size=3),
    max_leaves=8,
)
call_fields = {"tool_name": word, "tool_use_id": word, "tool_input": st.dictionaries(word, json_values, max_size=3)}
result_fields = {
    "tool_name": st.just("exec_shell"),
    "tool_use_id": word,
    "tool_response": word,
    "tool_exit_code": st.integers(-(2**63), 2**63 - 1),
    "tool_status": st.sampled_from(["completed", "failed", "timed_out", "killed", "running"]),
}
execution = st.fixed_dictionaries(
    {
        "command": word,
        "cwd": word.map("/".__add__),
        "exit_code": st.none(),
        "completion": st.sampled_from(["completed", "failed", "timed_out", "killed"]),
        "stdout": word,
        "stderr": word,
        "stdout_truncated": st.booleans(),
        "stderr_truncated": st.booleans(),
        "output_kind": st.just("separate"),
        "scope": st.just("local"),
        "background": st.just(False),
        "pty": st.just(False),
    }
)
counts = st.integers(0, 10**9)


def events(cls, fields, **required):
    optional = {name: values for name, values in fields.items() if name not in required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda given: cls(**given))


whole = st.one_of(
    events(SessionStart, ui_fields),
    events(SessionEnd, ui_fields),
    events(ModeChange, ui_fields | {"previous_mode": word}),
    events(UserPromptSubmit, ui_fields, prompt=word),
    events(PreToolUse, session_fields | call_fields),
    events(PostToolUse, ui_fields | result_fields, tool_name=st.just("bash"), tool_success=st.just(True)),
    events(PostToolUse, ui_fields | result_fields, tool_name=st.just("Bash"), execution=execution),
    events(
        PostToolUseFailure,
        ui_fields | result_fields,
        tool_name=st.just("bash"),
        tool_response=word,
        tool_success=st.just(False),
    ),
    events(Error, ui_fields, error=word),
    events(Error, ui_fields | result_fields, error=word, tool_name=st.just("bash"), tool_success=st.booleans()),
    events(SubagentStart, ui_fields | {"agent_id": word}, prompt=word),
    events(SubagentStop, ui_fields | {"agent_id": word}, result=word, status=word),
    events(SessionError, ui_fields, status=word, error=word),
    events(SessionBusy, ui_fields, from_state=word, to_state=st.just("in_progress")),
    events(SessionIdle, ui_fields | {"last_turn_status": word}, from_state=word, to_state=st.just("idle")),
    events(WaitingForUser, ui_fields | {"reason": word}, from_state=word, to_state=st.just("waiting")),
    events(
        TurnEnd,
        ui_fields
        | {
            "error": word,
            "duration_ms": counts,
            "usage": st.dictionaries(st.sampled_from(["input_tokens", "output_tokens"]), counts, min_size=1),
            "totals": st.dictionaries(st.sampled_from(["session_tokens"]), counts, min_size=1),
            "tool_count": counts,
            "queued_message_count": counts,
        },
        created_at=word,
        turn_id=word,
        provider=word,
        status=word,
        stop_hook_active=st.just(False),
        native=st.just({"model_backed": True}),
    ),
)


@given(whole)
def test_a_call_is_read_back_into_the_event_it_was_made_of(bench, event):
    again = AGENT.parse_event(call(bench, event))
    assert type(again) is type(event)
    assert dict(again.given) == carried(event)


@given(events(ShellEnv, session_fields | call_fields))
def test_shell_env_carries_its_tool_and_arguments_only(bench, event):
    again = AGENT.parse_event(call(bench, event))
    expected = {"tool_name": "exec_shell"}
    if "tool_input" in event.given:
        expected["tool_input"] = event.tool_input
    assert dict(again.given) == expected


@pytest.mark.parametrize(
    "event",
    [
        UserPromptSubmit(prompt="x"),
        TurnEnd(turn_id="t"),
        SubagentStart(prompt="x"),
        SubagentStop(result="x"),
        SessionBusy(from_state="idle"),
        SessionIdle(from_state="waiting"),
        WaitingForUser(from_state="idle"),
        SessionError(error="x"),
    ],
)
def test_a_document_says_itself_which_event_it_is_or_gives_it_away_by_its_keys(bench, event):
    assert type(AGENT.parse_event(call(bench, event, hint=False))) is type(event)


def test_a_hint_may_be_a_canonical_name():
    found = AGENT.parse_event(NativeCall(event_hint="pre_tool_use", environ={"DEEPSEEK_TOOL_NAME": "bash"}))
    assert found == PreToolUse(tool_name="bash")


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (NativeCall(), "does not say which event"),
        (NativeCall(stdin=b'{"from":"a","to":"b"}'), "does not say which event"),
        (NativeCall(stdin=b'{"event":7}'), "does not say which event"),
        (NativeCall(event_hint="tool_call_befor"), "did you mean `tool_call_before`"),
        (NativeCall(event_hint="nothing of the kind"), "hookfw events"),
        (NativeCall(event_hint="turn_end", stdin=b"{broken"), "no JSON object"),
        (NativeCall(event_hint="turn_end", stdin=b"[]"), "no JSON object"),
        (NativeCall(stdin=b'{"event":"turn_end","tool_count":"many"}'), "turn_end call"),
        (NativeCall(event_hint="session_end", environ={"DEEPSEEK_TOTAL_TOKENS": "many"}), "DEEPSEEK_TOTAL_TOKENS"),
        (
            NativeCall(event_hint="on_error", environ={"DEEPSEEK_TOOL_NAME": "x", "DEEPSEEK_TOOL_SUCCESS": "1"}),
            "SUCCESS",
        ),
        (NativeCall(event_hint="tool_call_after", environ={"DEEPSEEK_TOOL_EXECUTION_RECEIPT": "{"}), "RECEIPT"),
    ],
)
def test_a_call_that_cannot_be_read_is_one_clear_sentence(made, words):
    with pytest.raises(EventError) as caught:
        AGENT.parse_event(made)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@given(
    st.sampled_from([None, "turn_end", "message_submit", "on_error", "tool_call_before"]),
    st.dictionaries(
        st.sampled_from(["event", "from", "to", "text", "usage", "native", "execution_receipt", "mode", "status"]),
        json_values,
    ),
    st.dictionaries(
        st.sampled_from(["DEEPSEEK_TOOL_ARGS", "DEEPSEEK_TOOL_NAME", "DEEPSEEK_TOOL_EXIT_CODE"]), st.text()
    ),
)
def test_any_call_gives_an_event_or_an_event_error(hint, document, environ):
    made = NativeCall(event_hint=hint, environ=environ, stdin=json.dumps(document).encode())
    with suppress(EventError):
        assert AGENT.parse_event(made).kind


def test_a_receipt_in_the_variable_alone_is_evidence_too(bench):
    run = {"command": "ls", "cwd": "/srv", "completion": "timed_out", "exit_code": None, "stdout": "", "stderr": ""}
    event = Error(error="x", tool_name="bash", tool_status="timed_out", execution=run)
    found = AGENT.parse_event(call(bench, event))
    assert found.execution["completion"] == "timed_out"
    assert found.execution["output_kind"] == "combined"


@pytest.mark.parametrize(("exit_code", "completion"), [(0, "completed"), (3, "failed"), (None, "killed")])
def test_the_variable_tells_the_end_of_the_run_by_state_and_exit_code(bench, exit_code, completion):
    run = {"command": "ls", "cwd": "/srv", "completion": completion, "exit_code": exit_code}
    found = AGENT.parse_event(call(bench, Error(error="x", tool_name="bash", execution=run)))
    assert (found.execution["completion"], found.execution["exit_code"]) == (completion, exit_code)


def test_arguments_that_were_cut_are_kept_aside_and_nothing_is_put_in_their_place(bench):
    event = AGENT.parse_event(call(bench, PreToolUse(tool_name="bash", tool_input={"command": "x" * 20_000})))
    assert event.tool_input is None
    assert event.native["tool_args_preview"].endswith(MARK)
    outcome = Outcome(updated_input={"command": "ls"})
    assert json.loads(AGENT.render(event, outcome).stdout)["decision"] == "deny"
    assert [loss.field for loss in AGENT.can_say(event, outcome)] == ["updated_input"]


@pytest.mark.parametrize("document", [True, False])
def test_a_prompt_that_was_cut_is_not_replaced(bench, document):
    made = call(bench, UserPromptSubmit(prompt="x" * 40_000))
    if not document:
        made = NativeCall(event_hint="message_submit", environ=made.environ)
    event = AGENT.parse_event(made)
    outcome = Outcome(prompt="shorter")
    answer = AGENT.render(event, outcome)
    assert (answer.exit_code, list(json.loads(answer.stdout))) == (2, ["reason"])
    assert [loss.field for loss in AGENT.can_say(event, outcome)] == ["prompt"]


CALL = PreToolUse(tool_name="bash", tool_input={"command": "ls"})
PROMPT = UserPromptSubmit(prompt="hello")


@pytest.mark.parametrize(
    ("event", "outcome", "exit_code", "stdout"),
    [
        (CALL, Outcome(), 0, ""),
        (CALL, Outcome(decision="allow"), 0, ""),
        (CALL, Outcome(decision="deny", refused=True, reason="no"), 0, '{"decision":"deny","reason":"no"}\n'),
        (CALL, Outcome(decision="defer", refused=True), 0, '{"decision":"deny"}\n'),
        (CALL, Outcome(decision="ask", reason="sure?"), 0, '{"decision":"ask","reason":"sure?"}\n'),
        (
            CALL,
            Outcome(updated_input={"command": "é"}, context=("a", "b")),
            0,
            '{"updatedInput":{"command":"é"},"additionalContext":"a\\nb"}\n',
        ),
        (CALL, Outcome(decision="deny", refused=True, updated_input={"a": 1}), 0, '{"decision":"deny"}\n'),
        (CALL, Outcome(decision="stop", ends_turn=True), 0, '{"decision":"deny"}\n'),
        (PROMPT, Outcome(), 0, ""),
        (PROMPT, Outcome(prompt="better"), 0, '{"text":"better"}\n'),
        (PROMPT, Outcome(decision="block", refused=True, reason="no"), 2, '{"reason":"no"}\n'),
        (PROMPT, Outcome(decision="stop", refused=True, prompt="x"), 2, ""),
        (ShellEnv(), Outcome(env={"A": "1", "B": " 'x' "}), 0, "A='1'\nB=' 'x' '\n"),
        (SessionStart(), Outcome(context=("x",), messages=("y",)), 0, ""),
    ],
)
def test_an_outcome_in_the_form_codewhale_expects(event, outcome, exit_code, stdout):
    answer = AGENT.render(event, outcome)
    assert (answer.exit_code, answer.stdout.decode(), answer.stderr) == (exit_code, stdout, b"")


@pytest.mark.parametrize(
    ("event", "outcome", "fields"),
    [
        (CALL, Outcome(decision="deny", refused=True, reason="no"), []),
        (CALL, Outcome(decision="ask", context=("x",), updated_input={}), []),
        (CALL, Outcome(decision="allow"), ["decision"]),
        (CALL, Outcome(decision="defer", refused=True), ["decision"]),
        (CALL, Outcome(decision="stop", ends_turn=True, stop_reason="x"), ["ends_turn"]),
        (CALL, Outcome(updated_input="text"), ["updated_input"]),
        (CALL, Outcome(updated_input={"x": "y" * 40_000}), ["updated_input"]),
        (CALL, Outcome(context=("x" * 2_000, "y")), ["context"]),
        (CALL, Outcome(decision="deny", refused=True, context=("x",)), ["context"]),
        (CALL, Outcome(decision="ask", reason="x" * 2_001), ["reason"]),
        (
            CALL,
            Outcome(messages=("x",), feedback=("y",), suppress_prompt=True),
            ["suppress_prompt", "feedback", "messages"],
        ),
        (PROMPT, Outcome(context=("x",)), ["context"]),
        (PROMPT, Outcome(prompt="x" * 32_001), ["prompt"]),
        (PROMPT, Outcome(prompt=""), ["prompt"]),
        (ShellEnv(), Outcome(env={"A": "1", "MY KEY": "2", "#B": "3", "C": "4\n5"}), ["env"]),
        (ShellEnv(), Outcome(env={str(n): "x" * 32_000 for n in range(9)}), ["env"]),
        (SessionEnd(), Outcome(env={"A": "1"}, native={"x": 1}), ["env", "native"]),
    ],
)
def test_what_cannot_be_said_is_a_loss_named_by_its_field(event, outcome, fields):
    assert [loss.field for loss in AGENT.can_say(event, outcome)] == fields


def through_codewhale(bench, event, outcome):
    """What Codewhale makes of a hook that answers with `outcome`."""
    answer = AGENT.render(event, outcome)
    native = bench.row(event).native_event
    ended = Ended(state="exited", exit_code=answer.exit_code, stdout=answer.stdout.decode())
    return bench.fire(event, (bench.hook(native), ended))[0]


plain = st.text(alphabet="abcehijk no", min_size=1, max_size=50).filter(lambda value: value == " ".join(value.split()))
inputs = st.dictionaries(word, json_values, max_size=3)


@given(
    st.builds(
        Outcome,
        decision=st.sampled_from(["none", "ask"]),
        updated_input=st.none() | inputs,
        context=st.lists(plain, max_size=1).map(tuple),
    )
    | plain.map(lambda reason: Outcome(decision="deny", refused=True, reason=reason))
)
def test_codewhale_reads_an_answer_about_a_call_as_the_outcome_it_was_made_of(bench, outcome):
    verdict = through_codewhale(bench, CALL, outcome)
    for name in ("decision", "refused", "reason", "updated_input", "context"):
        assert getattr(verdict, name) == getattr(outcome, name)


@given(
    plain.map(lambda prompt: Outcome(prompt=f"new {prompt}"))
    | plain.map(lambda reason: Outcome(decision="block", refused=True, reason=reason))
    | st.just(Outcome())
)
def test_codewhale_reads_an_answer_about_a_prompt_as_the_outcome_it_was_made_of(bench, outcome):
    verdict = through_codewhale(bench, PROMPT, outcome)
    for name in ("decision", "refused", "reason", "prompt"):
        assert getattr(verdict, name) == getattr(outcome, name)


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=5))
def test_codewhale_gets_every_variable_that_is_no_loss(bench, env):
    outcome = Outcome(env=env)
    verdict = through_codewhale(bench, ShellEnv(), outcome)
    losses = AGENT.can_say(ShellEnv(), outcome)
    assert (dict(verdict.env) != env) == bool(losses)
    assert dict(verdict.env).items() <= env.items()


def test_context_for_a_prompt_is_added_to_the_prompt():
    assert AGENT.render(PROMPT, Outcome(context=("x", "y"))).stdout == b'{"text":"hello\\n\\nx\\n\\ny"}\n'
    assert AGENT.render(PROMPT, Outcome(prompt="new", context=("x",))).stdout == b'{"text":"new\\n\\nx"}\n'
    unknown = UserPromptSubmit()
    assert AGENT.render(unknown, Outcome(context=("x",))).stdout == b""
    assert [loss.becomes for loss in AGENT.can_say(unknown, Outcome(context=("x",)))] == ["nothing"]
    long = UserPromptSubmit(prompt="x" * 32_000)
    assert AGENT.render(long, Outcome(context=("x",))).stdout == b""


@given(st.sampled_from([CALL, PROMPT, ShellEnv()]), st.text(), st.sampled_from(["deny", "block", "defer", "stop"]))
def test_a_refusal_is_never_lost_on_an_event_that_can_be_refused(bench, event, reason, decision):
    if event.kind != "shell_env":
        outcome = Outcome(decision=decision, refused=True, reason=reason, prompt="x", updated_input={})
        assert through_codewhale(bench, event, outcome).refused
