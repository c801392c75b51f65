"""
Codex's configuration in the neutral form, and written from it.

As seen with codex-cli 0.171.0: whole seconds, brief events, and what of a handler each event takes.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, Final

from hookfw import Document, portable
from hookfw_claude.codex.layers import own_folder
from hookfw_claude.codex.rules import (
    AGENT,
    BRIEF_LIMIT,
    BRIEF_TIMEOUT,
    DEFAULT_TIMEOUT,
    EVENTS,
    GRAMMAR,
    MCP_TOOL,
    UNSIGNED_LIMIT,
    EventRules,
)
from hookfw_claude.conversion import PATCH_NAMES, Matchers, Writing, handler_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Hook, Places
    from hookfw_claude.codex.entries import Definition

SESSION_END: Final = "SessionEnd"
_SUBJECTS: Final = {"tool": "tool_name", "none": None}
_MATCHERS: Final = Matchers(
    title=AGENT,
    language="Rust",
    grammar=GRAMMAR,
    tools=portable.ToolNames((*PATCH_NAMES, ("spawn_agent", "Agent")), alone=("apply_patch",)),
    patches=True,
)


class CodexConversion(portable.Conversion):
    """To and from `hooks.json`; from the tables of a `config.toml` too."""

    def documents(self, path: str, data: bytes) -> Sequence[Document]:
        """A `hooks.json`, or a `config.toml` by its suffix."""
        if path.endswith(".toml"):
            return [Document(path=path, scope="user", role="config", data=data)]
        config = os.path.join(os.path.dirname(path), "config.toml")
        return [Document(path=path, scope="user", role="hooks", data=data), Document(config, "user", "config")]

    def neutral(self, hook: Hook) -> portable.PortableHook:
        """The command as it is written."""
        definition: Definition = hook.config
        handler = definition.handler
        fields: dict[str, Any] = {"context_limit": handler.context_limit, "command_windows": handler.command_windows}
        if handler.type == MCP_TOOL:
            fields |= {"server": handler.server, "tool": handler.tool, "input": dict(handler.input) or None}
        return portable.PortableHook(
            place=hook.source.entry,
            event=hook.event,
            kinds=(),
            handler=handler.type,
            command=handler.command,
            selector=_MATCHERS.read(definition.matcher, _subject(EVENTS[hook.event])),
            timeout=hook.timeout,
            background=hook.background,
            status_message=handler.status_message,
            fields={name: value for name, value in fields.items() if value is not None},
        )

    def longest(self, event: str) -> float | None:
        """Brief events have a bound."""
        return BRIEF_LIMIT if EVENTS[event].brief else None

    def dump(self, hooks: Sequence[portable.PortableHook], places: Places) -> portable.Dumped:
        """A `hooks.json`."""
        writing = Writing()
        for hook in hooks:
            taking = portable.Taking(hook, AGENT)
            rules = EVENTS[hook.event]
            if hook.handler == MCP_TOOL and rules.name == SESSION_END:
                writing.leave_out(taking, f"{AGENT} runs no `{MCP_TOOL}` handlers on {SESSION_END}")
                continue
            writing.add(taking, _MATCHERS.write(taking, _subject(rules)), _handler(taking, rules))
        return writing.dumped(os.path.join(own_folder(places), "hooks.json"))


def _subject(rules: EventRules) -> str | None:
    """The canonical field that matchers look at."""
    return _SUBJECTS.get(rules.subject, rules.subject)


def _handler(taking: portable.Taking, rules: EventRules) -> dict[str, Any]:
    hook = taking.hook
    said = handler_of(taking, hook)
    seconds = taking.whole_seconds(most=BRIEF_LIMIT if rules.brief else UNSIGNED_LIMIT - 1)
    if seconds != (BRIEF_TIMEOUT if rules.brief else DEFAULT_TIMEOUT):
        said["timeout"] = seconds
    if hook.status_message is not None:
        said["statusMessage"] = taking.take("status_message")
    if hook.handler == "command":
        if hook.background and rules.name != SESSION_END:
            said["async"] = taking.take("background")
        if "context_limit" in hook.fields and rules.context:
            said["additionalContextLimit"] = taking.take("context_limit")
        if "command_windows" in hook.fields:
            said["commandWindows"] = taking.take("command_windows")
    return said
