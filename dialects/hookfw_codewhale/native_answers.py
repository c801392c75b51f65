"""
Outcomes in the form in which a hook answers Codewhale.

From "message_submit", "tool_call_before" and "shell_env" of the hooks document of 2026-09-29. An answer says no more
than Codewhale hears from a hook of that event; whatever is left out or bent is a loss, named by its field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hookfw import Loss, NativeAnswer, text
from hookfw_codewhale import gates, shell_env, submit
from hookfw_codewhale.native_calls import PROMPT_CUT, TOOL_ARGS_PREVIEW
from hookfw_codewhale.printed import TEXT_LIMIT
from hookfw_codewhale.problems import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Event, Outcome

_HARD_EXIT: Final = 2

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
    """An answer in the making: what it says so far, which fields that covers, and what got lost."""

    exit_code: int = 0
    stdout: str = ""
    covered: set[str] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)

    def lose(self, name: str, message: str) -> None:
        self.covered.add(name)
        self.losses.append(Loss(name, message))


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """Exit code and output of a hook of Codewhale that says what `outcome` says."""
    answer = _answer(event, outcome)
    return NativeAnswer(exit_code=answer.exit_code, stdout=text.scrub(answer.stdout).encode())


def losses(event: Event, outcome: Outcome) -> Sequence[Loss]:
    """What `render` leaves out or bends."""
    answer = _answer(event, outcome)
    if outcome.ends_turn:
        answer.lose("ends_turn", "no hook of Codewhale can end a turn; the turn goes on")
    if outcome.decision == "allow":
        answer.lose("decision", "an allow of a hook grants nothing in Codewhale; it asks as it would without")
    elif outcome.decision in ("defer", "stop") and outcome.refused:
        answer.lose("decision", f"`{outcome.decision}` is said as a plain refusal")
    for name in _FIELDS:
        if getattr(outcome, name) and name not in answer.covered:
            answer.lose(name, f"a hook of Codewhale cannot say it on {event.kind}; it is left out")
    return answer.losses


def _answer(event: Event, outcome: Outcome) -> _Answer:
    match event.kind:
        case "pre_tool_use":
            return _call(event, outcome)
        case "user_prompt_submit":
            return _prompt(event, outcome)
        case "shell_env":
            return _environment(outcome)
        case _:
            return _Answer()


def _call(event: Event, outcome: Outcome) -> _Answer:
    answer = _Answer()
    said: dict[str, Any] = {}
    if outcome.refused or outcome.decision == "ask":
        said["decision"] = "deny" if outcome.refused else "ask"
        said.update(_reason(outcome, answer))
    if not outcome.refused:
        said.update(_rewrite(event, outcome, answer))
        said.update(_context(outcome, answer))
    answer.stdout = _line(said)
    return answer


def _rewrite(event: Event, outcome: Outcome, answer: _Answer) -> dict[str, Any]:
    rewrite = outcome.updated_input
    if rewrite is None:
        return {}
    answer.covered.add("updated_input")
    if TOOL_ARGS_PREVIEW in event.native:
        answer.lose("updated_input", "Codewhale gave only the beginning of the input, so none may be put in its place")
    elif not gates.is_rewrite(rewrite):
        limit = f"{gates.REWRITE_LIMIT:,}"
        answer.lose("updated_input", f"Codewhale takes only an object of at most {limit} bytes; the input stays")
    else:
        return {"updatedInput": rewrite}
    return {}


def _context(outcome: Outcome, answer: _Answer) -> dict[str, Any]:
    if not outcome.context:
        return {}
    answer.covered.add("context")
    context = "\n".join(outcome.context)
    if len(context) > TEXT_LIMIT:
        answer.lose("context", f"Codewhale keeps the first {TEXT_LIMIT:,} characters of a hook's context")
    return {"additionalContext": context}


def _reason(outcome: Outcome, answer: _Answer) -> dict[str, Any]:
    if not outcome.reason:
        return {}
    answer.covered.add("reason")
    if len(outcome.reason) > TEXT_LIMIT:
        answer.lose("reason", f"Codewhale keeps the first {TEXT_LIMIT:,} characters of a reason")
    return {"reason": outcome.reason}


def _prompt(event: Event, outcome: Outcome) -> _Answer:
    answer = _Answer()
    if outcome.refused:
        answer.exit_code = _HARD_EXIT
        answer.stdout = _line(_reason(outcome, answer))
    elif outcome.prompt is not None:
        answer.covered.add("prompt")
        if PROMPT_CUT in event.native:
            answer.lose("prompt", "Codewhale gave only the beginning of the prompt, so none may be put in its place")
        elif not 0 < len(outcome.prompt) <= submit.PROMPT_LIMIT:
            answer.lose("prompt", f"Codewhale takes 1 to {submit.PROMPT_LIMIT:,} characters; the prompt stays")
        else:
            answer.stdout = _line({"text": outcome.prompt})
    return answer


def _environment(outcome: Outcome) -> _Answer:
    """`KEY=VALUE` lines, quoted; a line that would not be read back as it was meant is left out."""
    answer = _Answer(covered={"env"})
    lines: list[str] = []
    room = shell_env.TOTAL_LIMIT
    for name, value in text.scrub_value(dict(outcome.env)).items():
        line = f"{name}='{value}'"
        size = len(name.encode()) + len(value.encode())
        if size <= room and shell_env.parse(line)[0] == {name: value}:
            room -= size
            lines.append(line + "\n")
        else:
            answer.losses.append(Loss("env", f"Codewhale cannot take the variable {quoted(name)}; it is left out"))
    answer.stdout = "".join(lines)
    return answer


def _line(said: dict[str, Any]) -> str:
    return text.compact_json(said) + "\n" if said else ""
