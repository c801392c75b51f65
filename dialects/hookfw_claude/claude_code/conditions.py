"""
The permission rule in a handler's `if`, tried against one tool call before anything is started.

From the contract, "`if`". It narrows a hook and is no gate: a command that is not understood fits every rule, and so does,
for a rule that says more than the command's name, one with text that only its run decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from hookfw_claude.claude_code import path_rules, shell_parts, wildcards
from hookfw_claude.claude_code.tools import AGENT, canonical_name

_RULE: Final = re.compile(r"([^()]+)(?:\((.*)\))?", re.DOTALL)
_PREFIX: Final = ":*"
_REST: Final = " *"


class Call(NamedTuple):
    """
    The call that a rule is tried against.

    Attributes:
        tool: its name.
        target: the text that rules of this tool speak of: its command, path or address; empty where there is none.
        cwd: the session's current directory.
        workspace: the project.
        home: the person's home.
    """

    tool: str
    target: str
    cwd: str
    workspace: str
    home: str


class Condition(NamedTuple):
    """
    A compiled rule.

    Attributes:
        text: as written.
        tool: the tool it names.
        fits: judges a call of that tool; `None` where every call fits.
        note: what is odd about it, for people.
    """

    text: str
    tool: str
    fits: Callable[[Call], bool] | None = None
    note: str | None = None

    def why_not(self, call: Call) -> str | None:
        """The reason why it does not fit, for people; `None` when it fits."""
        if canonical_name(call.tool) != self.tool:
            return f"its `if` is for {self.tool}, not for {call.tool}"
        if self.fits is None or self.fits(call):
            return None
        return f"its `if` {self.text!r} does not fit this call"


def compile_condition(text: str) -> Condition:
    """The rule that `text` is; one that is none fits no call."""
    found = _RULE.fullmatch(text.strip())
    if found is None:
        return Condition(text, text, note="it is no permission rule (`Tool` or `Tool(what)`), so the hook never runs")
    tool = canonical_name(found[1].strip())
    what = (found[2] or "").strip()
    if what in ("", wildcards.ANY):
        return Condition(text, tool)
    make = _MAKERS.get(tool)
    if make is None:
        note = f"what it says in brackets is not looked at for {tool}: every call of it runs the hook"
        return Condition(text, tool, note=note)
    return Condition(text, tool, make(what))


def _command_rule(what: str) -> Callable[[Call], bool]:
    """For a line for the shell: some command of it is what the rule says."""
    name = what.removesuffix(_PREFIX).removesuffix(_REST).rstrip(wildcards.ANY)
    only_the_name = len(name.split()) <= 1

    def fits(call: Call) -> bool:
        parts = shell_parts.split(call.target)
        if parts is None or (parts.expands and not only_the_name):
            return True
        return any(_is_command(what, command) for command in parts.commands)

    return fits


def _is_command(what: str, command: str) -> bool:
    if what.endswith(_PREFIX):
        prefix = what.removesuffix(_PREFIX)
    elif what.endswith(_REST) and what.count(wildcards.ANY) == 1:
        # `git *` is `git` alone as well.
        prefix = what.removesuffix(_REST)
    else:
        return wildcards.fits(what, command)
    return command == prefix or command.startswith(f"{prefix} ")


def _path_rule(what: str) -> Callable[[Call], bool]:
    """For a file: it lies where the rule says."""
    rule = path_rules.compile_rule(what)
    return lambda call: rule.fits(call.target, cwd=call.cwd, workspace=call.workspace, home=call.home)


def _kind_rule(what: str) -> Callable[[Call], bool]:
    """For a sub-agent: it is of this type."""
    return lambda call: wildcards.fits(what, call.target)


_MAKERS: Mapping[str, Callable[[str], Callable[[Call], bool]]] = MappingProxyType(
    {"Bash": _command_rule, AGENT: _kind_rule}
    | dict.fromkeys(("Edit", "MultiEdit", "NotebookEdit", "Read", "Write"), _path_rule)
)
"""What rules say in brackets, by tool."""
