"""`hookfw check`: validates configuration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hookfw.cli._options import Where, json_option, plugin_option, where_options
from hookfw.cli._output import Output, write_json
from hookfw.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.cli._output import Style
    from hookfw.hooks import HookSet, Rejected
    from hookfw.host import Host

_STYLE: dict[str, Style] = {"error": "bad", "warning": "warn", "info": "dim"}


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@where_options
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, paths: tuple[str, ...], *, as_json: bool) -> int:
    """
    Validate what is configured here, as if all of it were approved; with PATHs, show only what is about these files.

    The exit status is 1 when a file cannot be used or an entry is refused.
    """
    with where.open(host, "all", thorough=True) as hooks:
        found = hooks.snapshot
    findings = [*host.diagnostics, *loading_findings(found)]
    if paths:
        findings = [*_about(paths, findings), *_not_read(paths, found.watched)]
    wrong = any(item.severity == "error" for item in findings)
    if as_json:
        write_json({"ok": not wrong, "findings": [item.as_dict() for item in findings]})
    else:
        loaded = f"{_count(len(found.hooks), 'hook')} loaded, {len(found.rejected)} rejected; "
        _show(Output(), findings, "" if paths else loaded)
    return 1 if wrong else 0


def loading_findings(found: HookSet) -> list[Diagnostic]:
    """The diagnostics of loading, and a finding for each rejected entry that has none of its own."""
    said = {(item.file, item.entry) for item in found.diagnostics if item.severity == "error"}
    return [
        *found.diagnostics,
        *(_rejection(entry) for entry in found.rejected if (entry.source.path, entry.source.entry) not in said),
    ]


def _rejection(entry: Rejected) -> Diagnostic:
    return Diagnostic(
        "rejected-entry",
        "error",
        f"{entry.source.entry} ({entry.name}) is rejected: {'; '.join(entry.problems)}",
        file=entry.source.path,
        entry=entry.source.entry,
        hook=entry.name,
        line=entry.source.line,
    )


def _about(paths: Sequence[str], findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    asked = {os.path.realpath(path) for path in paths}
    return [item for item in findings if item.file is not None and os.path.realpath(item.file) in asked]


def _not_read(paths: Sequence[str], watched: Sequence[str]) -> list[Diagnostic]:
    """A finding for each path that no dialect looks at here, or that is not there."""
    places = {os.path.realpath(path) for path in watched}
    findings = []
    for path in paths:
        if not os.path.lexists(path):
            findings.append(
                Diagnostic("missing-file", "error", f"{path} does not exist; there is nothing to check.", file=path)
            )
        elif os.path.realpath(path) not in places:
            problem = (
                f"{path} is read by no dialect for this home and workspace; see --home, --workspace and --dialect."
            )
            findings.append(Diagnostic("not-read", "error", problem, file=path))
    return findings


def _show(out: Output, findings: Sequence[Diagnostic], loaded: str) -> None:
    for item in findings:
        line = f"{item.line}:" if item.line is not None else ""
        place = f"{item.file}:{line} " if item.file else ""
        out.line(place, (f"{item.severity}: ", _STYLE[item.severity]), _without_file(item))
    errors = sum(item.severity == "error" for item in findings)
    warnings = sum(item.severity == "warning" for item in findings)
    out.line(f"{loaded}{_count(errors, 'error')}, {_count(warnings, 'warning')}.")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _without_file(item: Diagnostic) -> str:
    """The message, without the file and the line where it starts with them: those stand before it already."""
    rest = (item.message.removeprefix(item.file) if item.file else item.message).lstrip(" ,:")
    if item.line is None:
        return rest
    entry = item.entry or ""
    line = f"line {item.line}: "
    if entry and rest.startswith(f"{entry}, {line}"):
        return f"{entry}: {rest.removeprefix(f'{entry}, {line}')}"
    return rest.removeprefix(line)
