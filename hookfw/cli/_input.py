"""From what a person gives on the command line to an event."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw.diagnostics import Diagnostic
from hookfw.errors import EventError, UnknownEventError
from hookfw.events import KINDS, parse_event
from hookfw.text import closest, decode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw.events import Event
    from hookfw.host import Host

_STDIN = "-"
_LIMIT = 64 * 1024 * 1024


class Given(NamedTuple):
    """
    The event that was asked for.

    Attributes:
        event: the event.
        diagnostics: fields that it does not have.
    """

    event: Event
    diagnostics: tuple[Diagnostic, ...]


def read_fields(source: str | None) -> dict[str, Any]:
    """
    The JSON object in the file `source`, `-` for standard input; no fields without a source.

    Raises `EventError` for a file that cannot be read, is too long or holds anything but JSON (with line and column),
    and for JSON that is no object.
    """
    if source is None:
        return {}
    name = "Standard input" if source == _STDIN else source
    text = read_text(source)
    if not text.strip():
        message = f"{name} is empty; write one JSON object with the event's fields, if only {{}}."
        raise EventError(message)
    try:
        fields = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        message = f"{name} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        raise EventError(message) from None
    except RecursionError:
        message = f"{name} is nested too deeply to be an event."
        raise EventError(message) from None
    except _NumberError as error:
        message = f"{name} cannot be used: {error}."
        raise EventError(message) from None
    except ValueError:
        # The interpreter's own limit, in whose words nobody else can do anything.
        message = f"{name} cannot be used: a number in it has too many digits; write it as a text."
        raise EventError(message) from None
    if not isinstance(fields, dict):
        message = f"{name} holds {_KINDS_OF_JSON[type(fields)]}, not an object; write {{…}} with the event's fields."
        raise EventError(message)
    return fields


def read_text(source: str, wanted: str = "one JSON object") -> str:
    """
    The text of the file `source`, `-` for standard input; `wanted` is what messages say it should hold.

    Raises `EventError` for one that cannot be read or is too long.
    """
    data = _read_stdin(wanted) if source == _STDIN else _read(source, wanted)
    if len(data) > _LIMIT:
        name = "Standard input" if source == _STDIN else source
        message = f"{name} is longer than {_LIMIT:,} bytes; cut it down."
        raise EventError(message)
    return decode(data)


_KINDS_OF_JSON = {
    list: "a JSON array",
    str: "a JSON string",
    int: "a JSON number",
    float: "a JSON number",
    bool: "a JSON boolean",
    type(None): "a JSON null",
}


class _NumberError(ValueError):
    """Raised inside the parser for a number that is no JSON, or none that a hook could be given."""


def _refuse(constant: str) -> None:
    # Python reads NaN and Infinity, which are no JSON: what is made of the event for hooks would be none either.
    message = f"{constant} is no JSON"
    raise _NumberError(message)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        message = f"the number {text:.20} is too large"
        raise _NumberError(message)
    return number


def _read_stdin(wanted: str) -> bytes:
    if sys.stdin is None:
        message = f"Standard input is closed; name a file that holds {wanted}."
        raise EventError(message)
    return sys.stdin.buffer.read(_LIMIT + 1)


def _read(source: str, wanted: str) -> bytes:
    if not source:
        message = f"The input is named by an empty text; name a file that holds {wanted}."
        raise EventError(message)
    path = Path(source)
    try:
        with path.open("rb") as stream:
            return stream.read(_LIMIT + 1)
    except IsADirectoryError:
        problem = f"is a directory; name a file that holds {wanted}"
    except FileNotFoundError:
        broken = "is a link to a file that does not exist; restore its target"
        problem = broken if path.is_symlink() else f"does not exist; name a file that holds {wanted}"
    except PermissionError:
        problem = "cannot be read: permission denied; make it readable for you"
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
    message = f"{source} {problem}."
    raise EventError(message)


def make_event(
    name: str | None, fields: Mapping[str, Any], host: Host, dialects: Sequence[str] | None, source: str | None
) -> Given:
    """
    The event `name`, or the one that `fields` name under `event`, with the other fields.

    `dialects` are those whose native names count first; `source` names the input in messages. Raises `EventError` where
    no event or two different ones are named, and `UnknownEventError`.
    """
    rest = dict(fields)
    inner = rest.pop("event", None)
    if inner is not None and not isinstance(inner, str):
        message = f"The event must be named by a text, not by {_json(inner)}; `hookfw events` lists the names."
        raise EventError(message)
    if name is None and inner is None:
        message = 'No event is named: give EVENT, or "event" in the input; `hookfw events` lists the names.'
        raise EventError(message)
    kinds = {resolve_event(given, host, dialects) for given in (name, inner) if given is not None}
    if len(kinds) > 1:
        message = f"The argument asks for {name} and the input for {inner}; leave one of them out."
        raise EventError(message)
    event, unknown = parse_event(kinds.pop(), rest)
    return Given(event, tuple(_unknown_field(event, field, source) for field in unknown))


def resolve_event(name: str, host: Host, dialects: Sequence[str] | None) -> str:
    """
    The canonical name behind a canonical or native event name.

    Native names of `dialects` count, of all installed dialects without them. Raises `UnknownEventError`, which says
    which name was probably meant, and `EventError` for a native name that means different things.
    """
    if name in KINDS:
        return name
    natives: dict[str, set[str]] = {}
    for dialect in host.loadable_dialects(dialects).values():
        for native in dialect.events:
            natives.setdefault(native.name, set()).add(native.canonical)
    kinds = sorted(natives.get(name, ()))
    if not kinds:
        close = closest(name, [*KINDS, *natives])
        meant = f"did you mean {close!r}?" if close else "`hookfw events` lists the names there are."
        message = f"There is no event named {name!r}: {meant}"
        raise UnknownEventError(message)
    if len(kinds) > 1:
        message = f"The name {name!r} means {' or '.join(kinds)}, by dialect; give the canonical name, or --dialect."
        raise EventError(message)
    return kinds[0]


def _unknown_field(event: Event, field: str, source: str | None) -> Diagnostic:
    close = closest(field, type(event).model_fields)
    meant = f"did you mean {close!r}?" if close else 'what only one agent knows belongs under "native".'
    return Diagnostic(
        "unknown-field",
        "warning",
        f"The event {event.kind} has no field {field!r}, so it was left out: {meant}",
        file=None if source == _STDIN else source,
        entry=field,
    )


def _json(value: Any) -> str:
    return json.dumps(value)[:40]
