"""
The state of a session, and the events that its changes fire.

From the hooks document of 2026-09-29, "Session state transitions": the first state that is seen and any state seen
again are silent.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from hookfw import SessionBusy, SessionIdle, WaitingForUser

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event

STATES: Mapping[str, str] = MappingProxyType(
    {"idle": "session_idle", "in_progress": "session_busy", "waiting": "waiting_for_user"}
)
"""Each state, and the event that entering it fires."""


class SessionStates:
    """The states of one session as its agent observes them."""

    __slots__ = ("_state",)

    def __init__(self) -> None:
        self._state: str | None = None

    @property
    def state(self) -> str | None:
        """The state that was observed last; `None` before the first."""
        return self._state

    def observe(self, state: str, *, reason: str | None = None, last_turn_status: str | None = None) -> Event | None:
        """
        Take note of `state`; gives the event to fire when the session changed into it.

        `reason` says why the agent waits (see `waiting_reason`), `last_turn_status` how the turn before idling ended;
        either is left out of the event when it is not known. Raises `ValueError` for an unknown state.
        """
        if state not in STATES:
            message = f"A session cannot be in the state {state!r}; the states are {', '.join(STATES)}."
            raise ValueError(message)
        before, self._state = self._state, state
        if before is None or before == state:
            return None
        if state == "in_progress":
            return SessionBusy(from_state=before, to_state=state)
        if state == "waiting":
            waiting = WaitingForUser(from_state=before, to_state=state)
            return waiting if reason is None else waiting.replace(reason=reason)
        idle = SessionIdle(from_state=before, to_state=state)
        return idle if last_turn_status is None else idle.replace(last_turn_status=last_turn_status)


def waiting_reason(*, approval: bool, user_input: bool, goal_continuation: bool) -> str | None:
    """Why the agent waits, when several things are open: an approval before a question before a suspended goal."""
    if approval:
        return "approval"
    if user_input:
        return "user_input"
    return "goal_continuation" if goal_continuation else None
