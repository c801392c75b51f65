"""
The call of an `mcp_tool` handler.

From the contract, "`mcp_tool`" and the rules of handlers: what `${path}` stands for is always text, and a path that leads nowhere is
the empty text, which is said.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hookfw_claude.failures import note
from hookfw_claude.mcp_servers import request
from hookfw_claude.placeholders import filled

if TYPE_CHECKING:
    from hookfw import Hook, Reading, Row, ToolRequest
    from hookfw_claude.claude_code.handlers import Handler


def tool_request(row: Row, handler: Handler) -> ToolRequest:
    """The call of a handler's tool."""
    fields = handler.fields
    arguments = filled(fields.get("input", {}), json.loads(row.stdin), [], typed=False)
    return request(fields["server"], fields["tool"], arguments, handler.server)


def with_missing_paths(reading: Reading, row: Row, hook: Hook) -> Reading:
    """The reading of a run, with what its input named that the event does not have."""
    if hook.handler != "mcp_tool":
        return reading
    missing: list[str] = []
    filled(hook.config.fields.get("input", {}), json.loads(row.stdin), missing, typed=False)
    if not missing:
        return reading
    paths = ", ".join(f"`${{{path}}}`" for path in dict.fromkeys(missing))
    said = note(hook, "missing-path", f"names {paths} in its `input`, which the event does not have; it is empty there")
    return reading._replace(diagnostics=(*reading.diagnostics, said))
