"""
Outcomes in the form in which a hook answers Wuu.

From the hooks document, the table of events and "Command input and output": a hook refuses, replaces the arguments before a
call, and adds context after one. A refusal is said twice, by exit 2 and by its JSON, so that a stray line takes nothing of it
away. A Stop hook marks the turn as failed; no hook makes the agent go on.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import DEAF, Form, Loss, NativeAnswer, Nearest, nearest, text, with_losses
from hookfw_wuu.failures import BLOCK
from hookfw_wuu.payloads import is_failure
from hookfw_wuu.rules import CAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hookfw import Event, Outcome

AGENT: Final = "Wuu"
"""Its name in sentences."""

NO_REASON: Final = "A hook refused this without saying why."

TEXT_LIMIT: Final = CAP // 8
"""Bytes of a text: written as JSON with every character escaped it is within the cap, and over that Wuu reads nothing."""

_ENDS: Final = ("stop", "subagent_stop")
_GATE: Final = Form(refuses=True)

FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        "pre_tool_use": Form(refuses=True, rewrites="said"),
        "permission_request": _GATE,
        # What the model is told of a result is said as context.
        "post_tool_use": Form(context="said", feedback="said"),
        "user_prompt_submit": _GATE,
        "pre_compact": _GATE,
        "post_compact": _GATE,
        "session_start": _GATE,
        "subagent_start": _GATE,
        "stop": _GATE,
        "subagent_stop": _GATE,
    }
)
"""What hooks can say, by canonical kind of event; the other events take nothing from them."""


def can_be_said(event: Event, outcome: Outcome) -> Nearest:
    """What an answer can say of `outcome`, and what not."""
    if event.kind in _ENDS:
        return _cut(_end(event, outcome))
    if event.kind == "post_tool_use" and not is_failure(event):
        return _cut(_result(event, outcome))
    form = DEAF if event.kind == "post_tool_use" else FORMS.get(event.kind, DEAF)
    return _cut(nearest(AGENT, form, event, outcome, _unfit))


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """Exit code and standard output of a hook of Wuu that says what `outcome` says; nothing where there is nothing to say."""
    can = can_be_said(event, outcome).outcome
    said: dict[str, Any] = {}
    if can.refused:
        said = {"decision": "block", "reason": can.reason or NO_REASON}
    elif can.updated_input is not None:
        said = {"updated_input": can.updated_input}
    elif can.context:
        said = {"additional_context": "\n\n".join(can.context)}
    stdout = f"{text.compact_json(said)}\n".encode() if said else b""
    return NativeAnswer(BLOCK if can.refused else 0, stdout)


def _unfit(new: Any) -> str:
    """Why Wuu cannot take a new input."""
    if not isinstance(new, dict):
        return f"{AGENT} takes an object"
    size = len(text.compact_json({"updated_input": new}).encode()) + 1
    return "" if size <= CAP else f"{AGENT} reads at most {CAP:,} bytes"


def _result(event: Event, outcome: Outcome) -> Nearest:
    """After a tool: an objection cannot be made, so all that is said for it is read as context."""
    objects = outcome.ends_turn or outcome.refused or outcome.decision not in ("none", "allow", "ask")
    told = _said((*outcome.feedback, outcome.reason, outcome.stop_reason))
    if not (objects or _said(outcome.feedback)):
        return nearest(AGENT, FORMS[event.kind], event, outcome)
    rest = replace(outcome, ends_turn=False, feedback=tuple(told), reason=None, stop_reason=None)
    found = nearest(AGENT, FORMS[event.kind], event, rest)
    given = {"feedback": outcome.feedback, "reason": outcome.reason, "stop_reason": outcome.stop_reason}
    names = [name for name, value in given.items() if value] or ["decision"]
    if outcome.ends_turn:
        names.append("ends_turn")
    why = "a hook of Wuu cannot object to a result; it is said as context"
    return with_losses(found, *(Loss(name, why, "context") for name in names))


def _end(event: Event, outcome: Outcome) -> Nearest:
    """The end of a turn: one that must not be is a failed turn, since nobody goes on; one that is to be is silence."""
    objects = outcome.refused or outcome.decision in ("deny", "block", "ask", "defer")
    if outcome.ends_turn or not (objects or _said(outcome.feedback)):
        return nearest(AGENT, DEAF, event, outcome)
    told = _said((*outcome.feedback, outcome.reason, outcome.stop_reason))
    rest = replace(outcome, decision="none", refused=False, feedback=(), reason=None, stop_reason=None)
    found = nearest(AGENT, DEAF, event, rest)
    losses = []
    if _said(outcome.feedback):
        message = (
            "a hook of Wuu cannot make the agent go on; the turn is marked as failed, with this text for the reason"
        )
        losses.append(Loss("feedback", message, "reason"))
    if outcome.decision in ("ask", "defer"):
        losses.append(Loss("decision", f"a hook of Wuu cannot {outcome.decision}; it is refused instead", "refusal"))
    return with_losses(found, *losses, refused=True, decision="block", reason="\n\n".join(told) or None)


def _cut(found: Nearest) -> Nearest:
    """With texts that Wuu reads whole."""
    can = found.outcome
    context = "\n\n".join((*can.context, *can.feedback))
    reason = can.reason or ""
    kept = {"reason": text.cut_bytes(reason, TEXT_LIMIT), "context": text.cut_bytes(context, TEXT_LIMIT)}
    losses = [
        Loss(name, f"{AGENT} reads the first {TEXT_LIMIT:,} bytes of it", "part")
        for name, whole in (("reason", reason), ("context", context))
        if kept[name] != whole
    ]
    return with_losses(
        found, *losses, reason=kept["reason"] or None, context=(kept["context"],) if context else (), feedback=()
    )


def _said(texts: Iterable[str | None]) -> list[str]:
    """The texts that say something, each once."""
    return list(dict.fromkeys(told for told in texts if told and told.strip()))
