"""
The call of a hook: a line for the shell, or one request to a model.

From the hooks document, "Command input and output" and "Prompt hooks"; that a template without a placeholder is sent as it
is, and that every placeholder is filled, from the public source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import Invocation, Kill, ModelRequest
from hookfw_wuu.rules import CAP

if TYPE_CHECKING:
    from hookfw import Hook, Row, Session
    from hookfw_wuu.entries import Entry

PLACEHOLDER: Final = "$ARGUMENTS"

SYSTEM: Final = (
    "You judge whether an operation of a coding agent may go ahead. Answer with one JSON object and nothing else, no code "
    'fence: {"ok": true or false, "reason": "why, in a sentence"}. Say true when what you are asked holds and the operation '
    "may go ahead, false when it must not."
)
"""The system text of every prompt hook."""

_KILL: Final = Kill(grace=None)
"""The group is killed at once on timeout and cancellation, and left alone after a normal end."""


def invocation(row: Row, hook: Hook, session: Session) -> Invocation:
    """What is carried out for a hook of either type."""
    entry: Entry = hook.config
    if entry.type == "prompt":
        filled = entry.prompt.replace(PLACEHOLDER, row.stdin.decode())
        request = ModelRequest(user=filled, system=SYSTEM, model=entry.model or None)
        return Invocation(timeout=hook.timeout, config=request)
    return Invocation(
        argv=("sh", "-c", entry.command),
        stdin=row.stdin,
        # Wuu promises no folder; the project is where its own runtime usually stands.
        cwd=session.workspace,
        timeout=hook.timeout,
        stdout_cap=CAP,
        stderr_cap=CAP,
        kill=_KILL,
    )
