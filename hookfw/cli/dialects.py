"""`hookfw dialects`: the dialects that are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookfw.cli._options import json_option, plugin_option
from hookfw.cli._output import Output, write_json

if TYPE_CHECKING:
    from hookfw.host import Host


@click.command("dialects")
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, *, as_json: bool) -> None:
    """Show the dialects that are installed, and the version of each agent that they follow."""
    infos = host.dialects.values()
    if as_json:
        write_json({"dialects": [{"name": info.name, "title": info.title, "follows": info.follows} for info in infos]})
    elif infos:
        Output().table(
            ("name", "agent", "follows"), [((info.name, "head"), info.title, info.follows) for info in infos]
        )
    else:
        Output().line("No dialect is installed; `hookfw plugins` shows what is.")
