"""
What a hook is filed under, and the digest of what it is.

The key and the digest as seen with codex-cli 0.171.0, which computes the same ones. A digest covers the event, the matcher
where the event heeds it, and the handler in its normal form: not the file, its format or unknown fields.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw_claude.codex.rules import EventRules

_NUMBER: Final = "$serde_json::private::Number"
"""The client's JSON library has numbers of any size, and this is how the digest gets to see them."""


def run_name(rules: EventRules, group: int, position: int) -> str:
    """The end of a hook's key, by which runs are named; positions count from 0 as written, skipped neighbours included."""
    return f"{rules.canonical}:{group}:{position}"


def hook_key(source: str, name: str) -> str:
    """What a hook is filed under; `source` is the file that declares it, or what stands for it."""
    return f"{source}:{name}"


def digest_of(rules: EventRules, matcher: str | None, handler: Mapping[str, Any]) -> str:
    """SHA-256 over a hook; `handler` is its normal form."""
    from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library

    content: dict[str, Any] = {"event_name": rules.canonical, "hooks": [_digested(handler)]}
    if matcher is not None and rules.subject != "none":
        content["matcher"] = matcher
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _digested(handler: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _numbers_as_objects(value) if name == "input" else value for name, value in handler.items()}


def _numbers_as_objects(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _numbers_as_objects(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_numbers_as_objects(item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return {_NUMBER: json.dumps(value)}
    return value
