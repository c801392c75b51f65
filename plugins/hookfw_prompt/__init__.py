"""Handlers of the types `prompt` and `agent`, and the model client that answers from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import HandlerTypeInfo, ModelClientInfo, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hookfw import HandlerType, ModelClient, ModelSettings, Resources


def _prompt() -> HandlerType:
    from hookfw_prompt.handlers import PromptHandler  # noqa: PLC0415 - registering loads nothing

    return PromptHandler()


def _agent() -> HandlerType:
    from hookfw_prompt.handlers import AgentHandler  # noqa: PLC0415 - registering loads nothing

    return AgentHandler()


def _no_client(resources: Resources) -> str | None:
    from hookfw_prompt.clients import no_client  # noqa: PLC0415 - only where a hook asks a model

    return no_client(resources)


def _no_agent(resources: Resources) -> str | None:
    from hookfw_prompt.clients import NO_AGENT  # noqa: PLC0415 - only where a hook asks a helper

    return NO_AGENT if resources.agent_client is None else None


def _replay(argument: str, settings: ModelSettings, environ: Mapping[str, str]) -> ModelClient:
    from hookfw_prompt.replay import load  # noqa: PLC0415 - only where it is chosen

    return load(argument, settings, environ)


@hookimpl
def register_handler_types() -> Iterable[HandlerTypeInfo]:
    """Those that ask a model."""
    return [
        HandlerTypeInfo("prompt", _prompt, lacks=_no_client),
        HandlerTypeInfo("agent", _agent, lacks=_no_agent),
    ]


@hookimpl
def register_model_clients() -> Iterable[ModelClientInfo]:
    """The one that needs no service."""
    return [ModelClientInfo("replay", _replay)]
