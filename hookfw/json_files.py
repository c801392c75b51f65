"""Reading a JSON file from its bytes, with the place of a mistake."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


class BrokenJsonError(ValueError):
    """
    Raised for bytes that are no JSON.

    Attributes:
        detail: what is wrong, with line and column where they are known.
        line: counted from 1, where it is known.
        column: counted from 1, where it is known.
    """

    def __init__(self, detail: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.line = line
        self.column = column


def parse_json(
    data: bytes, *, constants: bool = False, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None
) -> Any:
    """
    The JSON value in `data`: UTF-8, with or without a byte order mark, with either kind of line ends.

    `constants`: `NaN` and `Infinity` are read as numbers. `pairs` makes an object of its members; without it the last of equal
    keys counts. Raises `BrokenJsonError` for anything else.
    """
    source = _decode(data)
    try:
        return json.loads(source, parse_constant=None if constants else _refuse, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        detail = f"it is not valid JSON at line {error.lineno}, column {error.colno} ({error.msg})"
        raise BrokenJsonError(detail, error.lineno, error.colno) from None
    except RecursionError:
        detail = "a list or an object in it is nested too deep"
        raise BrokenJsonError(detail) from None
    except _ConstantError as error:
        detail = f"it is not valid JSON ({error} is no JSON number)"
        raise BrokenJsonError(detail) from None
    except ValueError:
        # The interpreter's own limit on the digits of a number, which the parser passes on.
        detail = "a number in it has too many digits"
        raise BrokenJsonError(detail) from None


class _ConstantError(ValueError):
    """A word that Python reads as a number and JSON does not know."""


def _refuse(constant: str) -> None:
    raise _ConstantError(constant)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        detail = f"it is not valid JSON at line {line}, column {column} (no UTF-8 there)"
        raise BrokenJsonError(detail, line, column) from None
