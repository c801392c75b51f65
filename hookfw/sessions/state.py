"""What a session remembers between its steps: its state, its turn, and how often hooks kept the turn going."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from hookfw.errors import EventError, OrderError
from hookfw.events import parse_event

if TYPE_CHECKING:
    from hookfw.events import Event

State = Literal["idle", "in_progress", "waiting"]
"""What a session is doing, in the words of the events that tell of it."""

STATES: Mapping[State, str] = MappingProxyType(
    {"idle": "session_idle", "in_progress": "session_busy", "waiting": "waiting_for_user"}
)
"""Each state, and the event that entering it fires."""

LASTING = frozenset({"session_start", "setup", "cwd_changed", "file_changed"})
"""Events whose variables hold for every later shell command."""

_NOW: Mapping[str, str] = MappingProxyType(
    {
        "new": "the session has not started: call start() first",
        "idle": "no turn is under way: call submit() first",
        "turn": "a turn is under way: call finish(), fail() or interrupt() first",
        "ended": "the session has ended: call start() to begin anew",
    }
)


class Phases:
    """
    Which step a session may take next.

    Attributes:
        now: `new`, `idle`, `turn` or `ended`; the name of the step while one runs that no other may run beside.
    """

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = "new"

    def demand(self, step: str, *allowed: str) -> None:
        """Raises `OrderError` where `step` cannot be taken now."""
        if self.now not in allowed:
            because = _NOW.get(self.now, f"{self.now}() has not returned yet: wait for it")
            message = f"{step}() cannot be called now, because {because}."
            raise OrderError(message)

    @contextmanager
    def alone(self, step: str, *allowed: str) -> Iterator[None]:
        """Take `step` with no other beside it; unless it says what now is, all is as it was before."""
        self.demand(step, *allowed)
        before, self.now = self.now, step
        try:
            yield
        finally:
            if self.now == step:
                self.now = before


class Continuations:
    """
    How often in a row hooks kept something going that wanted to end.

    Attributes:
        count: so many times; `stop_hook_active` is true above 0.

    Hooks that never let go are a loop that only costs money, so it has two ends: a number of times, and hooks that say
    what they said before although no tool was called since.
    """

    __slots__ = ("_last", "_limit", "count")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._last: tuple[str, int] | None = None
        self.count = 0

    @property
    def fields(self) -> dict[str, Any]:
        """What the event that announces the end tells of it."""
        return {"stop_hook_active": self.count > 0, "continuation_count": self.count}

    def refusal(self, text: str, tools: int) -> str | None:
        """Why not to go on with `text` after `tools` tool calls in all; `None` counts one more continuation."""
        if self.count >= self._limit:
            return f"hooks have put off the end {self.count} times in a row, which is the limit"
        if self._last == (text, tools):
            return "the hooks say the same again, and no tool was called in between"
        self._last = (text, tools)
        self.count += 1
        return None


class Turn:
    """
    One turn, from a prompt to its end.

    Attributes:
        began: time of the clock when it began, in seconds.
        fields: what its events tell of it.
        continuations: how often hooks kept it going.
        tools: calls that were made.
        open_calls: those that have not returned.
        questions: that the person has not answered.
        ended: a hook ended it: there is no further model request.
    """

    __slots__ = ("began", "continuations", "ended", "fields", "open_calls", "questions", "tools")

    def __init__(self, began: float, fields: Mapping[str, Any], limit: int) -> None:
        self.began = began
        self.fields = fields
        self.continuations = Continuations(limit)
        self.tools = self.open_calls = self.questions = 0
        self.ended = False


def make_event(kind: str, known: Mapping[str, Any], extra: Mapping[str, Any], beside: tuple[str, ...] = ()) -> Event:
    """
    An event of one step: what is known, and the agent's own fields.

    What is known is taken as it is: this is the path of every tool call. Each event of a step takes the extra fields it
    has. Raises `EventError` for one that neither this event nor one `beside` it in the step has, or of the wrong type.
    """
    blank = _blank(kind)
    if extra:
        fields = type(blank).model_fields
        unknown = [name for name in extra if not any(name in type(_blank(at)).model_fields for at in (kind, *beside))]
        if unknown:
            message = (
                f"The event {kind} has no field {', '.join(map(repr, unknown))}: put what only hooks of one ecosystem "
                "read into `native`."
            )
            raise EventError(message)
        own = parse_event(kind, {name: value for name, value in extra.items() if name in fields})[0]
        known = {**known, **own.given}
    event = blank.replace(**known)
    if "native" not in known:
        event.__dict__["native"] = {}  # its own: no two events share one, and none counts as given
    return event


@cache
def _blank(kind: str) -> Event:
    """An event of this kind without a field."""
    return parse_event(kind, {})[0]
