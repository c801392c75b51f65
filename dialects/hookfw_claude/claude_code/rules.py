"""
The 33 events of Claude Code and the numbers that go with them, as data.

From the contract: its table of events, "Events that decide", the sentences on what is discarded, `onFailure`, timeouts,
sizes and the loop guard. `[O]` there, what the client does, stands before `[D]`, what its reference says.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from hookfw import NativeEvent
from hookfw_claude.matcher import Grammar
from hookfw_claude.patterns_ecmascript import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Decision

DIALECT: Final = "claude-code"

Exit2 = Literal["blocks", "person", "ignored"]
"""What exit status 2 does: it blocks, its standard error is for the person, or nothing."""

Failing = Literal["blocks", "voids", "ignored"]
"""What `onFailure: "block"` does: a failure blocks; it blocks nothing, but JSON at a failing exit is lost; or nothing."""


class EventRules(NamedTuple):
    """
    What one event allows.

    Attributes:
        name: as configuration spells it.
        canonical: kind of the canonical event it answers.
        steers: what its hooks can do, for people.
        matches: the field a matcher looks at; `None` where matchers are ignored and not even checked.
        exit_2: see `Exit2`.
        blocks: `decision: block` counts.
        stops: `continue: false` ends the turn; elsewhere it is ignored.
        refuses: a block keeps what the event announces from happening.
        stop_refuses: a stop does so too.
        block_ends_turn: after a block there is no further model request in this turn.
        feeds_back: the text of a block is what the model is told.
        text_is_context: plain standard output of a hook that ended well is context.
        context: `additionalContext` counts.
        shows: `systemMessage` reaches the person.
        failing: see `Failing`.
        per_call: the event is about one tool call, so `if` rules apply.
        effort: hooks are told the effort.
        permission_mode: hooks are told the permission mode.
        model_handlers: handlers of the types `prompt` and `agent` run.
    """

    name: str
    canonical: str
    steers: str = ""
    matches: str | None = None
    exit_2: Exit2 = "ignored"
    blocks: bool = False
    stops: bool = False
    refuses: bool = False
    stop_refuses: bool = False
    block_ends_turn: bool = False
    feeds_back: bool = False
    text_is_context: bool = False
    context: bool = False
    shows: bool = True
    failing: Failing = "ignored"
    per_call: bool = False
    effort: bool = False
    permission_mode: bool = False
    model_handlers: bool = False

    @property
    def refusal(self) -> Decision:
        """The word for a refusal: a call and a permission are denied, all else is blocked."""
        return "deny" if self.name in ("PreToolUse", "PermissionRequest") else "block"

    @property
    def goes_on(self) -> bool:
        """A block makes the agent go on, with the text of the block as its next instruction."""
        return self.name in ("Stop", "SubagentStop")


_CALL = EventRules(
    "", "", matches="tool_name", per_call=True, effort=True, permission_mode=True, model_handlers=True, stops=True
)
_RESULT = _CALL._replace(exit_2="blocks", blocks=True, feeds_back=True, context=True, failing="blocks")
_PROMPT = EventRules(
    "",
    "",
    exit_2="blocks",
    blocks=True,
    stops=True,
    refuses=True,
    stop_refuses=True,
    text_is_context=True,
    context=True,
    failing="blocks",
    permission_mode=True,
    model_handlers=True,
)
_END = EventRules(
    "",
    "",
    exit_2="blocks",
    blocks=True,
    stops=True,
    refuses=True,
    feeds_back=True,
    context=True,
    effort=True,
    permission_mode=True,
    model_handlers=True,
)
_TEAM = EventRules(
    "",
    "",
    exit_2="blocks",
    blocks=True,
    stops=True,
    refuses=True,
    feeds_back=True,
    permission_mode=True,
    model_handlers=True,
)
_GATE = EventRules("", "", exit_2="blocks", blocks=True, refuses=True, shows=False, failing="blocks")
_OBSERVER = EventRules("", "", shows=False)


def _of(kind: EventRules, name: str, canonical: str, steers: str = "", matches: str | None = None) -> EventRules:
    """An event of a kind; `matches` where it is not the kind's own."""
    return kind._replace(name=name, canonical=canonical, steers=steers, matches=matches or kind.matches)


