"""Opening a supervisor: its options, and the places, session and plugins they stand for."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Required, TypedDict

from hookfw.dialect import Session
from hookfw.errors import ConfigurationError
from hookfw.host import Host
from hookfw.sources import Places

if TYPE_CHECKING:
    from hookfw.hooks import Hook
    from hookfw.loading import TrustPolicy
    from hookfw.outcome import Run
    from hookfw.requests import AgentClient, ModelClient, ToolCaller
    from hookfw.settings import Settings


class OpenOptions(TypedDict, total=False):
    """
    What a supervisor is opened with.

    Attributes:
        workspace: the project.
        home: the person's home (default: the user's).
        dialects: names of the dialects that fire, in this order (default: every dialect with a configuration here).
        mode: the agent form the program speaks; its dialect comes first.
        without: names of dialects that never fire.
        withheld: why a hook is listed and never started; `None` for those that are.
        session_id: given to hooks where an event has none of its own.
        trust: `stored` (what the person's own files approve) or `all` (every loaded hook counts as reviewed).
        environ: the environment that hooks inherit (default: that of the process).
        thorough: ask every dialect for its configuration, those too whose ecosystem left no trace here.
        plugin_dirs: folders of ecosystem plugins.
        profile: name of the profile the agent was started with, for ecosystems that have profiles.
        overrides: settings for this session over all files, as an agent's command line takes them (dotted key to value,
            both as in TOML).
        cwd: the directory the session works in, where it is another one than the project: ecosystems that have a
            configuration in every folder look down to it.
        settings: hookfw's own configuration (default: as the person's file says).
        host: the plugins to use (default: everything installed).
        blocked: names of plugins that are not loaded.
        model_client: who answers `prompt` handlers (default: as `HOOKFW_MODEL_CLIENT` or the settings say).
        agent_client: who answers `agent` handlers; without one they give no answer.
        mcp: who calls MCP tools on servers the program is connected to already; others are reached as configured.
        record: a file to which every firing is appended, without secrets, to be replayed.
        on_progress: called with each run as it starts (`status` is `running`) and as it ends.
        close_timeout: seconds that closing waits for background hooks before it kills them.
    """

    workspace: Required[str | os.PathLike[str]]
    home: str | os.PathLike[str] | None
    dialects: Sequence[str] | None
    mode: str | None
    without: Sequence[str]
    withheld: Callable[[Hook], str | None] | None
    session_id: str | None
    trust: TrustPolicy
    thorough: bool
    environ: Mapping[str, str] | None
    plugin_dirs: Sequence[str]
    profile: str | None
    overrides: Mapping[str, str]
    cwd: str | None
    settings: Settings | None
    host: Host | None
    blocked: Sequence[str]
    model_client: ModelClient | None
    agent_client: AgentClient | None
    mcp: ToolCaller | None
    record: str | os.PathLike[str] | None
    on_progress: Callable[[Run], None] | None
    close_timeout: float


def make_places(options: OpenOptions) -> Places:
    """Where to look. Raises `ConfigurationError` for a home or workspace that is no folder."""
    environ = options.get("environ")
    home = options.get("home")
    return Places(
        home=_folder("home", os.path.expanduser("~") if home is None else home),
        workspace=_folder("workspace", options["workspace"]),
        environ=dict(os.environ if environ is None else environ),
        platform=sys.platform,
        plugin_dirs=tuple(options.get("plugin_dirs", ())),
        profile=options.get("profile"),
        overrides=dict(options.get("overrides", {})),
        cwd=options.get("cwd"),
    )


def make_host(options: OpenOptions, settings: Settings, environ: Mapping[str, str]) -> Host:
    """The plugins: those handed in, or everything that is installed and blocked by nobody."""
    host = options.get("host")
    if host is not None:
        return host
    return Host.load(blocked_plugins(options.get("blocked", ()), settings, environ))


def blocked_plugins(named: Iterable[str], settings: Settings, environ: Mapping[str, str]) -> list[str]:
    """The plugins that are not loaded: those named by the program, by `HOOKFW_DISABLE` and by the person's settings."""
    return [*named, *environ.get("HOOKFW_DISABLE", "").replace(",", " ").split(), *settings.plugins.disabled]


def make_session(session_id: str | None, places: Places, scratch: Callable[[], str]) -> Session:
    """The session, with the real clock and file system."""
    return Session(
        id=session_id,
        home=places.home,
        workspace=places.workspace,
        environ=places.environ,
        scratch=scratch,
        platform=places.platform,
        now=lambda: datetime.now(UTC),
        new_id=_new_id,
        resolve=_resolve,
        shell=_login_shell,
    )


class Scratch:
    """A folder for one session's files: made, for the person alone, when it is first asked for."""

    __slots__ = ("_path",)

    def __init__(self) -> None:
        self._path: str | None = None

    def __call__(self) -> str:
        """Its path."""
        if self._path is None:
            from tempfile import mkdtemp  # noqa: PLC0415 - only where a hook needs files

            self._path = mkdtemp(prefix="hookfw-")
        return self._path

    def remove(self) -> None:
        """Remove it with all that is in it."""
        if self._path is not None:
            from shutil import rmtree  # noqa: PLC0415 - as above

            rmtree(self._path, ignore_errors=True)
            self._path = None


@cache
def _login_shell() -> str:
    """What the password database has for this user; the system's own shell where it has none."""
    import pwd  # noqa: PLC0415 - not there on Windows, where no command runs

    with contextlib.suppress(KeyError):
        return pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"
    return "/bin/sh"


def _new_id() -> str:
    from uuid import uuid4  # noqa: PLC0415 - only where an event has no id

    return str(uuid4())


def _folder(what: str, path: str | os.PathLike[str]) -> str:
    given = os.fspath(path)
    if not given:
        message = f"The {what} is an empty text; name a directory."
        raise ConfigurationError(message)
    try:
        found = os.path.realpath(given) if what == "workspace" else os.path.abspath(given)
    except OSError:
        message = f"The {what} {given} cannot be found, because the current directory does not exist any more."
        raise ConfigurationError(message) from None
    if not os.path.isdir(found):
        problem = "is not a directory" if os.path.exists(found) else "does not exist"
        remedy = "; set HOME, or name another home" if what == "home" else ""
        message = f"The {what} {given} {problem}{remedy}."
        raise ConfigurationError(message)
    return found


def _resolve(path: str) -> str | None:
    try:
        return os.path.realpath(path, strict=True) if os.path.isabs(path) else None
    except (OSError, ValueError):
        return None
