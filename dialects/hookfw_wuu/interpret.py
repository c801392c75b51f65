"""
From the facts of a command to its status and effect.

From the hooks document, "Command input and output": exit 2 blocks, whatever was printed; exit 0 is what was printed; all
else is a failure, which is as much an error as a block and adds nothing of what was printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Effect, Reading
from hookfw_wuu import notes, prompts
from hookfw_wuu.answers import Answer, read_output
from hookfw_wuu.effects import effect_of
from hookfw_wuu.failures import BLOCK, Failure, failure_of
from hookfw_wuu.rules import EVENTS

if TYPE_CHECKING:
    from hookfw import Diagnostic, Ended, Hook
    from hookfw_wuu.rules import EventRules


def interpret(hook: Hook, ended: Ended) -> Reading:
    """How a run of a hook is read, whatever its type."""
    rules = EVENTS[hook.event]
    if hook.handler == "prompt":
        return prompts.interpret(hook, ended, rules)
    failure = failure_of(hook, ended)
    if failure is not None:
        return _failed(hook, ended, rules, failure)
    answer = read_output(ended.stdout)
    blocks = ended.exit_code == BLOCK or answer.blocks
    diagnostics = [notes.of(hook, "odd-answer", oddity) for oddity in answer.oddities] if rules.reads else []
    diagnostics += _unused(hook, rules, answer)
    if ended.pipes_held:
        what = (
            "left a process behind that kept its output open; its block counts; close the streams of what stays running"
        )
        diagnostics.append(notes.of(hook, "pipe-held", what))
    if not blocks:
        return Reading(effect=effect_of(rules, answer), diagnostics=tuple(diagnostics))
    if rules.error == "none":
        what = f"blocked, which changes nothing on {rules.name}: {rules.loses}"
        diagnostics.append(notes.of(hook, "dropped-block", what))
    return Reading(
        effect=effect_of(rules, answer, _reason(hook, ended, answer)), ends_row=True, diagnostics=tuple(diagnostics)
    )


def _reason(hook: Hook, ended: Ended, answer: Answer) -> str:
    """Why a hook blocked: its own reason, else its standard error, else its name."""
    return answer.reason or ended.stderr.strip() or f"The hook command `{hook.command}` blocked this without a reason."


def _unused(hook: Hook, rules: EventRules, answer: Answer) -> list[Diagnostic]:
    """What a hook says in vain on this event."""
    found = []
    if rules.reads and answer.updated_input is not None and not rules.rewrites:
        what = f"gave `updated_input`, which counts in PreToolUse alone, not in {rules.name}"
        found.append(notes.of(hook, "unused-field", what))
    if rules.reads and answer.context and not rules.context:
        what = f"gave `additional_context`, which reaches the model from PostToolUse alone, not from {rules.name}"
        found.append(notes.of(hook, "unused-field", what))
    return found


def _failed(hook: Hook, ended: Ended, rules: EventRules, failure: Failure) -> Reading:
    """A failure: an error with what it wrote to standard error for a reason, if that is whole."""
    stderr = "" if ended.stderr_cut else ended.stderr.strip()
    refuses = rules.error != "none"
    reason = f"The hook `{hook.name}` {failure.what}{f': {stderr}' if stderr else '.'}" if refuses else None
    told = f"{failure.what}{failure.more}: {rules.loses}; {failure.remedy}"
    return Reading(
        status=failure.status,
        effect=Effect(decision=rules.error, reason=reason),
        ends_row=True,
        error=failure.what,
        diagnostics=(notes.of(hook, failure.code, told),),
    )
