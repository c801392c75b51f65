"""
The canonical events: one frozen model for each kind of thing that happens in an agent's life.

A class is imported when it is named, not before.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType, UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin

from hookfw.errors import EventError, UnknownEventError
from hookfw.text import scrub_value

if TYPE_CHECKING:
    from hookfw.events._base import Event
    from hookfw.events.calls import PermissionDenied, PermissionRequest, PreToolUse, ShellEnv
    from hookfw.events.prompts import (
        Elicitation,
        ElicitationResult,
        MessageDisplay,
        Notification,
        PostModelRequest,
        PostModelSwitch,
        PreModelRequest,
        PreModelSwitch,
        UserPromptExpansion,
        UserPromptSubmit,
    )
    from hookfw.events.results import Error, PostToolBatch, PostToolUse, PostToolUseFailure
    from hookfw.events.sessions import (
        Interrupt,
        PostCompact,
        PreCompact,
        SessionBusy,
        SessionEnd,
        SessionError,
        SessionIdle,
        SessionStart,
        Setup,
        Stop,
        TurnEnd,
        WaitingForUser,
    )
    from hookfw.events.work import (
        ConfigChange,
        CwdChanged,
        DirectoryAdded,
        FileChanged,
        InstructionsLoaded,
        ModeChange,
        SubagentStart,
        SubagentStop,
        TaskCompleted,
        TaskCreated,
        TeammateIdle,
        WorktreeCreate,
        WorktreeRemove,
    )

_MODULES = {
    "_base": ("Event",),
    "sessions": (
        "SessionStart",
        "SessionEnd",
        "Setup",
        "SessionIdle",
        "SessionBusy",
        "SessionError",
        "WaitingForUser",
        "PreCompact",
        "PostCompact",
        "Stop",
        "TurnEnd",
        "Interrupt",
    ),
    "prompts": (
        "UserPromptSubmit",
        "UserPromptExpansion",
        "MessageDisplay",
        "PreModelRequest",
        "PostModelRequest",
        "PreModelSwitch",
        "PostModelSwitch",
        "Notification",
        "Elicitation",
        "ElicitationResult",
    ),
    "calls": ("PreToolUse", "PermissionRequest", "PermissionDenied", "ShellEnv"),
    "results": ("PostToolUse", "PostToolUseFailure", "PostToolBatch", "Error"),
    "work": (
        "SubagentStart",
        "SubagentStop",
        "TaskCreated",
        "TaskCompleted",
        "TeammateIdle",
        "ModeChange",
        "InstructionsLoaded",
        "ConfigChange",
        "CwdChanged",
        "DirectoryAdded",
        "FileChanged",
        "WorktreeCreate",
        "WorktreeRemove",
    ),
}
MODULE_OF: Mapping[str, str] = MappingProxyType(
    {name: f"hookfw.events.{module}" for module, names in _MODULES.items() for name in names}
)
"""Class name to the module that defines it."""


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


CLASS_OF: Mapping[str, str] = MappingProxyType({_snake(name): name for name in MODULE_OF if name != "Event"})
"""Kind to class name, all canonical events."""

KINDS: tuple[str, ...] = tuple(CLASS_OF)
"""The canonical event names."""


def event_class(kind: str) -> type[Event]:
    """The class of a canonical event name. Raises `UnknownEventError`."""
    name = CLASS_OF.get(kind)
    if name is None:
        message = f"There is no event named {kind!r}."
        raise UnknownEventError(message)
    found: type[Event] = getattr(importlib.import_module(MODULE_OF[name]), name)
    return found


def parse_event(kind: str, fields: Mapping[str, Any]) -> tuple[Event, tuple[str, ...]]:
    """
    Make an event from canonical fields.

    Returns the event and the names of fields that it does not have. Raises `UnknownEventError` for an unknown kind and
    `EventError` for a field of the wrong type.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - heavy, and needed only here

    cls = event_class(kind)
    known = {name: scrub_value(value) for name, value in fields.items() if name in cls.model_fields}
    unknown = tuple(name for name in fields if name not in known)
    if all(_fits(cls.model_fields[name].annotation, value) for name, value in known.items()):
        # Nothing to convert and nothing to refuse: no validator is built, which costs as much as two empty Pythons.
        return cls.model_construct(**known), unknown
    try:
        return cls(**known), unknown
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
            for item in error.errors(include_url=False, include_input=False)
        )
        message = f"The event {kind} cannot be made from what was given: {problems}."
        raise EventError(message) from None


def _fits(annotation: Any, value: Any) -> bool:
    """`value` is exactly of a type that `annotation` allows, so that validating it would change nothing."""
    choices = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    return Any in choices or type(value) in {get_origin(choice) or choice for choice in choices}


def __getattr__(name: str) -> Any:
    module = MODULE_OF.get(name)
    if module is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


__all__ = [
    "CLASS_OF",
    "KINDS",
    "MODULE_OF",
    "ConfigChange",
    "CwdChanged",
    "DirectoryAdded",
    "Elicitation",
    "ElicitationResult",
    "Error",
    "Event",
    "FileChanged",
    "InstructionsLoaded",
    "Interrupt",
    "MessageDisplay",
    "ModeChange",
    "Notification",
    "PermissionDenied",
    "PermissionRequest",
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
    "SessionBusy",
    "SessionEnd",
    "SessionError",
    "SessionIdle",
    "SessionStart",
    "Setup",
    "ShellEnv",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "TurnEnd",
    "UserPromptExpansion",
    "UserPromptSubmit",
    "WaitingForUser",
    "WorktreeCreate",
    "WorktreeRemove",
    "event_class",
    "parse_event",
]
