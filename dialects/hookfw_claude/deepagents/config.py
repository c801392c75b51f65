"""
Configuration: which files there are, and the groups in them.

From the hooks document, "Setup", "Plugin hooks" and "Matchers"; what a fault costs and how handlers are numbered from the
public source. A handler's name is `<Event>:<group>:<handler>`: the group's place in the merged list of its event, the
handler's place among the valid ones of its group. A malformed group is gone before groups are numbered; one whose matcher
is refused keeps its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookfw import BrokenJsonError, Document, Loaded, parse_json, text
from hookfw_claude.deepagents import legacy, plugins, trust
from hookfw_claude.deepagents.environment import fill_in, plugin_variables
from hookfw_claude.deepagents.findings import Findings, Place
from hookfw_claude.deepagents.handlers import FIELDS, Handler, misspelt_fields, read_handler
from hookfw_claude.deepagents.locations import (
    plugin_data,
    project_hooks,
    project_root,
    root_of,
    trust_store,
    user_hooks,
)
from hookfw_claude.deepagents.merged import Group, Merged
from hookfw_claude.deepagents.rules import EVENTS, MATCHERS
from hookfw_claude.groups import Item, walk
from hookfw_claude.json_files import lines_of
from hookfw_claude.matcher import InvalidMatcherError, Matcher, compile_matcher

if TYPE_CHECKING:
    from hookfw import FileView, Hook, Places, Source
    from hookfw_claude.json_files import Path

ROOT = "project-root"
"""The role of a document that only says, by its path, where the project's root is."""

_GROUP_FIELDS = ("matcher", "hooks")
_FAULTS: Mapping[str, str] = {
    "event-not-a-list": "must be a list of groups, each with its `hooks`",
    "group-not-an-object": "must be an object with the list `hooks`",
    "no-handlers": "is no group: it needs a list `hooks`, and its handlers belong in there",
    "handlers-not-a-list": "has `hooks` that are no list of handlers",
    "handler-not-an-object": "must be an object with `type` and `command`",
}


def discover(places: Places, files: FileView) -> Sequence[Document]:
    """
    The hooks of the project and the person, the trusted workspaces and what plugins bring, as far as they exist.

    A session in the home directory has one file for both: it is the person's then.
    """
    root = project_root(places.workspace, files)
    own = files.document(user_hooks(places), "user")
    project = files.document(project_hooks(root), "project")
    if project is not None and own is not None and files.resolve(project.path) == files.resolve(own.path):
        project = None
    brought = plugins.discover(places, files)
    if any(plugins.plugin_of(document) for document in brought):
        brought.append(Document(path=root, scope="project", role=ROOT))
    found = (project, own, files.document(trust_store(places), "user", trust.STORE), *brought)
    return [document for document in found if document is not None]


