"""
What an answer asks for on an event.

From the hooks document, the table of events: `updated_input` counts before a tool, `additional_context` after one that
succeeded; an error refuses, or is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Effect

if TYPE_CHECKING:
    from hookfw_wuu.answers import Answer
    from hookfw_wuu.rules import EventRules


def effect_of(rules: EventRules, answer: Answer, reason: str | None = None) -> Effect:
    """The effect of an answer; with a reason it is an error, which some events drop. What it says beside it is kept."""
    refuses = reason is not None and rules.error != "none"
    return Effect(
        decision=rules.error if refuses else "none",
        reason=reason if refuses else None,
        updated_input=answer.updated_input if rules.rewrites else None,
        context=(answer.context,) if rules.context and answer.context else (),
    )
