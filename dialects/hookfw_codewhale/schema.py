"""The JSON Schema of `config.toml`, as far as it is about hooks; the rest of that file is Codewhale's own."""

from __future__ import annotations

from typing import Any

from hookfw_codewhale.conditions import CATEGORIES
from hookfw_codewhale.native import EVENTS


def _condition(kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"type": {"const": kind}, **fields},
        "required": ["type", *fields],
    }


_NESTED = {"type": "array", "items": {"$ref": "#/$defs/condition"}}


def schema() -> dict[str, Any]:
    """Settings and entries, with every event and condition."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Codewhale hooks",
        "type": "object",
        "properties": {
            "hooks": {
                "type": "object",
                "properties": {
                    "enabled": {"type": "boolean", "default": True},
                    "default_timeout_secs": {"type": "integer", "minimum": 1},
                    "working_dir": {"type": "string"},
                    "hooks": {"type": "array", "items": {"$ref": "#/$defs/entry"}},
                },
            }
        },
        "$defs": {
            "entry": {
                "type": "object",
                "properties": {
                    "event": {"enum": list(EVENTS)},
                    "command": {"type": "string", "pattern": r"\S"},
                    "name": {"type": "string"},
                    "timeout_secs": {"type": "integer", "minimum": 1, "default": 30},
                    "background": {"type": "boolean", "default": False},
                    "continue_on_error": {"type": "boolean", "default": True},
                    "condition": {"$ref": "#/$defs/condition"},
                },
                "required": ["event", "command"],
            },
            "condition": {
                "oneOf": [
                    _condition("always"),
                    _condition("tool_name", name={"type": "string"}),
                    _condition("tool_category", category={"enum": sorted(CATEGORIES)}),
                    _condition("mode", mode={"type": "string"}),
                    _condition("exit_code", code={"type": "integer"}),
                    _condition("all", conditions=_NESTED),
                    _condition("any", conditions=_NESTED),
                ]
            },
        },
    }
