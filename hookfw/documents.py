"""
The JSON documents of `hookfw fire`, `hookfw list` and `hookfw explain` with `--json`.

Pure: what was loaded and what came of a firing go in, plain JSON values come out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookfw.hooks import TRUSTED
from hookfw.requests import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookfw.diagnostics import Diagnostic
    from hookfw.dialect import Invocation
    from hookfw.explaining import Explanation
    from hookfw.hooks import Hook, HookSet, HookState, Rejected
    from hookfw.outcome import Outcome, Run

Json = dict[str, Any]


def outcome_document(
    kind: str,
    dialects: Sequence[str],
    hooks: HookSet,
    outcome: Outcome,
    diagnostics: Iterable[Diagnostic],
) -> Json:
    """
    One firing.

    `kind` is the canonical event name, `dialects` the active dialects in firing order, `diagnostics` all there are:
    of loading, of the firing, of background runs. `loaded` and `rejected` count the entries of `hooks`.
    """
    return {
        "event": kind,
        "dialects": list(dialects),
        **answer_document(outcome),
        "runs": [run_document(run) for run in outcome.runs],
        "skipped": [
            {"name": item.name, "reason": item.reason, "dialect": item.dialect, "source": item.source}
            for item in outcome.skipped
        ],
        "loaded": len(hooks.hooks),
        "rejected": len(hooks.rejected),
        "diagnostics": [item.as_dict() for item in diagnostics],
    }


def answer_document(outcome: Outcome) -> Json:
    """What the agent must now do."""
    return {
        "refused": outcome.refused,
        "ends_turn": outcome.ends_turn,
        "asks": outcome.asks,
        "decision": outcome.decision,
        "decided_by": outcome.decided_by,
        "decided_in": outcome.decided_in,
        "reason": outcome.reason,
        "stop_reason": outcome.stop_reason,
        "updated_input": outcome.updated_input,
        "prompt": outcome.prompt,
        "suppress_prompt": outcome.suppress_prompt,
        "context": list(outcome.context),
        "feedback": list(outcome.feedback),
        "messages": list(outcome.messages),
        "terminal_sequences": list(outcome.terminal_sequences),
        "env": dict(outcome.env),
        "native": dict(outcome.native),
        "rewrite": outcome.rewrite and {"by": outcome.rewrite.by, "replaced": outcome.rewrite.replaced},
    }


def run_document(run: Run) -> Json:
    """One run; its duration in milliseconds."""
    return {
        "name": run.name,
        "dialect": run.dialect,
        "event": run.event,
        "handler": run.handler,
        "status": run.status,
        "exit_code": run.exit_code,
        "signal": run.signal,
        "duration_ms": round(run.duration * 1000, 1),
        "source": run.source,
        "error": run.error,
        "stdout_cut": run.stdout_cut,
        "stderr_cut": run.stderr_cut,
        "pipes_held": run.pipes_held,
    }


def list_document(hooks: HookSet, python: Sequence[Hook], diagnostics: Iterable[Diagnostic]) -> Json:
    """
    What is configured: every hook with its state, and every entry that was refused.

    `python` are the Python handlers of the installed plugins; they are listed, and `loaded` counts the hooks of
    dialects alone.
    """
    return {
        "hooks": [
            *(hook_document(hook, TRUSTED) for hook in python),
            *(hook_document(hook, hooks.state(hook)) for hook in hooks.hooks),
        ],
        "loaded": len(hooks.hooks),
        "rejected": [rejected_document(entry) for entry in hooks.rejected],
        "diagnostics": [item.as_dict() for item in diagnostics],
    }


def hook_document(hook: Hook, state: HookState) -> Json:
    """One hook; its timeout in seconds."""
    return {
        "name": hook.name,
        "dialect": hook.dialect,
        "event": hook.event,
        "handler": hook.handler,
        "summary": hook.summary,
        "matcher": hook.matcher,
        "source": hook.source.path,
        "entry": hook.source.entry,
        "line": hook.source.line,
        "scope": hook.source.scope,
        "trust": state.trust,
        "enabled": state.enabled,
        "note": state.note,
        "timeout": hook.timeout,
        "timeout_note": hook.timeout_note,
        "background": hook.background,
        "strict": hook.strict,
    }


def sent_document(sent: Invocation) -> Json:
    """What a handler is given; its timeout in seconds. `request` is what only its handler type reads."""
    return {
        "argv": list(sent.argv),
        "stdin": sent.stdin.decode(errors="replace"),
        "env": dict(sent.env),
        "unset": list(sent.unset),
        "files": dict(sent.read_back),
        "cwd": sent.cwd,
        "timeout": sent.timeout,
        "request": visible(sent.config),
    }


def explanation_document(explained: Explanation) -> Json:
    """What would become of an event: the rows it fires, every hook in order, and every entry that was refused."""
    return {
        "rows": [
            {
                "dialect": part.dialect,
                "event": row.native_event,
                "schedule": row.schedule,
                "chain": row.chain,
                "reduction": row.reduction,
            }
            for part in explained.dialects
            for row in part.rows
        ],
        "hooks": [
            {
                **hook_document(item.hook, item.state),
                "standing": item.standing,
                "cause": item.cause or None,
                "reason": item.reason or None,
                "sent": item.sent and sent_document(item.sent),
            }
            for item in explained.hooks
        ],
        "rejected": [rejected_document(entry) for part in explained.dialects for entry in part.rejected],
    }


def rejected_document(entry: Rejected) -> Json:
    """One entry that was refused at load."""
    return {
        "name": entry.name,
        "dialect": entry.dialect,
        "event": entry.event,
        "source": entry.source.path,
        "entry": entry.source.entry,
        "line": entry.source.line,
        "problems": list(entry.problems),
    }
