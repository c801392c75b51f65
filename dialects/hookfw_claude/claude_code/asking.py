"""
Handlers of the types `prompt` and `agent`: what the model is asked.

From the contract, "`prompt` and `agent`". The system text is hookfw's own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hookfw import AgentRequest, ModelRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Row
    from hookfw_claude.claude_code.handlers import Handler

MODEL_VARIABLE: Final = "ANTHROPIC_SMALL_FAST_MODEL"
"""Names the model where a hook names none; without it the model client's own is asked."""
SYSTEM: Final = (
    "You check one event in the work of a coding agent against the condition that the user gives you. Answer with one JSON "
    'object and nothing else: {"ok": true} where the condition is met; {"ok": false, "reason": "…"} where it is not, the '
    'reason short and of use to the agent. Add "impossible": true where the agent cannot meet it whatever it does.'
)
AGENT_SYSTEM: Final = f"{SYSTEM} Look at the files of the project with your tools before you answer, where that helps."

_PLACEHOLDER: Final = re.compile(r"\\\$|\$ARGUMENTS")
INERT: Final = ("PermissionRequest", "PermissionDenied")
"""Events on which a "no" does nothing."""


def fill(template: str, payload: str) -> str:
    """A prompt with the event in it: `$ARGUMENTS` is the payload, appended where no placeholder is; a backslash keeps a dollar."""
    placed = False

    def value(found: re.Match[str]) -> str:
        nonlocal placed
        if found[0] == "\\$":
            return "$"
        placed = True
        return payload

    filled = _PLACEHOLDER.sub(value, template)
    return filled if placed else f"{filled}\n\nARGUMENTS: {payload}"


def request(row: Row, handler: Handler, environ: Mapping[str, str]) -> ModelRequest | AgentRequest:
    """The request of a handler for an event."""
    user = fill(handler.fields["prompt"], row.stdin.decode().rstrip("\n"))
    model = handler.fields.get("model") or environ.get(MODEL_VARIABLE) or None
    return AgentRequest(user, AGENT_SYSTEM, model) if handler.type == "agent" else ModelRequest(user, SYSTEM, model)
