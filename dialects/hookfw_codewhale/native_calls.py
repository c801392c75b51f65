"""
What Codewhale tells a hook, read back into a canonical event.

The variables of section "Environment variables" and the documents of the hooks document of 2026-09-29. A hook is told
less than happened: texts are previews, and several events say nothing but their session. What was not told is absent
from the event; what was cut is marked in its `native`, so that nobody rewrites from half a text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hookfw import (
    Error,
    EventError,
    ModeChange,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionBusy,
    SessionEnd,
    SessionError,
    SessionIdle,
    SessionStart,
    ShellEnv,
    SubagentStart,
    SubagentStop,
    TurnEnd,
    UserPromptSubmit,
    WaitingForUser,
    text,
)
from hookfw_codewhale.documents import STATE_OF
from hookfw_codewhale.environment import RECEIPT
from hookfw_codewhale.native import EVENTS
from hookfw_codewhale.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Event, NativeCall

Fields = dict[str, Any]

TOOL_ARGS_PREVIEW = "tool_args_preview"
"""Key in `native` of an event whose tool input was cut and cannot be read."""

PROMPT_CUT = "text_truncated"
"""Key in `native` of an event whose prompt is only the beginning of the person's."""

_CANONICAL = {spec.canonical: spec.name for spec in EVENTS.values()} | {"post_tool_use_failure": "tool_call_after"}
_EVENT_OF_STATE = {state: event for event, state in STATE_OF.items()}
_CLASSES: Mapping[str, type[Event]] = {
    "session_start": SessionStart,
    "session_end": SessionEnd,
    "turn_end": TurnEnd,
    "message_submit": UserPromptSubmit,
    "tool_call_before": PreToolUse,
    "tool_call_after": PostToolUse,
    "mode_change": ModeChange,
    "on_error": Error,
    "subagent_spawn": SubagentStart,
    "subagent_complete": SubagentStop,
    "shell_env": ShellEnv,
    "session_idle": SessionIdle,
    "session_error": SessionError,
    "waiting_for_user": WaitingForUser,
    "session_busy": SessionBusy,
}


def parse(call: NativeCall) -> Event:
    """
    The canonical event behind a call that Codewhale makes to a hook.

    Raises `EventError` when the call names no event of Codewhale, or when something in it cannot be read.
    """
    told = _document(call.stdin)
    native_event = _event_name(call.event_hint, told)
    fields = _session(native_event, call.environ, told)
    read = _READERS.get(native_event)
    if read is not None:
        fields.update(read(call.environ, told))
    given = {name: value for name, value in fields.items() if value is not None}
    cls = _CLASSES[native_event]
    if native_event == "tool_call_after" and given.get("tool_success") is False:
        cls = PostToolUseFailure
    try:
        return cls(**given)
    except ValueError as error:
        message = f"The {native_event} call of Codewhale holds a value of the wrong type: {_first_problem(error)}."
        raise EventError(message) from None


def _document(stdin: bytes) -> Fields:
    printed = text.decode(stdin)
    if not printed.strip():
        return {}
    told = text.parse_json_object(printed)
    if told is None:
        message = (
            "Standard input is no JSON object, as a hook of Codewhale is given one; give it the call as it was made."
        )
        raise EventError(message)
    return told


def _event_name(hint: str | None, told: Fields) -> str:
    """The document names its event; state documents are known by their keys; else the hint must say."""
    name = told.get("event", hint)
    if name is None:
        name = _by_its_keys(told)
    if not isinstance(name, str):
        message = "This call does not say which event of Codewhale it is for; name the event, such as tool_call_before."
        raise EventError(message)
    found = name if name in EVENTS else _CANONICAL.get(name)
    if found is None:
        message = f"Codewhale has no event {quoted(name)}{did_you_mean(name, EVENTS) or '; see `hookfw events`.'}"
        raise EventError(message)
    return found


