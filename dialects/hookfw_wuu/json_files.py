"""Reading a JSON configuration file from its bytes, with the place of a mistake."""

from __future__ import annotations

import json
from typing import Any


class BrokenJsonError(ValueError):
    """
    Raised for bytes that are no JSON object; the text says why, and where it is known.

    Attributes:
        line: counted from 1, where it is known.
    """

    def __init__(self, detail: str, line: int | None = None) -> None:
        super().__init__(detail)
        self.line = line


def is_blank(data: bytes) -> bool:
    """Nothing but white space, a byte order mark aside."""
    return not data.removeprefix(b"\xef\xbb\xbf").strip()


def read_object(data: bytes) -> dict[str, Any]:
    """
    The JSON object in `data`: UTF-8, with or without a byte order mark, with either kind of line ends; null is empty.

    Objects under equal keys are merged, as the agent's own reader does it; of other values the last counts. Raises
    `BrokenJsonError` for anything else.
    """
    try:
        source = data.decode("utf-8").removeprefix("\ufeff")
        value = json.loads(source, parse_constant=_refuse, object_pairs_hook=_object)
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
    except ValueError as error:
        # A constant that is no JSON, or a number with more digits than the interpreter reads.
        detail = f"it is no JSON ({error})"
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


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        before = found.get(key)
        found[key] = before | value if isinstance(before, dict) and isinstance(value, dict) else value
    return found


def _refuse(constant: str) -> None:
    message = f"{constant} is no JSON number"
    raise ValueError(message)
