"""The same command in several places: what runs twice, and what only seems to."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from hookfw.sharing import family_of, key_of, matcher_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hookfw.checks.checkup import Checkup, Examined
    from hookfw.diagnostics import Diagnostic
    from hookfw.sharing import Key

LOADED: Final = "command-in-several-families"
"""What loading says of the first few; here all of them are told."""


def check(checkup: Checkup) -> Iterator[Diagnostic]:
    """One finding for each command, within a dialect, within a family and across families."""
    within: dict[tuple[str, str, str, str], list[Examined]] = defaultdict(list)
    family: dict[Key, list[Examined]] = defaultdict(list)
    across: dict[tuple[str, str], list[Examined]] = defaultdict(list)
    for item in checkup.hooks:
        hook = item.hook
        if hook.handler == "command" and hook.command and hook.command.strip():
            within[hook.dialect, hook.event, hook.command, matcher_of(hook)].append(item)
            key = key_of(item.dialect, hook)
            if key is not None:
                family[key].append(item)
            across[item.kind, hook.command].append(item)
    for items in within.values():
        if len(items) > 1:
            yield _within(items)
    for items in family.values():
        firsts = _first_by(items, lambda item: item.hook.dialect)
        if len(firsts) > 1:
            yield _in_family(firsts, dedupe=checkup.settings.dedupe)
    for items in across.values():
        firsts = _first_by(items, lambda item: family_of(item.dialect))
        if len(firsts) > 1:
            yield _across(firsts)


def _first_by(items: Sequence[Examined], key: Callable[[Examined], str]) -> list[Examined]:
    """The first of each group, in order."""
    found: dict[str, Examined] = {}
    for item in items:
        found.setdefault(key(item), item)
    return list(found.values())


def _within(items: Sequence[Examined]) -> Diagnostic:
    first, *others = items
    places = ", ".join(_place(item) for item in others)
    return first.found(
        "repeated-command",
        "warning",
        f"is configured {len(items)} times with the same command, event and matcher (also {places}), so it may run more "
        "than once for one event; keep one",
    )


def _in_family(items: Sequence[Examined], *, dedupe: bool) -> Diagnostic:
    """Dialects of one family run a command once, unless that is switched off."""
    first, *others = items
    where = ", ".join(_place(item) for item in others)
    if dedupe:
        names = " and ".join(item.hook.dialect for item in items)
        what = f"has the same command, event and matcher as {where}: it runs once for {names}; nothing needs to be done"
        return first.found("shared-command", "info", what)
    what = (
        f"has the same command, event and matcher as {where}, and it runs for each, since `dedupe` is false; keep one"
    )
    return first.found("shared-command", "warning", what)


def _across(items: Sequence[Examined]) -> Diagnostic:
    first, *others = items
    where = ", ".join(_place(item) for item in others)
    what = f"has the command of {where} too: it runs for each, since payloads and answers differ; keep one if once is meant"
    return first.found(LOADED, "warning", what)


def _place(item: Examined) -> str:
    return f"{item.hook.source.path} {item.hook.source.entry}"
