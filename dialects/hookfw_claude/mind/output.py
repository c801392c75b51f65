"""
What a run says: exit status, standard output and error, read by the rules of its event.

From the paragraphs on exit codes and on each event's answer in the hooks document; which combinations of fields fail, and
that objects are closed and null is refused, from the public source. A run that fails contributes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from hookfw import NO_EFFECT, Effect, Reading, text
from hookfw_claude import reading
from hookfw_claude.failures import note, of_failure
from hookfw_claude.mind import tools
from hookfw_claude.mind.rules import (
    CUT_MARKER,
    EVENTS,
    NO_FEEDBACK,
    NO_PERMISSION_REASON,
    REASON_LIMIT,
    EventRules,
    stopped_without_reason,
)
from hookfw_claude.tool_calls import MCP_TOOL
from hookfw_claude.wire import Answer, InvalidAnswerError, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Decision, Diagnostic, Ended, Hook, Row, RunStatus

_STATUS: Mapping[str, RunStatus] = MappingProxyType({"timed_out": "timed_out", "cancelled": "cancelled"})

_COMMON: Mapping[str, Any] = MappingProxyType(
    {"continue": bool, "stopReason": str, "suppressOutput": bool, "systemMessage": str}
)
_BLOCK: Mapping[str, Any] = MappingProxyType({"decision": Literal["block"], "reason": str})
_CONTEXT: Mapping[str, Any] = MappingProxyType({"additionalContext": str})
_WIRE: Final = Wire(
    top=dict.fromkeys(EVENTS, _COMMON)
    | {name: {**_COMMON, **_BLOCK} for name in ("PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop")}
    | {"PreToolUse": {**_COMMON, "decision": Literal["approve", "block"], "reason": str}},
    specific={
        "PreToolUse": {
            **_CONTEXT,
            "permissionDecision": Literal["allow", "deny", "ask"],
            "permissionDecisionReason": str,
            "updatedInput": dict[str, Any],
        },
        "PermissionRequest": {
            "decision": {
                "behavior": Literal["allow", "deny"],
                "message": str,
                "interrupt": bool,
                "updatedInput": Any,
                "updatedPermissions": Any,
            }
        },
        "PostToolUse": _CONTEXT,
        "SessionStart": _CONTEXT,
        "UserPromptSubmit": _CONTEXT,
        "SubagentStart": _CONTEXT,
    },
    required=frozenset({"PermissionRequest.decision.behavior"}),
)
"""The answers of all events: closed objects, values of the very type, null nowhere but in what is reserved."""

PROBLEM_LIMIT: Final = 200
"""Characters of what is said about a field."""

_NESTED_DECISION: Final = ("permissionDecision", "permissionDecisionReason", "updatedInput")


class UnsupportedError(ValueError):
    """Raised for an answer whose fields do not go together; its text follows the hook's name."""


def interpret(row: Row, hook: Hook, ended: Ended) -> Reading:
    """The status of a run and what it asks for; a background run asks for nothing."""
    rules = EVENTS[hook.event]
    ways = reading.Rules(blocks=rules.exit_2_blocks, reads=rules.reads)
    said = _of_tool(ended, ways) if hook.handler == MCP_TOOL else reading.read(ended, ways)
    diagnostics = _of_output(hook, ended, said)
    try:
        effect = _effect(said, rules, row, ended)
    except (UnsupportedError, InvalidAnswerError) as error:
        what = str(error)
        if isinstance(error, InvalidAnswerError):
            what = f"printed JSON that is no answer to {rules.name} ({text.line(what, PROBLEM_LIMIT)})"
        failed = of_failure(hook, said, what, ended)
        status = _STATUS.get(said.kind, "failed")
        return Reading(status, error=failed.error, diagnostics=(failed.diagnostic, *diagnostics))
    return Reading(effect=NO_EFFECT if hook.background else effect, diagnostics=diagnostics)


def _of_tool(ended: Ended, ways: reading.Rules) -> reading.Said:
    """What a tool said: its structured content, or else its text, has to be one JSON object; no text says nothing."""
    structured = ended.facts.get("structured")
    if ended.state == "exited" and ways.reads and isinstance(structured, dict):
        return reading.Said("json", value=structured)
    said = reading.read(ended, ways)
    if said.kind == "text" or (said.kind == "json" and not isinstance(said.value, dict)):
        return reading.Said("broken", "answered with something that is not one JSON object")
    return said


