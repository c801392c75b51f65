"""Consent: what is configured and does not run because nobody has reviewed it, or because it changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw.checks.checkup import Checkup, Examined

_SHOWN = 5
"""Names of hooks in one finding; more are counted."""


def check(checkup: Checkup) -> Iterator[Diagnostic]:
    """One finding for each file and kind of consent that is missing, and one for what is switched off."""
    groups: dict[tuple[str, str, str], list[Examined]] = {}
    for item in checkup.hooks:
        state = item.state
        why: str = state.trust if state.enabled else "disabled"
        if not state.runs:
            groups.setdefault((item.hook.dialect, item.hook.source.path, why), []).append(item)
    for (dialect, path, why), items in groups.items():
        names = ", ".join(item.hook.name for item in items[:_SHOWN])
        more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
        hooks = f"{len(items)} hook{'s' * (len(items) > 1)} of {dialect} in {path} ({names}{more})"
        if why == "disabled":
            note = items[0].state.note or "switched off"
            message = f"{hooks} {_do(items)} not run: {note}; `hookfw enable` switches one on again."
            yield Diagnostic("hooks-disabled", "info", message, path)
        elif why == "modified":
            message = (
                f"{hooks} changed since you approved {_them(items)} and {_do(items)} not run: see `hookfw review`."
            )
            yield Diagnostic("modified-hooks", "warning", message, path)
        else:
            message = f"{hooks} {_do(items)} not run, because nobody has approved {_them(items)}: see `hookfw review`."
            yield Diagnostic("untrusted-hooks", "warning", message, path)


def _do(items: list[Examined]) -> str:
    return "do" if len(items) > 1 else "does"


def _them(items: list[Examined]) -> str:
    return "them" if len(items) > 1 else "it"
