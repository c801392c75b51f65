"""
Degrading: what an agent's form cannot say is said in the nearest form that is no weaker.

An agent declares for each event, as a `Form`, what its hooks can say; `nearest` makes of an outcome the one that can be
said so, and of each difference a loss. The rules stand here alone, for every agent:

- What cannot be asked, deferred or stopped is refused, where the event can be refused at all.
- A new input or prompt that cannot be said is a refusal: otherwise what was to be replaced would go ahead.
- An allow is said only where it was said to the letter; everywhere else the agent's own approval decides.
- A turn that is to end ends; nothing but feedback puts its end off.
- Texts for the model that have no place of their own go to the nearest place where they are seen; so does the reason of
  what could not be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookfw import text
from hookfw.agent import Becomes, Loss
from hookfw.merge import REFUSABLE, refusal_of
from hookfw.modes.forms import CALLS, ENDS, PARAGRAPH, PROMPTS, Form, Nearest
from hookfw.modes.texts import distinct, joined, said
from hookfw.outcome import NOTHING, Outcome

if TYPE_CHECKING:
    from hookfw.events import Event
    from hookfw.outcome import Decision

SHOWN_LIMIT = 1_000
"""Characters of a new input or prompt that a refusal shows because it could not be said."""

OBJECTED = "A hook objected without saying why."
"""What the model is told by a hook that objects to a result and says nothing."""

_BECOMES: dict[Becomes, str] = {
    "refusal": "it is refused instead",
    "stop": "the turn ends instead",
    "silence": "it is left to what happens without an answer",
    "context": "it is said as context",
    "feedback": "the model is told instead",
    "reason": "it is added to the reason",
    "prompt": "it is added to the prompt",
    "message": "it is shown to the person",
    "part": "only a part of it is said",
    "nothing": "it is left out",
}


def _always_fits(new: Any) -> str:
    del new
    return ""


def nearest(
    agent: str, form: Form, event: Event, outcome: Outcome, unfit: Callable[[Any], str] = _always_fits
) -> Nearest:
    """
    The nearest outcome that `form` can say on `event`, never weaker than `outcome` where anything can be refused.

    `agent`: its name in sentences. `unfit`: why a new input or prompt cannot be said although others can; empty when it
    can.
    """
    return _Degrading(agent, form, event, outcome, unfit).nearest()


@dataclass(slots=True)
class _Degrading:
    """One outcome while it is made sayable. Refusals and stops first, since texts go where these leave room."""

    agent: str
    form: Form
    event: Event
    given: Outcome
    unfit: Callable[[Any], str]
    refused: bool = False
    ends_turn: bool = False
    asks: bool = False
    word: Decision = "none"
    updated_input: Any = None
    prompt: str | None = None
    suppress: bool = False
    texts: list[str] = field(default_factory=list)
    context: list[str] = field(default_factory=list)
    feedback: list[str] = field(default_factory=list)
    as_reason: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)

    def nearest(self) -> Nearest:
        """Decide, then place the texts, then the rest."""
        given, kind = self.given, self.event.kind
        self.refused = kind in REFUSABLE and (given.refused or given.decision in ("deny", "block", "defer"))
        self.ends_turn, self.asks = given.ends_turn, given.asks or given.decision == "ask"
        self.feedback = said(given.feedback)
        if kind in ENDS:
            self._end()
        else:
            self._refuse_what_cannot_besaid()
            self._decide()
        self._place_feedback()
        self._place_context()
        reason, stop_reason = self._place_reasons()
        self._place_messages()
        outcome = Outcome(
            decision=self._decision(),
            refused=self.refused,
            ends_turn=self.ends_turn,
            asks=self.word == "ask" and not self._stopped,
            reason=reason,
            stop_reason=stop_reason,
            updated_input=self.updated_input,
            prompt=self.prompt,
            suppress_prompt=self.suppress,
            context=tuple(self.context),
            feedback=tuple(self.feedback),
            messages=tuple(self.messages),
            terminal_sequences=self._kept("terminal_sequences", (), can=self.form.sequences),
            env=self._kept("env", NOTHING, can=self.form.env),
            native=self._native(),
        )
        return Nearest(outcome, self.losses)

    @property
    def _stopped(self) -> bool:
        """What the event announces does not happen, by a refusal or by the end of the turn."""
        return self.refused or (self.ends_turn and self.form.stop_refuses)

    @property
    def _tells(self) -> bool:
        """Hooks of this event tell the model something about what has happened."""
        return self.form.feedback == "said" and self.event.kind not in ENDS

    def _lose(self, name: str, becomes: Becomes, why: str = "") -> None:
        if not any(loss.field == name for loss in self.losses):
            why = why or f"a hook of {self.agent} cannot say it here"
            self.losses.append(Loss(name, f"{why}; {_BECOMES[becomes]}", becomes))

    def _refuse(self, name: str, why: str = "", told: str = "") -> None:
        """Refuse because of a field that cannot be said; where nothing can be refused the field is left out."""
        if self.event.kind in REFUSABLE and (self.form.refuses or self.form.stops):
            self._lose(name, "refusal", why)
            self.refused = True
            self.texts += said((told,))
        else:
            self._lose(name, "nothing", why)

    def _end(self) -> None:
        """Ending a turn is what happens without an answer; only feedback puts it off, and a stop counts before it."""
        asked, self.refused = self.refused, False
        self._leave_what_is_not_there()
        if self.ends_turn:
            if self.feedback:
                self._lose("feedback", "nothing", "the turn is to end")
            self.feedback = []
            if not self.form.stops:
                self.ends_turn = False
                self._lose("ends_turn", "silence")
        elif self.feedback:
            self.refused = self.form.feedback == "said"
        elif asked or self.given.decision != "none":
            why = f"{self.agent} goes on only with a text to go on with, and there is none"
            self._lose("decision", "silence", why)

    def _leave_what_is_not_there(self) -> None:
        """New inputs and prompts of events that have none."""
        if self.event.kind not in CALLS:
            self._leave_field("updated_input", "there is no input to replace here")
        if self.event.kind not in PROMPTS:
            self._leave_field("prompt", "there is no prompt to replace here")
            self._leave_field("suppress_prompt", "there is no prompt to hide here")

    def _leave_field(self, name: str, why: str) -> None:
        if getattr(self.given, name) not in (None, False):
            self._lose(name, "nothing", why)

    def _refuse_what_cannot_besaid(self) -> None:
        """The refusals that follow from what the form lacks."""
        given, form, kind, already = self.given, self.form, self.event.kind, self.refused
        if given.updated_input is not None and not already and kind in CALLS:
            self._refuse_unsayable_input(given.updated_input)
        if given.prompt is not None and not already and kind in PROMPTS:
            self._refuse_unsayable_prompt(given.prompt)
        if given.suppress_prompt and not self.refused and kind in PROMPTS and form.suppresses != "said":
            self._refuse("suppress_prompt", told="A hook hides this prompt, so it is not sent.")
        if self.asks and not already and not form.asks:
            self._refuse("decision", f"a hook of {self.agent} cannot ask")
        if self.ends_turn and not form.stops:
            self._cannot_stop()
        self._leave_what_is_not_there()

    def _refuse_unsayable_input(self, new: Any) -> None:
        form = self.form
        can = form.rewrites == "said" or (form.rewrites == "allowed" and self.given.decision == "allow")
        why = self.unfit(new) if can else f"a hook of {self.agent} cannot replace the input here"
        if why:
            shown = text.line(text.compact_json(new), SHOWN_LIMIT)
            self._refuse("updated_input", why, f"A hook replaced the input of this call, but {why}. Its input: {shown}")

    def _refuse_unsayable_prompt(self, new: str) -> None:
        form = self.form
        can = form.prompt == "said" or (form.prompt == "context" and new.strip())
        why = self.unfit(new) if can else f"a hook of {self.agent} cannot replace the prompt"
        if why:
            shown = text.block(new, SHOWN_LIMIT)
            self._refuse("prompt", why, f"A hook replaced this prompt, but {why}. Its prompt: {shown}")

    def _cannot_stop(self) -> None:
        why = f"a hook of {self.agent} cannot end the turn here"
        self.ends_turn = False
        if self._tells:
            self._lose("ends_turn", "feedback", why)
            told = said((self.given.stop_reason, self.given.reason))[:1]
            self.feedback += [each for each in told if each not in self.feedback]
        else:
            self._refuse("ends_turn", why)

    def _decide(self) -> None:
        """The word for what is left, and what goes ahead with it."""
        given, form = self.given, self.form
        if self.refused:
            self._say_refusal()
        elif self.asks or given.decision == "allow":
            self._say_permission()
        elif given.refused or (given.decision != "none" and not given.ends_turn):
            self._say_objection()
        bent = any(loss.becomes in ("refusal", "stop") for loss in self.losses)
        if self.ends_turn and form.stop_refuses and not given.refused and not bent:
            self._lose("ends_turn", "refusal", f"a hook of {self.agent} ends the turn here only with a refusal")
        if self.event.kind in PROMPTS:
            self.suppress = given.suppress_prompt and form.suppresses == ("refused" if self.refused else "said")
            if given.suppress_prompt and not self.suppress:
                self._lose("suppress_prompt", "nothing")
        if self._stopped:
            return
        self.updated_input = given.updated_input if self.event.kind in CALLS else None
        if given.prompt is None or self.event.kind not in PROMPTS:
            return
        if form.prompt == "said":
            self.prompt = given.prompt
        else:
            self._lose("prompt", "context", f"a hook of {self.agent} cannot replace the prompt, but hide it")
            self.context, self.suppress = [given.prompt], True

    def _say_refusal(self) -> None:
        form, given = self.form, self.given
        if not form.refuses:
            self.refused = form.stops and form.stop_refuses
            if not form.stops:
                self._lose("decision", "nothing", f"a hook of {self.agent} can refuse nothing here")
            elif not (given.ends_turn and self.refused):
                self._lose("decision", "stop", f"a hook of {self.agent} refuses here only by ending the turn")
            self.ends_turn = form.stops
        elif given.decision == "defer" and form.defers and not self.losses:
            self.word = "defer"
        elif given.decision == "defer":
            self._lose("decision", "refusal", f"a hook of {self.agent} cannot defer")

    def _say_permission(self) -> None:
        if self.asks:
            self.word = "ask" if self.form.asks == "said" else "none"
        elif self.form.allows:
            self.word = "allow"
        else:
            why = f"a hook of {self.agent} cannot permit it, and its ordinary approval applies"
            self._lose("decision", "nothing", why)

    def _say_objection(self) -> None:
        """To object to what has happened is to tell the model so."""
        if not self._tells:
            self._lose("decision", "nothing", f"a hook of {self.agent} can refuse nothing here")
        elif not self.feedback:
            self.feedback = distinct(said((self.given.reason, self.given.stop_reason))) or [OBJECTED]

    def _place_feedback(self) -> None:
        form = self.form
        if not self.feedback or form.feedback == "said":
            return
        # The text of a refusal is said as its reason already.
        reasons = (self.given.reason, self.given.stop_reason) if self._stopped else ()
        self.as_reason = [each for each in self.feedback if each in reasons]
        told, self.feedback = [each for each in self.feedback if each not in reasons], []
        if not told:
            return
        if form.feedback == "refusing" and self.refused:
            self.texts += told
        elif form.context == "said" or (form.context == "going" and not self._stopped):
            self._lose("feedback", "context")
            self.context += told
        else:
            self._show("feedback", told)

    def _place_context(self) -> None:
        form = self.form
        context, self.context = [*self.context, *said(self.given.context)], []
        if not context:
            return
        if form.context == "said" or (form.context == "going" and not self._stopped):
            self.context = context
        elif self.feedback:
            self._lose("context", "feedback")
            self.feedback = [*context, *self.feedback]
        elif not self._in_prompt(context):
            self._show("context", context)

    def _in_prompt(self, context: list[str]) -> bool:
        """Context joins the prompt, where that can be replaced and is known whole."""
        prompt = self.prompt or getattr(self.event, "prompt", None)
        if self.form.prompt != "said" or self._stopped or not prompt:
            return False
        longer = PARAGRAPH.join((prompt, *context))
        if self.unfit(longer):
            return False
        self._lose("context", "prompt")
        self.prompt = longer
        return True

    def _show(self, name: str, told: list[str]) -> None:
        """The nearest place where texts are seen: the reason of a refusal, else a message to the person."""
        if self._stopped and self.event.kind not in ENDS:
            self._lose(name, "reason")
            self.texts += told
        elif self.form.messages:
            self._lose(name, "message")
            self.messages += told
        else:
            self._lose(name, "nothing")

    def _place_reasons(self) -> tuple[str | None, str | None]:
        """The texts of a refusal, question or allow, and of the end of the turn."""
        why, stopped = said((self.given.reason,)), said((self.given.stop_reason,))
        heard = {*self.given.feedback, *self.feedback}.difference(self.as_reason)
        untold = [told for told in distinct((*why, *stopped)) if told not in heard]
        if self.event.kind in ENDS and self.refused:
            self._leave("reason", untold)
            return None, None
        if self.refused and self.ends_turn and not self.form.stop_refuses:
            return joined((*(why or stopped), *self.texts)), joined(stopped or why)
        if self.ends_turn:
            return None, joined((*(untold or stopped), *self.texts))
        if self.refused:
            return joined((*why, *stopped, *self.texts)), None
        if self.feedback:
            if self._decision() == "stop":
                return joined((*why, *stopped)), None
            self._leave("reason", untold)
            return None, None
        if self.word in ("ask", "allow"):
            self._leave("stop_reason", [told for told in stopped if told not in why])
            return joined(why), None
        if self.given.decision == "ask" and self.form.asks == "silence":
            untold = [told for told in untold if told not in why]
        self._leave("reason", [told for told in untold if told in why])
        self._leave("stop_reason", [told for told in untold if told not in why])
        return None, None

    def _leave(self, name: str, told: list[str]) -> None:
        """A reason of nothing that is said is shown, if at all, to the person."""
        if told:
            self._show(name, told)

    def _place_messages(self) -> None:
        self.messages += said(self.given.messages)
        if self.messages and not self.form.messages:
            self._lose("messages", "nothing")
            self.messages = []

    def _decision(self) -> Decision:
        if self.refused:
            return self.word if self.word == "defer" else refusal_of(self.event.kind)
        if self.ends_turn:
            return "stop"
        if self._tells and self.feedback:
            return "stop" if self.given.decision == "stop" and self.form.tells_stop else "block"
        return self.word

    def _kept(self, name: str, nothing: Any, *, can: bool) -> Any:
        value = getattr(self.given, name)
        if value and not can:
            self._lose(name, "nothing")
            return nothing
        return value

    def _native(self) -> dict[str, Any]:
        native = dict(self.given.native)
        unknown = [key for key in native if key not in self.form.native]
        if unknown:
            self._lose("native", "part" if len(unknown) < len(native) else "nothing")
        return {key: value for key, value in native.items() if key in self.form.native}
