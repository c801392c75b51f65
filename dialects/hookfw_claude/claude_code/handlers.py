"""
One handler of the configuration, checked, with what follows from its fields.

From the contract, "Handlers". What breaks a handler, and what that costs, stands in `entries`.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import visible_url
from hookfw_claude.claude_code import sending
from hookfw_claude.claude_code.asking import INERT
from hookfw_claude.claude_code.fields import FIELDS, FOREIGN, REQUIRED
from hookfw_claude.claude_code.rules import (
    DEFAULT_TIMEOUTS,
    EARLY_EVENTS,
    EVENT_TIMEOUTS,
    HANDLER_TYPES,
    LONGEST_TIMEOUT,
    ODD_TIMEOUT,
    EventRules,
    Failing,
)
from hookfw_claude.mcp_servers import UNKNOWN, Server
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping

    from hookfw_claude.claude_code.plugins import Plugin


class Handler(NamedTuple):
    """
    A handler that is not broken.

    Attributes:
        type: its type.
        fields: its fields as written, each of the right kind.
        plugin: the plugin that brings it.
        blocked: why it may not call its address, where settings forbid it.
        server: the MCP server that an `mcp_tool` calls.
        matcher: that of its group, as written; empty where it has none or its event does not look at one.
    """

    type: str
    fields: Mapping[str, Any]
    plugin: Plugin | None = None
    blocked: str | None = None
    server: Server = UNKNOWN
    matcher: str = ""

    @property
    def condition(self) -> str | None:
        """The permission rule in `if`."""
        return self.fields.get("if")

    @property
    def background(self) -> bool:
        """Started and not waited for. `asyncRewake` alone is: headless the client waits for those."""
        return self.type == "command" and bool(self.fields.get("async"))

    @property
    def is_foreign(self) -> bool:
        """Its type is none of the client's: a plugin of hookfw brings it."""
        return self.type not in HANDLER_TYPES

    @property
    def continues(self) -> bool:
        """A "no" of its model does not end the turn."""
        return self.type == "agent" or self.fields.get("continueOnBlock") is True

    @property
    def powershell(self) -> bool:
        """The line is for PowerShell; `bash` is the system's `sh`, as no shell named is."""
        return self.fields.get("shell") == "powershell"

    @property
    def line(self) -> str:
        """What it runs, for people."""
        match self.type:
            case "command" if "args" in self.fields:
                return shlex.join([self.fields["command"], *self.fields["args"]])
            case "http":
                return str(self.fields["url"])
            case "mcp_tool":
                return f"{self.fields['server']}/{self.fields['tool']}"
        if self.is_foreign:
            return self.type
        return str(self.fields.get("command") or self.fields.get("prompt") or "")

    @property
    def shown(self) -> str:
        """The same where others read it: an address without what may be a secret."""
        return visible_url(self.line) if self.type == "http" else self.line

    @property
    def identity(self) -> Hashable:
        """What makes two handlers the same one: what they run, on which condition, and whose they are."""
        args = self.fields.get("args")
        return (
            self.type,
            self.line if args is None else (self.fields["command"], *args),
            args is None and self.powershell,
            self.condition,
            repr(sorted(self._own.items())),
            None if self.plugin is None else self.plugin.root,
        )

    @property
    def _own(self) -> Mapping[str, Any]:
        """The fields, beside its line, that tell it from another handler of its type."""
        if self.is_foreign:
            return {name: value for name, value in self.fields.items() if name not in FOREIGN}
        found: Mapping[str, Any] = self.fields.get("input", {})
        return found

    def timeout(self, event: str) -> float:
        """Seconds, by its own field, else by the event, else by its type."""
        own = self.fields.get("timeout")
        if own is not None:
            return float(min(own, LONGEST_TIMEOUT))
        usual = DEFAULT_TIMEOUTS.get(self.type, DEFAULT_TIMEOUTS["command"])
        return EVENT_TIMEOUTS.get(event, usual) if self.type not in ("prompt", "agent") else usual

    @property
    def _leaves(self) -> bool:
        return self.type == "command" and bool(self.fields.get("async") or self.fields.get("asyncRewake"))

    def failing(self, rules: EventRules) -> Failing:
        """What a failure of it does on an event; `onFailure` means nothing to a model and to what runs in the background."""
        if self.type in ("prompt", "agent"):
            return "ignored"
        if self.fields.get("onFailure") != "block" or self._leaves:
            return "ignored"
        return rules.failing


