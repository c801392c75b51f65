"""The Codewhale dialect: where its rules are put together for the host."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from hookfw import Dialect, Invocation, Kill, NativeEvent, Reading, Row, Verdict
from hookfw_codewhale import config, gates, observers, shell_env, submit, trust
from hookfw_codewhale.conditions import facts_of
from hookfw_codewhale.documents import document
from hookfw_codewhale.entries import DIALECT
from hookfw_codewhale.environment import RECEIPT, variables
from hookfw_codewhale.failures import held
from hookfw_codewhale.fields import workspace_of
from hookfw_codewhale.native import EVENTS, NATIVE_EVENTS, reduction
from hookfw_codewhale.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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

_FAILED_TOOL = ("tool_call_after", "on_error")
_ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {spec.canonical: (spec.name,) for spec in EVENTS.values()} | {"post_tool_use_failure": _FAILED_TOOL}
)
"""Canonical event to the native events it fires, in order."""

_DEFAULT_CAP = 65_536
_STDOUT_CAPS: Mapping[str, int] = MappingProxyType(
    {"shell_env": 327_680, "message_submit": 409_600, "tool_call_before": 262_144}
)
"""Bytes of standard output that are kept: what a legal answer can take, with every character escaped."""

_READERS: Mapping[str, Callable[[Hook, Ended], Reading]] = MappingProxyType(
    {"prompt": submit.interpret, "call": gates.interpret, "env": shell_env.interpret, "": observers.interpret}
)

# The group is killed after a normal end too: a process left behind must neither live on nor hold the output open.
_KILL = Kill(grace=None, after_exit=True)


class Codewhale(Dialect):
    """The hooks of Codewhale, by its hooks document of 2026-09-29."""

    name: ClassVar[str] = DIALECT
    events: ClassVar[Sequence[NativeEvent]] = NATIVE_EVENTS
    tools: ClassVar[ToolTable | None] = TOOLS

    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """The person's configuration, the approvals and the project's hooks."""
        return config.discover(places, files)

    def load(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
        """The hooks of all documents; what is trusted plays no part in it."""
        del trust_all
        return config.load(documents, places)

    def judge(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
        """
        The person's own hooks are trusted, those of a project by both of its locks.

        The locks are read from `documents`, which may be newer than what was loaded: a revoked approval counts at once.
        """
        if any(hook.source.scope == "project" for hook in loaded.hooks):
            own = [document for document in documents if document.scope == "user"]
            consent = config.load(own, places).settings.consent
            loaded = loaded._replace(settings=replace(loaded.settings, consent=consent))
        return trust.judge(loaded, documents, places)

    def reviews(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
        """The project's hooks file, as one."""
        return trust.reviews(loaded, documents, places)

    def approve(self, review: Review, places: Places) -> Sequence[Edit]:
        """Both locks of the project's hooks file."""
        return trust.approve(review, places)

    def revoke(self, review: Review, places: Places) -> Sequence[Edit]:
        """The approval is taken back."""
        return trust.revoke(review, places)

    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the person's configuration, as far as it is about hooks."""
        from hookfw_codewhale.schema import schema  # noqa: PLC0415 - nobody fires with it

        return schema()

    def conversion(self) -> Conversion:
        """To and from entries of the person's own configuration."""
        from hookfw_codewhale.conversion import CodewhaleConversion  # noqa: PLC0415 - nobody fires with it

        return CodewhaleConversion()

    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """One row, two for a tool that failed, none when the person switched all hooks off."""
        kind = event.kind
        natives = _ROWS.get(kind)
        if natives is None or not loaded.settings.enabled:
            return ()
        if kind == "post_tool_use" and event.tool_success is False:  # type: ignore[attr-defined] # this kind has it
            natives = _FAILED_TOOL
        facts = facts_of(event)
        subjects = () if facts.tool_name is None else (facts.tool_name,)
        return [
            Row(
                native_event=native,
                event=event,
                subjects=subjects,
                facts=facts,
                payload=partial(document, native, event, session),
                environment=partial(variables, native, event, session),
                unset=(RECEIPT,),
                chain="prompt" if native == "message_submit" else None,
            )
            for native in natives
        ]

    def subjects(self, kind: str, tool: str) -> tuple[str, ...] | None:
        """The tool's own name; before a shell command it is always the shell's."""
        return ("exec_shell",) if kind == "shell_env" else (tool,)

    def invocation(self, row: Row, hook: Hook, session: Session) -> Invocation:
        """A shell line, in the configured folder or the workspace."""
        entry = hook.config
        shell = ("cmd", "/C") if session.platform == "win32" else ("sh", "-c")
        return Invocation(
            argv=(*shell, entry.command),
            stdin=row.stdin,
            env=row.env,
            unset=row.unset,
            cwd=entry.working_dir or workspace_of(row.event, session),
            timeout=hook.timeout,
            stdout_cap=_STDOUT_CAPS.get(row.native_event, _DEFAULT_CAP),
            stderr_cap=_DEFAULT_CAP,
            discard_output=hook.background,
            kill=_KILL,
        )

    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """By what the event's hooks can steer; a background hook steers nothing."""
        if hook.background:
            return observers.interpret_background(hook, ended)
        reading = _READERS[EVENTS[row.native_event].steers](hook, ended)
        return reading._replace(diagnostics=(*reading.diagnostics, held(hook))) if ended.pipes_held else reading

    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """The steering events by their own rules; observers change nothing."""
        match event.kind:
            case "user_prompt_submit":
                return submit.reduce(event, done)
            case "pre_tool_use":
                return gates.reduce(event, done)
            case "shell_env":
                return shell_env.reduce(done, session)
            case _:
                return Verdict(dialect=DIALECT)

    def reduction(self, native_event: str) -> str:
        """By what the event's hooks can steer."""
        return reduction(native_event)
