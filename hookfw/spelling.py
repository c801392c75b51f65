"""
Spelling: the names and fields in which an ecosystem speaks of tools, and the canonical ones between them.

Canonical names and shapes are Claude Code's. Each dialect declares one table. The table serves both ways, so a rewrite
comes back in the names and fields in which the event was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hookfw.events import Event

Convert = Callable[[Any], Any]


def same(value: Any) -> Any:
    """The value as it is."""
    return value


class Field(NamedTuple):
    """
    One field of a tool's input.

    Attributes:
        native: its name in the ecosystem.
        canonical: its canonical name.
        to_canonical: the canonical value of a native one (another unit, another base).
        to_native: the other way.
    """

    native: str
    canonical: str
    to_canonical: Convert = same
    to_native: Convert = same


class Tool(NamedTuple):
    """
    One tool of an ecosystem.

    Attributes:
        native: its name in the ecosystem.
        canonical: its canonical name.
        fields: its input, field by field; empty where the ecosystem's document gives none: then only the name changes.
        only: the input has no other fields than these; otherwise others pass unchanged.
    """

    native: str
    canonical: str
    fields: tuple[Field, ...] = ()
    only: bool = False


class Spelled(NamedTuple):
    """
    A tool call in some spelling.

    Attributes:
        name: name of the tool.
        input: its input.
        complete: the fields were converted too; false where a table knows the name alone.
    """

    name: str
    input: Any
    complete: bool = True


class ToolTable:
    """
    The tools of one ecosystem, both ways.

    Of several native names for one canonical tool the first in the table is the one that is spoken.

    Attributes:
        speaks_canonical: the ecosystem's hooks see canonical names, so its dialect takes these as they are.
    """

    __slots__ = ("_by_canonical", "_by_native", "speaks_canonical")

    def __init__(self, tools: Iterable[Tool], *, speaks_canonical: bool = False) -> None:
        self.speaks_canonical = speaks_canonical
        self._by_native: dict[str, Tool] = {}
        self._by_canonical: dict[str, Tool] = {}
        for tool in tools:
            self._by_native.setdefault(tool.native, tool)
            self._by_canonical.setdefault(tool.canonical, tool)

    @property
    def native_names(self) -> Sequence[str]:
        """Every name the ecosystem has for a tool of the table."""
        return tuple(self._by_native)

    def knows(self, name: str) -> bool:
        """`name` is the ecosystem's own name of a tool of the table."""
        return name in self._by_native

    def to_canonical(self, name: str, given: Any) -> Spelled:
        """A call in the ecosystem's spelling, in canonical spelling; a tool outside the table passes unchanged."""
        tool = self._by_native.get(name)
        if tool is None:
            return Spelled(name, given)
        pairs = [(field.native, field.canonical, field.to_canonical) for field in tool.fields]
        return Spelled(tool.canonical, _converted(given, pairs, only=tool.only), complete=bool(tool.fields))

    def to_native(self, name: str, given: Any, like: str | None = None) -> Spelled:
        """
        A call in canonical spelling, in the ecosystem's; a tool outside the table passes unchanged.

        `like`: the native name to use among several for the same canonical tool.
        """
        tool = self._by_native.get(like) if like is not None else None
        if tool is None or tool.canonical != name:
            tool = self._by_canonical.get(name)
        if tool is None:
            return Spelled(name, given)
        pairs = [(field.canonical, field.native, field.to_native) for field in tool.fields]
        return Spelled(tool.native, _converted(given, pairs, only=tool.only), complete=bool(tool.fields))


def _converted(given: Any, pairs: Sequence[tuple[str, str, Convert]], *, only: bool) -> Any:
    """`given` with its fields renamed and converted, in the order of the table, then what else it has."""
    if not isinstance(given, dict) or not pairs:
        return given
    converted = {new: convert(given[old]) for old, new, convert in pairs if old in given}
    if not only:
        named = {old for old, _, _ in pairs}
        converted |= {key: value for key, value in given.items() if key not in named and key not in converted}
    return converted


class Translator:
    """
    Between the spelling in which an event was given and that of one dialect.

    Attributes:
        spoken: the name that the dialect has for the tool.

    An event whose tool the dialect knows by this very name is left as it is. Any other is taken to canonical spelling by
    the first table that knows the name, and from there to the dialect's.
    """

    __slots__ = ("_given", "_own", "spoken")

    def __init__(self, own: ToolTable | None, tables: Sequence[ToolTable], name: str | None) -> None:
        """`own`: the dialect's table; `tables`: all of them, the likeliest first; `name`: the tool of the event."""
        self._own: ToolTable | None = None
        self._given: ToolTable | None = None
        self.spoken = name or ""
        if name is not None and own is not None and not own.knows(name):
            self._own = own
            self._given = next((table for table in tables if table is not own and table.knows(name)), None)
            self.spoken = self._spoken(Spelled(name, None)).name

    def event(self, event: Event, name: str, given: Any) -> tuple[Event, bool]:
        """The event as the dialect spells it, and whether its input could be converted with it."""
        if self._own is None:
            return event, True
        spoken = self._spoken(Spelled(name, given))
        if spoken.name == name and spoken.input == given:
            return event, True
        fields: dict[str, Any] = {"tool_name": spoken.name}
        if "tool_input" in event.model_fields_set:
            fields["tool_input"] = spoken.input
        return event.replace(**fields), spoken.complete

    def _spoken(self, call: Spelled) -> Spelled:
        """A call as it was given, in the dialect's spelling."""
        canonical = self._given.to_canonical(call.name, call.input) if self._given else call
        if self._own is None or self._own.speaks_canonical:
            return canonical
        native = self._own.to_native(canonical.name, canonical.input)
        return native._replace(complete=native.complete and canonical.complete)

    def back(self, spoken: str, rewritten: Any, name: str) -> tuple[Any, bool]:
        """A rewritten input of the dialect in the spelling in which the event was given."""
        if self._own is None:
            return rewritten, True
        canonical = Spelled(spoken, rewritten)
        if not self._own.speaks_canonical:
            canonical = self._own.to_canonical(spoken, rewritten)
        if self._given is None:
            return canonical.input, canonical.complete
        given = self._given.to_native(canonical.name, canonical.input, like=name)
        return given.input, canonical.complete and given.complete
