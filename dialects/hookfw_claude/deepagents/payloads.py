"""
The JSON that handlers read on standard input.

From the hooks document, "Input payload"; defaults and what is always sent from the public source. A field without a value
is absent, never null; nulls inside a tool's input and response are data and stay.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hookfw_claude.deepagents import tools
from hookfw_claude.deepagents.locations import transcript
from hookfw_claude.payload import encode, take

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event

_TOOL_RESULT = ("tool_name", "tool_input", "tool_use_id", "duration_ms")
_STOP = ("stop_hook_active", "last_assistant_message", "background_tasks", "session_crons")

FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "SessionStart": ("source", "model"),
        "UserPromptSubmit": ("prompt",),
        "SessionEnd": ("reason",),
        "PermissionRequest": ("tool_name", "tool_input", "permission_suggestions"),
        "Notification": ("notification_type", "message", "title"),
        "PreToolUse": ("tool_name", "tool_input", "tool_use_id"),
        "PostToolUse": ("tool_name", "tool_input", "tool_response", "tool_use_id", "duration_ms"),
        "PostToolUseFailure": (*_TOOL_RESULT, "error", "is_interrupt"),
        "PreCompact": ("trigger", "custom_instructions"),
        "Stop": _STOP,
        "SubagentStart": (),
        "SubagentStop": ("stop_hook_active", "agent_transcript_path", *_STOP[1:]),
    }
)
"""Each event's own fields; those of a subagent are common ones."""

COMMON = (
    "session_id",
    "transcript_path",
    "cwd",
    "prompt_id",
    "permission_mode",
    "effort",
    "agent_id",
    "agent_type",
    "hook_event_name",
)
"""The fields of every event."""

_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "permission_mode": "default",
        "custom_instructions": "",
        "last_assistant_message": "",
        "background_tasks": [],
        "session_crons": [],
        "is_interrupt": False,
    }
)
"""What is always sent where an event has the field."""


def payload(native_event: str, event: Event, home: str) -> bytes:
    """What all handlers of one row read, without a line end."""
    names = (*COMMON, *FIELDS[native_event])
    known = take(event.given, names, null=False)
    known |= _made(native_event, event, known, home)
    fields = {name: known.get(name, _DEFAULTS.get(name)) for name in names}
    more = {name: value for name, value in event.native.items() if name not in fields and name != tools.SERVER}
    return encode({name: value for name, value in {**fields, **more}.items() if value is not None})


def failed(event: Event) -> bool:
    """
    A tool call failed.

    It says so itself; or its result has the status `error`, or a shell tool ended with another exit status than 0.
    """
    success = getattr(event, "tool_success", None)
    if success is not None:
        return success is False
    shell = tools.public_name(event) == "Bash"
    return getattr(event, "tool_status", None) == "error" or (shell and bool(getattr(event, "tool_exit_code", None)))


def _made(native_event: str, event: Event, known: Mapping[str, Any], home: str) -> dict[str, Any]:
    """The fields that are made of others."""
    made: dict[str, Any] = {"hook_event_name": native_event}
    session_id, agent_id = event.session_id, event.agent_id
    if "transcript_path" not in known and session_id is not None:
        made["transcript_path"] = transcript(home, session_id)
    if "effort" in known:
        made["effort"] = {"level": known["effort"]}
    if "tool_name" in known:
        made["tool_name"] = tools.public_name(event)
    if "tool_input" in known:
        made["tool_input"] = tools.public_input(event)
    match native_event:
        case "PermissionRequest":
            # The agent has none to suggest yet, whatever another one did.
            made["permission_suggestions"] = []
        case "PostToolUseFailure" if "error" not in known:
            made["error"] = _error(event)
        case "Stop" | "SubagentStop":
            made["stop_hook_active"] = bool(known.get("stop_hook_active")) or _count(event) > 0
            if "agent_transcript_path" not in known and session_id is not None and agent_id is not None:
                made["agent_transcript_path"] = transcript(home, session_id, agent_id)
    return made


def _count(event: Event) -> int:
    return getattr(event, "continuation_count", None) or 0


def _error(event: Event) -> str:
    """The text of a failure that came without one."""
    response, status = getattr(event, "tool_response", None), getattr(event, "tool_exit_code", None)
    if isinstance(response, str) and response:
        return response
    return "The tool failed." if status is None else f"The command ended with exit status {status}."
