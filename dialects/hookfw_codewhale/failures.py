"""
Runs that did not end well: their status, what may be said of it, and the diagnostic.

From the hooks document of 2026-09-29, "Timeouts", "Failure behaviour" and "Security notes". What is said comes from
fixed words, the hook's own label and numbers; never from a command line, a path or anything the hook printed.
"""

from __future__ import annotations

import os.path
import signal
from typing import TYPE_CHECKING, Final

from hookfw import Diagnostic, redact, text

if TYPE_CHECKING:
    from hookfw import Ended, Hook, RunStatus

NO_VERDICT: Final = "hook returned no verdict"
"""What is said of a failure that has no words of its own."""

# The words Codewhale has for the kinds of errors of the operating system.
_KINDS = {
    "ENOENT": "NotFound",
    "EACCES": "PermissionDenied",
    "EPERM": "PermissionDenied",
    "ENOTDIR": "NotADirectory",
    "E2BIG": "ArgumentListTooLong",
    "EINVAL": "InvalidInput",
    "ENOMEM": "OutOfMemory",
    "ETXTBSY": "ExecutableFileBusy",
    "ELOOP": "FilesystemLoop",
    "EISDIR": "IsADirectory",
    "EAGAIN": "WouldBlock",
}
_REMEDIES = {
    "NotFound": "make sure that `working_dir` or else the workspace exists, and a shell",
    "NotADirectory": "make `working_dir` name a directory",
    "PermissionDenied": "make `working_dir` a directory that you may enter",
    "ArgumentListTooLong": "make the command or the surrounding environment shorter",
}
_NOT_EXECUTABLE, _NOT_FOUND = 126, 127


def status_of(ended: Ended, *, understood: tuple[int, ...] = (0,)) -> RunStatus:
    """The status of a run; `understood` are the exit codes that say something rather than fail."""
    if ended.state == "timed_out":
        return "timed_out"
    if ended.state == "cancelled":
        return "cancelled"
    return "completed" if ended.state == "exited" and ended.exit_code in understood else "failed"


def exit_code_of(ended: Ended) -> int | None:
    """The exit code that was observed; `None` for a run that timed out, was not started or died of a signal."""
    return ended.exit_code if ended.state == "exited" else None


def error_of(hook: Hook, ended: Ended, *, understood: tuple[int, ...] = (0,)) -> str | None:
    """What kept a run from ending well, for the run itself; `None` when it did."""
    if ended.state == "timed_out":
        if not ended.confirmed:
            return "hook could not be reaped after its timeout"
        return f"Hook timed out after {text.seconds(hook.timeout)}s"
    if ended.state == "cancelled":
        return "hook was cancelled"
    if ended.state == "not_started":
        return detail_of(hook, ended)
    if ended.exit_code is None:
        return f"hook was ended by {_signal(ended)}"
    return None if ended.exit_code in understood else f"hook exited with code {ended.exit_code}"


def detail_of(hook: Hook, ended: Ended) -> str | None:
    """
    What people are told of a run without an exit code; `None` where there is nothing but `NO_VERDICT` to say.

    Part of refusals, so every word of it is fixed or a number.
    """
    if ended.state == "timed_out" and ended.confirmed:
        return f"hook timed out after {text.seconds(hook.timeout)}s"
    if ended.state == "not_started":
        if ended.error_kind == "DENIED":
            return "Hook authority was denied: its approval was revoked"
        if ended.error_kind == "NO_HANDLER":
            return "hook executor did not run"
        return f"hook process could not be started ({_kind(ended)})"
    return "hook did not complete cleanly" if ended.state in ("timed_out", "cancelled") else None


def failure(hook: Hook, ended: Ended, consequence: str) -> Diagnostic:
    """The diagnostic of a run that failed; `consequence` says what comes of it."""
    code, what, remedy = _account(hook, ended)
    message = f"{called(hook)} {what} after {ended.duration:.2f} s: {consequence}; {remedy}."
    return note(hook, code, message)


