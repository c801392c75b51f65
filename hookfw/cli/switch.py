"""`hookfw enable` and `hookfw disable`: switch one hook on or off, where its ecosystem keeps that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookfw.cli._options import Where, json_option, plugin_option, where_options
from hookfw.cli._output import Output, write_json
from hookfw.cli.try_hook import find_hook

if TYPE_CHECKING:
    from hookfw.host import Host


def _switch(host: Host, where: Where, name: str, *, enabled: bool, as_json: bool) -> None:
    with where.open(host) as hooks:
        hook = find_hook(name, hooks.snapshot.hooks)
        hooks.enable(hook, enabled=enabled)
    if as_json:
        write_json({"hook": hook.name, "dialect": hook.dialect, "enabled": enabled})
        return
    word = "Enabled" if enabled else "Disabled"
    Output().line((word, "good" if enabled else "warn"), f": {hook.dialect}:{hook.name}, from the next session on.")


@click.command("enable")
@click.argument("hook", metavar="HOOK")
@where_options
@json_option
@plugin_option
@click.pass_obj
def enable(host: Host, where: Where, hook: str, *, as_json: bool) -> None:
    """
    Switch HOOK on again. Consent is a separate matter: a hook that is not approved does not run.

    HOOK is a name as `hookfw list` shows it, with or without its dialect, or its entry in the file; where several have
    it, FILE:ENTRY or FILE:LINE. Where the ecosystem has no switch for one hook, that is said.
    """
    _switch(host, where, hook, enabled=True, as_json=as_json)


@click.command("disable")
@click.argument("hook", metavar="HOOK")
@where_options
@json_option
@plugin_option
@click.pass_obj
def disable(host: Host, where: Where, hook: str, *, as_json: bool) -> None:
    """
    Switch HOOK off, and leave consent to it as it is.

    HOOK is a name as `hookfw list` shows it, with or without its dialect, or its entry in the file; where several have
    it, FILE:ENTRY or FILE:LINE. Where the ecosystem has no switch for one hook, that is said.
    """
    _switch(host, where, hook, enabled=False, as_json=as_json)
