"""The agent's side: calls read as events, outcomes said as answers; transcripts, turns and what the person sees."""

from __future__ import annotations

import json
import os
import threading

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hookfw import (
    Diagnostic,
    EventError,
    NativeCall,
    Notification,
    Outcome,
    PermissionRequest,
    PostToolUse,
    PreCompact,
    PreToolUse,
    Run,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    TurnEnd,
    UserPromptSubmit,
)
from hookfw_claude.deepagents.agent import DeepAgentsAgent
from hookfw_claude.deepagents.redaction import HIDDEN, redact_content, redact_text
from hookfw_claude.deepagents.shown import StatusSlot, attribution, notices
from hookfw_claude.deepagents.transcript import REVISIONS, Message, Transcripts
from hookfw_claude.deepagents.turns import Turn

AGENT = DeepAgentsAgent()
CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


def call(payload):
    return NativeCall(stdin=payload if isinstance(payload, bytes) else json.dumps(payload).encode())


def rendered(event, **outcome):
    answer = AGENT.render(event, Outcome(**outcome))
    assert (answer.exit_code, answer.stderr) == (0, b"")
    return json.loads(answer.stdout) if answer.stdout else None


def lost(event, **outcome):
    return [loss.field for loss in AGENT.can_say(event, Outcome(**outcome))]


# Calls.


def test_a_payload_is_read_as_its_event_and_unknown_fields_are_kept(bench):
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "effort": {"level": "max"}, "new_field": [1]}
    event = AGENT.parse_event(call(payload))
    assert (type(event), event.tool_name, event.effort, event.native) == (PreToolUse, "Bash", "max", {"new_field": [1]})


def test_the_event_may_be_told_beside_the_payload():
    assert type(AGENT.parse_event(NativeCall("Stop", stdin=b"{}"))) is Stop


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"", "not valid JSON at line 1"),
        (b"[]", "no JSON object"),
        ({}, "the event null"),
        ({"hook_event_name": "TurnEnd"}, 'the event "TurnEnd"'),
        ({"hook_event_name": 5}, "the event 5"),
        ({"hook_event_name": "Stop", "stop_hook_active": []}, "in stop_hook_active"),
    ],
)
def test_what_is_no_call_is_refused_in_one_sentence(payload, why):
    with pytest.raises(EventError, match=why):
        AGENT.parse_event(call(payload))


@given(st.binary(max_size=60))
def test_any_standard_input_is_an_event_or_refused(data):
    try:
        AGENT.parse_event(NativeCall("Stop", stdin=data))
    except EventError as error:
        assert "\n" not in str(error)  # noqa: PT017 - both ways out are fine


# Answers.


@pytest.mark.parametrize("event", [CALL, Stop(), SessionEnd(), TurnEnd()])
def test_an_outcome_that_says_nothing_prints_nothing(event):
    assert rendered(event) is None
    assert lost(event) == []


@pytest.mark.parametrize("word", ["allow", "ask", "deny"])
def test_a_permission_is_said_with_its_reason(bench, word):
    answer = rendered(CALL, decision=word, refused=word == "deny", reason="why", context=("a", "b"))
    assert answer == bench.specific(
        "PreToolUse", additionalContext="a\n\nb", permissionDecision=word, permissionDecisionReason="why"
    )


def test_a_defer_is_said_as_a_denial_and_told():
    assert rendered(CALL, decision="defer", refused=True)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert lost(CALL, decision="defer", refused=True) == ["decision"]


def test_a_rewritten_call_is_denied_since_the_old_call_would_run():
    denied = rendered(CALL, decision="allow", updated_input={"command": "x"})["hookSpecificOutput"]
    assert denied["permissionDecision"] == "deny"
    assert denied["permissionDecisionReason"].endswith('Its input: {"command":"x"}')
    assert lost(CALL, decision="allow", updated_input={"command": "x"}) == ["updated_input"]
    prompt = PermissionRequest(tool_name="Bash")
    answer = rendered(prompt, decision="allow", updated_input={"command": "x"})
    assert answer["hookSpecificOutput"]["decision"]["behavior"] == "deny"


def test_an_allow_of_a_permission_has_no_reason_there():
    assert lost(PermissionRequest(tool_name="Bash"), decision="allow", reason="r") == ["reason"]


def test_a_refusal_beside_a_stop_of_another_dialect_is_never_lost():
    answer = rendered(CALL, decision="stop", refused=True, reason="why")
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    ended = rendered(CALL, decision="stop", refused=True, ends_turn=True, stop_reason="enough")
    assert ended == {"continue": False, "stopReason": "enough"}


