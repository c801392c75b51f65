"""The contract a dialect fulfils, and the values that pass between it and the host."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from hookfw.hooks import TRUSTED, Hook, HookState, Loaded
from hookfw.outcome import NO_EFFECT, NOTHING, Effect, Run, RunStatus, Verdict

if TYPE_CHECKING:
    from hookfw.diagnostics import Diagnostic
    from hookfw.events import Event
    from hookfw.portable import Conversion
    from hookfw.process import Ended, Kill
    from hookfw.sources import Document, FileView, Places
    from hookfw.spelling import ToolTable

Chain = Literal["prompt", "tool_input"]


class Session(NamedTuple):
    """
    What a dialect may know of the session an event belongs to; clock and file system are handed in.

    Attributes:
        id: the session id the supervisor was opened with.
        home: the person's home.
        workspace: the project.
        environ: the environment that hooks inherit.
        scratch: makes, once, a folder for files that live as long as the session, and gives its path.
        platform: as `sys.platform`.
        now: the clock, UTC.
        new_id: makes a fresh UUID in its usual spelling.
        resolve: the canonical path of an existing absolute path, else `None`.
        shell: path of the person's login shell, by the system's own account of people and not by a variable.
    """

    id: str | None
    home: str
    workspace: str
    environ: Mapping[str, str]
    scratch: Callable[[], str]
    platform: str
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    resolve: Callable[[str], str | None]
    shell: Callable[[], str] = lambda: "/bin/sh"


@dataclass(slots=True, kw_only=True)
class Row:
    """
    One native event of one dialect in one firing: the hooks that match, the payload they share, how they run.

    Attributes:
        native_event: the dialect's name of the event.
        event: the canonical event behind it, with the newest rewrite.
        subjects: what a hook's literal keys are looked up by (a tool name and its aliases).
        facts: what the hooks' predicates judge; also the key of the memo, so it holds all they look at.
        payload: encodes the standard input; called at most once, after the first match.
        environment: makes the variables to set; called at most once, after the first match.
        unset: inherited variables to remove before the others are set.
        schedule: one hook after another, or all at once.
        chain: which event field a rewrite replaces for the next hook.
    """

    native_event: str
    event: Event
    subjects: tuple[str, ...] = ()
    facts: Hashable = None
    payload: Callable[[], bytes] = bytes
    environment: Callable[[], Mapping[str, str]] = dict
    unset: tuple[str, ...] = ()
    schedule: Literal["sequential", "concurrent"] = "sequential"
    chain: Chain | None = None
    _payload: bytes | None = field(default=None, init=False)
    _environment: Mapping[str, str] | None = field(default=None, init=False)

    @property
    def stdin(self) -> bytes:
        """The payload, encoded once for all hooks of the row."""
        if self._payload is None:
            self._payload = self.payload()
        return self._payload

    @property
    def env(self) -> Mapping[str, str]:
        """The variables of the row, made once for all its hooks."""
        if self._environment is None:
            self._environment = self.environment()
        return self._environment


class Step(NamedTuple):
    """How one matching hook of a row is scheduled; `reason` says why it is skipped."""

    hook: Hook
    how: Literal["foreground", "background", "skip"] = "foreground"
    reason: str = ""


class Invocation(NamedTuple):
    """
    One call of a handler, ready to be carried out.

    Attributes:
        argv: program and arguments (command handlers).
        stdin: bytes written to its standard input, which is then closed.
        env: variables set on top of the inherited environment.
        unset: inherited variables removed before `env` is applied.
        cwd: working directory.
        timeout: seconds.
        stdout_cap: bytes of standard output that are kept.
        stderr_cap: likewise.
        discard_output: both streams go to the null device.
        kill: how its processes are ended.
        folders: absolute paths of folders that are made before it starts (command handlers).
        detach_on: first lines of standard output that send the run to the background from then on.
        read_back: variable to file name: files that are made for the run and read after it, see `Ended.files`.
        config: what only the handler type reads (a prompt, a server and tool, …).
    """

    argv: tuple[str, ...] = ()
    stdin: bytes = b""
    env: Mapping[str, str] = NOTHING
    unset: tuple[str, ...] = ()
    cwd: str = "/"
    timeout: float = 60.0
    stdout_cap: int = 65_536
    stderr_cap: int = 65_536
    discard_output: bool = False
    kill: Kill | None = None
    folders: tuple[str, ...] = ()
    detach_on: Callable[[str], bool] | None = None
    read_back: Mapping[str, str] = NOTHING
    config: Any = None


class Reading(NamedTuple):
    """
    How a dialect reads one run that ended.

    Attributes:
        status: the status of the run.
        effect: what it asks for.
        ends_row: later hooks of the row do not start.
        error: what went wrong, for the run; without command lines, paths or output.
        diagnostics: what was noticed.
    """

    status: RunStatus = "completed"
    effect: Effect = NO_EFFECT
    ends_row: bool = False
    error: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class Done(NamedTuple):
    """
    One hook of a row after its run.

    Attributes:
        hook: the hook.
        row: the row it ran in.
        run: the facts.
        effect: what it asks for.
        position: configuration order within the firing, from 0.
        finished: completion order within the firing, from 0.
    """

    hook: Hook
    row: Row
    run: Run
    effect: Effect
    position: int
    finished: int


class Queue(NamedTuple):
    """
    How an ecosystem carries its background runs.

    Attributes:
        places: runs that may wait, beside those at work; `None` for any number.
        workers: runs at work at most.
        grace: seconds that runs still have when their session ends, where the ecosystem then kills them; `None` waits
            for them as long as the program does.
    """

    places: int | None = 32
    workers: int = 2
    grace: float | None = None


class Delivery(NamedTuple):
    """
    What a background run that ended gives to the next outcome of the session.

    Attributes:
        context: texts for the model.
        messages: texts for the person.
        feedback: what wakes an agent that has stopped.
        diagnostics: what was noticed.
    """

    context: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class Review(NamedTuple):
    """
    One thing a person consents to: a file, or a single hook, as the ecosystem has it.

    Attributes:
        dialect: whose it is.
        key: what the ecosystem's store files it under.
        path: the file it stands in.
        digest: of the bytes (or definition) that would be approved.
        state: today's consent.
        hooks: the hooks it covers.
        text: the content under review, for people.
        approved: the digest that the store holds, where it is another one.
    """

    dialect: str
    key: str
    path: str
    digest: str
    state: HookState
    hooks: tuple[Hook, ...]
    text: str = ""
    approved: str | None = None


class Edit(NamedTuple):
    """
    A change of one value in a configuration or trust file, comments and order kept.

    Attributes:
        path: the file; made with `mode` where it does not exist.
        keys: the way to the value, table by table.
        value: what to write; `None` removes the key.
        mode: permission bits of a file that is made.
    """

    path: str
    keys: tuple[str, ...]
    value: str | int | bool | None
    mode: int = 0o600


class NativeEvent(NamedTuple):
    """
    A native event of a dialect.

    Attributes:
        name: its native name.
        canonical: kind of the canonical event it answers.
        steers: what its hooks can do; empty for an observer.
        also: further canonical kinds that can fire it.
    """

    name: str
    canonical: str
    steers: str = ""
    also: tuple[str, ...] = ()


class Dialect(ABC):
    """
    One agent ecosystem's hook language.

    Every method is a function of its arguments: files come through the view, the clock through the session.
    Dialects of one `family` have one protocol for commands: the same command in the files of several of them runs once.
    `serial`: native events whose hooks may change a call, which must then run alone.
    """

    name: ClassVar[str]
    family: ClassVar[str | None] = None
    events: ClassVar[Sequence[NativeEvent]]
    handler_types: ClassVar[frozenset[str]] = frozenset({"command"})
    tools: ClassVar[ToolTable | None] = None
    background: ClassVar[Queue] = Queue()
    serial: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def discover(self, places: Places, files: FileView) -> Sequence[Document]:
        """Every document of this ecosystem for these places, in layer order."""

    @abstractmethod
    def load(self, documents: Sequence[Document], places: Places, *, trust_all: bool) -> Loaded:
        """Merge, validate and key the layers, in one call over all documents."""

    def preview(self, documents: Sequence[Document], places: Places) -> Loaded:
        """As `load`, with what lacks consent and is left unread beside it, for lists. The default fits where that only adds."""
        return self.load(documents, places, trust_all=True)

    def judge(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Mapping[Hook, HookState]:
        """Consent and switch of each hook, from the person's own files alone. The default trusts what was loaded."""
        del documents, places
        return dict.fromkeys(loaded.hooks, TRUSTED)

    def reviews(self, loaded: Loaded, documents: Sequence[Document], places: Places) -> Sequence[Review]:
        """What a person can consent to here. The default: nothing needs it."""
        del loaded, documents, places
        return ()

    def approve(self, review: Review, places: Places) -> Sequence[Edit]:
        """The edits that record consent to `review`."""
        del review, places
        return ()

    def revoke(self, review: Review, places: Places) -> Sequence[Edit]:
        """The edits that take consent back."""
        del review, places
        return ()

    def enable(self, hook: Hook, places: Places, *, enabled: bool) -> Sequence[Edit]:
        """The edits that switch one hook on or off. The default: this ecosystem has no such switch."""
        del hook, places, enabled
        return ()

    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of a configuration file of this ecosystem. The default: anything goes."""
        return {}

    def conversion(self) -> Conversion | None:
        """How its configuration is converted. The default: it cannot be."""
        return None

    @abstractmethod
    def begin(self, event: Event, session: Session, loaded: Loaded) -> Sequence[Row]:
        """The rows this event fires, in order; usually one, none where the ecosystem has no such event."""

    def subjects(self, kind: str, tool: str) -> tuple[str, ...] | None:
        """
        The subjects of every row that a canonical event of this kind with this tool fires, where these two tell them.

        It lets the host pass over an event that no literal key names before anything is made for it. The default cannot
        tell.
        """
        del kind, tool
        return None

    def plan(self, row: Row, hooks: Sequence[Hook]) -> Sequence[Step]:
        """How the matching hooks are scheduled, in configuration order. The default reads `Hook.background`."""
        del row
        return [Step(hook, "background" if hook.background else "foreground") for hook in hooks]

    @abstractmethod
    def invocation(self, row: Row, hook: Hook, session: Session) -> Invocation:
        """What is carried out for `hook`."""

    @abstractmethod
    def interpret(self, row: Row, hook: Hook, ended: Ended) -> Reading:
        """Facts to status and effect."""

    def late(self, row: Row, hook: Hook, ended: Ended) -> Delivery | None:
        """What a background run gives once it has ended. The default: nothing."""
        del row, hook, ended
        return None

    @abstractmethod
    def reduce(self, event: Event, done: Sequence[Done], session: Session) -> Verdict:
        """The effects, in configuration order, to the dialect's verdict."""

    def reduction(self, native_event: str) -> str:
        """
        How `reduce` makes one verdict of the answers of several hooks of a native event, in sentences for people.

        The default can only say whose rules they are.
        """
        return f"The answers to {native_event} become one by the rules of {self.name}."


class DialectInfo(NamedTuple):
    """
    A light description of a dialect; registering it loads nothing.

    Attributes:
        name: as `--dialect` spells it.
        title: the ecosystem's own name.
        follows: the version of the ecosystem that was followed, and how that was established.
        load: imports and makes the dialect.
        traces: without any of these the ecosystem has no configuration and the dialect is not even loaded, unless it is
            named: paths below the home (`~/.x`), below the workspace or a folder above it (`.x`), or absolute ones, and
            variables (`$X`). Without traces the dialect is always asked.
    """

    name: str
    title: str
    follows: str
    load: Callable[[], Dialect]
    traces: tuple[str, ...] = ()
