"""
The plugin surface: what a plugin can implement, and the marker it does it with.

Three kinds of specifications: *lifecycle* (one for each canonical event, for Python handlers), *registration* (what a
plugin brings) and *observation* (what it may watch). Every implementation is guarded: one that raises is a failed run
or a diagnostic, and the others still run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import pluggy

if TYPE_CHECKING:
    import click

    from hookfw import events
    from hookfw.agent import AgentInfo
    from hookfw.background import ExecutorInfo
    from hookfw.diagnostics import Diagnostic
    from hookfw.dialect import DialectInfo
    from hookfw.handlers import HandlerTypeInfo
    from hookfw.outcome import Effect, Outcome, Run
    from hookfw.requests import ModelClientInfo

    HandlerResult = Effect | None | Awaitable[Effect | None]

PROJECT = "hookfw"
"""Name of the entry-point group and of the pluggy project."""

F = TypeVar("F", bound=Callable[..., Any])

_mark = pluggy.HookimplMarker(PROJECT)
hookspec = pluggy.HookspecMarker(PROJECT)


class HandlerOptions(NamedTuple):
    """
    How a Python handler is run, beyond what pluggy itself knows.

    Attributes:
        blocking: call it in a worker thread, with the timeout reported.
        strict: when it raises or times out, what it guards is refused.
        timeout: seconds it may take, awaiting included; a plain inline function cannot be interrupted.
    """

    blocking: bool = False
    strict: bool = False
    timeout: float = 60.0


class CommandInfo(NamedTuple):
    """A light description of a command of the command line."""

    name: str
    help: str
    load: Callable[[], click.Command]


class DemoInfo(NamedTuple):
    """
    What a dialect shows in `hookfw demo`.

    Attributes:
        dialect: name of the dialect.
        files: path below the scratch folder (`home/…`, `workspace/…`) to text; `{HOME}` and `{WORKSPACE}` are filled in.
        steps: title, canonical event name and fields of each event of the session.
    """

    dialect: str
    files: Mapping[str, str]
    steps: Sequence[tuple[str, str, Mapping[str, Any]]]


@overload
def hookimpl(function: F) -> F: ...
@overload
def hookimpl(
    function: None = ...,
    *,
    tryfirst: bool = ...,
    trylast: bool = ...,
    wrapper: bool = ...,
    optionalhook: bool = ...,
    specname: str | None = ...,
    blocking: bool = ...,
    strict: bool = ...,
    timeout: float = ...,
) -> Callable[[F], F]: ...
def hookimpl(  # noqa: PLR0913 - pluggy's own options and three more
    function: F | None = None,
    *,
    tryfirst: bool = False,
    trylast: bool = False,
    wrapper: bool = False,
    optionalhook: bool = False,
    specname: str | None = None,
    blocking: bool = False,
    strict: bool = False,
    timeout: float = 60.0,
) -> F | Callable[[F], F]:
    """
    Mark a function as the implementation of a hook of its name.

    `tryfirst`, `trylast`, `wrapper`, `optionalhook` and `specname` mean what pluggy says; wrappers see results before
    they are awaited. `blocking`, `strict` and `timeout` (seconds) are those of `HandlerOptions` and matter only for
    lifecycle hooks.
    """

    def mark(target: F) -> F:
        _mark(
            target,
            tryfirst=tryfirst,
            trylast=trylast,
            wrapper=wrapper,
            optionalhook=optionalhook,
            specname=specname,
        )
        target.hookfw_options = HandlerOptions(blocking, strict, timeout)  # type: ignore[attr-defined]
        return target

    return mark if function is None else mark(function)


class RegistrationSpecs:
    """What a plugin brings. Each returns light descriptions; what they describe is loaded on use."""

    @hookspec
    def register_dialects(self) -> Iterable[DialectInfo]:
        """Dialects: ecosystems whose hooks can be hosted."""
        return ()

    @hookspec
    def register_agents(self) -> Iterable[AgentInfo]:
        """Agents: forms in which a program can speak (compatibility modes)."""
        return ()

    @hookspec
    def register_handler_types(self) -> Iterable[HandlerTypeInfo]:
        """Handler types: what a hook can run."""
        return ()

    @hookspec
    def register_model_clients(self) -> Iterable[ModelClientInfo]:
        """Model clients: what prompt hooks ask."""
        return ()

    @hookspec
    def register_executors(self) -> Iterable[ExecutorInfo]:
        """Executors: where background runs are carried out."""
        return ()

    @hookspec
    def register_commands(self) -> Iterable[CommandInfo]:
        """Commands of the command line."""
        return ()

    @hookspec
    def register_demos(self) -> Iterable[DemoInfo]:
        """What a dialect shows in the demonstration."""
        return ()


class ObservationSpecs:
    """What a plugin may watch. Observers can change nothing; results are ignored."""

    @hookspec
    def run_started(self, run: Run) -> None:
        """A hook starts; `run.status` is `running`."""

    @hookspec
    def run_finished(self, run: Run) -> None:
        """A hook ended; background runs too."""

    @hookspec
    def event_fired(self, event: events.Event, outcome: Outcome) -> None:
        """An event was fired and its outcome is settled."""

    @hookspec
    def diagnostic_emitted(self, diagnostic: Diagnostic) -> None:
        """Something was noticed, while loading or firing."""


class LifecycleSpecs:
    """
    One hook for each canonical event, for Python handlers.

    An implementation returns an `Effect`, `None`, or an awaitable of these. Handlers form the pseudo-dialect `python`,
    which is merged before all others.
    """

    @hookspec
    def session_start(self, event: events.SessionStart) -> HandlerResult:
        """A session begins, or begins again after a resume, a clear or a compaction."""

    @hookspec
    def session_end(self, event: events.SessionEnd) -> HandlerResult:
        """A session ends."""

    @hookspec
    def setup(self, event: events.Setup) -> HandlerResult:
        """An agent prepares itself, outside any conversation."""

    @hookspec
    def session_idle(self, event: events.SessionIdle) -> HandlerResult:
        """A session comes back to idle."""

    @hookspec
    def session_busy(self, event: events.SessionBusy) -> HandlerResult:
        """An idle or waiting session starts or resumes work."""

    @hookspec
    def waiting_for_user(self, event: events.WaitingForUser) -> HandlerResult:
        """The agent begins to wait for the person."""

    @hookspec
    def session_error(self, event: events.SessionError) -> HandlerResult:
        """A turn ended in a failure that nothing absorbed."""

    @hookspec
    def turn_end(self, event: events.TurnEnd) -> HandlerResult:
        """A turn is over and the state after it is settled."""

    @hookspec
    def stop(self, event: events.Stop) -> HandlerResult:
        """The agent is about to end its turn."""

    @hookspec
    def interrupt(self, event: events.Interrupt) -> HandlerResult:
        """The person interrupts the agent."""

    @hookspec
    def pre_compact(self, event: events.PreCompact) -> HandlerResult:
        """Before the conversation is compacted."""

    @hookspec
    def post_compact(self, event: events.PostCompact) -> HandlerResult:
        """After the conversation was compacted."""

    @hookspec
    def user_prompt_submit(self, event: events.UserPromptSubmit) -> HandlerResult:
        """The person's prompt, before it reaches history or model."""

    @hookspec
    def user_prompt_expansion(self, event: events.UserPromptExpansion) -> HandlerResult:
        """A slash command or stored prompt, before it is expanded."""

    @hookspec
    def message_display(self, event: events.MessageDisplay) -> HandlerResult:
        """A message of the agent, before it is shown."""

    @hookspec
    def pre_model_request(self, event: events.PreModelRequest) -> HandlerResult:
        """Before a request goes to the model."""

    @hookspec
    def post_model_request(self, event: events.PostModelRequest) -> HandlerResult:
        """After the model answered or failed."""

    @hookspec
    def pre_model_switch(self, event: events.PreModelSwitch) -> HandlerResult:
        """Before the model changes."""

    @hookspec
    def post_model_switch(self, event: events.PostModelSwitch) -> HandlerResult:
        """After the model changed."""

    @hookspec
    def notification(self, event: events.Notification) -> HandlerResult:
        """The agent notifies the person."""

    @hookspec
    def elicitation(self, event: events.Elicitation) -> HandlerResult:
        """An MCP server asks the person something."""

    @hookspec
    def elicitation_result(self, event: events.ElicitationResult) -> HandlerResult:
        """The person answered an MCP server's question."""

    @hookspec
    def pre_tool_use(self, event: events.PreToolUse) -> HandlerResult:
        """Before a tool call runs."""

    @hookspec
    def permission_request(self, event: events.PermissionRequest) -> HandlerResult:
        """Before a person would be asked to permit a call."""

    @hookspec
    def permission_denied(self, event: events.PermissionDenied) -> HandlerResult:
        """After a permission was denied."""

    @hookspec
    def post_tool_use(self, event: events.PostToolUse) -> HandlerResult:
        """After a tool call has a result; with `tool_success` false the same as `PostToolUseFailure`."""

    @hookspec
    def post_tool_use_failure(self, event: events.PostToolUseFailure) -> HandlerResult:
        """After a tool call failed."""

    @hookspec
    def post_tool_batch(self, event: events.PostToolBatch) -> HandlerResult:
        """After all calls of one reply have results."""

    @hookspec
    def shell_env(self, event: events.ShellEnv) -> HandlerResult:
        """Before a shell tool runs, to collect variables for it."""

    @hookspec
    def error(self, event: events.Error) -> HandlerResult:
        """An error that reached the agent, of a tool or of its transport, or a turn that failed in the end."""

    @hookspec
    def subagent_start(self, event: events.SubagentStart) -> HandlerResult:
        """A sub-agent starts."""

    @hookspec
    def subagent_stop(self, event: events.SubagentStop) -> HandlerResult:
        """A sub-agent completed, failed or was cancelled, or is about to end its turn."""

    @hookspec
    def task_created(self, event: events.TaskCreated) -> HandlerResult:
        """A task was put on the list."""

    @hookspec
    def task_completed(self, event: events.TaskCompleted) -> HandlerResult:
        """A task is about to be marked as done."""

    @hookspec
    def teammate_idle(self, event: events.TeammateIdle) -> HandlerResult:
        """A teammate is about to go idle."""

    @hookspec
    def mode_change(self, event: events.ModeChange) -> HandlerResult:
        """The agent's mode changed."""

    @hookspec
    def instructions_loaded(self, event: events.InstructionsLoaded) -> HandlerResult:
        """An instructions file was loaded."""

    @hookspec
    def config_change(self, event: events.ConfigChange) -> HandlerResult:
        """A settings file changed."""

    @hookspec
    def cwd_changed(self, event: events.CwdChanged) -> HandlerResult:
        """The working directory changed."""

    @hookspec
    def directory_added(self, event: events.DirectoryAdded) -> HandlerResult:
        """A directory was added to the workspace."""

    @hookspec
    def file_changed(self, event: events.FileChanged) -> HandlerResult:
        """A watched or edited file changed."""

    @hookspec
    def worktree_create(self, event: events.WorktreeCreate) -> HandlerResult:
        """A worktree is to be made."""

    @hookspec
    def worktree_remove(self, event: events.WorktreeRemove) -> HandlerResult:
        """A worktree is to be removed."""
