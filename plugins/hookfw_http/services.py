"""What the model clients share: where a service is, which key it takes, and one question to it."""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import ConfigurationError, ModelError, text, url_problem
from hookfw_http import INSTALL, NEEDS
from hookfw_http.posting import PostError, host_of, post

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import ModelSettings

REPLY_LIMIT = 1_048_576
"""Bytes of a service's answer that are read."""
_REMEDIES = {
    400: "the service does not take the request; see that the model's name is right",
    401: "the service does not accept the key",
    403: "the service does not allow that with this key",
    404: "there is no such model or no such address; see `model.model` and `model.base_url`",
    429: "too many requests, or nothing left to spend",
}


class Defaults(NamedTuple):
    """
    What is usual for one kind of service.

    Attributes:
        client: name of the model client.
        base_url: its own address.
        base_url_variable: the variable that names another one.
        key_variable: the variable that holds the key.
        model: the model that is asked where nobody names one; empty where there is no such model.
    """

    client: str
    base_url: str
    base_url_variable: str
    key_variable: str
    model: str = ""


class Service:
    """
    One service. The key is in no representation of it.

    Attributes:
        base_url: its address, without a slash at the end.
        model: the model that is asked where a hook names none.
        key: empty for a service that needs none.
    """

    __slots__ = ("base_url", "key", "model")

    def __init__(self, base_url: str, key: str, model: str) -> None:
        self.base_url = base_url
        self.key = key
        self.model = model

    def __repr__(self) -> str:
        return f"Service({host_of(self.base_url)})"

    def chosen(self, model: str | None) -> str:
        """The model that is asked. Raises `ModelError` where nobody names one."""
        found = model or self.model
        if not found:
            message = "no model is named; set `model.model` in hookfw's configuration, or `model` in the hook"
            raise ModelError(message)
        return found

    async def ask(self, path: str, headers: Mapping[str, str], question: Mapping[str, Any], timeout: float) -> Any:
        """
        What the service answers, as JSON, after `timeout` seconds at most.

        Raises `ModelError` where there is no such answer, and `TimeoutError`.
        """
        host = host_of(self.base_url)
        body = text.compact_json(question).encode()
        try:
            async with asyncio.timeout(timeout):
                posted = await post(self.base_url + path, headers, body, REPLY_LIMIT)
        except PostError as error:
            message = f"the request {error.detail}"
            raise ModelError(message) from None
        if not posted.well:
            remedy = _REMEDIES.get(posted.status)
            message = f"{host} answered with the status {posted.status}{f': {remedy}' if remedy else ''}"
            raise ModelError(message)
        try:
            return json.loads(posted.body)
        except (ValueError, RecursionError):
            message = f"{host} answered with something that is no JSON"
            raise ModelError(message) from None

    def reply(self, found: object, what: str) -> str:
        """A reply's text, in which the key is not repeated. Raises `ModelError` for what is no text."""
        if not isinstance(found, str):
            message = f"{host_of(self.base_url)} answered with something that is no {what}"
            raise ModelError(message)
        return found.replace(self.key, "[key]") if self.key else found


def find_service(defaults: Defaults, argument: str, settings: ModelSettings, environ: Mapping[str, str]) -> Service:
    """
    The service that is asked: the settings count before the environment, and that before what is usual.

    Raises `ConfigurationError` where a package or the key is missing, or where the address or the key cannot be used.
    """
    if find_spec(NEEDS) is None:
        message = (
            f"the model client `{defaults.client}` needs a package that is not installed; "
            f"install it with: pip install '{INSTALL}'"
        )
        raise ConfigurationError(message)
    other = settings.base_url or environ.get(defaults.base_url_variable, "").strip()
    base_url = (other or defaults.base_url).rstrip("/")
    problem = url_problem(base_url)
    if problem is not None:
        where = "`model.base_url`" if settings.base_url else defaults.base_url_variable
        message = f"the address in {where} {problem}; write one such as {defaults.base_url}"
        raise ConfigurationError(message)
    variable = settings.key_env or defaults.key_variable
    key = environ.get(variable, "").strip()
    if not key and (settings.key_env or not other):
        message = (
            f"the model client `{defaults.client}` needs a key; put it into the variable {text.line(variable, 80)}"
        )
        raise ConfigurationError(message)
    if not (key.isascii() and key.isprintable()):
        message = f"the variable {text.line(variable, 80)} holds something that is no key; it must be printable and on one line"
        raise ConfigurationError(message)
    return Service(base_url, key, argument or settings.model or defaults.model)
