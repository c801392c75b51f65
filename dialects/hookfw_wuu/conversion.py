"""
Wuu's configuration in the neutral form, and written from it.

From the hooks document, "Configure hooks" and "Matchers": a matcher is one name, so a hook for several tools becomes an
entry for each.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hookfw import Conversion, Document, portable, text
from hookfw_wuu.folding import fold, is_for_all
from hookfw_wuu.locations import BASE, user_config
from hookfw_wuu.rules import DEFAULT_TIMEOUT, EVENTS
from hookfw_wuu.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Hook, Places
    from hookfw_wuu.entries import Entry

TITLE: Final = "Wuu"
_TOOL: Final = "tool_name"
_NAMES: Final = portable.names_of(TOOLS)
_SPELLED: Final = {fold(name): name for name in TOOLS.native_names}
_MOST: Final = 2**63 - 1


class WuuConversion(Conversion):
    """To and from the person's own `config.json`."""

    def documents(self, path: str, data: bytes) -> Sequence[Document]:
        """A `config.json`."""
        return [Document(path=path, scope="user", role=BASE, data=data)]

    def neutral(self, hook: Hook) -> portable.PortableHook:
        """One entry."""
        entry: Entry = hook.config
        fields = {"prompt": entry.prompt, "model": entry.model or None} if entry.type == "prompt" else {}
        return portable.PortableHook(
            place=hook.source.entry,
            event=hook.event,
            kinds=(),
            handler=entry.type,
            command=entry.command if entry.type == "command" else None,
            selector=_selector(entry.matcher),
            timeout=hook.timeout,
            strict=hook.strict,
            fields={name: value for name, value in fields.items() if value is not None},
        )

    def dump(self, hooks: Sequence[portable.PortableHook], places: Places) -> portable.Dumped:
        """A file with hooks alone."""
        table: dict[str, list[dict[str, Any]]] = {}
        losses: list[portable.Lost] = []
        for hook in hooks:
            taking = portable.Taking(hook, TITLE)
            entry = _entry(taking)
            matchers = _matchers(taking)
            entries = [{"matcher": matcher, **entry} if matcher else entry for matcher in matchers]
            table.setdefault(hook.event, []).extend(entries)
            losses += taking.losses
        data = json.dumps(text.scrub_value({"hooks": table}), indent=2, ensure_ascii=False) + "\n"
        document = Document(path=user_config(places), scope="user", data=data.encode())
        return portable.Dumped(document, sum(map(len, table.values())), tuple(losses))


def _selector(matcher: str) -> portable.Selector:
    if is_for_all(matcher):
        return portable.ALWAYS
    return portable.Selector(_TOOL, _NAMES.canonical([_SPELLED.get(fold(matcher), matcher)]))


def _entry(taking: portable.Taking) -> dict[str, Any]:
    hook = taking.hook
    if hook.handler == "command":
        entry: dict[str, Any] = {"type": "command", "command": hook.command}
    else:
        entry = {"type": hook.handler, "prompt": taking.take("prompt")}
        if "model" in hook.fields:
            entry["model"] = taking.take("model")
    if EVENTS[hook.event].error != "none" and hook.handler == "command":
        # Every failure refuses here.
        taking.take("strict")
    seconds = taking.whole_seconds(most=_MOST)
    if seconds != DEFAULT_TIMEOUT:
        entry["timeout"] = seconds
    return entry


def _matchers(taking: portable.Taking) -> list[str]:
    """The matcher of each entry that the hook becomes; an empty one where all calls are meant."""
    selector, event = taking.hook.selector, taking.hook.event
    if selector.always:
        return [""]
    if selector.subject != _TOOL or not EVENTS[event].tool:
        taking.lose("matcher", f"{TITLE} does not choose by `{selector.subject}` on {event}: it runs each time")
        return [""]
    if selector.wildcards or selector.patterns:
        shown = ", ".join(map(repr, (*selector.wildcards, *(pattern.text for pattern in selector.patterns))))
        taking.lose("matcher", f"{TITLE} has names and no patterns, so instead of {shown} it runs for every tool")
        return [""]
    return list(_NAMES.native(selector.names))
