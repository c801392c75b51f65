"""
Converting: the configuration of one ecosystem as another's, with every loss named.

Events are matched by the canonical events they answer, everything else goes through the neutral form. Where the two
ecosystems speak otherwise with their hooks, which is so wherever they are not the same one, a command is wrapped in
`hookfw adapt`, so that its script runs unchanged. No dialect is known here by name.
"""

from __future__ import annotations

import math
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hookfw.errors import ConversionError
from hookfw.portable import Dumped, Lost, PortableHook, joined
from hookfw.text import seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hookfw.diagnostics import Diagnostic
    from hookfw.dialect import Dialect, NativeEvent
    from hookfw.hooks import Hook, HookState, Loaded, Rejected
    from hookfw.portable import Conversion
    from hookfw.sources import Document, Places

RESULT = "post_tool_use"
"""Among the further events of a native one it is a result that says that the tool failed."""

_PROGRAM = ("hookfw", "adapt")
_UNKNOWN_EVENT = "unknown-event"
"""The code of every dialect's diagnostic that its configuration names an event that it does not have."""
_SPOKEN = "wrapped"
"""The field that keeps, between reading and writing, what a wrapped command speaks."""


class Converted(NamedTuple):
    """
    A configuration that was converted.

    Attributes:
        document: its bytes, with the path where the person's own would stand.
        hooks: how many hooks it has.
        read: how many hooks were converted.
        losses: everything that it could not say, in the order of the hooks.
        diagnostics: what loading the original noticed.
    """

    document: Document
    hooks: int
    read: int
    losses: tuple[Lost, ...]
    diagnostics: tuple[Diagnostic, ...]


def conversion_of(dialect: Dialect) -> Conversion:
    """How a dialect's configuration is converted. Raises `ConversionError` where it cannot be."""
    found = dialect.conversion()
    if found is None:
        message = f"The dialect {dialect.name!r} cannot be converted: whoever made it gave it no conversion."
        raise ConversionError(message)
    return found


def convert(origin: Dialect, target: Dialect, documents: Sequence[Document], places: Places) -> Converted:
    """The hooks in `documents`, which are of `origin`, as a configuration of `target`. Raises `ConversionError`."""
    if origin.name == target.name:
        message = f"Both sides are {origin.name}: there is nothing to convert."
        raise ConversionError(message)
    reading, writing = conversion_of(origin), conversion_of(target)
    loaded = origin.load(documents, places, trust_all=True)
    states = origin.judge(loaded, documents, places)
    specs = {native.name: native for native in origin.events}
    neutral = [
        _told(reading.neutral(hook), specs[hook.event], states.get(hook), origin, target)
        for hook in loaded.hooks
        if hook.event in specs
    ]
    losses = [*_unread(loaded), *(_unfired(hook, origin) for hook in loaded.hooks if hook.event not in specs)]
    losses += [_rejection(entry) for entry in loaded.rejected]
    wanted: list[PortableHook] = []
    for hook in joined(neutral):
        kept, lost = _for_target(hook, origin, target, writing)
        wanted += kept
        losses += lost
    dumped: Dumped = writing.dump(wanted, places)
    return Converted(
        dumped.document, dumped.hooks, len(neutral), _in_order((*losses, *dumped.losses), neutral), loaded.diagnostics
    )


def kinds_of(native: NativeEvent) -> tuple[str, ...]:
    """The canonical events that a native event is for."""
    return (native.canonical, *(kind for kind in native.also if kind != RESULT))


def natives_for(dialect: Dialect, kind: str) -> list[NativeEvent]:
    """The native events of a dialect that are for a canonical one, the one that is named for it first."""
    found = [native for native in dialect.events if kind in kinds_of(native)]
    return sorted(found, key=lambda native: native.canonical != kind)


