"""
What a run says: exit status, standard output and error, read by the rules of its event.

As seen with codex-cli 0.171.0, its words for what fails included; the order in which combinations of fields are refused from
the public source where it was not seen. A run that fails contributes nothing but its message for the person.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import NO_EFFECT, Effect, Reading, text
from hookfw_claude import reading
from hookfw_claude.codex.rules import EVENTS, NO_PERMISSION_REASON, EventRules, stopped_without_reason
from hookfw_claude.codex.wire import WIRE
from hookfw_claude.failures import note, of_failure
from hookfw_claude.wire import InvalidAnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Decision, Diagnostic, Ended, Hook, Row, RunStatus
    from hookfw_claude.wire import Answer

_STATUS: Mapping[str, RunStatus] = MappingProxyType({"timed_out": "timed_out", "cancelled": "cancelled"})

PROBLEM_LIMIT: Final = 200
"""Characters of what is said about a field."""

_OWN_DECISION: Final = ("permissionDecision", "permissionDecisionReason", "updatedInput")
"""The fields of `hookSpecificOutput` beside which the older ones at the top are not read."""


class RefusedError(ValueError):
    """
    Raised for what fails a run.

    Its text follows the hook's name.

    Attributes:
        messages: what the person is told all the same.
    """

    def __init__(self, what: str, messages: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.messages = messages


def interpret(row: Row, hook: Hook, ended: Ended) -> Reading:
    """The status of a run and what it asks for; a background run asks for nothing."""
    del row
    rules = EVENTS[hook.event]
    said = read(rules, ended)
    diagnostics = _of_output(hook, ended, said)
    try:
        effect = effect_of(said, rules, ended)
    except RefusedError as error:
        failed = of_failure(hook, said, str(error), ended)
        effect = Effect(messages=() if hook.background else error.messages)
        status = _STATUS.get(said.kind, "failed")
        return Reading(status, effect, error=failed.error, diagnostics=(failed.diagnostic, *diagnostics))
    return Reading(effect=NO_EFFECT if hook.background else effect, diagnostics=diagnostics)


def read(rules: EventRules, ended: Ended) -> reading.Said:
    """What a run said, by the rules of its event."""
    return reading.read(ended, reading.Rules(blocks=rules.exit_2_blocks, reads=rules.reads))


def effect_of(said: reading.Said, rules: EventRules, ended: Ended) -> Effect:
    """What was said, in canonical terms. Raises `RefusedError` for what fails the run."""
    match said.kind:
        case "nothing":
            return NO_EFFECT
        case "text":
            return _plain(said.text, rules)
        case "json":
            if ended.stdout_cut:
                message = "printed more JSON than is kept"
                raise RefusedError(message)
            return _answered(_read_answer(said.value, rules), rules)
        case "broken":
            message = f"returned invalid {rules.says} JSON output"
            raise RefusedError(message)
        case "block" if said.text:
            return _blocked(rules, said.text)
        case "block":
            message = "exited with code 2 without a reason on standard error"
            if ended.stdout.strip():
                message += ", and what it printed on standard output is not read then"
            raise RefusedError(message)
        case "failed" if ended.exit_code is not None:
            message = f"exited with code {ended.exit_code}{reading.exit_hint(ended.exit_code)}"
            raise RefusedError(message)
        case _:
            raise RefusedError(said.text)


def _read_answer(value: Any, rules: EventRules) -> Answer:
    try:
        return WIRE.read(rules.name, value)
    except InvalidAnswerError as error:
        message = f"returned invalid {rules.says} JSON output ({text.line(str(error), PROBLEM_LIMIT)})"
        raise RefusedError(message) from None


def _plain(output: str, rules: EventRules) -> Effect:
    if rules.plain_text == "context":
        return Effect(context=(output,))
    if rules.plain_text == "failure":
        message = f"returned invalid {rules.says} JSON output: {rules.name} hooks have to answer in JSON"
        raise RefusedError(message)
    return NO_EFFECT


def _answered(answer: Answer, rules: EventRules) -> Effect:
    """An answer that fits the event's fields. The message for the person counts whatever becomes of the rest."""
    message = answer.text("systemMessage")
    messages = () if message is None else (message,)
    try:
        effect = _DECIDERS.get(rules.name, _stop_or_block)(answer, rules)
    except RefusedError as error:
        raise RefusedError(str(error), messages) from None
    context = answer.specific_text("additionalContext")
    return replace(effect, context=() if context is None else (context,), messages=messages)


def _refuse_common(answer: Answer) -> None:
    """The common fields that an event does not support; `true` and `false` that change nothing pass."""
    for wrong, field in (
        (answer.top.get("continue") is False, "continue:false"),
        (answer.text("stopReason") is not None, "stopReason"),
        (answer.top.get("suppressOutput") is True, "suppressOutput"),
    ):
        if wrong:
            message = f"returned unsupported {field}"
            raise RefusedError(message)


def _stop_or_block(answer: Answer, rules: EventRules) -> Effect:
    """Any event whose fields do not go together by rules of their own."""
    if answer.top.get("continue") is False and rules.stopping == "stops":
        reason = _stop_reason(answer, rules)
        return Effect(decision="stop", reason=reason, stop_reason=reason)
    if answer.top.get("decision") == "block":
        return _blocked(rules, _block_reason(answer))
    return NO_EFFECT


