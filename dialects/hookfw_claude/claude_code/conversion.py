"""
Claude Code's configuration in the neutral form, and written from it.

From the contract, "Handlers", "Matchers" and "Loading rules".
"""

from __future__ import annotations

import os.path
import re
import shlex
from typing import TYPE_CHECKING, Any, Final

from hookfw import Document, portable
from hookfw_claude.claude_code.fields import FIELDS
from hookfw_claude.claude_code.handlers import Handler, not_run
from hookfw_claude.claude_code.locations import SETTINGS
from hookfw_claude.claude_code.rules import (
    EVENTS,
    GRAMMAR,
    NARROW_EVENTS,
    NARROW_GRAMMAR,
    SESSION_END,
    SESSION_END_BUDGET,
    SESSION_END_LIMIT,
    EventRules,
)
from hookfw_claude.claude_code.tools import TABLE
from hookfw_claude.conversion import Matchers, Writing, handler_of, plain_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Hook, Places

TITLE: Final = "Claude Code"
_LANGUAGE: Final = "JavaScript"
_WIDE: Final = Matchers(title=TITLE, language=_LANGUAGE, grammar=GRAMMAR, tools=portable.names_of(TABLE))
_NARROW: Final = Matchers(title=TITLE, language=_LANGUAGE, grammar=NARROW_GRAMMAR, tools=portable.names_of(TABLE))
_NAMES: Final = {
    "model": "model",
    "prompt": "prompt",
    "server": "server",
    "tool": "tool",
    "input": "input",
    "url": "url",
    "headers": "headers",
    "allowedEnvVars": "variables",
    "if": "if",
    "once": "once",
    "asyncRewake": "rewake",
    "continueOnBlock": "continue_on_block",
}
"""Fields of handlers, and what they are called in the neutral form."""
_PLACEHOLDER: Final = "$ARGUMENTS"
_FILLED: Final = re.compile(r"(\$\{(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\})")
_AS_IT_IS: Final = re.compile(r'([\\"`$])')
_ESCAPED: Final = r"\\\1"
_FLAGS: Final = {
    "statusMessage": "status_message",
    "async": "background",
    "asyncRewake": "rewake",
    "once": "once",
    "continueOnBlock": "continue_on_block",
    "allowedEnvVars": "variables",
}
"""Fields that are said as they are, where the handler's type has them."""


class ClaudeCodeConversion(portable.Conversion):
    """To and from a settings file."""

    def documents(self, path: str, data: bytes) -> Sequence[Document]:
        """A settings file."""
        return [Document(path=path, scope="user", role=SETTINGS, data=data)]

    def neutral(self, hook: Hook) -> portable.PortableHook:
        """A program with arguments is a line for the shell too."""
        handler: Handler = hook.config
        given = handler.fields
        fields = {name: given[own] for own, name in _NAMES.items() if given.get(own) not in (None, False)}
        if handler.powershell:
            fields["shell"] = "PowerShell"
        if handler.type in ("prompt", "agent") and _PLACEHOLDER not in given["prompt"]:
            # The client adds the event by itself, which others do only where they are asked to.
            fields["prompt"] = f"{given['prompt']}\n\n{_PLACEHOLDER}"
        args = given.get("args")
        rules = EVENTS[hook.event]
        return portable.PortableHook(
            place=hook.source.entry,
            event=hook.event,
            kinds=(),
            handler=handler.type,
            command=_line(handler) if handler.type == "command" else None,
            argv=None if args is None else (given["command"], *args),
            selector=_matchers(rules).read(handler.matcher, rules.matches),
            timeout=hook.timeout,
            background=hook.background,
            strict=given.get("onFailure") == "block" and hook.strict,
            status_message=given.get("statusMessage"),
            fields=fields,
        )

    def longest(self, event: str) -> float | None:
        """The end of a session has a bound."""
        return SESSION_END_LIMIT if event == SESSION_END else None

    def dump(self, hooks: Sequence[portable.PortableHook], places: Places) -> portable.Dumped:
        """A settings file with hooks alone."""
        writing = Writing()
        for hook in hooks:
            taking = portable.Taking(hook, TITLE)
            rules = EVENTS[hook.event]
            refused = not_run(hook.handler, rules)
            if refused is not None:
                writing.leave_out(taking, refused)
                continue
            writing.add(taking, _matchers(rules).write(taking, rules.matches), _handler(taking, rules))
        return writing.dumped(os.path.join(places.home, ".claude", "settings.json"))


def _matchers(rules: EventRules) -> Matchers:
    return _NARROW if rules.name in NARROW_EVENTS else _WIDE


def _line(handler: Handler) -> str:
    """A program with its arguments as a line for the shell, which fills in the same variables."""
    args = handler.fields.get("args")
    return handler.line if args is None else " ".join(map(_word, (handler.fields["command"], *args)))


def _word(word: str) -> str:
    pieces = _FILLED.split(word)
    if len(pieces) == 1:
        return shlex.quote(word)
    return f'"{"".join(_AS_IT_IS.sub(_ESCAPED, piece) if at % 2 == 0 else piece for at, piece in enumerate(pieces))}"'


def _handler(taking: portable.Taking, rules: EventRules) -> dict[str, Any]:
    hook = taking.hook
    said = handler_of(taking, hook)
    if hook.handler in ("prompt", "agent") and _PLACEHOLDER not in said["prompt"]:
        taking.lose("prompt", f"{TITLE} adds the event to a text that has no place for it")
    if hook.argv is not None:
        said["command"], said["args"] = hook.argv[0], list(hook.argv[1:])
    fields = FIELDS[hook.handler]
    if "if" in hook.fields and rules.per_call:
        said["if"] = taking.take("if")
    for own, name in _FLAGS.items():
        if own in fields and name in hook.features:
            said[own] = taking.take(name)
    if hook.fields.get("shell") == "PowerShell" and "shell" in fields:
        said["shell"] = "powershell" if taking.take("shell") else None
    if hook.strict and "onFailure" in fields and rules.failing == "blocks" and not hook.background:
        taking.take("strict")
        said["onFailure"] = "block"
    seconds = _seconds(taking, rules)
    if seconds is not None:
        said["timeout"] = plain_number(seconds)
    return said


def _seconds(taking: portable.Taking, rules: EventRules) -> float | None:
    """The timeout, where it is another one than the event's own."""
    hook = taking.hook
    given = hook.timeout
    if rules.name != SESSION_END:
        return None if given == Handler(hook.handler, {}).timeout(rules.name) else given
    if given > SESSION_END_LIMIT:
        taking.lose(
            "timeout", f"its {given:g} s become {SESSION_END_LIMIT:g} s: {TITLE} gives hooks of {SESSION_END} no more"
        )
        return SESSION_END_LIMIT
    return None if given == SESSION_END_BUDGET else given
