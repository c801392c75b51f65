"""Text rules: decoding, cutting at byte and character limits, control characters, lone surrogates, likely words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

ASCII_MARKER = "...[truncated]"
"""What follows a value that was cut at a byte limit."""

ELLIPSIS_MARKER = "…[truncated]"
"""What follows a text that was cut at a character limit."""


def decode(data: bytes) -> str:
    """UTF-8 with replacement; one leading byte order mark is dropped."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def scrub(text: str) -> str:
    """`text` with each half of a surrogate pair that stands alone replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def scrub_value(value: Any) -> Any:
    """`scrub` on every string of a JSON value, keys included."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, list):
        return [scrub_value(item) for item in value]
    if isinstance(value, dict):
        return {scrub_value(key): scrub_value(item) for key, item in value.items()}
    return value


def for_environment(text: str) -> str:
    """`text` as an environment variable can carry it: no NUL, no lone surrogate (each becomes U+FFFD)."""
    return scrub(text).replace("\0", "\ufffd")


def compact_json(value: Any) -> str:
    """Compact JSON: no spaces, keys in the order given, non-ASCII unescaped, no lone surrogate."""
    return scrub(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def parse_json_object(text: str) -> dict[str, Any] | None:
    """The JSON object that the whole of `text` is, white space around it aside; `None` for anything else."""
    text = text.strip()
    if not text.startswith("{"):
        return None
    try:
        value = _STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> None:
    # Python reads NaN and Infinity, which are no JSON and which no other agent would accept back.
    raise ValueError(constant)


_STRICT = json.JSONDecoder(parse_constant=_refuse)


def byte_prefix(text: str, limit: int) -> str:
    """The longest prefix of whole characters of `text` within `limit` bytes of UTF-8."""
    if len(text) * 4 <= limit:
        return text
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


def closest(word: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant by `word`, if one is near enough."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something was misspelt

    return next(iter(get_close_matches(word, names, 1)), None)


def _is_control(letter: str) -> bool:
    return letter < " " or "\x7f" <= letter <= "\x9f"