def _effect(said: reading.Said, rules: EventRules, row: Row, ended: Ended) -> Effect:
    """What was said, in canonical terms. Raises for what fails the run."""
    match said.kind:
        case "nothing":
            return NO_EFFECT
        case "text":
            return _plain(said.text, rules)
        case "json":
            if ended.stdout_cut:
                message = "printed more JSON than is read"
                raise UnsupportedError(message)
            return _answered(_WIRE.read(rules.name, said.value), rules, row)
        case "block" if said.text:
            return _blocked(rules, said.text)
        case "block":
            message = "ended with exit status 2 without a reason on standard error"
            if ended.stdout.strip():
                message += ", and what it printed on standard output is not read then"
            raise UnsupportedError(message)
        case _:
            raise UnsupportedError(said.text)


def _plain(output: str, rules: EventRules) -> Effect:
    if rules.plain_text == "context":
        return Effect(context=(output,))
    if rules.plain_text == "failure":
        message = f"printed text, but {rules.name} hooks have to answer in JSON"
        raise UnsupportedError(message)
    return NO_EFFECT


def _answered(answer: Answer, rules: EventRules, row: Row) -> Effect:
    """An answer that fits the event's fields."""
    stop = answer.top.get("continue") is False
    if rules.stopping == "fails":
        _refuse_common(answer, rules, stop=stop)
    if rules.name in _DECIDERS:
        effect = _DECIDERS[rules.name](answer, rules, row)
    elif stop and rules.stopping == "stops":
        effect = _stopped(answer, rules)
    elif answer.top.get("decision") == "block":
        effect = _blocked(rules, _needed(answer.text("reason"), "`decision: block` needs a `reason`"))
    else:
        effect = NO_EFFECT
    context = (answer.specific_text("additionalContext") or "").strip()
    message = (answer.text("systemMessage") or "").strip()
    return replace(effect, context=(context,) if context else (), messages=(message,) if message else ())


def _refuse_common(answer: Answer, rules: EventRules, *, stop: bool) -> None:
    """The common fields that an event does not support; `true` and `false` that change nothing pass."""
    for wrong, field in (
        (stop, "continue: false"),
        ("stopReason" in answer.top, "stopReason"),
        (answer.top.get("suppressOutput") is True, "suppressOutput: true"),
    ):
        if wrong:
            message = f"answered with `{field}`, which {rules.name} does not support"
            raise UnsupportedError(message)


def _stopped(answer: Answer, rules: EventRules) -> Effect:
    if answer.top.get("decision") == "block":
        _needed(answer.text("reason"), "`decision: block` needs a `reason`")
    given = (answer.text("stopReason") or "").strip() or (answer.text("reason") or "").strip()
    reason = (given if rules.continues else _cut(given)) or stopped_without_reason(rules.name)
    return Effect(decision="stop", reason=reason, stop_reason=reason)


def _blocked(rules: EventRules, reason: str) -> Effect:
    """A block in the event's own word; of a tool's result and of an end it is what the model is told."""
    decision: Decision = "deny" if rules.name in ("PreToolUse", "PermissionRequest") else "block"
    told = reason.strip() if rules.continues else _cut(reason)
    feedback = (told,) if rules.continues or rules.name == "PostToolUse" else ()
    return Effect(decision=decision, reason=told, feedback=feedback)


def _before_a_tool(answer: Answer, rules: EventRules, row: Row) -> Effect:
    """PreToolUse: the nested decision, or else the older one at the top."""
    if answer.top.get("decision") == "approve":
        message = "answered with `decision: approve`, which is not supported"
        raise UnsupportedError(message)
    nested = answer.specific
    if not any(field in nested for field in _NESTED_DECISION):
        return _before_a_tool_by_top(answer, rules)
    decision = nested.get("permissionDecision")
    rewritten = nested.get("updatedInput")
    if rewritten is not None and decision != "allow":
        message = "answered with `updatedInput`, which needs `permissionDecision: allow`"
        raise UnsupportedError(message)
    match decision:
        case "deny":
            missing = "`permissionDecision: deny` needs a `permissionDecisionReason`"
            return _blocked(rules, _needed(answer.specific_text("permissionDecisionReason"), missing))
        case "allow" if rewritten is not None:
            return _rewritten(rewritten, row)
        case "allow":
            message = (
                "answered with `permissionDecision: allow`, which needs `updatedInput`: a plain allow is not supported"
            )
        case "ask":
            message = "answered with `permissionDecision: ask`, which is not supported"
        case _:
            message = "answered with `permissionDecisionReason`, which needs `permissionDecision`"
    raise UnsupportedError(message)


