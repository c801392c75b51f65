"""The session of an asynchronous agent: its lifecycle in six calls."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Self

from hookfw.sessions.base import BaseSession, T
from hookfw.sessions.calls import Ask, ToolOptions
from hookfw.sessions.lanes import Lanes

if TYPE_CHECKING:
    from hookfw.events import Event
    from hookfw.outcome import Outcome
    from hookfw.sessions.results import CallResult, CompactResult, FinishResult, PromptResult, StepResult
    from hookfw.supervisor import Supervisor


class AgentSession(BaseSession):
    """
    Drives the lifecycle of an asynchronous agent.

        async with Supervisor.open(workspace=".", mode="codex") as hooks, AgentSession(hooks, permission=ask) as session:
            await session.start()
            prompt = await session.submit("Fix the parser.")

    Tool calls of one turn may run at once, but for those that a supervisor wants to run alone; every other step has to return before the next. Leaving the `async with` ends
    a session that was not ended. A step that is cancelled fires nothing more and leaves nothing running; take up the turn
    with `interrupt`.
    """

    hooks: Supervisor
    _own_lanes: Lanes | None = None

    async def start(self, source: str = "startup", **extra: Any) -> StepResult:
        """
        Begin: `session_start`.

        Args:
            source: `startup`, `resume`, `clear` or `fork`.
            extra: further fields of the event.

        Where `refused`, the session does not start. A hook that stops the start keeps the next prompt from the model:
        `submit` then says so. Raises `OrderError` while the session is started.
        """
        return await self._start(source, extra)

    async def submit(self, prompt: str, **extra: Any) -> PromptResult:
        """
        Announce the person's prompt: `user_prompt_submit`; unless it is refused, a turn begins and the session is busy.

        Args:
            prompt: what the person said.
            extra: further fields of the event, `turn_id` and `prompt_id` for ids of the agent's own.

        Give the model `for_model` of the result. Raises `OrderError` while a turn is under way.
        """
        return await self._submit(prompt, extra)

    async def tool(
        self,
        name: str,
        tool_input: Any,
        run: Callable[[Any, Mapping[str, str]], Any],
        *,
        ask: Ask = False,
        tool_use_id: str | None = None,
        shell: bool | None = None,
        **extra: Any,
    ) -> CallResult:
        """
        Carry out one tool call: `pre_tool_use`, `permission_request`, `shell_env`, the tool, `post_tool_use` or
        `post_tool_use_failure`.

        Args:
            name: the tool, in the spelling of any ecosystem.
            tool_input: its input.
            run: runs the tool, with the input as hooks left it and the variables they gave; returns the output or a
                `ToolOutput`. Plain functions are called on the event loop.
            ask: the agent wants the person asked; a callable is asked about the input as hooks left it.
            tool_use_id: the call's id (default: one is made).
            shell: the tool runs a shell command (default: where an active ecosystem knows it as its shell).
            extra: further fields of the events.

        An exception of the tool is its result: `failed`, with `error`. A refusal is never overruled; `allow` of a hook
        spares the agent its own question. Raises `OrderError` outside a turn.
        """
        return await self._tool(name, tool_input, run, ToolOptions(ask, tool_use_id, shell), extra)

    async def finish(self, last_message: str | None = None, **extra: Any) -> FinishResult:
        """
        Announce the end of the turn: `stop`; unless hooks keep it going, the session is idle and `turn_end` follows.

        Args:
            last_message: what the model said last.
            extra: further fields of `stop` and `turn_end` (`usage`, `totals`, `queued_message_count`).

        Where `goes_on`, give the model `for_model` and call this again when it is done. A turn that a hook ended is over
        without `stop`. Raises `OrderError` outside a turn and while tool calls run.
        """
        return await self._finish(last_message, extra)

    async def fail(self, error: str | Exception, *, details: str | None = None, **extra: Any) -> StepResult:
        """
        The turn failed in the end, of the model or its transport: `error`, `session_error`, `turn_end`.

        Args:
            error: what failed; a word such as `rate_limit` where there is one.
            details: the text behind the word.
            extra: further fields of `error` and `turn_end`.

        Raises `OrderError` outside a turn.
        """
        return await self._fail(error, details, extra)

    async def interrupt(self) -> StepResult:
        """The person interrupted the turn, which is over: `interrupt`, `turn_end`. Raises `OrderError` outside a turn."""
        return await self._interrupt()

    async def end(self, reason: str = "other", **extra: Any) -> StepResult:
        """
        End the session: `session_end`; a turn under way counts as interrupted.

        Args:
            reason: `clear`, `logout`, `prompt_input_exit` or `other`.
            extra: further fields of the event.

        Background hooks are waited for where the supervisor is closed. Raises `OrderError` unless started.
        """
        return await self._end(reason, extra)

    async def compact(
        self, trigger: str, run: Callable[[], Any], *, custom_instructions: str | None = None, **extra: Any
    ) -> CompactResult:
        """
        Compact the conversation: `pre_compact`, `run`, `post_compact`, `session_start` with the source `compact`.

        Args:
            trigger: `manual` or `auto`.
            run: compacts; returns the summary. An exception is given back as `error`.
            custom_instructions: what the person wants kept.
            extra: further fields of the compaction's events.

        Where `refused`, nothing was compacted or the summary must not be used. Raises `OrderError` unless started.
        """
        return await self._compact(trigger, run, custom_instructions, extra)

    async def start_subagent(self, agent_id: str, agent_type: str, **extra: Any) -> StepResult:
        """
        Announce a sub-agent: `subagent_start`. `context` is for the sub-agent.

        Args:
            agent_id: which one it is.
            agent_type: of which kind.
            extra: further fields of the event (`prompt`).

        Raises `OrderError` unless started.
        """
        return await self._start_subagent(agent_id, agent_type, extra)

    async def stop_subagent(
        self, agent_id: str, agent_type: str, last_message: str | None = None, **extra: Any
    ) -> FinishResult:
        """
        Announce that a sub-agent is done: `subagent_stop`. Where `goes_on`, give it `for_model`; else `context` is the parent's.

        Args:
            agent_id: which one it is.
            agent_type: of which kind.
            last_message: what it said last.
            extra: further fields of the event (`result`, `status`).

        Raises `OrderError` for one that was not started.
        """
        return await self._stop_subagent(agent_id, agent_type, last_message, extra)

    async def fire(self, event: Event) -> Outcome:
        """Fire any other event, with what the session and its turn know; what it gives is handed on as with every step."""
        return await self._passed(event)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.state is not None and (kind is None or issubclass(kind, Exception)):
            await self.end()

    async def _fire(self, event: Event) -> Outcome:
        return await self.hooks.fire(event)

    async def _post(self, event: Event) -> None:
        await self.hooks.submit(event)

    def _turn_of(self, call: Event) -> AbstractAsyncContextManager[None]:
        if self._own_lanes is None:
            self._own_lanes = Lanes()
        return self._own_lanes.taken(alone=self.hooks.serial_required(call))

    async def settled(self, value: T | Awaitable[T]) -> T:
        """See `BaseSession.settled`."""
        return await value if inspect.isawaitable(value) else value
