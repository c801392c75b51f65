"""`hookfw plugins`: what is installed, and what failed to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookfw.cli._options import json_option, plugin_option
from hookfw.cli._output import Output, write_json
from hookfw.cli._show import show_diagnostics

if TYPE_CHECKING:
    from hookfw.host import Host


@click.command("plugins")
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, *, as_json: bool) -> None:
    """Show every plugin: its package and version, the hooks it implements, and why it is not active."""
    # Registrations are asked for when they are needed; asking now shows what a plugin raises.
    for registered in (host.dialects, host.agents, host.handler_types, host.executors, host.commands, host.demos):
        registered.keys()
    if as_json:
        write_json(
            {
                "plugins": [
                    {
                        "name": info.name,
                        "package": info.package,
                        "version": info.version,
                        "provides": list(info.provides),
                        "problem": info.problem,
                    }
                    for info in host.plugins
                ],
                "diagnostics": [item.as_dict() for item in host.diagnostics],
            }
        )
        return
    out = Output()
    out.table(
        ("name", "package", "version", "provides"),
        [
            (
                (info.name, "head"),
                info.package,
                info.version,
                (f"not active: {info.problem}", "bad") if info.problem else ", ".join(info.provides),
            )
            for info in host.plugins
        ],
    )
    if host.diagnostics:
        out.blank()
    show_diagnostics(out, host.diagnostics)