def test_a_prompt_for_permission_is_answered():
    prompt = PermissionRequest(tool_name="Bash")
    denied = rendered(prompt, decision="deny", refused=True, reason="no", native={"interrupt": True})
    assert denied["hookSpecificOutput"]["decision"] == {"behavior": "deny", "message": "no", "interrupt": True}
    assert rendered(prompt, decision="allow")["hookSpecificOutput"]["decision"] == {"behavior": "allow"}
    assert rendered(prompt, decision="ask") is None
    assert rendered(prompt, decision="stop", refused=True, ends_turn=True, stop_reason="x")["continue"] is False


def test_a_prompt_is_blocked_hidden_or_replaced_by_context(bench):
    prompt = UserPromptSubmit(prompt="hi")
    assert rendered(prompt, decision="block", refused=True, reason="no") == {"decision": "block", "reason": "no"}
    assert rendered(prompt, suppress_prompt=True) == bench.specific("UserPromptSubmit", suppressOriginalPrompt=True)
    assert rendered(prompt, prompt="better", context=("c",)) == bench.specific(
        "UserPromptSubmit", additionalContext="better\n\nc", suppressOriginalPrompt=True
    )
    assert lost(prompt, prompt="better") == ["prompt"]
    assert lost(prompt, decision="block", refused=True, reason="no", context=("c",)) == ["context"]
    assert rendered(prompt, decision="stop", refused=True, ends_turn=True) == {"continue": False}


def test_a_result_gets_feedback_and_context(bench):
    answer = rendered(PostToolUse(), decision="block", feedback=("a", "b"), context=("c",))
    assert answer == {"decision": "block", "reason": "a\n\nb"} | bench.specific("PostToolUse", additionalContext="c")
    assert lost(PostToolUse(), decision="stop", ends_turn=True) == ["ends_turn"]


def test_a_turn_goes_on_or_ends():
    assert rendered(Stop(), decision="block", refused=True, feedback=("a", "b")) == {
        "decision": "block",
        "reason": "a\nb",
    }
    ended = {"decision": "stop", "ends_turn": True, "stop_reason": "enough"}
    assert rendered(Stop(), **ended) == {"continue": False, "stopReason": "enough"}


@pytest.mark.parametrize(
    ("event", "outcome", "answer"),
    [
        (PreCompact(), {"decision": "block", "refused": True, "reason": "no"}, {"decision": "block", "reason": "no"}),
        (
            PreCompact(),
            {"decision": "stop", "refused": True, "stop_reason": "no"},
            {"decision": "block", "reason": "no"},
        ),
        (
            SessionStart(),
            {"decision": "block", "refused": True, "reason": "no"},
            {"continue": False, "stopReason": "no"},
        ),
        (
            SubagentStart(),
            {"decision": "deny", "refused": True, "reason": "no"},
            {"continue": False, "stopReason": "no"},
        ),
    ],
)
def test_a_start_is_refused_by_stopping_it(event, outcome, answer):
    assert rendered(event, **outcome) == answer


def test_a_finished_subagent_s_feedback_becomes_context_for_its_parent(bench):
    outcome = {"decision": "block", "refused": True, "feedback": ("f",), "context": ("c",), "reason": "f"}
    assert rendered(SubagentStop(), **outcome) == bench.specific("SubagentStop", additionalContext="f\n\nc")
    assert lost(SubagentStop(), **outcome) == ["feedback"]


def test_messages_and_allowed_sequences_are_said_on_every_event():
    for event in (CALL, Notification(), SessionEnd()):
        answer = rendered(event, messages=("a", "b"), terminal_sequences=("\a", "\x1b[2J"))
        assert answer == {"systemMessage": "a\nb", "terminalSequence": "\a"}
        assert lost(event, terminal_sequences=("\x1b[2J",)) == ["terminal_sequences"]


def test_what_cannot_be_said_is_named_and_never_dropped_in_silence():
    everything = {
        "context": ("c",),
        "feedback": ("f",),
        "env": {"A": "1"},
        "native": {"x": 1},
        "updated_input": {},
        "prompt": "p",
        "suppress_prompt": True,
    }
    assert lost(SessionEnd(), **everything) == [
        "updated_input",
        "prompt",
        "suppress_prompt",
        "feedback",
        "context",
        "env",
        "native",
    ]
    assert lost(TurnEnd(), messages=("m",)) == ["messages"]


TEXT = st.text(min_size=1, max_size=5).filter(str.strip)


