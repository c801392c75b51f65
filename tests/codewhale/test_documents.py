from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    ModeChange,
    PostToolUse,
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
from hookfw_codewhale.documents import document

LIMIT = 32_768
USAGE = [
    "input_tokens",
    "output_tokens",
    "prompt_cache_hit_tokens",
    "prompt_cache_miss_tokens",
    "prompt_cache_write_tokens",
    "reasoning_tokens",
    "reasoning_replay_tokens",
]
TOTALS = ["session_tokens", "conversation_tokens", "input_tokens", "output_tokens"]
TURN = {"turn_id": "turn_1", "provider": "deepseek", "created_at": "2026-07-12T10:30:00+00:00"}


def read(native, event, session):
    raw = document(native, event, session)
    assert raw.endswith(b"\n")
    assert raw.count(b"\n") == 1
    return json.loads(raw)


def test_the_prompt_document_is_compact_in_the_order_shown_and_leaves_letters_alone(bench):
    event = UserPromptSubmit(prompt="hé", mode="ACT", model="deepseek-chat", total_tokens=3)
    assert document("message_submit", event, bench.session()).decode() == (
        '{"event":"message_submit","text":"hé","text_bytes":3,"text_original_bytes":3,"text_truncated":false,'
        '"session_id":"sess_0a1b2c3d","workspace":"/srv/project","mode":"ACT","model":"deepseek-chat",'
        '"total_tokens":3}\n'
    )


def test_unknown_metadata_of_a_prompt_is_null(bench):
    found = read("message_submit", UserPromptSubmit(prompt=""), bench.session(id=None))
    assert [found[key] for key in ("text", "session_id", "mode", "model", "total_tokens")] == [
        "",
        None,
        None,
        None,
        None,
    ]


@given(
    st.text(alphabet=st.sampled_from(['"', "\\", "\n", "\x01", "a", "é", "鲸", "\U0001f433"]), min_size=1, max_size=8),
    st.integers(1, 40_000),
    st.text(max_size=5),
)
def test_the_kept_prefix_is_the_longest_that_fits(bench, unit, size, mode):
    prompt = (unit * size)[:size]
    event = UserPromptSubmit(prompt=prompt, mode=mode)
    raw = document("message_submit", event, bench.session())
    found = json.loads(raw)
    kept = found["text"]
    assert len(raw) <= LIMIT
    assert prompt.startswith(kept)
    assert found["text_bytes"] == len(kept.encode())
    assert found["text_original_bytes"] == len(prompt.encode())
    assert found["text_truncated"] == (kept != prompt)
    if kept != prompt:
        longer = found | {"text": prompt[: len(kept) + 1], "text_truncated": len(kept) + 1 < len(prompt)}
        longer["text_bytes"] = len(longer["text"].encode())
        line = json.dumps(longer, ensure_ascii=False, separators=(",", ":"))
        assert len(line.encode()) + 1 > LIMIT


def test_a_prompt_that_fits_to_the_last_byte_is_whole(bench):
    frame = len(document("message_submit", UserPromptSubmit(prompt=""), bench.session()))
    size = LIMIT - frame - 2 * (len("32000") - len("0"))
    whole = document("message_submit", UserPromptSubmit(prompt="x" * size), bench.session())
    assert len(whole) == LIMIT
    assert json.loads(whole)["text_truncated"] is False
    cut = document("message_submit", UserPromptSubmit(prompt="x" * (size + 1)), bench.session())
    assert json.loads(cut)["text_truncated"] is True


@pytest.mark.parametrize(
    ("letter", "size", "kept"),
    [("x", 4_096, 4_096), ("x", 9_000, 4_096), ("\x01", 9_000, 1_024)],
)
def test_metadata_is_cut_until_the_document_without_text_fits(bench, letter, size, kept):
    event = UserPromptSubmit(
        prompt="hello", **dict.fromkeys(("mode", "model", "session_id", "workspace"), letter * size)
    )
    found = read("message_submit", event, bench.session())
    mark = "" if size == kept else "...[truncated]"
    assert found["mode"] == letter * kept + mark
    assert found["text"] == "hello"


def test_metadata_that_cannot_fit_is_left_out(bench):
    event = UserPromptSubmit(prompt="hello", total_tokens=10**4_000, mode="\x01" * 9_000, model="x" * 9_000)
    found = read("message_submit", event, bench.session())
    assert set(found) >= {"event", "text"}
    assert len(document("message_submit", event, bench.session())) <= LIMIT


@pytest.mark.parametrize(
    ("native", "event"),
    [
        ("session_start", SessionStart()),
        ("session_end", SessionEnd()),
        ("mode_change", ModeChange()),
        ("tool_call_before", PreToolUse(tool_name="bash")),
        ("shell_env", ShellEnv()),
        ("on_error", PostToolUse(tool_name="bash", tool_success=False)),
        ("tool_call_after", PostToolUse(tool_name="bash")),
    ],
)
def test_other_events_have_an_empty_standard_input(bench, native, event):
    assert document(native, event, bench.session()) == b""


def test_turn_end_has_all_its_keys_in_order_with_null_for_what_is_unknown(bench):
    found = read("turn_end", TurnEnd(usage={"input_tokens": 5, "more": 1}, totals={}, **TURN), bench.session())
    assert list(found) == [
        "event",
        "session_id",
        "workspace",
        "mode",
        "created_at",
        "model_backed",
        "provider",
        "billing_surface",
        "model",
        "turn_id",
        "status",
        "error",
        "duration_ms",
        "usage",
        "totals",
        "tool_count",
        "queued_message_count",
        "stop_hook_active",
    ]
    assert list(found["usage"]) == USAGE
    assert list(found["totals"]) == TOTALS
    assert found["usage"]["input_tokens"] == 5
    assert found["model_backed"] is True
    assert found["status"] == "unknown"
    assert all(found[key] is None for key in ("mode", "error", "duration_ms", "tool_count", "billing_surface"))


