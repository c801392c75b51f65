"""Canonical events about tool calls that have not run."""

from __future__ import annotations

from typing import Any, ClassVar

from hookfw.events._base import Event


class ToolCall(Event):
    """The fields of every event that is about one tool call."""

    tool_name: str | None = None
    tool_input: Any = None
    tool_use_id: str | None = None
    tool_category: str | None = None


class PreToolUse(ToolCall):
    """Before a tool call runs."""

    kind: ClassVar[str] = "pre_tool_use"


class PermissionRequest(ToolCall):
    """Before a person would be asked to permit a call."""

    kind: ClassVar[str] = "permission_request"
    permission_suggestions: list[Any] | None = None


class PermissionDenied(ToolCall):
    """After a permission was denied."""

    kind: ClassVar[str] = "permission_denied"
    reason: str | None = None


class ShellEnv(ToolCall):
    """Before a shell tool runs, to collect variables for it."""

    kind: ClassVar[str] = "shell_env"
