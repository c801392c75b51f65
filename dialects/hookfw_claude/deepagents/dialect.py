"""The Deep Agents Code dialect: where its rules are put together for the host."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from hookfw import Dialect, Invocation, NativeEvent, Reading, Row, Step, Verdict
from hookfw_claude.command import FAMILY
from hookfw_claude.deepagents import config, legacy, tools, trust
from hookfw_claude.deepagents.environment import credentials
from hookfw_claude.deepagents.interpret import interpret
from hookfw_claude.deepagents.payloads import failed, payload
from hookfw_claude.deepagents.reduce import reduce, reduction
from hookfw_claude.deepagents.rules import COMMANDS, DIALECT, EVENTS, NATIVE_EVENTS, NOTIFICATION_TYPES
from hookfw_claude.deepagents.schema import schema

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
        Loaded,
        Places,
        Review,
        Session,
        ToolTable,
    )

_NAMES: Mapping[str, str] = MappingProxyType({rules.canonical: rules.name for rules in EVENTS.values()})

# No program has this name: a handler with an empty command is a run that fails, not one that succeeds at nothing.
_NO_PROGRAM = ("",)


class DeepAgents(Dialect):
    """The hooks of Deep Agents Code."""

    name: ClassVar[str] = DIALECT
    family: ClassVar[str | None] = FAMILY
    events: ClassVar[Sequence[NativeEvent]] = NATIVE_EVENTS
    tools: ClassVar[ToolTable | None] = tools.TOOLS

    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """The files of the project, the person and the enabled plugins."""
        return config.discover(places, files)

    def load(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
        """The hooks of all documents; a project's file only where its root is trusted."""
        return config.load(documents, places, trust_all=trust_all)

    def judge(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
        """The project's hooks by the trust store, all others are trusted."""
        del places
        return trust.judge(loaded, documents)

    def reviews(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
        """The project's hooks file, as one, with the hooks it has brought or would bring."""
        project = config.project_document(documents)
        if project is None or project.problem is not None:
            return ()
        hooks = [hook for hook in loaded.hooks if hook.source.scope == "project"]
        return (trust.review(project, hooks or config.hooks_in(project, places), documents),)

    def approve(self, review: Review, places: Places) -> Sequence[Edit]:
        """The root is trusted."""
        return trust.approve(review, places)

    def revoke(self, review: Review, places: Places) -> Sequence[Edit]:
        """The root is trusted no longer."""
        return trust.revoke(review, places)

    def schema(self) -> Mapping[str, Any]:
        """The form of `hooks.json`."""
        return schema()

    def conversion(self) -> Conversion:
        """To and from `hooks.json`."""
        from hookfw_claude.deepagents.conversion import DeepAgentsConversion  # noqa: PLC0415 - nobody fires with it

        return DeepAgentsConversion()

    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """One row: a failed tool call fires PostToolUseFailure instead of PostToolUse."""
        del loaded
        native = _NAMES.get(event.kind)
        if native is None:
            return ()
        if native == "PostToolUse" and failed(event):
            native = "PostToolUseFailure"
        subject = _subject(event, EVENTS[native].subject)
        subjects = () if subject is None else (subject,)
        return [
            Row(
                native_event=native,
                event=event,
                subjects=subjects,
                facts=subjects,
                payload=partial(payload, native, event, session.home),
                schedule="concurrent",
            )
        ]

    def plan(self, row: Row, hooks: Sequence[Hook]) -> Sequence[Step]:
        """All start together; a notification this agent does not know is an error before any handler runs."""
        kind = getattr(row.event, "notification_type", None)
        if row.native_event == "Notification" and kind is not None and kind not in NOTIFICATION_TYPES:
            return [Step(hook, "skip", f"this agent has no notification {kind!r}") for hook in hooks]
        return [Step(hook) for hook in hooks]

    def invocation(self, row: Row, hook: Hook, session: Session) -> Invocation:
        """A shell line or a program, in the payload's directory, without credentials."""
        handler = hook.config
        command = handler.argv or handler.command
        call = COMMANDS.invocation(
            command if handler.line.strip() else _NO_PROGRAM,
            stdin=row.stdin if handler.legacy is None else legacy.payload(handler.legacy, row.event.session_id),
            cwd=row.event.cwd or session.workspace,
            timeout=hook.timeout,
            env=handler.variables,
            unset=credentials(session.environ),
        )
        return call._replace(folders=handler.folders, discard_output=handler.legacy is not None)

    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """By exit status, output and the rules of the event."""
        return interpret(row, hook, ended)

    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """In configuration order, by the rules of the event."""
        del session
        return reduce(event, done)

    def reduction(self, native_event: str) -> str:
        """By the rules of the event."""
        return reduction(native_event)


def _subject(event: Event, field: str | None) -> str | None:
    """What matchers look at; `None` where the event has or knows nothing."""
    if field == "tool_name":
        return tools.public_name(event)
    value = None if field is None else getattr(event, field, None)
    return value if isinstance(value, str) else None
