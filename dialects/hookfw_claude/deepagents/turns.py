"""
The turn: how often in a row Stop hooks have kept it going.

From the hooks document, "Continue a turn with Stop". The count belongs to an agent's session; the limit itself is kept
where the hooks' answers are reduced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Stop

if TYPE_CHECKING:
    from hookfw import Outcome


class Turn:
    """
    The current turn of one session.

    Attributes:
        continuations: how often in a row its Stop hooks have kept it going.
    """

    __slots__ = ("continuations",)

    def __init__(self) -> None:
        self.continuations = 0

    def stop(self, last_assistant_message: str) -> Stop:
        """The event to fire when the turn is about to end."""
        return Stop(
            last_assistant_message=last_assistant_message,
            stop_hook_active=self.continuations > 0,
            continuation_count=self.continuations,
        )

    def settle(self, outcome: Outcome) -> str | None:
        """
        The next instruction, for the model as a message of the user; `None` when the turn ends.

        Each continuation counts once; the end of the turn sets the count back.
        """
        if outcome.ends_turn or not outcome.feedback:
            self.continuations = 0
            return None
        self.continuations += 1
        return "\n".join(outcome.feedback)
