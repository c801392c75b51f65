"""
What a model's answer means.

From the hooks document, "Prompt hooks": a no blocks; without a client, without a reply, and with a reply that cannot be
parsed the hook lets through. That a reply without `ok` is a no, and that its reason is context as well, from the public
source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import Reading, text
from hookfw_wuu import notes
from hookfw_wuu.answers import Answer, UnreadableError, read_reply
from hookfw_wuu.effects import effect_of

if TYPE_CHECKING:
    from hookfw import Ended, Hook, RunStatus
    from hookfw_wuu.rules import EventRules

STOCK_REASON: Final = "The model that this prompt hook asked said no, without saying why."


def interpret(hook: Hook, ended: Ended, rules: EventRules) -> Reading:
    """How a request is read; one without an answer lets the row go on."""
    if ended.state != "exited":
        return _unanswered(hook, "timed_out" if ended.state == "timed_out" else "failed", _why(hook, ended))
    if ended.stdout_cut:
        return _unanswered(hook, "failed", "has no answer, because the reply is too long")
    try:
        reply = read_reply(ended.stdout)
    except UnreadableError as error:
        return _unanswered(hook, "failed", f"has no answer, because the reply {error}")
    answer = Answer(blocks=not reply.ok, reason=reply.reason, context=reply.reason)
    if reply.ok:
        return Reading(effect=effect_of(rules, answer))
    reason = reply.reason or STOCK_REASON
    dropped = notes.of(hook, "dropped-block", f"said no, which changes nothing on {rules.name}: {rules.loses}")
    said = (dropped,) if rules.error == "none" else ()
    return Reading(effect=effect_of(rules, answer, reason), ends_row=True, diagnostics=said)


def _why(hook: Hook, ended: Ended) -> str:
    if ended.state == "timed_out":
        return f"has no answer after {text.seconds(hook.timeout)} s"
    if ended.state == "cancelled":
        return "was cancelled"
    return {
        "NO_CLIENT": "has no model client to ask",
        "NO_HANDLER": "has no plugin to ask a model with",
        "DENIED": "was not asked, because its approval was revoked",
    }.get(ended.error_kind or "", f"has no answer ({ended.detail or ended.error_kind})")


def _unanswered(hook: Hook, status: RunStatus, what: str) -> Reading:
    told = f"{what}, and lets through, as prompt hooks of Wuu do: never make one the only guard"
    return Reading(status=status, error=what, diagnostics=(notes.of(hook, "prompt-unanswered", told),))
