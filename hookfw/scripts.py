"""
Scripts: what the approved commands call, recorded beside the approval.

No ecosystem's digest covers the script that a command names. hookfw records the script's own SHA-256 when a hook is
approved and says when it changed; with `strict_scripts` such a hook does not run.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hookfw.diagnostics import Diagnostic
from hookfw.dialect import Edit, Review
from hookfw.settings import config_dir

if TYPE_CHECKING:
    from hookfw.hooks import Hook, HookState
    from hookfw.sources import FileView, Places


def scripts_of(hook: Hook, places: Places, files: FileView) -> dict[str, str]:
    """Path to SHA-256 of every file below the home or the workspace that a word of the hook's command names."""
    if hook.command is None:
        return {}
    try:
        words = shlex.split(hook.command, comments=False)
    except ValueError:
        words = hook.command.split()
    from hashlib import sha256  # noqa: PLC0415 - loads a cryptographic library, for approved hooks alone

    found = {}
    for word in words:
        path = _resolve(word.strip("();&|<>"), places)
        if path is not None and (data := files.read(path).data) is not None:
            found[path] = sha256(data).hexdigest()
    return found


def _resolve(word: str, places: Places) -> str | None:
    if not word or word.startswith("-") or "\0" in word:
        return None
    for name in ("${HOME}", "$HOME"):
        word = word.replace(name, places.home)
    if word.startswith("~/"):
        word = places.home + word[1:]
    path = os.path.normpath(os.path.join(places.workspace, word))
    inside = any(path.startswith(folder.rstrip("/") + "/") for folder in (places.home, places.workspace))
    return path if inside else None


def record_path(places: Places) -> str:
    """Where the digests are kept: hookfw's own folder."""
    return os.path.join(config_dir(places.home, places.environ), "scripts.json")


def edits_for(review: Review, places: Places, files: FileView) -> list[Edit]:
    """The edits that record today's digests of what the reviewed hooks call."""
    path = record_path(places)
    return [
        Edit(path, (script,), digest)
        for hook in review.hooks
        for script, digest in scripts_of(hook, places, files).items()
    ]


def recorded(places: Places, files: FileView) -> tuple[Mapping[str, str], str | None]:
    """Script path to the digest that was recorded, and why the record cannot be used, in words that follow its path."""
    read = files.read(record_path(places))
    if read.problem is not None:
        return {}, read.problem
    try:
        found = json.loads(read.data or b"{}")
    except (ValueError, RecursionError):
        found = None
    return (found, None) if isinstance(found, dict) else ({}, "is no JSON object; remove it and approve again")


def check_scripts(
    states: Mapping[Hook, HookState],
    reviews: Sequence[Review],
    places: Places,
    files: FileView,
    *,
    strict: bool,
) -> tuple[dict[Hook, HookState], list[Diagnostic]]:
    """The states of approved hooks after a look at their scripts, and what changed."""
    checked = dict(states)
    notes: list[Diagnostic] = []
    known, problem = recorded(places, files)
    if problem is not None:
        return _without_record(checked, list(_approved(states, reviews)), problem, places, files, strict=strict)
    for hook in _approved(states, reviews) if known else ():
        changed = [path for path, now in scripts_of(hook, places, files).items() if known.get(path, now) != now]
        if changed:
            note = f"modified script: {', '.join(changed)} changed since the approval"
            trust = "modified" if strict else checked[hook].trust
            checked[hook] = checked[hook]._replace(trust=trust, note=note)
            consequence = "does not run" if strict else "still runs"
            notes.append(
                Diagnostic(
                    "modified-script",
                    "warning",
                    f"The hook {hook.name!r} in {hook.source.path} {consequence}: {note}; "
                    "look at the script, then approve the hook again.",
                    file=hook.source.path,
                    entry=hook.source.entry,
                    hook=hook.name,
                )
            )
    return checked, notes


def _without_record(
    states: dict[Hook, HookState],
    approved: Sequence[Hook],
    problem: str,
    places: Places,
    files: FileView,
    *,
    strict: bool,
) -> tuple[dict[Hook, HookState], list[Diagnostic]]:
    """What holds where nobody can say whether a script changed: with `strict`, hooks that call one do not run."""
    calling = [hook for hook in approved if scripts_of(hook, places, files)]
    if not calling:
        return states, []
    if strict:
        note = "whether its script changed since the approval cannot be told"
        states |= {hook: states[hook]._replace(trust="modified", note=note) for hook in calling}
    path = record_path(places)
    consequence = "no approved hook that calls a script runs" if strict else "no change of a script is noticed"
    message = f"{path} {problem}; until then {consequence} ({', '.join(hook.name for hook in calling)})."
    return states, [Diagnostic("scripts-unreadable", "error", message, file=path)]


def _approved(states: Mapping[Hook, HookState], reviews: Sequence[Review]) -> Iterable[Hook]:
    # A review may cover hooks that nobody loads before it.
    return (hook for review in reviews for hook in review.hooks if hook in states and states[hook].runs)
