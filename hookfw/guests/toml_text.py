"""Edits of a TOML text that leave every other byte as it is: entries of lists are added at its end, and cut out again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hookfw.toml_files import BrokenTomlError, parse_toml

_LONGEST = 64
"""Lines that one entry may have to be found again."""


def addition(text: str, entries: Sequence[tuple[Sequence[str], Mapping[str, Any]]]) -> str:
    """
    What has to stand at the end of `text` so that each list holds its new entry too.

    An entry is the way to its list, and the table to add. Raises `ValueError` where `text` is no TOML, or where a list is
    written in a way that takes no further entry at the end.
    """
    before = parse_toml(text.encode())
    newline = "\r\n" if "\r\n" in text else "\n"
    lines: list[str] = []
    for keys, table in entries:
        if lines or text.strip("\ufeff"):
            lines.append("")
        lines += _block(tuple(keys), table)
    added = newline.join([*lines, ""])
    if text.strip("\ufeff") and not text.endswith("\n"):
        added = newline + added
    wanted = before
    for keys, table in entries:
        wanted = _with(wanted, tuple(keys), table)
    try:
        parsed = parse_toml((text + added).encode())
    except BrokenTomlError:
        parsed = {}
    if parsed != wanted:
        names = ", ".join(dict.fromkeys(f"[[{'.'.join(keys)}]]" for keys, _ in entries))
        message = f"its hooks are written inline, and nothing can be added to them; write them as {names}"
        raise ValueError(message)
    return added


def without(text: str, unwanted: Callable[[Any], bool]) -> str:
    """
    `text` without the tables in lists that are unwanted.

    Each is cut out from its header to the end of its last value; comments after it stay. Raises `ValueError` where one is
    written inline.
    """
    while any(_tables(document := parse_toml(text.encode()), unwanted)):
        wanted = _bare(document, unwanted)
        cut = next(_cuts(text, sum(1 for _ in _tables(document, unwanted)), unwanted, wanted), None)
        if cut is None:
            message = "the entries are written inline; take them out by hand"
            raise ValueError(message)
        text = cut
    return text


def _cuts(text: str, count: int, unwanted: Callable[[Any], bool], wanted: Any) -> Iterator[str]:
    """`text` without one of its `count` unwanted tables, and otherwise saying what it said."""
    lines = text.splitlines(keepends=True)
    for start, line in enumerate(lines):
        if not line.lstrip("\ufeff \t").startswith("[["):
            continue
        for end in range(start + 1, min(start + _LONGEST, len(lines)) + 1):
            left = "".join((*lines[:start], *lines[end:]))
            try:
                document = parse_toml(left.encode())
            except BrokenTomlError:
                continue
            if sum(1 for _ in _tables(document, unwanted)) < count and _bare(document, unwanted) == wanted:
                yield left


def _tables(document: Any, unwanted: Callable[[Any], bool]) -> Iterator[Any]:
    """The unwanted tables in lists."""
    if isinstance(document, dict):
        for value in document.values():
            yield from _tables(value, unwanted)
    elif isinstance(document, list):
        for item in document:
            if unwanted(item):
                yield item
            else:
                yield from _tables(item, unwanted)


def _bare(document: Any, unwanted: Callable[[Any], bool]) -> Any:
    """What a document says without its unwanted tables, and without what is empty then."""
    if isinstance(document, dict):
        bare = {key: _bare(value, unwanted) for key, value in document.items()}
        return {key: value for key, value in bare.items() if value not in ({}, [])}
    if isinstance(document, list):
        return [_bare(item, unwanted) for item in document if not unwanted(item)]
    return document


def _block(keys: tuple[str, ...], table: Mapping[str, Any]) -> list[str]:
    """One entry of a list of tables, the lists of tables inside it after its own values."""
    lines = [f"[[{'.'.join(keys)}]]"]
    inner: list[str] = []
    for key, value in table.items():
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            for item in value:
                inner += _block((*keys, key), item)
        else:
            # Texts, numbers and truth values are written in TOML as in JSON.
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return lines + inner


def _with(document: Any, keys: tuple[str, ...], table: Mapping[str, Any]) -> Any:
    if not keys:
        return [*(document if isinstance(document, list) else []), table]
    known = document if isinstance(document, dict) else {}
    return {**known, keys[0]: _with(known.get(keys[0]), keys[1:], table)}
