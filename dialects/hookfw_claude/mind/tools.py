"""
Tools as Mind names them, as its hooks match them and as they see them.

From "Matcher rules and tool names" of the hooks document and its paragraph on standard input. A matcher looks at the
local name and its aliases; a payload shows the shell tools as `Bash` and keeps every other name; text that is carried out
stands in `tool_input.command`. Aliases lead from the local name only; that a tool which is called `Bash` already answers to
the local shell names is this package's own rule, since events come in canonical names too.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import Field, Tool, ToolTable

if TYPE_CHECKING:
    from collections.abc import Mapping

BASH: Final = "Bash"
PATCH: Final = "apply_patch"
_SHELLS = ("shell_command", "exec_command", "write_stdin")
_COMMANDS = frozenset({BASH, "shell_command", "exec_command"})
"""Tools whose hooks see their command and nothing else; `write_stdin` carries no command."""

_ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys(_SHELLS, (BASH,)) | {PATCH: ("Write", "Edit"), "spawn_agent": ("Agent",), BASH: _SHELLS}
)

_COMMAND = (Field("command", "command"),)
TABLE: Final = ToolTable(
    (
        # Canonical names come first: an event of another ecosystem is spoken of in them.
        Tool(BASH, BASH, _COMMAND),
        Tool("shell_command", BASH, _COMMAND),
        Tool("exec_command", BASH, _COMMAND),
        Tool("write_stdin", BASH),
        Tool("Agent", "Agent", (Field("prompt", "prompt"),)),
        Tool("spawn_agent", "Agent"),
        Tool(PATCH, PATCH, (Field("patch", "command"),)),
    )
)
"""The tools that Mind and canonical spelling name differently."""


def candidates(name: str) -> tuple[str, ...]:
    """What a matcher is compared with for a call of this tool: its name, then its aliases."""
    return (name, *_ALIASES.get(name, ()))


def shown_name(name: str) -> str:
    """The name in the payload."""
    return BASH if name in _SHELLS else name


def shown_input(name: str, given: Any) -> Any:
    """The input in the payload; one that is no object, or lacks the text, is shown as it is."""
    if not isinstance(given, dict):
        return given
    if name in _COMMANDS and "command" in given:
        return {"command": given["command"]}
    if name == PATCH and _patch_field(given) in given:
        return {"command": given[_patch_field(given)]}
    return given


def problem_of(name: str, rewritten: Mapping[str, Any]) -> str | None:
    """Why a hook's input cannot take the place of the call's own, for people; `None` when it can."""
    if (name in _COMMANDS or name == PATCH) and not isinstance(rewritten.get("command"), str):
        return "`updatedInput` of this tool needs a `command` that is a text"
    return None


def replaced(name: str, given: Any, rewritten: Mapping[str, Any]) -> dict[str, Any]:
    """
    The input of a call with what a hook put in its place, in the fields in which the call was given.

    Of a shell tool and of `apply_patch` only the text changes; any other tool takes the object whole.
    """
    kept = given if isinstance(given, dict) else {}
    if name in _COMMANDS:
        return {**kept, "command": rewritten["command"]}
    if name == PATCH:
        return {**kept, _patch_field(kept): rewritten["command"]}
    return dict(rewritten)


def _patch_field(given: Mapping[str, Any]) -> str:
    """The field of the patch text: Mind's own, unless the call was given as hooks see it."""
    return "command" if "command" in given and "patch" not in given else "patch"
