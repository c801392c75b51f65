"""The model client `openai`: every service with an OpenAI-compatible chat interface, a server of one's own included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw_http.services import Defaults, find_service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import ModelSettings
    from hookfw_http.services import Service

DEFAULTS: Final = Defaults("openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY")


class OpenAIClient:
    """Asks for one chat completion, in JSON."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def complete(self, *, model: str | None, system: str, user: str, timeout: float) -> str:
        """See `ModelClient.complete`."""
        service = self._service
        messages = [{"role": "system", "content": system}] if system else []
        question = {
            "model": service.chosen(model),
            "messages": [*messages, {"role": "user", "content": user}],
            "response_format": {"type": "json_object"},
        }
        headers = {"Authorization": f"Bearer {service.key}"} if service.key else {}
        answer = await service.ask("/chat/completions", headers, question, timeout)
        try:
            found = answer["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            found = None
        return service.reply(found, "chat completion")


def load(argument: str, settings: ModelSettings, environ: Mapping[str, str]) -> OpenAIClient:
    """The client; `argument` names the model where a hook names none. Raises `ConfigurationError`."""
    return OpenAIClient(find_service(DEFAULTS, argument, settings, environ))
