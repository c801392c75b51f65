"""The JSON objects of Wuu's files, as its own reader makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookfw import BrokenJsonError, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def is_blank(data: bytes) -> bool:
    """Nothing but white space, a byte order mark aside."""
    return not data.removeprefix(b"\xef\xbb\xbf").strip()


def read_object(data: bytes, repeated: list[str] | None = None) -> dict[str, Any]:
    """
    The JSON object in `data`: UTF-8, with or without a byte order mark, with either kind of line ends; null is empty.

    Objects under equal keys are merged, as the agent's own reader does it; of other values the last counts. `repeated`
    gets the keys of lists that hold something and do not count for that. Raises `BrokenJsonError` for anything else.
    """
    value = parse_json(data, pairs=_merging(repeated))
    if value is None:
        return {}
    if not isinstance(value, dict):
        detail = f"it holds {kind_of(value)}, and must hold an object"
        raise BrokenJsonError(detail)
    return value


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "a boolean"),
        (int, "a whole number"),
        (float, "a fraction"),
        (str, "a text"),
        (list, "a list"),
        (dict, "an object"),
    )
    return next((words for kind, words in kinds if isinstance(value, kind)), "null")


def _merging(repeated: list[str] | None) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Makes an object of its members, as `read_object` says."""
    lost = [] if repeated is None else repeated

    def made(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            before = found.get(key)
            if isinstance(before, dict) and isinstance(value, dict):
                found[key] = made((*before.items(), *value.items()))
                continue
            if before and isinstance(before, list):
                lost.append(key)
            found[key] = value
        return found

    return made
