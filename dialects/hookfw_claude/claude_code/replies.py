"""
Outcomes in the form in which a hook answers Claude Code.

From the contract, "Events that decide", and from what the client does with each answer: a rewrite without a decision is judged by
the person's rules, where one with `allow` would run unasked; `additionalContext` makes an ended turn go on once, where a
block tells its reason twice.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import DEAF, Form, Loss, NativeAnswer, Nearest, nearest, text, with_losses
from hookfw_claude.claude_code.answer import NATIVE, WIRE
from hookfw_claude.claude_code.effects import NO_REASON, may_be_shown
from hookfw_claude.claude_code.rules import BY_KIND, EVENTS, EventRules
from hookfw_claude.wire import EVENT_NAME, SPECIFIC, InvalidAnswerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hookfw import Event, Outcome

AGENT: Final = "Claude Code"
"""Its name in sentences."""

_PROMPTS: Final = ("UserPromptSubmit", "UserPromptExpansion")
_QUESTIONS: Final = ("Elicitation", "ElicitationResult")
_BY_STATUS: Final = ("TaskCompleted", "TeammateIdle")
"""Events on which a refusal is exit status 2 with the reason on standard error."""

_WORKTREE: Final = "WorktreeCreate"
_PERMISSION: Final = ("interrupt", "updatedPermissions")
"""Keys of `native` that stand inside the decision about a permission."""


def _form_of(rules: EventRules) -> Form:
    """What hooks of an event can say."""
    name = rules.name
    form = Form(
        refuses=rules.refuses and not rules.goes_on,
        stops=rules.stops or rules.block_ends_turn,
        stop_refuses=rules.stop_refuses,
        suppresses="refused" if name in _PROMPTS else "",
        context="" if not rules.context or rules.goes_on else "going" if rules.stop_refuses else "said",
        feedback="" if not rules.feeds_back else "refusing" if rules.refuses and not rules.goes_on else "said",
        messages=rules.shows,
        sequences=rules.shows,
        native=frozenset(NATIVE.get(name, ())),
    )
    match name:
        case "PreToolUse":
            return form._replace(allows=True, asks="said", defers=True, rewrites="said")
        case "PermissionRequest":
            return form._replace(allows=True, asks="silence", rewrites="allowed", native=frozenset(_PERMISSION))
        case "PreModelSwitch":
            return form._replace(asks="said")
    return form


FORMS: Mapping[str, Form] = MappingProxyType({kind: _form_of(rules) for kind, rules in BY_KIND.items()})
"""What hooks can say, by canonical kind of event."""


def can_be_said(event: Event, outcome: Outcome) -> Nearest:
    """What an answer can say of `outcome`, and what not."""
    found = nearest(AGENT, FORMS.get(event.kind, DEAF), event, outcome, _unfit)
    can, losses = found.outcome, []
    sequences = tuple(sequence for sequence in can.terminal_sequences if may_be_shown(sequence))
    if len(sequences) < len(can.terminal_sequences):
        message = f"{AGENT} shows only bells, titles, progress and notifications; the others are left out"
        losses.append(Loss("terminal_sequences", message, "part" if sequences else "nothing"))
    native = {key: value for key, value in can.native.items() if _fits(event, key, value, can)}
    if len(native) < len(can.native):
        left = ", ".join(f"`{key}`" for key in can.native if key not in native)
        message = f"{AGENT} does not take {left} beside this decision or with this value; left out"
        losses.append(Loss("native", message, "part" if native else "nothing"))
    return with_losses(found, *losses, terminal_sequences=sequences, native=native)


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """What a hook of Claude Code prints that says what `outcome` says; nothing where there is nothing to say."""
    rules = _rules(event)
    if rules is None:
        return NativeAnswer()
    can = can_be_said(event, outcome).outcome
    if rules.name == _WORKTREE:
        return _worktree(can)
    said, specific = _top(rules, can), _specific(rules, can)
    if specific:
        said["hookSpecificOutput"] = {"hookEventName": rules.name, **specific}
    stdout = f"{text.compact_json(said)}\n".encode() if said else b""
    if rules.name in _BY_STATUS and can.refused:
        return NativeAnswer(2, stdout, text.scrub(can.reason or NO_REASON).encode())
    return NativeAnswer(stdout=stdout)


def _rules(event: Event) -> EventRules | None:
    if event.kind == "post_tool_use" and getattr(event, "tool_success", None) is False:
        return EVENTS["PostToolUseFailure"]
    return BY_KIND.get(event.kind)


def _unfit(new: Any) -> str:
    """Only tools have new inputs here."""
    return "" if isinstance(new, dict) else f"{AGENT} takes an object"


def _fits(event: Event, key: str, value: Any, can: Outcome) -> bool:
    """An interruption goes with a denial, new permissions with an allow; one value of a wrong type would void the answer."""
    if key in _PERMISSION:
        return value is True and can.refused if key == "interrupt" else isinstance(value, list) and _allows(can)
    rules = _rules(event)
    try:
        WIRE.read(rules.name if rules else "", {SPECIFIC: {EVENT_NAME: rules.name if rules else "", key: value}})
    except InvalidAnswerError:
        return False
    return True


def _allows(can: Outcome) -> bool:
    return can.decision == "allow"


def _top(rules: EventRules, can: Outcome) -> dict[str, Any]:
    """The fields at the top."""
    said: dict[str, Any] = {"systemMessage": "\n".join(can.messages)} if can.messages else {}
    if can.terminal_sequences:
        said["terminalSequence"] = "".join(can.terminal_sequences)
    if can.feedback and not rules.goes_on:
        said |= {"decision": "block", "reason": _joined(can.feedback)}
    if rules.block_ends_turn and can.ends_turn:
        return said | {"decision": "block", "reason": can.stop_reason or NO_REASON}
    stopped = can.ends_turn and can.decision != "defer"
    if stopped:
        said |= {"continue": False} | ({"stopReason": can.stop_reason} if can.stop_reason else {})
    if can.refused and rules.name in _QUESTIONS:
        said["reason"] = can.reason or NO_REASON
    elif can.refused and _blocks(rules) and not (stopped and rules.stop_refuses):
        said |= {"decision": "block", "reason": can.reason or NO_REASON}
    return said


def _blocks(rules: EventRules) -> bool:
    """A refusal is `decision: block`."""
    own = ("PreToolUse", "PermissionRequest", "PreModelSwitch", *_BY_STATUS)
    return rules.blocks and rules.refuses and not rules.goes_on and rules.name not in own


def _specific(rules: EventRules, can: Outcome) -> dict[str, Any]:
    """The fields of `hookSpecificOutput`."""
    said: dict[str, Any] = {"additionalContext": _joined(can.context)} if can.context else {}
    said |= {key: value for key, value in can.native.items() if key not in _PERMISSION}
    match rules.name:
        case "PreToolUse" | "PreModelSwitch":
            said |= _permission(can)
        case "PermissionRequest":
            said |= _answer(can)
        case "Stop" | "SubagentStop" if can.feedback:
            said["additionalContext"] = _joined(can.feedback)
        case "UserPromptSubmit" | "UserPromptExpansion" if can.suppress_prompt:
            said["suppressOriginalPrompt"] = True
        case "Elicitation" | "ElicitationResult" if can.refused:
            if said.get("action") != "cancel":
                said["action"] = "decline"
            said.pop("content", None)
    return said


def _permission(can: Outcome) -> dict[str, Any]:
    """A decision before a tool or a switch. A new input without one is judged by the person's own rules."""
    said: dict[str, Any] = {} if can.updated_input is None else {"updatedInput": can.updated_input}
    word = "deny" if can.refused and can.decision != "defer" else "ask" if can.asks else can.decision
    if word in ("deny", "defer", "ask", "allow"):
        said["permissionDecision"] = word
        reason = can.reason or (NO_REASON if can.refused else None)
        if reason:
            said["permissionDecisionReason"] = reason
    return said


def _answer(can: Outcome) -> dict[str, Any]:
    """The answer to a request for permission."""
    inside = {key: value for key, value in can.native.items() if key in _PERMISSION}
    if can.refused:
        return {"decision": {"behavior": "deny", "message": can.reason or NO_REASON, **inside}}
    if can.decision != "allow":
        return {}
    decision: dict[str, Any] = {"behavior": "allow"} | ({"message": can.reason} if can.reason else {})
    if can.updated_input is not None:
        decision["updatedInput"] = can.updated_input
    return {"decision": decision | inside}


def _worktree(can: Outcome) -> NativeAnswer:
    """WorktreeCreate: plain text and an exit status."""
    if can.refused:
        return NativeAnswer(1, b"", text.scrub(can.reason or NO_REASON).encode())
    path = can.native.get("worktreePath")
    return NativeAnswer(stdout=f"{text.scrub(path)}\n".encode() if isinstance(path, str) else b"")


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)
