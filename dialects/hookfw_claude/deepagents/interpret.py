"""
What one run says: exit status, output and error, read by the rules of its event.

From the hooks document, "Handler output" and "Unsupported output fields"; fine points from the public source. A run whose
answer is not as it must be contributes nothing, its message included.
"""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import NO_EFFECT, Effect, Reading
from hookfw_claude.deepagents.answers import NOT_APPLIED, WIRE
from hookfw_claude.deepagents.notes import note, of_failure, of_streams
from hookfw_claude.deepagents.rules import BLOCKED, EVENTS, KEEP_WORKING, READING, EventRules
from hookfw_claude.reading import Said, read, read_output
from hookfw_claude.wire import EVENT_NAME, Answer, InvalidAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Diagnostic, Ended, Hook, Row, RunStatus

STOPPED: Final = "stopped"
"""The detail of an effect with `continue: false`."""

_STATUS: Mapping[str, RunStatus] = MappingProxyType({"timed_out": "timed_out", "cancelled": "cancelled"})

_SEQUENCES = re.compile(r"(?:\x1b\](?:0|1|2|9|99|777);[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\)|\x07)+")


def is_allowed_sequence(sequence: str) -> bool:
    """The whole text is made of bells, and of titles or notices (OSC 0, 1, 2, 9, 99, 777) without control characters."""
    return _SEQUENCES.fullmatch(sequence) is not None


def interpret(row: Row, hook: Hook, ended: Ended) -> Reading:
    """The status of a run and what it asks for. An old hook asks for nothing, and its exit status is nobody's business."""
    del row
    said = _read(ended)
    notes = of_streams(hook, ended)
    if hook.config.legacy is not None and ended.state == "exited":
        return Reading("completed", diagnostics=tuple(notes))
    match said.kind:
        case "nothing":
            return Reading("completed", diagnostics=tuple(notes))
        case "text":
            return _plain(hook, said, notes)
        case "json":
            return _answered(hook, said, notes)
        case "block":
            effect = _blocked(EVENTS[hook.event], NO_EFFECT, said.text, hook, notes)
            return Reading("completed", effect, diagnostics=tuple(notes))
    return Reading(
        _STATUS.get(said.kind, "failed"), error=said.text, diagnostics=(*notes, of_failure(hook, ended, said))
    )


def _read(ended: Ended) -> Said:
    said = read(ended, READING)
    if said.kind == "text" and "\0" in said.text:
        wide = read_output(_from_utf16(said.text), READING)
        return wide if wide.kind == "json" else said
    return said


def _from_utf16(output: str) -> str:
    """An output in UTF-16 that was taken for UTF-8: every other character is a NUL, and its mark became two U+FFFD."""
    output = output.removeprefix("\ufffd\ufffd")
    return output[1::2] if output.startswith("\0") else output[::2]


def _plain(hook: Hook, said: Said, notes: list[Diagnostic]) -> Reading:
    if EVENTS[hook.event].plain_context:
        return Reading("completed", Effect(context=(said.text,)), diagnostics=tuple(notes))
    detail = f"printed something that is not one JSON document; {hook.event} has no use for other text, print JSON or nothing"
    notes.append(note(hook, "malformed-json", detail))
    return Reading("completed", diagnostics=tuple(notes))


def _answered(hook: Hook, said: Said, notes: list[Diagnostic]) -> Reading:
    try:
        answer = WIRE.read(hook.event, said.value)
    except InvalidAnswerError as error:
        detail = f"gave an invalid output, so nothing in it counts: {error}; correct that and the rest will count"
        notes.append(note(hook, "invalid-output", detail))
        return Reading("failed", error="invalid output", diagnostics=tuple(notes))
    effect = _common(answer, hook, notes)
    if answer.top.get("decision") == "block":
        effect = _blocked(EVENTS[hook.event], effect, answer.text("reason") or "", hook, notes)
    named = answer.specific.get(EVENT_NAME)
    if named == hook.event:
        effect = _specific(answer, effect, hook, notes)
    elif named is not None:
        detail = (
            f"gave a hookSpecificOutput for {named}, which does not match {hook.event}; it is ignored, the rest counts"
        )
        notes.append(note(hook, "mismatched-output", detail))
    return Reading("completed", effect, diagnostics=tuple(notes))


