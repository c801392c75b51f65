"""
The input of an `mcp_tool` handler, its placeholders filled in from the event.

`${path}` in a text stands for the value at a dotted path in the payload, numbers counting into lists. What is filled in is not
looked at again, and keys stay as they are. Whether a placeholder alone keeps its value's type is the agent's rule, and so is
what a missing path does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

_PLACEHOLDER: Final = re.compile(r"\$\{([^{}]+)\}")
_MISSING: Final = object()


def filled(value: Any, payload: Mapping[str, Any], missing: list[str], *, typed: bool) -> Any:
    """
    `value` with its placeholders filled in, lists and objects walked.

    `typed`: a text that is one placeholder and nothing else takes the value itself, whatever its type; otherwise the result is
    text: a text as it is, any other value as compact JSON. `missing` gets every path that leads nowhere; it becomes the
    empty text.
    """
    if isinstance(value, dict):
        return {key: filled(item, payload, missing, typed=typed) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, payload, missing, typed=typed) for item in value]
    if not isinstance(value, str):
        return value

    def look(path: str) -> Any:
        found = _at(payload, path.strip())
        if found is _MISSING:
            missing.append(path)
            return ""
        return found

    alone = _PLACEHOLDER.fullmatch(value) if typed else None
    if alone is not None:
        return look(alone[1])
    return _PLACEHOLDER.sub(lambda place: _as_text(look(place[1])), value)


def _at(payload: Any, path: str) -> Any:
    for step in path.split("."):
        if isinstance(payload, dict) and step in payload:
            payload = payload[step]
        elif isinstance(payload, list) and step.isdecimal() and step.isascii() and len(step) < len("1000000"):
            if int(step) >= len(payload):
                return _MISSING
            payload = payload[int(step)]
        else:
            return _MISSING
    return payload


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
