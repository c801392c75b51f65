"""The contract of an agent's side: how that agent speaks to its own hooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

if TYPE_CHECKING:
    from hookfw.events import Event
    from hookfw.guests.entries import GuestEntries, GuestRequest
    from hookfw.modes.forms import Form
    from hookfw.outcome import Outcome


class NativeCall(NamedTuple):
    """
    A call that an agent makes to a hook.

    Attributes:
        event_hint: the native event name, where the call itself does not say it.
        argv: arguments after the program.
        environ: the hook's environment.
        stdin: bytes of its standard input.
    """

    event_hint: str | None = None
    argv: tuple[str, ...] = ()
    environ: Mapping[str, str] = MappingProxyType({})
    stdin: bytes = b""


class NativeAnswer(NamedTuple):
    """What a hook gives back to its agent."""

    exit_code: int = 0
    stdout: bytes = b""
    stderr: bytes = b""


Becomes = Literal["refusal", "stop", "silence", "context", "feedback", "reason", "prompt", "message", "part", "nothing"]
"""
What becomes of something that cannot be said: a refusal, the end of the turn, what happens without an answer; context,
feedback, a part of the reason or of the prompt, a message to the person; a part of itself, or nothing.
"""


class Loss(NamedTuple):
    """
    Something an outcome says that an agent's form cannot.

    Attributes:
        field: the field of the outcome.
        message: why, and what becomes of it, without a full stop.
        becomes: what becomes of it.
    """

    field: str
    message: str
    becomes: Becomes = "nothing"


class Agent(ABC):
    """The other half of an ecosystem: reads its native calls, writes its native answers. Pure."""

    name: ClassVar[str]
    forms: ClassVar[Mapping[str, Form]] = MappingProxyType({})
    """What hooks can say, by canonical kind of event; `nearest` degrades by it, and the documentation shows it."""

    failing_status: ClassVar[int] = 1
    """The exit status of a hook that failed, whose standard error the agent shows or keeps, and that refuses nothing."""
    unawaited: ClassVar[frozenset[str]] = frozenset()
    """Canonical kinds of events after which the agent does not wait long enough for hooks to end."""

    @abstractmethod
    def parse_event(self, call: NativeCall) -> Event:
        """The canonical event behind a native call. Raises `hookfw.EventError` for a call that names none."""

    @abstractmethod
    def render(self, event: Event, outcome: Outcome) -> NativeAnswer:
        """The outcome as this agent expects it from a hook."""

    @abstractmethod
    def can_say(self, event: Event, outcome: Outcome) -> Sequence[Loss]:
        """What `render` leaves out or degrades: each field of the outcome once."""

    def project(self, call: NativeCall) -> str | None:
        """The project that a call is about, where its environment names it. The default: it does not."""
        del call
        return None

    def guest_entries(self, request: GuestRequest) -> GuestEntries | None:
        """
        What the agent's own file must hold for a guest. The default: it is not known where that would be.

        Raises `ConfigurationError` where the request cannot be met, with the remedy.
        """
        del request
        return None


class AgentInfo(NamedTuple):
    """A light description of an agent's side; registering it loads nothing."""

    name: str
    title: str
    load: Callable[[], Agent]
