"""`hookfw list`: what is configured for this home and workspace."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from hookfw.cli._options import Where, json_option, plugin_option, trust_option, where_options
from hookfw.cli._output import Output, write_json
from hookfw.cli._show import show_diagnostics
from hookfw.documents import list_document
from hookfw.hooks import TRUSTED
from hookfw.text import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.cli._output import Part
    from hookfw.hooks import Hook, HookSet, HookState, Rejected, Source
    from hookfw.host import Host
    from hookfw.loading import TrustPolicy

_FILES = (".json", ".toml")
"""How the name of a configuration ends."""


@click.command("list")
@where_options
@trust_option
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, trust: TrustPolicy, *, as_json: bool) -> None:
    """Show every hook of every dialect that is configured here, and every entry that was refused, with the reason."""
    from hookfw.events import KINDS  # noqa: PLC0415 - not for --help
    from hookfw.loading import python_hooks  # noqa: PLC0415 - likewise

    with where.open(host, "listed" if trust == "stored" else trust, thorough=True) as hooks:
        found = hooks.snapshot
    python = python_hooks(host, KINDS)
    diagnostics = [*host.diagnostics, *found.diagnostics]
    if as_json:
        write_json(list_document(found, python, diagnostics))
        return
    out = Output()
    states = dict.fromkeys(python, TRUSTED) | {hook: found.state(hook) for hook in found.hooks}
    if not states and not found.rejected:
        _show_nothing(out, found, broken=any(item.severity == "error" for item in diagnostics))
    for event, group in groupby(sorted(states, key=lambda hook: hook.event), key=lambda hook: hook.event):
        out.line((event, "head"))
        for hook in group:
            _show_hook(out, hook, states[hook])
    if found.rejected:
        out.line(("rejected", "bad"))
        for entry in found.rejected:
            _show_rejected(out, entry)
    refusals = {(entry.source.path, entry.source.entry) for entry in found.rejected}
    further = [item for item in diagnostics if (item.file, item.entry) not in refusals]
    if further:
        out.blank()
    show_diagnostics(out, further)


def _show_hook(out: Output, hook: Hook, state: HookState) -> None:
    facts = [hook.handler, _timeout(hook)]
    facts += ["background"] if hook.background else []
    facts += ["strict"] if hook.strict else []
    name: list[Part] = [f"{hook.dialect}:{hook.name}", (f"  {', '.join(facts)}", "dim")]
    out.line(*name, *_consent(state), indent=2)
    if hook.matcher:
        out.line(("if ", "dim"), hook.matcher, indent=4)
    out.line(("$ " if hook.handler == "command" else "", "dim"), hook.summary, indent=4)
    out.line((_place(hook.source), "dim"), indent=4)


def _timeout(hook: Hook) -> str:
    note = f", from {hook.timeout_note}" if hook.timeout_note else ""
    return f"timeout {seconds(hook.timeout)}s{note}"


def _consent(state: HookState) -> Sequence[Part]:
    consent = f"  {state.trust}"
    said: list[Part] = [consent if state.trust in ("managed", "trusted") else (consent, "warn")]
    if not state.enabled:
        said.append((", disabled", "warn"))
    note = (state.note or "").removeprefix(f"{state.trust}: ")
    if note:
        said.append((f" ({note})", "dim"))
    return said


def _show_rejected(out: Output, entry: Rejected) -> None:
    event = f" on {entry.event}" if entry.event else ""
    out.line(f"{entry.dialect}:{entry.name}{event}", indent=2)
    for problem in entry.problems:
        out.line(problem, indent=4)
    out.line((_place(entry.source), "dim"), indent=4)


def _place(source: Source) -> str:
    line = f":{source.line}" if source.line is not None else ""
    return f"{source.path}{line}  {source.entry}  ({source.scope})"


def _show_nothing(out: Output, found: HookSet, *, broken: bool) -> None:
    """Where hooks could stand, unless they stand in a file that cannot be read; folders that are looked into are none."""
    if broken:
        out.line("No hook was loaded for this home and workspace.")
        return
    places = [path for path in found.watched if path.endswith(_FILES)]
    out.line("No hooks are configured for this home and workspace.", " Looked for:" if places else "")
    for path in places:
        out.line(path, indent=2)