def _before_a_tool_by_top(answer: Answer, rules: EventRules) -> Effect:
    if answer.top.get("decision") == "block":
        return _blocked(rules, _needed(answer.text("reason"), "`decision: block` needs a `reason`"))
    if "reason" in answer.top:
        message = "answered with `reason`, which needs `decision`"
        raise UnsupportedError(message)
    return NO_EFFECT


def _rewritten(rewritten: Mapping[str, Any], row: Row) -> Effect:
    name = getattr(row.event, "tool_name", None) or ""
    problem = tools.problem_of(name, rewritten)
    if problem is not None:
        message = f"answered with an input that cannot be used: {problem}"
        raise UnsupportedError(message)
    return Effect(updated_input=dict(rewritten))


def _permission(answer: Answer, rules: EventRules, row: Row) -> Effect:
    """PermissionRequest: nested only; three of its fields are reserved."""
    del row
    decision = answer.specific.get("decision")
    if decision is None:
        return NO_EFFECT
    reserved = [field for field in ("updatedInput", "updatedPermissions") if decision.get(field) is not None]
    reserved += ["interrupt: true"] if decision.get("interrupt") else []
    if reserved:
        message = f"answered with `{reserved[0]}`, which is reserved"
        raise UnsupportedError(message)
    told = (decision.get("message") or "").strip()
    if decision["behavior"] == "deny":
        return _blocked(rules, told or NO_PERMISSION_REASON)
    return Effect(decision="allow", reason=_cut(told) or None)


def _after_a_tool(answer: Answer, rules: EventRules, row: Row) -> Effect:
    """PostToolUse: a stop or a block tells the model something; neither undoes the call."""
    del row
    if answer.top.get("suppressOutput") is True:
        message = f"answered with `suppressOutput: true`, which {rules.name} does not support"
        raise UnsupportedError(message)
    reason = (answer.text("reason") or "").strip()
    if answer.top.get("continue") is False:
        told = _cut(reason or (answer.text("stopReason") or "").strip()) or NO_FEEDBACK
        return Effect(decision="stop", reason=told, stop_reason=told, feedback=(told,))
    if answer.top.get("decision") == "block":
        return _blocked(rules, _needed(reason, "`decision: block` needs a `reason`"))
    if "reason" in answer.top:
        message = "answered with `reason`, which needs `decision: block` or `continue: false`"
        raise UnsupportedError(message)
    return NO_EFFECT


_DECIDERS: Mapping[str, Callable[[Answer, EventRules, Row], Effect]] = MappingProxyType(
    {"PreToolUse": _before_a_tool, "PermissionRequest": _permission, "PostToolUse": _after_a_tool}
)
"""The events whose fields go together by rules of their own."""


def _needed(reason: str | None, otherwise: str) -> str:
    if reason is None or not reason.strip():
        message = f"answered without a reason: {otherwise} that is not blank"
        raise UnsupportedError(message)
    return reason.strip()


def _cut(reason: str) -> str:
    return text.cut_characters(reason.strip(), REASON_LIMIT, CUT_MARKER)


def _of_output(hook: Hook, ended: Ended, said: reading.Said) -> tuple[Diagnostic, ...]:
    """What is odd about a run however it is read."""
    found = []
    if said.kind == "text" and any(line.lstrip().startswith("{") for line in said.text.splitlines()[1:]):
        what = (
            "printed text before what looks like its answer, so all of it counts as text; mind a login shell's profile"
        )
        found.append(note(hook, "text-before-json", what))
    if ended.pipes_held:
        what = "left a process behind that kept its output open; what it had printed counts; close the streams of what it leaves"
        found.append(note(hook, "pipe-held", what))
    cut = [
        name for name, is_cut in (("standard output", ended.stdout_cut), ("standard error", ended.stderr_cut)) if is_cut
    ]
    if cut:
        found.append(
            note(hook, "output-cut", f"printed too much: of its {' and '.join(cut)} only the beginning was kept")
        )
    return tuple(found)
