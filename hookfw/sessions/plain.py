"""The session of a plain agent: its lifecycle in six calls."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Self, cast

from hookfw.sessions.base import BaseSession, T
from hookfw.sessions.calls import Ask, ToolOptions

if TYPE_CHECKING:
    from hookfw.events import Event
    from hookfw.outcome import Outcome
    from hookfw.sessions.results import CallResult, CompactResult, FinishResult, PromptResult, StepResult
    from hookfw.sync import SyncSupervisor


class SyncAgentSession(BaseSession):
    """
    As `AgentSession`, with plain calls.

    with hookfw.open_sync(workspace=".", mode="codex") as hooks, SyncAgentSession(hooks, permission=ask) as session:
        session.start()
        prompt = session.submit("Fix the parser.")

    One step at a time, in one thread. What the agent hands in are plain callables.
    """

    hooks: SyncSupervisor

    def start(self, source: str = "startup", **extra: Any) -> StepResult:
        """
        Begin: `session_start`.

        Args:
            source: `startup`, `resume`, `clear` or `fork`.
            extra: further fields of the event.

        Where `refused`, the session does not start. A hook that stops the start keeps the next prompt from the model:
        `submit` then says so. Raises `OrderError` while the session is started.
        """
        return at_once(self._start(source, extra))

    def submit(self, prompt: str, **extra: Any) -> PromptResult:
        """
        Announce the person's prompt: `user_prompt_submit`; unless it is refused, a turn begins and the session is busy.

        Args:
            prompt: what the person said.
            extra: further fields of the event, `turn_id` and `prompt_id` for ids of the agent's own.

        Give the model `for_model` of the result. Raises `OrderError` while a turn is under way.
        """
        return at_once(self._submit(prompt, extra))

    def tool(
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
                `ToolOutput`.
            ask: the agent wants the person asked; a callable is asked about the input as hooks left it.
            tool_use_id: the call's id (default: one is made).
            shell: the tool runs a shell command (default: where an active ecosystem knows it as its shell).
            extra: further fields of the events.

        An exception of the tool is its result: `failed`, with `error`. A refusal is never overruled; `allow` of a hook
        spares the agent its own question. Raises `OrderError` outside a turn.
        """
        return at_once(self._tool(name, tool_input, run, ToolOptions(ask, tool_use_id, shell), extra))

    def finish(self, last_message: str | None = None, **extra: Any) -> FinishResult:
        """
        Announce the end of the turn: `stop`; unless hooks keep it going, the session is idle and `turn_end` follows.

        Args:
            last_message: what the model said last.
            extra: further fields of `stop` and `turn_end` (`usage`, `totals`, `queued_message_count`).

        Where `goes_on`, give the model `for_model` and call this again when it is done. A turn that a hook ended is over
        without `stop`. Raises `OrderError` outside a turn and while tool calls run.
        """
        return at_once(self._finish(last_message, extra))

    def fail(self, error: str | Exception, *, details: str | None = None, **extra: Any) -> StepResult:
        """
        The turn failed in the end, of the model or its transport: `error`, `session_error`, `turn_end`.

        Args:
            error: what failed; a word such as `rate_limit` where there is one.
            details: the text behind the word.
            extra: further fields of `error` and `turn_end`.

        Raises `OrderError` outside a turn.
        """
        return at_once(self._fail(error, details, extra))

    def interrupt(self) -> StepResult:
        """The person interrupted the turn, which is over: `interrupt`, `turn_end`. Raises `OrderError` outside a turn."""
        return at_once(self._interrupt())

    def end(self, reason: str = "other", **extra: Any) -> StepResult:
        """
        End the session: `session_end`; a turn under way counts as interrupted.

        Args:
            reason: `clear`, `logout`, `prompt_input_exit` or `other`.
            extra: further fields of the event.

        Background hooks are waited for where the supervisor is closed. Raises `OrderError` unless started.
        """
        return at_once(self._end(reason, extra))

    def compact(
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
        return at_once(self._compact(trigger, run, custom_instructions, extra))

    def start_subagent(self, agent_id: str, agent_type: str, **extra: Any) -> StepResult:
        """
        Announce a sub-agent: `subagent_start`. `context` is for the sub-agent.

        Args:
            agent_id: which one it is.
            agent_type: of which kind.
            extra: further fields of the event (`prompt`).

        Raises `OrderError` unless started.
        """
        return at_once(self._start_subagent(agent_id, agent_type, extra))

    def stop_subagent(
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
        return at_once(self._stop_subagent(agent_id, agent_type, last_message, extra))

    def fire(self, event: Event) -> Outcome:
        """Fire any other event, with what the session and its turn know; what it gives is handed on as with every step."""
        return at_once(self._passed(event))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.state is not None and (kind is None or issubclass(kind, Exception)):
            self.end()

    async def _fire(self, event: Event) -> Outcome:
        return self.hooks.fire(event)

    async def _post(self, event: Event) -> None:
        self.hooks.submit(event)

    async def settled(self, value: T | Awaitable[T]) -> T:
        """See `BaseSession.settled`."""
        if inspect.isawaitable(value):
            if inspect.iscoroutine(value):
                value.close()
            message = "A plain session cannot wait for a coroutine: hand in plain functions, or use `AgentSession`."
            raise TypeError(message)
        return value


def at_once(step: Coroutine[Any, Any, T]) -> T:
    """The result of a step that waits for nothing: with plain calls everything is there at once."""
    try:
        step.send(None)
    except StopIteration as ended:
        return cast("T", ended.value)
    step.close()
    message = "A step of a plain session waited for something."
    raise RuntimeError(message)
