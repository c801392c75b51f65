"""
The answers that hooks print as JSON: their fields, and how strictly each agent takes them.

An agent says as data which fields an answer may have at the top and in `hookSpecificOutput`, and what becomes of others.
The pydantic models behind it are built when the first hook of an event says something: most say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import getitem
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Fields = Mapping[str, Any]
"""The fields of an object by name, each with the type its value must have; all are optional but those in `Required`."""

Extra = Literal["forbid", "ignore", "report"]
"""What a field that is not declared does: it voids the answer, nothing, or it is ignored and reported."""

SPECIFIC = "hookSpecificOutput"
EVENT_NAME = "hookEventName"


class InvalidAnswerError(ValueError):
    """
    Raised for JSON that is no answer of its agent.

    Attributes:
        detail: what is wrong, in words that follow the name of the field.
        field: the way to the first field that is wrong (`hookSpecificOutput.permissionDecision`); empty for the whole.
    """

    def __init__(self, detail: str, field: str = "") -> None:
        super().__init__(f"{field or 'the answer'}: {detail}")
        self.detail = detail
        self.field = field


class Answer(NamedTuple):
    """
    An answer that is what its agent takes.

    Attributes:
        top: the fields given at the top, by their names on the wire, without `hookSpecificOutput`.
        specific: the fields given inside it, `hookEventName` included; empty where there is none.
        unknown: names of undeclared fields at the top, sorted, where these are reported.
    """

    top: Mapping[str, Any]
    specific: Mapping[str, Any]
    unknown: tuple[str, ...] = ()

    def text(self, field: str) -> str | None:
        """A text at the top; `None` where it is absent or null."""
        value = self.top.get(field)
        return value if isinstance(value, str) else None

    def specific_text(self, field: str) -> str | None:
        """A text inside `hookSpecificOutput`, likewise."""
        value = self.specific.get(field)
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wire:
    """
    What one agent takes for an answer.

    Attributes:
        top: the fields at the top of an event's answer, by native event name, without `hookSpecificOutput`.
        specific: those of `hookSpecificOutput`, without `hookEventName`, for the events that have one.
        required: fields, at either level, that must be there (`PermissionRequest.decision`).
        strict: a value must have the very type; otherwise `"false"` is a boolean and `1` one too.
        extra: undeclared fields at the top.
        extra_specific: undeclared fields further in.
        foreign: a `hookSpecificOutput` for another event that has one is an answer too, and left to the agent.
        null_specific: `hookSpecificOutput` may be null.
    """

    top: Mapping[str, Fields]
    specific: Mapping[str, Fields]
    required: frozenset[str] = frozenset()
    strict: bool = True
    extra: Extra = "forbid"
    extra_specific: Extra = "forbid"
    foreign: bool = False
    null_specific: bool = False

    def read(self, event: str, value: object) -> Answer:
        """The answer that `value` is to a hook of `event`. Raises `InvalidAnswerError`."""
        from pydantic import ValidationError  # noqa: PLC0415 - only where a hook says something

        if not isinstance(value, dict):
            message = f"it must be a JSON object, not {kind_of(value)}"
            raise InvalidAnswerError(message)
        try:
            model = _model(self, event).model_validate(value)
        except ValidationError as error:
            raise InvalidAnswerError(*_first_problem(error)) from None
        given = model.model_dump(exclude_unset=True)
        unknown = tuple(sorted(model.model_extra or ()))
        specific = given.pop(SPECIFIC, None) or {}
        return Answer({key: given[key] for key in given if key not in unknown}, specific, unknown)


def kind_of(value: object) -> str:
    """What a JSON value is, for people."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def closed_object(
    name: str, fields: Fields, *, strict: bool, extra: Extra, required: frozenset[str]
) -> type[BaseModel]:
    """A model of an object with these fields, all optional but the required ones (`<name>.<field>`)."""
    from pydantic import ConfigDict, create_model  # noqa: PLC0415 - only where a hook says something

    config = ConfigDict(extra="allow" if extra == "report" else extra, strict=strict, protected_namespaces=())
    defined: dict[str, Any] = {
        field: (kind, ... if f"{name}.{field}" in required else None) for field, kind in fields.items()
    }
    return create_model(name, __config__=config, **defined)


@cache
def _model(wire: Wire, event: str) -> type[BaseModel]:
    fields = dict(wire.top[event])
    meant = {name: _specific(wire, name) for name in wire.specific if wire.foreign or name == event}
    if meant:
        from pydantic import Field  # noqa: PLC0415 - as above

        kind: Any = getitem(Union, tuple(meant.values()))
        if len(meant) > 1:
            kind = Annotated[kind, Field(discriminator=EVENT_NAME)]
        fields[SPECIFIC] = kind | None if wire.null_specific else kind
    elif wire.null_specific:
        fields[SPECIFIC] = None
    return closed_object(event, fields, strict=wire.strict, extra=wire.extra, required=wire.required)


@cache
def _specific(wire: Wire, event: str) -> type[BaseModel]:
    fields = {EVENT_NAME: Literal[event], **wire.specific[event]}
    required = wire.required | {f"{event}.{EVENT_NAME}"}
    return closed_object(event, fields, strict=wire.strict, extra=wire.extra_specific, required=required)


def _first_problem(error: ValidationError) -> tuple[str, str]:
    """What is wrong, and the field."""
    problem = error.errors(include_url=False)[0]
    steps = [str(step) for step in problem["loc"]]
    if len(steps) > 1 and steps[0] == SPECIFIC and steps[1][:1].isupper():
        # The name of the event by which pydantic chose the model.
        del steps[1]
    return problem["msg"][:1].lower() + problem["msg"][1:], ".".join(steps)
