"""
What the family shares where configurations are converted: matchers both ways, and the three levels of the file.

Which subject a matcher has, which fields a handler and which bounds a time, is each agent's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookfw import Document, patterns, portable, text
from hookfw_claude.matcher import InvalidMatcherError, compile_matcher
from hookfw_claude.problems import quoted

if TYPE_CHECKING:
    from hookfw_claude.matcher import FindsIn, Grammar, Matcher

TOOL = "tool_name"
PATCH = "apply_patch"
"""A tool that only some agents have; what it does is an edit or a write for all others."""
_WRITES = frozenset({"Edit", "Write"})

PATCH_NAMES = (
    ("Edit", "Edit"),
    ("Write", "Write"),
    (PATCH, PATCH),
    *((name, other) for name in ("Edit", "Write", PATCH) for other in ("Edit", "Write", PATCH) if name != other),
)
"""Where every edit and write is a patch: each of the three names means all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchers:
    """
    How one agent's matchers are read and written.

    Attributes:
        title: the agent's name in sentences.
        language: of its patterns.
        grammar: of its matchers.
        tools: how they spell tools.
        patches: it has the tool `apply_patch`; otherwise that name says nothing beside `Edit` and `Write`.
    """

    title: str
    language: str
    grammar: Grammar
    tools: portable.ToolNames
    patches: bool = False

    def read(self, written: str | None, subject: str | None) -> portable.Selector:
        """What a matcher asks of `subject`, the canonical field that it looks at; `None` where it looks at nothing."""
        if written is None or subject is None:
            return portable.ALWAYS
        try:
            matcher = compile_matcher(written, self.grammar)
        except InvalidMatcherError:
            return portable.Selector(subject)
        if matcher.everything:
            return portable.ALWAYS
        names, wildcards, searched = _asked(matcher, written, self.language)
        if "*" in wildcards:
            return portable.ALWAYS
        if subject == TOOL:
            names = self.tools.canonical(names, _found(portable.Selector(wildcards=wildcards), matcher.pattern))
        return portable.Selector(subject, names, wildcards, searched)

    def write(self, taking: portable.Taking, subject: str | None) -> str | None:
        """The matcher of a hook; `None` where it needs none, or the loss of it is named."""
        selector = taking.hook.selector
        if selector.always:
            return None
        if selector.subject != subject:
            taking.lose(
                "matcher",
                f"{self.title} does not choose by `{selector.subject}` on {taking.hook.event}: it runs each time",
            )
            return None
        searched = self._patterns(selector.patterns, taking)
        if searched is None:
            return None
        names = selector.names
        if subject == TOOL:
            if not self.patches and {*names} >= _WRITES:
                names = tuple(name for name in names if name != PATCH)
            found = _found(selector, *map(self.grammar.compile, searched))
            further = self.tools.further(names, found)
            names = self.tools.native(names, found)
            if further:
                taking.lose(
                    "matcher", f"by the names that {self.title} has for tools it also runs for {', '.join(further)}"
                )
        whole = "|".join(names)
        if not selector.wildcards and not searched and self._is_list(whole, names):
            return whole
        return self._compiled(patterns.as_pattern(names, selector.wildcards, searched), taking)

    def _patterns(self, given: Iterable[portable.Pattern], taking: portable.Taking) -> tuple[str, ...] | None:
        """Patterns that mean in this agent's language what they meant; `None`, with the loss named, where one may not."""
        for pattern in given:
            if pattern.language != self.language and not patterns.is_common(pattern.text):
                shown = f"the pattern {quoted(pattern.text)} of {pattern.language}"
                taking.lose("matcher", f"{shown} may be none in {self.language}, or another: it runs for every value")
                return None
            if self._compiled(pattern.text, taking) is None:
                return None
        return tuple(pattern.text for pattern in given)

    def _compiled(self, pattern: str, taking: portable.Taking) -> str | None:
        """The pattern; `None`, with the loss named, where it is none: a matcher that cannot be read would match nothing."""
        try:
            self.grammar.compile(pattern)
        except ValueError as error:
            taking.lose(
                "matcher", f"{quoted(pattern)} is no pattern of {self.title} ({error}): it runs for every value"
            )
            return None
        return pattern

    def _is_list(self, whole: str, names: Sequence[str]) -> bool:
        if self.grammar.names.fullmatch(whole) is None:
            return False
        return compile_matcher(whole, self.grammar).keys == frozenset(names)


def _found(selector: portable.Selector, *searched: FindsIn | None) -> Callable[[str], bool]:
    """Tells of a name whether a wildcard or a pattern is for it."""

    def found(name: str) -> bool:
        by_pattern = any(pattern is not None and pattern.found_in(name) for pattern in searched)
        return by_pattern or selector.by_wildcard(name)

    return found


def _asked(
    matcher: Matcher, written: str, language: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[portable.Pattern, ...]]:
    """Names, wildcards and patterns of a matcher."""
    if matcher.keys is not None:
        return tuple(sorted(filter(None, matcher.keys), key=written.find)), (), ()
    found = patterns.as_wildcards(written)
    if found is None:
        return (), (), (portable.Pattern(written, language),)
    return (
        tuple(word for word in found if "*" not in word),
        tuple(word for word in found if "*" in word),
        (),
    )


class Writing:
    """The file under way: groups of one event and matcher, in the order of the hooks."""

    def __init__(self) -> None:
        self._table: dict[str, list[dict[str, Any]]] = {}
        self._takings: list[portable.Taking] = []
        self._left_out: list[portable.Lost] = []

    def add(self, taking: portable.Taking, matcher: str | None, handler: Mapping[str, Any]) -> None:
        """A handler, in the group of the one before it where event and matcher are the same."""
        self._takings.append(taking)
        groups = self._table.setdefault(taking.hook.event, [])
        if not groups or groups[-1].get("matcher") != matcher:
            groups.append({"hooks": []} if matcher is None else {"matcher": matcher, "hooks": []})
        groups[-1]["hooks"].append(dict(handler))

    def leave_out(self, taking: portable.Taking, why: str) -> None:
        """A handler that does not run on its event; `why` is a sentence without its end."""
        self._left_out.append(portable.Lost(taking.hook.place, "handler", f"{why}, so it is left out"))

    def dumped(self, path: str) -> portable.Dumped:
        """The whole file."""
        content = text.scrub_value({"hooks": self._table})
        data = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        losses = [*self._left_out, *(loss for taking in self._takings for loss in taking.losses)]
        return portable.Dumped(Document(path=path, scope="user", data=data.encode()), len(self._takings), tuple(losses))


def handler_of(taking: portable.Taking, hook: portable.PortableHook) -> dict[str, Any]:
    """What every agent of the family says of a handler in the same way."""
    said: dict[str, Any] = {"type": hook.handler}
    if hook.command is not None:
        said["command"] = hook.command
    for name in ("server", "tool", "input", "url", "headers", "prompt", "model"):
        if name in hook.fields:
            said[name] = taking.take(name)
    return said


def plain_number(seconds: float) -> int | float:
    """A number of seconds as people write it."""
    return int(seconds) if seconds == int(seconds) else seconds
