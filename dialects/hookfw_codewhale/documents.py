"""
The JSON documents that hooks read on standard input.

From the hooks document of 2026-09-29, "message_submit", "turn_end", "subagent_spawn / subagent_complete" and "Session
state transitions". A document is one line of compact JSON and a newline, keys in the order shown there; an event
without a document has an empty, closed standard input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw import text
from hookfw_codewhale import receipts
from hookfw_codewhale.environment import NAME_LIMIT
from hookfw_codewhale.fields import handed_over, preview, session_id_of, subagent_status, workspace_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Event, Session

SUBMIT_LIMIT: Final = 32_768
"""Bytes of the whole `message_submit` document, its newline included."""

ERROR_LIMIT: Final = 2_000
"""Characters of an error text."""

LIFECYCLE: Final = "lifecycle_"
"""What the turn id of a completion begins with that no turn was started for."""

# What is tried, in bytes a value, until the document without text fits; then the metadata is left out.
_METADATA_LIMITS = (NAME_LIMIT, 1_024, 256)
_BILLING_SURFACES = frozenset({"stepfun-payg", "stepfun-plan"})
_USAGE = (
    "input_tokens",
    "output_tokens",
    "prompt_cache_hit_tokens",
    "prompt_cache_miss_tokens",
    "prompt_cache_write_tokens",
    "reasoning_tokens",
    "reasoning_replay_tokens",
)
_TOTALS = ("session_tokens", "conversation_tokens", "input_tokens", "output_tokens")


def document(native_event: str, event: Event, session: Session) -> bytes:
    """The bytes on standard input of the hooks of one native event; empty where it has no document."""
    make = _DOCUMENTS.get(native_event)
    line = None if make is None else make(native_event, event, session)
    return b"" if line is None else f"{line}\n".encode()


def _submit(native_event: str, event: Any, session: Session) -> str:
    """The document with the longest prefix of the prompt for which the whole keeps to its limit."""
    prompt = text.scrub(event.prompt or "")
    original = len(prompt.encode())

    def build(kept: str, metadata: Mapping[str, Any], *, cut: bool) -> str:
        return text.compact_json(
            {
                "event": native_event,
                "text": kept,
                "text_bytes": len(kept.encode()),
                "text_original_bytes": original,
                "text_truncated": cut,
                **metadata,
            }
        )

    def fits(line: str) -> bool:
        return len(line.encode()) < SUBMIT_LIMIT

    candidates = [_metadata(event, session, limit) for limit in _METADATA_LIMITS]
    metadata = next((each for each in candidates if fits(build("", each, cut=True))), {})
    if original < SUBMIT_LIMIT:
        whole = build(prompt, metadata, cut=False)
        if fits(whole):
            return whole
    # Each character takes a byte at least, so no longer prefix can fit; the whole prompt is known not to.
    fitting, failing = 0, min(len(prompt), SUBMIT_LIMIT)
    while failing - fitting > 1:
        length = (fitting + failing) // 2
        if fits(build(prompt[:length], metadata, cut=True)):
            fitting = length
        else:
            failing = length
    return build(prompt[:fitting], metadata, cut=True)


def _metadata(event: Event, session: Session, limit: int = NAME_LIMIT) -> dict[str, Any]:
    """What documents say of the session; unknown values are null."""
    return {
        "session_id": _bounded(session_id_of(event, session), limit),
        "workspace": _bounded(workspace_of(event, session), limit),
        "mode": _bounded(event.mode, limit),
        "model": _bounded(event.model, limit),
        "total_tokens": event.total_tokens,
    }


def _bounded(value: str | None, limit: int = NAME_LIMIT) -> str | None:
    return None if value is None else text.cut_bytes(text.scrub(value), limit)


def _turn_end(native_event: str, event: Any, session: Session) -> str:
    """
    Every key is there, unknown values are null.

    A completion without a turn (shell only, compaction, purge) is told by the event, or else by having neither provider
    nor the id of a turn. `stop_hook_active` is reserved and always false.
    """
    native, turn_id = event.native, event.turn_id
    of_a_turn = turn_id is not None and not turn_id.startswith(LIFECYCLE)
    backed = native.get("model_backed")
    if not isinstance(backed, bool):
        backed = of_a_turn or event.provider is not None
    if not backed and (turn_id is None or of_a_turn):
        turn_id = LIFECYCLE + session.new_id()
    surface = native.get("billing_surface")
    usage, totals = event.usage or {}, event.totals or {}
    return text.compact_json(
        {
            "event": native_event,
            "session_id": _bounded(session_id_of(event, session)),
            "workspace": _bounded(workspace_of(event, session)),
            "mode": _bounded(event.mode),
            "created_at": session.now().isoformat() if event.created_at is None else _bounded(event.created_at),
            "model_backed": backed,
            "provider": _bounded(event.provider) if backed else None,
            # Nothing but these two words: a raw base URL must not slip through here.
            "billing_surface": surface if surface in _BILLING_SURFACES else None,
            "model": _bounded(event.model),
            "turn_id": _bounded(turn_id),
            "status": "unknown" if event.status is None else _bounded(event.status),
            "error": None if event.error is None else text.block(event.error, ERROR_LIMIT),
            "duration_ms": event.duration_ms,
            "usage": {key: usage.get(key) for key in _USAGE},
            "totals": {key: totals.get(key) for key in _TOTALS},
            "tool_count": event.tool_count,
            "queued_message_count": event.queued_message_count,
            "stop_hook_active": False,
        }
    )


def _subagent(native_event: str, event: Any, session: Session) -> str:
    shown, cut = preview(handed_over(event))
    known = {"event": native_event, "agent_id": _bounded(event.agent_id), **_metadata(event, session)}
    if native_event == "subagent_spawn":
        return text.compact_json(known | {"prompt_preview": shown, "prompt_truncated": cut})
    status = _bounded(subagent_status(event))
    return text.compact_json(known | {"result_preview": shown, "result_truncated": cut, "status": status})


def _transition(native_event: str, event: Any, session: Session) -> str:
    """From and to, and nothing else known is told; these documents do not even name their event."""
    del session
    told = {"from": _bounded(event.from_state), "to": _bounded(event.to_state) or STATE_OF[native_event]}
    if native_event == "waiting_for_user" and event.reason is not None:
        told["reason"] = _bounded(event.reason)
    if native_event == "session_idle" and event.last_turn_status is not None:
        told["last_turn_status"] = _bounded(event.last_turn_status)
    return text.compact_json(told)


def _session_error(native_event: str, event: Any, session: Session) -> str:
    del native_event, session
    status = "failed" if event.status is None else _bounded(event.status)
    return text.compact_json({"status": status, "error": text.block(event.error or "", ERROR_LIMIT)})


def _receipt(native_event: str, event: Any, session: Session) -> str | None:
    del native_event
    return receipts.document(event, session)


STATE_OF: Final = {"session_busy": "in_progress", "waiting_for_user": "waiting", "session_idle": "idle"}
"""The state that each transition leads to."""

_DOCUMENTS: Mapping[str, Callable[[str, Event, Session], str | None]] = {
    "message_submit": _submit,
    "turn_end": _turn_end,
    "tool_call_after": _receipt,
    "subagent_spawn": _subagent,
    "subagent_complete": _subagent,
    "session_busy": _transition,
    "waiting_for_user": _transition,
    "session_idle": _transition,
    "session_error": _session_error,
}
