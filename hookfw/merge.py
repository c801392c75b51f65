"""Merging: the verdicts of several dialects to one outcome."""

from __future__ import annotations

from collections.abc import Sequence

from hookfw.diagnostics import Diagnostic
from hookfw.outcome import STRENGTH, Decision, Outcome, Rewrite, Run, Skipped, Verdict

REFUSABLE = frozenset(
    {
        "pre_tool_use",
        "permission_request",
        "user_prompt_submit",
        "user_prompt_expansion",
        "pre_model_switch",
        "pre_compact",
        "post_compact",
        "session_start",
        "subagent_start",
        "stop",
        "subagent_stop",
        "task_created",
        "task_completed",
        "teammate_idle",
        "config_change",
        "worktree_create",
        "elicitation",
        "elicitation_result",
    }
)
"""Events that announce something a refusal keeps from happening; on all others `refused` is never true."""


CHAINED = frozenset({"pre_tool_use", "permission_request", "user_prompt_submit", "user_prompt_expansion"})
"""Events that a verdict can rewrite: each dialect waits for what the ones before it make of them."""


def refusal_of(kind: str) -> Decision:
    """The word for refusing what an event announces: a tool call and a permission are denied, all else is blocked."""
    return "deny" if kind in ("pre_tool_use", "permission_request") else "block"


def strongest(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The verdict with the strictest decision, the first in order among equals; `None` when nobody decided."""
    decided = [verdict for verdict in verdicts if verdict.decision != "none"]
    return max(decided, key=lambda verdict: STRENGTH[verdict.decision], default=None)


def merge(verdicts: Sequence[Verdict], runs: Sequence[Run] = (), skipped: Sequence[Skipped] = ()) -> Outcome:
    """
    One outcome of the verdicts, given in the order of their dialects.

    The strictest decision wins and gives the reason, the first in order among equals; `refused`, `ends_turn` and
    `asks` are joined by *or*; lists are joined in order; of several rewrites the last stands; `env` and `native` merge with later
    over earlier. An `allow` permits the call that it judged: it falls away where a later verdict rewrites the input. Merging one
    verdict changes nothing.
    """
    if len(verdicts) == 1:
        return _of_one(verdicts[0], runs, skipped)
    rewritten = max((at for at, verdict in enumerate(verdicts) if verdict.updated_input is not None), default=0)
    outdated = [verdict for verdict in verdicts[:rewritten] if verdict.decision == "allow"]
    standing = [verdict for at, verdict in enumerate(verdicts) if at >= rewritten or verdict.decision != "allow"]
    winner = strongest(standing)
    rewriters = [verdict for verdict in verdicts if verdict.updated_input is not None or verdict.prompt is not None]
    rewrite = None
    if rewriters:
        rewrite = Rewrite(rewriters[-1].dialect, rewriters[-2].dialect if len(rewriters) > 1 else None)
    inputs = [verdict.updated_input for verdict in verdicts if verdict.updated_input is not None]
    prompts = [verdict.prompt for verdict in verdicts if verdict.prompt is not None]
    stops = [verdict.stop_reason for verdict in verdicts if verdict.stop_reason is not None]
    env: dict[str, str] = {}
    native: dict[str, object] = {}
    for verdict in verdicts:
        env.update(verdict.env)
        native.update(verdict.native)
    return Outcome(
        decision=winner.decision if winner else "none",
        reason=winner.reason if winner else next((v.reason for v in verdicts if v.reason is not None), None),
        decided_by=winner.decided_by if winner else None,
        decided_in=winner.dialect if winner else None,
        refused=any(verdict.refused for verdict in verdicts),
        ends_turn=any(verdict.ends_turn for verdict in verdicts),
        asks=any(verdict.asks or verdict.decision == "ask" for verdict in verdicts),
        stop_reason=stops[0] if stops else None,
        updated_input=inputs[-1] if inputs else None,
        prompt=prompts[-1] if prompts else None,
        suppress_prompt=any(verdict.suppress_prompt for verdict in verdicts),
        context=tuple(text for verdict in verdicts for text in verdict.context),
        feedback=tuple(text for verdict in verdicts for text in verdict.feedback),
        messages=tuple(text for verdict in verdicts for text in verdict.messages),
        terminal_sequences=tuple(text for verdict in verdicts for text in verdict.terminal_sequences),
        env=env,
        native=native,
        rewrite=rewrite,
        runs=tuple(runs),
        skipped=tuple(skipped),
        diagnostics=(*(item for verdict in verdicts for item in verdict.diagnostics), *map(_fallen, outdated)),
    )


def _fallen(verdict: Verdict) -> Diagnostic:
    return Diagnostic(
        "allow-outdated",
        "info",
        f"{verdict.dialect} allowed the call as it was; it was rewritten after that, so the allow does not stand and the "
        "agent's own rules decide on the new call.",
        hook=verdict.decided_by,
    )


def _of_one(verdict: Verdict, runs: Sequence[Run], skipped: Sequence[Skipped]) -> Outcome:
    """The outcome of a single verdict, which is most firings: nothing is compared and nothing is joined."""
    decided = verdict.decision != "none"
    rewrites = verdict.updated_input is not None or verdict.prompt is not None
    return Outcome(
        decision=verdict.decision,
        reason=verdict.reason,
        stop_reason=verdict.stop_reason,
        updated_input=verdict.updated_input,
        prompt=verdict.prompt,
        suppress_prompt=verdict.suppress_prompt,
        context=verdict.context,
        feedback=verdict.feedback,
        messages=verdict.messages,
        terminal_sequences=verdict.terminal_sequences,
        env=verdict.env,
        native=verdict.native,
        refused=verdict.refused,
        ends_turn=verdict.ends_turn,
        asks=verdict.asks or verdict.decision == "ask",
        decided_by=verdict.decided_by if decided else None,
        decided_in=verdict.dialect if decided else None,
        rewrite=Rewrite(verdict.dialect) if rewrites else None,
        runs=tuple(runs),
        skipped=tuple(skipped),
        diagnostics=verdict.diagnostics,
    )
