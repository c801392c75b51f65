"""
From documents to hooks.

As seen with codex-cli 0.171.0: all layers add up, a wrong shape costs its file, and both representations of one layer
load. Where the client refuses its whole configuration, because a `config.toml` has a wrong shape, only that file is
refused here: no file of a repository may take the person's hooks away.
"""

from __future__ import annotations

import json
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import BrokenJsonError, BrokenTomlError, Loaded, Source, parse_json, parse_toml
from hookfw_claude.codex.entries import Entries, Origin
from hookfw_claude.codex.features import read_switch
from hookfw_claude.codex.plugins import MANIFEST, Plugin, inline_hooks, plugin_of
from hookfw_claude.codex.rules import DIALECT, EVENTS
from hookfw_claude.codex.shapes import file_problem, table_problem
from hookfw_claude.hook_state import Stored, read_state
from hookfw_claude.json_files import lines_of
from hookfw_claude.problems import Problems
from hookfw_claude.tool_calls import with_servers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Document, Hook, Places

_STATE: Final = "state"
_NO_EVENTS = frozenset({_STATE, "managed_dir", "windows_managed_dir"})
"""Members of the table `hooks` that are no events."""
_SERVERS: Final = ("config", "flags")
"""Roles of the documents that name MCP servers."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Settings(NamedTuple):
    """
    What loading keeps for judging.

    Attributes:
        config: the person's own `config.toml`, as it was read.
        own_state: the state it holds.
        session_state: the state given for this session.
    """

    config: Document | None = None
    own_state: Stored = _NOTHING
    session_state: Stored = _NOTHING


class _Source(NamedTuple):
    """A document with the table of events that it holds."""

    document: Document
    origin: Origin
    table: Mapping[str, Any]
    lines: Mapping[tuple[str | int, ...], int] = MappingProxyType({})


def load(documents: Sequence[Document], places: Places) -> Loaded:
    """The hooks of all layers in configuration order, the entries that were refused, and every finding."""
    loading = _Loading(windows=places.platform == "win32")
    loading.switches(documents)
    for position, document in enumerate(documents):
        before = documents[position - 1] if position else None
        loading.document(document, before)
    loaded = loading.finish(documents)
    return loaded._replace(hooks=with_servers(loaded.hooks, documents, _SERVERS, places))


def state_in(document: Document | None) -> Stored:
    """The state that a `config.toml` holds; none where it cannot be read, which loading says."""
    if document is None:
        return {}
    try:
        hooks = parse_toml(document.data).get("hooks")
    except BrokenTomlError:
        return {}
    return read_state(hooks.get(_STATE)) if isinstance(hooks, dict) else {}


def own_config(documents: Sequence[Document]) -> Document | None:
    """The person's own `config.toml`: with the session's flags the only one whose state counts."""
    return next((item for item in documents if item.scope == "user" and item.role == "config"), None)


class _Loading:
    """One run over all layers; gathers hooks and findings."""

    def __init__(self, *, windows: bool) -> None:
        self._windows = windows
        self._problems = Problems(DIALECT)
        self._hooks: list[Hook] = []
        self._managed_only: Document | None = None
        self._file: _Source | None = None
        self._plugin: Plugin | None = None

    def switches(self, documents: Sequence[Document]) -> None:
        """What is said about the switch of all hooks."""
        switch = read_switch(documents)
        if switch.off is not None:
            what = "all hooks are off, because `[features] hooks` is false here; set it to true or remove it"
            self._problems.note("hooks-off", "warning", _whole(switch.off), what)
        for document in switch.old_names:
            what = "`[features] codex_hooks` is the former name of this switch; write `hooks`"
            self._problems.note("deprecated-setting", "info", _whole(document), what)

    def document(self, document: Document, before: Document | None) -> None:
        """One document; `before` is the one that stands before it."""
        if self._managed_only is not None and document.scope != "managed":
            return
        if document.role == "untrusted":
            what = (
                "its hooks are not read, because the project is not trusted; to load them write "
                f'`trust_level = "trusted"` under `[projects.{json.dumps(os.path.dirname(document.path))}]` in your own `config.toml`'
            )
            self._problems.note("untrusted-project", "warning", _whole(document), what)
        elif document.problem is not None:
            kind = "plugin hooks config" if document.scope == "plugin" else "hooks config"
            what = f"failed to read {kind}: it {document.problem}; none of its hooks load until then"
            self._problems.note("unreadable-file", "error", _whole(document), what)
        elif document.role == MANIFEST:
            self._manifest(document)
        elif document.role == "hooks":
            self._json(document)
        else:
            self._toml(document, before)

    def finish(self, documents: Sequence[Document]) -> Loaded:
        """Everything that was gathered."""
        if self._managed_only is not None:
            what = "`allow_managed_hooks_only` leaves out the hooks of every other source"
            self._problems.note("managed-only", "info", _whole(self._managed_only), what)
        config = own_config(documents)
        flags = next((item for item in documents if item.role == "flags"), None)
        return Loaded(
            hooks=tuple(self._hooks),
            rejected=tuple(self._problems.rejected),
            diagnostics=self._problems.diagnostics,
            settings=Settings(config, state_in(config), state_in(flags)),
        )

    def _manifest(self, document: Document) -> None:
        """A plugin's manifest, with the hooks that stand in it."""
        try:
            content = parse_json(document.data)
        except BrokenJsonError as error:
            self._broken(document, "plugin manifest", error.detail, error.line)
            return
        # Its files of hooks follow.
        plugin = self._plugin = plugin_of(document)
        for number, table in enumerate(inline_hooks(content)):
            problem = file_problem(table)
            if problem is not None:
                self._broken(document, "plugin hooks config", f"hooks[{number}]: {problem.what}")
                continue
            origin = Origin(f"{plugin.id}:plugin.json#hooks[{number}]", plugin.environment())
            self._take(_Source(document, origin, table.get("hooks", {})))

    def _json(self, document: Document) -> None:
        kind = "hooks config"
        origin = Origin(document.path)
        if document.scope == "plugin" and self._plugin is not None:
            kind = f"plugin {kind}"
            origin = Origin(self._plugin.key_source(document.path), self._plugin.environment())
        try:
            content = parse_json(document.data)
        except BrokenJsonError as error:
            self._broken(document, kind, error.detail, error.line)
            return
        problem = file_problem(content)
        lines = lines_of(document.data)
        if problem is not None:
            self._broken(document, kind, problem.what, lines.get(("hooks", *problem.path)) if problem.path else None)
            return
        source = _Source(document, origin, content.get("hooks", {}), lines)
        # Its `config.toml` follows and has to know of it.
        self._file = source
        self._take(source)

    def _toml(self, document: Document, before: Document | None) -> None:
        try:
            content = parse_toml(document.data)
        except BrokenTomlError as error:
            self._broken(document, "TOML hooks", error.detail, error.line)
            return
        managed = document.scope == "managed"
        if document.role == "requirements" and content.get("allow_managed_hooks_only") is True:
            self._managed_only = document
        table = content.get("hooks", {})
        problem = table_problem(table)
        if problem is not None:
            self._broken(document, "TOML hooks", f"{problem.what}; Codex itself would start no session")
            return
        directory = table.get("windows_managed_dir" if self._windows else "managed_dir")
        is_named = document.role == "requirements" and isinstance(directory, str) and directory.startswith("/")
        source = _Source(document, Origin(directory if is_named else document.path, managed=managed), table)
        file = self._file
        if file is not None and file.document == before and _has_events(file.table) and _has_events(table):
            what = (
                f"loading hooks from both {file.document.path} and {document.path}; prefer a single representation for "
                "this layer"
            )
            self._problems.note("two-representations", "warning", _whole(document), what)
        self._take(source)

    def _broken(self, document: Document, kind: str, detail: str, line: int | None = None) -> None:
        what = f"failed to parse {kind}: {detail}; none of its hooks load until it is corrected"
        self._problems.note("broken-file", "error", _whole(document, line), what)

    def _take(self, source: _Source) -> None:
        entries = Entries(source.document, source.origin, source.lines, self._problems, windows=self._windows)
        for name in source.table:
            if name not in EVENTS and name not in _NO_EVENTS:
                entries.unknown_event(name)
        for name, rules in EVENTS.items():
            self._hooks += entries.hooks(source.table.get(name, []), rules)


def _whole(document: Document, line: int | None = None) -> Source:
    return Source(document.path, document.scope, "", line)


def _has_events(table: Mapping[str, Any]) -> bool:
    """Some event holds groups, valid or not."""
    return any(table.get(name) for name in EVENTS)
