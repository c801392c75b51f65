"""
Outcomes in the form in which a hook answers its agent.

The answer is the same for the agents of the family that read it strictly; what each of them hears from a hook of an event
stands in its `Speech`. An answer says no more than the agent hears, and nothing that would make it fail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from hookfw import DEAF, Form, Loss, NativeAnswer, Nearest, nearest, text, with_losses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hookfw import Event, Outcome

NO_REASON: Final = "A hook refused this without saying why."
"""A refusal that says nothing would fail, and let through what it refuses."""

CUT: Final = "part"


class Hears(Protocol):
    """What an agent hears from the hooks of one event."""

    @property
    def name(self) -> str:
        """The event as configuration spells it."""

    @property
    def context(self) -> bool:
        """Hooks may give `additionalContext`."""

    @property
    def reads(self) -> bool:
        """Standard output is looked at."""

    @property
    def stopping(self) -> str:
        """What `continue: false` does: `stops`, `fails` or `nothing`."""

    @property
    def stop_refuses(self) -> bool:
        """A stop keeps what the event announces from happening."""

    @property
    def stop_ends_turn(self) -> bool:
        """After a stop there is no further model request in this turn."""


def form_of(hears: Hears) -> Form:
    """What hooks of an event can say."""
    if not hears.reads:
        return DEAF
    form = Form(context="said" if hears.context else "", messages=True)
    match hears.name:
        case "PreToolUse":
            return form._replace(refuses=True, rewrites="said")
        case "PermissionRequest":
            return form._replace(refuses=True, allows=True, asks="silence")
        case "PostToolUse":
            return form._replace(feedback="said", tells_stop=True)
        case "Stop" | "SubagentStop":
            return form._replace(feedback="said", stops=True)
    stops = hears.stopping == "stops" and hears.stop_ends_turn
    refuses = hears.name == "UserPromptSubmit" or (hears.stop_refuses and not hears.stop_ends_turn)
    return form._replace(refuses=refuses, stops=stops, stop_refuses=stops and hears.stop_refuses)


class NewInput(NamedTuple):
    """
    A tool's new input as an agent takes it from a hook.

    Attributes:
        said: what the hook says; `None` where the agent cannot take it.
        unfit: why it cannot, or not whole; empty when it can.
    """

    said: Any = None
    unfit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """
    How hooks of one agent answer.

    Attributes:
        agent: its name, for sentences.
        by_kind: what it hears, by canonical kind.
        new_input: a tool's new input as the agent takes it, from the call and what is to replace its input.
        limits: characters of a text that the agent keeps, by field and native event; `""` stands for every event.
        forms: what hooks can say, by canonical kind.
    """

    agent: str
    by_kind: Mapping[str, Hears]
    new_input: Callable[[Event, Any], NewInput]
    limits: Mapping[tuple[str, str], int] = field(default_factory=dict)
    forms: Mapping[str, Form] = field(init=False)

    def __post_init__(self) -> None:
        """The forms follow from what the agent hears."""
        object.__setattr__(self, "forms", {kind: form_of(hears) for kind, hears in self.by_kind.items()})

    def nearest(self, event: Event, outcome: Outcome) -> Nearest:
        """What an answer can say of `outcome`, and what not."""
        form = self.forms.get(event.kind, DEAF)
        found = nearest(self.agent, form, event, outcome, lambda new: self._unfit(event, new))
        return found if form is DEAF else with_losses(found, *self._cut(event, found.outcome))

    def render(self, event: Event, outcome: Outcome) -> NativeAnswer:
        """What a hook prints that says what `outcome` says; nothing where there is nothing to say."""
        hears = self.by_kind.get(event.kind)
        if hears is None:
            return NativeAnswer()
        can = self.nearest(event, outcome).outcome
        said, specific = _top(hears.name, can), self._specific(hears.name, event, can)
        if specific:
            said["hookSpecificOutput"] = {"hookEventName": hears.name, **specific}
        return NativeAnswer(stdout=f"{text.compact_json(said)}\n".encode() if said else b"")

    def _unfit(self, event: Event, new: Any) -> str:
        return self.new_input(event, new).unfit if event.kind == "pre_tool_use" else ""

    def _cut(self, event: Event, can: Outcome) -> Iterable[Loss]:
        """The texts of which the agent keeps only the beginning."""
        name = self.by_kind[event.kind].name
        for told, said in (
            ("reason", can.reason or can.stop_reason or ""),
            ("feedback", _joined(can.feedback)),
            ("context", _joined(can.context)),
        ):
            limit = self.limits.get((told, name), self.limits.get((told, ""), len(said)))
            if len(said) > limit:
                yield Loss(told, f"{self.agent} keeps the first {limit:,} characters of it", CUT)

    def _specific(self, name: str, event: Event, can: Outcome) -> dict[str, Any]:
        """The fields of `hookSpecificOutput`."""
        said: dict[str, Any] = {"additionalContext": _joined(can.context)} if can.context else {}
        match name:
            case "PreToolUse" if can.refused:
                said |= {"permissionDecision": "deny", "permissionDecisionReason": _reason(can)}
            case "PreToolUse" if can.updated_input is not None:
                # It grants nothing: without it the answer fails, and the old input runs.
                new = self.new_input(event, can.updated_input).said
                said |= {"permissionDecision": "allow", "updatedInput": new}
            case "PermissionRequest" if can.refused:
                said["decision"] = {"behavior": "deny", "message": _reason(can)}
            case "PermissionRequest" if can.decision == "allow":
                said["decision"] = {"behavior": "allow"} | ({"message": can.reason} if can.reason else {})
        return said


def _top(name: str, can: Outcome) -> dict[str, Any]:
    """The fields at the top."""
    said: dict[str, Any] = {"systemMessage": "\n".join(can.messages)} if can.messages else {}
    match name:
        case "PreToolUse" | "PermissionRequest":
            return said
        case "PostToolUse" if can.decision == "stop":
            said["continue"] = False
            if can.reason:
                said["stopReason"] = can.reason
            return said | {"reason": _joined(can.feedback)}
        case "PostToolUse" | "Stop" | "SubagentStop" if can.feedback:
            return said | {"decision": "block", "reason": _joined(can.feedback)}
        case "UserPromptSubmit" if can.refused and not can.ends_turn:
            return said | {"decision": "block", "reason": _reason(can)}
    return said | {"continue": False, "stopReason": _reason(can)} if can.refused or can.ends_turn else said


def _reason(can: Outcome) -> str:
    return (can.reason or can.stop_reason or NO_REASON).strip()


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)
