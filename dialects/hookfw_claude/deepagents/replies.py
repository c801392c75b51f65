"""
Replies: an outcome as a hook of Deep Agents Code says it.

From the hooks document, "Handler output". A reply says no more than the agent hears from a hook of that event.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import DEAF, Form, Loss, NativeAnswer, Nearest, nearest, text, with_losses
from hookfw_claude.deepagents.interpret import is_allowed_sequence
from hookfw_claude.deepagents.rules import EVENTS, EventRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Event, Outcome

AGENT: Final = "Deep Agents Code"
"""Its name in sentences."""

_OF_KIND: Mapping[str, EventRules] = MappingProxyType({rules.canonical: rules for rules in EVENTS.values()})
_PARAGRAPH: Final = "\n\n"
_HEARD: Final = Form(messages=True, sequences=True)
_TOOL_RESULT: Final = _HEARD._replace(feedback="said", context="said")
_GATE: Final = _HEARD._replace(refuses=True, stops=True, stop_refuses=True)

FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "session_start": _GATE._replace(refuses=False, context="said"),
        "user_prompt_submit": _GATE._replace(prompt="context", suppresses="said", context="going"),
        "session_end": _HEARD,
        "permission_request": _GATE._replace(allows=True, asks="silence", native=frozenset({"interrupt"})),
        "notification": _HEARD,
        "pre_tool_use": _GATE._replace(allows=True, asks="said", context="said"),
        "post_tool_use": _TOOL_RESULT,
        "post_tool_use_failure": _TOOL_RESULT,
        "pre_compact": _HEARD._replace(refuses=True),
        "stop": _HEARD._replace(feedback="said", stops=True),
        "subagent_start": _HEARD._replace(refuses=True, context="said"),
        "subagent_stop": _HEARD._replace(context="said"),
    }
)
"""What hooks can say, by canonical kind of event."""


def can_be_said(event: Event, outcome: Outcome) -> Nearest:
    """What a reply can say of `outcome`, and what not."""
    form = FORMS.get(event.kind, DEAF)
    found = nearest(AGENT, form, event, outcome)
    can, losses = found.outcome, []
    sequences = tuple(sequence for sequence in can.terminal_sequences if is_allowed_sequence(sequence))
    if len(sequences) < len(can.terminal_sequences):
        message = f"{AGENT} writes only bells, titles and notices; the others are left out"
        losses.append(Loss("terminal_sequences", message, "part" if sequences else "nothing"))
    if can.native and not (can.refused and not can.ends_turn):
        losses.append(Loss("native", f"{AGENT} interrupts only with a denial; it is left out"))
    if event.kind == "permission_request" and can.decision == "allow" and can.reason:
        losses.append(Loss("reason", f"an allow has no reason in {AGENT}; it is left out"))
    return with_losses(found, *losses, terminal_sequences=sequences)


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """Exit code 0 and one JSON document that says what `outcome` says; nothing where there is nothing to say."""
    rules = _OF_KIND.get(event.kind)
    if rules is None:
        return NativeAnswer()
    can = can_be_said(event, outcome).outcome
    said, specific = _top(rules.name, can), _specific(rules.name, can)
    if specific:
        said["hookSpecificOutput"] = {"hookEventName": rules.name, **specific}
    return NativeAnswer(stdout=text.compact_json(said).encode() if said else b"")


def _top(name: str, can: Outcome) -> dict[str, Any]:
    said: dict[str, Any] = {"systemMessage": "\n".join(can.messages)} if can.messages else {}
    if can.terminal_sequences:
        said["terminalSequence"] = "".join(can.terminal_sequences)
    if can.ends_turn or (can.refused and name == "SubagentStart"):
        said["continue"] = False
        reason = can.stop_reason or can.reason
        return said | ({"stopReason": reason} if reason else {})
    reason = can.reason
    if can.feedback:
        reason = ("\n" if name == "Stop" else _PARAGRAPH).join(can.feedback)
    if can.feedback or (can.refused and name in ("UserPromptSubmit", "PreCompact")):
        said["decision"] = "block"
        return said | ({"reason": reason} if reason else {})
    return said


def _specific(name: str, can: Outcome) -> dict[str, Any]:
    said: dict[str, Any] = {"additionalContext": _PARAGRAPH.join(can.context)} if can.context else {}
    if can.suppress_prompt:
        said["suppressOriginalPrompt"] = True
    if can.ends_turn:
        return said
    decision = "deny" if can.refused else can.decision
    if name == "PreToolUse" and decision in ("deny", "ask", "allow"):
        said["permissionDecision"] = decision
        if can.reason:
            said["permissionDecisionReason"] = can.reason
    elif name == "PermissionRequest" and decision == "deny":
        said["decision"] = {"behavior": "deny"} | ({"message": can.reason} if can.reason else {})
        if can.native.get("interrupt"):
            said["decision"]["interrupt"] = True
    elif name == "PermissionRequest" and decision == "allow":
        said["decision"] = {"behavior": "allow"}
    return said
