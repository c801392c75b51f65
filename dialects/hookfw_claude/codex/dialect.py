"""The Codex dialect: where its rules are put together for the host."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from hookfw import Dialect, HookState, Kill, NativeEvent, Queue, Row, ToolTable
from hookfw_claude.codex import config, late, layers, output, payloads, reduce, tools, trust
from hookfw_claude.codex.features import read_switch
from hookfw_claude.codex.rules import (
    BACKGROUND_GRACE,
    BACKGROUND_WORKERS,
    BY_KIND,
    DIALECT,
    HANDLER_TYPES,
    NATIVE_EVENTS,
    OUTPUT_LIMIT,
    EventRules,
)
from hookfw_claude.codex.schema import SCHEMA
from hookfw_claude.command import FAMILY, Launch
from hookfw_claude.hook_state import merged
from hookfw_claude.tool_calls import tool_request

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
        Invocation,
        Loaded,
        Places,
        Reading,
        Review,
        Session,
        Verdict,
    )

_KILL = Kill()


class Codex(Dialect):
    """The hooks of Codex, as codex-cli 0.171.0 was seen to run them."""

    name: ClassVar[str] = DIALECT
    family: ClassVar[str | None] = FAMILY
    events: ClassVar[Sequence[NativeEvent]] = NATIVE_EVENTS
    handler_types: ClassVar[frozenset[str]] = HANDLER_TYPES
    tools: ClassVar[ToolTable | None] = tools.TABLE
    background: ClassVar[Queue] = Queue(places=None, workers=BACKGROUND_WORKERS, grace=BACKGROUND_GRACE)

    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """Managed files, the person's, those of trusted project folders, the session's overrides, enabled plugins."""
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
        stored = merged((state, settings.session_state))
        states = {hook: trust.judged(hook, stored) for hook in loaded.hooks}
        off = read_switch(documents).off
        if off is None:
            return states
        note = f"`[features] hooks` is false in {off.path}"
        return {hook: HookState(state.trust, enabled=False, note=note) for hook, state in states.items()}

    def reviews(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
        """Each hook by itself, but managed ones."""
        return trust.reviews(loaded.hooks, self.judge(loaded, documents, places))

    def approve(self, review: Review, places: Places) -> Sequence[Edit]:
        """The digest."""
        return trust.approve(review.key, review.digest, places)

    def revoke(self, review: Review, places: Places) -> Sequence[Edit]:
        """The digest goes."""
        return trust.revoke(review.key, places)

    def enable(self, hook: Hook, places: Places, *, enabled: bool) -> Sequence[Edit]:
        """The switch."""
        return trust.enable(hook, places, enabled=enabled)

    def schema(self) -> Mapping[str, Any]:
        """Of a `hooks.json`; the table `hooks` of a `config.toml` is its member of that name."""
        return SCHEMA

    def conversion(self) -> Conversion:
        """To and from `hooks.json`."""
        from hookfw_claude.codex.conversion import CodexConversion  # noqa: PLC0415 - nobody fires with it

        return CodexConversion()

    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """One row; none for what Codex has no event for."""
        del session, loaded
        rules = BY_KIND.get(event.kind)
        if rules is None:
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
        """A line for the person's login shell, in the turn's directory: a shell call's own may be another one."""
        handler = hook.config.handler
        is_shell_call = tools.BASH in row.subjects
        launch = Launch(shell=_shell(session), kill=_KILL, stdout_cap=OUTPUT_LIMIT, stderr_cap=OUTPUT_LIMIT)
        called = launch.invocation(
            hook.command or "",
            stdin=row.stdin,
            cwd=(None if is_shell_call else row.event.cwd) or row.event.workspace or session.workspace,
            timeout=hook.timeout,
            env=hook.config.origin.env,
        )
        return called if handler.type == "command" else called._replace(argv=(), config=tool_request(row, hook))

    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """By the rules of the event."""
        return output.interpret(row, hook, ended)

    def late(self, row: Row, hook: Hook, ended: Ended) -> Delivery | None:
        """Context and message of a command that ended well."""
        del row
        return late.delivery(hook, ended)

    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """By the rules of the event."""
        return reduce.reduce(event, done, session)

    def reduction(self, native_event: str) -> str:
        """By the rules of the event."""
        return reduce.reduction(native_event)


def _subjects(rules: EventRules, event: Event) -> tuple[str, ...]:
    """What matchers of this event look at; nothing where the value is absent."""
    if rules.subject == "none":
        return ()
    if rules.subject == "tool":
        return tools.candidates(getattr(event, "tool_name", None) or "")
    value = getattr(event, rules.subject)
    return () if value is None else (value,)


def _shell(session: Session) -> tuple[str, ...]:
    if session.platform == "win32":
        return (session.environ.get("COMSPEC") or "cmd.exe", "/C")
    return (session.shell(), "-c")
