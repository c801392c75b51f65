"""The diagnostics of a run: which hook, what happened, and what would have worked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import Diagnostic

if TYPE_CHECKING:
    from hookfw import Ended, Hook, Severity
    from hookfw_claude.reading import Said


def note(hook: Hook, code: str, detail: str, severity: Severity = "warning") -> Diagnostic:
    """A finding about a hook at firing; `detail` follows its name."""
    message = f"The hook {hook.name} ({hook.source.path}) {detail}."
    return Diagnostic(code, severity, message, file=hook.source.path, entry=hook.source.entry, hook=hook.name)


def of_streams(hook: Hook, ended: Ended) -> list[Diagnostic]:
    """What was cut, and that something else held the output open."""
    found = []
    for stream, cut in (("stdout", ended.stdout_cut), ("stderr", ended.stderr_cut)):
        if cut:
            detail = f"printed more than 100,000 bytes on {stream}; the rest was dropped, print less"
            found.append(note(hook, f"{stream}-truncated", detail))
    if ended.pipes_held:
        detail = (
            "left a process behind that kept its output open; what it had printed counts, but close the streams of what it "
            "leaves running, the agent itself would have waited for its timeout and lost the answer"
        )
        found.append(note(hook, "pipe-held", detail))
    return found


def of_failure(hook: Hook, ended: Ended, said: Said) -> Diagnostic:
    """Why a command gave no answer. It blocks nothing."""
    match said.kind:
        case "timed_out":
            detail = f"exceeded its timeout of {hook.timeout:g}s and was ended; it blocked nothing, and what it printed is lost"
            return note(hook, "timeout", detail)
        case "not_started" if not hook.command or not hook.command.strip():
            return note(hook, "invalid-command", "has an empty command, so there was nothing to run; write one")
        case "not_started" if ended.error_kind == "ENOENT":
            detail = (
                f"could not be launched: {_program(hook)} or the directory of the session does not exist; correct it"
            )
            return note(hook, "launch-failed", detail)
        case "not_started":
            detail = f"could not be launched: {_program(hook)} cannot be run ({ended.error_kind}); correct it"
            return note(hook, "launch-failed", detail)
        case "cancelled":
            return note(hook, "cancelled", "was called off before it ended")
    detail = f"{said.text}; that blocks nothing and its output does not count, only exit status 2 blocks"
    if ended.exit_code in (126, 127):
        detail = f"{said.text} ({_program(hook)}); it blocked nothing, correct the command"
    return note(hook, "nonzero-exit", detail)


def _program(hook: Hook) -> str:
    """The first word of what it runs."""
    words = hook.config.argv or hook.config.command.split()
    return repr(words[0]) if words else "its command"
