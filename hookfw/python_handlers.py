"""Python handlers: the pseudo-dialect `python`, made of the lifecycle hooks that plugins implement."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hookfw.diagnostics import Diagnostic
from hookfw.guard import FAILURES, Blocking, PythonCall
from hookfw.merge import REFUSABLE, merge, refusal_of, strongest
from hookfw.outcome import NO_EFFECT, STRENGTH, Effect, Run, RunStatus, Verdict

if TYPE_CHECKING:
    from hookfw.base_supervisor import BaseSupervisor
    from hookfw.drivers.driver import Driver
    from hookfw.events import Event

DIALECT = "python"


async def fire_python(supervisor: BaseSupervisor, driver: Driver, event: Event) -> tuple[Verdict, list[Run]]:
    """
    Call every Python handler of the event, await what is awaitable, and reduce what they ask for.

    The calls themselves are made in one go, as pluggy does it; observers see each run start when it is its turn to be awaited.
    """
    clock, watched = supervisor.monotonic, supervisor.watches_runs
    status: RunStatus
    error: str | None
    effects: list[tuple[str, Effect]] = []
    runs: list[Run] = []
    diagnostics: list[Diagnostic] = []
    for call in supervisor.host.call_python(event.kind, event):
        plugin = call.plugin
        identity = (supervisor.new_run_id(), plugin, DIALECT, event.kind, DIALECT, plugin)
        if watched:
            supervisor.observe_started(Run(*identity, "running"))
        if call.value is None and call.error is None:
            # Most handlers have nothing to say most of the time, and nothing is awaited then.
            status, effect, error, duration = "completed", NO_EFFECT, None, call.duration
        else:
            started = clock()
            status, effect, error = await _settle(call, event, driver)
            duration = call.duration + clock() - started
        run = Run(*identity, status, None, None, duration, error=error)
        if watched:
            supervisor.observe_finished(run)
        runs.append(run)
        if effect is not NO_EFFECT:
            effects.append((plugin, effect))
        if error is not None:
            diagnostics.append(_problem(call, event, error))
        if not call.kept:
            diagnostics.append(
                Diagnostic(
                    "dropped-effect",
                    "info",
                    f"A wrapper took the effect of the Python handler {call.plugin!r} out of {event.kind}.",
                    hook=call.plugin,
                )
            )
    return reduce_python(event.kind, effects, diagnostics), runs


def reduce_python(kind: str, effects: Sequence[tuple[str, Effect]], diagnostics: Sequence[Diagnostic] = ()) -> Verdict:
    """
    The effects of Python handlers as one verdict: each counts as a dialect of its own, in the order of the handlers.

    A denial, a defer or a block refuses where the event announces something; a stop ends the turn, and refuses a
    prompt or a compaction.
    """
    if not effects and not diagnostics:
        return _NOTHING_SAID
    verdicts = [_verdict(kind, plugin, effect) for plugin, effect in effects]
    if len(verdicts) == 1 and not diagnostics:
        return verdicts[0]
    merged = merge(verdicts)
    winner = strongest(verdicts)
    return Verdict(
        dialect=DIALECT,
        decided_by=winner.decided_by if winner else None,
        diagnostics=tuple(diagnostics),
        **{name: getattr(merged, name) for name in (*_ANSWER, "refused", "ends_turn", "asks")},
    )


_NOTHING_SAID = Verdict(dialect=DIALECT)
_ANSWER = tuple(name for name in Effect.__dataclass_fields__ if name != "detail")
_STOP_REFUSES = frozenset({"user_prompt_submit", "pre_compact", "post_compact"})


def _verdict(kind: str, plugin: str, effect: Effect) -> Verdict:
    words = {"deny", "defer", "block"} | ({"stop"} if kind in _STOP_REFUSES else set())
    return Verdict(
        dialect=DIALECT,
        decided_by=plugin if effect.decision != "none" else None,
        refused=kind in REFUSABLE and effect.decision in words,
        ends_turn=effect.decision == "stop",
        **{name: getattr(effect, name) for name in _ANSWER},
    )


async def _settle(call: PythonCall, event: Event, driver: Driver) -> tuple[RunStatus, Effect, str | None]:
    """Status, effect and error of one call, once it is awaited."""
    value: Any = call.value
    status: RunStatus = "completed"
    error: str | None = None
    try:
        if call.error is not None:
            raise call.error
        if not call.kept and inspect.iscoroutine(value):
            value.close()
            value = None
        if isinstance(value, Blocking):
            value = await driver.in_thread(value.function, call.options.timeout)
        elif inspect.isawaitable(value):
            value = await driver.call(_without_exit(value), call.options.timeout)
        _check(value)
    except TimeoutError:
        status, value, error = "timed_out", None, f"timed out after {call.options.timeout:g}s"
    except FAILURES as raised:
        status, value, error = "failed", None, f"{type(raised).__name__}: {raised}"
    if not call.kept:
        value = None
    if error is not None and call.options.strict and event.kind in REFUSABLE:
        value = replace(
            NO_EFFECT, decision=refusal_of(event.kind), reason=f"The strict handler {call.plugin!r} gave no answer."
        )
    return status, value or NO_EFFECT, error


async def _without_exit(awaitable: Awaitable[Any]) -> Any:
    """The result of `awaitable`; its `sys.exit` is a failure like others, and ends no event loop."""
    try:
        return await awaitable
    except SystemExit as error:
        message = f"it asked the process to exit ({error.code})"
        raise RuntimeError(message) from error


def _check(value: object) -> None:
    """Raise `TypeError` for what is no answer: a wrong field would only show where nobody knows whose it is."""
    if value is None:
        return
    if not isinstance(value, Effect):
        message = f"it returned a {type(value).__name__}, not an Effect, None or an awaitable of these"
        raise TypeError(message)
    for names, fits, wanted in _FIELDS:
        for name in names:
            given = getattr(value, name)
            if not fits(given):
                message = f"its Effect has the {name} {given!r:.40}, which must be {wanted}"
                raise TypeError(message)


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _is_named_texts(value: object) -> bool:
    return isinstance(value, Mapping) and _is_texts([*value, *value.values()])


def _is_json(value: object) -> bool:
    try:
        json.dumps(dict(value) if isinstance(value, Mapping) else value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


_FIELDS: Sequence[tuple[Sequence[str], Callable[[Any], bool], str]] = (
    (("decision",), lambda value: isinstance(value, str) and value in STRENGTH, f"one of {', '.join(STRENGTH)}"),
    (("reason", "stop_reason", "prompt"), lambda value: value is None or isinstance(value, str), "a text or None"),
    (("suppress_prompt",), lambda value: isinstance(value, bool), "True or False"),
    (("context", "feedback", "messages", "terminal_sequences"), _is_texts, "a tuple of texts"),
    (("env",), _is_named_texts, "a mapping of texts to texts"),
    (("native",), lambda value: isinstance(value, Mapping) and _is_json(value), "a mapping of what JSON can say"),
    (("updated_input",), _is_json, "what JSON can say"),
)


def _problem(call: PythonCall, event: Event, error: str) -> Diagnostic:
    consequence = "so what it guards is refused" if call.options.strict else "the others still ran"
    return Diagnostic(
        "python-handler-failed",
        "error",
        f"The Python handler {call.plugin!r} failed on {event.kind}: {error}; {consequence}.",
        hook=call.plugin,
    )
