"""
The groups and handlers of one source that has its shape.

As seen with codex-cli 0.171.0: what costs one entry, that it keeps its number, and what is said of it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import Hook, Source, entry_lines, text
from hookfw_claude.codex.handlers import Handler, read_handler
from hookfw_claude.codex.identity import digest_of, hook_key, run_name
from hookfw_claude.codex.rules import (
    DIALECT,
    EVENTS,
    GRAMMAR,
    MCP_TOOL,
    UNSUPPORTED_TYPES,
    EventRules,
)
from hookfw_claude.groups import walk
from hookfw_claude.matcher import EVERYTHING, InvalidMatcherError, Matcher, compile_matcher, ignored_matcher
from hookfw_claude.mcp_servers import UNKNOWN, Server
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hookfw import Document
    from hookfw_claude.groups import Item
    from hookfw_claude.problems import Problems

SUMMARY_LIMIT = 60
_GROUP_FIELDS = ("matcher", "hooks")
_NOTHING: Mapping[str, str] = MappingProxyType({})


class Origin(NamedTuple):
    """
    What the hooks of one source have in common.

    Attributes:
        key_source: what stands for the source in their keys.
        env: variables of their plugin; their names stand as `${NAME}` in commands.
        managed: they need no consent and have no switch.
    """

    key_source: str
    env: Mapping[str, str] = _NOTHING
    managed: bool = False


class Definition(NamedTuple):
    """
    What a hook of Codex is, beside what every hook has.

    Attributes:
        key: what its state is filed under.
        digest: of event, matcher and handler.
        matcher: the matcher as written; `None` where there is none.
        handler: the handler in its normal form.
        origin: what it has in common with the others of its source.
        server: the MCP server that an `mcp_tool` calls.
    """

    key: str
    digest: str
    matcher: str | None
    handler: Handler
    origin: Origin
    server: Server = UNKNOWN


class Entries:
    """Reads the table of one document; what is wrong goes to the problems."""

    def __init__(
        self,
        document: Document,
        origin: Origin,
        lines: Mapping[tuple[str | int, ...], int],
        problems: Problems,
        *,
        windows: bool,
    ) -> None:
        """`lines`: line of each entry of a JSON file, by the way to it."""
        self._document = document
        self._origin = origin
        self._lines = lines
        self._problems = problems
        self._windows = windows
        self._group_lines: tuple[int, ...] = ()

    def unknown_event(self, name: str) -> None:
        """An event that Codex does not have is ignored, and said."""
        what = f"the event {quoted(name)}{did_you_mean(name, EVENTS)} is not one of Codex and is ignored"
        source = Source(self._document.path, self._document.scope, f"hooks.{name}", self._lines.get(("hooks", name)))
        self._problems.note("unknown-event", "warning", source, what)

    def hooks(self, groups: list[Any], rules: EventRules) -> Iterator[Hook]:
        """The hooks of one event, whose value is `groups`, in the order written."""
        if not self._lines:
            # In TOML the line of a group is known, and its handlers stand below it.
            self._group_lines = entry_lines(self._document.data, f"hooks.{rules.name}", len(groups))
        matcher: Matcher | None = None
        for item in walk({rules.name: groups}):
            if item.group is None:
                continue
            if item.handler is None:
                matcher = self._group(item, rules)
            elif matcher is not None:
                hook = self._handler(item, rules, matcher)
                if hook is not None:
                    yield hook

    def _group(self, item: Item, rules: EventRules) -> Matcher | None:
        """The matcher of a group; `None`, with the problem told, where it is none."""
        for field in item.fields:
            if field not in _GROUP_FIELDS:
                hint = did_you_mean(field, _GROUP_FIELDS)
                what = f"the group field {quoted(field)}{hint} is not known and is ignored"
                self._problems.note("ignored-field", "warning", self._source(item), what)
        ignored = ignored_matcher(item.matcher, rules.name) if rules.subject == "none" else None
        if ignored is not None:
            self._problems.note("ignored-matcher", "warning", self._source(item), ignored)
        if rules.subject == "none" or not isinstance(item.matcher, str):
            return EVERYTHING
        try:
            return compile_matcher(item.matcher, GRAMMAR)
        except InvalidMatcherError as error:
            problem = f"invalid matcher {quoted(item.matcher)}: {error.detail}; correct the pattern"
            self._problems.reject(f"{item.event}:{item.group}", item.event, self._source(item), [problem])
            return None

    def _handler(self, item: Item, rules: EventRules, compiled: Matcher) -> Hook | None:
        name = run_name(rules, item.group or 0, item.handler or 0)
        source = self._source(item)
        problem = self._skipped(item.value, rules)
        if problem is not None:
            self._problems.reject(name, item.event, source, [problem])
            return None
        warnings: list[str] = []
        handler = read_handler(item.value, rules, warnings, windows=self._windows)
        for warning in warnings:
            self._problems.note("odd-handler", "warning", source, warning, name)
        matcher = item.matcher if isinstance(item.matcher, str) else None
        command = handler.command
        for variable, value in self._origin.env.items():
            command = command and command.replace(f"${{{variable}}}", value)
        return Hook(
            name=name,
            dialect=DIALECT,
            event=rules.name,
            handler=handler.type,
            summary=_summary(command or f"{handler.server}:{handler.tool}"),
            source=source,
            timeout=handler.timeout,
            command=command,
            matcher="" if rules.subject == "none" else matcher or "",
            keys=compiled.keys,
            predicate=compiled.predicate(matcher or ""),
            background=handler.background and rules.name != "SessionEnd",
            status_message=handler.status_message,
            config=Definition(
                key=hook_key(self._origin.key_source, name),
                digest=digest_of(rules, matcher, handler.as_digested()),
                matcher=matcher,
                handler=handler,
                origin=self._origin,
            ),
        )

    def _skipped(self, handler: Mapping[str, Any], rules: EventRules) -> str | None:
        """Why a handler counts nowhere; `None` when it counts."""
        if handler["type"] in UNSUPPORTED_TYPES:
            kind = handler["type"]
            return f"{kind} hooks are not supported yet by Codex; use `command`"
        if handler["type"] == MCP_TOOL:
            is_end = rules.name == "SessionEnd"
            return "SessionEnd MCP hooks are not supported; use `command`" if is_end else None
        if not handler["command"].strip():
            return "empty hook command; write the shell line to run"
        return "`command` holds a NUL, which no shell can be given; remove it" if "\0" in handler["command"] else None

    def _source(self, item: Item) -> Source:
        line = self._lines.get(("hooks", *item.path))
        if item.group is not None and item.group < len(self._group_lines):
            line = self._group_lines[item.group]
        return Source(self._document.path, self._document.scope, item.entry, line)


def _summary(whole: str) -> str:
    return text.line(whole if len(whole) <= SUMMARY_LIMIT else f"{whole[: SUMMARY_LIMIT - 1]}…", SUMMARY_LIMIT)