@given(
    st.sampled_from(["none", "allow", "ask", "deny"]),
    st.none() | TEXT,
    st.lists(TEXT, max_size=1).map(tuple),
    st.lists(TEXT.map(lambda text: text.replace("\n", " ")), max_size=1).map(tuple),
    st.sampled_from(["", "\a"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_rendered_outcome_is_read_back_as_it_was(bench, decision, reason, context, messages, bell):
    assume(decision != "none" or reason is None)
    said = {
        "decision": decision,
        "reason": reason,
        "refused": decision == "deny",
        "context": context,
        "messages": messages,
        "terminal_sequences": (bell,) if bell else (),
    }
    answer = AGENT.render(CALL, Outcome(**said))
    verdict, codes = bench.says(CALL, answer.stdout.decode())
    assert {name: getattr(verdict, name) for name in said} == said
    assert codes == []


@given(st.lists(TEXT, min_size=1, max_size=3).map(tuple))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_feedback_is_read_back_joined(bench, feedback):
    for event, between in ((Stop(), "\n"), (PostToolUse(), "\n\n")):
        answer = AGENT.render(event, Outcome(decision="block", feedback=feedback, refused=event.kind == "stop"))
        verdict, _ = bench.says(event, answer.stdout.decode())
        assert (verdict.decision, verdict.feedback) == ("block", (between.join(feedback),))


# Turns and what the person sees.


def test_a_turn_counts_its_continuations_and_starts_anew_when_it_ends():
    turn = Turn()
    assert turn.stop("a").stop_hook_active is False
    assert turn.settle(Outcome(feedback=("go", "on"))) == "go\non"
    assert (turn.stop("b").stop_hook_active, turn.stop("b").continuation_count) == (True, 1)
    assert turn.settle(Outcome(feedback=("go",), ends_turn=True)) is None
    assert turn.continuations == 0
    turn.settle(Outcome(feedback=("go",)))
    assert turn.settle(Outcome()) is None
    assert turn.continuations == 0


def run(name, status="running"):
    return Run(name, name, "deepagents", "PreToolUse", "command", "/f", status)


def test_the_slot_shows_what_started_last_until_it_ends_then_the_one_before():
    slot = StatusSlot()
    assert slot.text == ""
    slot.note(run("a"), "First")
    slot.note(run("b"))
    assert slot.text == "Running PreToolUse hook"
    slot.note(run("b", "completed"))
    assert slot.text == "First"
    slot.note(run("a", "failed"))
    slot.note(run("a", "failed"))
    assert slot.text == ""


def test_an_answered_prompt_is_attributed_with_the_public_name_of_the_tool():
    prompt = PermissionRequest(tool_name="execute")
    assert attribution(prompt, Outcome(decision="deny", refused=True)) == "PermissionRequest hook denied Bash"
    assert attribution(prompt, Outcome(decision="allow")) == "PermissionRequest hook allowed Bash"
    assert attribution(prompt, Outcome()) is None
    assert attribution(CALL, Outcome(decision="allow")) is None


def test_equal_notices_come_once_and_information_is_for_the_log():
    found = [Diagnostic("a", severity, "m") for severity in ("warning", "warning", "error", "info")]
    assert notices(found) == ["Hook warning: m", "Hook error: m"]


# Transcripts.


def records(path):
    with open(path, encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def test_messages_become_numbered_records_for_the_person_alone(home):
    transcripts = Transcripts(str(home))
    transcripts.append(
        "Sess É/1",
        [Message("user", "hi", id="m1", timestamp="2026-01-01T00:00:00Z"), Message("tool", None, name="Bash")],
    )
    path = transcripts.flush("Sess É/1")
    assert os.path.basename(path).startswith("sess-e-1--")
    assert records(path) == [
        {
            "schema_version": 1,
            "sequence": 0,
            "record_id": "m1",
            "timestamp": "2026-01-01T00:00:00Z",
            "thread_id": "Sess É/1",
            "role": "user",
            "message_id": "m1",
            "content": "hi",
        },
        {
            "schema_version": 1,
            "sequence": 1,
            "record_id": "tool:1",
            "thread_id": "Sess É/1",
            "role": "tool",
            "content": None,
            "name": "Bash",
        },
    ]
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700


def test_a_subagent_has_a_transcript_of_its_own_below_the_session_s(home):
    transcripts = Transcripts(str(home))
    transcripts.append("s", [Message("user", "hi")], agent_id="a1")
    own, inner = transcripts.flush("s"), transcripts.flush("s", agent_id="a1")
    assert records(own) == []
    assert records(inner)[0]["agent_id"] == "a1"
    assert os.path.dirname(inner) == os.path.join(own.removesuffix(".jsonl"), "agents")


def test_a_message_with_an_id_is_recorded_once_also_by_a_later_session(home):
    for _ in range(2):
        transcripts = Transcripts(str(home))
        for _ in range(2):
            transcripts.append("s", [Message("user", "hi", id="m1"), Message("user", "same")])
        path = transcripts.flush("s")
    assert [record["message_id"] for record in records(path) if "message_id" in record] == ["m1"]
    assert [record["sequence"] for record in records(path)] == [0, 1, 2, 3, 4]


def test_what_another_process_wrote_is_kept_and_damaged_lines_do_not_hurt(home):
    transcripts = Transcripts(str(home))
    path = transcripts.flush("s")
    with open(path, "a", encoding="utf-8") as stream:
        stream.write("damaged")
    transcripts.append("s", [Message("user", "hi\ud800")])
    transcripts.flush("s")
    with open(path, encoding="utf-8") as stream:
        first, second = stream.read().splitlines()
    assert first == "damaged"
    assert json.loads(second)["content"] == "hi\ufffd"


def test_earlier_contents_are_kept_up_to_their_number(home):
    transcripts = Transcripts(str(home))
    for at in range(REVISIONS + 4):
        transcripts.append("s", [Message("user", str(at))])
        path = transcripts.flush("s")
    transcripts.flush("s")
    kept = [name for name in os.listdir(os.path.dirname(path)) if ".bak-" in name]
    assert len(kept) == REVISIONS
    assert all(os.stat(os.path.join(os.path.dirname(path), name)).st_mode & 0o777 == 0o600 for name in kept)


def test_two_writers_at_once_lose_nothing(home):
    def write(name):
        transcripts = Transcripts(str(home))
        for at in range(10):
            transcripts.append("s", [Message("user", f"{name}{at}")])
            transcripts.flush("s")

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = records(Transcripts(str(home)).flush("s"))
    assert sorted(record["content"] for record in found) == sorted(f"{name}{at}" for name in "ab" for at in range(10))
    assert [record["sequence"] for record in found] == list(range(20))


def test_what_could_not_be_written_is_written_later(home):
    transcripts = Transcripts(str(home))
    transcripts.append("s", [Message("user", "hi")])
    blocked = home / ".deepagents"
    blocked.write_text("")
    with pytest.raises(OSError, match=r"\.deepagents"):
        transcripts.flush("s")
    blocked.unlink()
    assert len(records(transcripts.flush("s"))) == 1


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("OPENAI_API_KEY=abc x", f"OPENAI_API_KEY={HIDDEN} x"),
        ("db_password = abc, y", f"db_password={HIDDEN}, y"),
        ("CREDENTIALS=abc", f"CREDENTIALS={HIDDEN}"),
        ("NAME=abc", "NAME=abc"),
        ("Authorization: Bearer abcdefgh12", f"Authorization: Bearer {HIDDEN}"),
        ("use sk-ant-abcdefgh1 or ghp_abcdefgh1", f"use {HIDDEN} or {HIDDEN}"),
        ("eyJhbGciOi.eyJzdWIiOi.abcdef12", HIDDEN),
        (
            "see https://u:p@host:8080/a/b?x=1&y=#frag now",
            f"see https://host:8080/{HIDDEN}?x=%5Bredacted%5D&y=%5Bredacted%5D#{HIDDEN} now",
        ),
        ("https://[::1]/a", f"https://[::1]/{HIDDEN}"),
        ("https://host", "https://host"),
        ("https://[bad", HIDDEN),
    ],
)
def test_secrets_in_texts_are_hidden(text, redacted):
    assert redact_text(text) == redacted


def test_values_of_keys_that_look_like_credentials_are_hidden_at_any_depth():
    assert redact_content({"a": [{"api_key": {"x": 1}, "b": "K_TOKEN=1", "c": 5}]}) == {
        "a": [{"api_key": HIDDEN, "b": f"K_TOKEN={HIDDEN}", "c": 5}]
    }


@pytest.mark.parametrize("text", ["KEY" * 200_000, "a=" * 200_000, "https://" * 50_000, "eyJ" + "a." * 100_000])
def test_no_text_holds_up_the_redaction(text):
    # Anything but one pass would take hours, and the suite has a limit.
    assert isinstance(redact_text(text), str)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_redaction_keeps_the_shape(value):
    redacted = redact_content(value)
    assert type(redacted) is type(value)
    if isinstance(value, list | dict):
        assert len(redacted) == len(value)
