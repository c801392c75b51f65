"""
The tool calls of the agents that are configured in TOML: whose server is called, and with what.

Servers are those of `[mcp_servers.NAME]` in the layers that hold hooks. A placeholder alone keeps the type of its value, and one
that is not in the event keeps the call from being made.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hookfw import BrokenTomlError, parse_toml
from hookfw_claude.mcp_servers import UNKNOWN, read_tables, request
from hookfw_claude.placeholders import filled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hookfw import Document, Hook, Places, Row, Scope, ToolRequest

MCP_TOOL = "mcp_tool"


def with_servers(
    hooks: Sequence[Hook], documents: Sequence[Document], roles: Collection[str], places: Places
) -> tuple[Hook, ...]:
    """
    The hooks, those that call a tool with its server (`Definition.server`); without any nothing is read.

    `roles`: of the documents that are looked at, from the weakest layer to the strongest.
    """
    if not any(hook.handler == MCP_TOOL for hook in hooks):
        return tuple(hooks)
    servers = read_tables(_tables(documents, roles), workspace=places.workspace, environ=places.environ)
    return tuple(
        hook._replace(config=hook.config._replace(server=servers.get(hook.config.handler.server, UNKNOWN)))
        if hook.handler == MCP_TOOL
        else hook
        for hook in hooks
    )


def tool_request(row: Row, hook: Hook) -> ToolRequest:
    """The call of a hook's tool."""
    handler = hook.config.handler
    missing: list[str] = []
    arguments = filled(handler.input, json.loads(row.stdin), missing, typed=True)
    problem = ""
    if missing:
        problem = f"did not call its tool: hook input placeholder `${{{missing[0]}}}` was not found in the event"
    return request(handler.server, handler.tool, arguments, hook.config.server, problem)


def _tables(documents: Sequence[Document], roles: Collection[str]) -> Iterator[tuple[Scope, Any]]:
    """The tables of all layers; a file that cannot be read is told when its hooks are loaded."""
    for document in documents:
        if document.role in roles and document.problem is None:
            try:
                yield document.scope, parse_toml(document.data).get("mcp_servers")
            except BrokenTomlError:
                continue