def problems_of(raw: Mapping[str, Any], installed: Collection[str] = ()) -> list[str]:
    """What breaks a handler, as sentences without their end; `installed`: types that plugins of hookfw bring."""
    kind = raw.get("type")
    if not isinstance(kind, str) or (kind not in HANDLER_TYPES and kind not in installed):
        known = ", ".join(f"`{name}`" for name in sorted({*HANDLER_TYPES, *installed}))
        if kind is None and "type" not in raw:
            return [f"it names no `type`; write one of {known}"]
        hint = did_you_mean(kind, [*HANDLER_TYPES, *installed]) if isinstance(kind, str) else ""
        return [f"its `type` {quoted(kind)}{hint} is not known, to the client or a plugin; write one of {known}"]
    missing = [
        f"`{name}` is missing, which a `{kind}` handler needs" for name in REQUIRED.get(kind, ()) if name not in raw
    ]
    wrong = [
        f"`{name}` must be {field.says}, not {_instead(name, raw[name])}"
        for name, field in FIELDS.get(kind, FOREIGN).items()
        if name in raw and not field.fits(raw[name])
    ]
    command = raw.get("command")
    if isinstance(command, str) and "\0" in command:
        wrong.append("`command` holds a NUL, which no program can be given; remove it")
    return missing + wrong


def _instead(name: str, value: Any) -> str:
    """A value of the wrong kind; header fields may be secrets, however they are written."""
    if name == "headers" and isinstance(value, dict):
        return f"this object, in which {quoted(next(key for key in value if not isinstance(value[key], str)))} is none"
    return "a text" if name == "headers" and isinstance(value, str) else quoted(value)


def warnings_of(handler: Handler, raw: Mapping[str, Any], rules: EventRules) -> Iterator[str]:
    """What a handler says that does nothing, or something else than it seems to."""
    for name in () if handler.is_foreign else raw:
        if name not in FIELDS[handler.type]:
            hint = did_you_mean(name, FIELDS[handler.type])
            yield f"the field {quoted(name)}{hint} is not one of handlers of the type `{handler.type}` and is ignored"
    refused = not_run(handler.type, rules)
    if refused is not None:
        yield refused
    yield from _warnings_of_type(handler, rules)
    if handler.condition is not None and not rules.per_call:
        yield f"its `if` keeps it from ever running: {rules.name} is not about a tool call"
    if handler.fields.get("once"):
        yield "`once` is for skills only and is ignored here"
    if handler.type == "command" and handler.fields.get("asyncRewake") and not handler.background:
        yield "`asyncRewake` is waited for, as the client does it without a terminal"
    asks = handler.type in ("prompt", "agent")  # of these it is no field at all
    if handler.fields.get("onFailure") == "block" and not asks and handler.failing(rules) == "ignored":
        where = "in the background" if rules.failing != "ignored" else f"on {rules.name}"
        yield f"`onFailure` does nothing {where}"
    if handler.fields.get("timeout", 0) > ODD_TIMEOUT:
        yield f"its `timeout` of {handler.timeout(rules.name):g} counts as seconds; if milliseconds were meant, divide it by 1000"


def _warnings_of_type(handler: Handler, rules: EventRules) -> Iterator[str]:
    """The same, of handlers that are no command."""
    if handler.type in ("prompt", "agent") and rules.name in INERT:
        yield f"what its model says does nothing on {rules.name}"
    if handler.type == "http":
        yield from sending.warnings_of(handler)


def not_run(kind: str, rules: EventRules) -> str | None:
    """Why handlers of a type do not run on an event; `None` when they do."""
    early = kind == "http" and rules.name in EARLY_EVENTS
    if early or (kind in ("prompt", "agent") and not rules.model_handlers):
        return f"handlers of type `{kind}` do not run on {rules.name}"
    return None
