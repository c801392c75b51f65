"""
Consent to each hook, by the digest of what it is.

From "Trust and enabled state" of the hooks document; the key, the digested object and its encoding from the public source.
State is `[hooks.state."KEY"]` in the person's own `config.toml`, or given for one session by an override. What a profile or
a project says there is never looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import Edit, Hook, HookState, Review, text
from hookfw_claude.mind.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookfw import Places
    from hookfw_claude.mind.handlers import Handler

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")


class Reviewed(NamedTuple):
    """
    What is stored about one hook.

    Attributes:
        enabled: only an explicit false switches a hook off.
        trusted_hash: the digest that was reviewed, as it is written.
    """

    enabled: bool = True
    trusted_hash: str | None = None


Stored = Mapping[str, Mapping[str, Any]]
"""Hook key to what is written about it."""

_NOTHING_STORED = Reviewed()


def hook_key(source: str, handler: Handler, event: str, group: int, position: int) -> str:
    """
    What a hook is filed under.

    `source` is the file that declares it, links followed, or `cli`; the positions count from 0 as written, skipped
    neighbours included.
    """
    target = f":{handler.server}:{handler.tool}" if handler.type == "mcp_tool" else ""
    return f"{source}|{handler.type}{target}:{event}:{group}:{position}"


def digest_of(matcher: str, handler: Handler) -> str:
    """SHA-256 over matcher and handler in their normal form: not over event, file or unknown fields."""
    from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library

    return f"sha256:{sha256(_digested(matcher, handler).encode()).hexdigest()}"


def _digested(matcher: str, handler: Handler) -> str:
    content = {"matcher": matcher, "handler": handler.as_configured()}
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def read_state(table: object) -> Stored:
    """The entries of `[hooks.state]`; one that is malformed is left out, silently as Mind does it."""
    if not isinstance(table, dict):
        return {}
    return {key.strip(): dict(entry) for key, entry in table.items() if key.strip() and _is_entry(entry)}


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("enabled", True), bool)
        and isinstance(entry.get("trusted_hash", ""), str)
    )


def override_problem(table: object) -> str | None:
    """Why a state given for one session cannot be used; it is checked strictly. `None` when it can."""
    if not isinstance(table, dict):
        return "it must be a table of hook keys"
    for key, entry in table.items():
        if not key.strip() or not _is_entry(entry) or not set(entry) <= {"enabled", "trusted_hash"}:
            return "each hook key takes `enabled`, true or false, and `trusted_hash`, and nothing else"
        if "trusted_hash" in entry and not _DIGEST.fullmatch(entry["trusted_hash"]):
            return "`trusted_hash` must be `sha256:` and 64 digits of lower-case hexadecimal"
    return None


def merged(states: Iterable[Stored]) -> dict[str, Reviewed]:
    """What is stored, field by field, later over earlier."""
    found: dict[str, dict[str, Any]] = {}
    for state in states:
        for key, entry in state.items():
            found.setdefault(key, {}).update(entry)
    return {
        key: Reviewed(entry.get("enabled", True) is not False, entry.get("trusted_hash"))
        for key, entry in found.items()
    }


def state_of(hook: Hook, stored: Mapping[str, Reviewed]) -> HookState:
    """Consent to one hook: its stored digest is exactly today's, or another, or there is none."""
    entry = stored.get(hook.config.key, _NOTHING_STORED)
    if entry.trusted_hash == hook.config.digest:
        return HookState("trusted", entry.enabled, None if entry.enabled else "it is switched off")
    if entry.trusted_hash is None:
        return HookState("untrusted", entry.enabled, "nobody has reviewed it")
    return HookState("modified", entry.enabled, "it changed since it was reviewed")


def reviews(hooks: Sequence[Hook], states: Mapping[Hook, HookState]) -> list[Review]:
    """Each hook as one thing to consent to, with all that its digest covers."""
    return [
        Review(
            dialect=DIALECT,
            key=hook.config.key,
            path=hook.source.path,
            digest=hook.config.digest,
            state=states[hook],
            hooks=(hook,),
            text=_shown(hook.config.matcher, hook.config.handler),
        )
        for hook in hooks
    ]


def _shown(matcher: str, handler: Handler) -> str:
    content = {"matcher": matcher} | handler.as_configured()
    # As JSON, so that a line break in a command is seen as one.
    lines = (f"{name}: {text.compact_json(value)}" for name, value in content.items() if value not in (None, {}, ""))
    return text.without_controls("\n".join(lines))


def user_config(places: Places) -> str:
    """Path of the person's own configuration, where state is kept."""
    return str(PurePath(places.home, ".mind", "config.toml"))


def approve(key: str, digest: str, places: Places) -> list[Edit]:
    """Reviewing writes the digest and leaves the switch alone."""
    return [Edit(user_config(places), ("hooks", "state", key, "trusted_hash"), digest)]


def revoke(key: str, places: Places) -> list[Edit]:
    """The digest goes, the switch stays."""
    return [Edit(user_config(places), ("hooks", "state", key, "trusted_hash"), None)]


def enable(key: str, places: Places, *, enabled: bool) -> list[Edit]:
    """Switching writes the switch and leaves the digest alone."""
    return [Edit(user_config(places), ("hooks", "state", key, "enabled"), enabled)]
