"""`hookfw adapt`: a command of one ecosystem as a hook of another."""

from __future__ import annotations

import os
import shlex
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from hookfw.agent import NativeAnswer, NativeCall
from hookfw.cli._options import json_option, plugin_option
from hookfw.cli._output import plain_line, write_json
from hookfw.documents import answer_document, run_document
from hookfw.text import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.events import Event
    from hookfw.host import Host
    from hookfw.outcome import Outcome


@click.command("adapt")
@click.option("--from", "origin", required=True, metavar="NAME", help="The ecosystem that COMMAND is a hook of.")
@click.option("--to", "target", required=True, metavar="NAME", help="The agent that runs this as its hook.")
@click.option("--event", metavar="NAME", help="The event as that agent calls it, where its call does not say.")
@click.option("--as", "native", metavar="NAME", help="The event that COMMAND is a hook of, where several may be meant.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="What that agent gives this hook; COMMAND has a little less.",
)
@click.option("--strict", is_flag=True, help="COMMAND's failure refuses, where its ecosystem lets a hook ask for that.")
@json_option
@plugin_option
@click.argument("command_line", nargs=-1, required=True, metavar="-- COMMAND [ARG]...")
@click.pass_obj
def command(host: Host, /, command_line: tuple[str, ...], *, event: str | None, as_json: bool, **options: Any) -> int:
    """
    Run COMMAND, a hook of one ecosystem, unchanged as a hook of another.

    The agent's call is read from standard input and the environment. COMMAND gets the payload and the variables of its
    own ecosystem, its result means what it means there, and the agent gets the answer in its own form. One word after
    -- is a line for the shell; several are a program and its arguments.

    A call that cannot be read ends with status 1, which the agent takes as a failed hook. With --json the answer and what
    is behind it are shown, for people who look into it.
    """
    from hookfw.adapting import Adapted, NoSuchEventError, adapt  # noqa: PLC0415 - not for --help

    line = command_line[0] if len(command_line) == 1 else shlex.join(command_line)
    fired: list[tuple[Event, Outcome]] = []
    call = NativeCall(event_hint=event, environ=dict(os.environ), stdin=_standard_input())
    try:
        answer = adapt(host, Adapted(command=line, **options), call, lambda *what: fired.append(what), spent=_age)
    except NoSuchEventError as error:
        answer, said = NativeAnswer(), [str(error)]
    else:
        said = [item.message for _, outcome in fired for item in outcome.diagnostics]
    if as_json:
        write_json(_document(answer, fired, said))
        return 0
    sys.stdout.flush()
    sys.stdout.buffer.write(answer.stdout)
    sys.stdout.buffer.flush()
    sys.stderr.buffer.write(answer.stderr)
    sys.stderr.buffer.flush()
    if answer.exit_code == 0:
        # With any other status an agent may take standard error for the reason.
        for sentence in said:
            sys.stderr.write(f"hookfw: {plain_line(sentence)}\n")
    return answer.exit_code


def _document(answer: NativeAnswer, fired: Sequence[tuple[Event, Outcome]], said: Sequence[str]) -> dict[str, Any]:
    return {
        "answer": {
            "exit_code": answer.exit_code,
            "stdout": decode(answer.stdout),
            "stderr": decode(answer.stderr),
        },
        "event": fired[0][0].kind if fired else None,
        "outcome": answer_document(fired[0][1]) if fired else None,
        "runs": [run_document(run) for _, outcome in fired for run in outcome.runs],
        "notes": list(said),
    }


_LONGEST_START = 30.0
"""Seconds; a process that seems to have taken longer to come here is on a system that counts otherwise."""


def _age() -> float:
    """Seconds since this process was started, its agent's clock running; 0 where the system does not tell."""
    try:
        with open("/proc/self/stat", "rb") as stream:
            started = int(stream.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - started
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
    return age if 0 <= age < _LONGEST_START else 0.0


def _standard_input() -> bytes:
    return b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
