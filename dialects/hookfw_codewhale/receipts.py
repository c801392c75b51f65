"""
Execution receipts: what a shell tool really ran, and how that ended.

From the hooks document of 2026-09-29, "Execution receipts". A receipt is exact or absent: command and directory are
never cut, and what was not observed is not guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from hookfw import text
from hookfw_codewhale.conditions import SHELL_NAMES
from hookfw_codewhale.fields import session_id_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookfw import Session

VARIABLE_LIMIT: Final = 32_768
"""Bytes of the whole JSON in the variable."""

DOCUMENT_LIMIT: Final = 65_536
"""Bytes of the whole JSON document on standard input."""

EXACT_LIMIT: Final = 8_192
"""Bytes of the command, and of the directory."""

ID_LIMIT: Final = 1_024
"""Bytes of the session id and of the call id."""

PREVIEW_MARKER: Final = "[receipt preview truncated]"

Completion = Literal["completed", "failed", "killed", "timed_out"]

_KILLED = frozenset({"killed", "cancelled", "interrupted"})


class _Evidence(NamedTuple):
    """A run that a receipt can speak for. `streams` are stdout and stderr, each with whether its capture lost bytes."""

    command: str
    cwd: str
    completion: Completion
    exit_code: int | None
    streams: tuple[tuple[str, bool], tuple[str, bool]]
    output_kind: str


def variable(event: Any, session: Session) -> str | None:
    """The receipt of a tool's result for `DEEPSEEK_TOOL_EXECUTION_RECEIPT`; `None` where there is none."""
    evidence = _evidence(event, session)
    return None if evidence is None else _for_the_variable(evidence)


def document(event: Any, session: Session) -> str | None:
    """The document of `tool_call_after`, one line; `None` wherever the variable is absent too."""
    evidence = _evidence(event, session)
    if evidence is None or _for_the_variable(evidence) is None:
        return None
    session_id, session_id_cut = _identifier(session_id_of(event, session))
    call_id, call_id_cut = _identifier(event.tool_use_id)

    def build(streams: Mapping[str, str | bool]) -> str:
        return text.compact_json(
            {
                "schema_version": 1,
                "event": "tool_call_after",
                "tool_name": event.tool_name,
                "session_id": session_id,
                "tool_call_id": call_id,
                "session_id_truncated": session_id_cut,
                "tool_call_id_truncated": call_id_cut,
                "tool_name_truncated": False,
                "execution_receipt": {
                    "schema_version": 1,
                    "command": evidence.command,
                    "cwd": evidence.cwd,
                    "command_truncated": False,
                    "cwd_truncated": False,
                    "execution": "started",
                    "completion": evidence.completion,
                    "exit_code": evidence.exit_code,
                    **streams,
                    "output_mode": evidence.output_kind,
                },
            }
        )

    # The newline that ends the document counts as well.
    return _fitted(evidence, DOCUMENT_LIMIT - 1, build)


def _for_the_variable(evidence: _Evidence) -> str | None:
    # A non-zero exit was observed as much as a zero one; only a run that somebody ended is interrupted.
    state = "completed" if evidence.completion in ("completed", "failed") else "interrupted"

    def build(streams: Mapping[str, str | bool]) -> str:
        return text.compact_json(
            {
                "schema_version": 1,
                "command": evidence.command,
                "cwd": evidence.cwd,
                "state": state,
                "scope": "local",
                "exit_code": evidence.exit_code,
                **streams,
                "output_kind": evidence.output_kind,
            }
        )

    return _fitted(evidence, VARIABLE_LIMIT, build)