def test_stop_hook_active_is_always_false(bench):
    assert read("turn_end", TurnEnd(stop_hook_active=True, **TURN), bench.session())["stop_hook_active"] is False


def test_a_completion_without_a_turn_has_an_id_of_its_own_and_no_provider(bench):
    found = read("turn_end", TurnEnd(status="completed"), bench.session())
    assert (found["model_backed"], found["provider"]) == (False, None)
    assert found["turn_id"] == f"lifecycle_{bench.uuid}"
    assert found["created_at"] == "2026-11-29T12:00:00+00:00"


def test_the_event_may_say_itself_that_no_model_was_behind_it(bench):
    event = TurnEnd(provider="deepseek", turn_id="lifecycle_1", native={"model_backed": False})
    found = read("turn_end", event, bench.session())
    assert (found["model_backed"], found["provider"], found["turn_id"]) == (False, None, "lifecycle_1")


def test_the_id_of_a_completion_without_a_turn_is_no_id_of_a_turn(bench):
    found = read("turn_end", TurnEnd(turn_id="lifecycle_1"), bench.session())
    assert (found["model_backed"], found["provider"], found["turn_id"]) == (False, None, "lifecycle_1")


@pytest.mark.parametrize(
    ("given_surface", "shown"), [("stepfun-plan", "stepfun-plan"), ("https://api.example/v1", None), (7, None)]
)
def test_only_a_known_billing_surface_is_told(bench, given_surface, shown):
    event = TurnEnd(native={"billing_surface": given_surface}, **TURN)
    assert read("turn_end", event, bench.session())["billing_surface"] == shown


def test_the_error_of_a_turn_is_sanitised_and_bounded(bench):
    found = read("turn_end", TurnEnd(error="\x1b[2J" + "e" * 3_000, **TURN), bench.session())
    assert found["error"] == " [2J" + "e" * 1_996 + "…[truncated]"


def test_a_spawned_sub_agent_has_a_prompt_preview_and_no_status(bench):
    found = read("subagent_spawn", SubagentStart(agent_id="agent_1", prompt="鲸" * 700), bench.session())
    assert list(found) == [
        "event",
        "agent_id",
        "session_id",
        "workspace",
        "mode",
        "model",
        "total_tokens",
        "prompt_preview",
        "prompt_truncated",
    ]
    assert found["prompt_preview"] == "鲸" * 682 + "...[truncated]"
    assert found["prompt_truncated"] is True


def test_a_completed_sub_agent_has_a_result_preview_and_a_status(bench):
    event = SubagentStop(agent_id="agent_1", result="x" * 2_048, status="completed")
    found = read("subagent_complete", event, bench.session())
    assert list(found)[-3:] == ["result_preview", "result_truncated", "status"]
    assert (found["result_preview"], found["result_truncated"], found["status"]) == ("x" * 2_048, False, "completed")


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ("failed", "failed"),
        ("Cancelled: by the person\nmore", "cancelled"),
        ("interrupted\n", "interrupted"),
        ("failed to be funny", "unknown"),
        ("all is well\nfailed", "unknown"),
        ('done\n<codewhale:subagent.done>{"status":"completed"}</codewhale:subagent.done>', "completed"),
        ('failed\n<deepseek:subagent.done> {"status":"cancelled"}', "cancelled"),
        ("failed\n<codewhale:subagent.done>{broken", "failed"),
        ("", "unknown"),
    ],
)
def test_the_status_comes_from_the_result_when_the_event_has_none(bench, result, status):
    assert read("subagent_complete", SubagentStop(result=result), bench.session())["status"] == status


@pytest.mark.parametrize(
    ("native", "event", "line"),
    [
        ("session_busy", SessionBusy(from_state="idle", to_state="in_progress"), '{"from":"idle","to":"in_progress"}'),
        ("session_busy", SessionBusy(), '{"from":null,"to":"in_progress"}'),
        (
            "waiting_for_user",
            WaitingForUser(from_state="in_progress", to_state="waiting", reason="approval"),
            '{"from":"in_progress","to":"waiting","reason":"approval"}',
        ),
        ("waiting_for_user", WaitingForUser(from_state="idle"), '{"from":"idle","to":"waiting"}'),
        (
            "session_idle",
            SessionIdle(from_state="in_progress", to_state="idle", last_turn_status="completed"),
            '{"from":"in_progress","to":"idle","last_turn_status":"completed"}',
        ),
        ("session_idle", SessionIdle(from_state="waiting"), '{"from":"waiting","to":"idle"}'),
        ("session_error", SessionError(), '{"status":"failed","error":""}'),
        ("session_error", SessionError(status="failed", error="a\rb\0"), '{"status":"failed","error":"ab "}'),
    ],
)
def test_state_documents_name_no_event_and_no_session(bench, native, event, line):
    assert document(native, event, bench.session()).decode() == line + "\n"


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_every_document_is_valid_utf_8_json_whatever_the_text(bench, text):
    session = bench.session(id=text)
    for native, event in (
        ("message_submit", UserPromptSubmit(prompt=text, mode=text)),
        ("turn_end", TurnEnd(error=text, provider=text, status=text)),
        ("subagent_spawn", SubagentStart(prompt=text, agent_id=text)),
        ("subagent_complete", SubagentStop(result=text)),
        ("session_error", SessionError(error=text)),
    ):
        json.loads(document(native, event, session).decode())
