"""The JSON Schema of the part of a settings file that is about hooks, made of the same tables that loading reads."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.claude_code.fields import FIELDS, REQUIRED
from hookfw_claude.claude_code.rules import EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping


def _handler(kind: str) -> dict[str, Any]:
    """Of a handler of one type; it may have other fields, which are ignored."""
    properties = {name: dict(field.schema) for name, field in FIELDS[kind].items()} | {"type": {"const": kind}}
    return {"type": "object", "properties": properties, "required": list(REQUIRED[kind])}


_GROUP: Final = {
    "type": "object",
    "properties": {
        "matcher": {
            "type": "string",
            "description": "Names between | or a JavaScript pattern; absent, empty or * for everything.",
        },
        "hooks": {"type": "array", "items": {"oneOf": [_handler(kind) for kind in FIELDS]}},
    },
    "required": ["hooks"],
}
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}

SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hooks of Claude Code",
        "type": "object",
        "properties": {
            "hooks": {"type": "object", "properties": {name: {"type": "array", "items": _GROUP} for name in EVENTS}},
            "disableAllHooks": {"type": "boolean"},
            "allowManagedHooksOnly": {"type": "boolean", "description": "Counts in managed settings only."},
            "allowedHttpHookUrls": _TEXTS,
            "httpHookAllowedEnvVars": _TEXTS,
        },
    }
)
"""Of a settings file; its other settings are the agent's own."""