def _evidence(event: Any, session: Session) -> _Evidence | None:
    """The evidence of an ended, piped, unsandboxed, local run of the shell tool in the foreground; else `None`."""
    told = event.execution
    if not told or event.tool_name not in SHELL_NAMES or session.platform == "win32":
        return None
    if told.get("scope", "local") != "local" or told.get("background") or told.get("pty"):
        return None
    command, cwd = _exact(told.get("command")), _directory(told.get("cwd"), session)
    exit_code = _exit_code(told.get("exit_code"))
    completion = _completion(told.get("completion"), exit_code)
    if command is None or cwd is None or completion is None:
        return None
    kind = told.get("output_kind")
    if kind not in ("separate", "combined"):
        kind = "combined" if event.tool_name == "bash" else "separate"
    stdout, stderr = text.scrub(_output(told, "stdout")), text.scrub(_output(told, "stderr"))
    cut = bool(told.get("stdout_truncated")), bool(told.get("stderr_truncated"))
    streams = ((stdout, cut[0]), (stderr, cut[1]))
    if kind == "combined":
        streams = ((stdout + stderr, cut[0] or cut[1]), ("", False))
    return _Evidence(command, cwd, completion, exit_code, streams, kind)


def _completion(told: object, exit_code: int | None) -> Completion | None:
    """How the run ended. An exit code that was observed decides between completed and failed."""
    if told in ("completed", "failed"):
        if exit_code is None:
            return "completed" if told == "completed" else "failed"
        return "failed" if exit_code else "completed"
    if told == "timed_out":
        return "timed_out"
    return "killed" if told in _KILLED else None


def _exact(told: object) -> str | None:
    """`told` when it can be given whole: text of at most 8 KiB that is valid UTF-8 and holds no NUL."""
    if not isinstance(told, str) or "\0" in told or len(told) > EXACT_LIMIT or text.scrub(told) != told:
        return None
    return told if len(told.encode()) <= EXACT_LIMIT else None


def _directory(told: object, session: Session) -> str | None:
    cwd = _exact(told)
    return _exact(session.resolve(cwd)) if cwd is not None and cwd.startswith("/") else None


def _exit_code(told: object) -> int | None:
    is_code = isinstance(told, int) and not isinstance(told, bool) and -(2**63) <= told < 2**63
    return told if is_code else None  # type: ignore[return-value] # the line above says so


def _output(told: Mapping[str, Any], stream: str) -> str:
    value = told.get(stream)
    return value if isinstance(value, str) else ""


def _identifier(told: str | None) -> tuple[str | None, bool]:
    if told is None:
        return None, False
    told = text.scrub(told)
    shown = text.cut_bytes(told, ID_LIMIT)
    return shown, shown != told


def _fitted(evidence: _Evidence, limit: int, build: Callable[[Mapping[str, str | bool]], str]) -> str | None:
    """The JSON with the longest previews for which it keeps to `limit` bytes; `None` when it cannot."""
    streams = tuple((stream.encode(), cut) for stream, cut in evidence.streams)

    def attempt(budget: int) -> str | None:
        (stdout, stdout_cut), (stderr, stderr_cut) = (_preview(data, cut, budget) for data, cut in streams)
        built = build(
            {"stdout": stdout, "stderr": stderr, "stdout_truncated": stdout_cut, "stderr_truncated": stderr_cut}
        )
        return built if len(built.encode()) <= limit else None

    best = attempt(limit)
    if best is not None:
        return best
    # The longer the previews, the longer the JSON, so halving finds the longest that fits.
    fits, fails = -1, limit
    while fails - fits > 1:
        budget = (fits + fails) // 2
        found = attempt(budget)
        if found is None:
            fails = budget
        else:
            fits, best = budget, found
    return best


def _preview(data: bytes, cut: bool, budget: int) -> tuple[str, bool]:  # noqa: FBT001 - a flag of the stream itself
    """Head and tail of `data` in at most `budget` bytes, and whether bytes are missing; whole where a cut saves none."""
    if len(data) <= budget + len(PREVIEW_MARKER):
        return data.decode(), cut
    head, tail = data[: (budget + 1) // 2], data[len(data) - budget // 2 :]
    return f"{head.decode(errors='ignore')}{PREVIEW_MARKER}{tail.decode(errors='ignore')}", True
