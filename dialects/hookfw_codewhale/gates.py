"""
`tool_call_before`: a hook denies a call, asks about it, rewrites its input or adds context.

From the hooks document of 2026-09-29, "tool_call_before". All gates see the same call: a later one does not see an
earlier rewrite. Strictness is that of the hook which ran, never of the event.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from hookfw import Effect, Reading, Verdict, text
from hookfw_codewhale import printed
from hookfw_codewhale.entries import DIALECT
from hookfw_codewhale.failures import (
    NO_VERDICT,
    called,
    detail_of,
    error_of,
    exit_code_of,
    failure,
    note,
    status_of,
    unexplained,
)
from hookfw_codewhale.problems import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookfw import Decision, Diagnostic, Done, Ended, Event, Hook

REWRITE_LIMIT: Final = 32_768
"""Bytes of a rewritten input as compact JSON; a larger one is ignored."""

CONTEXT_LIMIT: Final = 8_000
"""Characters of all contexts of one call together, joined by newlines."""

UNEXPLAINED: Final = "ToolCallBefore hook denied tool execution"
"""The reason of a denial that gives none."""

_DENY = 2
_UNDERSTOOD = (0, _DENY)
_DECISIONS: dict[object, Decision] = {"allow": "none", "ask": "ask", "deny": "deny"}
_WANTED = '{"decision": "allow", "deny" or "ask", "reason": …, "updatedInput": {…}, "additionalContext": …}'


SILENT: Final = Reading()
"""The reading of a gate that exited with 0 and printed nothing: what most of them say, most of the time."""
_NOTHING_SAID: Final = Verdict(dialect=DIALECT)


class Denial(IntEnum):
    """How a hook came to deny, weakest first; the strongest gives the reason."""

    PRINTED = 1
    EXIT_TWO = 2
    NO_VERDICT = 3


def interpret(hook: Hook, ended: Ended) -> Reading:
    """
    What a gate said, whatever its exit code was, as long as it exited.

    A strict gate without a verdict denies: it did not exit of itself, or exited with neither 0 nor 2 and without a
    decision. A strict gate that fails in any way keeps later ones from starting.
    """
    code = exit_code_of(ended)
    if code == 0 and not ended.stdout:
        return SILENT
    answer = (printed.fields(ended) or {}) if code is not None else {}
    notes = list(_notes(hook, ended, answer)) if code is not None else []
    decision = _decision(answer)
    failed = code not in _UNDERSTOOD
    if failed:
        notes.insert(0, failure(hook, ended, _consequence(hook, code, decided=decision is not None)))
    if failed and hook.strict and decision is None:
        effect = Effect(decision="deny", detail=(Denial.NO_VERDICT, detail_of(hook, ended) or NO_VERDICT))
    else:
        effect = _effect(answer, decision, code)
        if effect.decision == "deny" and effect.reason is None:
            notes.append(unexplained(hook, ended, "denied"))
    return Reading(
        status=status_of(ended, understood=_UNDERSTOOD),
        effect=effect,
        ends_row=hook.strict and code != 0,
        error=error_of(hook, ended, understood=_UNDERSTOOD),
        diagnostics=tuple(notes),
    )


def reduce(event: Event, done: Sequence[Done]) -> Verdict:
    """
    No verdict of a strict gate, then exit 2, then a printed deny, then ask; among equals the first in order.

    With a denial nothing else goes out. Otherwise the last rewrite stands and the contexts are bounded together.
    """
    if all(each.effect is SILENT.effect for each in done):
        return _NOTHING_SAID
    denials = [each for each in done if each.effect.decision == "deny"]
    if denials:
        first = max(denials, key=lambda each: each.effect.detail[0])
        reason = first.effect.reason or UNEXPLAINED
        if first.effect.detail[0] is Denial.NO_VERDICT:
            reason = _sentence(event, denials)
        return Verdict(dialect=DIALECT, decision="deny", refused=True, reason=reason, decided_by=first.hook.name)
    asking = next((each for each in done if each.effect.decision == "ask"), None)
    rewrites = [each.effect.updated_input for each in done if each.effect.updated_input is not None]
    return Verdict(
        dialect=DIALECT,
        decision="none" if asking is None else "ask",
        reason=None if asking is None else asking.effect.reason,
        decided_by=None if asking is None else asking.hook.name,
        updated_input=rewrites[-1] if rewrites else None,
        context=bounded(context for each in done for context in each.effect.context),
    )


def bounded(contexts: Iterable[str]) -> tuple[str, ...]:
    """
    The contexts, cut so that joined by newlines they keep to `CONTEXT_LIMIT` characters.

    Joining the result gives what cutting the joined contexts gives, marker included.
    """
    kept: list[str] = []
    room = CONTEXT_LIMIT
    for context in contexts:
        if kept:
            if room == 0:
                kept[-1] += text.ELLIPSIS_MARKER
                break
            room -= 1
        kept.append(text.cut_characters(context, room))
        if len(context) > room:
            break
        room -= len(context)
    return tuple(kept)


def _decision(answer: dict[str, Any]) -> Decision | None:
    word = answer.get("decision")
    return _DECISIONS.get(word) if isinstance(word, str) else None


def _effect(answer: dict[str, Any], decision: Decision | None, code: int | None) -> Effect:
    context = printed.sanitised(answer, "additionalContext")
    reason = printed.reason_of(answer)
    rewrite = answer.get("updatedInput")
    denial = Denial.EXIT_TWO if code == _DENY else Denial.PRINTED if decision == "deny" else None
    return Effect(
        decision="deny" if denial else decision or "none",
        reason=reason if denial or decision == "ask" else None,
        updated_input=text.scrub_value(rewrite) if is_rewrite(rewrite) else None,
        context=() if context is None else (context,),
        detail=(denial, ""),
    )


def is_rewrite(value: object) -> bool:
    """An input that may take the place of the call's own: an object within `REWRITE_LIMIT`."""
    return isinstance(value, dict) and len(text.compact_json(value).encode()) <= REWRITE_LIMIT


