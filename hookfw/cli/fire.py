"""`hookfw fire`: fires one event and shows the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from hookfw.cli._input import make_event, read_fields
from hookfw.cli._live import live
from hookfw.cli._options import (
    Where,
    input_option,
    json_option,
    plugin_option,
    record_option,
    trust_option,
    where_options,
)
from hookfw.cli._output import Output, aside, write_json
from hookfw.cli._show import show_answer, show_diagnostics, show_runs, show_skipped, verdict
from hookfw.diagnostics import Diagnostic
from hookfw.documents import explanation_document, outcome_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.events import Event
    from hookfw.host import Host
    from hookfw.outcome import Decision, Outcome

EXIT_CODES: dict[Decision, int] = {"deny": 2, "block": 2, "stop": 2, "ask": 3, "defer": 3}
"""The exit status of a decision with `--exit-code`; 0 for all others."""

_TRUST_ALL = Diagnostic(
    "trust-all", "info", "Every loaded hook counts as reviewed for this firing only, because of --trust all."
)


@click.command("fire")
@click.argument("event", required=False)
@where_options
@input_option
@trust_option
@json_option
@click.option("--explain", is_flag=True, help="Show, too, which hooks were considered and why others did not apply.")
@record_option
@click.option("--exit-code", is_flag=True, help="Exit with 2 for deny, block and stop, with 3 for ask and defer.")
@plugin_option
@click.pass_obj
def command(  # noqa: PLR0913 - one for each option
    host: Host,
    where: Where,
    event: str | None,
    source: str | None,
    trust: Literal["stored", "all"],
    *,
    as_json: bool,
    explain: bool,
    exit_code: bool,
    record: str | None,
) -> int:
    """
    Fire EVENT at every hook that applies here and show what the agent must now do.

    EVENT is a canonical or native name (`hookfw events` lists them); it may stand in the input as "event" instead. The
    command waits for background hooks and observers. The exit status is 0 when the event was fired, whatever was
    decided, and 1 when something kept it from being fired.
    """
    given = make_event(event, read_fields(source), host, where.dialects, source)
    display = live()
    with where.open(host, trust, cwd=given.event.cwd, on_progress=display.tell, record=record) as hooks:
        with aside(), display:
            outcome = hooks.fire(given.event)
            hooks.end_background()
            explained = hooks.explain(given.event, sent=False) if explain else None
        diagnostics = [
            *host.diagnostics,
            *hooks.snapshot.diagnostics,
            *((_TRUST_ALL,) if trust == "all" else ()),
            *given.diagnostics,
            *outcome.diagnostics,
            *hooks.late_diagnostics(),
        ]
        if as_json:
            document = outcome_document(given.event.kind, hooks.dialect_names, hooks.snapshot, outcome, diagnostics)
            if explained is not None:
                document["explanation"] = explanation_document(explained)
            write_json(document)
        else:
            out = Output()
            _show(out, given.event, hooks.dialect_names, outcome, diagnostics)
            if explained is not None:
                from hookfw.cli.explain import show_considered  # noqa: PLC0415 - a firing is quick

                show_considered(out, explained)
    return EXIT_CODES.get(outcome.decision, 0) if exit_code else 0


def _show(
    out: Output, event: Event, dialects: Sequence[str], outcome: Outcome, diagnostics: Sequence[Diagnostic]
) -> None:
    out.line((event.kind, "head"), ": ", *verdict(outcome))
    show_answer(out, outcome)
    if outcome.runs:
        out.blank()
        show_runs(out, outcome.runs)
    elif not outcome.skipped:
        looked = f"no hook of {', '.join(dialects)} applies" if dialects else "no dialect has a configuration here"
        why = f"; `hookfw explain {event.kind}` says why" if dialects else ""
        out.line(("Nothing ran: ", "dim"), looked, why, ".")
    if outcome.skipped or diagnostics:
        out.blank()
    show_skipped(out, outcome)
    show_diagnostics(out, diagnostics)