def unexplained(hook: Hook, ended: Ended, did: str) -> Diagnostic:
    """The diagnostic of a refusal without a structured reason; `did` is `denied` or `blocked`."""
    where = " What it wrote to standard error is not read." if ended.stderr.strip() else ""
    message = f'{called(hook)} {did} without a reason; print {{"reason": …}} on standard output to give one.{where}'
    return note(hook, "no-reason", message)


def held(hook: Hook) -> Diagnostic:
    """The diagnostic of a run that left a process behind which kept its output open."""
    message = (
        f"{called(hook)} left a process behind that kept its output open, which held everybody up for a moment; "
        "what it had printed counts; close the streams of what it leaves running."
    )
    return note(hook, "pipe-held", message)


def note(hook: Hook, code: str, message: str) -> Diagnostic:
    """A warning about a hook at firing."""
    return Diagnostic(code, "warning", message, file=hook.source.path, entry=hook.source.entry, hook=hook.name)


def called(hook: Hook) -> str:
    """How a sentence begins that is about `hook`: its event, its label and its place in the configuration."""
    return f"The {hook.event} hook `{hook.config.label}` ({hook.source.entry})"


def _account(hook: Hook, ended: Ended) -> tuple[str, str, str]:
    """Code of the diagnostic, what happened, what to do."""
    if ended.state == "timed_out":
        setting = hook.timeout_note or "timeout_secs"
        what = f"was ended at its timeout of {text.seconds(hook.timeout)} s"
        if not ended.confirmed:
            what += ", and its death could not be confirmed,"
        return "hook-timed-out", what, f"make it faster or raise `{setting}`"
    if ended.state == "cancelled":
        return "hook-cancelled", "was cancelled", "fire the event again"
    if ended.state == "not_started":
        return _launch(ended)
    if ended.exit_code is None:
        return "failed-hook", f"was ended by {_signal(ended)}", "run its command by hand to see why"
    if ended.exit_code in (_NOT_EXECUTABLE, _NOT_FOUND):
        return _missing(hook, ended.exit_code)
    return "failed-hook", f"exited with code {ended.exit_code}", "run its command by hand to see why"


def _launch(ended: Ended) -> tuple[str, str, str]:
    if ended.error_kind == "DENIED":
        what = "was not started, because its approval was revoked,"
        return "authority-denied", what, "review and approve its file again"
    if ended.error_kind == "NO_HANDLER":
        return "failed-hook", "was not started, because no plugin runs its handler type,", "enable that plugin"
    kind = _kind(ended)
    remedy = _REMEDIES.get(kind, "run its command by hand to see why")
    return "failed-hook", f"could not be started ({kind})", remedy


def _missing(hook: Hook, exit_code: int) -> tuple[str, str, str]:
    """The shell's own account of a command that it could not run."""
    name = _command_name(hook.config.command)
    subject = f"`{name}`, or a command that it runs," if name else "its command, or one that it runs,"
    if exit_code == _NOT_FOUND:
        what = f"exited with code {exit_code}: {subject} was not found,"
        return "command-not-found", what, "correct its path or install it"
    what = f"exited with code {exit_code}: {subject} is not executable,"
    return "command-not-executable", what, "set its run bit or name its interpreter"


def _command_name(command: str) -> str:
    """The file name of a command's first word, where that gives nothing away; else empty."""
    words = command.split(maxsplit=1)
    name = os.path.basename(words[0]) if words else ""
    plain = name.isascii() and name.replace("-", "").replace("_", "").replace(".", "").isalnum()
    return name if plain and len(name) <= 64 and redact(name) == name else ""  # noqa: PLR2004 - as long as a label


def _kind(ended: Ended) -> str:
    return _KINDS.get(ended.error_kind or "", "Other")


def _signal(ended: Ended) -> str:
    if ended.signal is None:
        return "an unknown cause"
    try:
        return f"signal {ended.signal} ({signal.Signals(ended.signal).name})"
    except ValueError:
        return f"signal {ended.signal}"
