"""
Calls: what Deep Agents Code sends to its hooks, read as a canonical event.

From the hooks document, "Input payload". Tool names and shapes are public ones there already, which are the canonical ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from hookfw import (
    BrokenJsonError,
    EventError,
    Notification,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    parse_json,
    text,
)
from hookfw_claude.deepagents.payloads import COMMON, FIELDS
from hookfw_claude.deepagents.rules import EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event, NativeCall

_CLASSES: Mapping[str, type[Event]] = {
    "SessionStart": SessionStart,
    "UserPromptSubmit": UserPromptSubmit,
    "SessionEnd": SessionEnd,
    "PermissionRequest": PermissionRequest,
    "Notification": Notification,
    "PreToolUse": PreToolUse,
    "PostToolUse": PostToolUse,
    "PostToolUseFailure": PostToolUseFailure,
    "PreCompact": PreCompact,
    "Stop": Stop,
    "SubagentStart": SubagentStart,
    "SubagentStop": SubagentStop,
}


def parse(call: NativeCall) -> Event:
    """
    The event behind a call. Fields that the agent sends beyond its document are kept in `native`.

    Raises `EventError` for standard input that is no payload of this agent.
    """
    try:
        payload = parse_json(call.stdin)
    except BrokenJsonError as error:
        message = f"The payload on standard input cannot be read: {error.detail}."
        raise EventError(message) from None
    if not isinstance(payload, dict):
        message = "The payload on standard input is no JSON object."
        raise EventError(message)
    name = payload.get("hook_event_name", call.event_hint)
    rules = EVENTS.get(name) if isinstance(name, str) else None
    if rules is None:
        given = text.line(text.compact_json(name), 60)
        message = f"The payload names the event {given}, which Deep Agents Code does not have."
        raise EventError(message)
    known = {*COMMON, *FIELDS[rules.name]} - {"hook_event_name"}
    fields: dict[str, Any] = {key: value for key, value in payload.items() if key in known}
    effort = fields.get("effort")
    if isinstance(effort, dict):
        fields["effort"] = effort.get("level")
    native = {key: value for key, value in payload.items() if key not in known and key != "hook_event_name"}
    if native:
        fields["native"] = native
    try:
        return _CLASSES[rules.name].model_validate(text.scrub_value(fields))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        message = f"The payload of {rules.name} cannot be read: in {where}, {problem['msg'].lower()}."
        raise EventError(message) from None
