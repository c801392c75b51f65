"""
The fourteen events of Codex and the numbers that go with them, as data.

As seen with codex-cli 0.171.0; the order of events, in which the definitions of one source count, too.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from hookfw import NativeEvent
from hookfw_claude.matcher import Grammar
from hookfw_claude.patterns_rust import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "codex"
AGENT: Final = "Codex"
"""Its name in sentences."""

Subject = Literal["tool", "trigger", "source", "agent_type", "none"]
"""What a matcher looks at; with `none` matchers are ignored and not even checked."""

PlainText = Literal["context", "failure", "ignored"]
"""What standard output means that does not begin like JSON."""

Stopping = Literal["stops", "fails", "nothing"]
"""What `continue: false` does: it counts, the run fails, or nothing."""


class EventRules(NamedTuple):
    """
    What one event allows.

    Attributes:
        name: as configuration spells it.
        canonical: kind of the canonical event it answers; also how keys and digests spell the event.
        steers: what its hooks can do, for people.
        subject: see `Subject`.
        says: how the client names the event when what it printed is broken.
        context: hooks may give `additionalContext`.
        exit_2_blocks: exit status 2 is a decision; otherwise a failure like any other.
        plain_text: see `PlainText`.
        stopping: see `Stopping`.
        stop_refuses: a stop keeps what the event announces from happening.
        stop_ends_turn: after a stop there is no further model request in this turn.
        reads: standard output is looked at.
        brief: hooks have little time.
    """

    name: str
    canonical: str
    steers: str
    subject: Subject
    says: str = ""
    context: bool = False
    exit_2_blocks: bool = False
    plain_text: PlainText = "ignored"
    stopping: Stopping = "stops"
    stop_refuses: bool = False
    stop_ends_turn: bool = False
    reads: bool = True
    brief: bool = False


EVENTS: Mapping[str, EventRules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            EventRules("PreModelRequest", "pre_model_request", "", "none", reads=False),
            EventRules("PostModelRequest", "post_model_request", "", "none", reads=False),
            EventRules(
                "PreToolUse",
                "pre_tool_use",
                "denies; replaces the input; adds context",
                "tool",
                "pre-tool-use",
                context=True,
                exit_2_blocks=True,
                stopping="fails",
            ),
            EventRules(
                "PermissionRequest",
                "permission_request",
                "allows or denies",
                "tool",
                "permission-request",
                exit_2_blocks=True,
                stopping="fails",
            ),
            EventRules(
                "PostToolUse",
                "post_tool_use",
                "replaces what the model sees; adds context",
                "tool",
                "post-tool-use",
                context=True,
                exit_2_blocks=True,
            ),
            EventRules(
                "PreCompact", "pre_compact", "stops the compaction", "trigger", "PreCompact hook", stop_refuses=True
            ),
            EventRules(
                "PostCompact",
                "post_compact",
                "stops what would follow",
                "trigger",
                "PostCompact hook",
                stop_refuses=True,
                stop_ends_turn=True,
            ),
            EventRules(
                "SessionStart",
                "session_start",
                "stops the turn; adds context",
                "source",
                "session start",
                context=True,
                plain_text="context",
                stop_ends_turn=True,
            ),
            EventRules("SessionEnd", "session_end", "", "none", reads=False, brief=True),
            EventRules(
                "UserPromptSubmit",
                "user_prompt_submit",
                "blocks or stops the prompt; adds context",
                "none",
                "user prompt submit",
                context=True,
                exit_2_blocks=True,
                plain_text="context",
                stop_refuses=True,
                stop_ends_turn=True,
            ),
            EventRules(
                "SubagentStart",
                "subagent_start",
                "adds context",
                "agent_type",
                "subagent start",
                context=True,
                plain_text="context",
                stopping="nothing",
            ),
            EventRules(
                "SubagentStop",
                "subagent_stop",
                "makes the sub-agent go on, or ends it",
                "agent_type",
                "subagent stop hook",
                exit_2_blocks=True,
                plain_text="failure",
                stop_ends_turn=True,
            ),
            EventRules(
                "Stop",
                "stop",
                "makes the turn go on, or ends it",
                "none",
                "stop hook",
                exit_2_blocks=True,
                plain_text="failure",
                stop_ends_turn=True,
            ),
            EventRules(
                "Interrupt",
                "interrupt",
                "",
                "none",
                "interrupt hook",
                plain_text="failure",
                stopping="nothing",
                brief=True,
            ),
        )
    }
)
"""Every event by its name, in the order in which the definitions of one source count."""

FAILED_TOOL: Final = "post_tool_use_failure"
"""A tool that failed has a result too."""

NATIVE_EVENTS: tuple[NativeEvent, ...] = tuple(
    NativeEvent(
        name=rules.name,
        canonical=rules.canonical,
        steers=rules.steers,
        also=(FAILED_TOOL,) if rules.name == "PostToolUse" else (),
    )
    for rules in EVENTS.values()
)
"""The same as every dialect declares its events."""

BY_KIND: Mapping[str, EventRules] = MappingProxyType(
    {rules.canonical: rules for rules in EVENTS.values()} | {FAILED_TOOL: EVENTS["PostToolUse"]}
)
"""Canonical kind to event."""

GRAMMAR: Final = Grammar(compile=Pattern, names=re.compile(r"[A-Za-z0-9_|]*"), separators="|")
"""The matcher: names between `|` of ASCII letters, digits and `_`; any other character makes it a pattern."""

MCP_TOOL: Final = "mcp_tool"
HANDLER_TYPES: Final = frozenset({"command", MCP_TOOL})
UNSUPPORTED_TYPES: Final = ("prompt", "agent")
"""Types that are known, whatever their fields, and never run."""

DEFAULT_TIMEOUT: Final = 600
"""Seconds."""
BRIEF_TIMEOUT: Final = 1
"""Seconds a hook of a brief event has without a timeout of its own."""
BRIEF_LIMIT: Final = 3
"""Seconds a hook of a brief event has at most."""
ODD_TIMEOUT: Final = 3600
"""Seconds above which a timeout was probably meant in milliseconds."""
UNSIGNED_LIMIT: Final = 2**64
"""The client reads whole numbers below it."""

TEXT_LIMIT: Final = 2500
"""Tokens of one text of a hook; 0 in the configuration means no limit."""
BYTES_A_TOKEN: Final = 4

OUTPUT_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of one stream that are kept; the client was not seen to have a limit."""

BACKGROUND_WORKERS: Final = 8
"""Asynchronous hooks at work at a time; further ones wait."""

BACKGROUND_GRACE: Final = 0.5
"""Seconds that asynchronous hooks have left when their session ends; the client then kills them."""

NO_PERMISSION_REASON: Final = "PermissionRequest hook denied approval"
"""The client's own reason of a denial that gives none."""


def stopped_without_reason(event: str) -> str:
    """The client's own reason of a stop that gives none."""
    return f"{event} hook stopped execution"
