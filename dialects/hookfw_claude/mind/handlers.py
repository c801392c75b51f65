"""
One handler of the configuration: checked, and brought into the one form that is digested and run.

From the handler table of the hooks document; what counts as absent, and the normal form of each value, from the public
source.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw_claude.mind.rules import (
    DEFAULT_CONTEXT_LIMIT,
    DEFAULT_TIMEOUT,
    HANDLER_TYPES,
    ODD_TIMEOUT,
    SESSION_END,
    SESSION_END_LIMIT,
    SESSION_END_TIMEOUT,
    EventRules,
)
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

FIELDS: Final = (
    "type",
    "command",
    "commandWindows",
    "command_windows",
    "statusMessage",
    "timeout",
    "async",
    "additionalContextLimit",
    "server",
    "tool",
    "input",
)
"""Every field a handler may have."""


class Handler(NamedTuple):
    """
    A handler in its normal form.

    Attributes:
        type: `command` or `mcp_tool`.
        command: the shell line, trimmed.
        command_windows: the same for Windows.
        status_message: what is shown while it runs.
        server: MCP server.
        tool: its tool.
        input: the tool's input, plain JSON.
        timeout: seconds.
        background: as configured; SessionEnd runs it in the foreground all the same.
        context_limit: tokens of context it may give; 0 for no limit.
    """

    type: str
    command: str | None
    command_windows: str | None
    status_message: str | None
    server: str | None
    tool: str | None
    input: Mapping[str, Any]
    timeout: int
    background: bool
    context_limit: int

    def as_configured(self) -> dict[str, Any]:
        """All ten values under the names that configuration has for them."""
        return {
            "type": self.type,
            "command": self.command,
            "commandWindows": self.command_windows,
            "statusMessage": self.status_message,
            "server": self.server,
            "tool": self.tool,
            "input": self.input,
            "timeout": self.timeout,
            "async": self.background,
            "additionalContextLimit": self.context_limit,
        }


class Findings:
    """What is wrong with one handler: `problems` cost it, `warnings` do not."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.warnings: list[str] = []


def type_problem(kind: object) -> str | None:
    """Why a handler's `type` is none that loads; `None` when it is one."""
    if kind is None:
        return "it names no `type`; write `command` or `mcp_tool`"
    if isinstance(kind, str) and kind in HANDLER_TYPES:
        return None
    hint = did_you_mean(kind, HANDLER_TYPES) if isinstance(kind, str) else ""
    return f"its `type` {quoted(kind)}{hint} is not known; write `command` or `mcp_tool`"


def read_handler(raw: Mapping[str, Any], rules: EventRules, findings: Findings, *, windows: bool) -> Handler | None:
    """
    The handler that `raw`, whose `type` loads, configures for an event; `None` with problems when it is refused.

    `windows`: the platform is Windows, where a blank `commandWindows` leaves nothing to run.
    """
    for name in raw:
        if name not in FIELDS:
            hint = did_you_mean(name, FIELDS)
            findings.warnings.append(f"the handler field {quoted(name)}{hint} is not known and is ignored")
    is_command = raw["type"] == "command"
    handler = Handler(
        type=raw["type"],
        command=_command(raw, findings) if is_command else None,
        command_windows=_command_windows(raw, findings, windows=windows) if is_command else None,
        status_message=_text(raw, "statusMessage", findings),
        server=None if is_command else _name(raw, "server", findings),
        tool=None if is_command else _name(raw, "tool", findings),
        input={} if is_command else _input(raw.get("input", {}), findings),
        timeout=_timeout(raw.get("timeout"), rules, findings),
        background=_background(raw, rules, findings) if is_command else False,
        context_limit=_context_limit(raw, rules, findings),
    )
    return None if findings.problems else handler


def _command(raw: Mapping[str, Any], findings: Findings) -> str:
    command = raw.get("command")
    if isinstance(command, str) and command.strip():
        if "\0" in command:
            findings.problems.append("`command` holds a NUL, which no shell can be given; remove it")
        return command.strip()
    what = "is missing" if command is None else "is empty" if isinstance(command, str) else "must be a text"
    findings.problems.append(f"`command` {what}; write the shell line to run")
    return ""


def _command_windows(raw: Mapping[str, Any], findings: Findings, *, windows: bool) -> str | None:
    if "commandWindows" in raw and "command_windows" in raw:
        findings.problems.append("`commandWindows` and `command_windows` are the same field; keep one of them")
        return None
    name = "commandWindows" if "commandWindows" in raw else "command_windows"
    command = _text(raw, name, findings)
    if windows and command is None and isinstance(raw.get(name), str):
        findings.problems.append(f"`{name}` is empty; write the command to run on Windows, or remove it")
    return command


def _text(raw: Mapping[str, Any], name: str, findings: Findings) -> str | None:
    value = raw.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        findings.problems.append(f"`{name}` must be a text")
        return None
    return value.strip() or None


def _name(raw: Mapping[str, Any], name: str, findings: Findings) -> str:
    value = raw.get(name)
    if isinstance(value, str) and value.strip():
        return value.strip()
    findings.problems.append(f"`{name}` must be a text that is not empty: an `mcp_tool` names its server and its tool")
    return ""


def _input(value: object, findings: Findings) -> Mapping[str, Any]:
    if isinstance(value, dict):
        try:
            plain: dict[str, Any] = json.loads(json.dumps(value, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            findings.problems.append("`input` must be plain JSON: no dates, no NaN, no infinity")
            return {}
        return plain
    findings.problems.append("`input` must be an object")
    return {}


def _timeout(value: object, rules: EventRules, findings: Findings) -> int:
    if value is None:
        return SESSION_END_TIMEOUT if rules.name == SESSION_END else DEFAULT_TIMEOUT
    seconds = _whole_number(value)
    if seconds is None:
        findings.problems.append(f"`timeout` must be a whole number of seconds, not {quoted(value)}")
        return DEFAULT_TIMEOUT
    if rules.name == SESSION_END and seconds > SESSION_END_LIMIT:
        findings.warnings.append(
            f"its `timeout` of {seconds} counts as {SESSION_END_LIMIT}: {SESSION_END} hooks have at most "
            f"{SESSION_END_LIMIT} seconds"
        )
        return SESSION_END_LIMIT
    if seconds > ODD_TIMEOUT:
        findings.warnings.append(
            f"its `timeout` of {seconds} counts as seconds; if milliseconds were meant, divide it by 1000"
        )
    return max(1, seconds)


def _background(raw: Mapping[str, Any], rules: EventRules, findings: Findings) -> bool:
    value: object = raw.get("async", False)
    if not isinstance(value, bool):
        findings.problems.append("`async` must be true or false")
        return False
    if value and rules.name == SESSION_END:
        findings.warnings.append(f"`async` does nothing here: {SESSION_END} hooks are always waited for")
    return value


def _context_limit(raw: Mapping[str, Any], rules: EventRules, findings: Findings) -> int:
    if "additionalContextLimit" not in raw:
        return DEFAULT_CONTEXT_LIMIT
    tokens = _whole_number(raw["additionalContextLimit"])
    if tokens is None:
        findings.problems.append("`additionalContextLimit` must be a whole number of tokens, 0 for no limit")
        return DEFAULT_CONTEXT_LIMIT
    if not rules.limited:
        findings.warnings.append(f"`additionalContextLimit` is ignored: {rules.name} hooks give no context")
        return DEFAULT_CONTEXT_LIMIT
    return tokens


def _whole_number(value: object) -> int | None:
    """`value` when it is a whole number from 0 up; a boolean is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
