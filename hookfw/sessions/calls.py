"""One tool call of a session: permission, variables, the run itself, and what hooks say of its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw.diagnostics import Diagnostic
from hookfw.jsonable import as_json
from hookfw.sessions.results import CallResult, Gathered, PermissionQuestion, ToolOutput, why

if TYPE_CHECKING:
    from hookfw.events import Event
    from hookfw.outcome import Outcome
    from hookfw.sessions.base import BaseSession

_BESIDE: Final = ("pre_tool_use", "permission_request", "shell_env", "post_tool_use")
_REPLACED_OUTPUT: Final = ("updatedToolOutput", "updatedMCPToolOutput")
SHELL: Final = "Bash"
"""The canonical name of the tool that runs shell commands."""

Ask = bool | Callable[[Any], bool]
RunTool = Callable[[Any, Mapping[str, str]], Any]


class ToolOptions(NamedTuple):
    """What an agent may say of one call; see the `tool` method of the sessions."""

    ask: Ask = False
    tool_use_id: str | None = None
    shell: bool | None = None


class Call:
    """
    One tool call on its way.

    Attributes:
        name: the tool.
        input: its input, as the last rewrite left it.
        use_id: which call it is.
        shell: it runs a shell command.
    """

    __slots__ = ("_extra", "input", "name", "shell", "use_id")

    def __init__(self, name: str, given: Any, use_id: str, extra: Mapping[str, Any], *, shell: bool) -> None:
        self.name = name
        self.input = given
        self.use_id = use_id
        self.shell = shell
        self._extra = extra

    def event(self, session: BaseSession, kind: str, **told: Any) -> Event:
        """An event about this call."""
        call = {"tool_name": self.name, "tool_input": self.input, "tool_use_id": self.use_id}
        return session.event(kind, {**call, **told}, self._extra, _BESIDE)

    def rewrite(self, outcome: Outcome) -> None:
        """Take the input that hooks put in place of its own."""
        if outcome.updated_input is not None:
            self.input = outcome.updated_input

    def result(self, step: Gathered, **fields: Any) -> CallResult:
        """What became of it."""
        return CallResult(
            tool_name=self.name, tool_input=self.input, tool_use_id=self.use_id, **{**step.values, **fields}
        )


async def follow(
    session: BaseSession, call: Call, before: Outcome, run: RunTool, ask: Ask, step: Gathered
) -> CallResult:
    """Do what hooks said of a call before it runs: refuse it, or see to its permission and run it."""
    if before.refused:
        refusal: str | None = why(before, "A hook refused this call.")
    else:
        call.rewrite(before)
        refusal = await permit(session, call, before, ask, step)
    if refusal is not None:
        return call.result(step, refused=True, reason=refusal, decision=step.decision)
    return await carry_out(session, call, run, step)


async def permit(session: BaseSession, call: Call, before: Outcome, ask: Ask, step: Gathered) -> str | None:
    """
    Why the call may not run; `None` when it may.

    A hook's question, also one beneath a stronger word, and the agent's own are answered by permission hooks first, then by the person. Only `allow` spares the
    agent its own question.
    """
    asked = before.asks
    if asked and session.permission is None:
        return why(before, "A hook wants the person asked, and nobody can be asked here.")
    if not asked:
        if before.decision == "allow":
            return None
        if not (await session.settled(ask(call.input)) if callable(ask) else ask):
            return None
    request = step.add(await session.heard(call.event(session, "permission_request")))
    if request.refused:
        return why(request, "A hook refused the permission.")
    call.rewrite(request)
    if request.decision == "allow":
        return None
    # Beneath a stronger word its reason is that word's, and not the question's.
    reason, hook = (before.reason, before.decided_by) if before.decision == "ask" else (None, None)
    answer = await session.question(PermissionQuestion(call.name, call.input, call.use_id, reason, hook))
    if not answer.allowed:
        return answer.reason or "The person did not permit this call."
    if answer.updated_input is not None:
        call.input = answer.updated_input
    return None


async def carry_out(session: BaseSession, call: Call, run: RunTool, step: Gathered) -> CallResult:
    """Run the tool with its input and variables, and tell the hooks how it went."""
    decision = step.decision
    env = dict(step.outcomes[0].env)
    if call.shell:
        given = step.add(await session.heard(call.event(session, "shell_env"))).env
        env = {**session.env, **env, **given}
    error: Exception | None = None
    began = session.hooks.monotonic()
    try:
        ran = await session.settled(run(call.input, env))
        output = ran if isinstance(ran, ToolOutput) else ToolOutput(ran)
    except Exception as raised:  # noqa: BLE001 - whatever a tool raises is its result
        error = raised
        output = ToolOutput(None, success=False, error=str(raised) or type(raised).__name__)
    told: dict[str, Any] = {
        "tool_success": output.success,
        "duration_ms": round((session.hooks.monotonic() - began) * 1000),
    }
    if error is None:
        told["tool_response"] = as_json(output.output)
    if output.exit_code is not None:
        told["tool_exit_code"] = output.exit_code
    if output.execution is not None:
        told["execution"] = as_json(output.execution)
    reason = None
    if not output.success:
        reason = told["error"] = output.error or f"it ended with status {output.exit_code}"
    kind = "post_tool_use" if output.success else "post_tool_use_failure"
    after = step.add(await session.heard(call.event(session, kind, **told)))
    return call.result(
        step,
        decision=decision,
        output=await _replaced(session, call, output.output, after),
        failed=not output.success,
        reason=reason,
        error=error,
    )


async def _replaced(session: BaseSession, call: Call, output: Any, after: Outcome) -> Any:
    """The output, or what hooks put in its place where that is of the same shape."""
    for name in _REPLACED_OUTPUT:
        new = after.native.get(name)
        if new is None:
            continue
        if type(new) is type(as_json(output)):
            return new
        text = (
            f"A hook replaced the output of {call.name}, but gave {type(new).__name__} in place of "
            f"{type(output).__name__}, so the output stays: give it the shape that the tool's own has."
        )
        await session.noted(Diagnostic("output-shape", "warning", text))
    return output
