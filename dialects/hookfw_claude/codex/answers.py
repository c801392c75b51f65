"""
How a hook answers Codex.

As codex-cli 0.171.0 was seen to treat the answers of a hook: an unknown field voids an answer and the call runs, so it says
exactly the fields of the event; a question is refused and the call runs, so hooks of Codex cannot ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw_claude.answers import NewInput, Speech
from hookfw_claude.codex import tools
from hookfw_claude.codex.rules import AGENT, BY_KIND

if TYPE_CHECKING:
    from hookfw import Event


def _new_input(event: Event, rewritten: Any) -> NewInput:
    name = getattr(event, "tool_name", None) or ""
    if not tools.takes_command_alone(name):
        return NewInput(rewritten)
    said = tools.shown(name, rewritten).input
    replaced = tools.replaced(name, getattr(event, "tool_input", None), said)
    if replaced is None:
        return NewInput(unfit="Codex takes an object with a text `command` for this tool")
    if replaced != rewritten:
        return NewInput(said, "Codex takes only the `command` of this tool, and its other arguments stay as they were")
    return NewInput(said)


SPEECH: Final = Speech(agent=AGENT, by_kind=BY_KIND, new_input=_new_input)
"""The answers that Codex hears."""
