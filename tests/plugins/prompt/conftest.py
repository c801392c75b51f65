from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import hookfw_prompt
from hookfw import Ended, HandlerCall, Host, Invocation, ModelRequest, Resources
from hookfw.settings import ModelSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Callable


class Clients:
    """A plugin with the model clients of a test, by name what makes them."""

    def __init__(self, **clients: Callable[..., Any]) -> None:
        self._clients = clients

    def plugin(self) -> Any:
        from hookfw import ModelClientInfo, hookimpl

        made = [ModelClientInfo(name, load) for name, load in self._clients.items()]

        class Plugin:
            @hookimpl
            def register_model_clients(self):
                return made

        return Plugin()


@pytest.fixture
def resources():
    """Makes what handler types share, for clients, settings and an environment."""

    def make(*, environ=None, model=None, clients=None, **given: Any) -> Resources:
        host = Host()
        host.register(hookfw_prompt, "prompt")
        if clients is not None:
            host.register(Clients(**clients).plugin(), "clients")
        settings = Settings(model=model or ModelSettings())
        return Resources(host=host, settings=settings, environ=environ or {}, **given)

    return make


@pytest.fixture
def ask():
    """A body for a driver: runs one handler type once, closes what was kept, and gives the facts."""

    def body(handler, resources, *, timeout=30.0, config=None, user="may it run ls?"):
        async def run(driver):
            invocation = Invocation(timeout=timeout, config=config or ModelRequest(user, "answer in JSON", "small"))
            call = HandlerCall(driver, "run", {}, lambda: "/nowhere", resources)
            try:
                return await handler.run(invocation, call)
            except TimeoutError:
                return Ended(state="timed_out")  # as the host takes it
            finally:
                await resources.close(driver)

        return run

    return body
