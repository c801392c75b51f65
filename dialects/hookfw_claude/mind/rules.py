"""
The eleven events of Mind and the numbers that go with them, as data.

From the hooks document: the handler table, "Matcher rules and tool names", the paragraph on exit codes and the paragraphs
on each event; subjects of matchers, the meaning of a stop and the bounds of texts also from the public source.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from hookfw import NativeEvent
from hookfw_claude.matcher import Grammar
from hookfw_claude.patterns_python import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "mind"

Subject = Literal["tool", "trigger", "source", "constant", "agent", "none"]
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
        canonical: kind of the canonical event it answers.
        steers: what its hooks can do, for people.
        subject: see `Subject`.
        context: hooks may give `additionalContext`.
        exit_2_blocks: exit status 2 is a decision; otherwise a failure like any other.
        plain_text: see `PlainText`.
        stopping: see `Stopping`.
        stop_refuses: a stop keeps what the event announces from happening.
        stop_ends_turn: after a stop there is no further model request in this turn.
        reads: standard output is looked at.
    """

    name: str
    canonical: str
    steers: str
    subject: Subject
    context: bool = False
    exit_2_blocks: bool = False
    plain_text: PlainText = "ignored"
    stopping: Stopping = "stops"
    stop_refuses: bool = False
    stop_ends_turn: bool = False
    reads: bool = True

    @property
    def continues(self) -> bool:
        """A block is the prompt with which the agent goes on."""
        return self.name in ("Stop", "SubagentStop")

    @property
    def limited(self) -> bool:
        """`additionalContextLimit` means something: hooks give context or a prompt."""
        return self.context or self.continues


EVENTS: Mapping[str, EventRules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            EventRules(
                "PreToolUse",
                "pre_tool_use",
                "denies; replaces the input; adds context",
                "tool",
                context=True,
                exit_2_blocks=True,
                stopping="fails",
            ),
            EventRules(
                "PermissionRequest",
                "permission_request",
                "allows or denies",
                "tool",
                exit_2_blocks=True,
                stopping="fails",
            ),
            EventRules(
                "PostToolUse",
                "post_tool_use",
                "tells the model; adds context",
                "tool",
                context=True,
                exit_2_blocks=True,
            ),
            EventRules("PreCompact", "pre_compact", "stops the compaction", "trigger", stop_refuses=True),
            EventRules(
                "PostCompact",
                "post_compact",
                "stops what would follow",
                "trigger",
                stop_refuses=True,
                stop_ends_turn=True,
            ),
            EventRules(
                "SessionStart",
                "session_start",
                "stops the turn; adds context",
                "source",
                context=True,
                plain_text="context",
                stop_ends_turn=True,
            ),
            EventRules("SessionEnd", "session_end", "", "constant", reads=False),
            EventRules(
                "UserPromptSubmit",
                "user_prompt_submit",
                "blocks or stops the prompt; adds context",
                "none",
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
                "agent",
                context=True,
                plain_text="context",
                stopping="nothing",
            ),
            EventRules(
                "SubagentStop",
                "subagent_stop",
                "makes the sub-agent go on, or ends it",
                "agent",
                exit_2_blocks=True,
                plain_text="failure",
                stop_ends_turn=True,
            ),
            EventRules(
                "Stop",
                "stop",
                "makes the turn go on, or ends it",
                "none",
                exit_2_blocks=True,
                plain_text="failure",
                stop_ends_turn=True,
            ),
        )
    }
)
"""Every event by its name, in the order in which the definitions of one source count."""

NATIVE_EVENTS: tuple[NativeEvent, ...] = tuple(
    NativeEvent(name=rules.name, canonical=rules.canonical, steers=rules.steers) for rules in EVENTS.values()
)
"""The same as every dialect declares its events."""

BY_KIND: Mapping[str, EventRules] = MappingProxyType({rules.canonical: rules for rules in EVENTS.values()})
"""Canonical kind to event."""

GRAMMAR: Final = Grammar(
    compile=Pattern,
    names=re.compile(r"[^\\.^$*+?{}\[\]()]*", re.DOTALL),
    separators="|",
    keep_empty=True,
)
r"""
The matcher: names between `|`, compared as they are, unless one of `\ . ^ $ * + ? { } [ ] ( )` makes it a pattern.

An empty name is the empty value. `-`, `/`, `:` and blanks are letters like others.
"""

HANDLER_TYPES: Final = frozenset({"command", "mcp_tool"})
SUBJECT_VALUES: Mapping[Subject, frozenset[str]] = MappingProxyType(
    {
        "trigger": frozenset({"manual", "auto"}),
        "source": frozenset({"startup", "resume", "clear", "compact"}),
        "constant": frozenset({"other"}),
    }
)
"""Every value of the subjects that have few: a matcher that names none of them never matches."""

UNSUPPORTED_TYPES: Final = ("prompt", "agent")
"""Types that are known and warned about: they count nowhere."""

DEFAULT_TIMEOUT: Final = 600
"""Seconds."""

ODD_TIMEOUT: Final = 3600
"""Seconds above which a timeout was probably meant in milliseconds."""

SESSION_END: Final = "SessionEnd"
SESSION_END_TIMEOUT: Final = 1
"""Seconds a SessionEnd hook has without a timeout of its own."""
SESSION_END_LIMIT: Final = 3
"""Seconds a SessionEnd hook has at most."""

DEFAULT_CONTEXT_LIMIT: Final = 2500
"""Tokens of context of one hook; 0 in the configuration means no limit."""
CHARACTERS_A_TOKEN: Final = 4

REASON_LIMIT: Final = 2000
"""Characters of a reason, but for prompts to go on, which have the context limit."""
SUBAGENT_CONTEXT_LIMIT: Final = 12_000
"""Characters of context that all SubagentStart hooks give together."""
SUBAGENT_CONTINUATIONS: Final = 3
"""Times a sub-agent is made to go on."""
CUT_MARKER: Final = "..."

SPILL_SIZE: Final = 256 * 1024
"""Bytes of one stream above which it also goes to a file of the session."""
OUTPUT_LIMIT: Final = 4 * 1024 * 1024
"""Bytes of one stream that are kept: the longest JSON that is read."""

KILL_GRACE: Final = 0.5
"""Seconds between SIGTERM and SIGKILL."""

PERMISSION_MODES: Final = frozenset({"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"})

NO_PERMISSION_REASON: Final = "A PermissionRequest hook denied this."
"""The reason of a denial that gives none."""
NO_FEEDBACK: Final = "A PostToolUse hook stopped here without saying why."
"""What the model is told by a stop after a tool that says nothing."""


def stopped_without_reason(event: str) -> str:
    """The reason of any other stop that gives none."""
    return f"A {event} hook stopped this without saying why."
