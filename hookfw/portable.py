"""
Hooks without a language: the neutral form between two configurations.

A dialect says its own hooks in this form (`Conversion.neutral`) and writes hooks of this form (`Conversion.dump`). What a
dialect does not take from a hook is lost, and `Taking` turns it into words: nothing is left out in silence.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw.patterns import wildcard_fits
from hookfw.text import seconds

if TYPE_CHECKING:
    from hookfw.hooks import Hook
    from hookfw.sources import Document, Places
    from hookfw.spelling import ToolTable

_NOTHING: Mapping[str, Any] = MappingProxyType({})

TOOL = "tool_name"
"""The subject of a selector that looks at the tool of a call."""


class Pattern(NamedTuple):
    """A pattern that is searched in a name, in one of the languages of patterns (`JavaScript`, `Rust`, `Python`)."""

    text: str
    language: str


class Selector(NamedTuple):
    """
    What a hook asks of the value that its event is about: one of the names, wildcards or patterns; without them nothing.

    Attributes:
        subject: the canonical field that is looked at (`tool_name`, `source`, …); `None` for a hook that always applies.
        names: exact values; of tools the canonical names.
        wildcards: whole values in which `*` stands for any letters.
        patterns: see `Pattern`.
    """

    subject: str | None = None
    names: tuple[str, ...] = ()
    wildcards: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()

    @property
    def always(self) -> bool:
        """It asks nothing."""
        return self.subject is None

    def by_wildcard(self, value: str) -> bool:
        """One of the wildcards is for this value."""
        return any(wildcard_fits(wildcard, value) for wildcard in self.wildcards)

    @property
    def never(self) -> bool:
        """Nothing can satisfy it."""
        return self.subject is not None and not (self.names or self.wildcards or self.patterns)


ALWAYS = Selector()


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableHook:
    """
    A hook in no dialect's words.

    Attributes:
        place: where it stands in the document it comes from, for people.
        event: native name of its event, in the dialect that gave it or that is to write it.
        kinds: the canonical events it is for.
        handler: handler type.
        command: the shell line of a command.
        argv: program and arguments, where no shell is wanted; `command` then says the same for a shell.
        selector: which values of its event it is for.
        timeout: seconds it has, its own or its event's.
        background: nobody waits for it.
        strict: where it fails, what it guards is refused.
        name: as it was configured.
        status_message: what a person is shown while it runs.
        adapted: its command is a call of `hookfw adapt`, which refuses by itself where a strict hook fails.
        fields: what only some ecosystems have, by the names of `LOST` and `HANDLER_FIELDS`.
    """

    place: str
    event: str
    kinds: tuple[str, ...]
    handler: str = "command"
    command: str | None = None
    argv: tuple[str, ...] | None = None
    selector: Selector = ALWAYS
    timeout: float = 60.0
    background: bool = False
    strict: bool = False
    name: str | None = None
    status_message: str | None = None
    adapted: bool = False
    fields: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    @property
    def features(self) -> dict[str, Any]:
        """What it has beyond event, selector, command and time: each is taken by a dialect or lost."""
        own = {
            "name": self.name,
            "status_message": self.status_message,
            "background": self.background or None,
            "strict": self.strict or None,
        }
        return {name: value for name, value in (own | dict(self.fields)).items() if value is not None}


HANDLER_FIELDS = ("prompt", "model", "server", "tool", "input", "url", "headers", "variables")
"""The fields of handlers that are no command: each type that has them means the same by them."""

LOST: Mapping[str, str] = MappingProxyType(
    {
        "name": "{title} calls hooks by their place, so the name {value!r} is left out",
        "status_message": "{title} shows nothing while a hook runs, so {value!r} is left out",
        "background": "{title} waits for it: it runs in the foreground",
        "strict": "{title} goes on where it fails, and refuses nothing because of it",
        "if": "{title} knows no such condition, so it also runs where {value!r} does not hold",
        "condition": "{title} knows no such condition, so it also runs where this does not hold: {value}",
        "working_dir": "{title} runs it in the folder of the session, not in {value}",
        "context_limit": "{title} has its own limit of context, not {value} tokens",
        "command_windows": "{title} has no command for Windows of its own",
        "shell": "{title} runs it in its own shell, not in {value}",
        "rewake": "{title} does not wake the agent when it ends",
        "once": "{title} runs it each time, not once",
        "switch": "it was switched off; {title} will run it",
        "legacy": "it was told of {value!r} in the old form, and is told what hooks of today are told",
        "model": "{title} asks its usual model, not {value!r}",
    }
)
"""What becomes of a feature that a dialect does not take; `title` is its ecosystem, `value` what is lost."""


class Lost(NamedTuple):
    """
    Something a hook says that the other configuration cannot.

    Attributes:
        place: the hook, by its place in the document it comes from.
        field: what is lost.
        message: what becomes of it, as a sentence without its end.
    """

    place: str
    field: str
    message: str


class Dumped(NamedTuple):
    """
    A configuration that a dialect wrote.

    Attributes:
        document: its bytes, with the path where the person's own would stand.
        hooks: how many hooks it has.
        losses: what it could not say.
    """

    document: Document
    hooks: int
    losses: tuple[Lost, ...] = ()


class Taking:
    """One hook while a dialect writes it: what is not taken is lost."""

    def __init__(self, hook: PortableHook, title: str) -> None:
        """`title`: the ecosystem that is written, for sentences."""
        self.hook = hook
        self._title = title
        self._left = hook.features
        self._losses: list[Lost] = []

    def take(self, name: str) -> Any:
        """The value of a feature, which is said from here on; `None` where the hook has none."""
        return self._left.pop(name, None)

    def lose(self, name: str, message: str) -> None:
        """Name a loss; `message` is a sentence without its end."""
        self._left.pop(name, None)
        self._losses.append(Lost(self.hook.place, name, message))

    def whole_seconds(self, *, least: int = 1, most: int | None = None) -> int:
        """The timeout as a whole number of seconds within bounds; rounded up."""
        given = self.hook.timeout
        said = max(least, math.ceil(given))
        if most is not None:
            said = min(said, most)
        if said != given:
            self.lose(
                "timeout",
                f"its {seconds(given)} s become {said} s: {self._title} takes whole seconds, {_range(least, most)}",
            )
        return said

    @property
    def losses(self) -> list[Lost]:
        """Every loss, those of features that nobody took included."""
        return self._losses + [
            Lost(self.hook.place, name, self._sentence(name, value)) for name, value in self._left.items()
        ]

    def _sentence(self, name: str, value: Any) -> str:
        if name == "strict" and self.hook.adapted:
            return f"where hookfw itself cannot be started, {self._title} goes on; all other failures still refuse"
        return LOST.get(name, "{title} has nothing like it, so it is left out").format(title=self._title, value=value)


def _range(least: int, most: int | None) -> str:
    return f"from {least}" if most is None else f"from {least} to {most}"


def _none(_: str) -> bool:
    return False


class ToolNames:
    """
    How the matchers of one ecosystem spell tools, both ways.

    Attributes:
        alone: tools that no other ecosystem has, so that one more of them is no loss.
    """

    __slots__ = ("_canonical", "_native", "alone")

    def __init__(self, pairs: Iterable[tuple[str, str]], *, alone: Iterable[str] = ()) -> None:
        """`pairs`: name in a matcher and canonical name; the first pair of a canonical name is the one that is written."""
        self.alone = frozenset(alone)
        self._canonical: dict[str, list[str]] = {}
        self._native: dict[str, str] = {}
        for native, canonical in pairs:
            self._canonical.setdefault(native, []).append(canonical)
            self._native.setdefault(canonical, native)

    def canonical(self, given: Iterable[str], found: Callable[[str], bool] = _none) -> tuple[str, ...]:
        """
        The canonical names of tools, each once; a name outside the pairs stands for itself.

        `found` tells of a name whether a wildcard or a pattern is for it: such names are known by others only in
        canonical spelling.
        """
        others = [name for name, canonical in self._canonical.items() if canonical != [name] and found(name)]
        return _each_once(name for native in (*given, *others) for name in self._canonical.get(native, [native]))

    def native(self, names: Iterable[str], found: Callable[[str], bool] = _none) -> tuple[str, ...]:
        """The names as matchers spell them, and those of tools that are `found` by their canonical names."""
        others = [canonical for canonical, native in self._native.items() if canonical != native and found(canonical)]
        return _each_once(self._native.get(name, name) for name in (*names, *others))

    def further(self, names: Iterable[str], found: Callable[[str], bool] = _none) -> tuple[str, ...]:
        """The canonical names of tools that a matcher is for beyond these, because of how it spells them."""
        names = tuple(names)
        meant = self.canonical(self.native(names, found), found)
        return tuple(name for name in meant if not (name in names or name in self.alone or found(name)))


def names_of(table: ToolTable) -> ToolNames:
    """The names of an ecosystem whose matchers spell tools as its calls do."""
    return ToolNames((native, table.to_canonical(native, None).name) for native in table.native_names)


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def joined(hooks: Sequence[PortableHook]) -> list[PortableHook]:
    """
    The hooks, those made one that differ in their events only.

    What are two events in one ecosystem may be one in the next. Equal hooks of one event stay as many as they are.
    """
    kept: list[PortableHook] = []
    candidates: dict[object, list[int]] = {}
    for hook in hooks:
        places = candidates.setdefault((hook.handler, hook.command, hook.selector, hook.timeout), [])
        alike = (at for at in places if not set(hook.kinds) & set(kept[at].kinds) and _alike(hook, kept[at]))
        at = next(alike, None)
        if at is None:
            places.append(len(kept))
            kept.append(hook)
        else:
            kept[at] = replace(kept[at], kinds=(*kept[at].kinds, *hook.kinds))
    return kept


def _alike(one: PortableHook, other: PortableHook) -> bool:
    return replace(one, place="", event="", kinds=()) == replace(other, place="", event="", kinds=())


class Conversion(ABC):
    """How the configuration of one dialect is read into the neutral form and written from it. Pure."""

    @abstractmethod
    def documents(self, path: str, data: bytes) -> Sequence[Document]:
        """`data` as the person's own configuration of this ecosystem, for `Dialect.load`; `path` tells its format."""

    @abstractmethod
    def neutral(self, hook: Hook) -> PortableHook:
        """A hook of the dialect in the neutral form; `kinds` are left to the caller."""

    def longest(self, event: str) -> float | None:
        """The seconds that a hook of a native event can have at most; `None` where they have no bound that matters."""
        del event
        return None

    @abstractmethod
    def dump(self, hooks: Sequence[PortableHook], places: Places) -> Dumped:
        """A configuration of the dialect with these hooks, whose `event` is a native one of it; every loss is named."""
