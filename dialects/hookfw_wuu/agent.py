"""The agent's side: a program that Wuu runs as its hook reads the call and answers with these."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hookfw import Agent, NativeAnswer
from hookfw_wuu import guest, native_answers, native_calls
from hookfw_wuu.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Event, GuestEntries, GuestRequest, Loss, NativeCall, Outcome


class WuuAgent(Agent):
    """How Wuu speaks to its hooks."""

    name: ClassVar[str] = DIALECT
    forms = native_answers.FORMS
    failing_status: ClassVar[int] = 0

    def parse_event(self, call: NativeCall) -> Event:
        """The canonical event behind a call. Raises `EventError` for a call that names none or cannot be read."""
        return native_calls.parse(call)

    def render(self, event: Event, outcome: Outcome) -> NativeAnswer:
        """Exit code and standard output of a hook."""
        return native_answers.render(event, outcome)

    def can_say(self, event: Event, outcome: Outcome) -> Sequence[Loss]:
        """What that answer leaves out or bends."""
        return native_answers.can_be_said(event, outcome).losses

    def guest_entries(self, request: GuestRequest) -> GuestEntries:
        """What the agent's own file must hold for a guest. Raises `ConfigurationError` for a project."""
        return guest.entries(request)
