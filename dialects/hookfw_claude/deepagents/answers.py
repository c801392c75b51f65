"""
Answers: the fields of the JSON that hooks print at exit 0.

From the hooks document, "Common output fields", the sections on each event and "Unsupported output fields"; that one known
field of the wrong shape voids the whole answer, and where null is fine, from the public source.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from hookfw_claude.deepagents.rules import EVENTS
from hookfw_claude.wire import OneOf, Wire

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT = str | None
_OBJECT = dict[str, Any] | None

_TOP: Mapping[str, Any] = MappingProxyType(
    {
        "continue": bool,
        "stopReason": _TEXT,
        "suppressOutput": bool,
        "systemMessage": _TEXT,
        "terminalSequence": _TEXT,
        "decision": Literal["block"] | None,
        "reason": _TEXT,
    }
)
_CONTEXT: Mapping[str, Any] = MappingProxyType({"additionalContext": _TEXT})

WIRE: Final = Wire(
    top=dict.fromkeys(EVENTS, _TOP),
    specific={
        "SessionStart": {
            **_CONTEXT,
            "initialUserMessage": _TEXT,
            "sessionTitle": _TEXT,
            "watchPaths": list[str],
            "reloadSkills": bool,
        },
        "UserPromptSubmit": {**_CONTEXT, "sessionTitle": _TEXT, "suppressOriginalPrompt": bool},
        "PreToolUse": {
            **_CONTEXT,
            "permissionDecision": Literal["allow", "deny", "ask", "defer"] | None,
            "permissionDecisionReason": _TEXT,
            "updatedInput": _OBJECT,
        },
        "PermissionRequest": {
            "decision": OneOf(
                "behavior",
                {
                    "allow": {"updatedInput": _OBJECT, "updatedPermissions": list[dict[str, Any]]},
                    "deny": {"message": _TEXT, "interrupt": bool},
                },
            )
        },
        "PostToolUse": {**_CONTEXT, "updatedToolOutput": Any, "updatedMCPToolOutput": Any},
        "PostToolUseFailure": _CONTEXT,
        "Stop": _CONTEXT,
        "SubagentStart": _CONTEXT,
        "SubagentStop": _CONTEXT,
    },
    required=frozenset({"PermissionRequest.decision"}),
    strict=False,
    extra="report",
    extra_specific="ignore",
    foreign=True,
    null_specific=True,
)
"""
The answers of all events: the same fields at the top, `hookSpecificOutput` for the nine events that have one.

Fields nobody knows are reported at the top and ignored further in.
"""

NOT_APPLIED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "SessionStart": ("initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"),
        "UserPromptSubmit": ("sessionTitle",),
        "PreToolUse": ("updatedInput",),
        "PostToolUse": ("updatedToolOutput", "updatedMCPToolOutput"),
    }
)
"""Fields of `hookSpecificOutput` that this agent reads and does not apply, in the order they are told."""
