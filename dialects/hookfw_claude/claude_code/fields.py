"""
The fields of handlers: what each may hold, as one table for loading and for the JSON Schema.

From the contract, "Handlers" and "Loading rules". A field of the wrong kind, null included, breaks its handler; a field that is
not known does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple


class Kind(NamedTuple):
    """
    What a field may hold.

    Attributes:
        says: in words that follow "must be".
        schema: the same as JSON Schema.
        fits: judges a value.
    """

    says: str
    schema: Mapping[str, Any]
    fits: Callable[[Any], bool]


def _is_seconds(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_text_table(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _one_of(*words: str) -> Kind:
    return Kind(" or ".join(f"`{word}`" for word in words), {"enum": list(words)}, lambda value: value in words)


_TEXT = Kind("a text", {"type": "string"}, lambda value: isinstance(value, str))
_FLAG = Kind("true or false", {"type": "boolean"}, lambda value: isinstance(value, bool))
_SECONDS = Kind("a number of seconds above 0", {"type": "number", "exclusiveMinimum": 0}, _is_seconds)
_TEXTS = Kind("an array of texts", {"type": "array", "items": {"type": "string"}}, _is_texts)
_TABLE = Kind("an object", {"type": "object"}, lambda value: isinstance(value, dict))
_TEXT_TABLE = Kind("an object of texts", {"type": "object", "additionalProperties": {"type": "string"}}, _is_text_table)
_FAILURE = _one_of("continue", "block")

_COMMON: Mapping[str, Kind] = {
    "type": _TEXT,
    "if": _TEXT,
    "timeout": _SECONDS,
    "statusMessage": _TEXT,
    "once": _FLAG,
}
FIELDS: Mapping[str, Mapping[str, Kind]] = MappingProxyType(
    {
        "command": {
            **_COMMON,
            "command": _TEXT,
            "args": _TEXTS,
            "async": _FLAG,
            "asyncRewake": _FLAG,
            "shell": _one_of("bash", "powershell"),
            "onFailure": _FAILURE,
        },
        "http": {**_COMMON, "url": _TEXT, "headers": _TEXT_TABLE, "allowedEnvVars": _TEXTS, "onFailure": _FAILURE},
        "mcp_tool": {**_COMMON, "server": _TEXT, "tool": _TEXT, "input": _TABLE, "onFailure": _FAILURE},
        "prompt": {**_COMMON, "prompt": _TEXT, "model": _TEXT, "continueOnBlock": _FLAG},
        "agent": {**_COMMON, "prompt": _TEXT, "model": _TEXT},
    }
)
"""Every field of every handler type."""

REQUIRED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "command": ("type", "command"),
        "http": ("type", "url"),
        "mcp_tool": ("type", "server", "tool"),
        "prompt": ("type", "prompt"),
        "agent": ("type", "prompt"),
    }
)
FOREIGN: Mapping[str, Kind] = MappingProxyType({**_COMMON, "onFailure": _FAILURE})
"""What is checked of a handler whose type a plugin of hookfw brings: its other fields are that plugin's."""
GROUP_FIELDS: Final = ("matcher", "hooks")
