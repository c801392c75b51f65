"""Finding the lines of the entries of a JSON file."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping
from typing import Final

Path = tuple[str | int, ...]

ENTRY_DEPTH: Final = 5
"""How deep handlers stand in a file: `hooks`, event, group, `hooks`, handler."""

_BLANK = re.compile(r"[ \t\n\r]*")


def lines_of(data: bytes, depth: int = ENTRY_DEPTH) -> Mapping[Path, int]:
    """
    The line, from 1, on which each value down to `depth` levels begins, by the way to it; empty for what is no JSON.

    One pass over the file; values below `depth` are skipped by the parser itself.
    """
    lines: dict[Path, int] = {}
    try:
        source = data.decode("utf-8").removeprefix("\ufeff")
        line, counted = 1, 0
        for path, start in _starts(source, depth):
            line += source.count("\n", counted, start)
            counted = start
            lines[path] = line
    except (ValueError, RecursionError, IndexError):
        # What cannot be read is reported by `hookfw.parse_json`; a file without lines is still a file.
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
