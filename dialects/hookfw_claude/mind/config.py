"""
From documents to hooks.

From "Hooks configuration" and the paragraphs on fields and tolerance of the hooks document; what each fault costs, which
event names load and the order of definitions from the public source. A bad handler costs itself and a bad group itself, in
`hooks.json` as in `config.toml`; what a file may hold beside that costs the file.
"""

from __future__ import annotations

import json
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import BrokenJsonError, BrokenTomlError, Loaded, Source, parse_json, parse_toml, text
from hookfw_claude.hook_state import Stored, read_state
from hookfw_claude.json_files import lines_of
from hookfw_claude.mind import trust
from hookfw_claude.mind.entries import Entries
from hookfw_claude.mind.rules import DIALECT, EVENTS
from hookfw_claude.problems import Problems, quoted
from hookfw_claude.tool_calls import with_servers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Document, Hook, Places

_FILE_FIELDS = ("description", "hooks")
_STATE: Final = "state"
_SERVERS: Final = ("config", "profile", "override")
"""Roles of the documents that name MCP servers."""


class Settings(NamedTuple):
    """
    What loading keeps for judging.

    Attributes:
        config: the person's own `config.toml`, as it was read.
        own_state: the state it holds.
        session_states: the states given for this session, in their order.
    """

    config: Document | None = None
    own_state: Stored = MappingProxyType({})
    session_states: tuple[Stored, ...] = ()


def load(documents: Sequence[Document], places: Places) -> Loaded:
    """The hooks of all layers in configuration order, the entries that were refused, and every finding."""
    loading = _Loading(windows=places.platform == "win32")
    for layer in _layers([document for document in documents if document.role != "override"]):
        loading.layer(layer)
    for document in documents:
        if document.role == "override":
            loading.override(document)
    loaded = loading.finish(documents)
    return loaded._replace(hooks=with_servers(loaded.hooks, documents, _SERVERS, places))


def state_in(document: Document | None) -> Stored:
    """The state that the person's own configuration holds; none where it cannot be read, which loading says."""
    if document is None:
        return {}
    try:
        hooks = parse_toml(document.data).get("hooks")
    except BrokenTomlError:
        return {}
    return read_state(hooks.get(_STATE)) if isinstance(hooks, dict) else {}


def own_config(documents: Sequence[Document]) -> Document | None:
    """The person's own `config.toml`: the one file that may hold state."""
    return next((item for item in documents if item.scope == "user" and item.role == "config"), None)


def _layers(documents: Sequence[Document]) -> list[list[Document]]:
    """A `hooks.json` together with the `config.toml` that follows it; any other document alone."""
    layers: list[list[Document]] = []
    open_layer = False
    for document in documents:
        if open_layer:
            layers[-1].append(document)
        else:
            layers.append([document])
        open_layer = document.role == "hooks"
    return layers


