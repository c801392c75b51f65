"""Handlers of the type `http`, and the model clients that ask a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import HandlerTypeInfo, ModelClientInfo, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hookfw import HandlerType, ModelClient, ModelSettings

NEEDS = "httpx2"
INSTALL = "hookfw[http]"


def _http() -> HandlerType:
    from hookfw_http.handler import HttpHandler  # noqa: PLC0415 - registering loads nothing

    return HttpHandler()


def _openai(argument: str, settings: ModelSettings, environ: Mapping[str, str]) -> ModelClient:
    from hookfw_http.openai_client import load  # noqa: PLC0415 - only where it is chosen

    return load(argument, settings, environ)


def _anthropic(argument: str, settings: ModelSettings, environ: Mapping[str, str]) -> ModelClient:
    from hookfw_http.anthropic_client import load  # noqa: PLC0415 - only where it is chosen

    return load(argument, settings, environ)


@hookimpl
def register_handler_types() -> Iterable[HandlerTypeInfo]:
    """The one that posts."""
    return [HandlerTypeInfo("http", _http, needs=(NEEDS,), install=INSTALL)]


@hookimpl
def register_model_clients() -> Iterable[ModelClientInfo]:
    """Those of the two interfaces that most services have."""
    return [ModelClientInfo("openai", _openai), ModelClientInfo("anthropic", _anthropic)]
