"""
`message_submit`: a hook replaces the prompt or blocks it.

From the hooks document of 2026-09-29, "message_submit". Hooks run one after another, each with the text that the one
before it made; a block ends the row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import Effect, Reading, Verdict, text
from hookfw_codewhale import printed
from hookfw_codewhale.entries import DIALECT
from hookfw_codewhale.failures import called, detail_of, error_of, exit_code_of, failure, note, status_of, unexplained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Diagnostic, Done, Ended, Event, Hook

PROMPT_LIMIT: Final = 32_000
"""Characters of a replacement; a longer one is ignored."""

BLOCKED: Final = "message_submit hook blocked submission"
FAILED: Final = "message_submit hook failed and blocked submission"

_BLOCK = 2
_WANTED = '{"text": …} to replace the prompt, or {"reason": …} and exit with 2 to block it'


def interpret(hook: Hook, ended: Ended) -> Reading:
    """
    Exit 0 may replace, exit 2 blocks, any other end is a failure: a strict hook's blocks, a lenient one's does not.

    The reason of a block is the structured one or a fixed sentence; raw output never becomes one.
    """
    code = exit_code_of(ended)
    if code == 0:
        return _replaced(hook, ended)
    reason = None
    if code is not None:
        reason = printed.reason_of(printed.fields(ended) or {})
    notes = _notes(hook, ended) if code is not None else ()
    if code == _BLOCK:
        if reason is None:
            notes = (*notes, unexplained(hook, ended, "blocked"))
        effect = Effect(decision="block", reason=reason or BLOCKED)
        return Reading(effect=effect, ends_row=True, diagnostics=notes)
    status, error = status_of(ended), error_of(hook, ended)
    if hook.strict:
        effect = Effect(decision="block", reason=reason or detail_of(hook, ended) or FAILED)
        notes = (
            failure(hook, ended, "the prompt is blocked, because the hook has `continue_on_error = false`"),
            *notes,
        )
        return Reading(status=status, error=error, effect=effect, ends_row=True, diagnostics=notes)
    warning = reason or detail_of(hook, ended) or f"message_submit {error}"
    notes = (failure(hook, ended, "the prompt goes on as it was, because only exit code 2 blocks"), *notes)
    return Reading(status=status, error=error, effect=Effect(messages=(warning,)), diagnostics=notes)


def reduce(event: Event, done: Sequence[Done]) -> Verdict:
    """The block, or the last replacement; one that gives back the text of `event` changes nothing."""
    messages = tuple(message for each in done for message in each.effect.messages)
    for each in done:
        if each.effect.decision == "block":
            return Verdict(
                dialect=DIALECT,
                decision="block",
                refused=True,
                reason=each.effect.reason,
                decided_by=each.hook.name,
                messages=messages,
            )
    prompts = [each.effect.prompt for each in done if each.effect.prompt is not None]
    original = getattr(event, "prompt", None)
    prompt = prompts[-1] if prompts and prompts[-1] != original else None
    return Verdict(dialect=DIALECT, prompt=prompt, messages=messages)


def _replaced(hook: Hook, ended: Ended) -> Reading:
    answer = printed.fields(ended)
    if answer is None:
        if not printed.whole(ended).strip():
            return Reading()
        return Reading(diagnostics=(printed.hint(hook, ended, _WANTED) or _ignored(hook, "that is no JSON object"),))
    notes = _notes(hook, ended)
    if "text" not in answer:
        return Reading(diagnostics=notes)
    prompt = answer["text"]
    if not isinstance(prompt, str) or not prompt:
        return Reading(diagnostics=(*notes, _ignored(hook, "whose `text` is empty or no text")))
    if len(prompt) > PROMPT_LIMIT:
        return Reading(diagnostics=(*notes, _ignored(hook, f"whose `text` has more than {PROMPT_LIMIT:,} characters")))
    return Reading(effect=Effect(prompt=text.scrub(prompt)), diagnostics=notes)


def _notes(hook: Hook, ended: Ended) -> tuple[Diagnostic, ...]:
    found = printed.hint(hook, ended, _WANTED)
    return () if found is None else (found,)


def _ignored(hook: Hook, what: str) -> Diagnostic:
    return note(
        hook, "invalid-output", f"{called(hook)} printed an answer {what}, so the prompt is unchanged; print {_WANTED}."
    )
