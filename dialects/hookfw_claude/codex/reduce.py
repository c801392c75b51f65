"""
The answers of all hooks of one event, made one.

As seen with codex-cli 0.171.0: any block blocks with the first configured reason and voids every new input, the input of the
hook that finished last stands, contexts stay in configuration order beside any decision, a deny beats an allow, and a
stop beats the blocks of an end. Effects come in configuration order, and whatever is a list stays in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import Verdict
from hookfw_claude.codex import tools
from hookfw_claude.codex.rules import BY_KIND, DIALECT, EVENTS, TEXT_LIMIT, EventRules
from hookfw_claude.codex.spill import Spills
from hookfw_claude.failures import note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookfw import Decision, Done, Event, Session

_STRENGTH: Final = ("none", "allow", "block", "deny", "stop")
"""The decisions there are here, weakest first."""

NO_COMMAND: Final = "hook returned updatedInput without string field `command`"
"""Why a call fails whose new input has no command."""


def reduce(event: Event, done: Sequence[Done], session: Session) -> Verdict:
    """The verdict of Codex's hooks on `event`."""
    rules = BY_KIND[event.kind]
    spills = Spills(event.session_id, session)
    winner = _winner(done)
    decision: Decision = "none" if winner is None else winner.effect.decision
    reason = None if winner is None else winner.effect.reason
    diagnostics = []
    updated: Any = None
    last = None if decision == "deny" else _last_rewriter(done)
    if last is not None:
        updated = _new_input(last)
        if updated is None:
            winner, decision, reason = last, "deny", NO_COMMAND
            what = f"answered with a new input that this tool cannot take, so the call fails: {NO_COMMAND}"
            diagnostics.append(note(last.hook, "unusable-input", what))
    goes_on = rules.name not in ("Stop", "SubagentStop") or decision == "block"
    return Verdict(
        dialect=DIALECT,
        decision=decision,
        reason=reason,
        stop_reason=reason if decision == "stop" else None,
        refused=_refused(rules, decision),
        ends_turn=decision == "stop" and rules.stop_ends_turn,
        decided_by=None if winner is None else winner.hook.name,
        updated_input=updated,
        context=tuple(
            spills.bounded(told, item.hook.config.handler.limit) for item in done for told in item.effect.context
        ),
        feedback=tuple(spills.bounded(told, TEXT_LIMIT) for item in done for told in item.effect.feedback if goes_on),
        messages=tuple(told for item in done for told in item.effect.messages),
        diagnostics=tuple(diagnostics),
        writes=tuple(spills.writes),
    )


def reduction(name: str) -> str:
    """How the answers of several hooks of an event become one, in sentences for people."""
    rules = EVENTS[name]
    if not rules.reads:
        return "Its hooks decide nothing: what they print is not read."
    sentences = []
    if name in ("PreToolUse", "PermissionRequest"):
        sentences.append("Any denial denies, with the first configured reason and no new input.")
        sentences.append("Otherwise the input of the hook that finishes last stands.")
    elif name in ("Stop", "SubagentStop"):
        sentences.append("Any stop ends the turn and beats the blocks; otherwise any block makes the agent go on.")
    else:
        sentences.append("The strictest decision wins, with the first configured reason.")
    sentences.append("Contexts and messages stay in configuration order.")
    return " ".join(sentences)


def _winner(done: Sequence[Done]) -> Done | None:
    """The first configured of the strongest decisions."""
    decided = [item for item in done if item.effect.decision != "none"]
    return max(decided, key=lambda item: _STRENGTH.index(item.effect.decision), default=None)


def _refused(rules: EventRules, decision: str) -> bool:
    """A result cannot be refused any more; everything else can, by a block or where a stop does it."""
    if decision == "stop":
        return rules.stop_refuses
    return decision in ("deny", "block") and rules.name != "PostToolUse"


def _last_rewriter(done: Sequence[Done]) -> Done | None:
    rewriters = [item for item in done if item.effect.updated_input is not None]
    return max(rewriters, key=lambda item: item.finished, default=None)


def _new_input(item: Done) -> Any:
    """The input that one hook puts in the place of the call's own, in the fields in which the call was given."""
    call = item.row.event
    name = getattr(call, "tool_name", None) or ""
    return tools.replaced(name, getattr(call, "tool_input", None), item.effect.updated_input)
