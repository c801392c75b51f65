"""
One handler of the configuration, in the one form that is digested and run.

As seen with codex-cli 0.171.0. Its shape has been checked before; what is left are the values that count otherwise than they are
written, each of which is said.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw_claude.codex.rules import (
    BRIEF_LIMIT,
    BRIEF_TIMEOUT,
    DEFAULT_TIMEOUT,
    ODD_TIMEOUT,
    TEXT_LIMIT,
    EventRules,
)
from hookfw_claude.codex.shapes import FIELDS, WINDOWS
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping


class Handler(NamedTuple):
    """
    A handler in its normal form.

    Attributes:
        type: `command` or `mcp_tool`.
        command: the shell line as it is written; placeholders of plugins stand in it.
        status_message: what is shown while it runs.
        server: MCP server.
        tool: its tool.
        input: the tool's input, plain JSON.
        timeout: seconds.
        background: as configured; SessionEnd runs it in the foreground all the same.
        context_limit: tokens of context it may give, 0 for no limit; `None` where it is not set.
        command_windows: what runs on Windows instead, where that is another platform than this one; not digested.
    """

    type: str
    command: str | None = None
    status_message: str | None = None
    server: str | None = None
    tool: str | None = None
    input: Mapping[str, Any] = MappingProxyType({})
    timeout: int = DEFAULT_TIMEOUT
    background: bool = False
    context_limit: int | None = None
    command_windows: str | None = None

    @property
    def limit(self) -> int:
        """The limit that applies, in tokens; 0 for none."""
        return TEXT_LIMIT if self.context_limit is None else self.context_limit

    def as_digested(self) -> dict[str, Any]:
        """What the digest covers, under the names that configuration has for it."""
        said: dict[str, Any] = {"type": self.type, "timeout": self.timeout}
        if self.type == "command":
            said |= {"command": self.command, "async": self.background}
        else:
            said |= {"server": self.server, "tool": self.tool, "input": self.input}
        if self.status_message is not None:
            said["statusMessage"] = self.status_message
        if self.context_limit is not None:
            said["additionalContextLimit"] = self.context_limit
        return said


def read_handler(raw: Mapping[str, Any], rules: EventRules, warnings: list[str], *, windows: bool) -> Handler:
    """
    The handler that `raw`, which has its shape, configures for an event; `warnings` gets what counts otherwise.

    `windows`: the platform is Windows, where `commandWindows` is the command.
    """
    for name in raw:
        if name not in FIELDS[raw["type"]]:
            hint = did_you_mean(name, FIELDS[raw["type"]])
            warnings.append(f"the handler field {quoted(name)}{hint} is not known and is ignored")
    timeout = _timeout(raw.get("timeout"), rules, warnings)
    status_message = raw.get("statusMessage")
    if raw["type"] != "command":
        return Handler(
            raw["type"],
            status_message=status_message,
            server=raw["server"],
            tool=raw["tool"],
            input=raw.get("input", {}),
            timeout=timeout,
        )
    command = raw["command"]
    on_windows = next((raw[name] for name in WINDOWS if raw.get(name) is not None), None)
    if windows and on_windows is not None:
        command = on_windows
    return Handler(
        raw["type"],
        command=command,
        status_message=status_message,
        timeout=timeout,
        background=_background(raw, rules, warnings),
        context_limit=_context_limit(raw.get("additionalContextLimit"), rules, warnings),
        command_windows=None if windows else on_windows,
    )


def _timeout(seconds: int | None, rules: EventRules, warnings: list[str]) -> int:
    if seconds is None:
        return BRIEF_TIMEOUT if rules.brief else DEFAULT_TIMEOUT
    if rules.brief and seconds > BRIEF_LIMIT:
        warnings.append(f"clamping {rules.name} hook timeout to {BRIEF_LIMIT}s: these hooks have no more time")
        return BRIEF_LIMIT
    if seconds > ODD_TIMEOUT:
        warnings.append(
            f"its `timeout` of {seconds} is in seconds and stands as it is; divide it if milliseconds were meant"
        )
    return max(1, seconds)


def _background(raw: Mapping[str, Any], rules: EventRules, warnings: list[str]) -> bool:
    background: bool = raw.get("async", False)
    if background and rules.name == "SessionEnd":
        warnings.append("running async SessionEnd hook synchronously: the session waits for these hooks")
    return background


def _context_limit(tokens: int | None, rules: EventRules, warnings: list[str]) -> int | None:
    if tokens is None or rules.context:
        return tokens
    warnings.append(f"ignoring additionalContextLimit for {rules.name} hook: this event cannot emit additionalContext")
    return None
