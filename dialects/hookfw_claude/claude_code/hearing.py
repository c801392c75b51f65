"""
Handlers of the types `prompt` and `agent`: what the model's reply means on each event.

From the contract, "`prompt` and `agent`". A reply is one JSON object with `ok`; of anything else nothing counts. A reply that is
read becomes the answer that a command would print for the same, so that the events' rules stand in one place.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import text
from hookfw_claude.claude_code.answer import WIRE, Heard, listen
from hookfw_claude.claude_code.asking import INERT
from hookfw_claude.claude_code.effects import NO_REASON
from hookfw_claude.wire import EVENT_NAME, SPECIFIC

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import Ended
    from hookfw_claude.claude_code.handlers import Handler

_SCHEMA: Final[Mapping[str, type]] = MappingProxyType({"ok": bool, "reason": str, "impossible": bool})
_STOPS: Final = ("PreToolUse", "PostToolUse")
"""Events on which a "no" ends the turn, unless `continueOnBlock` says otherwise."""
_ALWAYS_STOPS: Final = ("UserPromptSubmit", "UserPromptExpansion", "PostToolBatch")
"""Events on which it always does."""


def hear(ended: Ended, handler: Handler, event: str) -> Heard:
    """What a reply says on `event`, as if a command had said it."""
    if ended.state != "exited":
        return listen(ended, event)
    said = text.parse_json_object(ended.stdout)
    problem = "it is not one JSON object" if said is None else _problem(said)
    if said is None or problem is not None:
        return Heard("well", broken=f"got a reply from the model that cannot be used ({problem})")
    if said["ok"] or event in INERT or (said.get("impossible") is True and event in ("Stop", "SubagentStop")):
        return Heard("well")
    return Heard("well", answer=WIRE.read(event, _no(said.get("reason", "").strip() or NO_REASON, handler, event)))


def _problem(said: Mapping[str, Any]) -> str | None:
    """What is wrong with the fields of a reply."""
    if "ok" not in said:
        return "`ok` is missing"
    for name, kind in _SCHEMA.items():
        if name in said and not isinstance(said[name], kind):
            return f"`{name}` is no {'text' if kind is str else 'true or false'}"
    return None


def _no(reason: str, handler: Handler, event: str) -> dict[str, Any]:
    """The answer of a command that says no."""
    if event == "PreToolUse":
        inner = {EVENT_NAME: event, "permissionDecision": "deny", "permissionDecisionReason": reason}
        answer: dict[str, Any] = {SPECIFIC: inner}
    else:
        answer = {"decision": "block", "reason": reason}
    if event in _ALWAYS_STOPS or (event in _STOPS and not handler.continues):
        answer |= {"continue": False, "stopReason": reason}
    return answer
