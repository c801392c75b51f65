"""The agent's side: a program that Claude Code runs as its hook reads the call and answers with these."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hookfw import Agent, NativeAnswer
from hookfw_claude.claude_code import guest, replies
from hookfw_claude.claude_code.calls import CALLS
from hookfw_claude.claude_code.rules import DIALECT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Event, GuestEntries, GuestRequest, Loss, NativeCall, Outcome


class ClaudeCodeAgent(Agent):
    """How Claude Code speaks to its hooks."""

    name: ClassVar[str] = DIALECT
    forms = replies.FORMS
    unawaited: ClassVar[frozenset[str]] = frozenset({"session_end"})

    def parse_event(self, call: NativeCall) -> Event:
        """The canonical event behind a call. Raises `EventError` for a call that names none or cannot be read."""
        return CALLS.parse(call)

    def render(self, event: Event, outcome: Outcome) -> NativeAnswer:
        """What a hook prints, and the status it ends with."""
        return replies.render(event, outcome)

    def can_say(self, event: Event, outcome: Outcome) -> Sequence[Loss]:
        """What that answer leaves out or bends."""
        return replies.can_be_said(event, outcome).losses

    def project(self, call: NativeCall) -> str | None:
        """The project, which a call's working directory may be below of."""
        return call.environ.get("CLAUDE_PROJECT_DIR") or None

    def guest_entries(self, request: GuestRequest) -> GuestEntries:
        """What the agent's own file must hold for a guest."""
        return guest.entries(request)
