"""
What `/hooks list` and `/hooks events` show.

From the hooks document of 2026-09-29, "Quick start", "Configuration" and "Security notes". Texts out of configuration
are bounded and on one line; a command is shown as a preview, not as a copy.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from hookfw import text
from hookfw_codewhale.native import EVENTS, NATIVE_EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Hook, HookState, Loaded
    from hookfw_codewhale.config import Settings
    from hookfw_codewhale.entries import Entry


def render_list(loaded: Loaded, states: Mapping[Hook, HookState]) -> str:
    """The hooks by event, what will happen to each, and the configuration problems; ends with a newline."""
    settings: Settings = loaded.settings
    lines = [_headline(loaded, settings)]
    for event, hooks in groupby(sorted(loaded.hooks, key=attrgetter("event")), key=attrgetter("event")):
        lines += ["", event]
        for hook in hooks:
            lines += [f"  {_row(hook, states[hook])}", f"    $ {hook.summary}"]
    if settings.problems:
        lines += ["", "configuration problems", *(f"  {problem.row}" for problem in settings.problems)]
    return "\n".join(lines) + "\n"


def _headline(loaded: Loaded, settings: Settings) -> str:
    if not loaded.hooks:
        if loaded.rejected:
            return "No hook can run: every configured entry was rejected, see the problems below."
        return "No hooks are configured."
    count = "1 hook" if len(loaded.hooks) == 1 else f"{len(loaded.hooks)} hooks"
    return f"{count}, {'enabled' if settings.enabled else 'all disabled by [hooks].enabled = false'}"


def _row(hook: Hook, state: HookState) -> str:
    entry: Entry = hook.config
    marks = [entry.label]
    if hook.background:
        marks.append("[bg, submitted not awaited]")
    note = f", {hook.timeout_note}" if hook.timeout_note else ""
    marks.append(f"(timeout {text.seconds(hook.timeout)}s{note})")
    if hook.matcher:
        marks.append(f"if {hook.matcher}")
    if state.trust != "trusted":
        marks.append(f"[{state.trust}: {state.note}]")
    return " ".join(marks)


def render_events() -> str:
    """The 15 events in their order, each with what its hooks can do; ends with a newline."""
    width = max(map(len, EVENTS))
    return "".join(f"{event.name:<{width}}  {event.steers or 'observer'}\n" for event in NATIVE_EVENTS)
