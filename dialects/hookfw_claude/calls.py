"""
What an agent of the family tells a hook, read back into a canonical event.

Which events an agent has, and which fields each of them, stands in the agent's `Calls`. Names and inputs of tools stay as
the call has them. What is not known here is kept in the event's `native`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import hookfw
from hookfw import EventError, text
from hookfw_claude.problems import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hookfw import Event, NativeCall

_COMMON = ("session_id", "transcript_path", "cwd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """
    The calls that one agent makes.

    Attributes:
        agent: its name, for sentences.
        fields: the fields of each event beside the common ones, by native event name, which is also the name of the
            canonical event's class.
        kinds: canonical kind to native event name.
        renamed: fields that the canonical event has under another name.
        classes: native event name to the name of the canonical event's class, where it is another.
        values: how the value of a field is read, where it is not taken as it is, by the field's native name.
    """

    agent: str
    fields: Mapping[str, Iterable[str]]
    kinds: Mapping[str, str]
    renamed: Mapping[str, str] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    def parse(self, call: NativeCall) -> Event:
        """
        The canonical event behind a call that the agent makes to a hook.

        Raises `EventError` when the call names no event of the agent, or when something in it cannot be read.
        """
        told = text.parse_json_object(text.decode(call.stdin))
        if told is None:
            message = f"Standard input is no JSON object, as a hook of {self.agent} is given one; give it the call as it was made."
            raise EventError(message)
        name = self._event_name(told.pop("hook_event_name", call.event_hint))
        event: type[Event] = getattr(hookfw, self.classes.get(name, name))
        known = {given: self.renamed.get(given, given) for given in (*_COMMON, *self.fields[name])}
        fields: dict[str, Any] = {}
        native: dict[str, Any] = {}
        for given, value in told.items():
            canonical = known.get(given)
            if canonical in event.model_fields:
                fields[canonical] = self.values[given](value) if given in self.values else value
            else:
                native[given] = value
        if native:
            fields["native"] = native
        try:
            return event(**fields)
        except ValueError as error:
            message = f"The {name} call of {self.agent} holds a value of the wrong type: {_first_problem(error)}."
            raise EventError(message) from None

    def _event_name(self, name: object) -> str:
        if not isinstance(name, str):
            message = f"This call does not say which event of {self.agent} it is for: it has no text `hook_event_name`."
            raise EventError(message)
        if name in self.fields:
            return name
        if name in self.kinds:
            return self.kinds[name]
        hint = did_you_mean(name, self.fields) or "; see `hookfw events`."
        message = f"{self.agent} has no event {quoted(name)}{hint}"
        raise EventError(message)


def _first_problem(error: ValueError) -> str:
    """Where pydantic first found something wrong, without the value."""
    found: list[dict[str, Any]] = error.errors() if hasattr(error, "errors") else []
    return f"{'.'.join(map(str, found[0]['loc']))}: {found[0]['msg']}" if found else type(error).__name__
