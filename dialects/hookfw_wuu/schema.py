"""The JSON Schema of the part `hooks` of `config.json`; the rest of that file is Wuu's own."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw_wuu.rules import DEFAULT_TIMEOUT, EVENTS, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hooks of Wuu",
        "type": "object",
        "properties": {
            "hooks": {
                "type": ["object", "null"],
                "properties": {
                    name: {"type": ["array", "null"], "items": {"$ref": "#/$defs/entry"}} for name in EVENTS
                },
            }
        },
        "$defs": {
            "entry": {
                "type": "object",
                "properties": {
                    "matcher": {
                        "type": "string",
                        "description": "Name of a tool, in any letter case; empty or * for everything.",
                    },
                    "type": {"enum": list(TYPES), "default": "command"},
                    "command": {"type": "string", "description": "A line for sh, for the type command."},
                    "prompt": {
                        "type": "string",
                        "description": "A template, for the type prompt; every $ARGUMENTS becomes the event.",
                    },
                    "model": {"type": "string", "description": "For the type prompt; empty for the client's default."},
                    "timeout": {
                        "type": "integer",
                        "default": DEFAULT_TIMEOUT,
                        "description": "Seconds; not positive for the default.",
                    },
                },
                "additionalProperties": False,
            }
        },
    }
)
"""Strict as the agent itself: an unknown field of an entry refuses the hooks of the whole file."""
