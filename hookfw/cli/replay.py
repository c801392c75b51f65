"""`hookfw replay`: fires the events of a recording again and shows which outcomes changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from hookfw.cli._input import read_text
from hookfw.cli._live import live
from hookfw.cli._options import Where, json_option, plugin_option, trust_option, where_options
from hookfw.cli._output import Output, aside, write_json
from hookfw.cli._show import show_diagnostics
from hookfw.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.host import Host
    from hookfw.replaying import Replayed


@click.command("replay")
@click.argument("file")
@where_options
@click.option("--dry", is_flag=True, help="Run nothing: compare which hooks would run.")
@trust_option
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, file: str, trust: Literal["stored", "all"], *, dry: bool, as_json: bool) -> int:
    """
    Fire the events of the recording FILE again, at the hooks there are today, and show which outcomes changed.

    FILE is what `hookfw fire --record`, a guest or a supervisor wrote; - reads standard input. Hooks run as they do for real.
    The exit status is 1 when an outcome is another one now.
    """
    from hookfw.recording import read_recording  # noqa: PLC0415 - not for --help
    from hookfw.replaying import replay  # noqa: PLC0415 - likewise

    records = list(read_recording(read_text(file, "a recording"), "Standard input" if file == "-" else file))
    display = live()
    with where.open(host, trust, on_progress=display.tell) as hooks:
        with aside(), display:
            replayed = list(replay(hooks, records, dry=dry))
        diagnostics = [*host.diagnostics, *hooks.snapshot.diagnostics, *_redacted(replayed)]
        changed = [item for item in replayed if item.changes]
        if as_json:
            write_json(
                {
                    "events": [_document(item) for item in replayed],
                    "changed": len(changed),
                    "diagnostics": [item.as_dict() for item in diagnostics],
                }
            )
        else:
            _show(Output(), replayed, diagnostics, dry=dry)
    return 1 if changed else 0


def _redacted(replayed: Sequence[Replayed]) -> list[Diagnostic]:
    """A warning where hooks saw other values than when it was recorded."""
    count = sum(item.record.redacted for item in replayed)
    if not count:
        return []
    message = (
        f"{count} of the recorded events held secrets, which no recording keeps: their hooks see `[secret]` instead, and may "
        "decide otherwise for that alone."
    )
    return [Diagnostic("redacted-events", "warning", message)]


def _document(item: Replayed) -> dict[str, Any]:
    return {
        "line": item.record.line,
        "event": item.record.event.kind,
        "changes": [{"field": each.field, "before": each.before, "now": each.now} for each in item.changes],
    }


def _show(out: Output, replayed: Sequence[Replayed], diagnostics: Sequence[Diagnostic], *, dry: bool) -> None:
    changed = [item for item in replayed if item.changes]
    for item in changed:
        out.line((item.record.event.kind, "head"), (f"  line {item.record.line}", "dim"))
        for change in item.changes:
            out.line(str(change), indent=2)
        out.blank()
    if not replayed:
        out.line(("The recording holds no event", "warn"), ", so nothing was compared.")
        show_diagnostics(out, diagnostics)
        return
    what = "would run the same hooks" if dry else "came out as recorded"
    count = len(replayed) - len(changed)
    out.line(f"{count} of {len(replayed)} events {what}", f", {len(changed)} did not." if changed else ".")
    show_diagnostics(out, diagnostics)
