"""
Tools: hooks see public names and shapes, never the agent's own.

From the hooks document, "Tool names"; how values are carried over from the public source.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from hookfw import Field, Tool, ToolTable

if TYPE_CHECKING:
    from hookfw import Event

SERVER: Final = "mcp_server"
"""The key of an event's `native` that names the MCP server a tool comes from."""

_MCP = re.compile(r"mcp__.+__.+")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _milliseconds(seconds: Any) -> Any:
    return seconds * 1000 if _is_whole(seconds) else seconds


def _seconds(milliseconds: Any) -> Any:
    if not _is_whole(milliseconds):
        return milliseconds
    return milliseconds / 1000 if milliseconds % 1000 else milliseconds // 1000


def _from_one(line: Any) -> Any:
    return line + 1 if _is_whole(line) else line


def _from_zero(line: Any) -> Any:
    return line - 1 if _is_whole(line) else line


def _as_pattern(literal: Any) -> Any:
    return re.escape(literal) if isinstance(literal, str) else literal


def _as_literal(pattern: Any) -> Any:
    return re.sub(r"\\(.)", r"\1", pattern, flags=re.DOTALL) if isinstance(pattern, str) else pattern


def _same(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name, name) for name in names)


TOOLS: Final = ToolTable(
    (
        Tool("execute", "Bash", (*_same("command"), Field("timeout", "timeout", _milliseconds, _seconds)), only=True),
        Tool("write_file", "Write", _same("file_path", "content"), only=True),
        Tool("edit_file", "Edit", _same("file_path", "old_string", "new_string", "replace_all"), only=True),
        Tool(
            "read_file",
            "Read",
            (*_same("file_path", "limit"), Field("offset", "offset", _from_one, _from_zero)),
            only=True,
        ),
        Tool("glob", "Glob", _same("pattern", "path"), only=True),
        Tool(
            "grep",
            "Grep",
            (
                *_same("path", "glob", "output_mode"),
                # The agent searches for a text, the public tool for a pattern.
                Field("pattern", "pattern", _as_pattern, _as_literal),
                Field("max_count", "head_limit"),
            ),
            only=True,
        ),
        Tool("ls", "LS", _same("path"), only=True),
    ),
    speaks_canonical=True,
)
"""The agent's own names and fields, and the public ones its hooks see."""


def public_name(event: Event) -> str | None:
    """The name of an event's tool as hooks see it; `None` where the event has none."""
    name: str | None = getattr(event, "tool_name", None)
    if name is None or _MCP.fullmatch(name):
        return name
    server = event.native.get(SERVER)
    if isinstance(server, str):
        return f"mcp__{server}__{name.removeprefix(f'{server}_')}"
    return TOOLS.to_canonical(name, None).name


def public_input(event: Event) -> Any:
    """The input of an event's tool as hooks see it; that of an MCP tool is handed on whole."""
    name, given = getattr(event, "tool_name", None), getattr(event, "tool_input", None)
    if name is None or _MCP.fullmatch(name) or isinstance(event.native.get(SERVER), str):
        return given
    return TOOLS.to_canonical(name, given).input
