"""The JSON Schema of a `hooks.json`, made of the same tables that loading reads."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.codex.rules import DEFAULT_TIMEOUT, EVENTS, MCP_TOOL, TEXT_LIMIT, UNSUPPORTED_TYPES
from hookfw_claude.codex.shapes import FILE_FIELDS, WINDOWS

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT = ["string", "null"]
_COMMON: Mapping[str, Any] = {
    "timeout": {
        "type": ["integer", "null"],
        "minimum": 0,
        "default": DEFAULT_TIMEOUT,
        "description": "Seconds; on SessionEnd and Interrupt 1 by default and 3 at most.",
    },
    "statusMessage": {"type": _TEXT, "description": "Shown while the handler runs."},
}
_COMMAND = {
    "type": "object",
    "properties": {
        "type": {"const": "command"},
        "command": {"type": "string", "pattern": r"\S", "description": "A line for the person's login shell."},
        WINDOWS[0]: {"type": _TEXT, "description": "The same for Windows."},
        WINDOWS[1]: {"type": _TEXT, "description": f"Another spelling of {WINDOWS[0]}."},
        "async": {"type": "boolean", "default": False, "description": "Runs in the background and steers nothing."},
        "additionalContextLimit": {
            "type": ["integer", "null"],
            "minimum": 0,
            "default": TEXT_LIMIT,
            "description": "Tokens of context the handler may give; 0 for no limit.",
        },
        **_COMMON,
    },
    "required": ["type", "command"],
    "not": {"required": list(WINDOWS)},
}
_MCP_TOOL = {
    "type": "object",
    "properties": {
        "type": {"const": MCP_TOOL},
        "server": {"type": "string", "description": "Name of a configured MCP server."},
        "tool": {"type": "string", "description": "Name of its tool."},
        "input": {"type": "object", "default": {}, "description": "The tool's input; ${path} takes from the payload."},
        **_COMMON,
    },
    "required": ["type", "server", "tool"],
}
_SKIPPED = {"type": "object", "properties": {"type": {"enum": list(UNSUPPORTED_TYPES)}}, "required": ["type"]}
_GROUP = {
    "type": "object",
    "properties": {
        "matcher": {
            "type": _TEXT,
            "description": "Names between |, or a pattern of Rust's regex; absent, empty or * for everything.",
        },
        "hooks": {"type": "array", "items": {"oneOf": [_COMMAND, _MCP_TOOL, _SKIPPED]}},
    },
}
_FILE = {
    "description": {"type": _TEXT},
    "hooks": {"type": "object", "properties": {name: {"type": "array", "items": _GROUP} for name in EVENTS}},
}

SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hooks of Codex",
        "type": "object",
        "properties": {name: _FILE[name] for name in FILE_FIELDS},
        "additionalProperties": False,
    }
)
"""Of a `hooks.json`; events, groups and handlers may have other fields, which are ignored."""
