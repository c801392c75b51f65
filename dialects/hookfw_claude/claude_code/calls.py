"""
What Claude Code tells a hook: its events and their fields.

From the contract, "Common payload fields" and "Payloads as received".
"""

from __future__ import annotations

from typing import Any, Final

from hookfw_claude.calls import Calls
from hookfw_claude.claude_code.payloads import FIELDS
from hookfw_claude.claude_code.rules import BY_KIND

_COMMON: Final = ("prompt_id", "permission_mode", "agent_id", "agent_type", "effort")


def _level(effort: Any) -> Any:
    """The effort, which a payload wraps in an object."""
    return effort.get("level") if isinstance(effort, dict) else effort


CALLS: Final = Calls(
    agent="Claude Code",
    fields={name: (*_COMMON, *fields) for name, fields in FIELDS.items()},
    kinds={kind: rules.name for kind, rules in BY_KIND.items()},
    classes={"StopFailure": "Error"},
    values={"effort": _level},
)
"""The calls that Claude Code makes."""