def _sentence(event: Any, denials: Sequence[Done]) -> str:
    """Names and fixed details only, so nothing of it needs redaction."""
    missing = [each for each in denials if each.effect.detail[0] is Denial.NO_VERDICT]
    causes = "; ".join(f"{each.hook.config.label}: {each.effect.detail[1]}" for each in missing)
    tool = quoted(event.tool_name or "")
    return f"Tool call {tool} is denied: no verdict came, and `continue_on_error = false` is set: {causes}"


def _consequence(hook: Hook, code: int | None, *, decided: bool) -> str:
    if decided:
        return "the decision that it printed counts nevertheless"
    if hook.strict:
        return "the call is denied, because the hook has `continue_on_error = false` and gave no verdict"
    if code is None:
        return "it has no say in this call, whatever it printed before"
    return "that is no denial: only exit code 2 or a printed `deny` is; context and rewrite that it printed count"


def _notes(hook: Hook, ended: Ended, answer: dict[str, Any]) -> Iterable[Diagnostic]:
    """What was printed and not heeded."""
    found = printed.hint(hook, ended, _WANTED)
    if found is not None:
        yield found
    if answer.get("decision") is not None and _decision(answer) is None:
        message = f"{called(hook)} printed a `decision` that is none of `allow`, `deny`, `ask`, so it decides nothing."
        yield note(hook, "unknown-decision", message)
    rewrite = answer.get("updatedInput")
    if rewrite is not None and not is_rewrite(rewrite):
        message = (
            f"{called(hook)} printed an `updatedInput` that is no object or larger than {REWRITE_LIMIT:,} bytes, so the "
            "input is unchanged; print a smaller object."
        )
        yield note(hook, "ignored-rewrite", message)
