"""
What an asynchronous command gives once it has ended.

As seen with codex-cli 0.171.0: context for the model and a message for the person, of a run that ended well; nothing it decides
counts, and of one that failed the model hears nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Delivery
from hookfw_claude.codex.output import RefusedError, effect_of, read
from hookfw_claude.codex.rules import EVENTS
from hookfw_claude.codex.spill import tokens_of, truncated
from hookfw_claude.failures import note

if TYPE_CHECKING:
    from hookfw import Diagnostic, Ended, Hook


def delivery(hook: Hook, ended: Ended) -> Delivery | None:
    """What the next outcome of the session gets; `None` where that is nothing."""
    rules = EVENTS[hook.event]
    try:
        effect = effect_of(read(rules, ended), rules, ended)
    except RefusedError:
        return None
    limit = hook.config.handler.limit
    context: list[str] = []
    diagnostics: list[Diagnostic] = []
    for told in effect.context:
        if limit and tokens_of(told) > limit:
            what = "gave more context than its limit while nobody waited for it; its middle is lost"
            diagnostics.append(note(hook, "context-cut", what))
            context.append(truncated(told, limit))
        else:
            context.append(told)
    if not context and not effect.messages:
        return None
    return Delivery(context=tuple(context), messages=effect.messages, diagnostics=tuple(diagnostics))