EVENTS: Mapping[str, EventRules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            EventRules(
                "SessionStart",
                "session_start",
                "adds context; sets variables",
                "source",
                exit_2="person",
                text_is_context=True,
                context=True,
                failing="voids",
            ),
            EventRules("Setup", "setup", "adds context; sets variables", "trigger", exit_2="person", context=True),
            _of(_OBSERVER, "InstructionsLoaded", "instructions_loaded", matches="load_reason"),
            _of(_PROMPT, "UserPromptSubmit", "user_prompt_submit", "blocks or stops the prompt; adds context"),
            _of(
                _PROMPT,
                "UserPromptExpansion",
                "user_prompt_expansion",
                "blocks or stops the expansion; adds context",
                "command_name",
            ),
            _of(_OBSERVER, "MessageDisplay", "message_display", "replaces what is shown"),
            _of(
                _CALL,
                "PreToolUse",
                "pre_tool_use",
                "denies, defers, asks, allows; replaces the input; adds context; ends the turn",
            )._replace(exit_2="blocks", blocks=True, refuses=True, context=True, failing="blocks"),
            _of(_CALL, "PermissionRequest", "permission_request", "allows or denies, the first answer counts")._replace(
                refuses=True, failing="blocks"
            ),
            _of(_CALL, "PermissionDenied", "permission_denied", "lets the model try again"),
            _of(_RESULT, "PostToolUse", "post_tool_use", "tells the model; adds context; ends the turn"),
            _of(_RESULT, "PostToolUseFailure", "post_tool_use_failure", "tells the model; adds context; ends the turn"),
            _of(_RESULT, "PostToolBatch", "post_tool_batch", "ends the turn; adds context")._replace(
                matches=None, per_call=False, feeds_back=False, block_ends_turn=True
            ),
            _of(_OBSERVER, "Notification", "notification", matches="notification_type"),
            EventRules("SubagentStart", "subagent_start", "adds context", "agent_type", exit_2="person", context=True),
            _of(_END, "SubagentStop", "subagent_stop", "makes the sub-agent go on, or ends it", "agent_type"),
            _of(_TEAM, "TaskCreated", "task_created", "rolls the task back")._replace(stops=False, failing="blocks"),
            _of(_TEAM, "TaskCompleted", "task_completed", "keeps the task open; stops the teammate"),
            _of(_END, "Stop", "stop", "makes the turn go on, or ends it"),
            _of(_OBSERVER, "StopFailure", "error", matches="error")._replace(effort=True),
            _of(_TEAM, "TeammateIdle", "teammate_idle", "keeps the teammate working, or stops it"),
            _of(_GATE, "ConfigChange", "config_change", "blocks the change", "source"),
            EventRules("CwdChanged", "cwd_changed", "sets variables and what is watched", exit_2="person"),
            EventRules("DirectoryAdded", "directory_added", matches="source"),
            EventRules(
                "FileChanged", "file_changed", "sets variables and what is watched", "file_path", exit_2="person"
            ),
            _of(_GATE, "WorktreeCreate", "worktree_create", "makes the worktree, and gives its path")._replace(
                blocks=False, exit_2="ignored"
            ),
            _of(_OBSERVER, "WorktreeRemove", "worktree_remove"),
            _of(_GATE, "PreCompact", "pre_compact", "blocks the compaction", "trigger"),
            _of(_OBSERVER, "PostCompact", "post_compact", matches="trigger")._replace(exit_2="person"),
            _of(_GATE, "PreModelSwitch", "pre_model_switch", "blocks the switch, or asks", "to_model")._replace(
                shows=True
            ),
            EventRules("PostModelSwitch", "post_model_switch", "adds context", "to_model", context=True),
            _of(_GATE, "Elicitation", "elicitation", "answers or declines", "mcp_server_name")._replace(
                permission_mode=True
            ),
            _of(
                _GATE, "ElicitationResult", "elicitation_result", "changes or declines the answer", "mcp_server_name"
            )._replace(permission_mode=True),
            _of(_OBSERVER, "SessionEnd", "session_end", matches="reason")._replace(exit_2="person"),
        )
    }
)
"""Every event by its name."""