def _end(answer: Answer, rules: EventRules) -> Effect:
    """Stop and SubagentStop: what is to be done next has no blanks around it."""
    effect = _stop_or_block(answer, rules)
    return effect if effect.decision != "block" else _blocked(rules, (effect.reason or "").strip())


def _stop_reason(answer: Answer, rules: EventRules) -> str:
    reason = answer.text("stopReason")
    return stopped_without_reason(rules.name) if reason is None else reason


def _block_reason(answer: Answer) -> str:
    reason = answer.text("reason") or ""
    if not reason.strip():
        message = "returned decision:block without a non-empty reason"
        raise RefusedError(message)
    return reason


def _blocked(rules: EventRules, reason: str) -> Effect:
    """A block in the event's own word; of a tool's result and of an end it is what the model is told."""
    decision: Decision = "deny" if rules.name in ("PreToolUse", "PermissionRequest") else "block"
    told = (reason,) if rules.name in ("PostToolUse", "Stop", "SubagentStop") else ()
    return Effect(decision=decision, reason=reason, feedback=told)


def _before_a_tool(answer: Answer, rules: EventRules) -> Effect:
    """PreToolUse: the decision in `hookSpecificOutput`, or else the older one at the top."""
    _refuse_common(answer)
    own = {field: answer.specific.get(field) for field in _OWN_DECISION}
    if all(value is None for value in own.values()):
        return _before_a_tool_by_top(answer, rules)
    decision, reason, rewritten = own.values()
    if rewritten is not None and decision != "allow":
        message = "returned updatedInput without permissionDecision:allow"
        raise RefusedError(message)
    match decision:
        case "allow" if rewritten is not None:
            return Effect(updated_input=rewritten)
        case "allow" | "ask":
            message = f"returned unsupported permissionDecision:{decision}"
        case "deny" if reason is not None and reason.strip():
            return _blocked(rules, reason.strip())
        case "deny":
            message = "returned permissionDecision:deny without a non-empty permissionDecisionReason"
        case _:
            message = "returned permissionDecisionReason without permissionDecision"
    raise RefusedError(message)


def _before_a_tool_by_top(answer: Answer, rules: EventRules) -> Effect:
    decision = answer.top.get("decision")
    if decision == "approve":
        message = "returned unsupported decision:approve"
        raise RefusedError(message)
    if decision == "block":
        return _blocked(rules, _block_reason(answer).strip())
    if answer.text("reason") is not None:
        message = "returned reason without decision"
        raise RefusedError(message)
    return NO_EFFECT


def _permission(answer: Answer, rules: EventRules) -> Effect:
    """PermissionRequest: three of its fields are known and refused."""
    _refuse_common(answer)
    decision = answer.specific.get("decision")
    if decision is None:
        return NO_EFFECT
    refused = [field for field in ("updatedInput", "updatedPermissions") if decision.get(field) is not None]
    refused += ["interrupt:true"] if decision.get("interrupt") else []
    if refused:
        message = f"returned unsupported {refused[0]}"
        raise RefusedError(message)
    told = (decision.get("message") or "").strip()
    if decision["behavior"] == "allow":
        return Effect(decision="allow", reason=told or None)
    return _blocked(rules, told or NO_PERMISSION_REASON)


def _after_a_tool(answer: Answer, rules: EventRules) -> Effect:
    """PostToolUse: a stop or a block takes the place of the result; neither undoes the call."""
    if answer.top.get("continue") is False:
        reason = _stop_reason(answer, rules)
        told = (answer.text("reason") or "").strip() or reason
        return Effect(decision="stop", reason=reason, stop_reason=reason, feedback=(told,))
    for wrong, field in (
        (answer.top.get("suppressOutput") is True, "suppressOutput"),
        (answer.specific.get("updatedMCPToolOutput") is not None, "updatedMCPToolOutput"),
    ):
        if wrong:
            message = f"returned unsupported {field}"
            raise RefusedError(message)
    if answer.top.get("decision") == "block":
        return _blocked(rules, _block_reason(answer))
    if answer.text("reason") is not None:
        message = "returned reason without decision"
        raise RefusedError(message)
    return NO_EFFECT


_DECIDERS: Mapping[str, Callable[[Answer, EventRules], Effect]] = MappingProxyType(
    {
        "PreToolUse": _before_a_tool,
        "PermissionRequest": _permission,
        "PostToolUse": _after_a_tool,
        "Stop": _end,
        "SubagentStop": _end,
    }
)
"""The events whose fields go together by rules of their own."""


def _of_output(hook: Hook, ended: Ended, said: reading.Said) -> tuple[Diagnostic, ...]:
    """What is odd about a run however it is read."""
    found = []
    if said.kind == "text" and any(line.lstrip().startswith("{") for line in said.text.splitlines()[1:]):
        what = "printed text before what looks like its answer, so all of it counts as text; print the answer alone"
        found.append(note(hook, "text-before-json", what))
    if ended.pipes_held:
        what = (
            "left a process behind that kept its output open; what it had printed counts, but close the streams of what "
            "it leaves: Codex itself would have waited for the timeout and lost the answer"
        )
        found.append(note(hook, "pipe-held", what))
    cut = [
        name for name, is_cut in (("standard output", ended.stdout_cut), ("standard error", ended.stderr_cut)) if is_cut
    ]
    if cut:
        what = f"printed too much: of its {' and '.join(cut)} only the beginning was kept"
        found.append(note(hook, "output-cut", what))
    return tuple(found)
