"""The host: the plugin manager with the dialects, handler types and Python handlers that are installed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pluggy

from hookfw.diagnostics import Diagnostic
from hookfw.entry_points import InstalledEntry, entries
from hookfw.errors import PluginError, UnknownDialectError
from hookfw.guard import FAILURES, Guard
from hookfw.hookspecs import (
    PROJECT,
    CommandInfo,
    DemoInfo,
    HandlerOptions,
    LifecycleSpecs,
    ObservationSpecs,
    RegistrationSpecs,
)
from hookfw.registration import registered
from hookfw.text import closest

if TYPE_CHECKING:
    from hookfw.agent import Agent, AgentInfo
    from hookfw.background import ExecutorInfo
    from hookfw.dialect import Dialect, DialectInfo
    from hookfw.events import Event
    from hookfw.guard import PythonCall, Registered
    from hookfw.handlers import HandlerType, HandlerTypeInfo
    from hookfw.outcome import Outcome, Run
    from hookfw.requests import ModelClientInfo

T = TypeVar("T")

_SPECS = (RegistrationSpecs, LifecycleSpecs, ObservationSpecs)


class PluginInfo(NamedTuple):
    """
    One plugin: what it is, and what became of it.

    Attributes:
        name: name of its entry point; blocks it.
        origin: its entry point, or the name of what brought it; `None` when it was handed in.
        provides: names of the hooks it implements.
        problem: why it is not active; `None` when it is.
    """

    name: str
    origin: InstalledEntry | str | None = None
    provides: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def package(self) -> str:
        """The distribution it comes from."""
        return self.origin.distribution()[0] if isinstance(self.origin, InstalledEntry) else self.origin or ""

    @property
    def version(self) -> str:
        """The version of that distribution."""
        return self.origin.distribution()[1] if isinstance(self.origin, InstalledEntry) else ""


class Host:
    """
    The installed plugins behind typed methods: callers never touch pluggy.

    `Host.load()` reads the entry points; `Host()` alone is empty and takes plugins by `register`.
    """

    def __init__(self, around: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext) -> None:
        """`around`: entered while plugins are imported, register and load what they bring."""
        self._around = around
        self._manager = pluggy.PluginManager(PROJECT)
        for specs in _SPECS:
            self._manager.add_hookspecs(specs)
        self._known = {name for specs in _SPECS for name in vars(specs) if not name.startswith("_")}
        self._guard = Guard(self._emit_problem)
        self._plugins: list[PluginInfo] = []
        self._diagnostics: list[Diagnostic] = []
        self._loaded: dict[tuple[str, str], Any] = {}
        self._infos: dict[str, dict[str, Any]] = {}

    @classmethod
    def load(
        cls, blocked: Iterable[str] = (), around: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext
    ) -> Host:
        """
        A host with every installed plugin but the blocked ones; `around` as for the constructor.

        A plugin that cannot be imported, misspells a hook or asks for arguments no hook has is a diagnostic, and so is
        a blocked name that no plugin has.
        """
        host = cls(around)
        refused = dict.fromkeys(blocked)
        with around():
            for entry in entries(PROJECT):
                host._load_entry_point(entry, refused)
        host._note_unknown(refused)
        return host

    def register(self, plugin: object, name: str, origin: InstalledEntry | str | None = None) -> None:
        """Take `plugin` (a module or object with `hookimpl`s) in under `name`. Never raises for what it holds."""
        if any(info.name == name and info.problem is None for info in self._plugins):
            package = PluginInfo(name, origin).package
            name = f"{package}:{name}" if package else f"{name}#{len(self._plugins)}"
        provides, unknown = self._implementations(plugin)
        for hook in unknown:
            close = closest(hook, self._known)
            meant = f"did you mean {close!r}?" if close else "`hookfw events` lists the hooks there are."
            self._note("unknown-hook", f"The plugin {name!r} implements {hook!r}, which is no hook of hookfw: {meant}")
        problem = None
        try:
            self._manager.register(self._guard.proxy(plugin, name, provides), name=name)
        except Exception as error:  # noqa: BLE001 - what a plugin marks need not even be a function
            problem = f"it does not fit the hooks of hookfw: {' '.join(str(error).split())}"
            self._note("plugin-failed", f"The plugin {name!r} is not active: {problem}")
        self._plugins.append(PluginInfo(name, origin, tuple(provides), problem))
        self._infos.clear()

    @property
    def plugins(self) -> Sequence[PluginInfo]:
        """Every plugin that was found, those that are blocked or broken included."""
        return tuple(self._plugins)

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """What was noticed about the plugins so far."""
        return tuple(self._diagnostics)

    @property
    def dialects(self) -> Mapping[str, DialectInfo]:
        """The registered dialects by name."""
        return self._registered("register_dialects")

    @property
    def agents(self) -> Mapping[str, AgentInfo]:
        """The registered agents by name."""
        return self._registered("register_agents")

    @property
    def handler_types(self) -> Mapping[str, HandlerTypeInfo]:
        """The registered handler types by name."""
        return self._registered("register_handler_types")

    @property
    def model_clients(self) -> Mapping[str, ModelClientInfo]:
        """The registered model clients by name."""
        return self._registered("register_model_clients")

    @property
    def executors(self) -> Mapping[str, ExecutorInfo]:
        """The registered executors by name."""
        return self._registered("register_executors")

    @property
    def commands(self) -> Mapping[str, CommandInfo]:
        """The registered commands by name."""
        return self._registered("register_commands")

    @property
    def demos(self) -> Mapping[str, DemoInfo]:
        """What each dialect shows in the demonstration."""
        return self._registered("register_demos", key="dialect")

    def dialect(self, name: str) -> Dialect:
        """The dialect of this name, loaded once. Raises `UnknownDialectError`, and `PluginError` for a broken one."""
        found: Dialect = self._load("dialect", name, self.dialects)
        return found

    def loadable_dialects(self, names: Iterable[str] | None = None) -> Mapping[str, Dialect]:
        """The dialects of these names (default: all) by name, without those that are broken. Raises for unknown ones."""
        found = {}
        for name in self.dialects if names is None else names:
            with contextlib.suppress(PluginError):
                found[name] = self.dialect(name)
        return found

    def agent(self, name: str) -> Agent:
        """The agent of this name, loaded once. Raises `UnknownDialectError`, and `PluginError` for a broken one."""
        found: Agent = self._load("agent", name, self.agents)
        return found

    def handler_type(self, name: str) -> HandlerType | None:
        """The handler type of this name, loaded once; `None` when no plugin has it, or one that cannot be used."""
        known = self._loaded.get(("handler type", name))
        if known is not None:
            found: HandlerType = known
            return found
        if self.unusable_handler(name) is not None:
            return None
        try:
            loaded: HandlerType = self._load("handler type", name, self.handler_types)
        except PluginError as error:
            self._note("plugin-failed", str(error))
            return None
        return loaded

    def unusable_handler(self, name: str) -> str | None:
        """Why handlers of this type cannot run, with the remedy; `None` where they can, as far as registering tells."""
        info = self.handler_types.get(name)
        if info is None:
            return f"no installed plugin brings handlers of the type {name!r}"
        command = info.missing()
        return (
            command
            and f"handlers of the type {name!r} need a package that is not installed; install it with: {command}"
        )

    def python_handlers(self, kind: str) -> Sequence[str]:
        """Names of the plugins that implement the lifecycle hook `kind`, in the order in which they run."""
        caller = getattr(self._manager.hook, kind)
        return [implementation.plugin_name for implementation in reversed(caller.get_hookimpls())]

    def python_options(self, kind: str) -> Sequence[tuple[str, HandlerOptions]]:
        """The same, each with how its handler wants to be run."""
        found = reversed(getattr(self._manager.hook, kind).get_hookimpls())
        return [
            (item.plugin_name, getattr(item.function, "hookfw_options", None) or HandlerOptions()) for item in found
        ]

    def call_python(self, kind: str, event: Event) -> Sequence[PythonCall]:
        """Call every Python handler of `kind`; results that are awaitable are not awaited yet."""
        return self._guard.calling(lambda: getattr(self._manager.hook, kind)(event=event))

    def observed(self, name: str) -> bool:
        """Some plugin implements the observation hook `name`."""
        return bool(getattr(self._manager.hook, name).get_hookimpls())

    def run_started(self, run: Run) -> None:
        """Tell observers that a hook starts."""
        self._manager.hook.run_started(run=run)

    def run_finished(self, run: Run) -> None:
        """Tell observers that a hook ended."""
        self._manager.hook.run_finished(run=run)

    def event_fired(self, event: Event, outcome: Outcome) -> None:
        """Tell observers that an event was fired."""
        self._manager.hook.event_fired(event=event, outcome=outcome)

    def diagnostic_emitted(self, diagnostic: Diagnostic) -> None:
        """Tell observers that something was noticed."""
        self._manager.hook.diagnostic_emitted(diagnostic=diagnostic)

    def _note_unknown(self, blocked: Iterable[str]) -> None:
        names = [info.name for info in self._plugins]
        for name in blocked:
            if name not in names:
                close = closest(name, names)
                meant = f"did you mean {close!r}?" if close else "`hookfw plugins` shows those there are."
                message = f"No plugin named {name!r} is installed, so blocking it changes nothing: {meant}"
                self._diagnostics.append(Diagnostic("unknown-plugin", "warning", message))

    def _load_entry_point(self, entry: InstalledEntry, blocked: Container[str]) -> None:
        if entry.name in blocked:
            self._plugins.append(PluginInfo(entry.name, entry, problem="blocked by name"))
            return
        try:
            plugin = entry.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a foreign module raises must not end the host
            problem = f"it cannot be imported: {type(error).__name__}: {error}"
            info = PluginInfo(entry.name, entry, problem=problem)
            self._plugins.append(info)
            self._note(
                "plugin-failed",
                f"The plugin {entry.name!r} of the package {info.package!r} is not active: {problem}; "
                f"repair or uninstall the package, or block the plugin with --no-plugin {entry.name}.",
            )
        else:
            self.register(plugin, entry.name, entry)

    def _implementations(self, plugin: object) -> tuple[list[str], list[str]]:
        """Attributes of `plugin` that carry the marker: of known hooks, and of unknown ones."""
        known, unknown = [], []
        for attribute in dir(plugin):
            try:
                options = getattr(getattr(plugin, attribute, None), f"{PROJECT}_impl", None)
            except Exception:  # noqa: BLE001, S112 - an attribute that cannot be looked at implements nothing
                continue
            if not isinstance(options, dict):
                continue
            if (options.get("specname") or attribute) in self._known:
                known.append(attribute)
            elif not options.get("optionalhook"):
                unknown.append(attribute)
        return known, unknown

    def _registered(self, hook: str, key: str = "name") -> dict[str, Any]:
        found = self._infos.get(hook)
        if found is None:
            with self._around():
                results: Sequence[Registered] = getattr(self._manager.hook, hook)()
            # Pluggy asks the plugin first that came last: the one that came first keeps the name.
            infos, problems = registered(hook, key, list(reversed(results)))
            found = self._infos[hook] = infos
            for problem in problems:
                self._note("plugin-failed", problem)
        return found

    def _load(self, what: str, name: str, infos: Mapping[str, Any]) -> Any:
        loaded = self._loaded.get((what, name))
        if loaded is None:
            info = infos.get(name)
            if info is None:
                close = closest(name, infos)
                hint = f"did you mean {close!r}?" if close else f"installed are: {', '.join(infos) or 'none'}."
                message = f"There is no {what} named {name!r}: {hint}"
                raise UnknownDialectError(message)
            load: Callable[[], Any] = info.load
            try:
                with self._around():
                    loaded = self._loaded[what, name] = load()
            except FAILURES as error:
                message = (
                    f"The {what} {name!r} cannot be loaded: {type(error).__name__}: {error}; "
                    "repair or uninstall the package that brings it."
                )
                raise PluginError(message) from error
        return loaded

    def _emit_problem(self, plugin: str, hook: str, error: BaseException) -> None:
        self._note(
            "plugin-failed", f"The plugin {plugin!r} raised {type(error).__name__} in {hook!r}: {error}", hook=plugin
        )

    def _note(self, code: str, message: str, *, hook: str | None = None) -> None:
        self._diagnostics.append(Diagnostic(code, "error", message, hook=hook))
