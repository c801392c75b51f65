"""
From the facts of a command to what it said: nothing, text, JSON, a block, or no answer at all.

The skeleton is the family's; what each agent lets exit codes and the first character of the output mean stands in its
`Rules`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hookfw import text

if TYPE_CHECKING:
    from hookfw import Ended

BLOCK = 2
"""The exit code that blocks, where the event allows it."""

Kind = Literal["nothing", "text", "json", "broken", "block", "failed", "timed_out", "not_started", "cancelled"]
"""
What a command said: nothing; plain text; a JSON value; something that had to be JSON and is not; a block by exit 2; or no
answer, because it failed, ran out of time, was never started or was called off.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """
    How one agent reads the commands of one event.

    Attributes:
        blocks: exit 2 blocks, and standard output is not looked at; otherwise it is a failure like any other.
        reads: standard output is looked at.
        json_begins: characters with which an output, blanks before it aside, has to be JSON; empty: whatever parses is
            JSON, and all else is text.
        json_ends: characters with which it has to end as well for that; empty: any.
        constants: `NaN` and `Infinity` are JSON.
    """

    blocks: bool = True
    reads: bool = True
    json_begins: str = "{["
    json_ends: str = ""
    constants: bool = False


class Said(NamedTuple):
    """
    What a command said.

    Attributes:
        kind: what it is.
        text: the plain text or the standard error of a block, stripped; otherwise why there is no answer, in words that
            follow the hook's name and hold nothing it printed.
        value: the JSON value.
    """

    kind: Kind
    text: str = ""
    value: Any = None


def read(ended: Ended, rules: Rules) -> Said:
    """What a command said, by the rules of its event."""
    match ended.state:
        case "timed_out":
            return Said("timed_out", "ran out of time")
        case "cancelled":
            return Said("cancelled", "was called off")
        case "not_started":
            return Said("not_started", f"could not be started ({ended.error_kind})")
        case "failed":
            return Said("failed", ended.detail)
        case "exited" if ended.exit_code is None:
            return Said("failed", "ended without an exit status" if ended.signal is None else _killed(ended.signal))
    if ended.exit_code == BLOCK and rules.blocks:
        return Said("block", ended.stderr.strip())
    if ended.exit_code != 0:
        return Said("failed", f"ended with exit status {ended.exit_code}{exit_hint(ended.exit_code)}")
    return read_output(ended.stdout, rules) if rules.reads else Said("nothing")


def read_output(stdout: str, rules: Rules) -> Said:
    """What the standard output of a command that ended well says."""
    output = text.scrub(stdout).removeprefix("\ufeff").strip()
    if not output:
        return Said("nothing")
    begins = not rules.json_begins or output[0] in rules.json_begins
    if not begins or (rules.json_ends and output[-1] not in rules.json_ends):
        return Said("text", output)
    try:
        return Said("json", value=json.loads(output, parse_constant=None if rules.constants else _refuse))
    except (ValueError, RecursionError):
        return (
            Said("broken", "printed something that is not one JSON document")
            if rules.json_begins
            else Said("text", output)
        )


def exit_hint(code: int | None) -> str:
    """What the shell means by 126 and 127, in words that follow the status; empty for other codes."""
    if code == 126:  # noqa: PLR2004 - the shell's own number
        return ": the command is not executable"
    if code == 127:  # noqa: PLR2004 - the shell's own number
        return ": the command was not found"
    return ""


def _killed(signal: int) -> str:
    return f"was killed by signal {signal}"


def _refuse(constant: str) -> None:
    # Python reads NaN and Infinity, which are no JSON.
    raise ValueError(constant)