def _by_its_keys(told: Fields) -> str | None:
    if "from" in told and isinstance(told.get("to"), str):
        return _EVENT_OF_STATE.get(told["to"])
    return "session_error" if set(told) == {"status", "error"} else None


def _session(native_event: str, environ: Mapping[str, str], told: Fields) -> Fields:
    """What every call says of its session, but the narrow one of `shell_env`."""
    if native_event == "shell_env":
        return {}
    known: Fields = {
        "session_id": environ.get("DEEPSEEK_SESSION_ID"),
        "workspace": environ.get("DEEPSEEK_WORKSPACE"),
        "model": environ.get("DEEPSEEK_MODEL"),
        "mode": environ.get("DEEPSEEK_MODE"),
        "session_cost": _number("DEEPSEEK_SESSION_COST", environ, float),
        "total_tokens": None,
    }
    if native_event != "tool_call_before":
        known["total_tokens"] = _number("DEEPSEEK_TOTAL_TOKENS", environ, int)
    return known | {name: told[name] for name in known if told.get(name) is not None}


def _prompt(environ: Mapping[str, str], told: Fields) -> Fields:
    prompt = told.get("text", environ.get("DEEPSEEK_MESSAGE"))
    cut = told.get("text_truncated") is True
    if "text" not in told and isinstance(prompt, str):
        cut = prompt.endswith(text.ASCII_MARKER)
    return {"prompt": prompt, "native": {PROMPT_CUT: True} if cut else None}


def _call(environ: Mapping[str, str], told: Fields) -> Fields:
    del told
    fields: Fields = {
        "tool_name": environ.get("DEEPSEEK_TOOL_NAME"),
        "tool_use_id": environ.get("DEEPSEEK_TOOL_CALL_ID"),
    }
    arguments = environ.get("DEEPSEEK_TOOL_ARGS")
    if arguments is not None:
        try:
            fields["tool_input"] = json.loads(arguments)
        except (ValueError, RecursionError):
            # Cut at 10,000 bytes: what is left is kept for people to see and for Codewhale's own hooks.
            fields["native"] = {TOOL_ARGS_PREVIEW: arguments}
    return fields


def _shell_env(environ: Mapping[str, str], told: Fields) -> Fields:
    return {name: value for name, value in _call(environ, told).items() if name != "tool_use_id"}


def _result(environ: Mapping[str, str], told: Fields) -> Fields:
    success = environ.get("DEEPSEEK_TOOL_SUCCESS")
    if success not in (None, "true", "false"):
        message = f"DEEPSEEK_TOOL_SUCCESS must be true or false, not {quoted(success or '')}."
        raise EventError(message)
    return {
        "tool_name": environ.get("DEEPSEEK_TOOL_NAME"),
        "tool_use_id": environ.get("DEEPSEEK_TOOL_CALL_ID"),
        "tool_response": environ.get("DEEPSEEK_TOOL_RESULT"),
        "tool_success": None if success is None else success == "true",
        "tool_exit_code": _number("DEEPSEEK_TOOL_EXIT_CODE", environ, int),
        "tool_status": environ.get("DEEPSEEK_TOOL_STATUS"),
        "execution": _execution(environ, told),
    }


def _execution(environ: Mapping[str, str], told: Fields) -> Fields | None:
    """The evidence in a receipt. The document tells how the run ended; the variable leaves some of that to its status."""
    receipt = told.get("execution_receipt")
    if not isinstance(receipt, dict):
        variable = environ.get(RECEIPT)
        if variable is None:
            return None
        receipt = text.parse_json_object(variable)
        if receipt is None:
            message = f"{RECEIPT} is no JSON object; leave the variable as Codewhale set it."
            raise EventError(message)
        receipt = receipt | {"completion": _completion(receipt, environ), "output_mode": receipt.get("output_kind")}
    copied = ("command", "cwd", "completion", "exit_code", "stdout", "stderr", "stdout_truncated", "stderr_truncated")
    return {name: receipt.get(name) for name in copied} | {
        "output_kind": receipt.get("output_mode"),
        "scope": "local",
        "background": False,
        "pty": False,
    }


