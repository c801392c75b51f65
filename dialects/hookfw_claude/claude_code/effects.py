"""
What an answer asks for, in canonical terms.

From the contract, "Events that decide" and the columns of its table of events. What the event does not know is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import Effect
from hookfw_claude.claude_code.answer import NATIVE

if TYPE_CHECKING:
    from hookfw import Decision
    from hookfw_claude.claude_code.answer import Heard
    from hookfw_claude.claude_code.rules import EventRules
    from hookfw_claude.wire import Answer

NO_REASON: Final = "Blocked by hook"
"""The reason of a refusal that gives none, in the client's words."""
NO_STDERR: Final = "No stderr output"
"""The same for exit status 2."""

_SEQUENCES: Final = re.compile(r"(?:\x07|\x1b\](?:0|1|2|9|99|777);[^\x07\x1b]*(?:\x07|\x1b\\))+")
"""What may be sent to a terminal: the bell and the title, progress and notification commands, nothing else."""


class Detail(NamedTuple):
    """
    What reduction needs of a run beyond its effect.

    Attributes:
        stops: it ends the turn.
        env_file: what it wrote to its file of variables.
        stderr: standard error for the person, which has no limit of its own.
    """

    stops: bool = False
    env_file: str = ""
    stderr: str = ""


class Word(NamedTuple):
    """A decision and the reason given for it."""

    decision: Decision = "none"
    reason: str | None = None
    updated_input: Any = None
    native: Mapping[str, Any] = MappingProxyType({})


def of_run(heard: Heard, rules: EventRules) -> Effect:
    """The effect of a run that may speak: of its answer, its text, its exit status."""
    effect = Effect(detail=Detail()) if heard.answer is None else of_answer(heard.answer, rules)
    if heard.status == "blocks":
        return _with_exit_2(effect, heard, rules)
    if rules.name == "WorktreeCreate":
        return _with_worktree(effect, heard, rules)
    if heard.status == "well" and heard.text and rules.text_is_context:
        return Effect(context=(heard.text,), detail=Detail())
    return effect


def of_answer(answer: Answer, rules: EventRules) -> Effect:
    """The effect of an answer alone."""
    word = _WORDS.get(rules.name, _by_block)(answer, rules)
    stops = rules.stops and answer.top.get("continue") is False
    message = answer.text("systemMessage") if rules.shows else None
    context = answer.specific_text("additionalContext") if rules.context else None
    sequence = answer.text("terminalSequence") or ""
    native = {name: answer.specific[name] for name in NATIVE.get(rules.name, ()) if name in answer.specific}
    return Effect(
        decision=word.decision,
        reason=word.reason,
        stop_reason=(answer.text("stopReason") or "").strip() or None if stops else None,
        updated_input=word.updated_input,
        suppress_prompt=answer.specific.get("suppressOriginalPrompt") is True and word.decision == "block",
        context=(context,) if context and context.strip() else (),
        feedback=_feedback(word, rules),
        messages=(message,) if message and message.strip() else (),
        terminal_sequences=(sequence,) if sequence and may_be_shown(sequence) else (),
        native={**word.native, **native},
        detail=Detail(stops),
    )


def may_be_shown(sequence: str) -> bool:
    """A terminal may be sent this; nothing is no harm."""
    return not sequence or _SEQUENCES.fullmatch(sequence) is not None


def refused(rules: EventRules, reason: str) -> Effect:
    """A refusal without anything else."""
    word = Word(rules.refusal, reason)
    return Effect(decision=word.decision, reason=reason, feedback=_feedback(word, rules), detail=Detail())


