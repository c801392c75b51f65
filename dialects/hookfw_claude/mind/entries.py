"""
The groups and handlers of one source, each costing itself where it is wrong.

From the paragraphs on matcher groups and tolerance of the hooks document; numbers of entries and what is normalised from the
public source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hookfw import Hook, Source, entry_lines, text
from hookfw_claude.groups import walk
from hookfw_claude.matcher import EVERYTHING, InvalidMatcherError, Matcher, compile_matcher, ignored_matcher
from hookfw_claude.mcp_servers import UNKNOWN, Server
from hookfw_claude.mind.handlers import Findings, Handler, read_handler, type_problem
from hookfw_claude.mind.rules import (
    DIALECT,
    EVENTS,
    GRAMMAR,
    SESSION_END,
    SUBJECT_VALUES,
    UNSUPPORTED_TYPES,
    EventRules,
)
from hookfw_claude.mind.trust import digest_of, hook_key
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hookfw import Document
    from hookfw_claude.groups import Item
    from hookfw_claude.problems import Problems

SUMMARY_LIMIT = 60
_GROUP_FIELDS = ("matcher", "hooks")


class Definition(NamedTuple):
    """
    What a hook of Mind is, beside what every hook has.

    Attributes:
        key: what its state is filed under.
        digest: of matcher and handler.
        matcher: the matcher in its normal form.
        handler: the handler in its normal form.
        server: the MCP server that an `mcp_tool` calls.
    """

    key: str
    digest: str
    matcher: str
    handler: Handler
    server: Server = UNKNOWN


class Entries:
    """Reads the table of one document; what is wrong goes to the problems."""

    def __init__(
        self, document: Document, lines: Mapping[tuple[str | int, ...], int], problems: Problems, *, windows: bool
    ) -> None:
        """`lines`: line of each entry of a JSON file, by the way to it."""
        self._document = document
        self._lines = lines
        self._problems = problems
        self._windows = windows
        self._group_lines: tuple[int, ...] = ()

    def unknown_event(self, name: str) -> None:
        """An event that Mind does not have is ignored, and said."""
        hint = did_you_mean(name, EVENTS)
        what = f"the event {quoted(name)}{hint} is not one of Mind and is ignored"
        source = Source(self._document.path, self._document.scope, f"hooks.{name}", self._lines.get(("hooks", name)))
        self._problems.note("unknown-event", "warning", source, what)

    def hooks(self, groups: object, rules: EventRules) -> Iterator[Hook]:
        """The hooks of one event, whose value is `groups`, in the order written."""
        if self._document.role != "hooks" and isinstance(groups, list):
            # In TOML the line of a group is known, and its handlers stand below it.
            self._group_lines = entry_lines(self._document.data, f"hooks.{rules.name}", len(groups))
        matcher: tuple[str, Matcher] | None = None
        for item in walk({rules.name: groups}):
            if item.handler is None:
                matcher = self._group(item, rules)
            elif matcher is not None:
                hook = self._handler(item, rules, *matcher)
                if hook is not None:
                    yield hook

    def _group(self, item: Item, rules: EventRules) -> tuple[str, Matcher] | None:
        """The matcher of a group; `None` for an event, and with the problem told for a group that is refused."""
        problem = {
            "event-not-a-list": f"`{item.event}` must be an array of tables (`[[hooks.{item.event}]]` in TOML)",
            "group-not-an-object": "a matcher group must be a table",
            "handlers-not-a-list": "`hooks` of a matcher group must be an array",
        }.get(item.fault or "")
        name = item.event if item.group is None else f"{item.event}:{item.group}"
        if problem is None and item.group is not None:
            for field in item.fields:
                if field not in _GROUP_FIELDS:
                    hint = did_you_mean(field, _GROUP_FIELDS)
                    what = f"the group field {quoted(field)}{hint} is not known and is ignored"
                    self._problems.note("ignored-field", "warning", self._source(item), what)
            found = _matcher(item.matcher, rules)
            if not isinstance(found, str):
                odd = _odd_names(found[1], rules)
                ignored = ignored_matcher(item.matcher, rules.name) if rules.subject == "none" else None
                if ignored is not None:
                    self._problems.note("ignored-matcher", "warning", self._source(item), ignored)
                if odd is not None:
                    self._problems.note("odd-matcher", "warning", self._source(item), odd)
                return found
            problem = found
        if problem is not None:
            self._problems.reject(name, item.event, self._source(item), [problem])
        return None

    def _handler(self, item: Item, rules: EventRules, matcher: str, compiled: Matcher) -> Hook | None:
        name = f"{item.event}:{item.group}:{item.handler}"
        source = self._source(item)
        if item.fault is not None:
            self._problems.reject(name, item.event, source, ["a handler must be a table"])
            return None
        kind = item.value.get("type")
        if kind in UNSUPPORTED_TYPES:
            what = f"hooks of type `{kind}` are not supported by Mind; this one counts nowhere, use `command` instead"
            self._problems.note("unsupported-handler", "warning", source, what)
            return None
        findings = Findings()
        problem = type_problem(kind)
        handler = None
        if problem is None:
            handler = read_handler(item.value, rules, findings, windows=self._windows)
        else:
            findings.problems.append(problem)
        for warning in findings.warnings:
            self._problems.note("ignored-field", "warning", source, warning, name)
        if handler is None:
            self._problems.reject(name, item.event, source, findings.problems)
            return None
        key = hook_key(source.path, handler, item.event, item.group or 0, item.handler or 0)
        return Hook(
            name=name,
            dialect=DIALECT,
            event=rules.name,
            handler=handler.type,
            summary=_summary(handler),
            source=source,
            timeout=handler.timeout,
            command=handler.command,
            matcher=matcher,
            keys=compiled.keys,
            predicate=compiled.predicate(matcher),
            background=handler.background and rules.name != SESSION_END,
            status_message=handler.status_message,
            config=Definition(key, digest_of(matcher, handler), matcher, handler),
        )

    def _source(self, item: Item) -> Source:
        line = self._lines.get(("hooks", *item.path))
        if item.group is not None and item.group < len(self._group_lines):
            line = self._group_lines[item.group]
        return Source(self._document.path, self._document.scope, item.entry, line)


def _matcher(raw: object, rules: EventRules) -> tuple[str, Matcher] | str:
    """The matcher of a group, as it is digested and as it is asked; or why the group is refused."""
    if raw is not None and not isinstance(raw, str):
        return "`matcher` must be a text"
    if rules.subject == "none":
        return "", EVERYTHING
    matcher = (raw or "").strip()
    try:
        return matcher, compile_matcher(matcher, GRAMMAR)
    except InvalidMatcherError as error:
        return f"`matcher` {quoted(matcher)} is no pattern: {error.detail}"


def _odd_names(matcher: Matcher, rules: EventRules) -> str | None:
    """Why a list of names matches less than it seems to; `None` where nothing is odd."""
    names = matcher.keys or frozenset()
    blank = sorted(name for name in names if name != name.strip())
    if blank:
        return (
            f"the name {quoted(blank[0])} of its `matcher` matches nothing: blanks beside `|` belong to it; remove them"
        )
    values = SUBJECT_VALUES.get(rules.subject)
    if names and values is not None and names.isdisjoint(values):
        return f"its `matcher` never matches: {rules.name} hooks are selected by {', '.join(sorted(values))}"
    return None


def _summary(handler: Handler) -> str:
    whole = handler.command if handler.command is not None else f"{handler.server}:{handler.tool}"
    return text.line(whole if len(whole) <= SUMMARY_LIMIT else f"{whole[: SUMMARY_LIMIT - 1]}…", SUMMARY_LIMIT)
