"""What variables and documents both take from a canonical event."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from hookfw import text

if TYPE_CHECKING:
    from hookfw import Event, Session

ARGUMENTS_LIMIT = 10_000
"""Bytes of `DEEPSEEK_TOOL_ARGS` and `DEEPSEEK_TOOL_RESULT`."""

PREVIEW_LIMIT = 2_048
"""Bytes of a sub-agent's prompt or result that its hooks see."""

_DONE = re.compile(r"<(?:codewhale|deepseek):subagent\.done>\s*")
_LEADING_STATUS = frozenset({"cancelled", "failed", "interrupted"})


def session_id_of(event: Event, session: Session) -> str | None:
    """The session id of the event, else the one the supervisor was opened with."""
    return session.id if event.session_id is None else event.session_id


def workspace_of(event: Event, session: Session) -> str:
    """Absolute path of the event's workspace, else of the session's."""
    return event.workspace or session.workspace


def as_text(value: Any) -> str | None:
    """A tool's result as text: a text as it is, anything else as compact JSON; `None` when there is none."""
    return value if value is None or isinstance(value, str) else text.compact_json(value)


def result_of(event: Any) -> str | None:
    """The result of a tool call; a failure that brings none has its error for a result."""
    result = as_text(event.tool_response)
    if result is None and event.kind == "post_tool_use_failure":
        return as_text(event.error)
    return result


def failure_of(event: Any) -> str | None:
    """
    The error text of `on_error`.

    An error event says it itself; for a failed tool Codewhale words it.
    """
    if event.kind == "error":
        return as_text(event.error if event.error is not None else event.error_details)
    return f"tool `{event.tool_name or ''}` failed: {result_of(event) or ''}"


def handed_over(event: Any) -> str:
    """What a sub-agent was asked (`subagent_start`) or gave back (`subagent_stop`), whole."""
    if event.kind == "subagent_start":
        return as_text(event.prompt) or ""
    return as_text(event.result if event.result is not None else event.last_assistant_message) or ""


def preview(whole: str) -> tuple[str, bool]:
    """The bounded preview of what a sub-agent was asked or gave back, and whether anything is missing from it."""
    whole = text.scrub(whole)
    shown = text.cut_bytes(whole, PREVIEW_LIMIT)
    return shown, shown != whole


def subagent_status(event: Any) -> str:
    """
    How a sub-agent ended: what the event says, else the done marker in its result, else the result's first line.

    The first line counts when it is `cancelled`, `failed` or `interrupted`, alone or before a colon.
    """
    if event.status is not None:
        return str(event.status)
    result = handed_over(event)
    marker = _DONE.search(result)
    if marker is not None:
        try:
            said, _ = json.JSONDecoder().raw_decode(result, marker.end())
        except (ValueError, RecursionError):
            said = None
        if isinstance(said, dict) and isinstance(said.get("status"), str):
            return str(said["status"])
    first = result.split("\n", 1)[0].partition(":")[0].strip().lower()
    return first if first in _LEADING_STATUS else "unknown"
