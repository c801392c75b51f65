"""
Configuration: from documents to hooks.

From the hooks document, "Configure hooks", and the documents on configuration and plugins: the person's file is the base, and
without it there is nothing for the project's layers to go over; objects are merged, lists are replaced; the hooks of
packages come after those of the configuration, event by event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw import BrokenJsonError, Diagnostic, Hook, Loaded, Rejected, Source, text
from hookfw_wuu import notes, packages, skills, trust
from hookfw_wuu.entries import Item, Lists, Part, read_part
from hookfw_wuu.folding import fold, is_for_all
from hookfw_wuu.json_files import read_object
from hookfw_wuu.locations import BASE, user_config
from hookfw_wuu.rules import DIALECT, EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Document, Places
    from hookfw_wuu.packages import Package

REMOVED: Final = "hooks-removed"
"""Code of the diagnostic about a layer that takes hooks of the person's away."""

_SUMMARY_LIMIT: Final = 60
_EMPTY: Final = {
    "command": "it has nothing to say and everything passes it",
    "prompt": "the model is asked nothing, and what it replies decides all the same",
}
"""What a hook does that has nothing to run, by its type."""
_NOT_POSITIVE: Final = "the default, because the entry's own `timeout` is not positive"


def load(documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
    """
    The hooks of all documents.

    The project's layers go over the person's file only with consent to them as they are, or with `trust_all`; until then
    they can neither add a hook nor take one away. Packages that nobody approved contribute nothing.
    """
    loading = _Loading()
    store = trust.read_store(documents)
    if store.problem is not None and (trust.speaking_layers(documents) or packages.of_documents(documents)):
        loading.diagnostics.append(store.problem)
    lists = loading.configuration(documents, places, trust_all=trust_all)
    loading.add(lists)
    for package in packages.of_documents(documents):
        loading.package(package, store)
    loading.diagnostics += [skills.asleep(document) for document in documents if document.role == skills.SKILL]
    return loading.finish()


def preview(documents: Sequence[Document], places: Places) -> Loaded:
    """As `load`; beside it what a project brings that nobody approved, which takes nothing away."""
    loaded = load(documents, places, trust_all=False)
    if not trust.speaking_layers(documents) or trust.project_state(documents, places).runs:
        return loaded
    theirs = of_project(documents)
    return loaded._replace(
        hooks=(*loaded.hooks, *theirs.hooks),
        rejected=(*loaded.rejected, *theirs.rejected),
        diagnostics=(*loaded.diagnostics, *theirs.diagnostics),
    )


def of_project(documents: Sequence[Document]) -> Loaded:
    """What the project's layers bring among themselves."""
    loading = _Loading()
    lists: Lists = {}
    for document in trust.speaking_layers(documents):
        part = loading.part(document)
        lists = lists if part is None else part.over(lists)
    loading.add(lists)
    return loading.finish()


def removed_by_project(documents: Sequence[Document], places: Places) -> list[str]:
    """What the project's layers take away of the person's hooks, once they count: a sentence for each event."""
    with_consent = load(documents, places, trust_all=True)
    return [item.message for item in with_consent.diagnostics if item.code == REMOVED]


def package_hooks(package: Package) -> list[Hook]:
    """The hooks that a package brings."""
    loading = _Loading()
    part = loading.part(package.manifest)
    loading.add({} if part is None else part.events)
    return loading.hooks


class _Loading:
    """One load under way: the hooks so far and what was noticed."""

    def __init__(self) -> None:
        self.hooks: list[Hook] = []
        self.rejected: list[Rejected] = []
        self.diagnostics: list[Diagnostic] = []
        self._positions: dict[str, int] = {}

    def finish(self) -> Loaded:
        return Loaded(tuple(self.hooks), tuple(self.rejected), tuple(self.diagnostics))

    def configuration(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Lists:
        """The lists of the person's file with the project's layers over them, as far as these count."""
        base = next((document for document in documents if document.role == BASE), None)
        layers = trust.speaking_layers(documents)
        if base is None:
            if layers:
                self._without_base(layers[0], user_config(places))
            return {}
        own = self.part(base)
        if own is None:
            if layers:
                self._over_nothing(layers, base)
            return {}
        if not (trust_all or (layers and trust.project_state(documents, places).runs)):
            if layers:
                self._left_out(layers, documents, places)
            return own.events
        lists = own.events
        origin: dict[str, Document] = {}
        for document in trust.layers_of(documents):
            part = self.part(document)
            if part is not None and part.given:
                touched = lists.keys() | part.events.keys() if part.cleared else part.events.keys()
                origin |= dict.fromkeys(touched, document)
                lists = part.over(lists)
        self._tell_removed(own.events, lists, origin)
        return lists

    def part(self, document: Document) -> Part | None:
        """What a file says about hooks; `None`, said as an error, where it is refused whole."""
        source = Source(document.path, document.scope, "")
        consequence = "none of its hooks run until then"
        try:
            repeated: list[str] = []
            content = read_object(document.data, repeated) if document.problem is None else {}
        except BrokenJsonError as error:
            place = source._replace(line=error.line)
            what = f"{error}, so its hooks are refused; correct it: {consequence}"
            self.diagnostics.append(notes.at(place, "broken-file", "error", what))
            return None
        if document.problem is not None:
            message = f"{document.path} {document.problem}; {consequence}."
            self.diagnostics.append(Diagnostic("unreadable-file", "error", message, file=document.path))
            return None
        part = read_part(document, content)
        if part.problems:
            self._refuse(part, source)
            return None
        for event in dict.fromkeys((*part.repeated, *(name for name in repeated if name in EVENTS))):
            what = (
                f"the list of {event} stands in this file more than once, and the last alone counts; make one of them"
            )
            place = source._replace(entry=f"hooks.{event}")
            self.diagnostics.append(notes.at(place, "repeated-list", "warning", what))
        return part

    def _refuse(self, part: Part, source: Source) -> None:
        """A field that is unknown or of the wrong type refuses every hook of its file."""
        for place, problem in part.problems:
            self.diagnostics.append(notes.at(place, "rejected-entry", "error", f"{problem}; correct it"))
        first, problem = part.problems[0]
        count = len(part.items)
        what = (
            f"its hooks are refused whole ({count} entr{'y' if count == 1 else 'ies'}), because {problem} at {first.entry}; "
            "correct that: until then none of them runs and nobody stands guard"
        )
        self.diagnostics.append(notes.at(source, "refused-file", "error", what))
        wrong: dict[Source, list[str]] = {}
        for place, what in part.problems:
            wrong.setdefault(place, []).append(what)
        why = f"its file is refused, because of {first.entry}"
        for item in part.items:
            problems = wrong.get(item.source, [why])
            self.rejected.append(Rejected(_name_in_file(item), DIALECT, item.event, item.source, tuple(problems)))

    def add(self, lists: Mapping[str, tuple[Item, ...]]) -> None:
        """The entries become hooks, numbered event by event."""
        for event, items in lists.items():
            if items and event not in EVENTS:
                hint = notes.did_you_mean(event, EVENTS)
                what = f"Wuu has no event {notes.quoted(event)}{hint}, so this never fires; names of events are compared exactly"
                place = items[0].source
                place = place._replace(entry=place.entry.rpartition("[")[0])
                self.diagnostics.append(notes.at(place, "unknown-event", "warning", what))
            for item in items:
                position = self._positions.get(event, 0)
                self._positions[event] = position + 1
                self._item(item, f"{event}:{position}")

    def _item(self, item: Item, name: str) -> None:
        problem = item.type_problem
        if problem is not None:
            strict = item.event in EVENTS and EVENTS[item.event].error != "none"
            self.rejected.append(Rejected(name, DIALECT, item.event, item.source, (problem,), strict))
            self.diagnostics.append(
                notes.at(item.source, "rejected-entry", "error", f"this entry is refused: {problem}", name)
            )
            return
        entry = item.entry
        runs = entry.command if entry.type == "command" else entry.prompt
        if not runs.strip():
            what = f"this hook has no `{entry.type}`, so {_EMPTY[entry.type]}; write one or remove the entry"
            self.diagnostics.append(notes.at(item.source, "empty-hook", "warning", what, name))
        for field in entry.idle:
            what = f"`{field}` does nothing in a hook of the type `{entry.type}`; remove it, or correct the `type`"
            self.diagnostics.append(notes.at(item.source, "ignored-field", "warning", what, name))
        self.hooks.append(
            Hook(
                name=name,
                dialect=DIALECT,
                event=item.event,
                handler=entry.type,
                summary=text.line(runs, _SUMMARY_LIMIT),
                source=item.source,
                timeout=float(entry.seconds),
                command=entry.command if entry.type == "command" else None,
                matcher="" if is_for_all(entry.matcher) else entry.matcher,
                keys=None if is_for_all(entry.matcher) else frozenset({fold(entry.matcher)}),
                strict=entry.type == "command" and item.event in EVENTS and EVENTS[item.event].error != "none",
                timeout_note=_NOT_POSITIVE if entry.timeout is not None and entry.timeout <= 0 else None,
                config=entry,
            )
        )

    def package(self, package: Package, store: trust.Store) -> None:
        """The hooks of one package, if somebody approved it at some time, or the program handed it in."""
        if package.manifest.problem is not None:
            self.part(package.manifest)
            return
        if not package.content and not package.handed_in:
            # It brings no hooks; whether the rest of it is in order is not hookfw's business.
            return
        if package.problem is not None:
            message = f"{package.problem}; until then the hooks of its package {package.root} do not load."
            self.diagnostics.append(Diagnostic("unusable-package", "error", message, file=package.manifest.path))
            return
        if not package.handed_in and not trust.was_approved(package, store):
            message = (
                f"The package {package.root} brings hooks that do not load, because nobody approved its content: see "
                "`hookfw review`."
            )
            self.diagnostics.append(
                Diagnostic("unapproved-package", "warning", message, file=package.manifest.path, entry="hooks")
            )
            return
        part = self.part(package.manifest)
        if part is not None:
            self.add(part.events)

    def _without_base(self, layer: Document, base: str) -> None:
        message = (
            f"{layer.path} has hooks that do not load, because there is no {base} for a project's file to go over; make one "
            "(`{}` will do)."
        )
        self.diagnostics.append(Diagnostic("no-base", "warning", message, file=layer.path, entry="hooks"))

    def _over_nothing(self, layers: Sequence[Document], base: Document) -> None:
        """A configuration that its agent refuses is nothing for a layer to go over."""
        paths = ", ".join(layer.path for layer in layers)
        message = (
            f"The project's hooks in {paths} do not load either, because {base.path}, which they go over, is refused; "
            "correct that file."
        )
        self.diagnostics.append(Diagnostic("no-base", "warning", message, file=layers[0].path, entry="hooks"))

    def _left_out(self, layers: Sequence[Document], documents: Sequence[Document], places: Places) -> None:
        state = trust.project_state(documents, places)
        paths = ", ".join(layer.path for layer in layers)
        why = "they changed since you approved them" if state.trust == "modified" else "you have not approved them"
        message = (
            f"The project's hooks in {paths} are neither read nor run, because {why}; they add nothing and take nothing "
            "away: see `hookfw review`."
        )
        self.diagnostics.append(Diagnostic("untrusted-project", "warning", message, file=layers[0].path, entry="hooks"))

    def _tell_removed(self, own: Lists, merged: Lists, origin: Mapping[str, Document]) -> None:
        """A layer that takes hooks of the person's away is named: nothing else would say so."""
        for event, items in own.items():
            document = origin.get(event)
            kept = [item.entry for item in merged.get(event, ())]
            gone = [item for item in items if item.type_problem is None and item.entry not in kept]
            if document is not None and gone:
                what = (
                    f"this file takes {len(gone)} hook{'s' * (len(gone) > 1)} of your own away from {event} "
                    f"({', '.join(item.source.entry for item in gone)} in {gone[0].source.path}); if you want both, write "
                    "them into this file too, or take your approval back with `hookfw revoke`"
                )
                place = Source(document.path, document.scope, f"hooks.{event}")
                self.diagnostics.append(notes.at(place, REMOVED, "warning", what))


def _name_in_file(item: Item) -> str:
    """What an entry would be called, were its file alone."""
    return f"{item.event}:{item.source.entry.rpartition('[')[2].rstrip(']')}"
