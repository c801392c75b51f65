"""
Deep Agents Code's configuration in the neutral form, and written from it.

From the hooks document, "Handler fields" and "Matchers".
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from hookfw import Document, portable
from hookfw_claude.conversion import Matchers, Writing, handler_of, plain_number
from hookfw_claude.deepagents.locations import user_hooks
from hookfw_claude.deepagents.rules import EVENTS, MATCHERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Hook, Places
    from hookfw_claude.deepagents.handlers import Handler

TITLE: Final = "Deep Agents Code"
# Hooks see public names, which are the canonical ones.
_MATCHERS: Final = Matchers(title=TITLE, language="Python", grammar=MATCHERS, tools=portable.ToolNames(()))


class DeepAgentsConversion(portable.Conversion):
    """To and from `hooks.json`."""

    def documents(self, path: str, data: bytes) -> Sequence[Document]:
        """A `hooks.json`."""
        return [Document(path=path, scope="user", data=data)]

    def neutral(self, hook: Hook) -> portable.PortableHook:
        """A program with arguments is a line for the shell too. What the old form told its hooks is not carried over."""
        handler: Handler = hook.config
        return portable.PortableHook(
            place=hook.source.entry,
            event=hook.event,
            kinds=(),
            command=handler.command if handler.argv is None else shlex.join(handler.argv),
            argv=handler.argv,
            selector=_MATCHERS.read(hook.matcher or None, EVENTS[hook.event].subject),
            timeout=hook.timeout,
            status_message=handler.status,
            fields={} if handler.legacy is None else {"legacy": handler.legacy},
        )

    def dump(self, hooks: Sequence[portable.PortableHook], places: Places) -> portable.Dumped:
        """A `hooks.json`."""
        writing = Writing()
        for hook in hooks:
            taking = portable.Taking(hook, TITLE)
            rules = EVENTS[hook.event]
            matcher = _MATCHERS.write(taking, rules.subject)
            said: dict[str, Any] = handler_of(taking, hook)
            if hook.argv is not None:
                said["argv"] = list(hook.argv)
            if hook.status_message is not None:
                said["statusMessage"] = taking.take("status_message")
            if hook.timeout != rules.timeout:
                said["timeout"] = plain_number(hook.timeout)
            writing.add(taking, matcher, said)
        return writing.dumped(user_hooks(places))
