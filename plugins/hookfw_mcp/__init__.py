"""
Handlers of the type `mcp_tool`: a tool of an MCP server is called, and what it answers is read by the dialect.

`handler` makes facts of a call; `connection` keeps the session of one server; `stdio` and `http` are the two ways to one.
"""

from __future__ import annotations

from collections.abc import Iterable

from hookfw import HandlerType, HandlerTypeInfo, hookimpl


def _load() -> HandlerType:
    from hookfw_mcp.handler import ToolHandler  # noqa: PLC0415 - only where a hook calls a tool

    return ToolHandler()


@hookimpl
def register_handler_types() -> Iterable[HandlerTypeInfo]:
    """The type `mcp_tool`."""
    return [HandlerTypeInfo(name="mcp_tool", load=_load, needs=("mcp",), install="hookfw[mcp]")]
