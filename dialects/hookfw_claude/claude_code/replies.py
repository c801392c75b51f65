"""
Outcomes in the form in which a hook answers Claude Code.

From the contract, "Events that decide", and from what the client does with each answer: a rewrite without a decision is judged by
the person's rules, where one with `allow` would run unasked; `additionalContext` makes an ended turn go on once, where a
block tells its reason twice. Whatever is left out or bent is a loss, named by its field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import Loss, NativeAnswer, text
from hookfw_claude.claude_code.answer import NATIVE
from hookfw_claude.claude_code.effects import NO_REASON
from hookfw_claude.claude_code.rules import BY_KIND, EVENTS, EventRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hookfw import Event, Outcome

_FIELDS: Final = (
    "reason",
    "stop_reason",
    "updated_input",
    "prompt",
    "suppress_prompt",
    "context",
    "feedback",
    "messages",
    "terminal_sequences",
    "env",
    "native",
)


@dataclass(slots=True)
class _Reply:
    """An answer in the making: its two levels, its exit status, which fields of the outcome it covers, what got lost."""

    top: dict[str, Any] = field(default_factory=dict)
    specific: dict[str, Any] = field(default_factory=dict)
    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""
    covered: set[str] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)

    def lose(self, name: str, message: str) -> None:
        self.covered.add(name)
        self.losses.append(Loss(name, message))

    def reason(self, outcome: Outcome) -> str:
        """The reason of a refusal or a stop, which covers both texts."""
        self.covered |= {"reason", "stop_reason"}
        return outcome.reason or outcome.stop_reason or NO_REASON

    def block(self, reason: str) -> None:
        self.top |= {"decision": "block", "reason": reason}


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """What a hook of Claude Code prints that says what `outcome` says; nothing where there is nothing to say."""
    reply = _reply(event, outcome)
    said = dict(reply.top)
    if reply.specific:
        rules = _rules(event)
        said["hookSpecificOutput"] = {"hookEventName": rules.name if rules else event.kind, **reply.specific}
    stdout = f"{text.compact_json(said)}\n" if said else reply.stdout
    return NativeAnswer(reply.exit_code, stdout.encode(), text.scrub(reply.stderr).encode())


def losses(event: Event, outcome: Outcome) -> Sequence[Loss]:
    """What `render` leaves out or bends."""
    reply = _reply(event, outcome)
    for name in _FIELDS:
        if getattr(outcome, name) and name not in reply.covered:
            reply.lose(name, f"a hook of Claude Code cannot say it on {event.kind}; it is left out")
    return reply.losses


def _rules(event: Event) -> EventRules | None:
    if event.kind == "post_tool_use" and getattr(event, "tool_success", None) is False:
        return EVENTS["PostToolUseFailure"]
    return BY_KIND.get(event.kind)


def _reply(event: Event, outcome: Outcome) -> _Reply:
    reply = _Reply()
    rules = _rules(event)
    if rules is None:
        _keep_decision(reply, outcome, "Claude Code has no such event")
        return reply
    if outcome.messages and rules.shows:
        reply.covered.add("messages")
        reply.top["systemMessage"] = "\n".join(outcome.messages)
    if outcome.terminal_sequences and rules.shows:
        reply.covered.add("terminal_sequences")
        reply.top["terminalSequence"] = "".join(outcome.terminal_sequences)
    if outcome.context and rules.context and not rules.goes_on:
        reply.covered.add("context")
        reply.specific["additionalContext"] = _joined(outcome.context)
    for name in NATIVE.get(rules.name, ()):
        if name in outcome.native:
            reply.covered.add("native")
            reply.specific[name] = outcome.native[name]
    _SAY.get(rules.name, _gate)(reply, rules, outcome)
    if outcome.ends_turn and not rules.block_ends_turn:
        _end_turn(reply, rules, outcome)
    return reply


def _end_turn(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    if reply.specific.get("permissionDecision") == "defer":
        # Deferring ends the run by itself.
        return
    if rules.stops:
        reply.top |= {"continue": False, "stopReason": reply.reason(outcome)}
    else:
        reply.lose("ends_turn", "a hook of Claude Code cannot end the turn here; the turn goes on")


def _call(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """PreToolUse."""
    del rules
    if outcome.refused:
        word = "defer" if outcome.decision == "defer" else "deny"
        reply.specific |= {"permissionDecision": word, "permissionDecisionReason": reply.reason(outcome)}
        return
    if outcome.decision in ("ask", "allow"):
        reply.specific["permissionDecision"] = outcome.decision
        if outcome.reason:
            reply.covered.add("reason")
            reply.specific["permissionDecisionReason"] = outcome.reason
    if outcome.updated_input is not None:
        reply.covered.add("updated_input")
        if isinstance(outcome.updated_input, dict):
            # Without a decision the person's own rules judge the new input.
            reply.specific["updatedInput"] = outcome.updated_input
        else:
            reply.lose("updated_input", "Claude Code takes an object; the input stays")


def _permission(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """PermissionRequest."""
    del rules
    if outcome.refused:
        reply.specific["decision"] = {"behavior": "deny", "message": reply.reason(outcome)}
        if outcome.native.get("interrupt"):
            reply.covered.add("native")
            reply.specific["decision"]["interrupt"] = True
        return
    if outcome.decision == "ask":
        # Asking is what happens without an answer.
        reply.covered.add("reason")
    if outcome.decision != "allow":
        return
    decision: dict[str, Any] = {"behavior": "allow"}
    if outcome.reason:
        reply.covered.add("reason")
        decision["message"] = outcome.reason
    if isinstance(outcome.updated_input, dict):
        reply.covered.add("updated_input")
        decision["updatedInput"] = outcome.updated_input
    if "updatedPermissions" in outcome.native:
        reply.covered.add("native")
        decision["updatedPermissions"] = outcome.native["updatedPermissions"]
    reply.specific["decision"] = decision


def _prompt(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """UserPromptSubmit and UserPromptExpansion."""
    _gate(reply, rules, outcome)
    if outcome.refused and outcome.suppress_prompt:
        reply.covered.add("suppress_prompt")
        reply.specific["suppressOriginalPrompt"] = True


def _result(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """PostToolUse and PostToolUseFailure: what the model is told of the result."""
    del rules
    if outcome.feedback or outcome.decision == "block":
        told = _joined(outcome.feedback) or outcome.reason or NO_REASON
        reply.covered |= {"feedback", "reason"}
        reply.block(told)


def _batch(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """PostToolBatch: there is nothing between ending the turn and adding context."""
    del rules
    if outcome.ends_turn:
        reply.block(reply.reason(outcome))
    if outcome.feedback:
        reply.covered.add("feedback")
        reply.specific["additionalContext"] = _joined((*outcome.context, *outcome.feedback))


def _end(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """Stop and SubagentStop: context makes the agent go on, so it is given only where it is to."""
    del rules
    if outcome.ends_turn:
        return
    if outcome.feedback:
        reply.covered |= {"feedback", "reason", "stop_reason", "context"}
        reply.specific["additionalContext"] = _joined((*outcome.context, *outcome.feedback))
    elif outcome.refused:
        reply.lose("decision", "Claude Code goes on only with a text to go on with, and there is none; the turn ends")


def _by_status(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """TaskCompleted and TeammateIdle: a refusal is said by exit status 2."""
    del rules
    if outcome.refused and not outcome.ends_turn:
        reply.covered.add("feedback")
        reply.exit_code, reply.stderr = 2, _joined(outcome.feedback) or reply.reason(outcome)
        reply.covered |= {"reason", "stop_reason"}


def _switch(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """PreModelSwitch."""
    del rules
    if outcome.refused:
        reply.specific |= {"permissionDecision": "deny", "permissionDecisionReason": reply.reason(outcome)}
    elif outcome.decision == "ask":
        reply.specific |= {"permissionDecision": "ask", "permissionDecisionReason": reply.reason(outcome)}


def _question(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """Elicitation and ElicitationResult."""
    del rules
    if outcome.refused and reply.specific.get("action") not in ("decline", "cancel"):
        reply.covered |= {"reason", "stop_reason"}
        reply.specific["action"] = "decline"
        reply.specific.pop("content", None)


def _worktree(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """WorktreeCreate: plain text and an exit status."""
    del rules
    path = reply.specific.pop("worktreePath", None)
    if outcome.refused:
        reply.exit_code, reply.stderr = 1, reply.reason(outcome)
    elif isinstance(path, str):
        reply.stdout = f"{path}\n"


def _gate(reply: _Reply, rules: EventRules, outcome: Outcome) -> None:
    """Any event whose hooks can do no more than block it."""
    if not outcome.refused:
        return
    if rules.blocks and rules.refuses:
        if not (outcome.ends_turn and rules.stop_refuses):
            reply.block(reply.reason(outcome))
        if outcome.feedback:
            reply.covered.add("feedback")
    else:
        _keep_decision(reply, outcome, "a hook of Claude Code can refuse nothing here")


def _keep_decision(reply: _Reply, outcome: Outcome, why: str) -> None:
    if outcome.refused or outcome.ends_turn or outcome.decision != "none":
        reply.lose("decision", f"{why}; the event goes ahead")


_SAY: Mapping[str, Callable[[_Reply, EventRules, Outcome], None]] = MappingProxyType(
    {
        "PreToolUse": _call,
        "PermissionRequest": _permission,
        "UserPromptSubmit": _prompt,
        "UserPromptExpansion": _prompt,
        "PostToolUse": _result,
        "PostToolUseFailure": _result,
        "PostToolBatch": _batch,
        "Stop": _end,
        "SubagentStop": _end,
        "TaskCompleted": _by_status,
        "TeammateIdle": _by_status,
        "PreModelSwitch": _switch,
        "Elicitation": _question,
        "ElicitationResult": _question,
        "WorktreeCreate": _worktree,
    }
)
"""The events whose answers are more than a block."""


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)
