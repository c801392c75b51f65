"""Reading a JSON file from its bytes, with the place of a mistake, and finding the lines of its entries."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final

Path = tuple[str | int, ...]

ENTRY_DEPTH: Final = 5
"""How deep handlers stand in a file: `hooks`, event, group, `hooks`, handler."""

_BLANK = re.compile(r"[ \t\n\r]*")


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


def read_json(data: bytes, *, constants: bool = False) -> Any:
    """
    The JSON value in `data`: UTF-8, with or without a byte order mark, with either kind of line ends.

    Of equal keys the last counts. `constants`: `NaN` and `Infinity` are read as numbers. Raises `BrokenJsonError` for
    anything else.
    """
    source = _decode(data)
    try:
        return json.loads(source) if constants else json.loads(source, parse_constant=_refuse)
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


def lines_of(data: bytes, depth: int = ENTRY_DEPTH) -> Mapping[Path, int]:
    """
    The line, from 1, on which each value down to `depth` levels begins, by the way to it; empty for what is no JSON.

    One pass over the file; values below `depth` are skipped by the parser itself.
    """
    lines: dict[Path, int] = {}
    try:
        source = _decode(data)
        line, counted = 1, 0
        for path, start in _starts(source, depth):
            line += source.count("\n", counted, start)
            counted = start
            lines[path] = line
    except (ValueError, RecursionError, IndexError):
        # What cannot be read is reported by `read_json`; a file without lines is still a file.
        return {}
    return lines


def _starts(source: str, depth: int) -> Iterator[tuple[Path, int]]:
    """Where each value begins, in the order of the text."""
    decoder = json.JSONDecoder()

    def skip(position: int) -> int:
        found = _BLANK.match(source, position)
        return found.end() if found else position

    def value(path: Path, position: int) -> Generator[tuple[Path, int], None, int]:
        """Gives the position after the value."""
        yield path, position
        opening = source[position]
        if len(path) == depth or opening not in "{[":
            return decoder.raw_decode(source, position)[1]
        position = skip(position + 1)
        count = 0
        while source[position] not in "}]":
            step: str | int = count
            if opening == "{":
                step, position = decoder.raw_decode(source, position)
                # The colon stands between blanks.
                position = skip(skip(position) + 1)
            position = skip((yield from value((*path, step), position)))
            if source[position] == ",":
                position = skip(position + 1)
            count += 1
        return position + 1

    yield from value((), skip(0))


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
