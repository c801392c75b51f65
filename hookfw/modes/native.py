"""Compatibility mode: an agent's own call in, an answer in the agent's own form out, and what that form could not say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from hookfw.diagnostics import Diagnostic
from hookfw.errors import ConfigurationError, HookfwError, PluginError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.agent import Agent, NativeAnswer, NativeCall
    from hookfw.events import Event
    from hookfw.outcome import Outcome

Told: TypeAlias = "Callable[[Event, Outcome], None]"
"""Is told the event behind a native call and its outcome, with what the agent's form could not say as diagnostics."""

DEGRADED = "degraded"
"""Code of the diagnostics about what an agent's form cannot say."""


def chosen(agent: Agent | None) -> Agent:
    """The agent of the compatibility mode. Raises `ConfigurationError` where the supervisor was opened without one."""
    if agent is None:
        message = (
            "An agent's own call can only be fired in its compatibility mode: open the supervisor with one, such as "
            'mode="codex"; `hookfw dialects` lists them.'
        )
        raise ConfigurationError(message)
    return agent


def event_of(agent: Agent, call: NativeCall) -> Event:
    """The event behind a call. Raises `EventError` for a call that names none or cannot be read."""
    try:
        return agent.parse_event(call)
    except HookfwError:
        raise
    except Exception as error:
        raise _broken(agent, "reads its call", error) from error


def answer_of(agent: Agent, event: Event, outcome: Outcome) -> tuple[NativeAnswer, Sequence[Diagnostic]]:
    """The outcome in the agent's form, and a diagnostic for each thing the form cannot say."""
    try:
        answer = agent.render(event, outcome)
        losses = agent.can_say(event, outcome)
    except Exception as error:
        raise _broken(agent, "writes its answer", error) from error
    return answer, [
        Diagnostic(
            DEGRADED,
            "warning",
            f"The answer to {agent.name} does not say `{loss.field}` as the outcome on {event.kind} has it: "
            f"{loss.message}.",
        )
        for loss in losses
    ]


def _broken(agent: Agent, where: str, error: Exception) -> PluginError:
    message = (
        f"The mode {agent.name!r} failed where it {where}: {type(error).__name__}: {error}; "
        "report it to whoever made the mode."
    )
    return PluginError(message)
