"""
The answers of all hooks of one event, made one.

From the contract, "Several hooks on one event" and the loop guard. Texts for the model and the person come in the order in which
hooks finished; feedback, of which each hook's is delivered by itself, in configuration order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw import Verdict
from hookfw_claude.claude_code import env_file
from hookfw_claude.claude_code.effects import Detail
from hookfw_claude.claude_code.rules import BLOCK_CAP, BLOCK_CAP_VARIABLE, DIALECT, EVENTS, EventRules
from hookfw_claude.claude_code.spill import Spills
from hookfw_claude.failures import note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Decision, Diagnostic, Done, Event, Session

_STRENGTH: Final = ("none", "allow", "ask", "defer", "block", "deny")
"""The decisions there are here, weakest first; ending the turn is apart from them."""
_POLICY: Final = "policy_settings"
"""The source of a change of configuration that nobody can block."""


def reduce(event: Event, done: Sequence[Done], session: Session) -> Verdict:
    """The verdict of Claude Code's hooks on `event`."""
    if not done:
        return Verdict(dialect=DIALECT)
    rules = EVENTS[done[0].row.native_event]
    finished = sorted(done, key=lambda item: item.finished)
    diagnostics: list[Diagnostic] = []
    winner = _overridden(rules, event, _winner(rules, finished), session, diagnostics)
    stopper = next((item for item in finished if _detail(item).stops), None)
    word: Decision = "none" if winner is None else winner.effect.decision
    refused = rules.refuses and word in (rules.refusal, "defer")
    spills = Spills(session)
    context = tuple(spills.bounded(told) for item in finished for told in item.effect.context)
    feedback = tuple(told for item in done for told in item.effect.feedback)
    if rules.goes_on:
        context, feedback, word = _going_on(winner, context, feedback, stopped=stopper is not None)
        refused = word == rules.refusal
    if rules.stop_refuses:
        refused = refused or stopper is not None
        context = () if refused else context
    stop_reason = None if stopper is None else stopper.effect.stop_reason
    env = _variables(finished, session, diagnostics)
    return Verdict(
        dialect=DIALECT,
        decision=word if stopper is None else "stop",
        reason=stop_reason or _reason(winner, feedback, rules),
        stop_reason=stop_reason,
        refused=refused,
        asks=word == "ask",
        ends_turn=stopper is not None or word == "defer" or (rules.block_ends_turn and word == "block"),
        decided_by=_name(stopper or winner or (done[0] if word != "none" else None)),
        updated_input=None if refused else _input(rules, finished, winner),
        suppress_prompt=any(item.effect.suppress_prompt for item in done),
        context=context,
        feedback=feedback,
        messages=tuple(
            told if told == _detail(item).stderr else spills.bounded(told)
            for item in finished
            for told in item.effect.messages
        ),
        terminal_sequences=tuple(told for item in finished for told in item.effect.terminal_sequences),
        env=env,
        native=_native(rules, finished, winner),
        diagnostics=tuple(diagnostics),
        writes=tuple(spills.writes),
    )


def reduction(name: str) -> str:
    """How the answers of several hooks of an event become one, in sentences for people."""
    rules = EVENTS[name]
    if name == "PermissionRequest":
        return "The first hook to finish with an answer decides, and its input and message stand."
    sentences = []
    if rules.goes_on:
        sentences.append("Any block makes the agent go on, with the texts of all blocks; context alone does so too.")
    elif rules.refuses and rules.refusal == "deny":
        sentences.append(
            "The strictest decision wins (deny, defer, ask, allow), of several denials the last to finish."
        )
    elif rules.blocks:
        sentences.append("Any block blocks, with the reason of the first to finish.")
    if rules.stops:
        sentences.append("Any `continue: false` ends the turn.")
    if rules.per_call and rules.refuses:
        sentences.append("The input of the hook that finishes last stands, unless the call is refused.")
    if rules.context:
        sentences.append("Contexts are kept in the order in which hooks finish.")
    return " ".join(sentences) or "Its hooks decide nothing; what they say is kept in the order in which they finish."


def _detail(item: Done) -> Detail:
    return item.effect.detail if isinstance(item.effect.detail, Detail) else Detail()