def _common(answer: Answer, hook: Hook, notes: list[Diagnostic]) -> Effect:
    """What the fields at the top ask for, `decision` aside."""
    stops = answer.top.get("continue") is False
    stop_reason = answer.text("stopReason")
    if stop_reason is not None and not stops:
        notes.append(note(hook, "ignored-stop-reason", 'gave a stopReason without `"continue": false`; it is ignored'))
        stop_reason = None
    message = None if answer.top.get("suppressOutput") else answer.text("systemMessage")
    sequence = answer.text("terminalSequence")
    if sequence is not None and not is_allowed_sequence(sequence):
        detail = "gave a terminalSequence that is not made of bells and titles or notices (OSC 0, 1, 2, 9, 99, 777); it is dropped"
        notes.append(note(hook, "invalid-terminal-sequence", detail))
        sequence = None
    notes += [
        _unsupported(hook, field, "is no field at the top of an answer; it is ignored") for field in answer.unknown
    ]
    return Effect(
        decision="stop" if stops and EVENTS[hook.event].stop else "none",
        stop_reason=stop_reason,
        messages=() if message is None else (message,),
        terminal_sequences=() if sequence is None else (sequence,),
        detail=STOPPED if stops else None,
    )


def _blocked(rules: EventRules, effect: Effect, reason: str, hook: Hook, notes: list[Diagnostic]) -> Effect:
    """`effect` with what exit 2 or `decision: block` does for this event."""
    reason = reason or BLOCKED
    match rules.block:
        case "deny" | "block" as decision:
            return replace(effect, decision=decision, reason=reason)
        case "feedback" | "continue":
            return replace(effect, decision="block", reason=reason, feedback=(reason,))
        case "context":
            detail = (
                f"blocked {rules.name}, but a finished subagent cannot go on; its reason becomes context for the parent"
            )
            notes.append(note(hook, "unsupported-block", detail))
            return replace(effect, context=(reason,))
    detail = f"blocked {rules.name}, which cannot be blocked; it said: {reason}"
    notes.append(note(hook, "unsupported-block", detail))
    return effect


def _specific(answer: Answer, effect: Effect, hook: Hook, notes: list[Diagnostic]) -> Effect:
    """`effect` with what `hookSpecificOutput` adds."""
    specific = answer.specific
    notes += [
        _unsupported(hook, field, "is not applied by this agent; the rest counts")
        for field in NOT_APPLIED.get(hook.event, ())
        if _is_real(specific.get(field), hook.event)
    ]
    context = answer.specific_text("additionalContext")
    if context is not None and hook.event == "Stop":
        feedback = (*effect.feedback, context or KEEP_WORKING)
        effect = replace(effect, decision="block", reason=effect.reason or feedback[0], feedback=feedback)
    elif context:
        effect = replace(effect, context=(*effect.context, context))
    match hook.event:
        case "UserPromptSubmit":
            return replace(effect, suppress_prompt=bool(specific.get("suppressOriginalPrompt")))
        case "PreToolUse":
            return _permission(answer, effect, hook, notes)
        case "PermissionRequest":
            return _answer_to_prompt(specific["decision"], effect, hook, notes)
    return effect


def _permission(answer: Answer, effect: Effect, hook: Hook, notes: list[Diagnostic]) -> Effect:
    """PreToolUse: a rewrite takes an allow or ask down to no decision, for the call that was judged is not the one that runs."""
    decision = answer.specific.get("permissionDecision")
    if decision == "defer":
        notes.append(
            _unsupported(hook, "permissionDecision", "`defer` is not applied by this agent and decides nothing")
        )
        return effect
    rewrites = answer.specific.get("updatedInput") is not None
    if decision is None or effect.decision == "deny" or (rewrites and decision != "deny"):
        return effect
    return replace(effect, decision=decision, reason=answer.specific_text("permissionDecisionReason"))


def _answer_to_prompt(decision: dict[str, Any], effect: Effect, hook: Hook, notes: list[Diagnostic]) -> Effect:
    """PermissionRequest: likewise for a rewrite; permissions to remember leave the allow as it is."""
    rewrites = decision.get("updatedInput") is not None
    if rewrites:
        notes.append(
            _unsupported(hook, "updatedInput", "is not applied by this agent, so the allow beside it decides nothing")
        )
    if decision.get("updatedPermissions"):
        notes.append(_unsupported(hook, "updatedPermissions", "is not applied by this agent; the allow stands"))
    if effect.decision == "deny" or rewrites:
        return effect
    native = {"interrupt": True} if decision.get("interrupt") else {}
    return replace(effect, decision=decision["behavior"], reason=decision.get("message"), native=native)


def _unsupported(hook: Hook, field: str, detail: str) -> Diagnostic:
    return note(hook, "unsupported-field", f"answered with `{field}`, which {detail}")


def _is_real(value: Any, event: str) -> bool:
    """The field says something: at a session's start false and empty say nothing, elsewhere only null does."""
    return bool(value) if event == "SessionStart" else value is not None
