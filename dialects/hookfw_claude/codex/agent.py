"""The agent's side: a program that Codex runs as its hook reads the call and answers with these."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hookfw import Agent, NativeAnswer
from hookfw_claude.codex import guest
from hookfw_claude.codex.answers import SPEECH
from hookfw_claude.codex.calls import CALLS
from hookfw_claude.codex.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Event, GuestEntries, GuestRequest, Loss, NativeCall, Outcome


class CodexAgent(Agent):
    """How Codex speaks to its hooks."""

    name: ClassVar[str] = DIALECT
    forms = SPEECH.forms
    unawaited: ClassVar[frozenset[str]] = frozenset({"session_end", "interrupt"})

    def parse_event(self, call: NativeCall) -> Event:
        """The canonical event behind a call. Raises `EventError` for a call that names none or cannot be read."""
        return CALLS.parse(call)

    def render(self, event: Event, outcome: Outcome) -> NativeAnswer:
        """Standard output of a hook, which ends with status 0."""
        return SPEECH.render(event, outcome)

    def can_say(self, event: Event, outcome: Outcome) -> Sequence[Loss]:
        """What that answer leaves out or bends."""
        return SPEECH.nearest(event, outcome).losses

    def guest_entries(self, request: GuestRequest) -> GuestEntries:
        """What the agent's own file must hold for a guest."""
        return guest.entries(request)
