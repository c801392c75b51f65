"""Edits of a JSON text that leave every other byte as it is: additions are insertions, removals cut out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

Insertion = tuple[int, str]
"""A place in a text, and what is put there."""

_SPACE = re.compile(r"[ \t\r\n]*")


class Item(NamedTuple):
    """
    One member of an object, or one element of an array.

    Attributes:
        key: the member's key; `None` in an array.
        start: where the item begins: the key's quote, or the element itself.
        value: where its value begins.
        end: the first place after it.
        found: the value, parsed.
    """

    key: str | None
    start: int
    value: int
    end: int
    found: Any


class Container(NamedTuple):
    """
    An object or array in a text.

    Attributes:
        start: place of its opening bracket.
        end: place of its closing bracket.
        items: what it holds.
    """

    start: int
    end: int
    items: tuple[Item, ...]


class _Layout(NamedTuple):
    """How a text is laid out: line end, one step of indentation, and whether it is all on one line."""

    newline: str
    unit: str
    flat: bool


def parse(text: str) -> Any:
    """The document. Raises `ValueError` (or `RecursionError`) for what is no strict JSON."""
    return json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)


def insertions(text: str, additions: Mapping[str, Any]) -> list[Insertion]:
    """
    What has to be put where so that the object in `text` holds `additions` too: members of objects, elements of arrays.

    What is there already stays before them. A blank text becomes the object. Raises `ValueError` where `text` is no JSON object,
    or where something of another kind stands in the way.
    """
    layout = _layout(text)
    if not text.removeprefix("\ufeff").strip():
        return [(len(text), _written(additions, layout._replace(flat=False), "") + layout.newline)]
    if not isinstance(parse(text), dict):
        message = "it holds no JSON object"
        raise ValueError(message)  # noqa: TRY004 - it is the text that is wrong
    return sorted(_added(text, _begin(text), additions, layout, ""))


def put(text: str, found: Sequence[Insertion]) -> str:
    """`text` with all insertions, whose places are those in `text` itself."""
    for place, addition in sorted(found, reverse=True):
        text = text[:place] + addition + text[place:]
    return text


def without(text: str, unwanted: Callable[[Any], bool]) -> str:
    """`text` without the array elements that are unwanted, and without what held nothing but them."""
    while (cut := _first(text, _begin(text), unwanted)) is not None:
        text = text[: cut[0]] + text[cut[1] :]
    return text


def _begin(text: str) -> int:
    return _skip(text, 1 if text.startswith("\ufeff") else 0)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _refuse(constant: str) -> NoReturn:
    message = f"{constant} is no JSON"
    raise ValueError(message)


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _container(text: str, start: int) -> Container:
    """The object or array at `start`, in a text that is known to be JSON."""
    closing = "}" if text[start] == "{" else "]"
    items = []
    at = _skip(text, start + 1)
    while text[at] != closing:
        begin, key = at, None
        if closing == "}":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        found, end = _DECODER.raw_decode(text, at)
        items.append(Item(key, begin, at, end, found))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Container(start, at, tuple(items))


def _added(text: str, start: int, additions: Any, layout: _Layout, indent: str) -> list[Insertion]:
    """The insertions that add to the container at `start`, whose own line is indented by `indent`."""
    container = _container(text, start)
    inner = _indent_of(text, container, layout, indent)
    found: list[Insertion] = []
    new: list[str] = []
    if isinstance(additions, list):
        new = [_written(value, layout, inner) for value in additions]
    else:
        there = {item.key: item for item in container.items}
        for key, value in additions.items():
            item = there.get(key)
            if item is None:
                new.append(f"{json.dumps(key, ensure_ascii=False)}: {_written(value, layout, inner)}")
            elif not isinstance(item.found, type(value)):
                message = f"{key!r} in it is no {'array' if isinstance(value, list) else 'object'}"
                raise ValueError(message)
            else:
                found += _added(text, item.value, value, layout, inner)
    if new:
        found.append(_appended(text, container, new, layout, inner, indent))
    return found


def _appended(
    text: str, container: Container, new: Sequence[str], layout: _Layout, inner: str, indent: str
) -> Insertion:
    own_lines = not layout.flat and (not container.items or _stands_alone(text, container.items[-1].start))
    between = f",{layout.newline}{inner}" if own_lines else ", "
    if container.items:
        return container.items[-1].end, "".join(between + item for item in new)
    body = between.join(new)
    if not own_lines:
        return container.start + 1, body
    closed = "\n" in text[container.start : container.end]
    return container.start + 1, f"{layout.newline}{inner}{body}" + ("" if closed else f"{layout.newline}{indent}")


def _written(value: Any, layout: _Layout, indent: str) -> str:
    """A value as the text is laid out; lines after the first are indented by `indent`."""
    if layout.flat:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=layout.unit).split("\n")
    return f"{layout.newline}{indent}".join(lines)


def _layout(text: str) -> _Layout:
    newline = "\r\n" if "\r\n" in text else "\n"
    body = text.removeprefix("\ufeff").strip()
    unit = re.search(r"\{[ \t]*\r?\n([ \t]+)\"", text)
    return _Layout(newline, "  " if unit is None else unit[1], "\n" not in body and body not in ("", "{}"))


def _indent_of(text: str, container: Container, layout: _Layout, indent: str) -> str:
    """The indentation of the items of a container: that of the last one, where it begins its line."""
    if container.items and _stands_alone(text, container.items[-1].start):
        start = container.items[-1].start
        return text[text.rfind("\n", 0, start) + 1 : start]
    return indent + layout.unit


def _stands_alone(text: str, start: int) -> bool:
    line = text.rfind("\n", 0, start)
    return line >= 0 and not text[line + 1 : start].strip(" \t")


def _first(text: str, start: int, unwanted: Callable[[Any], bool]) -> tuple[int, int] | None:
    """What to cut out for the first unwanted element below `start`; the whole text's own object always stays."""
    container = _container(text, start)
    for at, item in enumerate(container.items):
        if not isinstance(item.found, dict | list):
            continue
        if item.key is None and unwanted(item.found):
            return _span(container, at)
        cut = _first(text, item.value, unwanted)
        if cut is not None:
            # What would be left empty goes as a whole.
            return _span(container, at) if _only_item(text, item.value, cut) else cut
    return None


def _only_item(text: str, start: int, cut: tuple[int, int]) -> bool:
    container = _container(text, start)
    return len(container.items) == 1 and cut == _span(container, 0)


def _span(container: Container, at: int) -> tuple[int, int]:
    """The item at `at`, with the comma that it needs no more."""
    items = container.items
    if at + 1 < len(items):
        return items[at].start, items[at + 1].start
    return (items[at - 1].end if at else items[at].start), items[at].end