def _with_exit_2(effect: Effect, heard: Heard, rules: EventRules) -> Effect:
    """Exit status 2 beside whatever the answer says: its own reason for blocking counts, else standard error."""
    told = heard.stderr or NO_STDERR
    if rules.exit_2 == "person":
        return _changed(effect, messages=(*effect.messages, told), detail=Detail(stderr=told))
    if rules.exit_2 == "ignored" and rules.name != "WorktreeCreate":
        return effect
    if effect.decision == rules.refusal:
        return effect
    by_status = refused(rules, told)
    native = {"action": "decline"} if rules.name in ("Elicitation", "ElicitationResult") else effect.native
    return _changed(
        effect,
        decision=by_status.decision,
        reason=by_status.reason,
        feedback=by_status.feedback,
        updated_input=None,
        native=native,
    )


def _with_worktree(effect: Effect, heard: Heard, rules: EventRules) -> Effect:
    """The last line that a hook printed is where the worktree is; a failure, or no line, means that there is none."""
    lines = heard.text.splitlines()
    path = effect.native.get("worktreePath") or (lines[-1].strip() if lines else "")
    if heard.status != "well":
        return refused(rules, heard.stderr or NO_STDERR)
    if not path:
        return refused(rules, "The hook printed no path of a worktree")
    return _changed(effect, native={"worktreePath": path})


def _feedback(word: Word, rules: EventRules) -> tuple[str, ...]:
    return (word.reason,) if rules.feeds_back and word.decision == rules.refusal and word.reason else ()


def _by_block(answer: Answer, rules: EventRules) -> Word:
    """`decision: block`, where the event has it."""
    if rules.blocks and answer.top.get("decision") == "block":
        return Word(rules.refusal, answer.text("reason") or NO_REASON)
    return Word()


def _before_a_tool(answer: Answer, rules: EventRules) -> Word:
    """PreToolUse: the newer field, unless the older one blocks."""
    older = answer.top.get("decision")
    newer = answer.specific.get("permissionDecision")
    reason = answer.specific_text("permissionDecisionReason") or None
    updated = answer.specific.get("updatedInput")
    if newer == "deny":
        return Word("deny", reason or answer.text("reason") or NO_REASON)
    if older == "block":
        return Word(rules.refusal, answer.text("reason") or NO_REASON)
    if newer is not None:
        return Word(newer, reason, updated)
    if older == "approve":
        return Word("allow", answer.text("reason"), updated)
    return Word(updated_input=updated)


def _permission(answer: Answer, rules: EventRules) -> Word:
    """PermissionRequest: one object that holds all of it."""
    decision = answer.specific.get("decision")
    if decision is None:
        return Word()
    if decision["behavior"] == "deny":
        native = {"interrupt": True} if decision.get("interrupt") else {}
        return Word(rules.refusal, decision.get("message") or NO_REASON, native=native)
    native = {"updatedPermissions": decision["updatedPermissions"]} if decision.get("updatedPermissions") else {}
    return Word("allow", decision.get("message"), decision.get("updatedInput"), native)


def _before_a_switch(answer: Answer, rules: EventRules) -> Word:
    """PreModelSwitch: an allow grants nothing that would be asked for."""
    reason = answer.specific_text("permissionDecisionReason")
    match answer.specific.get("permissionDecision"):
        case "deny":
            return Word(rules.refusal, reason or NO_REASON)
        case "ask":
            return Word("ask", reason)
    return _by_block(answer, rules)


def _elicited(answer: Answer, rules: EventRules) -> Word:
    """A question that is declined or called off is not put, or not answered."""
    if answer.specific.get("action") in ("decline", "cancel"):
        return Word(rules.refusal, answer.text("reason") or NO_REASON)
    word = _by_block(answer, rules)
    return word._replace(native={"action": "decline"}) if word.decision != "none" else word


_WORDS: Mapping[str, Callable[[Answer, EventRules], Word]] = MappingProxyType(
    {
        "PreToolUse": _before_a_tool,
        "PermissionRequest": _permission,
        "PreModelSwitch": _before_a_switch,
        "Elicitation": _elicited,
        "ElicitationResult": _elicited,
    }
)
"""The events whose decision is more than a block."""


def _changed(effect: Effect, **fields: Any) -> Effect:
    from dataclasses import replace  # noqa: PLC0415 - most runs say nothing that has to be changed

    return replace(effect, **fields)
