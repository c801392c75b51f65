"""The model client `anthropic`: the Messages interface of Anthropic, and services that have the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw_http.services import Defaults, find_service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import ModelSettings
    from hookfw_http.services import Service

DEFAULTS: Final = Defaults(
    "anthropic", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "claude-haiku-5-5"
)
VERSION: Final = "2023-06-01"
"""The version of the interface that is asked for."""
REPLY_TOKENS: Final = 1024
"""Tokens of a reply at most: an answer and its reason."""


class AnthropicClient:
    """Asks for one message."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def complete(self, *, model: str | None, system: str, user: str, timeout: float) -> str:
        """See `ModelClient.complete`."""
        service = self._service
        question = {
            "model": service.chosen(model),
            "max_tokens": REPLY_TOKENS,
            "messages": [{"role": "user", "content": user}],
        }
        if system:
            question["system"] = system
        headers = {"anthropic-version": VERSION}
        if service.key:
            headers["x-api-key"] = service.key
        answer = await service.ask("/v1/messages", headers, question, timeout)
        try:
            found = "".join(part["text"] for part in answer["content"] if part["type"] == "text")
        except (KeyError, TypeError):
            found = None
        return service.reply(found, "message")


def load(argument: str, settings: ModelSettings, environ: Mapping[str, str]) -> AnthropicClient:
    """The client; `argument` names the model where a hook names none. Raises `ConfigurationError`."""
    return AnthropicClient(find_service(DEFAULTS, argument, settings, environ))
