"""
hookfw: one supervisor for the lifecycle hooks of every coding agent.

The names are here; the modules behind them load on use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hookfw import text
    from hookfw._version import __version__
    from hookfw.agent import Agent, AgentInfo, Loss, NativeAnswer, NativeCall
    from hookfw.background import Executor
    from hookfw.diagnostics import Diagnostic, Severity
    from hookfw.dialect import (
        Dialect,
        DialectInfo,
        Done,
        Edit,
        Invocation,
        NativeEvent,
        Reading,
        Review,
        Row,
        Session,
        Step,
    )
    from hookfw.errors import (
        ClosedError,
        ConfigurationError,
        EventError,
        HookfwError,
        PatternTimeoutError,
        PluginError,
        TrustError,
        UnknownDialectError,
        UnknownEventError,
    )
    from hookfw.events import (
        ConfigChange,
        CwdChanged,
        DirectoryAdded,
        Elicitation,
        ElicitationResult,
        Error,
        Event,
        FileChanged,
        InstructionsLoaded,
        Interrupt,
        MessageDisplay,
        ModeChange,
        Notification,
        PermissionDenied,
        PermissionRequest,
        PostCompact,
        PostModelRequest,
        PostModelSwitch,
        PostToolBatch,
        PostToolUse,
        PostToolUseFailure,
        PreCompact,
        PreModelRequest,
        PreModelSwitch,
        PreToolUse,
        SessionBusy,
        SessionEnd,
        SessionError,
        SessionIdle,
        SessionStart,
        Setup,
        ShellEnv,
        Stop,
        SubagentStart,
        SubagentStop,
        TaskCompleted,
        TaskCreated,
        TeammateIdle,
        TurnEnd,
        UserPromptExpansion,
        UserPromptSubmit,
        WaitingForUser,
        WorktreeCreate,
        WorktreeRemove,
    )
    from hookfw.handlers import HandlerType
    from hookfw.hooks import (
        TRUSTED,
        DialectHooks,
        Hook,
        HookSet,
        HookState,
        Loaded,
        Predicate,
        Rejected,
        Source,
        Trust,
    )
    from hookfw.hookspecs import CommandInfo, DemoInfo, hookimpl
    from hookfw.host import Host
    from hookfw.outcome import (
        NO_EFFECT,
        Answer,
        Decision,
        Effect,
        Outcome,
        Rewrite,
        Run,
        RunStatus,
        Skipped,
        Verdict,
        Write,
    )
    from hookfw.process import Ended, Kill
    from hookfw.redaction import redact
    from hookfw.sources import Document, FileRead, FileView, Places, Scope
    from hookfw.spelling import Field, Spelled, Tool, ToolTable
    from hookfw.supervisor import Supervisor, open_sync
    from hookfw.sync import SyncSupervisor
    from hookfw.toml_files import BrokenTomlError, entry_lines, parse_toml

_NAMES = {
    "_version": ("__version__",),
    "agent": ("Agent", "AgentInfo", "Loss", "NativeAnswer", "NativeCall"),
    "background": ("Executor",),
    "diagnostics": ("Diagnostic", "Severity"),
    "dialect": (
        "Dialect",
        "DialectInfo",
        "Done",
        "Edit",
        "Invocation",
        "NativeEvent",
        "Reading",
        "Review",
        "Row",
        "Session",
        "Step",
    ),
    "errors": (
        "ClosedError",
        "ConfigurationError",
        "EventError",
        "HookfwError",
        "PatternTimeoutError",
        "PluginError",
        "TrustError",
        "UnknownDialectError",
        "UnknownEventError",
    ),
    "handlers": ("HandlerType",),
    "hooks": (
        "TRUSTED",
        "DialectHooks",
        "Hook",
        "HookSet",
        "HookState",
        "Loaded",
        "Predicate",
        "Rejected",
        "Source",
        "Trust",
    ),
    "hookspecs": ("CommandInfo", "DemoInfo", "hookimpl"),
    "host": ("Host",),
    "outcome": (
        "NO_EFFECT",
        "Answer",
        "Decision",
        "Effect",
        "Outcome",
        "Rewrite",
        "Run",
        "RunStatus",
        "Skipped",
        "Verdict",
        "Write",
    ),
    "process": ("Ended", "Kill"),
    "redaction": ("redact",),
    "sources": ("Document", "FileRead", "FileView", "Places", "Scope"),
    "spelling": ("Field", "Spelled", "Tool", "ToolTable"),
    "supervisor": ("Supervisor", "open_sync"),
    "sync": ("SyncSupervisor",),
    "toml_files": ("BrokenTomlError", "entry_lines", "parse_toml"),
}
__all__ = [
    "NO_EFFECT",
    "TRUSTED",
    "Agent",
    "AgentInfo",
    "Answer",
    "BrokenTomlError",
    "ClosedError",
    "CommandInfo",
    "ConfigChange",
    "ConfigurationError",
    "CwdChanged",
    "Decision",
    "DemoInfo",
    "Diagnostic",
    "Dialect",
    "DialectHooks",
    "DialectInfo",
    "DirectoryAdded",
    "Document",
    "Done",
    "Edit",
    "Effect",
    "Elicitation",
    "ElicitationResult",
    "Ended",
    "Error",
    "Event",
    "EventError",
    "Executor",
    "Field",
    "FileChanged",
    "FileRead",
    "FileView",
    "HandlerType",
    "Hook",
    "HookSet",
    "HookState",
    "HookfwError",
    "Host",
    "InstructionsLoaded",
    "Interrupt",
    "Invocation",
    "Kill",
    "Loaded",
    "Loss",
    "MessageDisplay",
    "ModeChange",
    "NativeAnswer",
    "NativeCall",
    "NativeEvent",
    "Notification",
    "Outcome",
    "PatternTimeoutError",
    "PermissionDenied",
    "PermissionRequest",
    "Places",
    "PluginError",
    "PostCompact",
    "PostModelRequest",
    "PostModelSwitch",
    "PostToolBatch",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PreModelRequest",
    "PreModelSwitch",
    "PreToolUse",
    "Predicate",
    "Reading",
    "Rejected",
    "Review",
    "Rewrite",
    "Row",
    "Run",
    "RunStatus",
    "Scope",
    "Session",
    "SessionBusy",
    "SessionEnd",
    "SessionError",
    "SessionIdle",
    "SessionStart",
    "Setup",
    "Severity",
    "ShellEnv",
    "Skipped",
    "Source",
    "Spelled",
    "Step",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "Supervisor",
    "SyncSupervisor",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "Tool",
    "ToolTable",
    "Trust",
    "TrustError",
    "TurnEnd",
    "UnknownDialectError",
    "UnknownEventError",
    "UserPromptExpansion",
    "UserPromptSubmit",
    "Verdict",
    "WaitingForUser",
    "WorktreeCreate",
    "WorktreeRemove",
    "Write",
    "__version__",
    "entry_lines",
    "hookimpl",
    "open_sync",
    "parse_toml",
    "redact",
    "text",
]
_WHERE = dict.fromkeys(__all__, "hookfw.events") | {
    name: f"hookfw.{module}" for module, names in _NAMES.items() for name in names
}


def __getattr__(name: str) -> Any:
    if name == "text":
        return importlib.import_module("hookfw.text")
    module = _WHERE.get(name)
    if module is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
