"""
Failures of hooks that say `onFailure: "block"`.

From the contract, "`onFailure`". A blocking answer counts whole, as it stands; any other answer is overruled. `continue: false`
still ends the turn, and what the hook guards does not happen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hookfw import NO_EFFECT, Effect, text
from hookfw_claude.claude_code import effects
from hookfw_claude.claude_code.effects import NO_STDERR, Detail

if TYPE_CHECKING:
    from hookfw import Hook
    from hookfw_claude.claude_code.answer import Heard
    from hookfw_claude.claude_code.rules import EventRules, Failing

WITHHELD = "What the server wrote is withheld"
"""What stands for the text of a server, which is not the model's to read as a reason."""
LINE_LIMIT = 2_000
"""Characters of a command line in a reason."""


def of_failure(heard: Heard, hook: Hook, rules: EventRules, failing: Failing) -> Effect:
    """The effect of a run that failed; `failing` says what its failure does."""
    own = NO_EFFECT if heard.answer is None else effects.of_answer(heard.answer, rules)
    if own.decision == rules.refusal:
        return own
    if failing == "voids":
        return NO_EFFECT
    blocked = effects.refused(rules, reason(heard, hook))
    if isinstance(own.detail, Detail) and own.detail.stops:
        return replace(blocked, stop_reason=own.stop_reason, detail=own.detail)
    return blocked


def reason(heard: Heard, hook: Hook) -> str:
    """What the model is told: whose failure it was, that this blocks, and what the hook left on standard error."""
    told = f"[{text.cut_characters(hook.config.shown, LINE_LIMIT)}]: "
    if heard.status == "timed_out":
        return f'{told}the hook ran out of time, and its onFailure is "block"'
    account = heard.broken if heard.status == "well" else heard.stderr
    if hook.handler == "mcp_tool" and heard.status != "well":
        account = WITHHELD
    elif hook.handler != "command" and not account:
        account = heard.why
    return f'{told}the hook failed, and its onFailure is "block"\n{account or NO_STDERR}'
