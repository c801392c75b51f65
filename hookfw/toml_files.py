"""Reading a TOML file from its bytes, and finding the lines of its entries."""

from __future__ import annotations

import re
from typing import Any

import tomli


class BrokenTomlError(ValueError):
    """
    Raised for bytes that are no TOML.

    Attributes:
        detail: what is wrong, with line and column where they are known.
        line: counted from 1, where it is known.
    """

    def __init__(self, detail: str, line: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.line = line


def parse_toml(data: bytes) -> dict[str, Any]:
    """
    The document in `data`: UTF-8, with or without a byte order mark, with either kind of line ends.

    Raises `BrokenTomlError` for anything else.
    """
    source = _decode(data)
    try:
        return tomli.loads(source)
    except tomli.TOMLDecodeError as error:
        detail = f"it is not valid TOML at line {error.lineno}, column {error.colno} ({error.msg})"
        raise BrokenTomlError(detail, error.lineno) from None
    except RecursionError:
        detail = "an array, a table or a key in it is nested too deep"
        raise BrokenTomlError(detail) from None
    except ValueError:
        # The interpreter's own limit on the digits of a number, which the parser passes on.
        detail = "a number in it has too many digits"
        raise BrokenTomlError(detail) from None


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        detail = f"it is not valid TOML at line {line}, column {column} (no UTF-8 there)"
        raise BrokenTomlError(detail, line) from None


def entry_lines(data: bytes, key: str, count: int) -> tuple[int, ...]:
    """
    The line of each `[[key]]` header, from 1; empty when there are not exactly `count`.

    Entries may also be written as inline tables, and a text may look like a header: then no line is better than a
    wrong one.
    """
    words = rb"\s*\.\s*".join(re.escape(part.encode()) for part in key.split("."))
    header = re.compile(rb"^[ \t\xef\xbb\xbf]*\[\[\s*" + words + rb"\s*\]\]", re.MULTILINE)
    starts = [found.start() for found in header.finditer(data)]
    if len(starts) != count:
        return ()
    lines, line, position = [], 1, 0
    for start in starts:
        line += data.count(b"\n", position, start)
        position = start
        lines.append(line)
    return tuple(lines)
