"""
hookfw: one supervisor for the lifecycle hooks of every coding agent.

The names are here; the modules behind them load on use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hookfw import patterns, portable, text
    from hookfw._version import __version__
    from hookfw.agent import Agent, AgentInfo, Becomes, Loss, NativeAnswer, NativeCall
    from hookfw.background import Executor
    from hookfw.diagnostics import Diagnostic, Severity
    from hookfw.dialect import (
        Delivery,
        Dialect,
        DialectInfo,
        Done,
        Edit,
        Invocation,
        NativeEvent,
        Queue,
        Reading,
        Review,
        Row,
        Session,
        Step,
    )
    from hookfw.errors import (
        ClosedError,
        ConfigurationError,
        ConversionError,
        EventError,
        HookfwError,
        ModelError,
        OrderError,
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
    from hookfw.explaining import ExplainedDialect, ExplainedHook, ExplainedRow, Explanation
    from hookfw.guests.entries import GuestEntries, GuestEntry, GuestRequest
    from hookfw.handlers import HandlerCall, HandlerType, HandlerTypeInfo
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
    from hookfw.json_files import BrokenJsonError, parse_json
    from hookfw.modes.degrade import nearest
    from hookfw.modes.forms import DEAF, Form, Nearest, with_losses
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
    from hookfw.portable import Conversion
    from hookfw.process import Ended, Kill, failed, not_started
    from hookfw.processes.lasting import Lasting
    from hookfw.redaction import redact
    from hookfw.requests import (
        AgentClient,
        AgentRequest,
        HttpRequest,
        ModelClient,
        ModelClientInfo,
        ModelRequest,
        ServerSpec,
        ToolCaller,
        ToolRequest,
        ToolResult,
        url_problem,
        visible_url,
    )
    from hookfw.resources import Closable, Resources
    from hookfw.sessions.on_asyncio import AgentSession
    from hookfw.sessions.plain import SyncAgentSession
    from hookfw.sessions.results import (
        CallResult,
        CompactResult,
        FinishResult,
        Permission,
        PermissionQuestion,
        PromptResult,
        StepResult,
        ToolOutput,
    )
    from hookfw.settings import ModelSettings, config_dir
    from hookfw.sources import Document, FileRead, FileView, Places, Scope
    from hookfw.spelling import Field, Spelled, Tool, ToolTable
    from hookfw.supervisor import Supervisor, open_sync
    from hookfw.sync import SyncSupervisor
    from hookfw.toml_files import BrokenTomlError, entry_lines, parse_toml

__all__ = [
    "DEAF",
    "NO_EFFECT",
    "TRUSTED",
    "Agent",
    "AgentClient",
    "AgentInfo",
    "AgentRequest",
    "AgentSession",
    "Answer",
    "Becomes",
    "BrokenJsonError",
    "BrokenTomlError",
    "CallResult",
    "Closable",
    "ClosedError",
    "CommandInfo",
    "CompactResult",
    "ConfigChange",
    "ConfigurationError",
    "Conversion",
    "ConversionError",
    "CwdChanged",
    "Decision",
    "Delivery",
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
    "ExplainedDialect",
    "ExplainedHook",
    "ExplainedRow",
    "Explanation",
    "Field",
    "FileChanged",
    "FileRead",
    "FileView",
    "FinishResult",
    "Form",
    "GuestEntries",
    "GuestEntry",
    "GuestRequest",
    "HandlerCall",
    "HandlerType",
    "HandlerTypeInfo",
    "Hook",
    "HookSet",
    "HookState",
    "HookfwError",
    "Host",
    "HttpRequest",
    "InstructionsLoaded",
    "Interrupt",
    "Invocation",
    "Kill",
    "Lasting",
    "Loaded",
    "Loss",
    "MessageDisplay",
    "ModeChange",
    "ModelClient",
    "ModelClientInfo",
    "ModelError",
    "ModelRequest",
    "ModelSettings",
    "NativeAnswer",
    "NativeCall",
    "NativeEvent",
    "Nearest",
    "Notification",
    "OrderError",
    "Outcome",
    "PatternTimeoutError",
    "Permission",
    "PermissionDenied",
    "PermissionQuestion",
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
    "PromptResult",
    "Queue",
    "Reading",
    "Rejected",
    "Resources",
    "Review",
    "Rewrite",
    "Row",
    "Run",
    "RunStatus",
    "Scope",
    "ServerSpec",
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
    "StepResult",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "Supervisor",
    "SyncAgentSession",
    "SyncSupervisor",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "Tool",
    "ToolCaller",
    "ToolOutput",
    "ToolRequest",
    "ToolResult",
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
    "config_dir",
    "entry_lines",
    "failed",
    "hookimpl",
    "nearest",
    "not_started",
    "open_sync",
    "parse_json",
    "parse_toml",
    "patterns",
    "portable",
    "redact",
    "text",
    "url_problem",
    "visible_url",
    "with_losses",
]


def __getattr__(name: str) -> Any:
    from hookfw._exports import WHERE  # noqa: PLC0415 - importing hookfw loads nothing of it

    module = WHERE.get(name, "hookfw.events" if name in __all__ else None)
    if module is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    found = importlib.import_module(module)
    value = globals()[name] = found if module == f"hookfw.{name}" else getattr(found, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
