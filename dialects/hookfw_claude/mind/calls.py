"""
What Mind tells a hook, read back into a canonical event.

From the paragraph on standard input of the hooks document and the fields of each event in the public source. Names and
inputs of tools stay as the call has them: canonical for the shell tools already. What is not known here is kept in the
event's `native`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import hookfw
from hookfw import EventError, text
from hookfw_claude.mind.payloads import FIELDS
from hookfw_claude.mind.problems import did_you_mean, quoted
from hookfw_claude.mind.rules import BY_KIND, EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event, NativeCall

_COMMON = ("session_id", "transcript_path", "cwd")
_CLASSES: Mapping[str, type[Event]] = MappingProxyType({name: getattr(hookfw, name) for name in EVENTS})
"""The events have the same names here and there."""


def parse(call: NativeCall) -> Event:
    """
    The canonical event behind a call that Mind makes to a hook.

    Raises `EventError` when the call names no event of Mind, or when something in it cannot be read.
    """
    told = text.parse_json_object(text.decode(call.stdin))
    if told is None:
        message = "Standard input is no JSON object, as a hook of Mind is given one; give it the call as it was made."
        raise EventError(message)
    name = _event_name(told.pop("hook_event_name", call.event_hint))
    known = (*_COMMON, *FIELDS[name])
    fields: dict[str, Any] = {field: told[field] for field in known if field in told}
    extra = {field: value for field, value in told.items() if field not in known}
    if extra:
        fields["native"] = extra
    try:
        return _CLASSES[name](**fields)
    except ValueError as error:
        message = f"The {name} call of Mind holds a value of the wrong type: {_first_problem(error)}."
        raise EventError(message) from None


def _event_name(name: object) -> str:
    if not isinstance(name, str):
        message = "This call does not say which event of Mind it is for: it has no text `hook_event_name`."
        raise EventError(message)
    if name in EVENTS:
        return name
    if name in BY_KIND:
        return BY_KIND[name].name
    message = f"Mind has no event {quoted(name)}{did_you_mean(name, EVENTS) or '; see `hookfw events`.'}"
    raise EventError(message)


def _first_problem(error: ValueError) -> str:
    """Where pydantic first found something wrong, without the value."""
    found: list[dict[str, Any]] = error.errors() if hasattr(error, "errors") else []
    return f"{'.'.join(map(str, found[0]['loc']))}: {found[0]['msg']}" if found else type(error).__name__
