"""`hookfw daemon`: shows the background process that decides for guests, or stops it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import click

from hookfw.cli._output import Output, write_json
from hookfw.guests import relay as guest_relay

if TYPE_CHECKING:
    from collections.abc import Sequence

from hookfw.cli._options import json_option, plugin_option


@click.command("daemon")
@click.argument("what", type=click.Choice(["status", "stop"]))
@json_option
@plugin_option
def command(what: Literal["status", "stop"], *, as_json: bool) -> None:
    """
    Show the background process of your guests, or stop it.

    It keeps the configuration loaded so that guests answer quickly. It starts with the first guest and ends by itself when none has
    called for a quarter of an hour.
    """
    told = _asked("status")
    stopped = what == "stop" and told is not None and _asked("stop") is not None
    if as_json:
        found = None if told is None else {"pid": told[0], "seconds": round(told[1], 3), "calls": told[2]}
        write_json({"process": found, "stopped": stopped})
        return
    out = Output()
    if told is None:
        out.line("No background process runs.")
    elif stopped:
        out.line(("Stopped", "warn"), f": process {told[0]}.")
    else:
        out.line(
            f"Process {told[0]} has run for {told[1]:.0f} s and decided {told[2]} call{'' if told[2] == 1 else 's'}."
        )


def _asked(word: str) -> Sequence[Any] | None:
    """What the background process answers to one word; `None` where there is none."""
    wire = guest_relay.connect(os.environ)
    if wire is None:
        return None
    try:
        wire.send(word)
        messages = wire.receive()
    except OSError:
        return None
    finally:
        wire.sock.close()
    return messages[0][1:] if messages else None
