"""`hookfw events`: canonical and native event names side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookfw.cli._options import json_option, plugin_option
from hookfw.cli._output import Output, write_json
from hookfw.events import KINDS

if TYPE_CHECKING:
    from hookfw.dialect import Dialect, NativeEvent
    from hookfw.host import Host


@click.command("events")
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, *, as_json: bool) -> None:
    """Show every canonical event, what each dialect calls it, and what hooks can do about it there."""
    dialects = host.loadable_dialects()
    native = {kind: {name: _natives(dialect, kind) for name, dialect in dialects.items()} for kind in KINDS}
    if as_json:
        write_json(
            {
                "events": [
                    {
                        "event": kind,
                        "native": {
                            name: [{"name": item.name, "steers": item.steers} for item in items]
                            for name, items in by_dialect.items()
                            if items
                        },
                    }
                    for kind, by_dialect in native.items()
                ]
            }
        )
        return
    Output().table(
        ("event", *dialects, "hooks can"),
        [
            (
                (kind, "head"),
                *(", ".join(item.name for item in items) or ("-", "dim") for items in by_dialect.values()),
                "; ".join(dict.fromkeys(item.steers for items in by_dialect.values() for item in items if item.steers)),
            )
            for kind, by_dialect in native.items()
        ],
    )


def _natives(dialect: Dialect, kind: str) -> list[NativeEvent]:
    return [item for item in dialect.events if kind in (item.canonical, *item.also)]
