"""
What a hook's standard output says, and what a model's reply says.

From the hooks document, "Command input and output" and "Prompt hooks", and the public source: the whole of it is one JSON
object, null being an empty one; one known field of the wrong type voids it; letter case of names plays no part; other fields
are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import text
from hookfw_wuu.folding import fold
from hookfw_wuu.json_files import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_OUTPUT: Final[Mapping[str, type]] = {
    "decision": str,
    "continue": bool,
    "reason": str,
    "updated_input": object,
    "additional_context": str,
}
_REPLY: Final[Mapping[str, type]] = {"ok": bool, "reason": str}
_WORDS: Final = {str: "a text", bool: "a boolean"}

_FOREIGN: Final = (
    "hookSpecificOutput",
    "permissionDecision",
    "updatedInput",
    "additionalContext",
    "systemMessage",
    "stopReason",
)
"""Fields of another agent's answers, which mean nothing to Wuu."""


class Answer(NamedTuple):
    """
    What a command printed.

    Attributes:
        blocks: it asks for refusal.
        reason: why; empty where it does not say.
        updated_input: the arguments that replace those of the call; `None` for none.
        context: text for the model; empty for none.
        oddities: what of it says nothing, in words that follow "the hook".
    """

    blocks: bool = False
    reason: str = ""
    updated_input: dict[str, Any] | None = None
    context: str = ""
    oddities: tuple[str, ...] = ()


class Reply(NamedTuple):
    """What a model replied: the operation may go on or not, and why."""

    ok: bool = False
    reason: str = ""


class UnreadableError(ValueError):
    """Raised for a reply that cannot be parsed, with what is wrong in words that follow "the reply"."""


def read_output(stdout: str) -> Answer:
    """What standard output says; nothing that cannot be read is an error."""
    found = _object(stdout)
    if found is None:
        if not stdout.strip():
            return Answer()
        return Answer(oddities=("printed something that is not one JSON object, so it says nothing",))
    known, wrong = _known(found, _OUTPUT)
    if wrong is not None:
        return Answer(oddities=(f"printed {wrong}, which voids its whole answer, so it says nothing",))
    oddities = [f"printed `{name}`, which means nothing to Wuu" for name in _FOREIGN if name in found]
    word = known.get("decision", "")
    if word not in ("", "block"):
        oddities.append(f"printed the decision `{text.line(word, 64)}`, which says nothing: `block` alone refuses")
    updated = known.get("updated_input")
    if updated is not None and not isinstance(updated, dict):
        oddities.append(f"printed {kind_of(updated)} as `updated_input`, which is ignored: it must be the whole object")
        updated = None
    return Answer(
        blocks=word == "block" or known.get("continue") is False,
        reason=known.get("reason", ""),
        updated_input=updated,
        context=known.get("additional_context", ""),
        oddities=tuple(oddities),
    )


def read_reply(reply: str) -> Reply:
    """What a model replied; without `ok` it is a no. Raises `UnreadableError`."""
    found = _object(reply)
    if found is None:
        message = "is not one JSON object and nothing else"
        raise UnreadableError(message)
    known, wrong = _known(found, _REPLY)
    if wrong is not None:
        message = f"has {wrong}"
        raise UnreadableError(message)
    return Reply(known.get("ok", False), known.get("reason", ""))


def _object(said: str) -> dict[str, Any] | None:
    """The object that the whole of a text is, white space around it aside."""
    return {} if said.removeprefix("\ufeff").strip() == "null" else text.parse_json_object(said)


def _known(found: Mapping[str, Any], types: Mapping[str, type]) -> tuple[dict[str, Any], str | None]:
    """The known fields that say something, the last of each counting; and what is of the wrong type."""
    known: dict[str, Any] = {}
    for key, value in found.items():
        name = fold(key)
        if name not in types or value is None:
            continue
        if not isinstance(value, types[name]):
            return {}, f"{kind_of(value)} as `{name}`, which must be {_WORDS[types[name]]}"
        known[name] = value
    return known, None
