"""Values as JSON can say them: an agent's calls hold paths, bytes and objects, and hooks are told of them in JSON."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

_PLAIN = frozenset({str, bool, type(None)})
DEPTH = 200
"""Levels that are kept of a value which is no JSON: one that holds itself has no end."""
_DIGIT_BITS = 4300 * 3
"""Bits of a number that can be written in decimal for certain."""


def is_json(value: Any) -> bool:
    """JSON can say `value` as it is, however deep it is nested."""
    above: set[int] = set()
    unseen: list[tuple[Any, bool]] = [(value, False)]
    while unseen:
        item, seen = unseen.pop()
        if seen:
            above.remove(id(item))
        elif isinstance(item, dict | list):
            if id(item) in above or (isinstance(item, dict) and not all(isinstance(name, str) for name in item)):
                return False
            above.add(id(item))
            unseen.append((item, True))
            unseen += ((child, False) for child in (item.values() if isinstance(item, dict) else item))
        elif isinstance(item, int):
            if item.bit_length() > _DIGIT_BITS:
                return False
        elif item is not None and not isinstance(item, str | float):
            return False
    return True


def as_json(value: Any) -> Any:
    """A value as hooks can be told it: what JSON does not have becomes text."""
    return value if is_json(value) else _told(value, DEPTH)


def _told(value: Any, levels: int) -> Any:
    if value is None or isinstance(value, str | float):
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= _DIGIT_BITS else hex(value)
    if isinstance(value, bytes | bytearray):
        return value.decode(errors="replace")
    if not levels:
        return "…"
    if isinstance(value, Mapping):
        return {_text(name): _told(item, levels - 1) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_told(item, levels - 1) for item in value]
    return _text(value)


def _text(value: Any) -> str:
    """Its text, or its type where it has none."""
    with contextlib.suppress(Exception):
        return str(value)
    return f"<{type(value).__name__}>"


def corrected(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Of some fields those that are no JSON, as they can be told."""
    return {name: as_json(value) for name, value in fields if not (_is_plain(value) or is_json(value))}


def _is_plain(value: Any) -> bool:
    """A text, or an object of texts: what nearly every field of an event is. Anything else has to be looked at closely."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    return kind is dict and all(type(name) is str and type(item) in _PLAIN for name, item in value.items())
