"""
Outcomes in the form in which a hook answers Mind.

From the paragraphs on each event's answer in the hooks document. An answer says no more than Mind hears from a hook of that
event, and nothing that would make it fail; whatever is left out or bent is a loss, named by its field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookfw import Loss, NativeAnswer, text
from hookfw_claude.mind import tools
from hookfw_claude.mind.rules import BY_KIND, REASON_LIMIT, EventRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hookfw import Event, Outcome

NO_REASON = "A hook refused this without saying why."
"""A refusal that says nothing would fail in Mind, and let through what it refuses."""

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
)


@dataclass(slots=True)
class _Answer:
    """An answer in the making: its two levels, which fields of the outcome it covers, and what got lost."""

    top: dict[str, Any] = field(default_factory=dict)
    specific: dict[str, Any] = field(default_factory=dict)
    covered: set[str] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)

    def lose(self, name: str, message: str) -> None:
        self.covered.add(name)
        self.losses.append(Loss(name, message))

    def reason(self, outcome: Outcome) -> str:
        """The reason of a refusal or a stop, which covers both texts."""
        self.covered |= {"reason", "stop_reason"}
        said = (outcome.reason or outcome.stop_reason or "").strip() or NO_REASON
        if len(said) > REASON_LIMIT:
            self.losses.append(Loss("reason", f"Mind keeps the first {REASON_LIMIT:,} characters of a reason"))
        return said


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """What a hook of Mind prints that says what `outcome` says; nothing where there is nothing to say."""
    answer = _answer(event, outcome)
    said = dict(answer.top)
    if answer.specific:
        said["hookSpecificOutput"] = {"hookEventName": BY_KIND[event.kind].name, **answer.specific}
    return NativeAnswer(stdout=f"{text.compact_json(said)}\n".encode() if said else b"")


def losses(event: Event, outcome: Outcome) -> Sequence[Loss]:
    """What `render` leaves out or bends."""
    answer = _answer(event, outcome)
    for name in _FIELDS:
        if getattr(outcome, name) and name not in answer.covered:
            answer.lose(name, f"a hook of Mind cannot say it on {event.kind}; it is left out")
    return answer.losses


def _answer(event: Event, outcome: Outcome) -> _Answer:
    answer = _Answer()
    rules = BY_KIND.get(event.kind)
    if rules is None or not rules.reads:
        return _unheard(answer, outcome)
    if outcome.messages:
        answer.covered.add("messages")
        answer.top["systemMessage"] = "\n".join(outcome.messages)
    if outcome.context and rules.context:
        answer.covered.add("context")
        answer.specific["additionalContext"] = _joined(outcome.context)
    _SAY.get(rules.name, _stop)(answer, rules, event, outcome)
    return answer


def _unheard(answer: _Answer, outcome: Outcome) -> _Answer:
    """An event that Mind does not have, or whose hooks are not listened to."""
    if outcome.refused or outcome.ends_turn or outcome.decision != "none":
        answer.lose("decision", "Mind does not listen to hooks of this event; nothing is refused")
    return answer


def _call(answer: _Answer, rules: EventRules, event: Event, outcome: Outcome) -> None:
    """PreToolUse."""
    del rules
    _keep_turn(answer, outcome)
    if outcome.refused:
        answer.specific |= {"permissionDecision": "deny", "permissionDecisionReason": answer.reason(outcome)}
        if outcome.decision not in ("deny", "block"):
            answer.lose("decision", f"`{outcome.decision}` is said as a plain denial")
    elif outcome.decision == "ask":
        answer.lose("decision", "a hook of Mind cannot ask; its ordinary approval applies")
    elif outcome.decision == "allow":
        answer.lose("decision", "a hook of Mind cannot permit a call; its ordinary approval applies")
    if outcome.updated_input is not None and not outcome.refused:
        _rewrite(answer, event, outcome.updated_input)


def _rewrite(answer: _Answer, event: Event, rewritten: Any) -> None:
    answer.covered.add("updated_input")
    name = getattr(event, "tool_name", None) or ""
    if not isinstance(rewritten, dict) or tools.problem_of(name, shown := tools.shown_input(name, rewritten)):
        answer.lose(
            "updated_input", "Mind takes an object, with a text `command` for shell tools and patches; the input stays"
        )
        return
    if shown != rewritten and tools.replaced(name, getattr(event, "tool_input", None), shown) != rewritten:
        answer.lose("updated_input", "Mind takes only the `command` of this tool; its other arguments stay")
    answer.specific |= {"permissionDecision": "allow", "updatedInput": shown}


def _permission(answer: _Answer, rules: EventRules, event: Event, outcome: Outcome) -> None:
    """PermissionRequest."""
    del rules, event
    _keep_turn(answer, outcome)
    if outcome.refused:
        answer.specific["decision"] = {"behavior": "deny", "message": answer.reason(outcome)}
        if outcome.decision not in ("deny", "block"):
            answer.lose("decision", f"`{outcome.decision}` is said as a plain denial")
    elif outcome.decision == "allow":
        answer.specific["decision"] = {"behavior": "allow"}
        if outcome.reason:
            answer.covered.add("reason")
            answer.specific["decision"]["message"] = outcome.reason
    elif outcome.decision == "ask":
        # Asking is what happens without an answer.
        answer.covered.add("reason")


def _keep_turn(answer: _Answer, outcome: Outcome) -> None:
    if outcome.ends_turn:
        answer.lose("ends_turn", "a hook of Mind cannot end the turn here; the turn goes on")


def _result(answer: _Answer, rules: EventRules, event: Event, outcome: Outcome) -> None:
    """PostToolUse: what the model is told of the result."""
    del rules, event
    if outcome.ends_turn:
        answer.lose("ends_turn", "a hook of Mind cannot end the turn after a tool; the model is told and goes on")
    told = _joined(outcome.feedback) or outcome.reason or outcome.stop_reason
    if outcome.decision == "none" and not outcome.feedback:
        return
    answer.covered |= {"feedback", "reason", "stop_reason"}
    if outcome.decision == "stop":
        answer.top["continue"] = False
    else:
        answer.top["decision"] = "block"
    answer.top["reason"] = told or NO_REASON
    if len(answer.top["reason"]) > REASON_LIMIT:
        answer.losses.append(Loss("feedback", f"Mind keeps the first {REASON_LIMIT:,} characters of a reason"))


def _prompt(answer: _Answer, rules: EventRules, event: Event, outcome: Outcome) -> None:
    """UserPromptSubmit."""
    if outcome.refused and not outcome.ends_turn:
        answer.top |= {"decision": "block", "reason": answer.reason(outcome)}
    else:
        _stop(answer, rules, event, outcome)


def _end(answer: _Answer, rules: EventRules, event: Event, outcome: Outcome) -> None:
    """Stop and SubagentStop: an end that is not to be needs the prompt to go on with."""
    if outcome.feedback and not outcome.ends_turn:
        answer.covered |= {"feedback", "reason", "stop_reason"}
        answer.top |= {"decision": "block", "reason": _joined(outcome.feedback)}
    elif outcome.refused and not outcome.ends_turn:
        answer.lose("decision", "Mind goes on only with a prompt to go on with, and there is none; the turn ends")
    else:
        _stop(answer, rules, event, outcome)


def _stop(answer: _Answer, rules: EventRules, event: Event, outcome: Outcome) -> None:
    """Any event whose hooks can do no more than stop it."""
    del event
    if not (outcome.refused or outcome.ends_turn):
        return
    if rules.stopping == "nothing":
        answer.lose("decision", "a hook of Mind can stop nothing here; the event goes ahead")
        return
    answer.top |= {"continue": False, "stopReason": answer.reason(outcome)}
    if outcome.ends_turn and not rules.stop_ends_turn:
        answer.lose("ends_turn", "a hook of Mind cannot end the turn here")
    if outcome.refused and not rules.stop_refuses and not outcome.ends_turn:
        answer.lose("decision", "a hook of Mind can only end the turn here")


_SAY: Mapping[str, Callable[[_Answer, EventRules, Event, Outcome], None]] = {
    "PreToolUse": _call,
    "PermissionRequest": _permission,
    "PostToolUse": _result,
    "UserPromptSubmit": _prompt,
    "Stop": _end,
    "SubagentStop": _end,
}


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)