def _completion(receipt: Fields, environ: Mapping[str, str]) -> str:
    if receipt.get("state") == "completed":
        return "completed" if receipt.get("exit_code") in (0, None) else "failed"
    return "timed_out" if environ.get("DEEPSEEK_TOOL_STATUS") == "timed_out" else "killed"


def _error(environ: Mapping[str, str], told: Fields) -> Fields:
    fields: Fields = {"error": environ.get("DEEPSEEK_ERROR")}
    return fields | _result(environ, told) if "DEEPSEEK_TOOL_NAME" in environ else fields


def _mode_change(environ: Mapping[str, str], told: Fields) -> Fields:
    del told
    return {"previous_mode": environ.get("DEEPSEEK_PREVIOUS_MODE")}


def _spawn(environ: Mapping[str, str], told: Fields) -> Fields:
    return _subagent("prompt", environ, told)


def _complete(environ: Mapping[str, str], told: Fields) -> Fields:
    return _subagent("result", environ, told) | {"status": told.get("status")}


def _subagent(field: str, environ: Mapping[str, str], told: Fields) -> Fields:
    cut = f"{field}_truncated"
    return {
        "agent_id": told.get("agent_id"),
        field: told.get(f"{field}_preview", environ.get("DEEPSEEK_MESSAGE")),
        "native": {cut: True} if told.get(cut) is True else None,
    }


def _turn_end(environ: Mapping[str, str], told: Fields) -> Fields:
    del environ
    copied = (
        "created_at",
        "provider",
        "turn_id",
        "status",
        "error",
        "duration_ms",
        "tool_count",
        "queued_message_count",
        "stop_hook_active",
    )
    fields: Fields = {name: told.get(name) for name in copied}
    for name in ("usage", "totals"):
        if isinstance(told.get(name), dict):
            fields[name] = {key: value for key, value in told[name].items() if value is not None} or None
    extra = ("model_backed", "billing_surface")
    fields["native"] = {name: told[name] for name in extra if told.get(name) is not None} or None
    return fields


def _transition(environ: Mapping[str, str], told: Fields) -> Fields:
    del environ
    return {"from_state": told.get("from"), "to_state": told.get("to")}


def _idle(environ: Mapping[str, str], told: Fields) -> Fields:
    return _transition(environ, told) | {"last_turn_status": told.get("last_turn_status")}


def _waiting(environ: Mapping[str, str], told: Fields) -> Fields:
    return _transition(environ, told) | {"reason": told.get("reason")}


def _session_error(environ: Mapping[str, str], told: Fields) -> Fields:
    del environ
    return {"status": told.get("status"), "error": told.get("error")}


def _number(name: str, environ: Mapping[str, str], kind: Callable[[str], Any]) -> Any:
    value = environ.get(name)
    if value is None:
        return None
    try:
        return kind(value)
    except ValueError:
        message = f"{name} must be a number, not {quoted(value)}."
        raise EventError(message) from None


def _first_problem(error: ValueError) -> str:
    """Where pydantic first found something wrong, without the value."""
    found = error.errors() if hasattr(error, "errors") else []
    return f"{'.'.join(map(str, found[0]['loc']))}: {found[0]['msg']}" if found else type(error).__name__


_READERS: Mapping[str, Callable[[Mapping[str, str], Fields], Fields]] = {
    "message_submit": _prompt,
    "tool_call_before": _call,
    "shell_env": _shell_env,
    "tool_call_after": _result,
    "on_error": _error,
    "mode_change": _mode_change,
    "subagent_spawn": _spawn,
    "subagent_complete": _complete,
    "turn_end": _turn_end,
    "session_idle": _idle,
    "session_busy": _transition,
    "waiting_for_user": _waiting,
    "session_error": _session_error,
}
