"""The Wuu dialect: where its rules are put together for the host."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from hookfw import Dialect, NativeEvent, Row, ToolTable
from hookfw_wuu import calling, config, interpret, locations, packages, payloads, trust
from hookfw_wuu.folding import fold
from hookfw_wuu.reduce import reduce, reduction
from hookfw_wuu.rules import BY_KIND, DIALECT, EVENTS, NATIVE_EVENTS, TYPES
from hookfw_wuu.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import (
        Conversion,
        Document,
        Done,
        Edit,
        Ended,
        Event,
        FileView,
        Hook,
        HookState,
        Invocation,
        Loaded,
        Places,
        Reading,
        Review,
        Session,
        Verdict,
    )


class Wuu(Dialect):
    """The hooks of Wuu, by its hooks document."""

    name: ClassVar[str] = DIALECT
    events: ClassVar[Sequence[NativeEvent]] = NATIVE_EVENTS
    handler_types: ClassVar[frozenset[str]] = frozenset(TYPES)
    tools: ClassVar[ToolTable | None] = TOOLS
    serial: ClassVar[frozenset[str]] = frozenset({"PreToolUse"})

    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """The person's file, the project's layers, packages, skills."""
        return list(locations.discover(places, files))

    def load(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
        """The layers merged as far as they count, then packages."""
        return config.load(documents, places, trust_all=trust_all)

    def preview(self, documents: Sequence[Document], places: Places) -> Loaded:
        """What runs, and beside it what an unapproved project brings."""
        return config.preview(documents, places)

    def judge(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
        """By the approvals."""
        return trust.judge(loaded, documents, places)

    def reviews(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
        """The project's layers as one, and each package that brings hooks."""
        found = []
        base = any(document.role == locations.BASE for document in documents)
        if base and trust.speaking_layers(documents):
            theirs = [hook for hook in loaded.hooks if hook.source.scope in ("project", "local")]
            theirs = theirs or list(config.of_project(documents).hooks)
            found.append(trust.project_review(theirs, config.removed_by_project(documents, places), documents, places))
        store = trust.read_store(documents)
        for package in packages.of_documents(documents):
            if package.content and package.problem is None:
                theirs = [hook for hook in loaded.hooks if hook.source.path == package.manifest.path]
                found.append(trust.package_review(package, theirs or config.package_hooks(package), store))
        return found

    def approve(self, review: Review, places: Places) -> Sequence[Edit]:
        """The digest is recorded."""
        return trust.approve(review, places)

    def revoke(self, review: Review, places: Places) -> Sequence[Edit]:
        """The digest goes."""
        return trust.revoke(review, places)

    def schema(self) -> Mapping[str, Any]:
        """The part `hooks` of a configuration file."""
        from hookfw_wuu.schema import SCHEMA  # noqa: PLC0415 - nobody fires with it

        return SCHEMA

    def conversion(self) -> Conversion:
        """To and from the person's own file."""
        from hookfw_wuu.conversion import WuuConversion  # noqa: PLC0415 - nobody fires with it

        return WuuConversion()

    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """One row: a call that failed is a PostToolUseFailure. Hooks before a call see the newest arguments."""
        del loaded
        rules = BY_KIND.get(event.kind)
        if rules is None:
            return ()
        if rules.name == "PostToolUse" and payloads.is_failure(event):
            rules = EVENTS["PostToolUseFailure"]
        tool = getattr(event, "tool_name", None) if rules.tool else None
        return [
            Row(
                native_event=rules.name,
                event=event,
                subjects=() if tool is None else (fold(tool),),
                payload=partial(payloads.encode, rules.name, event, session),
                schedule="sequential",
                chain="tool_input" if rules.rewrites else None,
            )
        ]

    def subjects(self, kind: str, tool: str) -> tuple[str, ...] | None:
        """The tool's name, whatever its letter case."""
        del kind
        return (fold(tool),)

    def invocation(self, row: Row, hook: Hook, session: Session) -> Invocation:
        """A shell line in the workspace, or a question to a model."""
        return calling.invocation(row, hook, session)

    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """By the type of the hook and the rules of the event."""
        del row
        return interpret.interpret(hook, ended)

    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """The first error, the last rewrite, all context."""
        del session
        return reduce(event, done)

    def reduction(self, native_event: str) -> str:
        """By the rules of the event."""
        return reduction(native_event)
