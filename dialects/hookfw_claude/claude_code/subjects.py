"""
What matchers and `if` rules of an event look at.

From the contract, the column "matcher on" of its table of events.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, NamedTuple, cast

from hookfw_claude.claude_code import tools
from hookfw_claude.claude_code.conditions import Call

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hookfw import Event, Predicate, Session
    from hookfw_claude.claude_code.conditions import Condition
    from hookfw_claude.claude_code.rules import EventRules
    from hookfw_claude.matcher import Matcher


class Facts(NamedTuple):
    """
    What the predicates of hooks judge.

    Attributes:
        subjects: what matchers look at.
        call: what `if` rules look at; `None` on other events, and where no hook of the event has such a rule.
    """

    subjects: tuple[str, ...]
    call: Call | None = None


def facts_of(rules: EventRules, event: Event, session: Session, *, conditional: bool) -> Facts:
    """The facts of an event; `conditional`: some hook of it has an `if` rule."""
    name = getattr(event, "tool_name", None) or ""
    call = None
    if conditional and rules.per_call:
        workspace = event.workspace or session.workspace
        target = tools.target_of(name, getattr(event, "tool_input", None))
        call = Call(name, target, event.cwd or workspace, workspace, session.home)
    if rules.matches == "tool_name":
        return Facts(tools.candidates(name), call)
    if rules.matches is None:
        return Facts(())
    value = getattr(event, rules.matches, None)
    subject = value if isinstance(value, str) else ""
    return Facts((os.path.basename(subject) if rules.matches == "file_path" else subject,))


def predicate_of(matcher: Matcher, text: str, condition: Condition | None) -> Predicate | None:
    """`Hook.predicate` for a matcher, as people wrote it, and a rule; `None` where there is nothing to judge."""
    by_pattern = matcher.predicate(text)
    if by_pattern is None and condition is None:
        return None

    def judge(facts: Hashable) -> str | None:
        known = cast("Facts", facts)
        reason = None if by_pattern is None else by_pattern(known.subjects)
        if reason is not None or condition is None:
            return reason
        if known.call is None:
            return "it has an `if`, which only fits events about one tool call"
        return condition.why_not(known.call)

    return judge


def never(reason: str) -> Predicate:
    """The predicate of a hook that no event can reach, with the reason why."""
    return lambda _facts: reason
