"""What a checkup looks at: the hooks with what they would be given, the files they come from, and what is known already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hookfw.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw.diagnostics import Severity
    from hookfw.dialect import Dialect, Invocation
    from hookfw.explaining import Explanation
    from hookfw.hooks import Hook, HookState
    from hookfw.settings import Settings
    from hookfw.sources import Document, FileView


class Examined(NamedTuple):
    """
    One hook.

    Attributes:
        hook: the hook.
        state: consent, and its switch.
        dialect: its dialect.
        kind: the canonical event it answers first of all.
        steers: what hooks of its event can do; empty for an observer.
        sent: what would be carried out on a made event; `None` where that cannot be told.
        drifts: its working directory is that of the session, which moves.
    """

    hook: Hook
    state: HookState
    dialect: Dialect
    kind: str
    steers: str
    sent: Invocation | None = None
    drifts: bool = False

    def found(self, code: str, severity: Severity, what: str) -> Diagnostic:
        """A finding about it; `what` follows its name and ends without a full stop, or as a question."""
        source = self.hook.source
        line = f", line {source.line}" if source.line is not None else ""
        message = f"The hook {self.hook.name!r} of {self.hook.dialect} ({source.path}, {source.entry}{line}) {what}"
        message += "" if what.endswith("?") else "."
        return Diagnostic(code, severity, message, source.path, source.entry, self.hook.name, source.line)


class Checkup(NamedTuple):
    """
    What is looked at.

    Attributes:
        home: the person's home.
        workspace: the project.
        environ: the environment that hooks inherit.
        platform: as `sys.platform`.
        settings: hookfw's own configuration.
        files: through which files are read.
        hooks: every hook, in firing order.
        documents: every file that was read, with the name of its dialect.
        tools: for each event about a tool call that some hook names, what would become of a call of each known tool.
        programs: names of the agents' own programs, as far as they are known.
        known: what was noticed so far: by the plugins and by loading.
    """

    home: str
    workspace: str
    environ: Mapping[str, str]
    platform: str
    settings: Settings
    files: FileView
    hooks: Sequence[Examined] = ()
    documents: Sequence[tuple[str, Document]] = ()
    tools: Sequence[tuple[str, Explanation]] = ()
    programs: frozenset[str] = frozenset()
    known: Sequence[Diagnostic] = ()

    def said_at_load(self, hook: Hook, word: str) -> bool:
        """Loading has said something about this hook that has `word` in it."""
        place = (hook.source.path, hook.source.entry)
        return any((item.file, item.entry) == place and word in item.message for item in self.known)
