"""
Consent to each hook, by the digest of what it is.

As seen with codex-cli 0.171.0: state counts in the person's own `config.toml` and in what the session was started with,
field by field, the later over the earlier. Hooks of plugins may have a second digest there, over the plugin's files; how
it is made is not known, so a record that has one consents to nothing here until the hook is approved here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import HookState, Review, text
from hookfw_claude.codex.layers import user_config
from hookfw_claude.codex.rules import DIALECT
from hookfw_claude.hook_state import NOTHING_STORED, Reviewed, edit, state_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Edit, Hook, Places

_MANAGED = HookState("managed")


def judged(hook: Hook, stored: Mapping[str, Reviewed]) -> HookState:
    """Consent to one hook, and its switch; managed ones need none and have none."""
    if hook.config.origin.managed:
        return _MANAGED
    entry = stored.get(hook.config.key, NOTHING_STORED)
    state = state_of(hook.config.digest, entry)
    if state.trust == "trusted" and entry.trusted_content_hash is not None and hook.source.scope == "plugin":
        note = "modified, or not: its record also covers the plugin's files, which cannot be compared here; approve it"
        return HookState("modified", entry.enabled, note)
    return state


def reviews(hooks: Sequence[Hook], states: Mapping[Hook, HookState]) -> list[Review]:
    """Each hook that needs consent as one thing to consent to, with all that its digest covers."""
    return [
        Review(
            dialect=DIALECT,
            key=hook.config.key,
            path=hook.source.path,
            digest=hook.config.digest,
            state=states[hook],
            hooks=(hook,),
            text=_shown(hook),
        )
        for hook in hooks
        if not hook.config.origin.managed
    ]


def _shown(hook: Hook) -> str:
    content = {"event": hook.event, "matcher": hook.matcher} | hook.config.handler.as_digested()
    # As JSON, so that a line break in a command is seen as one.
    lines = (f"{name}: {text.compact_json(value)}" for name, value in content.items() if value not in (None, {}, ""))
    return text.without_controls("\n".join(lines))


def approve(key: str, digest: str, places: Places) -> list[Edit]:
    """Reviewing writes the digest and leaves the switch alone; a digest of other files that stood there is void."""
    path = user_config(places)
    return [edit(path, key, "trusted_hash", value=digest), edit(path, key, "trusted_content_hash", value=None)]


def revoke(key: str, places: Places) -> list[Edit]:
    """The digests go, the switch stays."""
    path = user_config(places)
    return [edit(path, key, "trusted_hash", value=None), edit(path, key, "trusted_content_hash", value=None)]


def enable(hook: Hook, places: Places, *, enabled: bool) -> list[Edit]:
    """Switching writes the switch and leaves the digest alone; managed hooks have none."""
    if hook.config.origin.managed:
        return []
    return [edit(user_config(places), hook.config.key, "enabled", value=enabled)]
