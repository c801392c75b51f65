"""
Consent to each hook, by the digest of what it is.

From "Trust and enabled state" of the hooks document; the key, the digested object and its encoding from the public source.
State is `[hooks.state."KEY"]` in the person's own `config.toml`, or given for one session by an override. What a profile or
a project says there is never looked at.
"""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from hookfw import Review, text
from hookfw_claude.hook_state import edit, is_entry
from hookfw_claude.mind.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Edit, Hook, HookState, Places
    from hookfw_claude.mind.handlers import Handler

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")


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


def override_problem(table: object) -> str | None:
    """Why a state given for one session cannot be used; it is checked strictly. `None` when it can."""
    if not isinstance(table, dict):
        return "it must be a table of hook keys"
    for key, entry in table.items():
        if not key.strip() or not is_entry(entry) or not set(entry) <= {"enabled", "trusted_hash"}:
            return "each hook key takes `enabled`, true or false, and `trusted_hash`, and nothing else"
        if "trusted_hash" in entry and not _DIGEST.fullmatch(entry["trusted_hash"]):
            return "`trusted_hash` must be `sha256:` and 64 digits of lower-case hexadecimal"
    return None


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
    return [edit(user_config(places), key, "trusted_hash", value=digest)]


def revoke(key: str, places: Places) -> list[Edit]:
    """The digest goes, the switch stays."""
    return [edit(user_config(places), key, "trusted_hash", value=None)]


def enable(key: str, places: Places, *, enabled: bool) -> list[Edit]:
    """Switching writes the switch and leaves the digest alone."""
    return [edit(user_config(places), key, "enabled", value=enabled)]