class _Loading:
    """One run over all layers; gathers hooks and findings."""

    def __init__(self, *, windows: bool) -> None:
        self._windows = windows
        self._problems = Problems(DIALECT)
        self._hooks: list[Hook] = []
        self._session_states: list[Stored] = []

    def layer(self, documents: Sequence[Document]) -> None:
        """Both representations of one layer, the file first. A broken `config.toml` is an error of the whole layer."""
        config = documents[-1]
        if config.role == "untrusted":
            what = (
                "its hooks are not read, because the project is not trusted; to load them write "
                f'`trust_level = "trusted"` under `[projects.{json.dumps(os.path.dirname(config.path))}]` in your own `config.toml`'
            )
            self._problems.note("untrusted-project", "warning", Source(config.path, config.scope, ""), what)
            return
        inline = self._inline(config)
        if inline is None:
            return
        tables = [(config, inline)]
        if len(documents) > 1:
            file = self._file(documents[0])
            tables.insert(0, (documents[0], file))
            if _has_events(file) and _has_events(inline):
                what = f"hooks load both from here and from {config.path}; keep one representation for this layer"
                self._problems.note("two-representations", "warning", _whole(documents[0]), what)
        for document, table in tables:
            self._take(document, table)

    def override(self, document: Document) -> None:
        """
        A setting given for this session.

        `hooks` as a whole replaces the hooks of all layers, and what was found wrong with them; `hooks.state` changes
        state alone; a part of `hooks` cannot be given, and other settings are not ours.
        """
        source = _whole(document)
        try:
            given = parse_toml(document.data)
        except BrokenTomlError as error:
            what = f"the override {quoted(text.decode(document.data))} is ignored: {error.detail}"
            self._problems.note("broken-override", "error", source, what)
            return
        if "hooks" not in given:
            return
        hooks = given["hooks"]
        whole = _is_whole_table(document.data)
        if not isinstance(hooks, dict):
            self._problems.note(
                "broken-override", "error", source, "the override of `hooks` is ignored: it is no table"
            )
        elif whole or set(hooks) == {_STATE}:
            if whole:
                self._problems = Problems(DIALECT)
                self._hooks = []
                self._take(document, hooks)
            if _STATE in hooks:
                self._override_state(document, hooks[_STATE])
        else:
            name = next(iter(set(hooks) - {_STATE}))
            what = f"the override of `hooks.{name}` is ignored: give `hooks` as a whole, or `hooks.state`"
            self._problems.note("unknown-override", "error", source, what)

    def _override_state(self, document: Document, state: Any) -> None:
        problem = trust.override_problem(state)
        if problem is None:
            self._session_states.append(read_state(state))
        else:
            what = f"the override of `hooks.state` is ignored: {problem}"
            self._problems.note("broken-override", "error", _whole(document), what)

    def finish(self, documents: Sequence[Document]) -> Loaded:
        """Everything that was gathered."""
        config = own_config(documents)
        return Loaded(
            hooks=tuple(self._hooks),
            rejected=tuple(self._problems.rejected),
            diagnostics=self._problems.diagnostics,
            settings=Settings(config, state_in(config), tuple(self._session_states)),
        )

    def _inline(self, document: Document) -> Mapping[str, Any] | None:
        """The table `hooks` of a `config.toml`; `None`, with the problem told, where the layer is in error."""
        if document.problem is not None:
            what = f"it {document.problem}; no hooks of this layer load until then"
            self._problems.note("unreadable-file", "error", _whole(document), what)
            return None
        try:
            hooks = parse_toml(document.data).get("hooks", {})
        except BrokenTomlError as error:
            what = f"{error.detail}; no hooks of this layer load until it is corrected"
            self._problems.note("broken-file", "error", _whole(document, error.line), what)
            return None
        if isinstance(hooks, dict):
            return hooks
        what = "`hooks` must be a table; no hooks of this layer load until it is corrected"
        self._problems.note("broken-file", "error", _whole(document), what)
        return None

    def _file(self, document: Document) -> Mapping[str, Any]:
        """The events of a `hooks.json`; empty, with the problem told, where the file is refused."""
        line: int | None = None
        if document.problem is not None:
            problem = f"it {document.problem}"
        else:
            try:
                content = parse_json(document.data)
            except BrokenJsonError as error:
                problem, line = error.detail, error.line
            else:
                wrong = _file_problem(content)
                if wrong is None:
                    events: Mapping[str, Any] = content.get("hooks", {})
                    return events
                problem = wrong
        what = f"{problem}; no hooks of this file load until it is corrected"
        self._problems.note("broken-file", "error", _whole(document, line), what)
        return {}

    def _take(self, document: Document, table: Mapping[str, Any]) -> None:
        lines = lines_of(document.data) if document.role == "hooks" and table else {}
        entries = Entries(document, lines, self._problems, windows=self._windows)
        for name in sorted(set(table) - set(EVENTS) - {_STATE}):
            entries.unknown_event(name)
        for name in EVENTS:
            if name in table:
                self._hooks += entries.hooks(table[name], EVENTS[name])


def _whole(document: Document, line: int | None = None) -> Source:
    return Source(document.path, document.scope, "", line)


def _has_events(table: Mapping[str, Any]) -> bool:
    """Some event holds groups, valid or not."""
    return any(isinstance(table.get(name), list) and table[name] for name in EVENTS)


def _file_problem(content: Any) -> str | None:
    """Why a `hooks.json` is refused as a whole; `None` when it is not."""
    if not isinstance(content, dict):
        return "it must hold a JSON object"
    for name in content:
        if name not in _FILE_FIELDS:
            return f"the field {quoted(name)} is not known here; only `description` and `hooks` are"
    if not isinstance(content.get("description", ""), str | None):
        return "`description` must be a text"
    return None if isinstance(content.get("hooks", {}), dict) else "`hooks` must be an object"


def _is_whole_table(data: bytes) -> bool:
    """The override is of `hooks` itself, not of something in it."""
    return data.split(b"=", 1)[0].strip() == b"hooks"
