"""
What all handlers of one event said, as one verdict.

From the hooks document, "Setup", "Common output fields" and the sections on each event; what a stop does from the public
source. Effects combine in configuration order, whoever ended first.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import Diagnostic, Verdict
from hookfw_claude.deepagents.interpret import STOPPED
from hookfw_claude.deepagents.notes import note
from hookfw_claude.deepagents.rules import DIALECT, EVENTS, MAX_CONTINUATIONS, EventRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Decision, Done, Event

_STRENGTH: Mapping[str, int] = MappingProxyType({"allow": 1, "ask": 2, "deny": 3})
"""Of permissions; what is not here grants and refuses nothing."""

_NO_CONTEXT: Final = frozenset({"SessionEnd", "Notification", "PermissionRequest", "PreCompact", "Stop"})
"""Events whose hooks give no context (on Stop it is an instruction)."""


class _Stop(NamedTuple):
    """Whether `continue: false` was said, by whom first, and the first reason given with it."""

    by: Done | None = None
    reason: str | None = None


def reduce(event: Event, done: Sequence[Done]) -> Verdict:
    """The verdict on one event. `done` may be in any order; its positions count."""
    ordered = sorted(done, key=lambda item: item.position)
    if not ordered:
        return Verdict(dialect=DIALECT)
    rules = EVENTS[ordered[0].row.native_event]
    diagnostics: list[Diagnostic] = []
    stop = _stop(ordered, rules, diagnostics)
    fields = _decided(event, ordered, rules, stop, diagnostics)
    return Verdict(
        dialect=DIALECT,
        messages=tuple(text for item in ordered for text in item.effect.messages),
        terminal_sequences=tuple(text for item in ordered for text in item.effect.terminal_sequences),
        diagnostics=tuple(diagnostics),
        **fields,
    )


def _stop(ordered: Sequence[Done], rules: EventRules, diagnostics: list[Diagnostic]) -> _Stop:
    """Any `continue: false` counts, and no later `true` takes it back; of several reasons the first."""
    stopped = [item for item in ordered if item.effect.detail == STOPPED]
    reasons = [item for item in stopped if item.effect.stop_reason is not None]
    detail = "gave a stopReason after another hook had; the first one holds"
    diagnostics += [note(item.hook, "additional-stop-reason", detail) for item in reasons[1:]]
    if not stopped or not rules.stop:
        return _Stop()
    return _Stop(stopped[0], reasons[0].effect.stop_reason if reasons else None)


_REDUCTIONS: Mapping[str | None, str] = MappingProxyType(
    {
        "deny": "The strictest decision wins (deny, ask, allow), and the first configured of equals gives the reason.",
        "block": "Any block blocks, with the first configured reason.",
        "feedback": "Every block is told to the model, in configuration order.",
        "continue": "Any block makes the agent go on, up to a number of times in a row.",
    }
)


def reduction(name: str) -> str:
    """How the answers of several handlers of an event become one, in sentences for people."""
    rules = EVENTS[name]
    sentences = [_REDUCTIONS.get(rules.block, "Its handlers decide nothing.")]
    if rules.stop:
        sentences.append("Any `continue: false` stops, with the first reason given.")
    sentences.append("Contexts and messages stay in configuration order.")
    return " ".join(sentences)


def _decided(
    event: Event, ordered: Sequence[Done], rules: EventRules, stop: _Stop, diagnostics: list[Diagnostic]
) -> dict[str, Any]:
    """The fields of the verdict that depend on the event."""
    context = tuple(text for item in ordered for text in item.effect.context) if rules.name not in _NO_CONTEXT else ()
    match rules.block:
        case "deny":
            fields = _permission(ordered, stop)
        case "block":
            fields = _announced(ordered)
            if rules.name == "UserPromptSubmit":
                # A prompt that does not go ahead takes its context with it.
                stands = fields["decision"] == "none" and stop.by is None
                context = context if stands else ()
                fields["suppress_prompt"] = stands and any(item.effect.suppress_prompt for item in ordered)
        case "feedback":
            fields = _result(ordered, stop)
        case "continue":
            fields = _end_of_turn(event, ordered, stop, diagnostics)
        case _:
            fields = {"decision": "none", "reason": None, "decided_by": None}
    if stop.by is not None:
        fields |= {
            "decision": "stop",
            "reason": fields["reason"] or stop.reason,
            "stop_reason": stop.reason,
            "decided_by": fields["decided_by"] or stop.by.hook.name,
            "ends_turn": rules.stop_ends_turn,
            "refused": rules.stop_refuses,
            "asks": fields["decision"] == "ask",
        }
    elif fields["decision"] in ("deny", "block"):
        fields["refused"] = rules.block != "feedback"
    return {"context": context, **fields}


def _fields(decision: Decision, by: Done | None, reason: str | None = None) -> dict[str, Any]:
    return {
        "decision": decision,
        "reason": by.effect.reason if by is not None and reason is None else reason,
        "decided_by": None if by is None else by.hook.name,
    }


def _permission(ordered: Sequence[Done], stop: _Stop) -> dict[str, Any]:
    """
    The strongest of deny > ask > allow; the first of equals with its own reason, also where that is none.

    Beside a stop the reason of the permission comes first for a call; a prompt that is answered is rejected with the stop's.
    """
    winner = max(ordered, key=lambda item: _STRENGTH.get(item.effect.decision, 0))
    if winner.effect.decision not in _STRENGTH:
        return _fields("none", None)
    fields = _fields(winner.effect.decision, winner)
    fields["native"] = winner.effect.native
    if stop.by is not None and winner.row.native_event == "PermissionRequest":
        fields |= {"reason": None, "decided_by": None, "native": {"interrupt": True}}
    return fields


def _announced(ordered: Sequence[Done]) -> dict[str, Any]:
    """The first reason in order, of a block or of a stop."""
    for item in ordered:
        reason = item.effect.stop_reason if item.effect.stop_reason is not None else item.effect.reason
        if reason is not None:
            return _fields("block", item, reason)
    return _fields("none", None)


def _result(ordered: Sequence[Done], stop: _Stop) -> dict[str, Any]:
    """All feedbacks; a stop ends nothing here, its reason is one more thing the model is told."""
    feedback = tuple(text for item in ordered for text in item.effect.feedback)
    first = next((item for item in ordered if item.effect.feedback), None)
    fields = _fields("none" if first is None else "block", first)
    if stop.by is not None:
        fields["reason"] = None
        feedback = (*feedback, stop.reason) if stop.reason else feedback
    return {**fields, "feedback": feedback}


def _end_of_turn(event: Event, ordered: Sequence[Done], stop: _Stop, diagnostics: list[Diagnostic]) -> dict[str, Any]:
    """Every request to go on counts, unless one hook ends the turn or the turn was prolonged often enough."""
    asking = [item for item in ordered if item.effect.feedback]
    if stop.by is not None or not asking:
        return _fields("none", None)
    if (getattr(event, "continuation_count", None) or 0) >= MAX_CONTINUATIONS:
        detail = (
            f"asked to keep the turn going, but Stop hooks have done so {MAX_CONTINUATIONS} times in a row; the turn ends, "
            "check `stop_hook_active` in the hook"
        )
        diagnostics.extend(note(item.hook, "continuation-cap", detail) for item in asking)
        return _fields("none", None)
    feedback = tuple(text for item in asking for text in item.effect.feedback)
    return {**_fields("block", asking[0]), "feedback": feedback}
