"""The Mind dialect: where its rules are put together for the host."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from hookfw import Dialect, Kill, NativeEvent, Row, ToolTable
from hookfw_claude.command import FAMILY, Launch
from hookfw_claude.hook_state import NOTHING_STORED, merged, state_of
from hookfw_claude.mind import config, layers, output, payloads, reduce, tools, trust
from hookfw_claude.mind.rules import (
    BY_KIND,
    DIALECT,
    HANDLER_TYPES,
    KILL_GRACE,
    NATIVE_EVENTS,
    OUTPUT_LIMIT,
    EventRules,
)
from hookfw_claude.mind.schema import SCHEMA
from hookfw_claude.tool_calls import tool_request

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

_KILL = Kill(grace=KILL_GRACE)


class Mind(Dialect):
    """The hooks of Mind, by its hooks document and its public source."""

    name: ClassVar[str] = DIALECT
    family: ClassVar[str | None] = FAMILY
    events: ClassVar[Sequence[NativeEvent]] = NATIVE_EVENTS
    handler_types: ClassVar[frozenset[str]] = HANDLER_TYPES
    tools: ClassVar[ToolTable | None] = tools.TABLE

    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """The person's files, the profile's, those of trusted project folders, and the session's overrides."""
        return layers.discover(places, files)

    def load(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
        """All layers; a project counts only where the person trusts it, whatever is said of its hooks."""
        del trust_all
        return config.load(documents, places)

    def judge(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
        """By the state in the person's own configuration, and what was given for this session."""
        del places
        settings: config.Settings = loaded.settings
        own = config.own_config(documents)
        # The same bytes are not parsed twice; other ones are, when consent is looked at again in a running session.
        state = settings.own_state if own == settings.config else config.state_in(own)
        stored = merged((state, *settings.session_states))
        return {
            hook: state_of(hook.config.digest, stored.get(hook.config.key, NOTHING_STORED)) for hook in loaded.hooks
        }

    def reviews(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
        """Each hook by itself."""
        return trust.reviews(loaded.hooks, self.judge(loaded, documents, places))

    def approve(self, review: Review, places: Places) -> Sequence[Edit]:
        """The digest."""
        return trust.approve(review.key, review.digest, places)

    def revoke(self, review: Review, places: Places) -> Sequence[Edit]:
        """The digest goes."""
        return trust.revoke(review.key, places)

    def enable(self, hook: Hook, places: Places, *, enabled: bool) -> Sequence[Edit]:
        """The switch."""
        return trust.enable(hook.config.key, places, enabled=enabled)

    def schema(self) -> Mapping[str, Any]:
        """Of a `hooks.json`; the table `hooks` of a `config.toml` is its member of that name."""
        return SCHEMA

    def conversion(self) -> Conversion:
        """To and from `hooks.json`."""
        from hookfw_claude.mind.conversion import MindConversion  # noqa: PLC0415 - nobody fires with it

        return MindConversion()

    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """One row; none for what Mind has no event for, a tool that failed included."""
        del session, loaded
        rules = BY_KIND.get(event.kind)
        if rules is None or (rules.name == "PostToolUse" and payloads.failed(event)):
            return ()
        subjects = _subjects(rules, event)
        return [
            Row(
                native_event=rules.name,
                event=event,
                subjects=subjects,
                facts=subjects,
                payload=partial(payloads.payload, rules, event),
                schedule="concurrent",
            )
        ]

    def invocation(self, row: Row, hook: Hook, session: Session) -> Invocation:
        """A line for the person's login shell, in the event's folder."""
        handler = hook.config.handler
        windows = session.platform == "win32"
        launch = Launch(shell=_shell(session), kill=_KILL, stdout_cap=OUTPUT_LIMIT, stderr_cap=OUTPUT_LIMIT)
        called = launch.invocation(
            (handler.command_windows if windows else None) or handler.command or "",
            stdin=row.stdin,
            cwd=row.event.cwd or session.workspace,
            timeout=hook.timeout,
        )
        return called if handler.type == "command" else called._replace(argv=(), config=tool_request(row, hook))

    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """By the rules of the event."""
        return output.interpret(row, hook, ended)

    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """By the rules of the event."""
        return reduce.reduce(event, done, session)

    def reduction(self, native_event: str) -> str:
        """By the rules of the event."""
        return reduce.reduction(native_event)


def _subjects(rules: EventRules, event: Event) -> tuple[str, ...]:
    """What matchers of this event look at; an absent value is the empty one."""
    match rules.subject:
        case "tool":
            return tools.candidates(getattr(event, "tool_name", None) or "")
        case "trigger":
            return (payloads.trigger_of(event.given),)
        case "source":
            return (payloads.source_of(event.given),)
        case "agent":
            return (event.agent_type or "",)
        case "constant":
            return (payloads.END_REASON,)
        case "none":
            return ()


def _shell(session: Session) -> tuple[str, ...]:
    if session.platform == "win32":
        return (session.environ.get("COMSPEC") or "cmd.exe", "/C")
    return (session.environ.get("SHELL", "").strip() or "/bin/sh", "-lc")
