"""Canonical events about sub-agents, tasks, and the files and settings around an agent."""

from __future__ import annotations

from typing import Any, ClassVar

from hookfw.events._base import Event


class SubagentStart(Event):
    """A sub-agent starts."""

    kind: ClassVar[str] = "subagent_start"
    prompt: str | None = None


class SubagentStop(Event):
    """A sub-agent completed, failed or was cancelled, or is about to end its turn."""

    kind: ClassVar[str] = "subagent_stop"
    agent_transcript_path: str | None = None
    result: str | None = None
    status: str | None = None
    stop_hook_active: bool | None = None
    continuation_count: int | None = None
    last_assistant_message: str | None = None
    background_tasks: list[Any] | None = None
    session_crons: list[Any] | None = None


class _TaskFields(Event):
    """The fields of a task on a team's list."""

    task_id: str | None = None
    task_subject: str | None = None
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str | None = None


class TaskCreated(_TaskFields):
    """A task was put on the list."""

    kind: ClassVar[str] = "task_created"


class TaskCompleted(_TaskFields):
    """A task is about to be marked as done."""

    kind: ClassVar[str] = "task_completed"


class TeammateIdle(Event):
    """A teammate is about to go idle."""

    kind: ClassVar[str] = "teammate_idle"
    teammate_name: str | None = None
    team_name: str | None = None


class ModeChange(Event):
    """The agent's mode changed."""

    kind: ClassVar[str] = "mode_change"
    previous_mode: str | None = None


class InstructionsLoaded(Event):
    """An instructions file was loaded."""

    kind: ClassVar[str] = "instructions_loaded"
    file_path: str | None = None
    memory_type: str | None = None
    load_reason: str | None = None
    globs: list[Any] | None = None
    trigger_file_path: str | None = None
    parent_file_path: str | None = None


class ConfigChange(Event):
    """A settings file changed."""

    kind: ClassVar[str] = "config_change"
    source: str | None = None
    file_path: str | None = None


class CwdChanged(Event):
    """The working directory changed."""

    kind: ClassVar[str] = "cwd_changed"
    old_cwd: str | None = None
    new_cwd: str | None = None


class DirectoryAdded(Event):
    """A directory was added to the workspace."""

    kind: ClassVar[str] = "directory_added"
    directory: str | None = None
    source: str | None = None


class FileChanged(Event):
    """A watched or edited file changed."""

    kind: ClassVar[str] = "file_changed"
    file_path: str | None = None


class WorktreeCreate(Event):
    """A worktree is to be made."""

    kind: ClassVar[str] = "worktree_create"
    name: str | None = None


class WorktreeRemove(Event):
    """A worktree is to be removed."""

    kind: ClassVar[str] = "worktree_remove"
    worktree_path: str | None = None
