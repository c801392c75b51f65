"""Reading a JSON configuration file from its bytes, with the place of a mistake."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class BrokenJsonError(ValueError):
    """
    Raised for bytes that are no JSON object; the text says why, and where it is known.

    Attributes:
        line: counted from 1, where it is known.
    """

    def __init__(self, detail: str, line: int | None = None) -> None:
        super().__init__(detail)
        self.line = line


class _ConstantError(ValueError):
    """Raised inside the parser for `NaN` and `Infinity`, which Python reads and which are no JSON."""


def is_blank(data: bytes) -> bool:
    """Nothing but white space, a byte order mark aside."""
    return not data.removeprefix(b"\xef\xbb\xbf").strip()


def read_object(data: bytes, repeated: list[str] | None = None) -> dict[str, Any]:
    """
    The JSON object in `data`: UTF-8, with or without a byte order mark, with either kind of line ends; null is empty.

    Objects under equal keys are merged, as the agent's own reader does it; of other values the last counts. `repeated`
    gets the keys of lists that hold something and do not count for that. Raises `BrokenJsonError` for anything else.
    """
    try:
        source = data.decode("utf-8").removeprefix("\ufeff")
        value = json.loads(source, parse_constant=_refuse, object_pairs_hook=_merging(repeated))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        detail = f"it is no JSON: line {line} is not UTF-8"
        raise BrokenJsonError(detail, line) from None
    except json.JSONDecodeError as error:
        detail = f"it is no JSON at line {error.lineno}, column {error.colno} ({error.msg})"
        raise BrokenJsonError(detail, error.lineno) from None
    except RecursionError:
        detail = "it is nested too deeply to be read"
        raise BrokenJsonError(detail) from None
    except _ConstantError as error:
        detail = f"it is no JSON ({error} is no JSON number)"
        raise BrokenJsonError(detail) from None
    except ValueError:
        # The interpreter's own limit, which the parser passes on.
        detail = "a number in it has too many digits to be read"
        raise BrokenJsonError(detail) from None
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


def _refuse(constant: str) -> None:
    raise _ConstantError(constant)
