"""Runs a case through the `hookfw` command, as a person or another program would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from hookfw.testing.compare import file_mismatches, mismatches
from hookfw.testing.in_process import case_environ, case_workspace
from hookfw.testing.layout import LaidOut, lay_out, substitute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hookfw.testing.cases import Case

COMMAND = (sys.executable, "-m", "hookfw")
"""The command of the hookfw that is imported."""

_DEADLINE = 30.0
"""Seconds until a command that does not answer is killed."""

_SHOWN = 600
"""Characters of an unexpected output that are shown."""


def run_case_by_command(case: Case, root: Path, command: Sequence[str] = COMMAND) -> list[str]:
    """
    Run one case in a folder of its own through `command` and say what differs; empty when it passes.

    Args:
        case: the case.
        root: an existing, empty folder.
        command: how hookfw is started.
    """
    place = lay_out(case.files, root)
    try:
        document = _document(case, place, command)
    except _NoAnswerError as error:
        return [str(error)]
    return mismatches(substitute(case.expect, place.names), document) + file_mismatches(
        substitute(case.files_after, place.names), place.root
    )


class _NoAnswerError(Exception):
    """The command gave no document; the text says what it did instead."""


def _document(case: Case, place: LaidOut, command: Sequence[str]) -> Mapping[str, Any]:
    workspace = case_workspace(case, place)
    where = ["--json", "--dialect", case.dialect, "--home", str(place.home), "--workspace", workspace]
    if case.event is None:
        arguments = ["list", *where]
    else:
        event = place.root / "event.json"
        event.write_text(json.dumps(substitute(case.event, place.names)), encoding="utf-8")
        trust = "all" if case.trust == "all" else "stored"
        arguments = ["fire", *where, "--input", str(event), "--trust", trust]
    status, out, err = _call([*command, *arguments], cwd=workspace, environ=case_environ(case, place))
    if status != 0:
        message = f"exit status {status}: {err.decode(errors='replace').strip()[-_SHOWN:]}"
        raise _NoAnswerError(message)
    try:
        document = json.loads(out)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        message = f"standard output is not one JSON object: {out[:_SHOWN]!r}"
        raise _NoAnswerError(message)
    return document


def _call(argv: Sequence[str], *, cwd: str, environ: Mapping[str, str]) -> tuple[int, bytes, bytes]:
    child = subprocess.Popen(
        argv,
        cwd=cwd,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = child.communicate(timeout=_DEADLINE)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        message = f"no answer within {_DEADLINE:g} s"
        raise _NoAnswerError(message) from None
    return child.returncode, out, err
