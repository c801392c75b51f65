"""
Outcomes in the form in which a hook answers its agent.

The answer is the same for the agents of the family that read it strictly; what each of them hears from a hook of an event
stands in its `Speech`. An answer says no more than the agent hears, and nothing that would make it fail; whatever is left
out or bent is a loss, named by its field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from hookfw import Loss, NativeAnswer, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hookfw import Event, Outcome

NO_REASON: Final = "A hook refused this without saying why."
"""A refusal that says nothing would fail, and let through what it refuses."""

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


class NewInput(NamedTuple):
    """
    A tool's new input as an agent takes it from a hook.

    Attributes:
        said: what the hook says; `None` where the agent cannot take it.
        loss: what gets lost, in words for people; empty when nothing does.
    """

    said: Any = None
    loss: str = ""


@dataclass(slots=True)
class _Draft:
    """An answer in the making: its two levels, which fields of the outcome it covers, and what got lost."""

    top: dict[str, Any] = field(default_factory=dict)
    specific: dict[str, Any] = field(default_factory=dict)
    covered: set[str] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)

    def lose(self, name: str, message: str) -> None:
        self.covered.add(name)
        self.losses.append(Loss(name, message))


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """
    How hooks of one agent answer.

    Attributes:
        agent: its name, for sentences.
        by_kind: what it hears, by canonical kind.
        new_input: a tool's new input as the agent takes it, from the call and what is to replace its input.
        reason_limit: characters of a reason that the agent keeps; `None` for all.
        denies_asking: a question is said as a denial: without an answer the agent would not ask.
    """

    agent: str
    by_kind: Mapping[str, Hears]
    new_input: Callable[[Event, Any], NewInput]
    reason_limit: int | None = None
    denies_asking: bool = False

    def render(self, event: Event, outcome: Outcome) -> NativeAnswer:
        """What a hook prints that says what `outcome` says; nothing where there is nothing to say."""
        draft = self._draft(event, outcome)
        said = dict(draft.top)
        if draft.specific:
            said["hookSpecificOutput"] = {"hookEventName": self.by_kind[event.kind].name, **draft.specific}
        return NativeAnswer(stdout=f"{text.compact_json(said)}\n".encode() if said else b"")

    def losses(self, event: Event, outcome: Outcome) -> Sequence[Loss]:
        """What `render` leaves out or bends."""
        draft = self._draft(event, outcome)
        for name in _FIELDS:
            if getattr(outcome, name) and name not in draft.covered:
                draft.lose(name, f"a hook of {self.agent} cannot say it on {event.kind}; it is left out")
        return draft.losses

    def _draft(self, event: Event, outcome: Outcome) -> _Draft:
        draft = _Draft()
        hears = self.by_kind.get(event.kind)
        if hears is None or not hears.reads:
            return self._unheard(draft, outcome)
        if outcome.messages:
            draft.covered.add("messages")
            draft.top["systemMessage"] = "\n".join(outcome.messages)
        if outcome.context and hears.context:
            draft.covered.add("context")
            draft.specific["additionalContext"] = _joined(outcome.context)
        match hears.name:
            case "PreToolUse":
                self._call(draft, event, outcome)
            case "PermissionRequest":
                self._permission(draft, outcome)
            case "PostToolUse":
                self._result(draft, outcome)
            case "UserPromptSubmit" if outcome.refused and not outcome.ends_turn:
                draft.top |= {"decision": "block", "reason": self._reason(draft, outcome)}
            case "Stop" | "SubagentStop" if not outcome.ends_turn:
                self._end(draft, hears, outcome)
            case _:
                self._stop(draft, hears, outcome)
        return draft

    def _reason(self, draft: _Draft, outcome: Outcome) -> str:
        """The reason of a refusal or a stop, which covers both texts."""
        draft.covered |= {"reason", "stop_reason"}
        return self._kept(draft, "reason", (outcome.reason or outcome.stop_reason or "").strip() or NO_REASON)

    def _kept(self, draft: _Draft, name: str, said: str) -> str:
        """`said`, with the loss where the agent keeps only its beginning."""
        if self.reason_limit is not None and len(said) > self.reason_limit:
            message = f"{self.agent} keeps the first {self.reason_limit:,} characters of a reason"
            draft.losses.append(Loss(name, message))
        return said

    def _unheard(self, draft: _Draft, outcome: Outcome) -> _Draft:
        """An event that the agent does not have, or whose hooks are not listened to."""
        if outcome.refused or outcome.ends_turn or outcome.decision != "none":
            draft.lose("decision", f"{self.agent} does not listen to hooks of this event; nothing is refused")
        return draft

    def _call(self, draft: _Draft, event: Event, outcome: Outcome) -> None:
        self._keep_turn(draft, outcome)
        asks = outcome.decision == "ask" and self.denies_asking
        if outcome.refused or asks:
            draft.specific |= {
                "permissionDecision": "deny",
                "permissionDecisionReason": self._reason(draft, outcome),
            }
            if outcome.decision not in ("deny", "block"):
                draft.lose("decision", f"`{outcome.decision}` is said as a plain denial")
            return
        if outcome.decision == "ask":
            draft.lose("decision", f"a hook of {self.agent} cannot ask; its ordinary approval applies")
        elif outcome.decision == "allow":
            draft.lose("decision", f"a hook of {self.agent} cannot permit a call; its ordinary approval applies")
        if outcome.updated_input is not None:
            new = self.new_input(event, outcome.updated_input)
            draft.covered.add("updated_input")
            if new.loss:
                draft.lose("updated_input", new.loss)
            if new.said is not None:
                draft.specific |= {"permissionDecision": "allow", "updatedInput": new.said}

    def _permission(self, draft: _Draft, outcome: Outcome) -> None:
        self._keep_turn(draft, outcome)
        if outcome.refused:
            draft.specific["decision"] = {"behavior": "deny", "message": self._reason(draft, outcome)}
            if outcome.decision not in ("deny", "block"):
                draft.lose("decision", f"`{outcome.decision}` is said as a plain denial")
        elif outcome.decision == "allow":
            draft.specific["decision"] = {"behavior": "allow"}
            if outcome.reason:
                draft.covered.add("reason")
                draft.specific["decision"]["message"] = outcome.reason
        elif outcome.decision == "ask":
            # Asking is what happens without an answer.
            draft.covered.add("reason")

    def _keep_turn(self, draft: _Draft, outcome: Outcome) -> None:
        if outcome.ends_turn:
            draft.lose("ends_turn", f"a hook of {self.agent} cannot end the turn here; the turn goes on")

    def _result(self, draft: _Draft, outcome: Outcome) -> None:
        """What the model is told of a tool's result."""
        if outcome.ends_turn:
            message = f"a hook of {self.agent} cannot end the turn after a tool; the model is told and goes on"
            draft.lose("ends_turn", message)
        if outcome.decision == "none" and not outcome.feedback:
            return
        draft.covered |= {"feedback", "reason", "stop_reason"}
        told = _joined(outcome.feedback) or outcome.reason or outcome.stop_reason or NO_REASON
        if outcome.decision == "stop":
            draft.top["continue"] = False
            if outcome.reason:
                draft.top["stopReason"] = outcome.reason
        else:
            draft.top["decision"] = "block"
        draft.top["reason"] = self._kept(draft, "feedback", told)

    def _end(self, draft: _Draft, hears: Hears, outcome: Outcome) -> None:
        """An end that is not to be needs the prompt to go on with."""
        if outcome.feedback:
            draft.covered |= {"feedback", "reason", "stop_reason"}
            draft.top |= {"decision": "block", "reason": _joined(outcome.feedback)}
        elif outcome.refused:
            message = f"{self.agent} goes on only with a prompt to go on with, and there is none; the turn ends"
            draft.lose("decision", message)
        else:
            self._stop(draft, hears, outcome)

    def _stop(self, draft: _Draft, hears: Hears, outcome: Outcome) -> None:
        """Any event whose hooks can do no more than stop it."""
        if not (outcome.refused or outcome.ends_turn):
            return
        if hears.stopping == "nothing":
            draft.lose("decision", f"a hook of {self.agent} can stop nothing here; the event goes ahead")
            return
        draft.top |= {"continue": False, "stopReason": self._reason(draft, outcome)}
        if outcome.ends_turn and not hears.stop_ends_turn:
            draft.lose("ends_turn", f"a hook of {self.agent} cannot end the turn here")
        if outcome.refused and not hears.stop_refuses and not outcome.ends_turn:
            draft.lose("decision", f"a hook of {self.agent} can only end the turn here")


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)
