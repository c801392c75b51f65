"""`hookfw doctor`: what is wrong or risky about what is configured here, worst first, each with its remedy."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from hookfw.checks import examine
from hookfw.checks.checkup import Checkup, Examined
from hookfw.checks.reach import KNOWN_TOOLS, PROBE, TOOL_EVENTS
from hookfw.cli._options import Where, json_option, plugin_option, where_options
from hookfw.cli._output import Output, aside, write_json
from hookfw.cli._samples import sample_fields
from hookfw.cli._show import show_diagnostics
from hookfw.cli.check import loading_findings
from hookfw.diagnostics import Diagnostic
from hookfw.errors import ConfigurationError
from hookfw.events import parse_event
from hookfw.guard import FAILURES
from hookfw.sources import FileView

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hookfw.checks import Health
    from hookfw.dialect import Dialect, Invocation
    from hookfw.explaining import Explanation
    from hookfw.hooks import Hook
    from hookfw.host import Host
    from hookfw.settings import Settings
    from hookfw.sync import SyncSupervisor


@click.command("doctor")
@where_options
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, *, as_json: bool) -> int:
    """
    Show what is wrong or risky here, worst first, each with its remedy; runs nothing.

    It tells all that `hookfw check` tells, and more: hooks that can never match, scripts that are missing or cannot be
    started, consent that is missing, timeouts in the wrong unit, commands that run twice, secrets in commands, plugins and
    settings that cannot be used. The exit status is 1 when anything is an error; warnings alone give 0.
    """
    settings, broken = _settings(where)
    with where.open(host, "listed", thorough=True, settings=settings) as hooks, aside():
        known = [*broken, *host.diagnostics, *loading_findings(hooks.snapshot)]
        health = examine(_checkup(host, hooks, known))
    if as_json:
        write_json({"ok": health.ok, "findings": [item.as_dict() for item in health.findings]})
    else:
        _show(Output(), health, len(hooks.snapshot.hooks))
    return 0 if health.ok else 1


def _settings(where: Where) -> tuple[Settings, list[Diagnostic]]:
    """Hookfw's own configuration, or the defaults and what is wrong with it."""
    from hookfw.opening import make_places  # noqa: PLC0415 - not for --help
    from hookfw.settings import Settings, load_settings  # noqa: PLC0415 - likewise

    try:
        return load_settings(make_places({"workspace": where.workspace, "home": where.home}), FileView()), []
    except ConfigurationError as error:
        message = f"{error} Until then its defaults count where hookfw runs at all."
        return Settings(), [Diagnostic("broken-settings", "error", message)]


def _checkup(host: Host, hooks: SyncSupervisor, known: Sequence[Diagnostic]) -> Checkup:
    session = hooks.session
    dialects = {part.dialect: host.dialect(part.dialect) for part in hooks.snapshot.parts}
    return Checkup(
        home=session.home,
        workspace=session.workspace,
        environ=session.environ,
        platform=session.platform,
        settings=hooks.settings,
        files=FileView(),
        hooks=[_examined(hooks, hook, dialects[hook.dialect]) for hook in hooks.snapshot.hooks],
        documents=[(part.dialect, document) for part in hooks.snapshot.parts for document in part.documents],
        tools=list(_calls(hooks, dialects)),
        programs=frozenset(part for name in host.dialects for part in (name, name.split("-")[0])),
        known=known,
    )


def _examined(hooks: SyncSupervisor, hook: Hook, dialect: Dialect) -> Examined:
    state, workspace = hooks.snapshot.state(hook), hooks.session.workspace
    native = next((native for native in dialect.events if native.name == hook.event), None)
    if native is None:
        return Examined(hook, state, dialect, hook.event, "")
    here = _sent(hooks, hook, native.canonical, workspace)
    elsewhere = _sent(hooks, hook, native.canonical, f"{workspace.rstrip('/')}/elsewhere")
    drifts = here is not None and elsewhere is not None and here.cwd != elsewhere.cwd
    return Examined(hook, state, dialect, native.canonical, native.steers, here, drifts)


def _sent(hooks: SyncSupervisor, hook: Hook, kind: str, cwd: str) -> Invocation | None:
    """What would be carried out on a made event; `None` where its dialect cannot tell, which a firing would say."""
    event, _ = parse_event(kind, {**sample_fields(kind), "cwd": cwd, "workspace": hooks.session.workspace})
    with contextlib.suppress(*FAILURES):
        return hooks.invocation(hook, event)
    return None


def _calls(hooks: SyncSupervisor, dialects: Mapping[str, Dialect]) -> Iterator[tuple[str, Explanation]]:
    """What would become of a call of each known tool, for the events that some hook names."""
    named = {hook.event for hook in hooks.snapshot.hooks}
    kinds = {
        kind
        for dialect in dialects.values()
        for native in dialect.events
        if native.name in named
        for kind in (native.canonical, *native.also)
    }
    spelled = (name for dialect in dialects.values() if dialect.tools for name in dialect.tools.native_names)
    for kind in TOOL_EVENTS:
        if kind in kinds:
            for tool in dict.fromkeys((PROBE, *KNOWN_TOOLS, *spelled)):
                event, _ = parse_event(kind, {**sample_fields(kind), "tool_name": tool})
                yield tool, hooks.explain(event, sent=False)


def _show(out: Output, health: Health, loaded: int) -> None:
    show_diagnostics(out, health.findings)
    if health.findings:
        out.blank()
    counts = [
        f"{health.count('error')} wrong",
        f"{health.count('warning')} risky",
        f"{health.count('info')} good to know",
    ]
    out.line((f"{loaded} hook{'s' * (loaded != 1)} examined", "head"), ": ", ", ".join(counts), ".")
