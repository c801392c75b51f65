"""
From documents to hooks.

From the contract, "Where hooks are configured" and "Loading rules". Hooks of all files add up; what is said about the files
together (switches, limits, the time of SessionEnd hooks) is worked out when all are read.
"""

from __future__ import annotations

import math
import os.path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import BrokenJsonError, Loaded, Source, parse_json
from hookfw_claude.claude_code import plugins, sending, servers
from hookfw_claude.claude_code.entries import Entries
from hookfw_claude.claude_code.locations import PROJECT_SERVERS, SETTINGS, TRUST
from hookfw_claude.claude_code.rules import (
    DIALECT,
    SESSION_END,
    SESSION_END_BUDGET,
    SESSION_END_LIMIT,
    SESSION_END_VARIABLE,
)
from hookfw_claude.claude_code.switches import SettingsFile, Switches, odd_settings
from hookfw_claude.json_files import lines_of
from hookfw_claude.problems import Problems, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Document, Hook, Places
    from hookfw_claude.claude_code.handlers import Handler
    from hookfw_claude.claude_code.plugins import Plugin


class Settings(NamedTuple):
    """
    What loading keeps for judging and firing.

    Attributes:
        off: why a hook is switched off.
        conditional: the events of which some hook has an `if` rule.
    """

    off: Mapping[Hook, str] = MappingProxyType({})
    conditional: frozenset[str] = frozenset()


def load(documents: Sequence[Document], places: Places) -> Loaded:
    """The hooks of all documents in configuration order, the entries that were refused, and every finding."""
    problems = Problems(DIALECT)
    read = [(document, _content(document, problems)) for document in documents if not _is_aside(document)]
    settings: list[SettingsFile] = []
    hooks: list[Hook] = []
    for document, content in read:
        if document.role != SETTINGS or content is None:
            continue
        loaded = _hooks_of(document, content, problems, None, places)
        if loaded is not None:
            settings.append(SettingsFile(document, content))
            hooks += loaded
            for odd in odd_settings(content):
                problems.note("ignored-setting", "warning", Source(document.path, document.scope, ""), odd)
    switches = Switches(settings)
    of_plugins = _plugins(read, places, switches)
    for document, content, plugin in of_plugins:
        hooks += _hooks_of(document, content, problems, plugin, places) or ()
    manifests: dict[str, tuple[Plugin, Mapping[str, Any]]] = {
        plugin.root: (plugin, {}) for _, _, plugin in of_plugins
    } | {
        plugin.root: (plugin, content)
        for document, content, plugin in of_plugins
        if document.role.startswith(plugins.MANIFEST)
    }
    rejected = [file.content.get("disabledMcpjsonServers") for file in settings]
    hooks = servers.with_servers(hooks, documents, manifests.values(), rejected, places, problems)
    servers.note_broken(documents, hooks, problems)
    hooks = [_within_limits(hook, switches, places, problems) for hook in _within_the_end(hooks, places, problems)]
    off = {hook: why for hook in hooks if (why := switches.off(hook, hook.config.plugin)) is not None}
    return Loaded(
        hooks=tuple(hooks),
        rejected=tuple(problems.rejected),
        diagnostics=problems.diagnostics,
        settings=Settings(
            off,
            frozenset(hook.event for hook in hooks if hook.config.condition is not None),
        ),
    )


def _is_aside(document: Document) -> bool:
    """It is looked at for trust or for MCP servers, and holds no hooks."""
    return document.role in (TRUST, PROJECT_SERVERS) or document.role.startswith(plugins.SERVERS)


def _content(document: Document, problems: Problems) -> Mapping[str, Any] | None:
    """What a file holds; `None`, with the problem told, where it cannot be used."""
    line: int | None = None
    problem = f"it {document.problem}" if document.problem is not None else None
    if problem is None:
        try:
            content = parse_json(document.data)
        except BrokenJsonError as error:
            problem, line = error.detail, error.line
        else:
            if isinstance(content, dict):
                return content
            problem = "it must hold a JSON object"
    source = Source(document.path, document.scope, "", line)
    problems.note("broken-file", "error", source, f"{problem}; until that is corrected it counts for nothing")
    return None


