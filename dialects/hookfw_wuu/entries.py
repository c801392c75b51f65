"""
The part `hooks` of one file, read strictly.

From the hooks document, "Configure hooks", and the public source: `hooks` maps event names, compared exactly, to flat lists
of entries; names of fields are compared without regard to letter case. One field that is unknown or of the wrong type
refuses the hooks of the whole file. The rest of the file is Wuu's own and is not looked at. A null is as good as nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import Source
from hookfw_wuu.folding import fold
from hookfw_wuu.json_files import kind_of
from hookfw_wuu.notes import did_you_mean, quoted
from hookfw_wuu.rules import DEFAULT_TIMEOUT, FIELDS, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Document

_LARGEST: Final = 2**63 - 1
"""A whole number of Wuu's has 64 bits."""

_GROUPS: Final = "; entries are flat: put the inner entries into the list of the event itself"


class Entry(NamedTuple):
    """
    One entry as it is written; what it leaves out has its default.

    Attributes:
        matcher: name of a tool; empty or `*` for everything.
        type: `command`, `prompt`, or what this agent does not run.
        command: line for the shell.
        prompt: template.
        model: name of a model; empty for the client's default.
        timeout: seconds; missing or not positive for the default.
    """

    matcher: str = ""
    type: str = "command"
    command: str = ""
    prompt: str = ""
    model: str = ""
    timeout: int | None = None

    @property
    def idle(self) -> list[str]:
        """Fields that say something and are those of the other type."""
        others = ("prompt", "model") if self.type == "command" else ("command",)
        return [name for name in others if getattr(self, name).strip()]

    @property
    def seconds(self) -> int:
        """The timeout that applies."""
        return self.timeout if self.timeout is not None and self.timeout > 0 else DEFAULT_TIMEOUT


class Item(NamedTuple):
    """
    An entry in its place.

    Attributes:
        event: the event it is listed under, as written.
        source: where.
        entry: what it says.
    """

    event: str
    source: Source
    entry: Entry

    @property
    def type_problem(self) -> str | None:
        """Why an entry of this type is refused; `None` for a type that this agent runs."""
        if self.entry.type in TYPES:
            return None
        hint = did_you_mean(self.entry.type, TYPES)
        return f"Wuu runs no hooks of the type {quoted(self.entry.type)}{hint}; use `command` or `prompt`"


Lists = dict[str, tuple[Item, ...]]


@dataclass(slots=True)
class Part:
    """
    The hooks of one file.

    Attributes:
        given: the file says something about hooks.
        cleared: it says first that there are none (`"hooks": null`).
        events: its lists, by event.
        items: every entry that could be located, refused or not.
        problems: what refuses the whole part: the place, and a sentence without its end.
        repeated: events whose list stands there more than once; of those before the last nothing counts.
    """

    given: bool = False
    cleared: bool = False
    events: Lists = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    problems: list[tuple[Source, str]] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)

    def over(self, base: Mapping[str, tuple[Item, ...]]) -> Lists:
        """This part laid over the lists of the layers before it: objects are merged, lists are replaced."""
        return self.events if self.cleared else {**base, **self.events}


def read_part(document: Document, content: Mapping[str, Any]) -> Part:
    """The hooks in the object that `document` holds."""
    part = Part()
    for key, value in content.items():
        if fold(key) != "hooks":
            continue
        part.given = True
        if value is None:
            part.repeated += [event for event, items in part.events.items() if items]
            part.cleared, part.events = True, {}
        elif isinstance(value, dict):
            for event, listed in value.items():
                _read_list(part, document, event, listed, key)
        else:
            part.problems.append((Source(document.path, document.scope, key), _mistyped(key, value, "an object")))
    return part


def hooks_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """What of a file's object is about hooks, as it is."""
    return {key: value for key, value in content.items() if fold(key) == "hooks"}


def _read_list(part: Part, document: Document, event: str, listed: Any, key: str) -> None:
    if listed is not None and not isinstance(listed, list):
        place = Source(document.path, document.scope, f"{key}.{event}")
        part.problems.append((place, _mistyped(event, listed, "a list of entries")))
        return
    items = []
    for index, raw in enumerate(listed or ()):
        source = Source(document.path, document.scope, f"{key}.{event}[{index}]")
        entry, problems = _read_entry(raw)
        items.append(Item(event, source, entry))
        part.problems += [(source, problem) for problem in problems]
    if part.events.get(event):
        part.repeated.append(event)
    part.items += items
    part.events[event] = tuple(items)


def _read_entry(raw: Any) -> tuple[Entry, list[str]]:
    if raw is not None and not isinstance(raw, dict):
        return Entry(), [f"an entry must be an object, not {kind_of(raw)}"]
    values: dict[str, Any] = {}
    problems = []
    for key, value in (raw or {}).items():
        name = fold(key)
        if name not in FIELDS:
            hint = _GROUPS if name == "hooks" else did_you_mean(key, FIELDS)
            problems.append(f"{quoted(key)} is no field of an entry{hint}")
        elif value is None:
            continue
        elif name == "timeout":
            if type(value) is not int:
                problems.append(_mistyped(key, value, "a whole number of seconds"))
            elif abs(value) > _LARGEST:
                problems.append(f"{quoted(key)} is larger than any number of seconds Wuu reads; give a smaller one")
            else:
                values[name] = value
        elif isinstance(value, str):
            values[name] = value
        else:
            problems.append(_mistyped(key, value, "a text"))
    if not values.get("type"):
        values.pop("type", None)
    return Entry(**values), problems


def _mistyped(key: str, value: object, wanted: str) -> str:
    return f"{quoted(key)} is {kind_of(value)}, and must be {wanted}"
