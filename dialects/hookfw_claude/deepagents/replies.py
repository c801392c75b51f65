"""
Replies: an outcome as a hook of Deep Agents Code says it.

From the hooks document, "Handler output". A reply says no more than the agent hears from a hook of that event; whatever is
left out or bent is a loss, named by its field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookfw import Loss, NativeAnswer, text
from hookfw_claude.deepagents.interpret import is_allowed_sequence
from hookfw_claude.deepagents.rules import EVENTS, EventRules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hookfw import Event, Outcome

_FIELDS = (
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
    "ends_turn",
)
_OF_KIND = {rules.canonical: rules for rules in EVENTS.values()}
_PARAGRAPH = "\n\n"


@dataclass(slots=True)
class _Reply:
    """A reply in the making: its fields, which fields of the outcome it covers, and what got lost."""

    outcome: Outcome
    top: dict[str, Any] = field(default_factory=dict)
    specific: dict[str, Any] = field(default_factory=dict)
    covered: set[str] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)

    def lose(self, name: str, message: str) -> None:
        self.covered.add(name)
        self.losses.append(Loss(name, message))

    def take(self, name: str) -> Any:
        """A field of the outcome that the reply says."""
        self.covered.add(name)
        return getattr(self.outcome, name)

    def stop(self) -> None:
        """`continue: false`, with the reason."""
        self.covered |= {"ends_turn", "reason", "stop_reason"}
        self.top["continue"] = False
        reason = self.outcome.stop_reason or self.outcome.reason
        if reason is not None:
            self.top["stopReason"] = reason

    def block(self) -> None:
        """`decision: block`, with the reason."""
        self.top["decision"] = "block"
        reason = self.take("reason")
        if reason:
            self.top["reason"] = reason


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """Exit code 0 and one JSON document that says what `outcome` says; nothing where there is nothing to say."""
    rules, reply = _reply(event, outcome)
    document = dict(reply.top)
    if reply.specific:
        document["hookSpecificOutput"] = {"hookEventName": rules.name, **reply.specific}
    return NativeAnswer(stdout=text.compact_json(document).encode() if document else b"")


def losses(event: Event, outcome: Outcome) -> Sequence[Loss]:
    """What `render` leaves out or bends."""
    rules, reply = _reply(event, outcome)
    for name in _FIELDS:
        if getattr(outcome, name) and name not in reply.covered:
            reply.lose(name, f"a hook of Deep Agents Code cannot say it on {rules.name}; it is left out")
    return reply.losses


def _reply(event: Event, outcome: Outcome) -> tuple[EventRules, _Reply]:
    rules = _OF_KIND.get(event.kind)
    reply = _Reply(outcome)
    if rules is None:
        return EVENTS["SessionEnd"], reply
    if outcome.messages:
        reply.top["systemMessage"] = "\n".join(reply.take("messages"))
    sequences = [sequence for sequence in reply.take("terminal_sequences") if is_allowed_sequence(sequence)]
    if len(sequences) < len(outcome.terminal_sequences):
        reply.lose(
            "terminal_sequences", "Deep Agents Code writes only bells, titles and notices; the others are left out"
        )
    if sequences:
        reply.top["terminalSequence"] = "".join(sequences)
    _SAY[rules.name](reply)
    return rules, reply


def _context(reply: _Reply, *more: str) -> None:
    context = [*more, *reply.take("context")]
    if context:
        reply.specific["additionalContext"] = _PARAGRAPH.join(context)


def _start(reply: _Reply) -> None:
    _context(reply)
    if reply.outcome.refused or reply.outcome.ends_turn:
        reply.stop()


def _prompt(reply: _Reply) -> None:
    outcome = reply.outcome
    if outcome.ends_turn:
        reply.stop()
        return
    if outcome.refused:
        reply.block()
        return
    prompt = reply.take("prompt")
    if prompt is not None:
        reply.lose(
            "prompt", "Deep Agents Code replaces no prompt; the new one is said as context, and the old one is hidden"
        )
        _context(reply, prompt)
    else:
        _context(reply)
    if reply.take("suppress_prompt") or prompt is not None:
        reply.specific["suppressOriginalPrompt"] = True


def _call(reply: _Reply) -> None:
    outcome = reply.outcome
    _context(reply)
    if outcome.ends_turn:
        reply.stop()
    decision = "deny" if outcome.refused else outcome.decision
    if decision == "deny" and outcome.decision == "defer":
        reply.lose("decision", "Deep Agents Code knows no `defer`; it is said as a denial")
    if decision not in ("allow", "ask", "deny") or (outcome.decision == "stop" and outcome.ends_turn):
        return
    if decision == "allow" and outcome.updated_input is not None:
        # The call would run as it was: nobody allowed that one.
        reply.lose("decision", "Deep Agents Code applies no rewrite, so the allow of the rewritten call is left out")
        return
    reply.specific["permissionDecision"] = decision
    reason = reply.take("reason")
    if reason:
        reply.specific["permissionDecisionReason"] = reason


def _permission(reply: _Reply) -> None:
    outcome = reply.outcome
    if outcome.ends_turn:
        reply.stop()
    elif outcome.refused:
        denial = {"behavior": "deny"}
        reason = reply.take("reason")
        if reason:
            denial["message"] = reason
        reply.specific["decision"] = denial | ({"interrupt": True} if reply.take("native").get("interrupt") else {})
    elif outcome.decision == "allow":
        if outcome.updated_input is not None:
            reply.lose(
                "decision", "Deep Agents Code applies no rewrite, so the allow of the rewritten call is left out"
            )
        else:
            reply.specific["decision"] = {"behavior": "allow"}
    elif outcome.decision == "ask":
        reply.covered.add("decision")


def _result(reply: _Reply) -> None:
    _context(reply)
    feedback = reply.take("feedback")
    if feedback:
        reply.covered |= {"reason", "stop_reason"}
        reply.top |= {"decision": "block", "reason": _PARAGRAPH.join(feedback)}


def _compaction(reply: _Reply) -> None:
    if reply.outcome.ends_turn or reply.outcome.decision == "stop":
        reply.stop()
    elif reply.outcome.refused:
        reply.block()


def _end_of_turn(reply: _Reply) -> None:
    if reply.outcome.ends_turn:
        reply.stop()
        return
    feedback = reply.take("feedback")
    if feedback:
        reply.covered.add("reason")
        reply.top |= {"decision": "block", "reason": "\n".join(feedback)}


def _subagent_end(reply: _Reply) -> None:
    feedback = reply.take("feedback")
    if feedback:
        reply.lose("feedback", "a finished subagent of Deep Agents Code cannot go on; its parent is told as context")
    _context(reply, *feedback)


def _observe(reply: _Reply) -> None:
    """Messages are all these events hear."""


_SAY: Mapping[str, Callable[[_Reply], None]] = {
    "SessionStart": _start,
    "UserPromptSubmit": _prompt,
    "SessionEnd": _observe,
    "PermissionRequest": _permission,
    "Notification": _observe,
    "PreToolUse": _call,
    "PostToolUse": _result,
    "PostToolUseFailure": _result,
    "PreCompact": _compaction,
    "Stop": _end_of_turn,
    "SubagentStart": _start,
    "SubagentStop": _subagent_end,
}
"""How each event is answered."""
