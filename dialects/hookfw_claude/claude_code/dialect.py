"""The Claude Code dialect: where its rules are put together for the host."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from hookfw import Dialect, NativeEvent, Queue, Row, ToolTable
from hookfw_claude.claude_code import calling, config, interpret, locations, payloads, planning, reduce, tools, trust
from hookfw_claude.claude_code.config import Settings
from hookfw_claude.claude_code.rules import BY_KIND, DIALECT, EVENTS, HANDLER_TYPES, NATIVE_EVENTS
from hookfw_claude.claude_code.schema import SCHEMA
from hookfw_claude.claude_code.subjects import facts_of
from hookfw_claude.claude_code.tool_calls import with_missing_paths
from hookfw_claude.command import FAMILY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import (
        Conversion,
        Delivery,
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
        Step,
        Verdict,
    )


class ClaudeCode(Dialect):
    """The hooks of Claude Code, as its client was observed."""

    name: ClassVar[str] = DIALECT
    family: ClassVar[str | None] = FAMILY
    events: ClassVar[Sequence[NativeEvent]] = NATIVE_EVENTS
    handler_types: ClassVar[frozenset[str]] = HANDLER_TYPES
    tools: ClassVar[ToolTable | None] = tools.TABLE
    background: ClassVar[Queue] = Queue(places=None, workers=64)

    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """Settings of all places, then plugins."""
        return locations.discover(places, files)

    def load(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
        """All files; an untrusted folder is loaded too, and does not run."""
        del trust_all
        return config.load(documents, places)

    def judge(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
        """By the folder, and by the switches."""
        return trust.judge(loaded, documents, places)

    def reviews(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
        """The folder."""
        return trust.reviews(loaded, documents, places)

    def approve(self, review: Review, places: Places) -> Sequence[Edit]:
        """The folder is accepted."""
        return trust.approve(review, places)

    def revoke(self, review: Review, places: Places) -> Sequence[Edit]:
        """The folder is accepted no longer."""
        return trust.revoke(review, places)

    def schema(self) -> Mapping[str, Any]:
        """Of the part of a settings file that is about hooks."""
        return SCHEMA

    def conversion(self) -> Conversion:
        """To and from a settings file."""
        from hookfw_claude.claude_code.conversion import ClaudeCodeConversion  # noqa: PLC0415 - nobody fires with it

        return ClaudeCodeConversion()

    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """One row; a call that failed is a PostToolUseFailure, and an error of a tool is no failure of the turn."""
        rules = BY_KIND.get(event.kind)
        if rules is None:
            return ()
        if rules.name == "PostToolUse" and getattr(event, "tool_success", None) is False:
            rules = EVENTS["PostToolUseFailure"]
        if rules.name == "StopFailure" and getattr(event, "tool_name", None) is not None:
            return ()
        settings = loaded.settings or Settings()
        facts = facts_of(rules, event, session, conditional=rules.name in settings.conditional)
        return [
            Row(
                native_event=rules.name,
                event=event,
                subjects=facts.subjects,
                facts=facts,
                payload=partial(payloads.payload, rules, event),
                schedule="concurrent",
            )
        ]

    def plan(self, row: Row, hooks: Sequence[Hook]) -> Sequence[Step]:
        """Equal handlers once."""
        del row
        return planning.plan(hooks)

    def invocation(self, row: Row, hook: Hook, session: Session) -> Invocation:
        """A line for the shell or a program, in the event's folder."""
        return calling.invocation(row, hook, session)

    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """By the rules of the event."""
        return with_missing_paths(interpret.interpret(hook, ended), row, hook)

    def late(self, row: Row, hook: Hook, ended: Ended) -> Delivery | None:
        """What a hook in the background has for the model."""
        del row, hook
        return interpret.late(ended)

    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """By the rules of the event."""
        return reduce.reduce(event, done, session)

    def reduction(self, native_event: str) -> str:
        """By the rules of the event."""
        return reduce.reduction(native_event)
