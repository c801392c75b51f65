"""
Codewhale's configuration in the neutral form, and written from it.

From the hooks document of 2026-09-29, "Configuration" and "Conditions". A condition that names tools is a selector; what
else it asks is asked nowhere else.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import BrokenTomlError, Document, parse_toml, portable, text
from hookfw_codewhale.conditions import AllOf, Always, AnyOf, Condition, ToolCategory, ToolName
from hookfw_codewhale.entries import DEFAULT_TIMEOUT
from hookfw_codewhale.locations import user_config
from hookfw_codewhale.native import EVENTS
from hookfw_codewhale.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Hook, Places
    from hookfw_codewhale.entries import Entry

TITLE: Final = "Codewhale"
_TOOL: Final = "tool_name"
_NAMES: Final = portable.names_of(TOOLS)


class CodewhaleConversion(portable.Conversion):
    """To and from entries of the person's own configuration; from a project's `hooks.toml` too."""

    def documents(self, path: str, data: bytes) -> Sequence[Document]:
        """A configuration, or a file of entries as a project has them: there `hooks` is an array."""
        try:
            entries = isinstance(parse_toml(data).get("hooks"), list)
        except BrokenTomlError:
            entries = False
        return [Document(path=path, scope="project" if entries else "user", data=data)]

    def neutral(self, hook: Hook) -> portable.PortableHook:
        """A condition as selector of tools, as far as it is one."""
        entry: Entry = hook.config
        selector, rest = selector_of(entry.condition)
        fields: dict[str, Any] = {"condition": rest, "working_dir": entry.working_dir}
        return portable.PortableHook(
            place=hook.source.entry,
            event=hook.event,
            kinds=(),
            command=entry.command,
            selector=selector,
            timeout=hook.timeout,
            background=hook.background,
            strict=hook.strict,
            name=entry.name,
            fields={name: value for name, value in fields.items() if value is not None},
        )

    def dump(self, hooks: Sequence[portable.PortableHook], places: Places) -> portable.Dumped:
        """Entries `[[hooks.hooks]]`, as the person's own configuration has them."""
        takings = [portable.Taking(hook, TITLE) for hook in hooks]
        data = "\n".join(_entry(taking) for taking in takings)
        losses = [loss for taking in takings for loss in taking.losses]
        document = Document(path=user_config(places), scope="user", data=data.encode())
        return portable.Dumped(document, len(takings), tuple(losses))


def selector_of(condition: Condition) -> tuple[portable.Selector, str | None]:
    """The tools that a condition is for, and what else it asks, for people; never fewer tools than it is for."""
    if isinstance(condition, Always):
        return portable.ALWAYS, None
    patterns = _tools(condition)
    if patterns is not None:
        return _selector(patterns), None
    if isinstance(condition, AllOf):
        parts = [(part, _tools(part)) for part in _flat(condition)]
        tools = [found for _, found in parts if found is not None]
        rest = [part.describe() for part, found in parts if found is None and not isinstance(part, Always)]
        if len(tools) <= 1:
            return (_selector(tools[0]) if tools else portable.ALWAYS), " and ".join(rest) or None
    keys = condition.literal_keys()
    return (portable.ALWAYS if keys is None else _selector(sorted(keys))), condition.describe()


def _flat(condition: AllOf) -> list[Condition]:
    return [inner for part in condition.parts for inner in (_flat(part) if isinstance(part, AllOf) else [part])]


def _tools(condition: Condition) -> list[str] | None:
    """Names and wildcards of a condition that asks for nothing but a tool among them; `None` for any other."""
    match condition:
        case ToolName():
            return [condition.name]
        case ToolCategory():
            found = _CATEGORIES.get(condition.category)
            return None if found is None else list(found)
        case AnyOf() if condition.parts:
            parts = [_tools(part) for part in condition.parts]
            known = [part for part in parts if part is not None]
            return [name for part in known for name in part] if len(known) == len(parts) else None
        case _:
            return None


_CATEGORIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"shell": ("Bash",), "file_write": ("Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch")}
)
"""The tools of a category, by the names that other ecosystems have for them."""


def _selector(tools: Sequence[str]) -> portable.Selector:
    wildcards = tuple(dict.fromkeys(name for name in tools if "*" in name))
    if "*" in wildcards:
        return portable.ALWAYS
    found = portable.Selector(_TOOL, wildcards=wildcards)
    # No tool has an empty name.
    names = _NAMES.canonical([name for name in tools if name and "*" not in name], found.by_wildcard)
    return found._replace(names=names)


def _entry(taking: portable.Taking) -> str:
    """One entry as TOML."""
    hook = taking.hook
    lines = ["[[hooks.hooks]]"]
    if hook.name is not None:
        lines.append(f"name = {_text(taking.take('name'))}")
    lines += [f"event = {_text(hook.event)}", f"command = {_text(hook.command or '')}"]
    seconds = taking.whole_seconds(most=_MOST)
    if seconds != DEFAULT_TIMEOUT:
        lines.append(f"timeout_secs = {seconds}")
    if hook.background and not EVENTS[hook.event].steers:
        taking.take("background")
        lines.append("background = true")
    if hook.strict:
        taking.take("strict")
        lines.append("continue_on_error = false")
    condition = _condition(taking)
    if condition is not None:
        lines.append(f"condition = {condition}")
    return "\n".join(lines) + "\n"


def _condition(taking: portable.Taking) -> str | None:
    """The condition that is the hook's selector; `None` where it needs none, or the loss of it is named."""
    selector, event = taking.hook.selector, taking.hook.event
    if selector.always:
        return None
    if selector.subject != _TOOL or "tool" not in EVENTS[event].carries:
        taking.lose("matcher", f"{TITLE} does not choose by `{selector.subject}` on {event}: it runs each time")
        return None
    if selector.patterns:
        shown = ", ".join(repr(pattern.text) for pattern in selector.patterns)
        taking.lose("matcher", f"{TITLE} has wildcards and no patterns, so instead of {shown} it runs for every tool")
        return None
    names = [*_NAMES.native(selector.names, selector.by_wildcard), *selector.wildcards]
    further = _NAMES.further(selector.names, selector.by_wildcard)
    if further:
        taking.lose("matcher", f"by the names that {TITLE} has for tools it also runs for {', '.join(further)}")
    odd = [name for name in names if name in selector.names and "*" in name]
    if odd:
        taking.lose("matcher", f"{TITLE} takes the `*` in {', '.join(odd)} for any letters")
    parts = [f'{{ type = "tool_name", name = {_text(name)} }}' for name in names]
    return parts[0] if len(parts) == 1 else f'{{ type = "any", conditions = [{", ".join(parts)}] }}'


_MOST: Final = 2**63 - 1


def _text(value: str) -> str:
    """A text as TOML writes it: as JSON does, and the one control character that JSON lets pass."""
    return json.dumps(text.scrub(value), ensure_ascii=False).replace("\x7f", "\\u007f")
