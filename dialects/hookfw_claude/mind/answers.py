"""
How a hook answers Mind.

From the paragraphs on each event's answer in the hooks document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.answers import NewInput, Speech
from hookfw_claude.mind import tools
from hookfw_claude.mind.rules import BY_KIND, REASON_LIMIT, SUBAGENT_CONTEXT_LIMIT

if TYPE_CHECKING:
    from hookfw import Event


def _new_input(event: Event, rewritten: Any) -> NewInput:
    name = getattr(event, "tool_name", None) or ""
    if not isinstance(rewritten, dict) or tools.problem_of(name, shown := tools.shown_input(name, rewritten)):
        return NewInput(unfit="Mind takes an object, with a text `command` for shell tools and patches")
    if shown != rewritten and tools.replaced(name, getattr(event, "tool_input", None), shown) != rewritten:
        return NewInput(shown, "Mind takes only the `command` of this tool, and its other arguments stay as they were")
    return NewInput(shown)


SPEECH: Final = Speech(
    agent="Mind",
    by_kind=BY_KIND,
    new_input=_new_input,
    limits={
        ("reason", ""): REASON_LIMIT,
        ("feedback", "PostToolUse"): REASON_LIMIT,
        ("context", "SubagentStart"): SUBAGENT_CONTEXT_LIMIT,
    },
)
"""The answers that Mind hears."""
