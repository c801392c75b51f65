"""
What Wuu tells a hook, read back into a canonical event.

From the hooks document, "Command input and output": one JSON object on standard input. An empty `session_id` or `cwd` is
one that is not known. Names and inputs of tools stay as the call has them; what is not known here is kept in `native`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import hookfw
from hookfw import EventError, text
from hookfw_wuu.notes import did_you_mean, quoted
from hookfw_wuu.rules import BY_KIND, EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event, NativeCall

_FIELDS: Final[Mapping[str, str]] = {
    "session_id": "session_id",
    "cwd": "cwd",
    "tool_name": "tool_name",
    "tool_input": "tool_input",
    "tool_response": "tool_response",
    "error": "error",
    "prompt": "prompt",
    "file_path": "file_path",
    "compact_reason": "trigger",
    "agent_id": "agent_id",
}
"""The fields of Wuu's payloads, and what the canonical event calls them."""

_UNKNOWN_WHEN_EMPTY: Final = ("session_id", "cwd")


def parse(call: NativeCall) -> Event:
    """
    The canonical event behind a call that Wuu makes to a hook.

    Raises `EventError` when the call names no event of Wuu's, or when something in it cannot be read.
    """
    told = text.parse_json_object(text.decode(call.stdin))
    if told is None:
        message = "Standard input is no JSON object, as a hook of Wuu is given one; give it the call as it was made."
        raise EventError(message)
    name = _event_name(told.pop("hook_event_name", None) or call.event_hint)
    event: type[Event] = getattr(hookfw, name)
    fields: dict[str, Any] = {}
    native: dict[str, Any] = {}
    for given, value in told.items():
        canonical = _FIELDS.get(given)
        if canonical is None or canonical not in event.model_fields:
            native[given] = value
        elif not (given in _UNKNOWN_WHEN_EMPTY and value == ""):
            fields[canonical] = value
    if native:
        fields["native"] = native
    try:
        return event(**fields)
    except ValueError as error:
        message = f"The {name} call of Wuu holds a value of the wrong type: {_first_problem(error)}."
        raise EventError(message) from None


def _event_name(name: object) -> str:
    if not isinstance(name, str):
        message = "This call does not say which event of Wuu it is for: it has no text `hook_event_name`."
        raise EventError(message)
    if name in EVENTS:
        return name
    if name in BY_KIND:
        return BY_KIND[name].name
    hint = did_you_mean(name, EVENTS) or "; see `hookfw events`."
    message = f"Wuu has no event {quoted(name)}{hint}"
    raise EventError(message)


def _first_problem(error: ValueError) -> str:
    """Where pydantic first found something wrong, without the value."""
    found: list[dict[str, Any]] = error.errors() if hasattr(error, "errors") else []
    return f"{'.'.join(map(str, found[0]['loc']))}: {found[0]['msg']}" if found else type(error).__name__
