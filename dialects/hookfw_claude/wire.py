"""
The answers that hooks print as JSON: their fields, and how strictly each agent takes them.

An agent says as data which fields an answer may have at the top and in `hookSpecificOutput`, and what becomes of others.
The pydantic models behind it are built when the first hook of an event says something: most say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import getitem
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Fields = Mapping[str, Any]
"""
The fields of an object by name; all are optional but those that `Wire.required` names.

Each has the type its value must have, `Fields` of its own for an object, `OrNull` or `OneOf`.
"""

Extra = Literal["forbid", "ignore", "report"]
"""What a field that is not declared does: it voids the answer, nothing, or it is ignored and reported."""

SPECIFIC = "hookSpecificOutput"
EVENT_NAME = "hookEventName"


class OneOf(NamedTuple):
    """
    An object of one of several shapes.

    Attributes:
        field: the field that tells the shape.
        shapes: the other fields, by the value of that one.
    """

    field: str
    shapes: Mapping[str, Fields]


class OrNull(NamedTuple):
    """An object of these fields, or null."""

    fields: Fields


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
        any_event: a `hookSpecificOutput` may name any event, also one that has none; its fields are those of the event at
            hand, and an event without such fields takes none, not even null.
    """

    top: Mapping[str, Fields]
    specific: Mapping[str, Fields]
    required: frozenset[str] = frozenset()
    strict: bool = True
    extra: Extra = "forbid"
    extra_specific: Extra = "forbid"
    foreign: bool = False
    null_specific: bool = False
    any_event: bool = False

    def read(self, event: str, value: object) -> Answer:
        """The answer that `value` is to a hook of `event`. Raises `InvalidAnswerError`."""
        from pydantic import ValidationError  # noqa: PLC0415 - only where a hook says something

        if not isinstance(value, dict):
            message = f"it must be a JSON object, not {kind_of(value)}"
            raise InvalidAnswerError(message)
        try:
            model = _model(self, event).model_validate(value)
        except ValidationError as error:
            raise InvalidAnswerError(*_first_problem(value, error)) from None
        given = model.model_dump(exclude_unset=True)
        unknown = tuple(sorted(model.model_extra or ()))
        specific = given.pop(SPECIFIC, None) or {}
        return Answer({key: given[key] for key in given if key not in unknown}, specific, unknown)


def kind_of(value: object) -> str:
    """What a JSON value is, for people."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


@cache
def _model(wire: Wire, event: str) -> type[BaseModel]:
    """The model of an event's answers."""
    fields = dict(wire.top[event])
    shapes = {name: shape for name, shape in wire.specific.items() if wire.foreign or name == event}
    if wire.any_event:
        if event in wire.specific:
            fields[SPECIFIC] = _tagged(wire, event, EVENT_NAME, tuple(wire.top), wire.specific[event]) | None
    elif shapes:
        kind = _one_of(wire, "", OneOf(EVENT_NAME, shapes))
        fields[SPECIFIC] = kind | None if wire.null_specific else kind
    elif wire.null_specific:
        fields[SPECIFIC] = None
    return _object(wire, "", fields, wire.extra)


def _object(wire: Wire, name: str, fields: Fields, extra: Extra) -> type[BaseModel]:
    """The model of an object; `name` stands before its fields in `Wire.required`."""
    from pydantic import ConfigDict, create_model  # noqa: PLC0415 - only where a hook says something

    config = ConfigDict(extra="allow" if extra == "report" else extra, strict=wire.strict, protected_namespaces=())
    defined: dict[str, Any] = {
        field: (_kind(wire, f"{name}.{field}", kind), ... if f"{name}.{field}" in wire.required else None)
        for field, kind in fields.items()
    }
    return create_model(name or "Answer", __config__=config, **defined)


def _kind(wire: Wire, name: str, kind: Any) -> Any:
    """The type of a field, for pydantic."""
    if isinstance(kind, OneOf):
        return _one_of(wire, name, kind)
    if isinstance(kind, OrNull):
        return _object(wire, name, kind.fields, wire.extra_specific) | None
    if isinstance(kind, Mapping):
        return _object(wire, name, kind, wire.extra_specific)
    return kind


def _one_of(wire: Wire, name: str, choice: OneOf) -> Any:
    """The union of several shapes, told apart by one field that must be there."""
    from pydantic import Field  # noqa: PLC0415 - as above

    models = [
        _tagged(wire, f"{name}:{word}" if name else word, choice.field, (word,), fields)
        for word, fields in choice.shapes.items()
    ]
    if len(models) == 1:
        return models[0]
    return Annotated[getitem(Union, tuple(models)), Field(discriminator=choice.field)]


def _tagged(wire: Wire, name: str, field: str, words: tuple[str, ...], fields: Fields) -> Any:
    """The model of an object with a field that must be there and be one of `words`."""
    from pydantic import create_model  # noqa: PLC0415 - as above

    tag: dict[str, Any] = {field: (Literal[words], ...)}
    return create_model(name, __base__=_object(wire, name, fields, wire.extra_specific), **tag)


def _first_problem(value: object, error: ValidationError) -> tuple[str, str]:
    """What is wrong with an answer, and the field."""
    problem = error.errors(include_url=False)[0]
    message = problem["msg"][:1].lower() + problem["msg"][1:]
    context = problem.get("ctx", {})
    discriminator = str(context.get("discriminator", "")).strip("'")
    match problem["type"]:
        case "union_tag_not_found":
            message = f"it has no `{discriminator}`"
        case "union_tag_invalid":
            message = f"its `{discriminator}` must be one of {context['expected_tags']}, not {context['tag']!r}"
    return message, _way(value, problem["loc"], missing=problem["type"] == "missing")


def _way(value: Any, steps: Sequence[str | int], *, missing: bool) -> str:
    """The way to a field, without the words by which pydantic chose a shape: those are no keys of the answer."""
    way = []
    for at, step in enumerate(steps):
        inside = step in value if isinstance(value, dict) else isinstance(value, list) and isinstance(step, int)
        if inside:
            value = value[step]
        elif not missing or at < len(steps) - 1:
            continue
        way.append(str(step))
    return ".".join(way)
