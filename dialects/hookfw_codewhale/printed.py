"""What a hook printed, as Codewhale reads it; and what its author may have meant where it reads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw import redact, text
from hookfw_codewhale.failures import called, note

if TYPE_CHECKING:
    from hookfw import Diagnostic, Ended, Hook

TEXT_LIMIT: Final = 2_000
"""Characters of a reason and of a context."""

# Fields by which the answer of another agent is recognised.
_FOREIGN = (
    "hookSpecificOutput",
    "hook_specific_output",
    "permissionDecision",
    "permission_decision",
    "updated_input",
    "additional_context",
    "systemMessage",
    "stopReason",
    "suppressOutput",
    "continue",
)


def whole(ended: Ended) -> str:
    """Standard output; one that was cut at its cap ends in `…[truncated]`, and so is no JSON any more."""
    return ended.stdout + text.ELLIPSIS_MARKER if ended.stdout_cut else ended.stdout


def fields(ended: Ended) -> dict[str, Any] | None:
    """The JSON object that a hook printed; `None` for anything else."""
    return text.parse_json_object(whole(ended).strip())


def reason_of(answer: dict[str, Any]) -> str | None:
    """The structured reason, bounded, sanitised and redacted; a blank one is none."""
    reason = sanitised(answer, "reason")
    return None if reason is None else redact(reason)


def sanitised(answer: dict[str, Any], field: str) -> str | None:
    """A text field, bounded and sanitised; `None` when it is no text or blank."""
    value = answer.get(field)
    if not isinstance(value, str):
        return None
    value = text.block(text.scrub(value), TEXT_LIMIT)
    return value if value.strip() else None


def hint(hook: Hook, ended: Ended, wanted: str) -> Diagnostic | None:
    """
    A diagnostic for output that was meant to say something and did not; `None` for output that says nothing.

    `wanted` tells what would have worked. The output itself is never repeated.
    """
    if ended.stdout_cut:
        message = (
            f"{called(hook)} printed more than is kept of a hook's output, so none of it was read; print {wanted}."
        )
        return note(hook, "output-cut", message)
    answer = fields(ended)
    if answer is None:
        if "{" not in ended.stdout or "}" not in ended.stdout or '"' not in ended.stdout:
            return None
        message = (
            f"{called(hook)} printed JSON with something around it, or no sound JSON, so none of it was read; "
            f"print exactly one JSON object: {wanted}."
        )
        return note(hook, "not-one-json", message)
    foreign = [field for field in _FOREIGN if field in answer]
    if not foreign:
        return None
    message = f"{called(hook)} answered in another agent's form (`{foreign[0]}`), which is not read; print {wanted}."
    return note(hook, "wrong-shape", message)