def load(documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
    """The hooks of all documents that may be read; every problem told, none fatal."""
    findings = Findings()
    store = trust.read_store(documents)
    project = project_document(documents)
    left_out = project is not None and not trust_all and root_of(project.path) not in store.roots
    findings.diagnostics += trust.notes(store, project if left_out else None)
    findings.diagnostics += plugins.notes(documents)
    groups: dict[str, list[Group]] = {}
    for document in documents:
        if document is not project or not left_out:
            for event, group in _groups(document, documents, places, findings):
                groups.setdefault(event, []).append(group)
    merged = Merged(groups)
    return Loaded(tuple(merged.hooks()), tuple(findings.rejected), tuple(findings.diagnostics), merged)


def project_document(documents: Sequence[Document]) -> Document | None:
    """The project's hooks file, where it is one of its own."""
    return next((item for item in documents if item.scope == "project" and item.role == "hooks"), None)


def hooks_in(document: Document, places: Places) -> Sequence[Hook]:
    """The hooks a project's file would bring, for review: whatever is wrong with it is told when it is loaded."""
    return load([document], places, trust_all=True).hooks


def _groups(
    document: Document, documents: Sequence[Document], places: Places, findings: Findings
) -> Iterator[tuple[str, Group]]:
    """The groups of one document with their events; none for a document that holds no hooks."""
    plugin = plugins.plugin_of(document)
    if plugin is None and document.role != "hooks":
        return
    if document.problem is not None:
        findings.file(document, "config-read-failed", document.problem)
        return
    try:
        content = parse_json(document.data, constants=True)
    except BrokenJsonError as error:
        findings.file(document, "config-read-failed", f"cannot be read: {error.detail}; correct it", error.line)
        return
    reader = _Reader(document, findings, _variables(plugin, documents, places), plugin)
    if document.role.startswith(plugins.INLINE) and isinstance(content, dict):
        inline = plugins.inline_hooks(content)
        if inline is not None:
            yield from reader.table(*inline)
        return
    table = content.get("hooks") if isinstance(content, dict) else None
    if plugin is None and isinstance(content, dict) and legacy.is_legacy(table):
        yield from reader.legacy(content["hooks"])
    elif isinstance(table, dict):
        yield from reader.table(table, ("hooks",))
    else:
        detail = "must be a JSON object, with an object `hooks` that has the event names as its keys; correct it"
        findings.file(document, "invalid-config", detail)


def _variables(plugin: str | None, documents: Sequence[Document], places: Places) -> Mapping[str, str]:
    if plugin is None:
        return {}
    registry = plugins.read_registry(documents)
    folder = next((item.root for item in registry.plugins if item.id == plugin), None) or ""
    root = next((item.path for item in documents if item.role == ROOT), places.workspace)
    return plugin_variables(folder, plugin_data(places, plugin), root)


class _Reader:
    """One document under way."""

    def __init__(
        self, document: Document, findings: Findings, variables: Mapping[str, str], plugin: str | None
    ) -> None:
        self._document = document
        self._findings = findings
        self._variables = variables
        self._plugin = plugin
        self._lines: Mapping[Path, int] = {}

    def table(self, table: Mapping[str, Any], way: tuple[str, ...]) -> Iterator[tuple[str, Group]]:
        """The groups of an event table; `way` leads to it."""
        self._lines = {path[len(way) - 1 :]: line for path, line in lines_of(self._document.data, len(way) + 4).items()}
        for event, items in groupby(walk(table), key=lambda item: item.event):
            whole, *inside = items
            if whole.fault is not None or event not in EVENTS:
                self._refuse_event(whole, inside)
                continue
            for _, members in groupby(inside, key=lambda item: item.group):
                group = self._group(*members)
                if group is not None:
                    yield event, group

    def legacy(self, entries: list[dict[str, Any]]) -> Iterator[tuple[str, Group]]:
        """The groups that stand for the old entries that have an equivalent."""
        self._lines = lines_of(self._document.data, 2)
        carried = False
        skipped = []
        for found in legacy.migrate(entries):
            place = Place(self._document, f"hooks[{found.at}]", self._lines.get(("hooks", found.at)))
            if isinstance(found, legacy.Skipped):
                skipped.append((found, place))
                continue
            carried = True
            matcher = compile_matcher(found.matcher or "", MATCHERS)
            yield found.event, Group(found.matcher, matcher, [(found.handler, place.source)])
        whole = Place(self._document, "hooks", self._lines.get(("hooks",)))
        detail = "has the old form of legacy hooks, which is deprecated; name events as keys of an object instead"
        self._findings.tell("legacy-deprecated", "warning", whole, detail)
        code, detail = (
            ("legacy-migrated", "was read as the legacy form, and what has an equivalent event today was carried over")
            if carried
            else ("legacy-unmapped", "was read as the legacy form, and nothing in it has an equivalent event today")
        )
        self._findings.tell(code, "warning", whole, detail)
        for found, place in skipped:
            if found.whole:
                self._findings.refuse(place, None, [found.detail], "legacy-skipped")
            else:
                self._findings.tell("legacy-skipped", "warning", place, f"{found.detail}; that event was left out")

    def _place(self, item: Item) -> Place:
        return Place(self._document, item.entry, self._lines.get(("hooks", *item.path)))

    def _refuse_event(self, whole: Item, inside: Sequence[Item]) -> None:
        if whole.fault is not None:
            problem = _FAULTS[whole.fault]
        else:
            meant = text.closest(whole.event, EVENTS)
            hint = f"did you mean {meant}?" if meant else f"there are {', '.join(EVENTS)}"
            problem = f"is no event of this agent; {hint}"
        handlers = [item for item in inside if item.handler is not None or item.fault is not None]
        places = [self._place(item) for item in handlers]
        self._findings.refuse_all(places, self._place(whole), whole.event, problem, "invalid-config")

    def _group(self, whole: Item, *members: Item) -> Group | None:
        """The group, or `None` for one that is malformed or of which nothing is left."""
        place = self._place(whole)
        if whole.fault is not None:
            self._findings.refuse_all((), place, whole.event, _FAULTS[whole.fault], "invalid-config")
            return None
        self._warn_of_misspelt(whole.fields, _GROUP_FIELDS, place)
        valid = [entry for item in members if (entry := self._handler(item)) is not None]
        if members and not valid:
            return None
        sources = [Place(self._document, source.entry, source.line) for _, source in valid]
        if not (whole.matcher is None or isinstance(whole.matcher, str)):
            problem = "has a `matcher` that is no text; write a text, or leave it out to match everything"
            self._findings.refuse_all(sources, place, whole.event, problem, "invalid-config")
            return None
        return Group(whole.matcher, self._compiled(whole, sources), valid, self._plugin)

    def _compiled(self, whole: Item, sources: Sequence[Place]) -> Matcher | None:
        """The group's matcher, or `None` where it is refused."""
        written = whole.matcher if isinstance(whole.matcher, str) else ""
        if EVENTS[whole.event].subject is None and written not in MATCHERS.everything:
            code = "unsupported-matcher"
            problem = f"has the `matcher` {written!r}, but {whole.event} has nothing to match; leave it out"
        else:
            try:
                return compile_matcher(written, MATCHERS)
            except InvalidMatcherError as error:
                code = "invalid-matcher"
                problem = f"has the `matcher` {written!r}, which is no valid pattern ({error.detail}); correct it"
        self._findings.refuse_all(sources, self._place(whole), whole.event, problem, code)
        return None

    def _handler(self, item: Item) -> tuple[Handler, Source] | None:
        place = self._place(item)
        if item.fault is not None:
            self._findings.refuse(place, item.event, [_FAULTS[item.fault]])
            return None
        handler = read_handler(item.value)
        if not isinstance(handler, Handler):
            self._findings.refuse(place, item.event, handler)
            return None
        self._warn_of_misspelt(item.value, FIELDS, place)
        if self._variables:
            handler = replace(
                handler,
                argv=None if handler.argv is None else fill_in(handler.argv, self._variables),
                variables=self._variables,
                folders=(self._variables["PLUGIN_DATA"],),
            )
        return handler, place.source

    def _warn_of_misspelt(self, given: Mapping[str, Any], known: tuple[str, ...], place: Place) -> None:
        for name, meant in misspelt_fields(given, known):
            detail = f"has the field {name!r}, which is ignored; did you mean {meant!r}?"
            self._findings.tell("unknown-field", "warning", place, detail)
