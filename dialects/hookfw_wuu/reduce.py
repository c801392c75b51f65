"""
The effects of one firing, reduced.

From the hooks document, "Configure hooks": the row stops at the first error, so there is at most one; of the other single
values the last one given counts; contexts are joined in order, a blank line between them, and an error after them takes none
of them away. Nothing is ever allowed, asked or stopped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import Verdict
from hookfw_wuu.rules import DIALECT, EVENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Done, Event

_NOT_REFUSABLE: Final = ("session_end",)
"""An error of such a hook is reported, and what the event announces happens all the same."""


def reduce(event: Event, done: Sequence[Done]) -> Verdict:
    """The verdict, from effects in configuration order."""
    error = next((item for item in done if item.effect.decision != "none"), None)
    rewrites = [item.effect.updated_input for item in done if item.effect.updated_input is not None]
    context = "\n\n".join(text for item in done for text in item.effect.context)
    return Verdict(
        dialect=DIALECT,
        decision=error.effect.decision if error is not None else "none",
        refused=error is not None and event.kind not in _NOT_REFUSABLE,
        decided_by=error.hook.name if error is not None else None,
        reason=error.effect.reason if error is not None else None,
        updated_input=rewrites[-1] if rewrites else None,
        context=(context,) if context else (),
    )


def reduction(name: str) -> str:
    """How the answers of several hooks of an event become one, in sentences for people."""
    rules = EVENTS[name]
    sentences = ["One after another; the first block or failure ends the row."]
    sentences.append("It is dropped." if rules.error == "none" else f"Then {rules.loses}.")
    if rules.rewrites:
        sentences.append("The last new input stands, and each hook is given the newest.")
    if rules.context:
        sentences.append("Contexts are joined in configuration order, a blank line between them.")
    return " ".join(sentences)
