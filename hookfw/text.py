"""Text rules: decoding, JSON, cutting at limits, control characters, lone surrogates, likely words."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn

ASCII_MARKER = "...[truncated]"
"""What follows a value that was cut at a byte limit."""

ELLIPSIS_MARKER = "…[truncated]"
"""What follows a text that was cut at a character limit."""

MAX_DEPTH = 256
"""How deep JSON that a hook printed may be nested: nobody's answer is deeper, and any reader of it gets to its ground."""

DECEIVING = frozenset((0xAD, 0x061C, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF))
"""Code points of marks that reorder or hide text."""


def decode(data: bytes) -> str:
    """UTF-8 with replacement; one leading byte order mark is dropped."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def scrub(text: str) -> str:
    """`text` with each half of a surrogate pair that stands alone replaced by U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def scrub_value(value: Any) -> Any:
    """`scrub` on every string of a JSON value, keys included; however deep the value is nested."""
    whole = [value]
    unread: list[list[Any] | dict[Any, Any]] = [whole]
    while unread:
        container = unread.pop()
        for key, item in list(container.items() if isinstance(container, dict) else enumerate(container)):
            if isinstance(item, str):
                container[key] = scrub(item)
            elif isinstance(item, list | dict):
                copy = item.copy() if isinstance(item, list) else {scrub_value(name): item[name] for name in item}
                container[key] = copy
                unread.append(copy)
    return whole[0]


def for_environment(text: str) -> str:
    """`text` as an environment variable can carry it: no NUL, no lone surrogate (each becomes U+FFFD)."""
    # Nearly every value is plain, and each start of a hook sets several.
    return text if text.isascii() and "\0" not in text else scrub(text).replace("\0", "\ufffd")


def compact_json(value: Any) -> str:
    """
    Compact JSON: no spaces, keys in the order given, non-ASCII unescaped, no lone surrogate.

    Any JSON value can be written: one however deep, and a number that JSON does not have as null.
    """
    try:
        written = _COMPACT.encode(value)
    except RecursionError:
        written = _deep_json(value)
    else:
        # A text may hold these words as well, so this only tells where to look closer.
        if "NaN" in written or "Infinity" in written:
            written = _deep_json(value)
    return scrub(written)


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _deep_json(value: Any) -> str:
    """The compact JSON of `value`, written without a call for each level that it is nested."""
    written: list[str] = []
    unwritten: list[tuple[bool, Any]] = [(True, value)]
    while unwritten:
        is_value, item = unwritten.pop()
        if not is_value:
            written.append(item)
        elif isinstance(item, float) and not math.isfinite(item):
            written.append("null")
        elif isinstance(item, dict):
            # A key is written as JSON has it, which knows texts only: 1 becomes "1".
            names = (json.dumps({name: 0}, ensure_ascii=False)[1:-4] for name in item)
            members = [part for name, child in zip(names, item.values(), strict=True) for part in _member(name, child)]
            unwritten += [(False, "}"), *reversed(members[1:]), (False, "{")]
        elif isinstance(item, list | tuple):
            elements = [part for child in item for part in ((False, ","), (True, child))]
            unwritten += [(False, "]"), *reversed(elements[1:]), (False, "[")]
        else:
            written.append(json.dumps(item, ensure_ascii=False))
    return "".join(written)


def _member(name: str, child: Any) -> Iterable[tuple[bool, Any]]:
    return (False, ","), (False, f"{name}:"), (True, child)


def parse_json_object(text: str) -> dict[str, Any] | None:
    """
    The JSON object that the whole of `text` is, white space and a byte order mark aside; `None` for anything else.

    Nothing else are numbers beyond what a float holds, too: no other agent would read them, or accept them back.
    """
    text = text.removeprefix("\ufeff").strip()
    if not text.startswith("{"):
        return None
    try:
        value = _STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not _is_too_deep(value) else None


def _refuse(constant: str) -> NoReturn:
    # Python reads NaN and Infinity, which are no JSON and which no other agent would accept back.
    raise ValueError(constant)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        _refuse(number)
    return value


_STRICT = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        nested = [item for item in level if isinstance(item, list | dict)]
        if not nested:
            return False
        level = [child for item in nested for child in (item.values() if isinstance(item, dict) else item)]
    return True


def byte_prefix(text: str, limit: int) -> str:
    """The longest prefix of whole characters of `text` within `limit` bytes of UTF-8."""
    if len(text) * 4 <= limit:
        return text
    if text.isascii():
        return text[:limit]
    data = text.encode("utf-8", "replace")
    return text if len(data) <= limit else data[:limit].decode("utf-8", "ignore")


def cut_bytes(text: str, limit: int, marker: str = ASCII_MARKER) -> str:
    """`text` within `limit` bytes of UTF-8; a longer one is cut between characters and the marker comes on top."""
    kept = byte_prefix(text, limit)
    return text if len(kept) == len(text) else kept + marker


def cut_characters(text: str, limit: int, marker: str = ELLIPSIS_MARKER) -> str:
    """`text` within `limit` characters; a longer one is cut and the marker comes on top."""
    return text if len(text) <= limit else text[:limit] + marker


def without_controls(text: str) -> str:
    r"""`text` without `\r`; newlines and tabs stay, every other control character becomes one space."""
    if text.isprintable():
        return text
    return "".join(letter if letter in "\n\t" or not _is_control(letter) else " " for letter in text if letter != "\r")


def block(text: str, limit: int) -> str:
    """Sanitised text of several lines: control characters out, then at most `limit` characters and the marker."""
    return cut_characters(without_controls(text), limit)


def line(text: str, limit: int) -> str:
    """Sanitised text of one line: as `block`, then newlines and tabs become spaces."""
    return block(text, limit).replace("\n", " ").replace("\t", " ")


def hides_something(text: str) -> bool:
    """`text` holds a control character or a mark that reorders or hides text, so that it does not read as it runs."""
    return (not text.isascii() and any(ord(letter) in DECEIVING for letter in text)) or without_controls(text) != text


def seconds(value: float) -> str:
    """A number of seconds as people write it: no exponent however many, no fraction where there is none."""
    return f"{value:f}".rstrip("0").rstrip(".")


def closest(word: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant by `word`, if one is near enough."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something was misspelt

    return next(iter(get_close_matches(word, names, 1)), None)


def _is_control(letter: str) -> bool:
    return letter < " " or "\x7f" <= letter <= "\x9f"
