"""The contract of an agent's side: how that agent speaks to its own hooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from hookfw.events import Event
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


class Loss(NamedTuple):
    """Something an outcome says that an agent's form cannot: the field, and what becomes of it."""

    field: str
    message: str


class Agent(ABC):
    """The other half of an ecosystem: reads its native calls, writes its native answers. Pure."""

    name: ClassVar[str]

    @abstractmethod
    def parse_event(self, call: NativeCall) -> Event:
        """The canonical event behind a native call. Raises `hookfw.EventError` for a call that names none."""

    @abstractmethod
    def render(self, event: Event, outcome: Outcome) -> NativeAnswer:
        """The outcome as this agent expects it from a hook."""

    @abstractmethod
    def can_say(self, event: Event, outcome: Outcome) -> Sequence[Loss]:
        """What `render` has to leave out or degrade."""


class AgentInfo(NamedTuple):
    """A light description of an agent's side; registering it loads nothing."""

    name: str
    title: str
    load: Callable[[], Agent]
