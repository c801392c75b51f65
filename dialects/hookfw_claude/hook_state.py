"""
Consent to each hook, as the agents keep it that review hooks one by one: `[hooks.state."KEY"]` of the person's own file.

An entry holds the digest that was reviewed and, apart from it, a switch. What a hook's key is, what its digest covers and
which files may hold state is for each agent to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import Edit, HookState

if TYPE_CHECKING:
    from collections.abc import Iterable


class Reviewed(NamedTuple):
    """
    What is stored about one hook.

    Attributes:
        enabled: only an explicit false switches a hook off.
        trusted_hash: the digest that was reviewed, as it is written.
        trusted_content_hash: the digest of the files that belong to the hook, where its agent keeps one.
    """

    enabled: bool = True
    trusted_hash: str | None = None
    trusted_content_hash: str | None = None


Stored = Mapping[str, Mapping[str, Any]]
"""Hook key to what is written about it."""

NOTHING_STORED = Reviewed()


def read_state(table: object) -> Stored:
    """The entries of `[hooks.state]`; one that is malformed is left out, silently as the agents do it."""
    if not isinstance(table, dict):
        return {}
    return {key.strip(): dict(entry) for key, entry in table.items() if key.strip() and is_entry(entry)}


def is_entry(entry: object) -> bool:
    """Whether `entry` is a table whose fields have their types."""
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("enabled", True), bool)
        and isinstance(entry.get("trusted_hash", ""), str)
        and isinstance(entry.get("trusted_content_hash", ""), str)
    )


def merged(states: Iterable[Stored]) -> dict[str, Reviewed]:
    """What is stored, field by field, later over earlier."""
    found: dict[str, dict[str, Any]] = {}
    for state in states:
        for key, entry in state.items():
            found.setdefault(key, {}).update(entry)
    return {
        key: Reviewed(**{field: entry[field] for field in Reviewed._fields if field in entry})
        for key, entry in found.items()
    }


def state_of(digest: str, entry: Reviewed) -> HookState:
    """Consent to one hook: its stored digest is exactly today's, or another, or there is none."""
    if entry.trusted_hash == digest:
        return HookState("trusted", entry.enabled, None if entry.enabled else "it is switched off")
    if entry.trusted_hash is None:
        return HookState("untrusted", entry.enabled, "untrusted: nobody has reviewed it")
    return HookState("modified", entry.enabled, "modified: it changed since it was reviewed")


def edit(path: str, key: str, field: str, *, value: str | bool | None) -> Edit:
    """The change of one field of one entry; `None` removes it. Consent and switch leave each other alone."""
    return Edit(path, ("hooks", "state", key, field), value)
