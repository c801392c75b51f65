"""
The observers: their results change nothing.

From the hooks document of 2026-09-29, "What observer means" and "Failure behaviour". On the events of the execute path
a strict hook that fails keeps later hooks from starting; on the structured ones nothing does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Reading
from hookfw_codewhale import printed
from hookfw_codewhale.failures import called, error_of, exit_code_of, failure, note, status_of
from hookfw_codewhale.native import EVENTS

if TYPE_CHECKING:
    from hookfw import Diagnostic, Ended, Hook

_STEERING = ("decision", "updatedInput", "additionalContext", "hookSpecificOutput", "continue")
_BLOCK = 2


def interpret(hook: Hook, ended: Ended) -> Reading:
    """Whether the hook ended well, and whether later ones may start."""
    failed = exit_code_of(ended) != 0
    ends_row = failed and hook.strict and EVENTS[hook.event].execute_path
    if not failed:
        return Reading(diagnostics=_unheeded(hook, ended))
    consequence = "later hooks of this event do not start" if ends_row else "nothing else changes"
    if exit_code_of(ended) == _BLOCK:
        consequence += ", and it refuses nothing, because this event only observes"
    return Reading(
        status=status_of(ended),
        error=error_of(hook, ended),
        ends_row=ends_row,
        diagnostics=(failure(hook, ended, consequence),),
    )


def interpret_background(hook: Hook, ended: Ended) -> Reading:
    """The status of a run nobody waited for; whoever submitted it reports a failure."""
    return Reading(status=status_of(ended), error=error_of(hook, ended))


def _unheeded(hook: Hook, ended: Ended) -> tuple[Diagnostic, ...]:
    answer = printed.fields(ended) or {}
    meant = next((field for field in _STEERING if field in answer), None)
    if meant is None:
        return ()
    message = (
        f"{called(hook)} printed `{meant}`, which changes nothing, because this event only observes; "
        "steer in a hook of `tool_call_before` or `message_submit`."
    )
    return (note(hook, "observer-output", message),)
