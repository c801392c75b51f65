"""Loading: from places to a hook set, dialect by dialect."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from hookfw.diagnostics import Diagnostic
from hookfw.errors import PluginError
from hookfw.guard import FAILURES
from hookfw.hooks import TRUSTED, DialectHooks, Hook, HookSet, HookState, Loaded, Source
from hookfw.matching import MEMO_LIMIT, HookIndex
from hookfw.scripts import check_scripts
from hookfw.sharing import in_several_families

if TYPE_CHECKING:
    from hookfw.dialect import Dialect, DialectInfo, Row
    from hookfw.host import Host
    from hookfw.matching import Selection
    from hookfw.resources import Resources
    from hookfw.sources import FileView, Places

TrustPolicy = Literal["stored", "all", "listed"]
"""
`stored`: what the person's own files say, nothing else. `all`: every loaded hook counts as reviewed. `listed`: as
`stored`, but what an ecosystem does not even read without consent is loaded too, for people to see; it does not run.
"""


@dataclass(frozen=True, slots=True)
class ActiveDialect:
    """
    One dialect with what it loaded, ready to fire.

    Attributes:
        dialect: the dialect.
        part: what it loaded.
        index: its hooks, ready for matching.
        kinds: canonical events that can reach one of its hooks.
        keys: for each of these kinds whose hooks are all found by literal keys, the keys.
        passed: whether an event of a kind with a tool of a name can be passed over, as far as that was asked.
    """

    dialect: Dialect
    part: DialectHooks
    index: HookIndex
    kinds: frozenset[str]
    keys: Mapping[str, frozenset[str]]
    passed: dict[tuple[str, str], bool] = field(default_factory=dict)

    def passes_over(self, kind: str, tool: str) -> bool:
        """No hook can apply to an event of this kind with a tool of this name, whatever else it holds."""
        found = self.passed.get((kind, tool))
        if found is None:
            found = self._passes_over(kind, tool)
            if len(self.passed) >= MEMO_LIMIT:
                self.passed.clear()
            self.passed[kind, tool] = found
        return found

    def runs_alone(self, rows: Iterable[tuple[Row, Selection]]) -> bool:
        """
        A hook that may run matches, and its ecosystem says that it may change the call: no other call may run beside it.

        The arguments as they are prove nothing about what will run, so neither does what an agent knows of the tool.
        """
        return any(
            row.native_event in self.dialect.serial and any(self.part.states[hook].runs for hook in selection.hooks)
            for row, selection in rows
        )

    def _passes_over(self, kind: str, tool: str) -> bool:
        keys = self.keys.get(kind)
        subjects = None if keys is None else self.dialect.subjects(kind, tool)
        return keys is not None and subjects is not None and keys.isdisjoint(subjects)


class Choice(NamedTuple):
    """
    What is loaded, and what of it may run.

    Attributes:
        names: dialects, in firing order; `None` for every one that has a configuration.
        mode: the compatibility mode, whose dialect comes first.
        trust: what counts as reviewed.
        strict_scripts: an approved hook whose script changed does not run.
        thorough: every dialect is asked, those too whose ecosystem left no trace.
        without: dialects that never fire.
        withheld: why a hook is listed and never started; `None` for those that are.
    """

    names: Sequence[str] | None = None
    mode: str | None = None
    trust: TrustPolicy = "stored"
    strict_scripts: bool = False
    thorough: bool = False
    without: Sequence[str] = ()
    withheld: Callable[[Hook], str | None] | None = None


def load_dialects(
    resources: Resources, choice: Choice, places: Places, files: FileView
) -> tuple[HookSet, tuple[ActiveDialect, ...]]:
    """
    Discover, load and judge the hooks of each dialect.

    Named dialects are taken in their order. Without names every dialect that has a configuration is active: the one of
    the compatibility mode first, then by name. Raises `UnknownDialectError` for a name nobody registers.
    """
    host, names, mode = resources.host, choice.names, choice.mode
    chosen = (
        sorted(host.dialects, key=lambda name: (name != mode, name)) if names is None else list(dict.fromkeys(names))
    )
    active: list[ActiveDialect] = []
    broken: list[Diagnostic] = []
    for name in chosen:
        if name in choice.without:
            continue
        may_skip = names is None and name != mode and not (choice.thorough or places.plugin_dirs)
        if may_skip and not _has_traces(host.dialects[name], places, files):
            continue
        try:
            dialect = host.dialect(name)
        except PluginError as error:
            broken.append(Diagnostic("dialect-failed", "error", f"{error} None of its hooks run."))
            continue
        loaded = _load_one(dialect, places, files, choice)
        broken += _without_handler(resources, loaded)
        if names is not None or loaded.part.documents or loaded.part.loaded.diagnostics:
            active.append(loaded)
    parts = tuple(item.part for item in active)
    return (
        HookSet(
            parts=parts,
            diagnostics=(
                *broken,
                *(note for part in parts for note in part.loaded.diagnostics),
                *in_several_families(active),
            ),
            watched=files.asked,
        ),
        tuple(active),
    )


def _without_handler(resources: Resources, active: ActiveDialect) -> list[Diagnostic]:
    """What cannot run, because its handler type is not installed or lacks something: once a type, at load."""
    waiting: dict[str, list[Hook]] = {}
    for hook in active.part.loaded.hooks:
        if hook.handler != "command":
            waiting.setdefault(hook.handler, []).append(hook)
    return [
        Diagnostic(
            "handler-missing",
            "error",
            f"{len(hooks)} hook{'s' * (len(hooks) > 1)} of {active.dialect.name} cannot run: {problem}.",
            file=first.source.path,
            entry=first.source.entry,
            hook=first.name,
        )
        for kind, hooks in waiting.items()
        if (problem := _why_not(resources, kind)) is not None
        # A guard that cannot stand is what people must hear of first.
        for first in [next((hook for hook in hooks if hook.strict), hooks[0])]
    ]


def _why_not(resources: Resources, kind: str) -> str | None:
    """Why handlers of a type cannot run in this session, with the remedy."""
    unusable = resources.host.unusable_handler(kind)
    if unusable is not None:
        return unusable
    try:
        lacking = resources.host.handler_types[kind].lacks(resources)
    except FAILURES as error:
        return f"the handler type {kind!r} failed while it was asked what it lacks ({type(error).__name__}); report it"
    return None if lacking is None else f"handlers of the type {kind!r} cannot work: each {lacking}"


def _has_traces(info: DialectInfo, places: Places, files: FileView) -> bool:
    """Something of the ecosystem is there, so that it may have a configuration."""
    return not info.traces or any(
        bool(places.environ.get(trace[1:])) if trace.startswith("$") else any(map(files.exists, _paths(trace, places)))
        for trace in info.traces
    )


def _paths(trace: str, places: Places) -> list[str]:
    if trace.startswith("~/"):
        return [os.path.join(places.home, trace[2:])]
    if os.path.isabs(trace):
        return [trace]
    folders = [places.workspace]
    while os.path.dirname(folders[-1]) != folders[-1]:
        folders.append(os.path.dirname(folders[-1]))
    return [os.path.join(folder, trace) for folder in folders]


def _load_one(dialect: Dialect, places: Places, files: FileView, choice: Choice) -> ActiveDialect:
    """One dialect; what it raises is a diagnostic, and never touches another dialect."""
    trust = choice.trust
    try:
        documents = tuple(dialect.discover(places, files))
        if trust == "listed":
            loaded = dialect.preview(documents, places)
        else:
            loaded = dialect.load(documents, places, trust_all=trust == "all")
        states = dict(dialect.judge(loaded, documents, places))
        if trust != "all":
            reviews = dialect.reviews(loaded, documents, places)
            states, notes = check_scripts(states, reviews, places, files, strict=choice.strict_scripts)
            loaded = loaded._replace(diagnostics=(*loaded.diagnostics, *notes)) if notes else loaded
    except Exception as error:  # noqa: BLE001 - a dialect is a plugin
        problem = Diagnostic(
            "dialect-failed",
            "error",
            f"The dialect {dialect.name!r} failed while loading, so none of its hooks run: "
            f"{type(error).__name__}: {error}; report it to whoever made the dialect.",
        )
        documents, loaded, states = (), Loaded(diagnostics=(problem,)), {}
    if trust == "all":
        states = {hook: HookState("trusted", state.enabled) for hook, state in states.items()}
    reasons = {} if choice.withheld is None else {hook: why for hook in loaded.hooks if (why := choice.withheld(hook))}
    if reasons:
        from hookfw.guests.withholding import withholding  # noqa: PLC0415 - only where a guest meets another

        # Nobody has to consent to what never starts.
        dialect, states = withholding(dialect, reasons), states | dict.fromkeys(reasons, TRUSTED)
    part = DialectHooks(dialect=dialect.name, loaded=loaded, documents=documents, states=states)
    index = HookIndex(loaded.hooks)
    reached: dict[str, list[str]] = {}
    for native in dialect.events:
        if native.name in index.events:
            for kind in (native.canonical, *native.also):
                reached.setdefault(kind, []).append(native.name)
    keys = {kind: found for kind, names in reached.items() if (found := index.literal_keys(names)) is not None}
    return ActiveDialect(dialect, part, index, frozenset(reached), keys)


def python_hooks(host: Host, kinds: Sequence[str]) -> list[Hook]:
    """The Python handlers of the installed plugins, as hooks for lists."""
    return [
        Hook(
            name=plugin,
            dialect="python",
            event=kind,
            handler="python",
            summary=f"{plugin}:{kind}",
            source=Source(plugin, "plugin", kind),
            timeout=options.timeout,
            strict=options.strict,
        )
        for kind in kinds
        for plugin, options in host.python_options(kind)
    ]
