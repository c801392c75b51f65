"""
What a hook is given: one JSON object.

From the hooks document, "Command input and output", and the public source for what is left out: three fields are always
there, the others only when they say something. A result is always text, never the object that a rich tool gave.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any

from hookfw import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Event, Session


def encode(name: str, event: Event, session: Session) -> bytes:
    """The payload of a native event, as compact JSON in UTF-8."""
    return text.compact_json(payload(name, event, session)).encode()


def payload(name: str, event: Event, session: Session) -> dict[str, Any]:
    """The fields in Wuu's order; an empty text and a missing value are left out, an empty object is none of these."""
    session_id = session.id if event.session_id is None else event.session_id
    fields: dict[str, Any] = {
        "hook_event_name": name,
        "session_id": session_id or "",
        "cwd": event.cwd or "",
    }
    fields |= {field: value for field, value in _FIELDS[name](event).items() if value is not None and value != ""}
    return fields


def is_failure(event: Event) -> bool:
    """A call that ended as a failure: the event says so, or its rich result is marked as an error."""
    response = getattr(event, "tool_response", None)
    marked = isinstance(response, dict) and (response.get("is_error") is True or response.get("isError") is True)
    return event.kind == "post_tool_use_failure" or marked or getattr(event, "tool_success", None) is False


def projected(result: Any) -> str:
    """
    A result as text: a text as it is; of a rich one the texts of its parts, a line each, and a marker for every other part;
    anything else as compact JSON.
    """
    if result is None:
        return ""
    if isinstance(result, str):
        return result
    parts = result.get("content") if isinstance(result, dict) else result
    if isinstance(parts, str):
        return parts
    if isinstance(parts, list) and parts and all(isinstance(part, dict) and "type" in part for part in parts):
        return "\n".join(map(_part, parts))
    return text.compact_json(result)


def _part(part: Mapping[str, Any]) -> str:
    said = part.get("text")
    return said if part["type"] == "text" and isinstance(said, str) else f"[{part['type']}]"


def _call(event: Any) -> dict[str, Any]:
    return {"tool_name": event.tool_name, "tool_input": event.tool_input}


def _success(event: Any) -> dict[str, Any]:
    return {**_call(event), "tool_response": projected(event.tool_response)}


def _failure(event: Any) -> dict[str, Any]:
    return {**_call(event), "error": event.error or projected(event.tool_response)}


def _compaction(event: Any) -> dict[str, Any]:
    return {"compact_reason": event.trigger or event.reason}


def _compacted(event: Any) -> dict[str, Any]:
    return {"error": event.error, **_compaction(event)}


def _file(event: Any) -> dict[str, Any]:
    path = event.file_path
    return {"file_path": os.path.normpath(os.path.join(event.cwd or "/", path)) if path else None}


def _agent(event: Any) -> dict[str, Any]:
    return {"agent_id": event.agent_id}


def _prompt(event: Any) -> dict[str, Any]:
    return {"prompt": event.prompt}


def _nothing(event: Any) -> dict[str, Any]:
    del event
    return {}


_FIELDS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "PreToolUse": _call,
    "PermissionRequest": _call,
    "PostToolUse": _success,
    "PostToolUseFailure": _failure,
    "UserPromptSubmit": _prompt,
    "PreCompact": _compaction,
    "PostCompact": _compacted,
    "SubagentStart": _agent,
    "SubagentStop": _agent,
    "SessionStart": _nothing,
    "SessionEnd": _nothing,
    "Stop": _nothing,
    "FileChanged": _file,
}
