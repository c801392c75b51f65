"""Canonical events about what came of tool calls."""

from __future__ import annotations

from typing import Any, ClassVar

from hookfw.events._base import Event
from hookfw.events.calls import ToolCall


class _ToolResult(ToolCall):
    """The fields of every event that is about a call's result."""

    tool_response: Any = None
    tool_success: bool | None = None
    tool_exit_code: int | None = None
    tool_status: str | None = None
    execution: dict[str, Any] | None = None
    duration_ms: int | float | None = None
    error: str | None = None
    is_interrupt: bool | None = None


class PostToolUse(_ToolResult):
    """After a tool call has a result; with `tool_success` false the same as `PostToolUseFailure`."""

    kind: ClassVar[str] = "post_tool_use"


class PostToolUseFailure(_ToolResult):
    """After a tool call failed."""

    kind: ClassVar[str] = "post_tool_use_failure"


class PostToolBatch(Event):
    """After all calls of one reply have results."""

    kind: ClassVar[str] = "post_tool_batch"
    tool_calls: list[Any] | None = None


class Error(_ToolResult):
    """An error that reached the agent, of a tool or of its transport, or a turn that failed in the end."""

    kind: ClassVar[str] = "error"
    error_details: str | None = None
    last_assistant_message: str | None = None