BY_KIND: Mapping[str, EventRules] = MappingProxyType({rules.canonical: rules for rules in EVENTS.values()})
"""Canonical kind to event."""

NATIVE_EVENTS: tuple[NativeEvent, ...] = tuple(
    NativeEvent(
        name=rules.name,
        canonical=rules.canonical,
        steers=rules.steers,
        also=("post_tool_use",) if rules.name == "PostToolUseFailure" else (),
    )
    for rules in EVENTS.values()
)
"""The same as every dialect declares its events; a `post_tool_use` of a call that failed is a PostToolUseFailure."""

VOIDING_EVENTS: Final = ("PreToolUse", "PermissionRequest")
"""A broken entry under one of these voids the file it stands in: it may guard the permissions beside it."""

GRAMMAR: Final = Grammar(compile=Pattern, names=re.compile(r"[A-Za-z0-9_\- ,|]*"), separators="|,", strip=True)
"""Letters, digits, `_`, `-`, blanks, `,` and `|` make a list of names; anything else is a pattern."""

NARROW_GRAMMAR: Final = Grammar(compile=Pattern, names=re.compile(r"[A-Za-z0-9_|]*"))
"""The same with fewer characters, for the events that kept the older rule."""

NARROW_EVENTS: Final = ("FileChanged", "StopFailure")

HANDLER_TYPES: Final = frozenset({"command", "http", "mcp_tool", "prompt", "agent"})
EARLY_EVENTS: Final = ("SessionStart", "Setup")
"""Events on which `http` handlers do not run."""

DEFAULT_TIMEOUTS: Mapping[str, float] = MappingProxyType(
    {"command": 600, "http": 600, "mcp_tool": 600, "prompt": 30, "agent": 60}
)
"""Seconds, by handler type."""
EVENT_TIMEOUTS: Mapping[str, float] = MappingProxyType({"UserPromptSubmit": 30, "MessageDisplay": 10})
"""Seconds that take the place of 600 on some events."""
LONGEST_TIMEOUT: Final = 1e9
"""Seconds that stand for every longer timeout, whatever number was written."""
ODD_TIMEOUT: Final = 3600
"""Seconds above which a timeout was probably meant in milliseconds."""

SESSION_END: Final = "SessionEnd"
SESSION_END_BUDGET: Final = 1.5
"""Seconds that SessionEnd hooks have together, unless a settings file gives one of them more."""
SESSION_END_LIMIT: Final = 60.0
"""Seconds to which a settings file can raise that."""
SESSION_END_VARIABLE: Final = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"
"""Overrides it, in milliseconds."""

ENV_FILE: Final = "CLAUDE_ENV_FILE"
ENV_FILE_EVENTS: Final = ("SessionStart", "Setup", "CwdChanged", "FileChanged")

BLOCK_CAP: Final = 8
"""Times in a row that the end of a turn may be put off; the next block is overridden."""
BLOCK_CAP_VARIABLE: Final = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"

TEXT_LIMIT: Final = 10_000
"""Characters of a context or message that are passed whole, and of the error a PostToolUseFailure hook is told."""
PREVIEW: Final = 2_000
"""Characters of a longer one that are shown beside the path of the whole."""
TASK_TEXT_LIMIT: Final = 1_000
"""Characters of the texts of background tasks and scheduled prompts."""

OUTPUT_LIMIT: Final = 4 * 1024 * 1024
"""Bytes of each stream that are kept. The client has no limit of its own; a supervisor needs one."""
KILL_GRACE: Final = 1.0
"""Seconds between SIGTERM and SIGKILL."""
