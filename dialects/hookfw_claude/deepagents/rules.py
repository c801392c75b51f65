"""
The twelve events of Deep Agents Code and the numbers that go with them, as data.

From the hooks document, "Events", "Matchers", "Handler fields" and "Handler output"; PostToolUseFailure, the reading of
`continue: false` and the fixed texts from the public source.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from hookfw import Kill, NativeEvent
from hookfw_claude.command import Launch
from hookfw_claude.matcher import Grammar
from hookfw_claude.patterns_python import Pattern
from hookfw_claude.reading import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "deepagents"

Block = Literal["deny", "block", "feedback", "continue", "context", "unsupported"]
"""
What exit 2, or `decision: block`, does: deny the call, block what is announced, tell the model, keep the turn going, become
context for the parent, or nothing.
"""


class EventRules(NamedTuple):
    """
    What one event allows.

    Attributes:
        name: as configuration spells it.
        canonical: kind of the canonical event it answers.
        block: see `Block`.
        subject: the canonical field that matchers look at; `None` where a matcher is refused.
        steers: what its hooks can do, for people.
        plain_context: plain standard output is context; otherwise a mistake.
        stop: `continue: false` has an effect.
        stop_refuses: what the event announces does not happen then.
        stop_ends_turn: nor does another model request in this turn.
        timeout: seconds a handler has that names no other time.
        also: further canonical kinds that can fire it.
    """

    name: str
    canonical: str
    block: Block
    subject: str | None
    steers: str = ""
    plain_context: bool = False
    stop: bool = True
    stop_refuses: bool = True
    stop_ends_turn: bool = True
    timeout: float = 600.0
    also: tuple[str, ...] = ()


_AFTER_TOOL = "tells the model; adds context"

EVENTS: Mapping[str, EventRules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            EventRules(
                "SessionStart",
                "session_start",
                "unsupported",
                "source",
                "adds context; stops the start",
                plain_context=True,
            ),
            EventRules(
                "UserPromptSubmit",
                "user_prompt_submit",
                "block",
                None,
                "blocks or hides the prompt; adds context",
                plain_context=True,
                timeout=30.0,
            ),
            EventRules("SessionEnd", "session_end", "unsupported", "reason", stop=False),
            EventRules("PermissionRequest", "permission_request", "deny", "tool_name", "allows or denies"),
            EventRules(
                "Notification",
                "notification",
                "unsupported",
                "notification_type",
                # The agent gives up the action around the notification; the canonical event announces none.
                stop_refuses=False,
                stop_ends_turn=False,
            ),
            EventRules("PreToolUse", "pre_tool_use", "deny", "tool_name", "allows, asks or denies; adds context"),
            EventRules(
                "PostToolUse",
                "post_tool_use",
                "feedback",
                "tool_name",
                _AFTER_TOOL,
                stop_refuses=False,
                stop_ends_turn=False,
            ),
            EventRules(
                "PostToolUseFailure",
                "post_tool_use_failure",
                "feedback",
                "tool_name",
                _AFTER_TOOL,
                stop_refuses=False,
                stop_ends_turn=False,
                also=("post_tool_use",),
            ),
            EventRules("PreCompact", "pre_compact", "block", "trigger", "blocks the compaction", stop_ends_turn=False),
            EventRules("Stop", "stop", "continue", None, "keeps the turn going; ends it", stop_refuses=False),
            EventRules(
                "SubagentStart",
                "subagent_start",
                "unsupported",
                "agent_type",
                "adds context; stops the start",
                stop_ends_turn=False,
            ),
            EventRules("SubagentStop", "subagent_stop", "context", "agent_type", "adds context", stop=False),
        )
    }
)
"""The events by name, in the order of the document."""

NATIVE_EVENTS: Final = tuple(
    NativeEvent(rules.name, rules.canonical, rules.steers, rules.also) for rules in EVENTS.values()
)

NOTIFICATION_TYPES: Final = frozenset(
    {"permission_prompt", "agent_needs_input", "agent_completed", "cold_cache_warning", "cache_expiring"}
)
"""The notifications this agent knows; with any other no handler runs."""

MATCHERS: Final = Grammar(compile=Pattern, names=re.compile(r"[\w\s,|-]*"), separators="|,", strip=True)
"""A matcher of word characters, blanks, commas, bars and hyphens is a list of names."""

OUTPUT_CAP: Final = 100_000
"""Bytes of each stream that are kept."""

COMMANDS: Final = Launch(  # noqa: S604 - names the shell of hooks, runs nothing
    shell=("/bin/sh", "-c"),
    kill=Kill(),
    stdout_cap=OUTPUT_CAP,
    stderr_cap=OUTPUT_CAP,
)

READING: Final = Rules(json_begins="", constants=True)
"""Whatever parses is JSON, a lone number or text too; all else is plain text. Exit 2 is never an ordinary failure."""

MAX_CONTINUATIONS: Final = 8
"""How often in a row Stop hooks may keep a turn going."""

BLOCKED: Final = "A hook blocked this without giving a reason."
"""The reason of a block that gives none."""

KEEP_WORKING: Final = "Continue working."
"""The instruction of a Stop hook that asks for more without a text."""

CREDENTIALS: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD")
"""A variable with one of these anywhere in its name, in either case, is kept from handlers."""


def looks_like_credential(name: str) -> bool:
    """The name of a variable, or of a field, says that its value is a credential."""
    name = name.upper()
    return any(word in name for word in CREDENTIALS)
