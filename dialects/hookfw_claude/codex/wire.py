"""
The answers of hooks: their fields and types.

As codex-cli 0.171.0 was seen to take them: closed objects, values of the very type; null stands for "not given" but for
the two switches. `hookSpecificOutput` may name any event of Codex.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from hookfw_claude.codex.rules import EVENTS
from hookfw_claude.wire import OrNull, Wire

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMON: Mapping[str, Any] = MappingProxyType(
    {"continue": bool, "stopReason": str | None, "suppressOutput": bool, "systemMessage": str | None}
)
_BLOCK: Mapping[str, Any] = MappingProxyType({"decision": Literal["block"] | None, "reason": str | None})
_CONTEXT: Mapping[str, Any] = MappingProxyType({"additionalContext": str | None})

WIRE: Final = Wire(
    top=dict.fromkeys(EVENTS, _COMMON)
    | {name: {**_COMMON, **_BLOCK} for name in ("PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop")}
    | {
        "PreToolUse": {**_COMMON, "decision": Literal["approve", "block"] | None, "reason": str | None},
        "Interrupt": {"systemMessage": str | None},
    },
    specific={
        "PreToolUse": {
            **_CONTEXT,
            "permissionDecision": Literal["allow", "deny", "ask"] | None,
            "permissionDecisionReason": str | None,
            "updatedInput": Any,
        },
        "PermissionRequest": {
            "decision": OrNull(
                {
                    "behavior": Literal["allow", "deny"],
                    "message": str | None,
                    "updatedInput": Any,
                    "updatedPermissions": Any,
                    "interrupt": bool,
                }
            )
        },
        "PostToolUse": {**_CONTEXT, "updatedMCPToolOutput": Any},
        "SessionStart": _CONTEXT,
        "UserPromptSubmit": _CONTEXT,
        "SubagentStart": _CONTEXT,
    },
    required=frozenset({"PermissionRequest.decision.behavior"}),
    any_event=True,
)
"""The answers of all events that are listened to."""
