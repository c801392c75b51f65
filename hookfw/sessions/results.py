"""What the steps of an agent's session take and give: typed, frozen, and each with the outcomes behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from hookfw.jsonable import as_json
from hookfw.outcome import STRENGTH
from hookfw.text import compact_json

if TYPE_CHECKING:
    from hookfw.outcome import Decision, Outcome

TurnStatus = Literal["completed", "failed", "interrupted"]
"""How a turn ended, as `turn_end` and `session_idle` tell it."""


class SessionFields(TypedDict, total=False):
    """
    What every event of a session tells, where the agent knows it.

    Attributes:
        model: the model's name.
        provider: who serves it.
        permission_mode: `default`, `plan`, `acceptEdits`, …
        mode: the agent's own mode.
        effort: how hard the model thinks.
        transcript_path: the file the agent writes the conversation to.
        cwd: the directory the agent works in.
        agent_id: of a sub-agent that drives a session of its own.
        agent_type: likewise.
    """

    model: str
    provider: str
    permission_mode: str
    mode: str
    effort: str
    transcript_path: str
    cwd: str
    agent_id: str
    agent_type: str


class PermissionQuestion(NamedTuple):
    """
    What the person is asked.

    Attributes:
        tool_name: the tool.
        tool_input: the input it would run with.
        tool_use_id: the call.
        reason: what the hook says that wants the person asked; `None` when the agent itself asks.
        asked_by: name of that hook.
    """

    tool_name: str
    tool_input: Any
    tool_use_id: str
    reason: str | None = None
    asked_by: str | None = None


class Permission(NamedTuple):
    """
    What the person answered; a plain boolean says the same without words.

    Attributes:
        allowed: the call may run.
        reason: what to tell the model when it may not.
        updated_input: the input to run with instead.
    """

    allowed: bool
    reason: str | None = None
    updated_input: Any = None


Answered = bool | Permission


class ToolOutput(NamedTuple):
    """
    What a tool's `run` gives back when there is more to say than the output alone.

    Attributes:
        output: what the model is given.
        success: false for a call that failed without an exception.
        exit_code: exit status of a shell command.
        error: why it failed, in words.
        execution: evidence of a process: `stdout`, `stderr`, `completion`, …
    """

    output: Any
    success: bool = True
    exit_code: int | None = None
    error: str | None = None
    execution: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """
    What one step of a session came to.

    Attributes:
        refused: what the step announces must not happen.
        ends_turn: no further model request in this turn.
        reason: why, in words.
        context: texts for the model.
        feedback: texts for the model that judge what it did.
        messages: texts for the person; `on_message` was called with them.
        outcomes: the outcomes behind all this, in firing order.
    """

    refused: bool = False
    ends_turn: bool = False
    reason: str | None = None
    context: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()

    @property
    def for_model(self) -> str:
        """Feedback and context as one text."""
        return paragraphs(*self.feedback, *self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptResult(StepResult):
    """
    What became of a prompt; when it is refused or the turn ends, no turn began and context waits for the next prompt.

    Attributes:
        prompt: the prompt for the model: the person's, or what a hook put in its place.
        suppress_prompt: keep the person's own prompt out of sight.
    """

    prompt: str
    suppress_prompt: bool = False

    @property
    def goes_on(self) -> bool:
        """The prompt goes to the model: a turn began."""
        return not self.refused and not self.ends_turn

    @property
    def for_model(self) -> str:
        """Prompt, feedback and context as one text; empty when nothing may reach the model."""
        return paragraphs(self.prompt, *self.feedback, *self.context) if self.goes_on else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult(StepResult):
    """
    What became of a tool call.

    Attributes:
        tool_name: the tool.
        tool_input: the input as it ran, or would have run.
        tool_use_id: the call.
        decision: the word of whoever decided whether it runs (`defer` among them), for people and logs.
        output: what the tool gave, or what a hook put in its place; `None` when it did not run.
        failed: it ran and failed.
        error: the exception it raised.
    """

    tool_name: str
    tool_input: Any
    tool_use_id: str
    decision: Decision = "none"
    output: Any = None
    failed: bool = False
    error: Exception | None = None

    @property
    def for_model(self) -> str:
        """The call's result for the model: output, error or refusal, then feedback and context."""
        if self.refused:
            said = f"This call was refused: {self.reason}"
        else:
            said = paragraphs(as_text(self.output), f"The call failed: {self.reason}" if self.failed else "")
        return paragraphs(said, *self.feedback, *self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishResult(StepResult):
    """
    Whether the turn is over.

    Attributes:
        next_prompt: what the hooks want done first; `None` when the turn is over.
        continuations: how often in a row hooks have kept this turn going, this time included.
        status: how the turn ended; `None` while it goes on.
    """

    next_prompt: str | None = None
    continuations: int = 0
    status: TurnStatus | None = None

    @property
    def goes_on(self) -> bool:
        """The turn goes on: give the model `for_model`."""
        return self.next_prompt is not None

    @property
    def for_model(self) -> str:
        """The next instruction and context as one text; empty when the turn is over."""
        return "" if self.next_prompt is None else paragraphs(self.next_prompt, *self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactResult(StepResult):
    """
    What became of a compaction. `refused`: it did not happen, or its result must not be used.

    Attributes:
        summary: what the conversation was compacted to; `None` when it must not be used.
        error: the exception that `run` raised.
    """

    summary: Any = None
    error: Exception | None = None


@dataclass(slots=True)
class Gathered:
    """The outcomes of one step, and what they give together."""

    outcomes: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> Outcome:
        """Take one in, and give it back."""
        self.outcomes.append(outcome)
        return outcome

    @property
    def ends_turn(self) -> bool:
        """One of them ends the turn."""
        return any(outcome.ends_turn for outcome in self.outcomes)

    @property
    def decision(self) -> Decision:
        """The strictest word of all."""
        return max((outcome.decision for outcome in self.outcomes), key=lambda word: STRENGTH[word], default="none")

    @property
    def values(self) -> dict[str, Any]:
        """The fields that every result has."""
        return {
            "ends_turn": self.ends_turn,
            "context": tuple(text for outcome in self.outcomes for text in outcome.context),
            "feedback": tuple(text for outcome in self.outcomes for text in outcome.feedback),
            "messages": tuple(text for outcome in self.outcomes for text in outcome.messages),
            "outcomes": tuple(self.outcomes),
        }


def why(outcome: Outcome, otherwise: str) -> str:
    """The outcome's reason in words."""
    return outcome.reason or outcome.stop_reason or otherwise


def as_permission(answer: Any) -> Permission:
    """What the person answered; only a plain yes permits, and what is neither answer counts as no."""
    given = answer if isinstance(answer, Permission) else Permission(allowed=answer)
    allowed: object = given.allowed
    if allowed is True or allowed is False:
        return given
    if allowed is None:
        return Permission(allowed=False)
    reason = f"The answer about this call is a {type(answer).__name__}, neither True, False nor a Permission with one, so it counts as no."
    return Permission(allowed=False, reason=reason)


def paragraphs(*texts: str) -> str:
    """The texts that say something, a blank line between them."""
    return "\n\n".join(text for text in texts if text.strip())


def as_text(output: Any) -> str:
    """What a tool gave, as text: a text itself, anything else as JSON."""
    if output is None:
        return ""
    if isinstance(output, str):
        return output
    told = as_json(output)
    try:
        return json.dumps(told, ensure_ascii=False)
    except RecursionError:
        return compact_json(told)
