"""Loading: from places to a hook set, dialect by dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hookfw.diagnostics import Diagnostic
from hookfw.errors import PluginError
from hookfw.hooks import DialectHooks, Hook, HookSet, HookState, Loaded, Source
from hookfw.matching import HookIndex
from hookfw.scripts import check_scripts

if TYPE_CHECKING:
    from hookfw.dialect import Dialect
    from hookfw.host import Host
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
    """

    dialect: Dialect
    part: DialectHooks
    index: HookIndex
    kinds: frozenset[str]


def load_dialects(
    host: Host,
    names: Sequence[str] | None,
    mode: str | None,
    places: Places,
    files: FileView,
    trust: TrustPolicy,
    *,
    strict_scripts: bool = False,
) -> tuple[HookSet, tuple[ActiveDialect, ...]]:
    """
    Discover, load and judge the hooks of each dialect.

    `names` are taken in their order. Without them every dialect that has a configuration is active: the one of the
    compatibility mode first, then by name. Raises `UnknownDialectError` for a name nobody registers.
    """
    chosen = (
        sorted(host.dialects, key=lambda name: (name != mode, name)) if names is None else list(dict.fromkeys(names))
    )
    active: list[ActiveDialect] = []
    broken: list[Diagnostic] = []
    for name in chosen:
        try:
            dialect = host.dialect(name)
        except PluginError as error:
            broken.append(Diagnostic("dialect-failed", "error", f"{error} None of its hooks run."))
            continue
        loaded = _load_one(dialect, places, files, trust, strict_scripts=strict_scripts)
        if names is not None or loaded.part.documents or loaded.part.loaded.diagnostics:
            active.append(loaded)
    parts = tuple(item.part for item in active)
    return (
        HookSet(
            parts=parts,
            diagnostics=(*broken, *(note for part in parts for note in part.loaded.diagnostics)),
            watched=files.asked,
        ),
        tuple(active),
    )


def _load_one(
    dialect: Dialect, places: Places, files: FileView, trust: TrustPolicy, *, strict_scripts: bool
) -> ActiveDialect:
    """One dialect; what it raises is a diagnostic, and never touches another dialect."""
    try:
        documents = tuple(dialect.discover(places, files))
        loaded = dialect.load(documents, places, trust_all=trust != "stored")
        states = dict(dialect.judge(loaded, documents, places))
        if trust != "all":
            reviews = dialect.reviews(loaded, documents, places)
            states, notes = check_scripts(states, reviews, places, files, strict=strict_scripts)
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
    part = DialectHooks(dialect=dialect.name, loaded=loaded, documents=documents, states=states)
    index = HookIndex(loaded.hooks)
    kinds = {
        kind for native in dialect.events if native.name in index.events for kind in (native.canonical, *native.also)
    }
    return ActiveDialect(dialect, part, index, frozenset(kinds))


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
