"""`hookfw events`: canonical and native event names side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookfw.cli._input import resolve_event
from hookfw.cli._options import json_option, plugin_option
from hookfw.cli._output import Output, write_json
from hookfw.events import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw.dialect import Dialect, NativeEvent
    from hookfw.host import Host


@click.command("events")
@click.argument("event", required=False)
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, *, event: str | None, as_json: bool) -> None:
    """
    Show every canonical event and what each dialect calls it.

    With EVENT, a canonical or native name, show that event and what hooks of each dialect can do about it.
    """
    dialects = host.loadable_dialects()
    kinds = KINDS if event is None else (resolve_event(event, host, None),)
    native = {kind: {name: _natives(dialect, kind) for name, dialect in dialects.items()} for kind in kinds}
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
    elif event is None:
        Output().table(
            ("event", "what dialects call it"),
            [((kind, "head"), _by_name(by_dialect) or ("-", "dim")) for kind, by_dialect in native.items()],
        )
    else:
        ((kind, by_dialect),) = native.items()
        Output().table(
            ("event", "dialect", "native name", "hooks can"),
            [((kind, "head"), name, item.name, item.steers) for name, items in by_dialect.items() for item in items],
        )


def _natives(dialect: Dialect, kind: str) -> list[NativeEvent]:
    return [item for item in dialect.events if kind in (item.canonical, *item.also)]


def _by_name(by_dialect: Mapping[str, list[NativeEvent]]) -> str:
    """Each native name with the dialects that use it, so that the table stays narrow however many there are."""
    users: dict[str, list[str]] = {}
    for dialect, items in by_dialect.items():
        for item in items:
            users.setdefault(item.name, []).append(dialect)
    return "; ".join(f"{name} ({', '.join(dialects)})" for name, dialects in users.items())