def _told(
    hook: PortableHook, native: NativeEvent, state: HookState | None, origin: Dialect, target: Dialect
) -> PortableHook:
    """
    The hook with its canonical events; one that was wrapped before is what it was.

    Back in its own ecosystem it has the event that it was for, of those that the wrapped one is for.
    """
    fields = dict(hook.fields)
    if state is not None and not state.enabled:
        fields["switch"] = "off"
    hook = replace(hook, kinds=kinds_of(native), fields=fields)
    wrapped = None if hook.command is None else unwrapped(hook.command)
    if wrapped is None or wrapped.target != origin.name:
        return hook
    fields[_SPOKEN] = wrapped._replace(target="", event=None, timeout=None, strict=False)
    hook = replace(hook, command=wrapped.command, argv=None, strict=wrapped.strict, fields=fields)
    own = next((spec for spec in target.events if spec.name == wrapped.native), None)
    if wrapped.origin != target.name:
        return hook
    fields[_SPOKEN] = wrapped._replace(target="", event=None, native=None, timeout=None, strict=False)
    if own is None:
        return hook
    return replace(hook, event=own.name, kinds=tuple(kind for kind in hook.kinds if kind in kinds_of(own)))


def _unfired(hook: Hook, origin: Dialect) -> Lost:
    what = f"{origin.name} has no event {hook.event!r}, so it never fires there, and it is left out"
    return Lost(hook.source.entry, "event", what)


def _unread(loaded: Loaded) -> list[Lost]:
    """What could not be read at all: errors of loading that are about no single entry, and events that nobody knows."""
    refused = {entry.source.entry for entry in loaded.rejected}
    hooks = [hook.source.entry for hook in loaded.hooks]
    losses = []
    for item in loaded.diagnostics:
        place, what = item.entry or item.file or "the file", item.message.removesuffix(".")
        if item.code == _UNKNOWN_EVENT:
            # Of hooks that load all the same each is named.
            if item.entry not in refused and not any(entry.startswith(place) for entry in hooks):
                losses.append(Lost(place, "event", what))
        elif item.severity == "error" and item.entry not in refused:
            losses.append(Lost(place, "file", what))
    return losses


def _rejection(entry: Rejected) -> Lost:
    problems = "; ".join(entry.problems)
    return Lost(entry.source.entry, "hook", f"it does not load, so it is left out: {problems}")


def _for_target(
    hook: PortableHook, origin: Dialect, target: Dialect, writing: Conversion
) -> tuple[list[PortableHook], list[Lost]]:
    """The hooks of the target that one hook becomes, one for each native event; and what is lost with those it has not."""
    if hook.selector.never:
        return [], [Lost(hook.place, "matcher", "it never matches, so it is left out")]
    if hook.handler not in target.handler_types:
        what = f"{target.name} has no handlers of the type `{hook.handler}`, so it is left out"
        return [], [Lost(hook.place, "handler", what)]
    fields = dict(hook.fields)
    before: Wrapped | None = fields.pop(_SPOKEN, None)
    hook = replace(hook, fields=fields)
    speaks = origin.name if before is None else before.origin
    adapted = hook.command is not None and speaks != target.name
    chosen, losses = _events(hook, target)
    if before is None and _observes(hook, chosen, origin, target):
        adapted = False
    problem = None if hook.command is None else _unusable(hook.command)
    if problem is not None:
        return [], [Lost(hook.place, "command", f"it {problem}, so it is left out")]
    if not adapted:
        losses += _beyond(hook, chosen, target)
    if hook.command is None and chosen:
        what = f"only commands can be adapted: what its `{hook.handler}` answers is read by the rules of {target.name}"
        losses.append(Lost(hook.place, "protocol", what))
    if not adapted:
        return [replace(hook, event=native.name) for native in chosen], losses
    calls = [(before or _wrap(hook, native, origin))._replace(target=target.name) for native in chosen]
    return [
        _wrapped(hook, native, call, writing.longest(native.name)) for native, call in zip(chosen, calls, strict=True)
    ], losses


def _unusable(command: str) -> str | None:
    """Why no configuration can hold a command, in words that follow "it"."""
    if "\0" in command:
        return "holds a NUL, which no program can be given"
    return None if command.strip() else "is empty"


def _observes(hook: PortableHook, chosen: Sequence[NativeEvent], origin: Dialect, target: Dialect) -> bool:
    """Both sides tell such hooks the same, being of one family, and neither hears what they answer."""
    if origin.family is None or origin.family != target.family:
        return False
    natives = [*(native for native in origin.events if native.name == hook.event), *chosen]
    return not any(native.steers for native in natives)


def _wrap(hook: PortableHook, native: NativeEvent, origin: Dialect) -> Wrapped:
    """Its command, with the event it is for where a call of `native` does not tell."""
    told = {spec.name for kind in kinds_of(native) for spec in natives_for(origin, kind)}
    return Wrapped(origin.name, "", hook.command or "", native=None if told == {hook.event} else hook.event)


