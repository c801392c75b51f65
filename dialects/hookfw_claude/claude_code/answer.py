"""
What a run said: its exit status, and standard output as an answer, as text, or as neither.

From the contract, "Exit codes" and "JSON output". Standard output is looked at at every exit status. What begins with `{` and ends
with `}` must be one JSON object; fields that are not known do nothing, one wrong type voids the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from hookfw import text
from hookfw_claude import reading
from hookfw_claude.claude_code.calling import goes_on_alone
from hookfw_claude.claude_code.rules import EVENTS
from hookfw_claude.wire import EVENT_NAME, SPECIFIC, Answer, InvalidAnswerError, Wire

if TYPE_CHECKING:
    from hookfw import Ended

_TOP: Mapping[str, Any] = MappingProxyType(
    {
        "continue": bool,
        "stopReason": str,
        "suppressOutput": bool,
        "systemMessage": str,
        "terminalSequence": str,
        "decision": Literal["approve", "block"],
        "reason": str,
    }
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_CONTEXT: Mapping[str, Any] = MappingProxyType({"additionalContext": str})
_PROMPT: Mapping[str, Any] = MappingProxyType(
    {"additionalContext": str, "sessionTitle": str, "suppressOriginalPrompt": bool}
)
_WATCH: Mapping[str, Any] = MappingProxyType({"watchPaths": list[str]})
_ELICITED: Mapping[str, Any] = MappingProxyType(
    {"action": Literal["accept", "decline", "cancel"], "content": dict[str, Any]}
)
NATIVE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "PermissionDenied": ("retry",),
        "UserPromptSubmit": ("sessionTitle",),
        "PostToolUse": ("updatedToolOutput", "updatedMCPToolOutput", "classifierContext"),
        "SessionStart": ("initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"),
        "Elicitation": ("action", "content"),
        "ElicitationResult": ("action", "content"),
        "WorktreeCreate": ("worktreePath",),
        "MessageDisplay": ("displayContent",),
        "CwdChanged": ("watchPaths",),
        "FileChanged": ("watchPaths",),
    }
)
"""Fields of answers that no canonical field holds: they go into the outcome's `native`."""

_SPECIFIC: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    dict.fromkeys(EVENTS, _NOTHING)
    | dict.fromkeys(
        ("Setup", "SubagentStart", "PostModelSwitch", "PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop"),
        _CONTEXT,
    )
    | {
        "PreToolUse": {
            **_CONTEXT,
            "permissionDecision": Literal["allow", "deny", "ask", "defer"],
            "permissionDecisionReason": str,
            "updatedInput": dict[str, Any],
        },
        "PermissionRequest": {
            "decision": {
                "behavior": Literal["allow", "deny"],
                "updatedInput": dict[str, Any],
                "updatedPermissions": list[Any],
                "message": str,
                "interrupt": bool,
            }
        },
        "PermissionDenied": {"retry": bool},
        "UserPromptSubmit": _PROMPT,
        "UserPromptExpansion": {"additionalContext": str, "suppressOriginalPrompt": bool},
        "PostToolUse": {
            **_CONTEXT,
            "updatedToolOutput": Any,
            "updatedMCPToolOutput": Any,
            "classifierContext": str,
        },
        "SessionStart": {**_CONTEXT, **_WATCH, "initialUserMessage": str, "sessionTitle": str, "reloadSkills": bool},
        "PreModelSwitch": {"permissionDecision": Literal["allow", "deny", "ask"], "permissionDecisionReason": str},
        "Elicitation": _ELICITED,
        "ElicitationResult": _ELICITED,
        "WorktreeCreate": {"worktreePath": str},
        "MessageDisplay": {"displayContent": str},
        "CwdChanged": _WATCH,
        "FileChanged": _WATCH,
    }
)
WIRE: Final = Wire(
    top=dict.fromkeys(EVENTS, _TOP),
    specific=_SPECIFIC,
    required=frozenset({"PermissionRequest.decision.behavior"}),
    extra="report",
    extra_specific="ignore",
)
"""The answers of all events: values of the very type, null nowhere, further fields ignored."""

_OUTPUT: Final = reading.Rules(json_begins="{", json_ends="}")
_STATUS: Final = reading.Rules(reads=False)
PROBLEM_LIMIT: Final = 200
"""Characters of what is said about a field."""

Status = Literal["well", "blocks", "failed", "timed_out", "not_started", "cancelled"]
_STATUSES: Mapping[str, Status] = MappingProxyType(
    {
        "nothing": "well",
        "block": "blocks",
        "failed": "failed",
        "timed_out": "timed_out",
        "not_started": "not_started",
        "cancelled": "cancelled",
    }
)


class Heard(NamedTuple):
    """
    What a run said.

    Attributes:
        status: how it ended: `blocks` is exit status 2.
        why: why it did not end well, in words that follow the hook's name.
        answer: a valid answer.
        text: plain text, stripped.
        broken: why standard output is neither, in words that follow the hook's name.
        stderr: standard error, stripped.
    """

    status: Status
    why: str = ""
    answer: Answer | None = None
    text: str = ""
    broken: str | None = None
    stderr: str = ""

    @property
    def lost(self) -> bool:
        """It failed, or what it printed cannot be used."""
        return self.status not in ("well", "blocks") or (self.status == "well" and self.broken is not None)


def listen(ended: Ended, event: str) -> Heard:
    """What a run on `event` said."""
    said = reading.read(ended, _STATUS)
    status = _STATUSES[said.kind]
    stderr = text.scrub(ended.stderr).strip()
    if status in ("timed_out", "not_started", "cancelled"):
        return Heard(status, said.text, stderr=stderr)
    heard = Heard(status, said.text if status == "failed" else "", stderr=stderr)
    output = reading.read_output(ended.stdout, _OUTPUT)
    match output.kind:
        case "nothing":
            return heard
        case "text" if ended.stdout_cut and output.text.startswith("{"):
            return heard._replace(broken="printed more JSON than is read")
        case "text":
            return heard._replace(text=output.text)
        case "json":
            try:
                return heard._replace(answer=WIRE.read(event, output.value))
            except InvalidAnswerError as error:
                what = text.line(str(error), PROBLEM_LIMIT)
                return heard._replace(broken=f"printed JSON that is no answer to {event} ({what})")
    return heard._replace(broken=f"{output.text}, though it begins with `{{` and ends with `}}`")


def late_texts(ended: Ended) -> tuple[str, ...]:
    """
    What a hook in the background has for the model: its context, then its message.

    The line that sent it there is no answer; fields of a wrong type are dropped one by one.
    """
    first, _, rest = text.scrub(ended.stdout).lstrip().partition("\n")
    said = text.parse_json_object(rest if goes_on_alone(first) else ended.stdout)
    if ended.state != "exited" or said is None:
        return ()
    specific = said.get(SPECIFIC)
    context = specific.get("additionalContext") if isinstance(specific, dict) else None
    return tuple(
        told.strip() for told in (context, said.get("systemMessage")) if isinstance(told, str) and told.strip()
    )


def says_nothing(answer: Answer) -> bool:
    """It has fields, and none of them is one of an answer; a `reason` alone is none."""
    return bool(answer.top or answer.unknown) and not answer.specific and set(answer.top) <= {"reason"}


def misplaced(answer: Answer, event: str) -> tuple[str, ...]:
    """Fields at the top of an answer that only count inside `hookSpecificOutput`."""
    return tuple(name for name in answer.unknown if name in _SPECIFIC[event] or name == EVENT_NAME)
