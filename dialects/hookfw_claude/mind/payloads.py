"""
What a hook reads on standard input.

From the paragraph on standard input of the hooks document; which event has which field, and the values of `trigger`,
`source`, `reason` and `permission_mode`, from the public source. An object holds these fields and no others, whatever else
is known; a field that Mind always sends and the event does not give has the value its source gives it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.mind.rules import PERMISSION_MODES, EventRules
from hookfw_claude.mind.tools import BASH, shown_input, shown_name
from hookfw_claude.payload import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Event

_AGENT = ("agent_id", "agent_type")
_TURN = ("model", "turn_id", "permission_mode")
_CALL = (*_TURN, *_AGENT, "tool_name", "tool_input")

FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "PreToolUse": (*_CALL, "tool_use_id"),
        "PermissionRequest": _CALL,
        "PostToolUse": (*_CALL, "tool_use_id", "tool_response"),
        "PreCompact": ("model", "turn_id", *_AGENT, "trigger"),
        "PostCompact": ("model", "turn_id", *_AGENT, "trigger"),
        "SessionStart": ("model", "permission_mode", "source"),
        "SessionEnd": ("reason",),
        "UserPromptSubmit": (*_TURN, *_AGENT, "prompt"),
        "SubagentStart": (*_TURN, *_AGENT),
        "SubagentStop": (
            *_TURN,
            *_AGENT,
            "agent_transcript_path",
            "stop_hook_active",
            "last_assistant_message",
        ),
        "Stop": (*_TURN, "stop_hook_active", "last_assistant_message"),
    }
)
"""The fields of each event beside `session_id`, `transcript_path`, `cwd` and `hook_event_name`."""

END_REASON: Final = "other"
"""Why a session ends, as hooks are told: always the same."""

_SUBAGENT_EVENTS = ("SubagentStart", "SubagentStop")


def document(rules: EventRules, event: Event) -> dict[str, Any]:
    """The object that hooks of `event` read, fields in the order in which they are sent."""
    given = event.given
    said: dict[str, Any] = {}
    for name in ("session_id", "cwd"):
        if name in given:
            said[name] = given[name]
    said["transcript_path"] = given.get("transcript_path")
    said["hook_event_name"] = rules.name
    root = given.get("agent_id") is None and rules.name not in _SUBAGENT_EVENTS
    for name in FIELDS[rules.name]:
        if root and name in _AGENT:
            continue
        if name in _ALWAYS:
            said[name] = _ALWAYS[name](given)
        elif name in given:
            said[name] = _SHOWN[name](given) if name in _SHOWN else given[name]
    return said


def payload(rules: EventRules, event: Event) -> bytes:
    """The same as it is sent: compact, in ASCII, without a newline."""
    return encode(document(rules, event), ascii_only=True)


def failed(event: Event) -> bool:
    """
    A tool call did not succeed, so that `PostToolUse` is not for it.

    It says so itself; or it was interrupted, its result has the status `error`, or a shell tool ended with another exit
    status than 0.
    """
    given = event.given
    success = given.get("tool_success")
    if success is not None:
        return success is False
    if given.get("is_interrupt") or given.get("tool_status") == "error":
        return True
    return shown_name(given.get("tool_name") or "") == BASH and bool(given.get("tool_exit_code"))


def trigger_of(given: Mapping[str, Any]) -> str:
    """`manual` stays; whatever else starts a compaction is `auto`."""
    return "manual" if given.get("trigger") == "manual" else "auto"


def source_of(given: Mapping[str, Any]) -> str:
    """Why a session starts, in one of four words."""
    reason = (given.get("source") or "").strip()
    if "compact" in reason:
        return "compact"
    if "resume" in reason or reason in ("bound", "external"):
        return "resume"
    return "startup" if reason in ("", "initial", "startup", "calling") else "clear"


def _permission_mode(given: Mapping[str, Any]) -> str:
    mode = given.get("permission_mode")
    if mode in PERMISSION_MODES:
        return str(mode)
    return "bypassPermissions" if mode == "never" else "default"


def _stop_hook_active(given: Mapping[str, Any]) -> bool:
    return bool(given.get("stop_hook_active")) or (given.get("continuation_count") or 0) > 0


def _tool_name(given: Mapping[str, Any]) -> str:
    return shown_name(given.get("tool_name") or "")


def _tool_input(given: Mapping[str, Any]) -> Any:
    return shown_input(given.get("tool_name") or "", given.get("tool_input"))


_ALWAYS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = MappingProxyType(
    {
        "permission_mode": _permission_mode,
        "trigger": trigger_of,
        "source": source_of,
        "reason": lambda given: END_REASON,  # noqa: ARG005 - one word for every end
        "stop_hook_active": _stop_hook_active,
        "agent_transcript_path": lambda given: given.get("agent_transcript_path"),
        "last_assistant_message": lambda given: given.get("last_assistant_message") or None,
    }
)
"""Fields that are sent whether or not the event gives them, and how their value is made."""

_SHOWN: Mapping[str, Callable[[Mapping[str, Any]], Any]] = MappingProxyType(
    {"tool_name": _tool_name, "tool_input": _tool_input}
)
"""Fields that are sent in another form than given."""