def _wrapped(hook: PortableHook, native: NativeEvent, wrapped: Wrapped, longest: float | None) -> PortableHook:
    """The hook with its call, which is told the time that the agent will give it and not more."""
    timeout = hook.timeout if longest is None else min(hook.timeout, longest)
    call = wrapped._replace(event=native.name, timeout=timeout, strict=hook.strict)
    return replace(hook, event=native.name, command=call.line(), argv=None, adapted=True)


def _events(hook: PortableHook, target: Dialect) -> tuple[list[NativeEvent], list[Lost]]:
    """The target's events that a hook is for, and what they do not cover."""
    chosen: dict[str, NativeEvent] = {}
    losses = []
    for _, found in sorted(
        ((kind, natives_for(target, kind)) for kind in hook.kinds),
        key=lambda pair: not any(native.canonical == pair[0] for native in pair[1]),
    ):
        # One that is chosen already does, and so does its own of before, where it comes home.
        known = [native for native in found if native.name in chosen or native.name == hook.event]
        for native in (known or found)[:1]:
            chosen.setdefault(native.name, native)
    missing = [kind for kind in hook.kinds if not any(kind in kinds_of(native) for native in chosen.values())]
    if missing:
        left = "so it is left out" if not chosen else "so it does not run there"
        losses.append(
            Lost(hook.place, "event", f"{target.name} has no event for {' and '.join(missing)} ({hook.event}), {left}")
        )
    return list(chosen.values()), losses


def _beyond(hook: PortableHook, chosen: Iterable[NativeEvent], target: Dialect) -> list[Lost]:
    """What the events cover beyond the hook's own; a command that is adapted is not run on it."""
    return [
        Lost(hook.place, "event", f"{native.name} of {target.name} also runs it on {' and '.join(kinds)}")
        for native in chosen
        if (kinds := [kind for kind in kinds_of(native) if kind not in hook.kinds])
    ]


def _in_order(losses: Iterable[Lost], hooks: Sequence[PortableHook]) -> tuple[Lost, ...]:
    places = {hook.place: at for at, hook in enumerate(hooks)}
    return tuple(sorted(dict.fromkeys(losses), key=lambda loss: places.get(loss.place, len(places))))


class Wrapped(NamedTuple):
    """
    A command of one ecosystem as a hook of another.

    Attributes:
        origin: the dialect that the command speaks.
        target: the dialect whose agent calls it.
        command: the shell line.
        event: the native event of the agent that calls it.
        native: that of the command, where the call alone does not tell.
        timeout: seconds that the agent gives it.
        strict: the failure of the command refuses.
    """

    origin: str
    target: str
    command: str
    event: str | None = None
    native: str | None = None
    timeout: float | None = None
    strict: bool = False

    def line(self) -> str:
        """The shell line."""
        words = [*_PROGRAM, "--from", self.origin, "--to", self.target]
        words += [] if self.event is None else ["--event", self.event]
        words += [] if self.native is None else ["--as", self.native]
        words += [] if self.timeout is None else ["--timeout", seconds(self.timeout)]
        words += ["--strict"] if self.strict else []
        return shlex.join([*words, "--", self.command])


_VALUES = {"--from": "origin", "--to": "target", "--event": "event", "--as": "native", "--timeout": "timeout"}


def unwrapped(line: str) -> Wrapped | None:
    """What a shell line wraps, where `Wrapped.line` writes exactly this line; `None` for any other, which a shell may read otherwise."""
    if not line.startswith(" ".join(_PROGRAM)):
        return None
    try:
        found = _unwrapped(iter(shlex.split(line)[len(_PROGRAM) :]))
    except (ValueError, KeyError, StopIteration):
        return None
    return found if math.isfinite(found.timeout or 0) and found.line() == line else None


def _unwrapped(words: Iterator[str]) -> Wrapped:
    found = dict.fromkeys(("origin", "target"), "")
    strict = False
    while (word := next(words)) != "--":
        if word == "--strict":
            strict = True
        else:
            found[_VALUES[word]] = next(words)
    timeout = found.pop("timeout", None)
    return Wrapped(**found, command=next(words), timeout=None if timeout is None else float(timeout), strict=strict)
