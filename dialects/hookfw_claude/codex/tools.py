"""
Tools as Codex names them, as its hooks match them and as they see them.

As seen with codex-cli 0.171.0: every shell call is `Bash` with its command alone, and the names the model knows do not
match; a patch is `apply_patch` with its text as the command, and answers to `Edit` and `Write`; any other tool has its own
name and arguments, in whatever spelling the call was given (`Agent` is `spawn_agent`). That `Edit` and `Write` of another
ecosystem answer to `apply_patch` is this package's own rule: what guards patches here is meant to guard them.
"""

from __future__ import annotations

import shlex
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import Field, Spelled, Tool, ToolTable

if TYPE_CHECKING:
    from collections.abc import Mapping

BASH: Final = "Bash"
PATCH: Final = "apply_patch"
_WRITES = ("Edit", "Write")
_SHELL_OPTIONS = ("-lc", "-c")


def _script(argv: Any) -> Any:
    """The command line in the list that the shell tools take."""
    if not isinstance(argv, list) or not all(isinstance(word, str) for word in argv):
        return argv
    # A shell, its option and the line.
    return argv[2] if len(argv) == len(("sh", "-c", "")) and argv[1] in _SHELL_OPTIONS else shlex.join(argv)


def _argv(script: Any) -> Any:
    return ["bash", "-lc", script] if isinstance(script, str) else script


_TIMEOUT = Field("timeout_ms", "timeout")
TABLE: Final = ToolTable(
    (
        Tool("exec_command", BASH, (Field("cmd", "command"),)),
        Tool("shell_command", BASH, (Field("command", "command"), _TIMEOUT)),
        Tool("shell", BASH, (Field("command", "command", _script, _argv), _TIMEOUT)),
        Tool("local_shell", BASH, (Field("command", "command", _script, _argv), _TIMEOUT)),
        Tool(PATCH, PATCH, (Field("input", "command"),)),
        Tool("spawn_agent", "Agent"),
    ),
    speaks_canonical=True,
)
"""The tools that Codex gives its model under names or fields of its own; hooks speak of them in canonical ones."""

_ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType({PATCH: _WRITES} | dict.fromkeys(_WRITES, (PATCH,)))


def shown(name: str, given: Any) -> Spelled:
    """A call as hooks see it: name and input."""
    spelled = TABLE.to_canonical(name, given)
    if spelled.name not in (BASH, PATCH):
        return TABLE.to_native(spelled.name, spelled.input)
    if isinstance(spelled.input, dict) and "command" in spelled.input:
        return spelled._replace(input={"command": spelled.input["command"]})
    return spelled


def candidates(name: str) -> tuple[str, ...]:
    """What a matcher is compared with for a call of this tool: its name, then its aliases."""
    name = shown(name, None).name
    return (name, *_ALIASES.get(name, ()))


def takes_command_alone(name: str) -> bool:
    """Of this tool hooks can replace the command and nothing else."""
    return shown(name, None).name in (BASH, PATCH)


def replaced(name: str, given: Any, rewritten: Any) -> Any:
    """
    The input of a call with what a hook put in its place, in the fields in which the call was given; `None` when it
    cannot take it.

    Of a shell tool and a patch only the command changes; any other tool takes the value whole.
    """
    if not takes_command_alone(name):
        return rewritten
    if not isinstance(rewritten, dict) or not isinstance(rewritten.get("command"), str):
        return None
    whole = TABLE.to_canonical(name, given).input
    changed = {**(whole if isinstance(whole, dict) else {}), "command": rewritten["command"]}
    # A call that was given in canonical fields keeps them.
    if not isinstance(given, dict) or not TABLE.knows(name) or whole == given:
        return changed
    return TABLE.to_native(shown(name, None).name, changed, like=name).input
