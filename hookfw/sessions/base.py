"""What every session of an agent is: the lifecycle driven step by step, whatever it waits with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar, Unpack

from hookfw.errors import OrderError
from hookfw.sessions.calls import SHELL, Call, RunTool, ToolOptions, follow
from hookfw.sessions.results import (
    Answered,
    CallResult,
    CompactResult,
    FinishResult,
    Gathered,
    Permission,
    PermissionQuestion,
    PromptResult,
    SessionFields,
    StepResult,
    TurnStatus,
    as_permission,
    paragraphs,
    why,
)
from hookfw.sessions.state import LASTING, STATES, Continuations, Phases, State, Turn, make_event

if TYPE_CHECKING:
    from hookfw.base_supervisor import BaseSupervisor
    from hookfw.diagnostics import Diagnostic
    from hookfw.events import Event
    from hookfw.outcome import Outcome

T = TypeVar("T")

MAX_CONTINUATIONS: Final = 8
"""How often in a row hooks may keep a turn going, unless the agent says otherwise: the bound of the agents that have one."""


class BaseSession(ABC):
    """
    What the sessions of asynchronous and of plain agents share.

    Attributes:
        hooks: the supervisor.
        fields: what every event tells; change them as the session changes (`session.fields["permission_mode"] = "plan"`).
        env: the variables that hooks gave for every shell command of the session.

    Each step is written once, as a coroutine that waits for the hooks and for what the agent hands in.
    """

    def __init__(
        self,
        hooks: BaseSupervisor,
        *,
        permission: Callable[[PermissionQuestion], Answered | Awaitable[Answered]] | None = None,
        on_message: Callable[[str], Any] | None = None,
        on_diagnostic: Callable[[Diagnostic], Any] | None = None,
        max_continuations: int = MAX_CONTINUATIONS,
        **fields: Unpack[SessionFields],
    ) -> None:
        """
        Nothing is fired yet.

        Args:
            hooks: the supervisor; it is not closed by the session.
            permission: asks the person; without it there is nobody to ask and such calls are refused.
            on_message: called with each text for the person, as it comes.
            on_diagnostic: called with each diagnostic, as it comes.
            max_continuations: how often in a row hooks may keep a turn or a sub-agent going.
            fields: what every event tells, see `SessionFields`.

        Raises `EventError` for a field that events do not have, or of the wrong type.
        """
        make_event("session_start", {}, fields)
        self.hooks = hooks
        self.fields: dict[str, Any] = dict(fields)
        self.env: dict[str, str] = {}
        self.permission = permission
        self._on_message = on_message
        self._on_diagnostic = on_diagnostic
        self._max_continuations = max_continuations
        self._phases = Phases()
        self._state: State | None = None
        self._turn: Turn | None = None
        self._stopped_start: str | None = None
        self._kept_context: tuple[str, ...] = ()
        self._agents: dict[str, Continuations] = {}
        self._tools = 0

    @property
    def state(self) -> State | None:
        """`idle`, `in_progress` or `waiting`; `None` before the start."""
        return self._state

    @property
    def ends_turn(self) -> bool:
        """A hook ended the turn that is under way: ask the model no more and call `finish`."""
        return self._turn is not None and self._turn.ended

    @property
    def continuations(self) -> int:
        """How often in a row hooks have kept the turn going that is under way."""
        return 0 if self._turn is None else self._turn.continuations.count

    # What the two kinds do differently.

    @abstractmethod
    async def _fire(self, event: Event) -> Outcome:
        """Fire and wait."""

    @abstractmethod
    async def _post(self, event: Event) -> None:
        """Queue an event nobody waits for."""

    @abstractmethod
    async def settled(self, value: T | Awaitable[T]) -> T:
        """What a callable of the agent gave, waited for where it can be."""

    def _turn_of(self, _call: Event) -> AbstractAsyncContextManager[None]:
        """Held while a call runs; where steps come one after another, there is nobody to wait for."""
        return nullcontext()

    # The steps.

    async def _start(self, source: str, extra: Mapping[str, Any]) -> StepResult:
        with self._phases.alone("start", "new", "ended"):
            event = self.event("session_start", {"source": source}, extra)
            self.env.clear()
            outcome = await self.heard(event)
            step = Gathered([outcome])
            if outcome.refused:
                return StepResult(refused=True, reason=why(outcome, "A hook refused the start."), **step.values)
            self._stopped_start = why(outcome, "A hook stopped the start.") if outcome.ends_turn else None
            self._phases.now = "idle"
            self._state = "idle"  # the first state that is seen is silent
            self._agents.clear()
            return StepResult(reason=self._stopped_start, **step.values)

    async def _submit(self, prompt: str, extra: Mapping[str, Any]) -> PromptResult:
        with self._phases.alone("submit", "idle"):
            if self._stopped_start is not None:
                # The start ended the turn that would now begin; only the next prompt reaches the hooks and the model.
                reason, self._stopped_start = self._stopped_start, None
                return PromptResult(prompt=prompt, refused=True, ends_turn=True, reason=reason)
            new_id = self.hooks.session.new_id
            turn_fields = {"turn_id": new_id(), "prompt_id": new_id()} | {
                name: extra[name] for name in ("turn_id", "prompt_id") if name in extra
            }
            turn = Turn(self.hooks.monotonic(), turn_fields, self._max_continuations)
            outcome = await self.heard(self.event("user_prompt_submit", {**turn_fields, "prompt": prompt}, extra))
            values = Gathered([outcome]).values
            if outcome.refused or outcome.ends_turn:
                self._kept_context += (*outcome.feedback, *outcome.context)
                values |= {"context": (), "feedback": ()}
                reason = why(outcome, "A hook refused the prompt.")
                return PromptResult(prompt=prompt, refused=outcome.refused, reason=reason, **values)
            values["context"] = (*self._kept_context, *outcome.context)
            self._kept_context = ()
            self._turn = turn
            self._phases.now = "turn"
            await self._enter("in_progress")
            return PromptResult(
                prompt=prompt if outcome.prompt is None else outcome.prompt,
                suppress_prompt=outcome.suppress_prompt,
                **values,
            )

    async def _tool(
        self, name: str, tool_input: Any, run: RunTool, options: ToolOptions, extra: Mapping[str, Any]
    ) -> CallResult:
        self._phases.demand("tool", "turn")
        turn = self._this_turn("tool")
        await self._busy(turn)
        turn.open_calls += 1
        turn.tools += 1
        self._tools += 1
        shell = self.hooks.canonical_tool(name) == SHELL if options.shell is None else options.shell
        call = Call(name, tool_input, options.tool_use_id or f"call_{self._tools}", extra, shell=shell)
        step = Gathered()
        try:
            event = call.event(self, "pre_tool_use")
            async with self._turn_of(event):
                return await follow(self, call, step.add(await self.heard(event)), run, options.ask, step)
        finally:
            turn.open_calls -= 1
            turn.ended |= step.ends_turn

    async def _finish(self, last_message: str | None, extra: Mapping[str, Any]) -> FinishResult:
        with self._phases.alone("finish", "turn"):
            turn = self._this_turn("finish")
            if turn.open_calls:
                message = f"finish() cannot be called now, because {turn.open_calls} tool calls have not returned."
                raise OrderError(message)
            count = turn.continuations.count
            if turn.ended:
                await self._settle(turn, "completed", None, extra)
                return FinishResult(ends_turn=True, continuations=count, status="completed")
            event = self.event(
                "stop", {**turn.continuations.fields, "last_assistant_message": last_message}, extra, ("turn_end",)
            )
            outcome = await self.heard(event)
            result = await self._continued(outcome, turn.continuations, self._tools)
            if result.status is not None:
                await self._settle(turn, result.status, result.reason if result.status == "failed" else None, extra)
                self._kept_context += result.context
                result = replace(result, context=())
            return result

    async def _fail(self, error: str | Exception, details: str | None, extra: Mapping[str, Any]) -> StepResult:
        with self._phases.alone("fail", "turn"):
            text = error if isinstance(error, str) else str(error) or type(error).__name__
            told = {"error": text} if details is None else {"error": text, "error_details": details}
            outcome = await self.heard(self.event("error", told, extra, ("turn_end",)))
            await self._settle(self._this_turn("fail"), "failed", details or text, extra)
            return StepResult(reason=text, **Gathered([outcome]).values)

    async def _interrupt(self) -> StepResult:
        with self._phases.alone("interrupt", "turn"):
            outcome = await self.heard(self.event("interrupt", {}))
            await self._settle(self._this_turn("interrupt"), "interrupted", None, {})
            return StepResult(**Gathered([outcome]).values)

    async def _end(self, reason: str, extra: Mapping[str, Any]) -> StepResult:
        self._phases.demand("end", "idle", "turn")
        if self._turn is not None:
            with self._phases.alone("end", "turn"):
                await self._settle(self._turn, "interrupted", None, {})
        with self._phases.alone("end", "idle"):
            outcome = await self.heard(self.event("session_end", {"reason": reason}, extra))
            self._phases.now = "ended"
            self._state = None
            return StepResult(**Gathered([outcome]).values)

    async def _compact(
        self, trigger: str, run: Callable[[], Any], custom_instructions: str | None, extra: Mapping[str, Any]
    ) -> CompactResult:
        self._phases.demand("compact", "idle", "turn")
        step = Gathered()
        told = {"trigger": trigger}
        asked = told if custom_instructions is None else {**told, "custom_instructions": custom_instructions}
        before = step.add(await self.heard(self.event("pre_compact", asked, extra, ("post_compact",))))
        if before.refused or before.ends_turn:
            return self._compacted(step, refused=True, reason=why(before, "A hook refused the compaction."))
        try:
            summary = await self.settled(run())
        except Exception as error:  # noqa: BLE001 - whatever compacting raises is told to the hooks and given back
            text = str(error) or type(error).__name__
            step.add(await self.heard(self.event("post_compact", {**told, "error": text}, extra, ("pre_compact",))))
            return self._compacted(step, error=error, reason=text)
        if isinstance(summary, str):
            told["compact_summary"] = summary
        after = step.add(await self.heard(self.event("post_compact", told, extra, ("pre_compact",))))
        if after.refused:
            return self._compacted(
                step, refused=True, reason=why(after, "A hook refused the result of the compaction.")
            )
        again = step.add(await self.heard(self.event("session_start", {"source": "compact"})))
        if again.refused and self._turn is not None:
            self._turn.ended = True
        return self._compacted(step, summary=summary)

    def _compacted(self, step: Gathered, **fields: Any) -> CompactResult:
        if self._turn is not None:
            self._turn.ended |= step.ends_turn
        return CompactResult(**fields, **step.values)

    async def _start_subagent(self, agent_id: str, agent_type: str, extra: Mapping[str, Any]) -> StepResult:
        self._phases.demand("start_subagent", "idle", "turn")
        outcome = await self.heard(
            self.event("subagent_start", {"agent_id": agent_id, "agent_type": agent_type}, extra)
        )
        values = Gathered([outcome]).values
        if outcome.refused:
            return StepResult(refused=True, reason=why(outcome, "A hook refused the sub-agent."), **values)
        self._agents[agent_id] = Continuations(self._max_continuations)
        return StepResult(**values)

    async def _stop_subagent(
        self, agent_id: str, agent_type: str, last_message: str | None, extra: Mapping[str, Any]
    ) -> FinishResult:
        self._phases.demand("stop_subagent", "idle", "turn")
        continuations = self._agents.get(agent_id)
        if continuations is None:
            message = f"stop_subagent() cannot be called for {agent_id!r}, because it was not started: call start_subagent() first."
            raise OrderError(message)
        told = {"agent_id": agent_id, "agent_type": agent_type, "last_assistant_message": last_message}
        outcome = await self.heard(self.event("subagent_stop", {**told, **continuations.fields}, extra))
        result = await self._continued(outcome, continuations, self._tools)
        if not result.goes_on:
            self._agents.pop(agent_id, None)
        return result

    async def _continued(self, outcome: Outcome, continuations: Continuations, tools: int) -> FinishResult:
        """Whether what wanted to end goes on: only with feedback that says something, and not for ever."""
        values = Gathered([outcome]).values
        reason = outcome.reason or outcome.stop_reason
        text = "" if outcome.ends_turn else paragraphs(*outcome.feedback)
        over = continuations.refusal(text, tools) if text else None
        if text and over is None:
            return FinishResult(
                next_prompt=text, refused=True, reason=reason, continuations=continuations.count, **values
            )
        if over is not None:
            reason = f"It ends although hooks want it to go on: {over}."
            values["messages"] += (reason,)
            await self._tell(reason)
        failed = outcome.refused and not outcome.feedback and not outcome.ends_turn
        status: TurnStatus = "failed" if failed else "completed"
        return FinishResult(refused=failed, reason=reason, continuations=continuations.count, status=status, **values)

    # What the steps are made of.

    def event(
        self, kind: str, told: Mapping[str, Any], extra: Mapping[str, Any] | None = None, beside: tuple[str, ...] = ()
    ) -> Event:
        """The event with what the session, its turn and the step know; see `make_event`."""
        known = {**self.fields, **({} if self._turn is None else self._turn.fields), **told}
        return make_event(kind, known, extra or {}, beside)

    async def heard(self, event: Event) -> Outcome:
        """Fire, and hand on what is for the person and what lasts."""
        outcome = await self._fire(event)
        if outcome.env and event.kind in LASTING:
            self.env.update(outcome.env)
        for text in outcome.messages:
            await self._tell(text)
        if self._on_diagnostic is not None:
            for diagnostic in (*outcome.diagnostics, *self.hooks.late_diagnostics()):
                await self.noted(diagnostic)
        return outcome

    async def noted(self, diagnostic: Diagnostic) -> None:
        """Hand on what was noticed."""
        if self._on_diagnostic is not None:
            await self.settled(self._on_diagnostic(diagnostic))

    async def _passed(self, event: Event) -> Outcome:
        """Fire an event of the agent's own making, with what the session and its turn know."""
        known = {**self.fields, **({} if self._turn is None else self._turn.fields)}
        missing = {name: value for name, value in known.items() if name not in event.model_fields_set}
        return await self.heard(event.replace(**missing) if missing else event)

    async def question(self, question: PermissionQuestion) -> Permission:
        """Ask the person; meanwhile the session waits. Without anybody to ask the answer is no."""
        if self.permission is None:
            return Permission(allowed=False, reason=question.reason or "Nobody can be asked for permission here.")
        turn = self._this_turn("tool")
        turn.questions += 1
        try:
            await self._enter("waiting", reason="approval")
            text = f"The agent asks for permission to use {question.tool_name}."
            await self._post(self.event("notification", {"notification_type": "permission_prompt", "message": text}))
            answer = await self.settled(self.permission(question))
        finally:
            turn.questions -= 1
        await self._busy(turn)
        return as_permission(answer)

    async def _busy(self, turn: Turn) -> None:
        """The turn goes on where the person is asked no more, also after a question that was never answered."""
        if not turn.questions and self._turn is turn:
            await self._enter("in_progress")

    async def _settle(self, turn: Turn, status: TurnStatus, error: str | None, extra: Mapping[str, Any]) -> None:
        """End the turn: the state first, then `turn_end`."""
        fields: dict[str, Any] = {
            "status": status,
            "duration_ms": round((self.hooks.monotonic() - turn.began) * 1000),
            "tool_count": turn.tools,
            "stop_hook_active": turn.continuations.count > 0,
        }
        if error is not None:
            fields["error"] = error
        ended = self.event("turn_end", fields, extra, ("stop", "error"))
        if status == "failed":
            await self._post(self.event("session_error", {"status": status, "error": error or ""}))
        await self._enter("idle", last_turn_status=status)
        await self._post(ended)
        self._turn = None
        self._phases.now = "idle"

    async def _enter(self, state: State, **fields: str) -> None:
        """Take note of the state; only a change is an event."""
        if self._state != state:
            before, self._state = self._state, state
            await self._post(self.event(STATES[state], {"from_state": before, "to_state": state, **fields}))

    async def _tell(self, text: str) -> None:
        if self._on_message is not None:
            await self.settled(self._on_message(text))

    def _this_turn(self, step: str) -> Turn:
        if self._turn is None:
            message = f"{step}() cannot go on, because its turn has ended meanwhile."
            raise OrderError(message)
        return self._turn
