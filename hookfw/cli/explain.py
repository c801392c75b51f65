"""`hookfw explain`: what one event would run, what not, and why, with nothing run."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

import click

from hookfw.cli._input import make_event, read_fields
from hookfw.cli._options import Where, input_option, json_option, plugin_option, trust_option, where_options
from hookfw.cli._output import Output, aside, write_json
from hookfw.cli._show import show_diagnostics
from hookfw.documents import explanation_document
from hookfw.redaction import SECRET, is_secret_name, without_secret_values, without_secrets
from hookfw.text import compact_json, parse_json_object, seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookfw.cli._output import Style
    from hookfw.dialect import Invocation
    from hookfw.explaining import ExplainedDialect, ExplainedHook, ExplainedRow, Explanation, Standing
    from hookfw.host import Host
    from hookfw.loading import TrustPolicy

_STANDING: dict[Standing, tuple[str, Style]] = {
    "runs": ("runs", "good"),
    "background": ("runs in the background", "good"),
    "fails": ("fails", "bad"),
    "skipped": ("skipped", "warn"),
    "unmatched": ("no match", "dim"),
}
_COUNTED: dict[Standing, str] = {
    "runs": "would run",
    "background": "would run in the background",
    "fails": "would fail",
    "skipped": "skipped",
    "unmatched": "not matching",
}
_CHAINED = {"prompt": "prompt", "tool_input": "tool's input"}


@click.command("explain")
@click.argument("event", required=False)
@where_options
@input_option
@trust_option
@json_option
@plugin_option
@click.pass_obj
def command(
    host: Host, where: Where, event: str | None, source: str | None, trust: TrustPolicy, *, as_json: bool
) -> None:
    """
    Show what EVENT would run here, in order, with what each hook would be sent; and what it would not run, and why.

    Nothing is run, so nothing is rewritten: each hook is shown with the event as it is given. EVENT and its input are
    those of `hookfw fire`. Secrets in commands, variables and payloads are hidden from people; --json shows all whole.
    """
    fields = read_fields(source)
    given = make_event(event, fields, host, where.dialects, source)
    policy = "listed" if trust == "stored" else trust
    with where.open(host, policy, cwd=given.event.cwd) as hooks, aside():
        explained = hooks.explain(given.event)
        found = hooks.snapshot
        names = hooks.dialect_names
    diagnostics = [*host.diagnostics, *found.diagnostics, *given.diagnostics, *explained.diagnostics]
    if as_json:
        write_json(
            {
                "event": explained.event.kind,
                "fields": dict(explained.event.given),
                "dialects": list(names),
                **explanation_document(explained),
                "loaded": len(found.hooks),
                "diagnostics": [item.as_dict() for item in diagnostics],
            }
        )
        return
    out = Output()
    counts = Counter(item.standing for item in explained.hooks)
    told = [f"{counts[standing]} {words}" for standing, words in _COUNTED.items() if counts[standing]]
    out.line((explained.event.kind, "head"), ": ", ", ".join(told) or "no hook is configured here")
    show_explanation(out, explained)
    if not fields.keys() - {"event"} and any(item.cause == "matcher" for item in explained.hooks):
        out.blank()
        out.line("No field of the event is given, and matchers look at them: give some with --input FILE.")
    refusals = {(entry.source.path, entry.source.entry) for entry in found.rejected}
    further = [item for item in diagnostics if (item.file, item.entry) not in refusals]
    if further:
        out.blank()
    show_diagnostics(out, further)


def show_explanation(out: Output, explained: Explanation) -> None:
    """Each dialect: what starts, what is passed over, what does not apply and why."""
    for part in explained.dialects:
        for row in part.rows:
            _show_row(out, part, row)
        if part.unmatched or part.rejected:
            _show_rest(out, part)


def show_considered(out: Output, explained: Explanation) -> None:
    """After a firing, which has shown its runs: how their answers became one, and what did not apply and why."""
    for part in explained.dialects:
        for row in part.rows:
            out.blank()
            out.line((f"{part.dialect} {row.native_event}", "head"), f"  {row.reduction}")
        if part.unmatched or part.rejected:
            _show_rest(out, part)


def _show_row(out: Output, part: ExplainedDialect, row: ExplainedRow) -> None:
    out.blank()
    out.line((f"{part.dialect} {row.native_event}", "head"), f"  {_schedule(row)}")
    for number, item in enumerate(row.hooks, 1):
        _show_starting(out, number, item)
    for item in row.skipped:
        _show_reason(out, item)
    if len(row.hooks) > 1:
        out.line(("reduced ", "dim"), row.reduction, indent=2)


def _schedule(row: ExplainedRow) -> str:
    if len(row.hooks) < 2:  # noqa: PLR2004 - an order takes two
        return ""
    if row.schedule == "concurrent":
        return "all at once"
    chain = f", each with the {_CHAINED[row.chain]} that the one before it left" if row.chain else ""
    return f"one after another{chain}"


def _show_starting(out: Output, number: int, item: ExplainedHook) -> None:
    hook = item.hook
    strict = ", strict" if hook.strict else ""
    facts = f"  {hook.handler}, timeout {seconds(hook.timeout)}s{strict}  "
    reason = f": {item.reason}" if item.reason else ""
    out.line(f"{number}. {hook.name}", (facts, "dim"), _STANDING[item.standing], reason, indent=2)
    if hook.matcher:
        out.line(("if ", "dim"), hook.matcher, indent=5)
    line = "" if hook.source.line is None else f":{hook.source.line}"
    out.line((f"{hook.source.path}{line}  {hook.source.entry}  ({hook.source.scope})", "dim"), indent=5)
    if item.sent is not None:
        _show_sent(out, item.sent, hook.summary)


def _show_sent(out: Output, sent: Invocation, summary: str) -> None:
    what = shlex.join(sent.argv) if sent.argv else summary
    out.line(("$ " if sent.argv else "", "dim"), without_secrets(what), indent=5)
    out.line(("in ", "dim"), sent.cwd, indent=5)
    for name, value in sorted(sent.env.items()):
        out.line((f"{name}=", "dim"), SECRET if value and is_secret_name(name) else _shown(value), indent=5)
    for name in sorted(sent.read_back):
        out.line((f"{name}=", "dim"), "a file that is made for it and read after it", indent=5)
    for name in sent.unset:
        out.line(("without ", "dim"), name, indent=5)
    payload = sent.stdin.decode(errors="replace")
    if payload:
        out.line(("standard input:", "dim"), indent=5)
        out.block(_shown(payload), indent=7)
    else:
        out.line(("standard input: empty", "dim"), indent=5)


def _shown(text: str) -> str:
    """`text` without secrets; inside JSON they are looked for value by value."""
    document = parse_json_object(text)
    return without_secrets(text) if document is None else compact_json(without_secret_values(document))


def _show_reason(out: Output, item: ExplainedHook) -> None:
    reason = item.reason
    if item.cause == "trust":
        reason = ": ".join(dict.fromkeys((item.state.trust, reason))) + "; see `hookfw review`"
    out.line(_STANDING[item.standing], f"  {item.hook.name}: {reason}", indent=2)


def _show_rest(out: Output, part: ExplainedDialect) -> None:
    """Hooks that do not apply; those for other events are counted, there may be many."""
    out.blank()
    out.line((part.dialect, "head"), "  what does not apply")
    elsewhere = [item for item in part.unmatched if item.cause == "event"]
    for item in part.unmatched:
        if item.cause != "event":
            _show_reason(out, item)
    if elsewhere:
        out.line(("other events ", "dim"), _counted(elsewhere), indent=2)
    for entry in part.rejected:
        out.line(("rejected", "bad"), f"  {entry.name}: {'; '.join(entry.problems)}", indent=2)


def _counted(items: Sequence[ExplainedHook]) -> str:
    counts: Iterable[tuple[tuple[str, str], int]] = Counter((item.hook.event, item.reason) for item in items).items()
    return ", ".join(
        f"{event} {count}" + ("" if reason.startswith("it is for") else f" ({reason})")
        for (event, reason), count in counts
    )
