"""
The shape of a table of hooks: one value of a wrong type costs the whole file.

As seen with codex-cli 0.171.0. Unknown events, and unknown fields of groups and handlers, are no fault. The optional
fields may be null, but for `async` and `input`.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw_claude.codex.rules import EVENTS, MCP_TOOL, UNSIGNED_LIMIT, UNSUPPORTED_TYPES
from hookfw_claude.groups import walk
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw_claude.groups import Item

FILE_FIELDS: Final = ("description", "hooks")
WINDOWS: Final = ("commandWindows", "command_windows")
"""Two spellings of one field."""


class ShapeProblem(NamedTuple):
    """
    What is wrong with a file.

    Attributes:
        what: place and fault, in words for people.
        path: the way to it from the table of events.
    """

    what: str
    path: tuple[str | int, ...] = ()


def file_problem(content: Any) -> ShapeProblem | None:
    """Why a `hooks.json` is refused as a whole; `None` when it is not."""
    if not isinstance(content, dict):
        return ShapeProblem("it must hold a JSON object")
    for name in content:
        if name not in FILE_FIELDS:
            return ShapeProblem(f"unknown field {quoted(name)}, expected `description` or `hooks`")
    if not isinstance(content.get("description", ""), str | None):
        return ShapeProblem("`description` must be a text")
    return table_problem(content.get("hooks", {}))


def table_problem(table: Any) -> ShapeProblem | None:
    """Why a table of events is refused; `None` when it is not."""
    if not isinstance(table, dict):
        return ShapeProblem("`hooks` must be an object of events")
    for item in walk({name: groups for name, groups in table.items() if name in EVENTS}):
        problem = _group_problem(item) if item.handler is None else _handler_problem(item)
        if problem is not None:
            return ShapeProblem(f"{item.entry}: {problem}", item.path)
    return None


def _group_problem(item: Item) -> str | None:
    match item.fault:
        case "event-not-a-list":
            return f"`{item.event}` must be an array of matcher groups"
        case "group-not-an-object":
            return "a matcher group must be an object"
        case "handlers-not-a-list":
            return "`hooks` of a matcher group must be an array"
    return None if isinstance(item.matcher, str | None) else "`matcher` must be a text"


def _handler_problem(item: Item) -> str | None:
    if item.fault is not None:
        return "a handler must be an object"
    handler: Mapping[str, Any] = item.value
    kind = handler.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        given = "it names no `type`" if kind is None else f"unknown `type` {quoted(kind)}"
        hint = did_you_mean(kind, _TYPES) if isinstance(kind, str) else ""
        return f"{given}{hint}, expected one of {', '.join(f'`{name}`' for name in _TYPES)}"
    if kind == "command" and all(name in handler for name in WINDOWS):
        return "duplicate field: `commandWindows` and `command_windows` are the same one; keep one of them"
    for name, is_right in _TYPES[kind].items():
        if name not in handler:
            if name in _REQUIRED:
                return f"missing field `{name}`"
        elif not (is_right.test(handler[name]) or (handler[name] is None and is_right.null)):
            return f"`{name}` must be {is_right.expected}, not {quoted(handler[name])}"
    return None


class _Kind(NamedTuple):
    """What a field's value must be, and whether null stands for "not given"."""

    test: Callable[[Any], bool]
    expected: str
    null: bool = True


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_unsigned(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < UNSIGNED_LIMIT


def _is_plain_object(value: Any) -> bool:
    """An object that JSON can say: TOML also has dates and numbers that are none."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return isinstance(value, dict)


_TEXT = _Kind(_is_text, "a text")
_NEEDED_TEXT = _Kind(_is_text, "a text", null=False)
_SECONDS = _Kind(_is_unsigned, "a whole number of seconds")
_TOKENS = _Kind(_is_unsigned, "a whole number of tokens")
_SWITCH = _Kind(lambda value: isinstance(value, bool), "true or false", null=False)
_OBJECT = _Kind(_is_plain_object, "an object of plain JSON", null=False)
_REQUIRED = frozenset({"command", "server", "tool"})
_TYPES: Mapping[str, Mapping[str, _Kind]] = MappingProxyType(
    {
        "command": {
            "command": _NEEDED_TEXT,
            **dict.fromkeys(WINDOWS, _TEXT),
            "timeout": _SECONDS,
            "statusMessage": _TEXT,
            "additionalContextLimit": _TOKENS,
            "async": _SWITCH,
        },
        MCP_TOOL: {
            "server": _NEEDED_TEXT,
            "tool": _NEEDED_TEXT,
            "input": _OBJECT,
            "timeout": _SECONDS,
            "statusMessage": _TEXT,
        },
    }
    | {kind: {} for kind in UNSUPPORTED_TYPES}
)
"""The fields of each type of handler."""

FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType({kind: ("type", *fields) for kind, fields in _TYPES.items()})
"""The same by name."""
