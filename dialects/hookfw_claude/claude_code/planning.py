"""
Which of the matching hooks run, and as whom.

From the contract, "Parallelism and deduplication": equal handlers run once, at the place of the first and with the fields of the last
definition, a project's over the person's. "Which types where" and the limits on addresses say what does not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Step
from hookfw_claude.claude_code.handlers import not_run
from hookfw_claude.claude_code.rules import EVENTS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hookfw import Hook


def plan(hooks: Sequence[Hook]) -> list[Step]:
    """Every matching hook in configuration order."""
    last: dict[Hashable, Hook] = {hook.config.identity: hook for hook in hooks}
    steps: list[Step] = []
    placed: set[Hashable] = set()
    for hook in hooks:
        identity = hook.config.identity
        standing = last[identity]
        if identity not in placed:
            placed.add(identity)
            steps.append(_step(standing))
        if hook is not standing:
            why = f"the same handler is defined again in {standing.source.path}, {standing.source.entry}, which counts"
            steps.append(Step(hook, "skip", why))
    return steps


def _step(hook: Hook) -> Step:
    refused = not_run(hook.handler, EVENTS[hook.event]) or hook.config.blocked
    if refused is not None:
        return Step(hook, "skip", refused)
    return Step(hook, "background" if hook.background else "foreground")
