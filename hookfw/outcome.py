"""What hooks ask for and what comes of it: decisions, effects, runs, verdicts, the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from hookfw.diagnostics import Diagnostic

Decision = Literal["none", "allow", "ask", "defer", "deny", "block", "stop"]
"""The one vocabulary of decisions."""

STRENGTH: Mapping[str, int] = MappingProxyType(
    {"none": 0, "allow": 1, "ask": 2, "defer": 3, "deny": 4, "block": 4, "stop": 5}
)
"""Weakest to strongest: none < allow < ask < defer < deny = block < stop."""

RunStatus = Literal["completed", "failed", "timed_out", "submitted", "cancelled", "running"]
"""How a run ended, as its dialect sees it; `running` only where an observer watches it start."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """
    What can be asked of an agent, in canonical terms; the part that effects, verdicts and outcomes share.

    Attributes:
        decision: the word of the decision.
        reason: why, for the model or the person.
        stop_reason: the text of a hook that ended the turn.
        updated_input: the tool input that replaces the call's own.
        prompt: the text that replaces the person's prompt.
        suppress_prompt: keep the person's prompt out of sight.
        context: texts for the model.
        feedback: what the model is told about a finished tool or turn; a Stop goes on only when it is not empty.
        messages: texts for the person.
        terminal_sequences: escape sequences for the person's terminal.
        env: variables for the tool's process.
        native: what a dialect's answer says beyond these fields.
    """

    decision: Decision = "none"
    reason: str | None = None
    stop_reason: str | None = None
    updated_input: Any = None
    prompt: str | None = None
    suppress_prompt: bool = False
    context: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    terminal_sequences: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    native: Mapping[str, Any] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Answer):
    """
    What one run asks for.

    Attributes:
        detail: what only the dialect that made the effect reads when it reduces (`None` for Python handlers).
    """

    detail: Any = None


NO_EFFECT = Effect()


class Run(NamedTuple):
    """
    One execution of one hook: the facts, and the status its dialect gives it.

    Attributes:
        id: the end of `HOOKFW_RUN` in the hook's environment; inside another run its id stands before it, with a slash.
        name: the hook's name, as its dialect spells it.
        dialect: name of the dialect, or `python`.
        event: the native event name it ran for.
        handler: the handler type.
        source: the file (or package) the hook comes from.
        status: see `RunStatus`.
        exit_code: the exit status, when one was observed.
        signal: number of the signal that ended it.
        duration: seconds from start to end.
        stdout: what it printed, decoded and up to the dialect's cap.
        stderr: likewise.
        stdout_cut: bytes past the cap were dropped.
        stderr_cut: likewise.
        pipes_held: a process it left behind still held a pipe when the result was taken.
        error: what kept it from ending well, in words of the facts (`timed out after 1s`).
        status_message: what its author wants shown while it runs.
    """

    id: str
    name: str
    dialect: str
    event: str
    handler: str
    source: str
    status: RunStatus
    exit_code: int | None = None
    signal: int | None = None
    duration: float = 0.0
    stdout: str = ""
    stderr: str = ""
    stdout_cut: bool = False
    stderr_cut: bool = False
    pipes_held: bool = False
    error: str | None = None
    status_message: str | None = None


class Skipped(NamedTuple):
    """A hook that matched and was not started, with the reason."""

    name: str
    reason: str
    dialect: str
    source: str = ""


class Write(NamedTuple):
    """
    A file a dialect wants written after it has reduced: an audit line, a spill file, a transcript.

    Attributes:
        path: absolute path.
        text: what to write.
        append: add to the file instead of replacing it.
        mode: permission bits of a file that is made.
        rotate_at: bytes; a file at least this long is first renamed to `<path>.1`.
    """

    path: str
    text: str
    append: bool = True
    mode: int = 0o600
    rotate_at: int | None = None


class Rewrite(NamedTuple):
    """Whose rewrite of the input or prompt stands, and whose it replaced."""

    by: str
    replaced: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Answer):
    """
    The effects of one dialect in one firing, reduced by the dialect's own rules.

    Attributes:
        dialect: whose verdict it is.
        refused: what the event announces must not happen.
        ends_turn: no further model request in this turn.
        asks: a hook asks and a stronger word stands as the decision; where that is `ask` it need not be said.
        decided_by: name of the hook that gave the decision.
        diagnostics: what the reduction noticed.
        writes: files the supervisor writes for the dialect.
    """

    dialect: str
    refused: bool = False
    ends_turn: bool = False
    asks: bool = False
    decided_by: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    writes: tuple[Write, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Answer):
    """
    One firing, merged over its dialects: what the agent must now do, and why.

    Programs act on `refused`, `asks` and `ends_turn`; `decision` is the strongest word, for people and logs.

    Attributes:
        refused: this operation must not go ahead.
        ends_turn: no further model request in this turn.
        asks: somebody must be asked before this goes ahead, even where a stronger word stands; nothing where `refused`.
        decided_by: name of the hook that gave the decision.
        decided_in: the dialect of that hook.
        rewrite: whose rewrite stands, when there was one.
        runs: what was started or submitted, in configuration order.
        skipped: what matched and was not started.
        diagnostics: what was noticed during the firing.
    """

    refused: bool = False
    ends_turn: bool = False
    asks: bool = False
    decided_by: str | None = None
    decided_in: str | None = None
    rewrite: Rewrite | None = None
    runs: tuple[Run, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


NO_OUTCOME = Outcome()
"""The outcome of a firing that no hook took part in."""
