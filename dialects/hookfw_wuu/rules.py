"""
The thirteen events: what each one's hooks can do.

From the hooks document, the table of events and "Command input and output".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from hookfw import NativeEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "wuu"

CAP: Final = 1_048_576
"""Bytes of standard output and of standard error that a hook may print; one more fails it."""

DEFAULT_TIMEOUT: Final = 30
"""Seconds of a hook without a timeout, or with one that is not positive."""


class EventRules(NamedTuple):
    """
    What the hooks of one event can do.

    Attributes:
        name: the event as configuration spells it.
        kind: the canonical event.
        error: the decision that an error of a hook is, be it a block or a failure; `none` where it is dropped.
        loses: what an error costs, in words that follow "so".
        tool: the event is about a tool, whose name matchers look at.
        rewrites: `updated_input` counts.
        context: `additional_context` counts.
        reads: standard output says something.
        also: further canonical kinds that can fire it.
    """

    name: str
    kind: str
    error: Literal["none", "deny", "block"]
    loses: str
    tool: bool = False
    rewrites: bool = False
    context: bool = False
    reads: bool = True
    also: tuple[str, ...] = ()

    @property
    def steers(self) -> str:
        """What its hooks can do, for people; empty for an observer."""
        can = []
        if self.error != "none":
            can.append("denies" if self.error == "deny" else "blocks")
        if self.rewrites:
            can.append("replaces the input")
        if self.context:
            can.append("adds context")
        return ", ".join(can)


_EVENTS: Final = (
    EventRules("PreToolUse", "pre_tool_use", "deny", "the call is refused", tool=True, rewrites=True),
    EventRules("PermissionRequest", "permission_request", "deny", "the permission is refused", tool=True),
    EventRules("PostToolUse", "post_tool_use", "none", "the tool's result stands", tool=True, context=True),
    EventRules(
        "PostToolUseFailure",
        "post_tool_use_failure",
        "none",
        "the tool's own outcome stands",
        tool=True,
        reads=False,
        also=("post_tool_use",),
    ),
    EventRules("UserPromptSubmit", "user_prompt_submit", "block", "the prompt starts no turn"),
    EventRules("PreCompact", "pre_compact", "block", "nothing is compacted"),
    EventRules("PostCompact", "post_compact", "block", "the compaction is not adopted"),
    EventRules("SubagentStart", "subagent_start", "block", "the sub-agent's start fails"),
    EventRules("SubagentStop", "subagent_stop", "block", "the end of the sub-agent's turn fails"),
    EventRules("SessionStart", "session_start", "block", "the start of the session fails"),
    EventRules("SessionEnd", "session_end", "block", "the clean-up reports it, and completes"),
    EventRules("Stop", "stop", "block", "the turn is marked as failed"),
    EventRules("FileChanged", "file_changed", "none", "the change stands", reads=False),
)

EVENTS: Final[Mapping[str, EventRules]] = MappingProxyType({rules.name: rules for rules in _EVENTS})
"""By the name that configuration has for the event; exactly so."""

BY_KIND: Final[Mapping[str, EventRules]] = MappingProxyType({rules.kind: rules for rules in _EVENTS})

NATIVE_EVENTS: Final = tuple(NativeEvent(rules.name, rules.kind, rules.steers, rules.also) for rules in _EVENTS)

FIELDS: Final = ("matcher", "type", "command", "prompt", "model", "timeout")
"""The fields of an entry, which are read without regard to letter case."""

TYPES: Final = ("command", "prompt")
"""What a hook of this agent can run."""