def _hooks_of(
    document: Document, content: Mapping[str, Any], problems: Problems, plugin: Plugin | None, places: Places
) -> list[Hook] | None:
    """The hooks of one file; `None` where it is void."""
    source = Source(document.path, document.scope, "")
    table = content.get("hooks", {})
    if document.role.startswith(plugins.MANIFEST) and isinstance(table, str | list):
        # Paths, which were followed when the documents were found.
        return []
    if not isinstance(table, dict):
        problems.note(
            "broken-hooks", "error", source, f"`hooks` must be an object, not {quoted(table)}; none of it loads"
        )
        return []
    if document.scope in ("project", "local") and not document.path.startswith(os.path.join(places.workspace, "")):
        what = "the project's settings are a link out of the project; they count, but look at who can change that file"
        problems.note("linked-settings", "warning", source, what)
    entries = Entries(document, lines_of(document.data) if table else {}, problems, plugin, places.handler_types)
    entries.read(table)
    if entries.voided_by:
        entries.void()
        return None
    return entries.hooks


def _plugins(
    read: Sequence[tuple[Document, Mapping[str, Any] | None]], places: Places, switches: Switches
) -> list[tuple[Document, Mapping[str, Any], Plugin]]:
    """Every usable document of a plugin, what it holds, and the plugin; manifests come first."""
    names: dict[str, str] = {}
    found = []
    for document, content in read:
        root = plugins.root_of(document)
        if root is None or content is None:
            continue
        if document.role.startswith(plugins.MANIFEST):
            names[root] = plugins.name_of(content, root)
        name = names.get(root) or plugins.name_of(None, root)
        found.append((document, content, plugins.make_plugin(name, root, places, switches.plugin_configs)))
    return found


def _within_the_end(hooks: list[Hook], places: Places, problems: Problems) -> list[Hook]:
    """The hooks, those of SessionEnd within the time they have together."""
    own = [hook.timeout for hook in hooks if _sets_the_end(hook)]
    budget = min(max([SESSION_END_BUDGET, *own]), SESSION_END_LIMIT)
    note = f"SessionEnd hooks have {budget:g}s together"
    override = places.environ.get(SESSION_END_VARIABLE)
    if override is not None:
        milliseconds = _number(override)
        if milliseconds is None:
            source = Source(SESSION_END_VARIABLE, "user", "")
            problems.note(
                "ignored-variable", "warning", source, f"{quoted(override)} is no number of milliseconds above 0"
            )
        else:
            budget, note = milliseconds / 1000, f"{SESSION_END_VARIABLE} gives {milliseconds / 1000:g}s"
    return [
        hook._replace(timeout=budget, timeout_note=note)
        if hook.event == SESSION_END and hook.timeout > budget
        else hook
        for hook in hooks
    ]


def _sets_the_end(hook: Hook) -> bool:
    """A settings file gives this SessionEnd hook a time of its own; a plugin raises nothing."""
    return hook.event == SESSION_END and "timeout" in hook.config.fields and hook.config.plugin is None


def _number(written: str) -> float | None:
    try:
        value = float(written)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None


def _within_limits(hook: Hook, switches: Switches, places: Places, problems: Problems) -> Hook:
    """An `http` hook within what settings let such hooks call and send; any other hook as it is."""
    handler: Handler = hook.config
    if handler.type != "http":
        return hook
    for lost in sending.withheld(handler, switches.env_vars, places.environ):
        problems.note("empty-header", "warning", hook.source, lost, hook.name)
    names = handler.fields.get("allowedEnvVars", [])
    if switches.env_vars is not None:
        names = [name for name in names if name in switches.env_vars]
    fields = {**handler.fields, "allowedEnvVars": names}
    return hook._replace(config=handler._replace(fields=fields, blocked=switches.url_problem(handler.fields["url"])))
