"""Forms: what hooks of an agent can say on an event, as data; and an outcome that is sayable so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.agent import Loss
    from hookfw.outcome import Outcome

PARAGRAPH = "\n\n"
"""Between the texts of several hooks where a form has one place for all."""

ENDS = ("stop", "subagent_stop")
"""The events that happen without an answer, and that only feedback puts off."""

CALLS = ("pre_tool_use", "permission_request")
"""The events whose input can be replaced."""

PROMPTS = ("user_prompt_submit", "user_prompt_expansion")
"""The events whose prompt can be replaced."""


class Form(NamedTuple):
    """
    What hooks of one agent can say on one event.

    Attributes:
        refuses: a refusal.
        stops: the end of the turn.
        stop_refuses: the end of the turn is a refusal as well.
        allows: that the agent need not ask.
        asks: a question: `said`, or `silence` where the agent asks without an answer.
        defers: that the call waits.
        rewrites: a new input: `said`, or `allowed` where only beside an allow.
        prompt: a new prompt: `said`, or `context` where it is context and the old one is kept out of sight.
        suppresses: to keep the prompt out of sight: `said`, or `refused` where only beside a refusal.
        context: texts for the model: `said`, or `going` where only what goes ahead has them.
        feedback: what the model is told: `said`, or `refusing` where it is the text of a refusal.
        tells_stop: a stop of which the model is told, and after which the turn goes on, has a word of its own.
        messages: texts for the person.
        sequences: escape sequences for the person's terminal.
        env: variables.
        native: keys of `native`.
    """

    refuses: bool = False
    stops: bool = False
    stop_refuses: bool = False
    allows: bool = False
    asks: Literal["", "said", "silence"] = ""
    defers: bool = False
    rewrites: Literal["", "said", "allowed"] = ""
    prompt: Literal["", "said", "context"] = ""
    suppresses: Literal["", "said", "refused"] = ""
    context: Literal["", "said", "going"] = ""
    feedback: Literal["", "said", "refusing"] = ""
    tells_stop: bool = False
    messages: bool = False
    sequences: bool = False
    env: bool = False
    native: frozenset[str] = frozenset()


DEAF = Form()
"""The form of an event that an agent does not have, or whose hooks it does not listen to."""


class Nearest(NamedTuple):
    """
    An outcome as an agent's form can say it.

    Attributes:
        outcome: it asks for nothing that the form does not have. `reason` is the text of a refusal, a question or an
            allow, `stop_reason` that of an end of the turn; blank texts are none. `decision` is the word to say:
            `stop` beside `refused` false and `ends_turn` false is the stop of which the model is only told. `asks` is the
            question to say, also beside the end of the turn.
        losses: what was bent or left out.
    """

    outcome: Outcome
    losses: Sequence[Loss]


def with_losses(found: Nearest, *losses: Loss, **changes: Any) -> Nearest:
    """`found` with further losses, of fields that had none, and with other values in its outcome."""
    named = {loss.field for loss in found.losses}
    more = [loss for loss in losses if loss.field not in named]
    return Nearest(replace(found.outcome, **changes) if changes else found.outcome, [*found.losses, *more])
