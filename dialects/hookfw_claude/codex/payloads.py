"""
What a hook reads on standard input.

As seen with codex-cli 0.171.0; the order of fields, and which are never null, from its embedded schemas and the public
source. An object holds these fields and no others; one that the event does not give is absent, unless the client always
sends it and its value is known.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.codex.tools import BASH, PATCH, shown
from hookfw_claude.payload import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Event, Spelled
    from hookfw_claude.codex.rules import EventRules

_AGENT = ("agent_id", "agent_type")
_TURN = ("turn_id", *_AGENT)
_CALL = (*_TURN, "model", "permission_mode", "tool_name", "tool_input")
_REQUEST = ("kind", "request_id", "attempt_number", "thread_id", "turn_id", "model")

FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "PreModelRequest": _REQUEST,
        "PostModelRequest": (*_REQUEST, "status", "error", "token_usage", "response_id"),
        "PreToolUse": (*_CALL, "tool_use_id"),
        "PermissionRequest": _CALL,
        "PostToolUse": (*_CALL, "tool_response", "tool_use_id"),
        "PreCompact": (*_TURN, "model", "trigger"),
        "PostCompact": (*_TURN, "model", "trigger"),
        "SessionStart": ("model", "permission_mode", "source"),
        "SessionEnd": ("reason",),
        "UserPromptSubmit": (*_TURN, "model", "permission_mode", "prompt"),
        "SubagentStart": (*_TURN, "model", "permission_mode"),
        "SubagentStop": (
            *_TURN,
            "model",
            "permission_mode",
            "agent_transcript_path",
            "stop_hook_active",
            "last_assistant_message",
        ),
        "Stop": ("turn_id", "model", "permission_mode", "stop_hook_active", "last_assistant_message"),
        "Interrupt": ("turn_id", "model", "permission_mode"),
    }
)
"""The fields of each event beside `session_id`, `transcript_path`, `cwd` and `hook_event_name`."""

RENAMED: Mapping[str, str] = MappingProxyType({"token_usage": "usage"})
"""Fields that the canonical event has under another name."""

END_REASON: Final = "other"
"""Why a session ends, as hooks are told: always the same."""

_PERMISSION_MODES = frozenset({"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"})
_NULLABLE = frozenset({"agent_transcript_path", "last_assistant_message", "error"})


def document(rules: EventRules, event: Event) -> dict[str, Any]:
    """The object that hooks of `event` read, fields in the order in which they are sent."""
    given = event.given
    native = given.get("native") or {}
    said: dict[str, Any] = {"session_id": given["session_id"]} if "session_id" in given else {}
    said["transcript_path"] = given.get("transcript_path")
    if "cwd" in given:
        said["cwd"] = given["cwd"]
    said["hook_event_name"] = rules.name
    for name in FIELDS[rules.name]:
        source = RENAMED.get(name, name)
        if name in native:
            said[name] = native[name]
        elif name in _MADE:
            said[name] = _MADE[name](event)
        elif given.get(source) is not None:
            said[name] = given[source]
        elif name in _NULLABLE:
            said[name] = None
    return said | _call(rules, said, given)


def payload(rules: EventRules, event: Event) -> bytes:
    """The same as it is sent: compact, without a newline."""
    return encode(document(rules, event))


def _call(rules: EventRules, said: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The tool call as hooks see it: its name whether or not it has an input, and its input where it has one."""
    name = given.get("tool_name")
    if "tool_name" not in said or name is None:
        return {}
    call = shown(name, said.get("tool_input"))
    if "tool_input" not in said:
        return {"tool_name": call.name}
    return {"tool_name": call.name, "tool_input": _of_call(rules, call, given.get("tool_input"))}


def _of_call(rules: EventRules, call: Spelled, given: Any) -> Any:
    """A tool's input; whoever is asked for a permission sees why the model wants a command, and a patch without its end."""
    seen = call.input
    if rules.name != "PermissionRequest" or not isinstance(seen, dict):
        return seen
    if call.name == PATCH and isinstance(seen.get("command"), str):
        return {**seen, "command": seen["command"].removesuffix("\n")}
    why = given.get("description") if isinstance(given, dict) else None
    return seen if call.name != BASH or why is None else {**seen, "description": why}


def _permission_mode(event: Event) -> str:
    """The client's five words; of its own policies `never` asks for nothing and the others for what needs it."""
    mode = event.permission_mode
    if mode in _PERMISSION_MODES:
        return str(mode)
    return "bypassPermissions" if mode == "never" else "default"


def _response(event: Event) -> Any:
    """What the model gets of a tool's result; of one that failed without a result, its error."""
    given = event.given
    return given["tool_response"] if "tool_response" in given else given.get("error")


_MADE: Mapping[str, Callable[[Event], Any]] = MappingProxyType(
    {
        "permission_mode": _permission_mode,
        "reason": lambda event: END_REASON,  # noqa: ARG005 - one word for every end
        "kind": lambda event: "sampling",  # noqa: ARG005 - the only one there is
        "stop_hook_active": lambda event: bool(event.given.get("stop_hook_active")),
        "tool_response": _response,
    }
)
"""Fields that are sent whether or not the event gives them, and how their value is made."""