def _name(item: Done | None) -> str | None:
    return None if item is None else item.hook.name


def _winner(rules: EventRules, finished: Sequence[Done]) -> Done | None:
    """The run whose decision and reason count."""
    decided = [item for item in finished if item.effect.decision != "none"]
    if rules.name == "PermissionRequest":
        return decided[0] if decided else None
    strongest = max((_STRENGTH.index(item.effect.decision) for item in decided), default=0)
    alike = [item for item in decided if _STRENGTH.index(item.effect.decision) == strongest]
    if not alike:
        return None
    return alike[-1] if alike[0].effect.decision == "deny" else alike[0]


def _overridden(
    rules: EventRules, event: Event, winner: Done | None, session: Session, diagnostics: list[Diagnostic]
) -> Done | None:
    """The winner, unless its block is one that nobody obeys: too many in a row, or of the organisation's own change."""
    if winner is None or winner.effect.decision != rules.refusal:
        return winner
    if rules.name == "ConfigChange" and event.given.get("source") == _POLICY:
        what = "blocked a change of managed settings, which no hook can; it is applied"
        diagnostics.append(note(winner.hook, "block-overridden", what))
        return None
    cap = _block_cap(session)
    if rules.goes_on and (event.given.get("continuation_count") or 0) >= cap:
        what = f"put off the end after {cap} times in a row, so it is overridden; heed `stop_hook_active`"
        diagnostics.append(note(winner.hook, "block-overridden", what))
        return None
    return winner


def _block_cap(session: Session) -> int:
    written = session.environ.get(BLOCK_CAP_VARIABLE, "").strip()
    return int(written) if written.isdecimal() and len(written) < len(str(10**9)) else BLOCK_CAP


def _going_on(
    winner: Done | None, context: tuple[str, ...], feedback: tuple[str, ...], *, stopped: bool
) -> tuple[tuple[str, ...], tuple[str, ...], Decision]:
    """Context, feedback and decision at the end of a turn: context alone makes the agent go on too."""
    if stopped:
        return context, (), "none"
    if winner is not None:
        return context, feedback, winner.effect.decision
    if feedback or not context:
        # Feedback without a winner is that of a block that was overridden.
        return context, (), "none"
    return (), context, "block"


def _reason(winner: Done | None, feedback: Sequence[str], rules: EventRules) -> str | None:
    if winner is not None:
        return winner.effect.reason
    return feedback[0] if rules.goes_on and feedback else None


def _input(rules: EventRules, finished: Sequence[Done], winner: Done | None) -> Any:
    """The input of the hook that finished last; of a permission, that of the answer that counts."""
    if rules.name == "PermissionRequest":
        return None if winner is None else winner.effect.updated_input
    return next(
        (item.effect.updated_input for item in reversed(finished) if item.effect.updated_input is not None), None
    )


def _native(rules: EventRules, finished: Sequence[Done], winner: Done | None) -> Mapping[str, Any]:
    """
    What answers say beyond the canonical fields, later over earlier; what is to be watched adds up.

    Of a permission it is what the answer that counts says, and of a question that is declined too: no other hook's `accept`.
    """
    if rules.name == "PermissionRequest":
        return {} if winner is None else winner.effect.native
    if winner is not None and "action" in winner.effect.native:
        return winner.effect.native
    native: dict[str, Any] = {}
    for item in finished:
        watched = [*native.get("watchPaths", ()), *item.effect.native.get("watchPaths", ())]
        native.update(item.effect.native)
        if watched:
            native["watchPaths"] = watched
    return native


def _variables(finished: Sequence[Done], session: Session, diagnostics: list[Diagnostic]) -> Mapping[str, str]:
    """What hooks wrote into their files of variables, in configuration order, later over earlier."""
    env: dict[str, str] = {}
    for item in sorted(finished, key=lambda item: item.position):
        written = _detail(item).env_file
        if not written:
            continue
        found = env_file.parse(written, {**session.environ, **env})
        env |= found.values
        if found.unread:
            what = f"wrote {found.unread} lines to CLAUDE_ENV_FILE that take a shell to read; write `export NAME=value`"
            diagnostics.append(note(item.hook, "env-lines-ignored", what))
    return env
