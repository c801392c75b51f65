"""`hookfw guest`: stands in for the hooks of all other ecosystems inside one agent, and installs itself there."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING, Literal

import click

from hookfw.cli._options import json_option, opened, plugin_option
from hookfw.cli._output import Output, write_json
from hookfw.errors import ConfigurationError
from hookfw.guests import client as guest_client
from hookfw.guests.entries import GuestEntries, GuestRequest, withheld
from hookfw.guests.guest import fails_closed
from hookfw.guests.installing import Change, install, uninstall
from hookfw.opening import make_places
from hookfw.sources import FileView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookfw.host import Host
    from hookfw.sources import Places

_USAGE = "Name one agent, after it perhaps one event: hookfw guest [install|uninstall] AGENT"


@click.command("guest")
@click.argument("words", nargs=-1, required=True, metavar="[install|uninstall] AGENT [EVENT]")
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="Install in your own file of the agent, or in this project's.",
)
@click.option(
    "--record",
    metavar="FILE",
    help="Record every call in FILE, to be replayed; with install, have the entries say so.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--home", metavar="DIR", help="The home whose files count.  [default: yours]")
@click.option(
    "--workspace",
    metavar="DIR",
    default=".",
    help="The project whose configuration counts.  [default: the current directory]",
)
@json_option
@plugin_option
@click.pass_obj
def command(
    host: Host,
    words: tuple[str, ...],
    scope: Literal["user", "project"],
    home: str | None,
    workspace: str,
    record: str | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> int:
    """
    Stand in for the hooks of all other ecosystems, as a hook of AGENT.

    `hookfw guest AGENT [EVENT]` is what AGENT runs: it reads the agent's call on standard input, fires every hook but the
    agent's own, and answers in the agent's form. EVENT names the event where the call does not.

    `hookfw guest install AGENT` writes the entries that run it into the agent's own file, for the events for which there
    are hooks here, and shows the difference. `hookfw guest uninstall AGENT` takes exactly those out again. Neither touches what the agent
    keeps about trust.
    """
    if words[0] not in ("install", "uninstall"):
        call = guest_client.call_of(["guest", *words])
        if call is None:
            raise click.UsageError(_USAGE)
        return guest_client.run(call._replace(record=record))
    if len(words) != 2:  # noqa: PLR2004 - what is done, and the agent
        raise click.UsageError(_USAGE)
    agent = words[1]
    places = make_places({"workspace": workspace, "home": home})
    installs = words[0] == "install"
    wanted = _wanted(host, agent, scope, places, record)
    if installs:
        change = install(agent, wanted, places, dry_run=dry_run)
    else:
        change = uninstall(agent, wanted.path, places, dry_run=dry_run)
    if as_json:
        write_json(_document(change, wanted, installs=installs))
    else:
        _show(Output(), change, wanted, installs=installs, dry_run=dry_run)
    return 0


def program() -> str:
    """
    The command that runs hookfw, as it stays the same when hookfw is upgraded: an absolute path, links not followed.

    Raises `ConfigurationError` where hookfw runs without its script.
    """
    beside = os.path.join(os.path.dirname(sys.executable), "hookfw")
    given = shutil.which(sys.argv[0]) if os.path.basename(sys.argv[0]) == "hookfw" else None
    ours = os.path.abspath(given or beside)
    if not os.access(ours, os.X_OK):
        message = f"The script hookfw is not at {ours}, so no agent could run it: install hookfw with pip or pipx."
        raise ConfigurationError(message)
    found = shutil.which("hookfw")
    if found is not None and os.path.samefile(found, ours):
        return os.path.abspath(found)
    return ours


def _wanted(
    host: Host, agent: str, scope: Literal["user", "project"], places: Places, record: str | None
) -> GuestEntries:
    """The entries for the events that somebody has hooks for. Raises where the agent has no file that is known."""
    speaker = host.agent(agent)
    script = shlex.quote(program())
    recorded = "" if record is None else f" {guest_client.RECORD} {shlex.quote(os.path.abspath(record))}"
    with opened(
        workspace=places.workspace, home=places.home, host=host, without=(agent,), withheld=withheld, trust="listed"
    ) as hooks:
        named = {(hook.dialect, hook.event) for hook in hooks.snapshot.hooks if withheld(hook) is None}
        kinds = set(hooks.python_kinds)
    for dialect in {name for name, _ in named}:
        for event in host.dialect(dialect).events:
            if (dialect, event.name) in named:
                kinds.update((event.canonical, *event.also))
    request = GuestRequest(
        places=places,
        files=FileView(),
        scope=scope,
        kinds=frozenset(kinds),
        command=lambda event: f"{script} guest {shlex.quote(agent)} {event}{recorded}",
        closed=fails_closed(places),
    )
    wanted = speaker.guest_entries(request)
    if wanted is None:
        message = f"It is not known where {agent} keeps its hooks: let it run `{script} guest {agent} EVENT`."
        raise ConfigurationError(message)
    return wanted


def _document(change: Change, wanted: GuestEntries, *, installs: bool) -> dict[str, object]:
    return {
        "path": change.path,
        "changed": change.before != change.after,
        "events": [entry.event for entry in wanted.entries] if installs else [],
        "approval": wanted.approval if installs else "",
        "diff": list(_diff(change)),
    }


def _show(out: Output, change: Change, wanted: GuestEntries, *, installs: bool, dry_run: bool) -> None:
    for line in _diff(change):
        out.block(line)
    if change.before == change.after:
        if installs and not wanted.entries:
            out.line("No other ecosystem has hooks here for an event of this agent, so there is nothing to install.")
        else:
            out.line(f"Nothing to change in {change.path}.")
        return
    done = "Would be changed" if dry_run else "Changed"
    out.line((done, "warn"), f": {change.path}.")
    if installs and wanted.approval:
        out.line(wanted.approval)


def _diff(change: Change) -> Iterable[str]:
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (change.before, change.after))
    return difflib.unified_diff(before, after, change.path, change.path, lineterm="")
