"""
Conditions: what a hook asks of an event, judged on a few facts.

From the hooks document of 2026-09-29, "Conditions". A condition is an immutable tree; the exact tool names in it are
taken out as keys, so that a firing finds its hooks by look-up and judges only what is left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from hookfw import text
from hookfw_codewhale.fields import ARGUMENTS_LIMIT
from hookfw_codewhale.problems import quoted

if TYPE_CHECKING:
    from hookfw import Event, Predicate
    from hookfw_codewhale.native import NativeSpec

SHELL_NAMES = frozenset({"bash", "Bash", "exec_shell"})
"""The spellings of the shell tool: a condition that names one of them exactly holds for all three."""


class Facts(NamedTuple):
    """What conditions look at. `None` is an event that does not say: no condition on it holds."""

    tool_name: str | None = None
    category: str | None = None
    mode: str | None = None
    exit_code: int | None = None


class Condition(ABC):
    """A node of the tree. Which events may ask for it is the table of conditions in the document."""

    __slots__ = ()

    @abstractmethod
    def match(self, facts: Facts) -> str | None:
        """`None` when the condition holds for `facts`, else the reason why not, for people."""

    @abstractmethod
    def describe(self) -> str:
        """The condition as `/hooks list` shows it; values on one line, at most 64 characters each."""

    def literal_keys(self) -> frozenset[str] | None:
        """The tool names without which it cannot hold, aliases included; `None` when others may do."""
        return None

    def keys_decide(self) -> bool:
        """Whether a tool among the literal keys (any event, where there are none) is all that it asks."""
        return False

    def unsupported(self, spec: NativeSpec) -> list[str]:
        """
        Why the event can never satisfy it, one text for each kind of predicate, nested ones included.

        A hook with such a condition is refused: it would be inert while its owner believes in it.
        """
        del spec
        return []

    def predicate(self) -> Predicate | None:
        """What is left to judge once the literal keys have selected a hook; `None` when they decide alone."""
        # A partial, since the host hands its predicates any hashable facts, and here they are always `Facts`.
        return None if self.keys_decide() else partial(self.match)


@dataclass(frozen=True, slots=True)
class Always(Condition):
    """Holds for every event; the condition of a hook that has none."""

    @override
    def match(self, facts: Facts) -> str | None:
        del facts
        return None

    @override
    def describe(self) -> str:
        return "always"

    @override
    def keys_decide(self) -> bool:
        return True


ALWAYS = Always()

_NO_TOOL = "there is no tool behind the event"


@dataclass(frozen=True, slots=True)
class ToolName(Condition):
    """
    Holds for a tool of this name: exact, with the aliases of the shell; or a pattern where `*` is any run of letters.

    Every other character stands for itself, the case of letters counts, and a pattern is anchored at both ends.

    Attributes:
        name: as configured.
        names: the tools it holds for, when `name` is exact.
        pieces: the texts around each `*`, when `name` is a pattern; else empty.
    """

    name: str
    names: frozenset[str] = field(init=False)
    pieces: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        pieces = tuple(self.name.split("*"))
        exact = SHELL_NAMES if self.name in SHELL_NAMES else frozenset((self.name,))
        object.__setattr__(self, "names", frozenset() if len(pieces) > 1 else exact)
        object.__setattr__(self, "pieces", pieces if len(pieces) > 1 else ())

    @override
    def match(self, facts: Facts) -> str | None:
        tool = facts.tool_name
        if tool is None:
            return _NO_TOOL
        holds = _fits(self.pieces, tool) if self.pieces else tool in self.names
        return None if holds else f"the tool is {quoted(tool)}, not {quoted(self.name)}"

    @override
    def describe(self) -> str:
        return f"tool_name={quoted(self.name)}"

    @override
    def literal_keys(self) -> frozenset[str] | None:
        return None if self.pieces else self.names

    @override
    def keys_decide(self) -> bool:
        return not self.pieces

    @override
    def unsupported(self, spec: NativeSpec) -> list[str]:
        return _without_tool("tool_name", spec)


@dataclass(frozen=True, slots=True)
class ToolCategory(Condition):
    """Holds for tools of this category, compared exactly."""

    category: str

    @override
    def match(self, facts: Facts) -> str | None:
        if facts.category is None:
            return _NO_TOOL
        holds = facts.category == self.category
        return None if holds else f"the tool's category is {quoted(facts.category)}, not {quoted(self.category)}"

    @override
    def describe(self) -> str:
        return f"tool_category={quoted(self.category)}"

    @override
    def unsupported(self, spec: NativeSpec) -> list[str]:
        return _without_tool("tool_category", spec)


@dataclass(frozen=True, slots=True)
class Mode(Condition):
    """Holds in this mode, whatever the case of its ASCII letters; an event without a mode is in none."""

    mode: str

    @override
    def match(self, facts: Facts) -> str | None:
        if facts.mode is None:
            return "the event has no mode"
        holds = _fold(facts.mode) == _fold(self.mode)
        return None if holds else f"the mode is {quoted(facts.mode)}, not {quoted(self.mode)}"

    @override
    def describe(self) -> str:
        return f"mode={quoted(self.mode)}"

    @override
    def unsupported(self, spec: NativeSpec) -> list[str]:
        if "mode" in spec.carries:
            return []
        return [f"`mode` can never hold, since `{spec.name}` has no mode, scope it by `tool_name` or `tool_category`"]


@dataclass(frozen=True, slots=True)
class ExitCode(Condition):
    """Holds for a tool that really reported this exit code (64 bit, signed); success is no code, and no code is not 0."""

    code: int

    @override
    def match(self, facts: Facts) -> str | None:
        if facts.exit_code is None:
            return "the event reports no exit code"
        return None if facts.exit_code == self.code else f"the exit code is {facts.exit_code}, not {self.code}"

    @override
    def describe(self) -> str:
        return f"exit_code={self.code}"

    @override
    def unsupported(self, spec: NativeSpec) -> list[str]:
        if "exit_code" in spec.carries:
            return []
        return [f"`exit_code` can never hold, since `{spec.name}` has none, only `tool_call_after` and `on_error` do"]


@dataclass(frozen=True, slots=True)
class _Combined(Condition):
    """Several conditions taken together."""

    parts: tuple[Condition, ...]

    @override
    def unsupported(self, spec: NativeSpec) -> list[str]:
        return list(dict.fromkeys(problem for part in self.parts for problem in part.unsupported(spec)))

    def _list(self) -> str:
        return f"[{', '.join(part.describe() for part in self.parts)}]"


@dataclass(frozen=True, slots=True)
class AllOf(_Combined):
    """Holds when every part does, so an empty one always."""

    @override
    def match(self, facts: Facts) -> str | None:
        return next((reason for part in self.parts if (reason := part.match(facts)) is not None), None)

    @override
    def describe(self) -> str:
        return f"all of {self._list()}"

    @override
    def literal_keys(self) -> frozenset[str] | None:
        needed = [keys for part in self.parts if (keys := part.literal_keys()) is not None]
        return frozenset.intersection(*needed) if needed else None

    @override
    def keys_decide(self) -> bool:
        return all(part.keys_decide() for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf(_Combined):
    """Holds when at least one part does, so an empty one never."""

    @override
    def match(self, facts: Facts) -> str | None:
        if any(part.match(facts) is None for part in self.parts):
            return None
        return f"none of its {len(self.parts)} alternatives holds"

    @override
    def describe(self) -> str:
        return f"any of {self._list()}"

    @override
    def literal_keys(self) -> frozenset[str] | None:
        alternatives = [part.literal_keys() for part in self.parts]
        known = [keys for keys in alternatives if keys is not None]
        return frozenset().union(*known) if len(known) == len(alternatives) else None

    @override
    def keys_decide(self) -> bool:
        return all(part.keys_decide() and part.literal_keys() is not None for part in self.parts)


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _fold(mode: str) -> str:
    # str.lower would fold letters beyond ASCII too, such as the Kelvin sign to k.
    return mode.lower() if mode.isascii() else mode.translate(_LOWER)


def _fits(pieces: tuple[str, ...], name: str) -> bool:
    """
    Whether `name` is the pieces in their order with anything between them.

    Taking each piece at its first place is enough, and goes over the name once: no pattern can hang.
    """
    first, *middle, last = pieces
    position, end = len(first), len(name) - len(last)
    if end < position or not name.startswith(first) or not name.endswith(last):
        return False
    for piece in middle:
        found = name.find(piece, position, end)
        if found < 0:
            return False
        position = found + len(piece)
    return True


def _without_tool(kind: str, spec: NativeSpec) -> list[str]:
    if "tool" in spec.carries:
        return []
    return [f"`{kind}` can never hold, since `{spec.name}` carries no tool name, remove the condition"]


_CATEGORIES: Mapping[str, str] = MappingProxyType(
    dict.fromkeys((*SHELL_NAMES, "Run", "run"), "shell")
    | dict.fromkeys(("write", "edit", "apply_patch"), "file_write")
    | dict.fromkeys(("read", "todo_write"), "safe")
)
_SAFE_FILE_ACTIONS = frozenset({"read", "list", "search_name", "search_content"})
_SAFE_GIT_ACTIONS = frozenset({"status", "diff", "log", "show", "blame", "commit_plan"})

CATEGORIES = frozenset({*_CATEGORIES.values(), "other"})
"""The categories a tool can have."""


def category_of(name: str, tool_input: object, *, limit: int | None = None) -> str:
    """
    The category of a tool call: by its name, and for `File` and `Git` by the `action` among the arguments.

    Arguments of more than `limit` bytes as compact JSON cannot be read: what is left of a text that was cut is none.
    """
    known = _CATEGORIES.get(name)
    if known is not None:
        return known
    if name not in ("File", "file", "Git", "git"):
        return "other"
    readable = limit is None or len(text.compact_json(tool_input).encode()) <= limit
    action = tool_input.get("action") if readable and isinstance(tool_input, Mapping) else None
    lowered = action.lower() if isinstance(action, str) else None
    if name in ("File", "file"):
        # What cannot be read is taken for the worse: a gate on writes must see it.
        return "safe" if lowered in _SAFE_FILE_ACTIONS else "file_write"
    return "safe" if lowered in _SAFE_GIT_ACTIONS else "other"


_WITH_RESULT = frozenset({"post_tool_use", "post_tool_use_failure", "error"})
_WITH_TOOL = _WITH_RESULT | {"pre_tool_use", "shell_env"}


def facts_of(event: Event) -> Facts:
    """
    What conditions look at in a canonical event.

    A category that the event brings stands; otherwise it is found from the tool's name and arguments, before a call
    from as much of them as its variable holds. `shell_env` comes before a shell command only, so its tool is
    `exec_shell` in whatever spelling it was called.
    """
    kind = event.kind
    if kind not in _WITH_TOOL:
        return Facts(mode=event.mode)
    call: Any = event
    if kind == "shell_env":
        return Facts("exec_shell", call.tool_category or "shell")
    if kind == "error" and not call.tool_name:
        # A transport or capacity error: what else it may say of a tool is about none.
        return Facts(mode=event.mode)
    name, category = call.tool_name, call.tool_category
    if category is None and name is not None:
        category = category_of(name, call.tool_input, limit=ARGUMENTS_LIMIT if kind == "pre_tool_use" else None)
    return Facts(name, category, event.mode, call.tool_exit_code if kind in _WITH_RESULT else None)
