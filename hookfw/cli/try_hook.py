"""`hookfw try`: runs one configured hook with a made event and shows all of it."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import click

from hookfw.cli._input import make_event, read_fields, resolve_event
from hookfw.cli._live import live
from hookfw.cli._options import Where, input_option, json_option, plugin_option, trust_option, where_options
from hookfw.cli._output import Output, aside, write_json
from hookfw.cli._samples import sample_fields
from hookfw.cli._show import duration, show_answer, show_diagnostics, status, verdict
from hookfw.documents import answer_document, hook_document, run_document, sent_document
from hookfw.errors import HookfwError
from hookfw.redaction import without_secrets
from hookfw.text import closest, seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw.dialect import Invocation
    from hookfw.hooks import Hook
    from hookfw.host import Host
    from hookfw.loading import TrustPolicy
    from hookfw.outcome import Outcome, Run


@click.command("try")
@click.argument("hook", metavar="HOOK")
@where_options
@input_option
@trust_option
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, hook: str, source: str | None, trust: TrustPolicy, *, as_json: bool) -> None:
    """
    Run HOOK alone, whatever its matcher, and show what was sent, what came back and how it was read.

    HOOK is a name as `hookfw list` shows it, with or without its dialect, or its entry in the file; where several have
    it, FILE:ENTRY or FILE:LINE. The event is made up; fields in the input replace the made ones.
    """
    given = read_fields(source)
    display = live()
    with where.open(host, trust, on_progress=display.tell) as hooks:
        chosen = find_hook(hook, hooks.snapshot.hooks, [info.name for info in host.plugins])
        state = hooks.snapshot.state(chosen)
        if state.trust not in ("managed", "trusted"):
            message = f"The hook {chosen.name!r} is {state.trust}: see `hookfw review`, or try it with --trust all."
            raise HookfwError(message)
        made = make_event(None, _fields(chosen, given, host), host, [chosen.dialect], source)
        with aside(), display:
            sent = hooks.invocation(chosen, made.event)
            outcome = hooks.fire_hook(chosen, made.event)
        diagnostics = [*made.diagnostics, *outcome.diagnostics]
    run = outcome.runs[0]
    if as_json:
        write_json(
            {
                "hook": hook_document(chosen, state),
                "event": made.event.kind,
                "fields": dict(made.event.given),
                "sent": sent and sent_document(sent),
                "run": {**run_document(run), "stdout": run.stdout, "stderr": run.stderr},
                "outcome": answer_document(outcome),
                "diagnostics": [item.as_dict() for item in diagnostics],
            }
        )
        return
    out = Output()
    out.line((f"{chosen.dialect}:{chosen.name}", "head"), f" on {chosen.event}, with a made {made.event.kind}")
    out.line((f"{chosen.source.path}  {chosen.source.entry}", "dim"))
    if sent is not None:
        _show_sent(out, chosen, sent)
    _show_run(out, run)
    _show_reading(out, outcome)
    show_diagnostics(out, diagnostics)


def find_hook(name: str, hooks: Sequence[Hook], plugins: Sequence[str] = ()) -> Hook:
    """
    The hook with this name, `DIALECT:NAME`, entry, `FILE:ENTRY` or `FILE:LINE`.

    Raises `HookfwError` where there is none, saying which was probably meant, or more than one. `plugins` are listed
    as hooks too, but their handlers cannot be run alone.
    """
    found = [hook for hook in hooks if name in (hook.name, f"{hook.dialect}:{hook.name}", hook.source.entry)]
    found = found or [hook for hook in hooks if _stands_at(hook, name)]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"{hook.dialect} {hook.source.path}:{hook.source.entry}" for hook in found)
        several = ", or give --dialect" if len({hook.dialect for hook in found}) > 1 else ""
        message = f"There are {len(found)} hooks named {name!r}: name one by FILE:ENTRY{several} ({places})."
    elif name.removeprefix("python:") in plugins:
        message = f"{name!r} is a plugin: its Python handlers run with the others, by `hookfw fire`."
    else:
        message = f"There is no hook named {name!r} here: {_meant(name, hooks)}"
    raise HookfwError(message)


def _stands_at(hook: Hook, place: str) -> bool:
    """`place` is the file of the hook, after a colon its entry or its line."""
    for where in (hook.source.entry, str(hook.source.line)):
        path = place.removesuffix(f":{where}")
        if path not in ("", place) and os.path.realpath(path) == os.path.realpath(hook.source.path):
            return True
    return False


def _meant(name: str, hooks: Sequence[Hook]) -> str:
    """The remedy for a name that no hook has: one that is near, one that runs something of this name, or the list."""
    close = closest(name, [hook.name for hook in hooks])
    if close:
        return f"did you mean {close!r}?"
    for hook in hooks:
        if len(name) > 1 and name in hook.summary:
            return f"did you mean {f'{hook.dialect}:{hook.name}'!r}, which runs {without_secrets(hook.summary)}? See `hookfw list`."
    return "`hookfw list` shows those there are."


def _fields(hook: Hook, given: Mapping[str, Any], host: Host) -> dict[str, Any]:
    """The made event of the hook, with the fields that were given in place of the made ones."""
    named = given.get("event")
    kind = resolve_event(named if isinstance(named, str) else hook.event, host, [hook.dialect])
    return {"event": kind, **sample_fields(kind), **given}


def _show_sent(out: Output, hook: Hook, sent: Invocation) -> None:
    out.blank()
    out.line(("sent", "head"))
    out.line(("$ ", "dim"), shlex.join(sent.argv) if sent.argv else hook.summary, indent=2)
    out.line(("in ", "dim"), sent.cwd, ("  with a timeout of ", "dim"), f"{seconds(sent.timeout)}s", indent=2)
    for name, value in sorted(sent.env.items()):
        out.line((f"{name}=", "dim"), value, indent=2)
    for name in sent.unset:
        out.line(("without ", "dim"), name, indent=2)
    _show_stream(out, "standard input", sent.stdin.decode(errors="replace"))


def _show_run(out: Output, run: Run) -> None:
    out.blank()
    out.line(("came back", "head"))
    ended = f" after {duration(run.duration)}"
    if run.exit_code is not None:
        ended += f", exit code {run.exit_code}"
    if run.signal is not None:
        ended += f", signal {run.signal}"
    out.line(status(run), ended, f": {run.error}" if run.error else "", indent=2)
    _show_stream(out, "standard output", run.stdout)
    _show_stream(out, "standard error", run.stderr)


def _show_reading(out: Output, outcome: Outcome) -> None:
    out.blank()
    out.line(("read as", "head"))
    out.line(*verdict(outcome), indent=2)
    show_answer(out, outcome)


def _show_stream(out: Output, name: str, text: str) -> None:
    out.line((f"{name}:" if text else f"{name}: empty", "dim"), indent=2)
    out.block(text, indent=4)
