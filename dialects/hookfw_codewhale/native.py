"""
The 15 events of Codewhale, as data.

From the hooks document of 2026-09-29: "The 15 events", the table of conditions, "Structured observer payloads" and
"Failure behaviour".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from hookfw import NativeEvent

if TYPE_CHECKING:
    from collections.abc import Mapping


class NativeSpec(NamedTuple):
    """
    One event and what its hooks may count on.

    Attributes:
        name: as configuration spells it.
        canonical: kind of the canonical event it answers first of all.
        steers: what its hooks can change: `prompt`, `call` or `env`; empty for an observer.
        carries: what a condition may ask about: `tool`, `exit_code`, `mode`.
        execute_path: the failure of a strict hook keeps later hooks of the event from starting.
        document: its hooks read a JSON document on standard input; otherwise that is empty and closed.
    """

    name: str
    canonical: str
    steers: str
    carries: frozenset[str]
    execute_path: bool
    document: bool


_MODE = frozenset({"mode"})
_CALL = frozenset({"mode", "tool"})
_RESULT = frozenset({"mode", "tool", "exit_code"})
_ENV = frozenset({"tool"})

EVENTS: Mapping[str, NativeSpec] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            NativeSpec("session_start", "session_start", "", _MODE, execute_path=True, document=False),
            NativeSpec("session_end", "session_end", "", _MODE, execute_path=True, document=False),
            NativeSpec("turn_end", "turn_end", "", _MODE, execute_path=False, document=True),
            NativeSpec("message_submit", "user_prompt_submit", "prompt", _MODE, execute_path=False, document=True),
            NativeSpec("tool_call_before", "pre_tool_use", "call", _CALL, execute_path=True, document=False),
            NativeSpec("tool_call_after", "post_tool_use", "", _RESULT, execute_path=True, document=True),
            NativeSpec("mode_change", "mode_change", "", _MODE, execute_path=True, document=False),
            NativeSpec("on_error", "error", "", _RESULT, execute_path=True, document=False),
            NativeSpec("subagent_spawn", "subagent_start", "", _MODE, execute_path=False, document=True),
            NativeSpec("subagent_complete", "subagent_stop", "", _MODE, execute_path=False, document=True),
            NativeSpec("shell_env", "shell_env", "env", _ENV, execute_path=False, document=False),
            NativeSpec("session_idle", "session_idle", "", _MODE, execute_path=False, document=True),
            NativeSpec("session_error", "session_error", "", _MODE, execute_path=False, document=True),
            NativeSpec("waiting_for_user", "waiting_for_user", "", _MODE, execute_path=False, document=True),
            NativeSpec("session_busy", "session_busy", "", _MODE, execute_path=False, document=True),
        )
    }
)
"""Every event by its name, in the order in which `/hooks events` shows them."""

_STEERING = MappingProxyType(
    {
        "prompt": "replaces or blocks the prompt",
        "call": "allows, denies or asks; rewrites the input; adds context",
        "env": "gives variables to the shell",
    }
)

_REDUCTIONS = MappingProxyType(
    {
        "prompt": "The first block ends the row and blocks the prompt; otherwise each hook sees the text that the one before "
        "it made, and the last text stands.",
        "call": "Any denial denies and nothing else goes out; no verdict of a strict hook comes before exit 2, that before a "
        "printed deny, and the first of equals gives the reason. Otherwise any ask asks, the last rewrite stands and contexts "
        "are kept in configuration order.",
        "env": "The variables of all hooks are joined, later hooks over earlier ones.",
        "": "Its hooks observe: whatever they answer, nothing is decided.",
    }
)


def reduction(name: str) -> str:
    """How the answers of several hooks of an event become one, for people; the rules themselves stand where they reduce."""
    return _REDUCTIONS[EVENTS[name].steers]


_ALSO: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tool_call_after": ("post_tool_use_failure",),
        # A result that says it failed is a failure too, whichever of the two events brings it.
        "on_error": ("post_tool_use", "post_tool_use_failure"),
    }
)

NATIVE_EVENTS: tuple[NativeEvent, ...] = tuple(
    NativeEvent(
        name=spec.name,
        canonical=spec.canonical,
        steers=_STEERING.get(spec.steers, ""),
        also=_ALSO.get(spec.name, ()),
    )
    for spec in EVENTS.values()
)
"""The same as every dialect declares its events."""
