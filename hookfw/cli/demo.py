"""`hookfw demo`: a short session with the hooks of every installed dialect."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookfw.cli._errors import undisturbed
from hookfw.cli._options import json_option, opened, plugin_option
from hookfw.cli._output import Output, aside, write_json
from hookfw.cli._show import duration, show_answer, show_diagnostics, status, verdict
from hookfw.documents import outcome_document
from hookfw.errors import HookfwError
from hookfw.testing.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hookfw.hookspecs import DemoInfo
    from hookfw.host import Host
    from hookfw.outcome import Run
    from hookfw.sync import SyncSupervisor


@click.command("demo")
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, *, as_json: bool) -> None:
    """Lay out a scratch home and workspace, run a short session through its hooks, show what each did and why."""
    demos = host.demos
    if not demos:
        message = "No installed dialect brings a demonstration; `hookfw plugins` shows what is installed."
        raise HookfwError(message)
    out = None if as_json else Output()
    sessions = []
    for name, demo in demos.items():
        with _scratch_folder() as root:
            place = lay_out(demo.files, root)
            environ = os.environ | {"HOME": str(place.home)}
            with opened(
                workspace=place.workspace,
                home=place.home,
                dialects=[name],
                session_id="sess_hookdemo",
                environ=environ,
                host=host,
            ) as hooks:
                if out is not None:
                    _show_start(out, host, demo, hooks)
                sessions.append({"dialect": name, "steps": _run(out, demo, hooks)})
    if out is None:
        write_json({"sessions": sessions})
    else:
        out.line("The scratch folder is gone again. `hookfw list` shows what is configured for you here.")


@contextmanager
def _scratch_folder() -> Iterator[Path]:
    root = tempfile.mkdtemp(prefix="hookfw-demo-")
    try:
        yield Path(root)
    finally:
        with undisturbed():
            shutil.rmtree(root, ignore_errors=True)


def _run(out: Output | None, demo: DemoInfo, hooks: SyncSupervisor) -> list[dict[str, Any]]:
    """Fire every step, showing each as soon as it is over; the documents of all of them."""
    from hookfw.events import parse_event  # noqa: PLC0415 - not for --help

    documents = []
    for number, (title, kind, fields) in enumerate(demo.steps, 1):
        event, _ = parse_event(kind, fields)
        with aside():
            outcome = hooks.fire(event)
            hooks.join_background()
        diagnostics = [*outcome.diagnostics, *hooks.late_diagnostics()]
        documents.append(
            {
                "title": title,
                **outcome_document(kind, hooks.dialect_names, hooks.snapshot, outcome, diagnostics),
            }
        )
        if out is not None:
            out.line((f"{number}. {title}", "head"), (f"  {kind} {_brief(fields)}", "dim"))
            for run in outcome.runs:
                _show_run(out, run)
            for item in outcome.skipped:
                out.line(("- ", "dim"), item.name, (f"  skipped: {item.reason}", "warn"), indent=3)
            out.line(("=> ", "dim"), *verdict(outcome), indent=3)
            show_answer(out, outcome, indent=6)
            show_diagnostics(out, diagnostics, indent=3)
            out.blank()
    return documents


def _show_start(out: Output, host: Host, demo: DemoInfo, hooks: SyncSupervisor) -> None:
    title = host.dialects[demo.dialect].title
    count = len(hooks.snapshot.hooks)
    out.line((title, "head"), f": a session with {count} hooks in a scratch home and workspace, laid out as")
    for path in sorted(demo.files):
        out.line((path, "dim"), indent=3)
    out.blank()


def _show_run(out: Output, run: Run) -> None:
    took = "" if run.status == "submitted" else f" in {duration(run.duration)}"
    note = f": {run.error}" if run.error else ""
    out.line(("- ", "dim"), run.name, "  ", status(run), (f"{took}{note}", "dim"), indent=3)


def _brief(fields: Mapping[str, Any]) -> str:
    """The field that tells most about the event."""
    call = fields.get("tool_input")
    detail = call.get("command") if isinstance(call, dict) else fields.get("prompt")
    return f"{fields.get('tool_name', '')} {detail or ''}".strip()
