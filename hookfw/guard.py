"""
Guards around plugin code: what one implementation raises never keeps another from running.

In pluggy one exception ends the whole call. So each implementation is wrapped when its plugin is registered; a
lifecycle implementation leaves a record of its call besides, from which the supervisor makes its run.
"""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Generator, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

from hookfw.hookspecs import PROJECT, HandlerOptions, LifecycleSpecs


class PythonCall:
    """
    One call of one Python handler.

    Attributes:
        plugin: name of the plugin.
        options: how the handler wants to be run.
        value: what it returned: an effect, nothing, an awaitable of these, or a blocking handler's pending call.
        error: what it raised.
        duration: seconds the call itself took.
        kept: the value is still among the results after the wrappers.
    """

    __slots__ = ("duration", "error", "kept", "options", "plugin", "value")

    def __init__(self, plugin: str, options: HandlerOptions) -> None:
        self.plugin = plugin
        self.options = options
        self.value: Any = None
        self.error: BaseException | None = None
        self.duration = 0.0
        self.kept = True


class Blocking:
    """The pending call of a handler that wants a worker thread; wrappers see it as the handler's result."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function


FAILURES: tuple[type[BaseException], ...] = (Exception, SystemExit)
"""What plugin code raises of itself; anything else interrupts the program, and goes through."""


class Registered(NamedTuple):
    """What one plugin gave in one registration."""

    plugin: str
    infos: Sequence[Any]


_calls: ContextVar[list[PythonCall]] = ContextVar("hookfw_python_calls")
_LIFECYCLE = frozenset(name for name in vars(LifecycleSpecs) if not name.startswith("_"))


class _StandIn:
    """What pluggy sees of a plugin; two of them are two, also where both implement nothing."""


class Guard:
    """Makes guarded stand-ins of plugins; `report(plugin, hook, error)` hears of what registration and observers raise."""

    def __init__(self, report: Callable[[str, str, BaseException], None]) -> None:
        self._report = report

    def proxy(self, plugin: object, name: str, attributes: Sequence[str]) -> object:
        """A stand-in for `plugin` whose implementations cannot raise."""
        proxy = _StandIn()
        for attribute in attributes:
            function = getattr(plugin, attribute)
            marker: dict[str, Any] = getattr(function, f"{PROJECT}_impl")
            hook = marker.get("specname") or attribute
            if marker.get("wrapper"):
                guarded = self._wrapper(function, name, hook)
            elif hook in _LIFECYCLE:
                guarded = _lifecycle(function, name)
            else:
                guarded = self._plain(function, name, hook)
            setattr(guarded, f"{PROJECT}_impl", marker)
            setattr(proxy, attribute, guarded)
        return proxy

    def calling(self, call: Callable[[], list[Any]]) -> Sequence[PythonCall]:
        """Make a lifecycle call and give the records of its handlers, in the order in which they ran."""
        records: list[PythonCall] = []
        token = _calls.set(records)
        try:
            results = list(call() or ())
        finally:
            _calls.reset(token)
        for record in records:
            if record.value is None:
                continue
            index = next((at for at, result in enumerate(results) if result is record.value), None)
            record.kept = index is not None
            if index is not None:
                del results[index]
        for value in results:
            added = PythonCall("(wrapper)", HandlerOptions())
            added.value = value
            records.append(added)
        return records

    def _plain(self, function: Callable[..., Any], plugin: str, hook: str) -> Callable[..., Any]:
        @functools.wraps(function)
        def guarded(*args: Any) -> Any:
            try:
                result = function(*args)
                if result is None or not hook.startswith("register_"):
                    return result
                # A generator or any other lazy answer is drawn here, where what it raises is caught.
                return Registered(plugin, list(result))
            except FAILURES as error:
                self._report(plugin, hook, error)
                return None

        return guarded

    def _wrapper(self, function: Callable[..., Any], plugin: str, hook: str) -> Callable[..., Any]:
        @functools.wraps(function)
        def guarded(*args: Any) -> Generator[None, Any, Any]:
            work = None
            try:
                work = function(*args)
                next(work)
            except FAILURES as error:
                self._failed(plugin, hook, error)
                work = None
            result = yield
            if work is None:
                return result
            try:
                work.send(result)
            except StopIteration as stop:
                return stop.value
            except FAILURES as error:
                self._failed(plugin, hook, error)
            else:
                self._failed(plugin, hook, RuntimeError("a wrapper must yield exactly once"))
            return result

        return guarded

    def _failed(self, plugin: str, hook: str, error: BaseException) -> None:
        records = _calls.get(None)
        if records is None or hook not in _LIFECYCLE:
            self._report(plugin, hook, error)
            return
        record = PythonCall(plugin, HandlerOptions())
        record.error = error
        records.append(record)


def _lifecycle(function: Callable[..., Any], plugin: str) -> Callable[..., Any]:
    options = getattr(function, "hookfw_options", None) or HandlerOptions()

    @functools.wraps(function)
    def guarded(*args: Any) -> Any:
        record = PythonCall(plugin, options)
        _calls.get([]).append(record)
        if options.blocking and not inspect.iscoroutinefunction(function):
            record.value = Blocking(functools.partial(function, *args))
            return record.value
        started = time.perf_counter()
        try:
            record.value = function(*args)
        except FAILURES as error:
            record.error = error
        record.duration = time.perf_counter() - started
        return record.value

    return guarded
