"""
The handler types that ask a model: one request, or a helper that looks around first.

The reply is the run's standard output, as it came; what it means is for the dialect to say. Nobody is asked twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from hookfw import ConfigurationError, Ended, HandlerType, ModelError, failed, text
from hookfw_prompt.clients import NO_AGENT, find_client

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from hookfw import AgentRequest, HandlerCall, Invocation, ModelRequest


class PromptHandler(HandlerType):
    """One request to the model client. `NO_CLIENT` where there is none, `REQUEST_FAILED` where it has no reply."""

    name: ClassVar[str] = "prompt"

    async def run(self, invocation: Invocation, call: HandlerCall) -> Ended:
        """Ask once, within the timeout."""
        request: ModelRequest = invocation.config
        timeout = invocation.timeout

        async def ask() -> Ended:
            # On the loop that the client is closed on.
            try:
                client = find_client(call.resources)
            except ConfigurationError as error:
                return failed("NO_CLIENT", str(error))
            return await _reply(
                client.complete(model=request.model, system=request.system, user=request.user, timeout=timeout),
                invocation.stdout_cap,
            )

        return await call.driver.call(ask(), timeout)


class AgentHandler(HandlerType):
    """A question to the program's own agent client. `NO_CLIENT` where there is none, `REQUEST_FAILED` without a reply."""

    name: ClassVar[str] = "agent"

    async def run(self, invocation: Invocation, call: HandlerCall) -> Ended:
        """Ask once, within the timeout."""
        request: AgentRequest = invocation.config
        client = call.resources.agent_client
        if client is None:
            return failed("NO_CLIENT", NO_AGENT)
        timeout = invocation.timeout

        async def ask() -> Ended:
            return await _reply(
                client.ask(
                    model=request.model,
                    system=request.system,
                    user=request.user,
                    turns=request.turns,
                    timeout=timeout,
                ),
                invocation.stdout_cap,
            )

        return await call.driver.call(ask(), timeout)


async def _reply(asked: Awaitable[Any], limit: int) -> Ended:
    """The reply as facts. Of an error only its kind is told, since its text may hold a key; a `ModelError` promises it does not."""
    try:
        reply = await asked
    except TimeoutError:
        raise
    except ModelError as error:
        return failed("REQUEST_FAILED", f"got no reply from the model: {error}")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the client is not ours
        return failed("REQUEST_FAILED", f"got no reply from the model ({type(error).__name__})")
    if not isinstance(reply, str):
        return failed("REQUEST_FAILED", f"got a reply from the model that is no text ({type(reply).__name__})")
    if len(reply) > limit:
        return failed("OVER_CAP", f"got a reply of more than {limit:,} characters from the model")
    return Ended(state="exited", exit_code=0, stdout=text.scrub(reply))
