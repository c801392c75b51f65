"""The JSON Schema of a hooks file."""

from __future__ import annotations

from typing import Any

from hookfw_claude.deepagents.rules import EVENTS

_HANDLER = {
    "type": "object",
    "required": ["type", "command"],
    "properties": {
        "type": {"const": "command"},
        "command": {"type": "string", "description": "Run by /bin/sh -c, unless argv is there."},
        "argv": {
            "type": ["array", "null"],
            "items": {"type": "string"},
            "minItems": 1,
            "description": "Program and arguments, run without a shell.",
        },
        "timeout": {
            "type": ["number", "null"],
            "exclusiveMinimum": 0,
            "description": "Seconds; 600 by default, 30 for UserPromptSubmit.",
        },
        "statusMessage": {"type": ["string", "null"], "description": "Shown while the handler runs."},
        "async": {"enum": [False, None], "description": "Not supported."},
    },
}


def schema() -> dict[str, Any]:
    """The form with event names as keys; the deprecated list form is not described."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hooks of Deep Agents Code",
        "type": "object",
        "required": ["hooks"],
        "properties": {
            "hooks": {
                "type": "object",
                "properties": {name: _groups(matcher=rules.subject is not None) for name, rules in EVENTS.items()},
                "additionalProperties": False,
            }
        },
    }


def _groups(*, matcher: bool) -> dict[str, Any]:
    kinds: dict[str, Any] = {"type": ["string", "null"]} if matcher else {"enum": [None, "", "*"]}
    return {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["hooks"],
            "properties": {"matcher": kinds, "hooks": {"type": "array", "items": _HANDLER}},
        },
    }
