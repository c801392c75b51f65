"""
The groups and handlers of one file: what loads, what is refused, and what a refusal costs.

From the contract, "Loading rules": a broken handler, group or event costs itself; under PreToolUse and PermissionRequest it voids the
file, since it might guard what stands beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hookfw import Hook, Rejected, Source, text
from hookfw_claude.claude_code import subjects
from hookfw_claude.claude_code.conditions import compile_condition
from hookfw_claude.claude_code.fields import GROUP_FIELDS
from hookfw_claude.claude_code.handlers import Handler, problems_of, warnings_of
from hookfw_claude.claude_code.rules import (
    DIALECT,
    EVENTS,
    GRAMMAR,
    NARROW_EVENTS,
    NARROW_GRAMMAR,
    VOIDING_EVENTS,
    EventRules,
)
from hookfw_claude.claude_code.tools import canonical_name
from hookfw_claude.groups import walk
from hookfw_claude.matcher import EVERYTHING, InvalidMatcherError, Matcher, compile_matcher, ignored_matcher
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hookfw import Document, Predicate
    from hookfw_claude.claude_code.conditions import Condition
    from hookfw_claude.claude_code.plugins import Plugin
    from hookfw_claude.groups import Item
    from hookfw_claude.json_files import Path
    from hookfw_claude.problems import Problems

SUMMARY_LIMIT = 60
_FAULTS = {
    "event-not-a-list": "the value of `{event}` must be an array of groups",
    "group-not-an-object": "a group must be an object",
    "no-handlers": "the group has no `hooks`; write an array of handlers",
    "handlers-not-a-list": "`hooks` of a group must be an array of handlers",
    "handler-not-an-object": "a handler must be an object",
}


class Selector(NamedTuple):
    """How the hooks of a group are found: the matcher as written, its names, and the predicate of what else it is."""

    text: str
    matcher: Matcher
    never: Predicate | None = None


class Entries:
    """
    Reads the table of one file; what is wrong goes to the problems.

    Attributes:
        hooks: what loaded.
        voided_by: the places of the broken entries that void the file.
    """

    def __init__(
        self,
        document: Document,
        lines: Mapping[Path, int],
        problems: Problems,
        plugin: Plugin | None = None,
        installed: Collection[str] = (),
    ) -> None:
        """
        Reads nothing yet.

        Args:
            document: the file.
            lines: line of each entry, by the way to it.
            problems: where what is wrong goes.
            plugin: the plugin of Claude Code that brings the file.
            installed: handler types that plugins of hookfw bring.
        """
        self.hooks: list[Hook] = []
        self.voided_by: list[str] = []
        self._document = document
        self._lines = lines
        self._problems = problems
        self._plugin = plugin
        self._installed = installed

    def read(self, table: Mapping[str, object]) -> None:
        """Every event of the table, in the order written."""
        selector: Selector | None = None
        for item in walk(table):
            rules = EVENTS.get(item.event)
            if rules is None:
                self._unknown_event(item)
            elif item.fault is not None:
                self._refuse(item, [_FAULTS[item.fault].format(event=item.event)])
                selector = selector if item.handler is not None else None
            elif item.handler is not None:
                if selector is not None:
                    self._handler(item, rules, selector)
            elif item.group is not None:
                selector = self._group(item, rules)

    def void(self) -> None:
        """Take back what loaded: the file is void."""
        why = f"its file is void, because of {self.voided_by[0]}"
        self._problems.rejected += [
            Rejected(hook.name, DIALECT, hook.event, hook.source, (why,)) for hook in self.hooks
        ]
        first = self.voided_by[0]
        what = (
            f"{first} is broken, and a broken entry under {' or '.join(VOIDING_EVENTS)} voids the whole file, its other "
            f"settings too: {len(self.hooks)} hook{'s' * (len(self.hooks) != 1)} of it do not run; correct that entry"
        )
        source = Source(self._document.path, self._document.scope, "")
        self._problems.note("void-file", "error", source, what)
        self.hooks = []

    def _unknown_event(self, item: Item) -> None:
        if item.group is None:
            what = f"the event {quoted(item.event)}{did_you_mean(item.event, EVENTS)} is none of Claude Code and is ignored"
            self._problems.note("unknown-event", "warning", self._source(item), what)

    def _refuse(self, item: Item, problems: list[str]) -> None:
        steps = (item.event, item.group, item.handler)
        name = ":".join(str(step) for step in steps if step is not None)
        self._problems.reject(name, item.event, self._source(item), problems, strict=_was_strict(item))
        if item.event in VOIDING_EVENTS:
            self.voided_by.append(item.entry)

    def _group(self, item: Item, rules: EventRules) -> Selector | None:
        """How the hooks of a group are found; `None` for a group that is refused."""
        for field in item.fields:
            if field not in GROUP_FIELDS:
                hint = did_you_mean(field, GROUP_FIELDS)
                what = f"the group field {quoted(field)}{hint} is not known and is ignored"
                self._problems.note("ignored-field", "warning", self._source(item), what)
        if "matcher" in item.fields and not isinstance(item.matcher, str):
            self._refuse(item, [f"`matcher` must be a text, not {quoted(item.matcher)}"])
            return None
        if rules.matches is None:
            ignored = ignored_matcher(item.matcher, rules.name)
            if ignored is not None:
                self._problems.note("ignored-matcher", "warning", self._source(item), ignored)
        if rules.matches is None or not isinstance(item.matcher, str):
            return Selector("", EVERYTHING)
        return self._selector(item, rules, item.matcher)

    def _selector(self, item: Item, rules: EventRules, written: str) -> Selector:
        """A matcher, with what is odd about it said; an invalid one is no fault, it matches nothing."""
        try:
            matcher = compile_matcher(written, NARROW_GRAMMAR if rules.name in NARROW_EVENTS else GRAMMAR)
        except InvalidMatcherError as error:
            why = f"its matcher {quoted(written)} is no JavaScript pattern ({error.detail}), so it matches nothing"
            self._problems.note("odd-matcher", "warning", self._source(item), f"{why}; correct it")
            return Selector(written, EVERYTHING, subjects.never(why))
        odd = _odd_names(matcher, written)
        if odd is not None:
            self._problems.note("odd-matcher", "warning", self._source(item), odd)
        return Selector(written, matcher)

    def _handler(self, item: Item, rules: EventRules, selector: Selector) -> None:
        problems = problems_of(item.value, self._installed)
        if problems:
            self._refuse(item, problems)
            return
        handler = Handler(item.value["type"], item.value, self._plugin, matcher=selector.text)
        condition = None if handler.condition is None else compile_condition(handler.condition)
        name = f"{item.event}:{item.group}:{item.handler}"
        source = self._source(item)
        for warning in warnings_of(handler, item.value, rules):
            self._problems.note("ignored-field", "warning", source, warning, name)
        if handler.is_foreign:
            self._problems.note("foreign-handler", "info", source, _foreign(handler, item.event), name)
        odd = None if condition is None else condition.note or _never_both(condition, selector)
        if odd is not None:
            self._problems.note("odd-condition", "warning", source, f"of its `if`: {odd}", name)
        line, shown = handler.line, handler.shown
        self.hooks.append(
            Hook(
                name=name,
                dialect=DIALECT,
                event=rules.name,
                handler=handler.type,
                summary=text.line(
                    shown if len(shown) <= SUMMARY_LIMIT else f"{shown[: SUMMARY_LIMIT - 1]}…", SUMMARY_LIMIT
                ),
                source=source,
                timeout=handler.timeout(rules.name),
                command=line if handler.type == "command" else None,
                matcher=_shown(selector, handler),
                keys=selector.matcher.keys,
                predicate=selector.never or subjects.predicate_of(selector.matcher, selector.text, condition),
                background=handler.background,
                strict=handler.failing(rules) == "blocks",
                status_message=handler.fields.get("statusMessage"),
                config=handler,
            )
        )

    def _source(self, item: Item) -> Source:
        return Source(self._document.path, self._document.scope, item.entry, self._lines.get(("hooks", *item.path)))


def _never_both(condition: Condition, selector: Selector) -> str | None:
    """Why a rule and a list of names can never hold together; `None` where they can."""
    keys = selector.matcher.keys
    if not keys or condition.tool in map(canonical_name, keys):
        return None
    return (
        f"it is for {condition.tool}, which its matcher {quoted(selector.text)} does not name, so the hook never runs"
    )


def _foreign(handler: Handler, event: str) -> str:
    """What is said of a type that only hookfw has."""
    lost = "all of its file" if event in VOIDING_EVENTS else "this entry"
    return (
        f"its type `{handler.type}` is one of a plugin of hookfw, which runs it; Claude Code itself does not know it and "
        f"refuses {lost}, so keep such hooks in a file that the client does not read"
    )


def _shown(selector: Selector, handler: Handler) -> str:
    """Matcher and condition, for people."""
    condition = "" if handler.condition is None else f"if {handler.condition}"
    return f"{selector.text} {condition}".strip()


def _odd_names(matcher: Matcher, written: str) -> str | None:
    """Why a list of names matches less than it seems to; `None` where nothing is odd."""
    if matcher.keys is None:
        return None
    if not matcher.keys:
        return f"its matcher {quoted(written)} names nothing and never matches; leave it out to match everything"
    for name in sorted(matcher.keys):
        if " " in name:
            return f"the name {quoted(name)} in its matcher has a blank, as no tool has; separate names by `|`"
        if name.startswith("mcp__") and name.count("__") == 1:
            return f"the name {quoted(name)} in its matcher is a server and no tool; write `{name}__.*` for all of its tools"
    return None


def _was_strict(item: Item) -> bool:
    """What is refused was to block where it fails: a handler that says so, or a group or event that holds one."""

    def asks(value: object) -> bool:
        if isinstance(value, list):
            return any(map(asks, value))
        return isinstance(value, dict) and (value.get("onFailure") == "block" or asks(value.get("hooks")))

    rules = EVENTS.get(item.event)
    return rules is not None and rules.failing == "blocks" and asks(item.value)
