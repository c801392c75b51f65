"""Payloads: one compact JSON object on standard input, made of the fields an agent sends, in its order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from hookfw import text


def take(given: Mapping[str, Any], names: Iterable[str], *, null: bool) -> dict[str, Any]:
    """
    The named fields that `given` has, in the order of `names`.

    `null`: a field given as null is sent as null; otherwise it is absent like one that was not given.
    """
    return {name: given[name] for name in names if name in given and (null or given[name] is not None)}


def encode(fields: Mapping[str, Any], *, ascii_only: bool = False, end: str = "") -> bytes:
    r"""
    `fields` as compact JSON in UTF-8, keys in their order.

    `ascii_only`: other characters become `\u` escapes. A lone surrogate becomes U+FFFD, so that every reader can read
    it. `end` follows the document.
    """
    document = text.compact_json(fields)
    if ascii_only:
        document = re.sub("[^ -~]+", lambda found: json.dumps(found[0])[1:-1], document)
    return f"{document}{end}".encode()
