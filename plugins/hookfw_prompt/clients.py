"""Which model client answers: the program's own, else the one that the environment or the person's settings name."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from hookfw import ConfigurationError, ModelSettings, text

if TYPE_CHECKING:
    from hookfw import ModelClient, ModelClientInfo, Resources

VARIABLE = "HOOKFW_MODEL_CLIENT"
"""The variable that names a model client; it counts before the setting `model.client`."""
NO_AGENT = (
    "has no agent runner to ask; a program that has one hands it in as `agent_client` when it opens the supervisor"
)


class Kept:
    """A model client that a plugin made, for the life of a supervisor."""

    def __init__(self, client: ModelClient) -> None:
        self.client = client

    async def close(self) -> None:
        """Close the client, where it can be closed."""
        close = getattr(self.client, "close", None)
        if close is not None:
            closing = close()
            if inspect.isawaitable(closing):
                await closing


def find_client(resources: Resources) -> ModelClient:
    """The client that answers. Raises `ConfigurationError`, in words that follow the hook's name, where there is none."""
    if resources.model_client is not None:
        return resources.model_client
    return resources.keep("model client", lambda: Kept(_make(resources))).client


def no_client(resources: Resources) -> str | None:
    """Why there is no client, in words that follow the hook's name; `None` where there is one."""
    if resources.model_client is not None:
        return None
    try:
        _make(resources)
    except ConfigurationError as error:
        return str(error)
    return None


def _make(resources: Resources) -> ModelClient:
    named = resources.environ.get(VARIABLE, "").strip()
    spec = named or resources.settings.model.client or ""
    known = resources.host.model_clients
    if not spec:
        message = (
            f"has no model to ask; set {VARIABLE} or `model.client` in hookfw's configuration to one of "
            f"{', '.join(sorted(known)) or 'the model clients of a plugin'}"
        )
        raise ConfigurationError(message)
    name, _, argument = spec.partition(":")
    info = known.get(name)
    if info is None:
        where = VARIABLE if named else "`model.client`"
        close = text.closest(name, known)
        hint = f"did you mean {close!r}?" if close else f"installed are: {', '.join(sorted(known)) or 'none'}"
        message = f"has no model to ask: {where} names the model client {text.line(name, 40)!r}, which is not installed; {hint}"
        raise ConfigurationError(message)
    return _load(info, argument, _settings_for(name, resources.settings.model), resources)


def _settings_for(name: str, settings: ModelSettings) -> ModelSettings:
    """The settings, unless they are for another client: its address must not be sent the key of this one."""
    own = (settings.client or name).partition(":")[0]
    return settings if own == name else ModelSettings(client=name)


def _load(info: ModelClientInfo, argument: str, settings: ModelSettings, resources: Resources) -> ModelClient:
    try:
        return info.load(argument, settings, resources.environ)
    except ConfigurationError as error:
        message = f"has no model to ask: {error}"
        raise ConfigurationError(message) from None
    except Exception as error:  # noqa: BLE001 - a client is a plugin; what it raises may hold a key
        message = f"has no model to ask: the model client {info.name!r} cannot be loaded ({type(error).__name__})"
        raise ConfigurationError(message) from None
