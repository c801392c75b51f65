"""
The variables that a hook's process gets on top of the inherited environment.

From the hooks document of 2026-09-29, "Environment variables". A value that is not known has no variable; nothing is
made up for it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from hookfw import text
from hookfw_codewhale import receipts
from hookfw_codewhale.conditions import SHELL_NAMES
from hookfw_codewhale.fields import (
    ARGUMENTS_LIMIT,
    failure_of,
    handed_over,
    preview,
    result_of,
    session_id_of,
    workspace_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event, Session

RECEIPT: Final = "DEEPSEEK_TOOL_EXECUTION_RECEIPT"
"""The one inherited variable that is taken away: an old receipt would speak for the wrong call."""

MESSAGE_LIMIT: Final = 5_000
"""Bytes of `DEEPSEEK_MESSAGE` and `DEEPSEEK_ERROR`."""

NAME_LIMIT: Final = 4_096
"""
Bytes of names, ids, modes and paths.

Codewhale cuts them for observers only; cutting them for gates too keeps a monstrous one from failing the launch.
"""

STATUSES: Final = frozenset({"completed", "failed", "timed_out", "killed", "running"})
"""What the shell tool can report as its status."""

# Each stands beside its twin, for hooks written since the agent was renamed.
_TWINS = {"DEEPSEEK_SESSION_ID": "CODEWHALE_SESSION_ID", "DEEPSEEK_TOOL_CALL_ID": "CODEWHALE_TOOL_CALL_ID"}
_LIMITS = {
    "DEEPSEEK_MESSAGE": MESSAGE_LIMIT,
    "DEEPSEEK_ERROR": MESSAGE_LIMIT,
    "DEEPSEEK_TOOL_ARGS": ARGUMENTS_LIMIT,
    "DEEPSEEK_TOOL_RESULT": ARGUMENTS_LIMIT,
    RECEIPT: receipts.VARIABLE_LIMIT,
}


def variables(native_event: str, event: Event, session: Session) -> Mapping[str, str]:
    """
    The variables for the hooks of one native event.

    Values are cut between characters, once, with `...[truncated]` on top; none holds a NUL or a lone surrogate.
    """
    found: dict[str, str | None] = {}
    if native_event != "shell_env":
        found["DEEPSEEK_SESSION_ID"] = session_id_of(event, session)
        found["DEEPSEEK_WORKSPACE"] = workspace_of(event, session)
        found["DEEPSEEK_MODEL"] = event.model
        found["DEEPSEEK_MODE"] = event.mode
        found["DEEPSEEK_SESSION_COST"] = _cost(event.session_cost)
        if native_event != "tool_call_before" and event.total_tokens is not None:
            found["DEEPSEEK_TOTAL_TOKENS"] = str(event.total_tokens)
    found.update(_of_the_event(native_event, event, session))
    values = {name: _bounded(name, value) for name, value in found.items() if value is not None}
    for name, twin in _TWINS.items():
        if name in values:
            values[twin] = values[name]
    return values


def _of_the_event(native_event: str, event: Any, session: Session) -> Mapping[str, str | None]:
    match native_event:
        case "message_submit":
            return {"DEEPSEEK_MESSAGE": event.prompt}
        case "subagent_spawn" | "subagent_complete":
            return {"DEEPSEEK_MESSAGE": preview(handed_over(event))[0]}
        case "mode_change":
            return {"DEEPSEEK_PREVIOUS_MODE": event.previous_mode}
        case "shell_env":
            # In whatever spelling the model called it, this event is about this tool.
            return {"DEEPSEEK_TOOL_NAME": "exec_shell", "DEEPSEEK_TOOL_ARGS": _arguments(event)}
        case "tool_call_before":
            return {
                "DEEPSEEK_TOOL_NAME": event.tool_name,
                "DEEPSEEK_TOOL_CALL_ID": event.tool_use_id,
                "DEEPSEEK_TOOL_ARGS": _arguments(event),
            }
        case "tool_call_after":
            return _result(event, session)
        case "on_error":
            # Transport and capacity errors have no tool behind them.
            return {"DEEPSEEK_ERROR": failure_of(event)} | (_result(event, session) if event.tool_name else {})
        case _:
            return {}


def _result(event: Any, session: Session) -> dict[str, str | None]:
    success = event.tool_success
    if success is None and event.kind != "post_tool_use":
        # A failure and an error say so by being what they are; a result alone says nothing.
        success = False
    status = event.tool_status if event.tool_name in SHELL_NAMES and event.tool_status in STATUSES else None
    return {
        "DEEPSEEK_TOOL_NAME": event.tool_name,
        "DEEPSEEK_TOOL_CALL_ID": event.tool_use_id,
        "DEEPSEEK_TOOL_RESULT": result_of(event),
        "DEEPSEEK_TOOL_SUCCESS": None if success is None else str(success).lower(),
        "DEEPSEEK_TOOL_EXIT_CODE": None if event.tool_exit_code is None else str(event.tool_exit_code),
        "DEEPSEEK_TOOL_STATUS": status,
        RECEIPT: receipts.variable(event, session),
    }


def _arguments(event: Any) -> str | None:
    """The tool's input as compact JSON; a preview that an agent had cut already goes on as it came."""
    if event.tool_input is not None:
        return text.compact_json(event.tool_input)
    cut = event.native.get("tool_args_preview")
    return cut if isinstance(cut, str) else None


def _cost(value: float | None) -> str | None:
    return f"{value:.6f}" if value is not None and math.isfinite(value) else None


def _bounded(name: str, value: str) -> str:
    limit = _LIMITS.get(name, NAME_LIMIT)
    if len(value) <= limit and value.isascii() and "\0" not in value:
        return value  # as nearly every value is, at each start of a hook
    return text.cut_bytes(text.for_environment(value), limit)
