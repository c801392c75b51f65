"""
Outcomes in the form in which a hook answers Codewhale.

From "message_submit", "tool_call_before" and "shell_env" of the hooks document of 2026-09-29. An answer says no more
than Codewhale hears from a hook of that event.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hookfw import DEAF, Form, Loss, NativeAnswer, Nearest, nearest, text, with_losses
from hookfw_codewhale import gates, shell_env, submit
from hookfw_codewhale.native_calls import PROMPT_CUT, TOOL_ARGS_PREVIEW
from hookfw_codewhale.printed import TEXT_LIMIT
from hookfw_codewhale.problems import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hookfw import Event, Outcome

AGENT: Final = "Codewhale"
"""Its name in sentences."""

FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "pre_tool_use": Form(refuses=True, asks="said", rewrites="said", context="going"),
        "user_prompt_submit": Form(refuses=True, prompt="said"),
        "shell_env": Form(env=True),
    }
)
"""What hooks can say, by canonical kind of event; the other events observe."""

_HARD_EXIT: Final = 2


def can_be_said(event: Event, outcome: Outcome) -> Nearest:
    """What an answer can say of `outcome`, and what not."""
    found = nearest(AGENT, FORMS.get(event.kind, DEAF), event, outcome, partial(_unfit, event))
    can = found.outcome
    env, left = _variables(can.env)
    losses = [
        Loss(name, f"{AGENT} keeps the first {TEXT_LIMIT:,} characters of it", "part")
        for name, told in (("reason", can.reason or ""), ("context", "\n".join(can.context)))
        if len(told) > TEXT_LIMIT
    ]
    if left:
        names = ", ".join(map(quoted, left))
        message = f"{AGENT} cannot take the variable{'s' * (len(left) > 1)} {names}; left out"
        losses.append(Loss("env", message, "part" if env else "nothing"))
    return with_losses(found, *losses, env=env)


def render(event: Event, outcome: Outcome) -> NativeAnswer:
    """Exit code and output of a hook of Codewhale that says what `outcome` says."""
    can = can_be_said(event, outcome).outcome
    match event.kind:
        case "pre_tool_use":
            said = _call(can)
        case "user_prompt_submit" if can.refused:
            said = {"reason": can.reason} if can.reason else {}
        case "user_prompt_submit":
            said = {} if can.prompt is None else {"text": can.prompt}
        case _:
            return NativeAnswer(stdout="".join(f"{name}='{value}'\n" for name, value in can.env.items()).encode())
    hard = can.refused and event.kind == "user_prompt_submit"
    stdout = f"{text.compact_json(said)}\n".encode() if said else b""
    return NativeAnswer(_HARD_EXIT if hard else 0, stdout)


def _unfit(event: Event, new: Any) -> str:
    """Why this new input or prompt cannot be put in the place of the old one."""
    if event.kind == "user_prompt_submit":
        if PROMPT_CUT in event.native:
            return f"{AGENT} gave only the beginning of the prompt"
        fits = isinstance(new, str) and 0 < len(new) <= submit.PROMPT_LIMIT
        return "" if fits else f"{AGENT} takes 1 to {submit.PROMPT_LIMIT:,} characters"
    if TOOL_ARGS_PREVIEW in event.native:
        return f"{AGENT} gave only the beginning of the input"
    return "" if gates.is_rewrite(new) else f"{AGENT} takes an object of at most {gates.REWRITE_LIMIT:,} bytes"


def _call(can: Outcome) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if can.refused or can.decision == "ask":
        said["decision"] = "deny" if can.refused else "ask"
        if can.reason:
            said["reason"] = can.reason
    if can.updated_input is not None:
        said["updatedInput"] = can.updated_input
    if can.context:
        said["additionalContext"] = "\n".join(can.context)
    return said


def _variables(env: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The variables that are read back from a quoted `KEY=VALUE` line as they were meant, and the names of the others."""
    kept: dict[str, str] = {}
    left: list[str] = []
    room = shell_env.TOTAL_LIMIT
    for name, value in _scrubbed(env):
        size = len(name.encode()) + len(value.encode())
        if size <= room and shell_env.parse(f"{name}='{value}'")[0] == {name: value}:
            room -= size
            kept[name] = value
        else:
            left.append(name)
    return kept, left


def _scrubbed(env: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    scrubbed: dict[str, str] = text.scrub_value(dict(env))
    return scrubbed.items()
