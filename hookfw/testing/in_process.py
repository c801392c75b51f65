"""Runs a case in this process, through the synchronous supervisor."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from hookfw.documents import list_document, outcome_document
from hookfw.errors import HookfwError
from hookfw.testing.compare import file_mismatches, mismatches
from hookfw.testing.layout import LaidOut, lay_out, substitute

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hookfw.host import Host
    from hookfw.testing.cases import Case

_INHERITED = ("PATH", "LANG", "LC_ALL", "VIRTUAL_ENV", "PYENV_ROOT", "PYENV_VERSION")


def run_case(case: Case, root: Path, host: Host | None = None) -> list[str]:
    """
    Run one case in a folder of its own and say what differs; empty when it passes.

    Args:
        case: the case.
        root: an existing, empty folder.
        host: the plugins to use; those that are installed by default.
    """
    place = lay_out(case.files, root)
    try:
        document = _document(case, place, host)
    except HookfwError as error:
        return [f"refused to fire: {error}"]
    return mismatches(substitute(case.expect, place.names), document) + file_mismatches(
        substitute(case.files_after, place.names), place.root
    )


def case_environ(case: Case, place: LaidOut) -> dict[str, str]:
    """The environment a case is fired in: what programs need to be found, its scratch folders, its own variables."""
    environ = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environ |= {"HOME": str(place.home), "SHELL": "/bin/sh", "TMPDIR": str(place.root)}
    if case.model_replies is not None:
        replies = place.root / "replies.json"
        replies.write_text(json.dumps(case.model_replies), encoding="utf-8")
        environ["HOOKFW_MODEL_CLIENT"] = f"replay:{replies}"
    own: dict[str, str] = substitute(case.environ, place.names)
    return environ | own


def case_workspace(case: Case, place: LaidOut) -> str:
    """The workspace a case is fired in: its event's own, else the one laid out."""
    return str(substitute((case.event or {}).get("workspace"), place.names) or place.workspace)


def _document(case: Case, place: LaidOut, host: Host | None) -> Mapping[str, Any]:
    from hookfw.events import parse_event  # noqa: PLC0415 - the pytest plugin imports this module at its start
    from hookfw.supervisor import open_sync  # noqa: PLC0415 - likewise

    with open_sync(
        workspace=case_workspace(case, place),
        home=str(place.home),
        dialects=[case.dialect],
        trust="all" if case.trust == "all" else "stored",
        environ=case_environ(case, place),
        cwd=substitute((case.event or {}).get("cwd"), place.names),
        host=host,
    ) as hooks:
        if case.event is None:
            return list_document(hooks.snapshot, (), hooks.snapshot.diagnostics)
        fields = dict(substitute(case.event, place.names))
        event, _unknown = parse_event(fields.pop("event"), fields)
        outcome = hooks.fire(event)
        hooks.end_background()
        return outcome_document(
            event.kind,
            hooks.dialect_names,
            hooks.snapshot,
            outcome,
            [*hooks.snapshot.diagnostics, *outcome.diagnostics, *hooks.late_diagnostics()],
        )
