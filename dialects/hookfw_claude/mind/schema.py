"""The JSON Schema of a `hooks.json`, made of the same tables that loading reads."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.mind.rules import DEFAULT_CONTEXT_LIMIT, DEFAULT_TIMEOUT, EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT = {"type": "string", "pattern": r"\S"}
_COMMON: Mapping[str, Any] = {
    "timeout": {
        "type": ["integer", "null"],
        "minimum": 0,
        "default": DEFAULT_TIMEOUT,
        "description": "Seconds; on SessionEnd 1 by default and 3 at most.",
    },
    "statusMessage": {"type": ["string", "null"], "description": "Shown while the handler runs."},
    "additionalContextLimit": {
        "type": "integer",
        "minimum": 0,
        "default": DEFAULT_CONTEXT_LIMIT,
        "description": "Tokens of context the handler may give; 0 for no limit.",
    },
}
_COMMAND = {
    "type": "object",
    "properties": {
        "type": {"const": "command"},
        "command": {**_TEXT, "description": "A line for the person's login shell."},
        "commandWindows": {"type": ["string", "null"], "description": "The same for Windows."},
        "command_windows": {"type": ["string", "null"], "description": "Another spelling of commandWindows."},
        "async": {"type": "boolean", "default": False, "description": "Runs in the background and steers nothing."},
        **_COMMON,
    },
    "required": ["type", "command"],
    "not": {"required": ["commandWindows", "command_windows"]},
}
_MCP_TOOL = {
    "type": "object",
    "properties": {
        "type": {"const": "mcp_tool"},
        "server": {**_TEXT, "description": "Name of a configured MCP server."},
        "tool": {**_TEXT, "description": "Name of its tool."},
        "input": {"type": "object", "default": {}, "description": "The tool's input."},
        **_COMMON,
    },
    "required": ["type", "server", "tool"],
}
_GROUP = {
    "type": "object",
    "properties": {
        "matcher": {
            "type": ["string", "null"],
            "description": "Names between |, or a pattern of Python's re; absent, empty or * for everything.",
        },
        "hooks": {"type": "array", "items": {"oneOf": [_COMMAND, _MCP_TOOL]}},
    },
}

SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hooks of Mind",
        "type": "object",
        "properties": {
            "description": {"type": ["string", "null"]},
            "hooks": {"type": "object", "properties": {name: {"type": "array", "items": _GROUP} for name in EVENTS}},
        },
        "additionalProperties": False,
    }
)
"""Of a `hooks.json`; events, groups and handlers may have other fields, which are ignored."""
