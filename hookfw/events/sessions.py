"""Canonical events about sessions, their states and their turns."""

from __future__ import annotations

from typing import Any, ClassVar

from hookfw.events._base import Event


class SessionStart(Event):
    """A session begins, or begins again after a resume, a clear or a compaction."""

    kind: ClassVar[str] = "session_start"
    source: str | None = None
    session_title: str | None = None


class SessionEnd(Event):
    """A session ends."""

    kind: ClassVar[str] = "session_end"
    reason: str | None = None


class Setup(Event):
    """An agent prepares itself, outside any conversation."""

    kind: ClassVar[str] = "setup"
    trigger: str | None = None


class _Transition(Event):
    """The fields of a change of the session's state."""

    from_state: str | None = None
    to_state: str | None = None


class SessionIdle(_Transition):
    """A session comes back to idle."""

    kind: ClassVar[str] = "session_idle"
    last_turn_status: str | None = None


class SessionBusy(_Transition):
    """An idle or waiting session starts or resumes work."""

    kind: ClassVar[str] = "session_busy"


class WaitingForUser(_Transition):
    """The agent begins to wait for the person."""

    kind: ClassVar[str] = "waiting_for_user"
    reason: str | None = None


class SessionError(Event):
    """A turn ended in a failure that nothing absorbed."""

    kind: ClassVar[str] = "session_error"
    status: str | None = None
    error: str | None = None


class TurnEnd(Event):
    """A turn is over and the state after it is settled."""

    kind: ClassVar[str] = "turn_end"
    status: str | None = None
    error: str | None = None
    duration_ms: int | float | None = None
    usage: dict[str, Any] | None = None
    totals: dict[str, Any] | None = None
    tool_count: int | None = None
    queued_message_count: int | None = None
    stop_hook_active: bool | None = None


class Stop(Event):
    """The agent is about to end its turn."""

    kind: ClassVar[str] = "stop"
    stop_hook_active: bool | None = None
    continuation_count: int | None = None
    last_assistant_message: str | None = None
    background_tasks: list[Any] | None = None
    session_crons: list[Any] | None = None


class Interrupt(Event):
    """The person interrupts the agent."""

    kind: ClassVar[str] = "interrupt"


class PreCompact(Event):
    """Before the conversation is compacted."""

    kind: ClassVar[str] = "pre_compact"
    trigger: str | None = None
    reason: str | None = None
    custom_instructions: str | None = None


class PostCompact(Event):
    """After the conversation was compacted."""

    kind: ClassVar[str] = "post_compact"
    trigger: str | None = None
    reason: str | None = None
    compact_summary: str | None = None
    error: str | None = None
