"""
The answers of all hooks of one event, made one.

From the hooks document: the last to finish sets the input, the first configured reason stands, contexts are kept beside a
block, a deny beats an allow, and a stop beats the blocks of an end. The bound on what sub-agents are given from the public
source. Effects come in configuration order, and whatever is a list stays in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import Verdict, text
from hookfw_claude.failures import note
from hookfw_claude.mind import tools
from hookfw_claude.mind.rules import (
    BY_KIND,
    CUT_MARKER,
    DIALECT,
    EVENTS,
    SUBAGENT_CONTEXT_LIMIT,
    SUBAGENT_CONTINUATIONS,
    EventRules,
)
from hookfw_claude.mind.spill import Spills

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Decision, Diagnostic, Done, Event, Session

_STRENGTH: Final = ("none", "allow", "block", "deny", "stop")
"""The decisions there are here, weakest first."""


def reduce(event: Event, done: Sequence[Done], session: Session) -> Verdict:
    """The verdict of Mind's hooks on `event`."""
    rules = BY_KIND[event.kind]
    spills = Spills(event.session_id, session)
    diagnostics: list[Diagnostic] = []
    for item in done:
        diagnostics += _streams(item, spills)
    winner = _winner(done)
    if winner is not None and _went_on_enough(rules, event, winner):
        what = f"wanted a sub-agent to go on that went on {SUBAGENT_CONTINUATIONS} times already; it ends"
        diagnostics.append(note(winner.hook, "continuation-limit", what))
        winner = None
    decision: Decision = "none" if winner is None else winner.effect.decision
    feedback = [
        spills.bounded(told, item.hook.config.handler.context_limit, "continuation-prompt") if rules.continues else told
        for item in done
        for told in item.effect.feedback
        if decision == "block" or not rules.continues
    ]
    context = [
        spills.bounded(told, item.hook.config.handler.context_limit, "additional-context", cut=item.run.stdout_cut)
        for item in done
        for told in item.effect.context
    ]
    if rules.name == "SubagentStart":
        context, notes = _within_limit(context, done)
        diagnostics += notes
    reason = None if winner is None else winner.effect.reason
    if rules.continues and feedback:
        reason = feedback[0]
    return Verdict(
        dialect=DIALECT,
        decision=decision,
        reason=reason,
        stop_reason=reason if decision == "stop" else None,
        refused=_refused(rules, decision),
        ends_turn=decision == "stop" and rules.stop_ends_turn,
        decided_by=None if winner is None else winner.hook.name,
        updated_input=None if decision == "deny" else _input(done),
        context=tuple(context),
        feedback=tuple(feedback),
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


def _went_on_enough(rules: EventRules, event: Event, winner: Done) -> bool:
    """A sub-agent may be made to go on only so often; the root agent has no such bound."""
    if rules.name != "SubagentStop" or winner.effect.decision != "block":
        return False
    return (event.given.get("continuation_count") or 0) >= SUBAGENT_CONTINUATIONS


def _refused(rules: EventRules, decision: str) -> bool:
    """A result cannot be refused any more; everything else can, by a block or where a stop does it."""
    if decision == "stop":
        return rules.stop_refuses
    return decision in ("deny", "block") and rules.name != "PostToolUse"


def _input(done: Sequence[Done]) -> object:
    """The input of the hook that finished last, whole, in the fields in which the call was given."""
    rewriters = [item for item in done if item.effect.updated_input is not None]
    if not rewriters:
        return None
    last = max(rewriters, key=lambda item: item.finished)
    call = last.row.event
    name = getattr(call, "tool_name", None) or ""
    return tools.replaced(name, getattr(call, "tool_input", None), last.effect.updated_input)


def _streams(item: Done, spills: Spills) -> list[Diagnostic]:
    """The files for streams that are too long, each said."""
    paths = [spills.stream(item.run.stdout, "stdout"), spills.stream(item.run.stderr, "stderr")]
    return [
        note(item.hook, "spilled-output", f"printed much; until the session ends all that was kept is in {path}")
        for path in paths
        if path is not None
    ]


def _within(told: str, room: int) -> str:
    """`told` in at most `room` characters, the marker of a cut included."""
    return told if len(told) <= room else text.cut_characters(told, max(0, room - len(CUT_MARKER)), CUT_MARKER)[:room]


def _within_limit(context: Sequence[str], done: Sequence[Done]) -> tuple[list[str], list[Diagnostic]]:
    """The contexts of all hooks together within the limit; what is past it is dropped, which is said."""
    if sum(map(len, context)) <= SUBAGENT_CONTEXT_LIMIT:
        return list(context), []
    room = SUBAGENT_CONTEXT_LIMIT
    kept = []
    for told in context:
        if room > 0:
            kept.append(_within(told, room))
        room -= len(told)
    last = next(item.hook for item in reversed(done) if item.effect.context)
    what = f"and those before it gave more context than the {SUBAGENT_CONTEXT_LIMIT:,} characters a sub-agent is given"
    return kept, [note(last, "context-cut", what)]
