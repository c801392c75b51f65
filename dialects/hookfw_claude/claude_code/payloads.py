"""
What a hook reads on standard input.

From the contract, "Common payload fields", "Events" and "Payloads as received": which event has which field, and their order. A field
that the event does not give is absent, but for the two lists of Stop hooks and `stop_hook_active`, which are always sent.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.claude_code.rules import TASK_TEXT_LIMIT, TEXT_LIMIT, EventRules
from hookfw_claude.claude_code.tools import canonical_name
from hookfw_claude.payload import encode, take

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event

_CALL = ("tool_name", "tool_input")
_TASK = ("task_id", "task_subject", "task_description", "teammate_name", "team_name")
_SWITCH = (
    "from_model",
    "to_model",
    "requested_model",
    "source",
    "context_tokens",
    "prompt_cache_warm",
    "cache_ttl",
    "estimated_cache_write_usd",
    "pricing",
)
_END = ("last_assistant_message", "background_tasks", "session_crons")

FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "SessionStart": ("source", "model", "session_title"),
        "Setup": ("trigger",),
        "InstructionsLoaded": (
            "file_path",
            "memory_type",
            "load_reason",
            "globs",
            "trigger_file_path",
            "parent_file_path",
        ),
        "UserPromptSubmit": ("prompt",),
        "UserPromptExpansion": ("expansion_type", "command_name", "command_args", "command_source", "prompt"),
        "MessageDisplay": ("turn_id", "message_id", "index", "final", "delta"),
        "PreToolUse": (*_CALL, "tool_use_id"),
        "PermissionRequest": (*_CALL, "permission_suggestions"),
        "PermissionDenied": (*_CALL, "tool_use_id", "reason"),
        "PostToolUse": (*_CALL, "tool_response", "tool_use_id", "duration_ms"),
        "PostToolUseFailure": (*_CALL, "tool_use_id", "error", "is_interrupt", "duration_ms"),
        "PostToolBatch": ("tool_calls",),
        "Notification": ("message", "title", "notification_type"),
        "SubagentStart": (),
        "SubagentStop": ("stop_hook_active", "agent_transcript_path", *_END),
        "TaskCreated": _TASK,
        "TaskCompleted": _TASK,
        "Stop": ("stop_hook_active", *_END),
        "StopFailure": ("error", "error_details", "last_assistant_message"),
        "TeammateIdle": ("teammate_name", "team_name"),
        "ConfigChange": ("source", "file_path"),
        "CwdChanged": ("old_cwd", "new_cwd"),
        "DirectoryAdded": ("directory", "source"),
        "FileChanged": ("file_path",),
        "WorktreeCreate": ("name",),
        "WorktreeRemove": ("worktree_path",),
        "PreCompact": ("trigger", "custom_instructions"),
        "PostCompact": ("trigger", "compact_summary"),
        "PreModelSwitch": _SWITCH,
        "PostModelSwitch": _SWITCH,
        "Elicitation": ("mcp_server_name", "message", "mode", "url", "elicitation_id", "requested_schema"),
        "ElicitationResult": ("mcp_server_name", "action", "content", "mode", "elicitation_id"),
        "SessionEnd": ("reason",),
    }
)
"""The fields of each event beside the common ones; what else an event has of Claude Code's own stands in its `native`."""

_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {"stop_hook_active": False, "background_tasks": (), "session_crons": ()}
)
"""What is sent of these where the event gives nothing; the client always sends them."""

_CUT: Final = "\n... [{count} characters left out] ...\n"


def document(rules: EventRules, event: Event) -> dict[str, Any]:
    """The object that hooks of `event` read, fields in the order in which they are sent."""
    given = event.given
    mode = ("permission_mode",) if rules.permission_mode else ()
    common = ("session_id", "transcript_path", "cwd", "prompt_id", *mode, "agent_id", "agent_type")
    said = take(given, common, null=True)
    if rules.effort and "effort" in given:
        said["effort"] = None if event.effort is None else {"level": event.effort}
    said["hook_event_name"] = rules.name
    for name in FIELDS[rules.name]:
        if name in given:
            said[name] = _SENT[name](given[name]) if name in _SENT else given[name]
        elif name in _DEFAULTS:
            said[name] = _DEFAULTS[name]
    return {**said, **{name: value for name, value in event.native.items() if name not in said}}


def payload(rules: EventRules, event: Event) -> bytes:
    """The same as it is sent: one compact line and its newline."""
    return encode(document(rules, event), end="\n")


def _error(error: Any) -> Any:
    """Both ends of an error that is too long."""
    if not isinstance(error, str) or len(error) <= TEXT_LIMIT:
        return error
    half = TEXT_LIMIT // 2
    return f"{error[:half]}{_CUT.format(count=len(error) - 2 * half)}{error[-half:]}"


def _entries(entries: Any) -> Any:
    """Background tasks or scheduled prompts, each of their texts within its limit."""
    if not isinstance(entries, list):
        return entries
    return [
        {name: value[:TASK_TEXT_LIMIT] if isinstance(value, str) else value for name, value in entry.items()}
        if isinstance(entry, dict)
        else entry
        for entry in entries
    ]


_SENT: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "tool_name": lambda name: canonical_name(name) if isinstance(name, str) else name,
        "error": _error,
        "background_tasks": _entries,
        "session_crons": _entries,
    }
)
"""Fields that are sent in another form than given."""
