"""
Mind's configuration in the neutral form, and written from it.

From the handler table and "Matcher rules and tool names" of the hooks document; the subjects of matchers from the public
source.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, Final

from hookfw import Document, portable
from hookfw_claude.conversion import PATCH_NAMES, Matchers, Writing, handler_of
from hookfw_claude.mind.rules import (
    DEFAULT_CONTEXT_LIMIT,
    DEFAULT_TIMEOUT,
    EVENTS,
    GRAMMAR,
    SESSION_END,
    SESSION_END_LIMIT,
    SESSION_END_TIMEOUT,
    EventRules,
)
from hookfw_claude.mind.trust import user_config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Hook, Places
    from hookfw_claude.mind.entries import Definition

TITLE: Final = "Mind"
_SUBJECTS: Final = {"tool": "tool_name", "agent": "agent_type", "none": None, "constant": None}
_MATCHERS: Final = Matchers(
    title=TITLE,
    language="Python",
    grammar=GRAMMAR,
    tools=portable.ToolNames(
        (
            ("Bash", "Bash"),
            ("shell_command", "Bash"),
            ("exec_command", "Bash"),
            ("write_stdin", "Bash"),
            ("Agent", "Agent"),
            ("spawn_agent", "Agent"),
            *PATCH_NAMES,
        ),
        alone=("apply_patch",),
    ),
    patches=True,
)


class MindConversion(portable.Conversion):
    """To and from `hooks.json`; from the tables of a `config.toml` too."""

    def documents(self, path: str, data: bytes) -> Sequence[Document]:
        """A `hooks.json`, or a `config.toml` by its suffix."""
        if path.endswith(".toml"):
            return [Document(path=path, scope="user", role="config", data=data)]
        config = os.path.join(os.path.dirname(path), "config.toml")
        return [Document(path=path, scope="user", role="hooks", data=data), Document(config, "user", "config")]

    def neutral(self, hook: Hook) -> portable.PortableHook:
        """The handler in its normal form."""
        definition: Definition = hook.config
        handler = definition.handler
        limit = handler.context_limit
        fields: dict[str, Any] = {
            "context_limit": None if limit == DEFAULT_CONTEXT_LIMIT else limit,
            "command_windows": handler.command_windows,
            "server": handler.server,
            "tool": handler.tool,
            "input": dict(handler.input) or None,
        }
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
        """The end of a session has a bound."""
        return SESSION_END_LIMIT if event == SESSION_END else None

    def dump(self, hooks: Sequence[portable.PortableHook], places: Places) -> portable.Dumped:
        """A `hooks.json`."""
        writing = Writing()
        for hook in hooks:
            taking = portable.Taking(hook, TITLE)
            rules = EVENTS[hook.event]
            writing.add(taking, _MATCHERS.write(taking, _subject(rules)), _handler(taking, rules))
        return writing.dumped(os.path.join(os.path.dirname(user_config(places)), "hooks.json"))


def _subject(rules: EventRules) -> str | None:
    """The canonical field that matchers look at; of SessionEnd they see a constant."""
    return _SUBJECTS.get(rules.subject, rules.subject)


def _handler(taking: portable.Taking, rules: EventRules) -> dict[str, Any]:
    hook = taking.hook
    said = handler_of(taking, hook)
    is_end = rules.name == SESSION_END
    seconds = taking.whole_seconds(most=SESSION_END_LIMIT if is_end else None)
    if seconds != (SESSION_END_TIMEOUT if is_end else DEFAULT_TIMEOUT):
        said["timeout"] = seconds
    if hook.status_message is not None:
        said["statusMessage"] = taking.take("status_message")
    if rules.limited and "context_limit" in hook.fields:
        said["additionalContextLimit"] = taking.take("context_limit")
    if hook.handler == "command":
        if hook.background and not is_end:
            said["async"] = taking.take("background")
        if "command_windows" in hook.fields:
            said["commandWindows"] = taking.take("command_windows")
    return said
