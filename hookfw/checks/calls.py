"""Commands as they are written: secrets, hidden letters, processes left behind, agents within agents, answers that do nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hookfw.checks.scripts import script_of
from hookfw.redaction import holds_secret
from hookfw.text import decode, hides_something

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw.checks.checkup import Checkup, Examined
    from hookfw.diagnostics import Diagnostic

_LEFT_BEHIND = re.compile(r"(?<![&>|])&\s*$|(?:^|[;&|(]\s*)(?:nohup|setsid)\s|\bdisown\b")
_FETCHING = re.compile(
    r"(?:^|[;&|(]\s*)(npx|bunx|uvx|pnpm dlx|yarn dlx|npm exec|pipx run|docker run)\s|(?:^|[;&|(]\s*)(uv run) --with\s"
)
_HOT = frozenset({"pre_tool_use", "post_tool_use", "message_display", "pre_model_request", "post_model_request"})
_FAILS = re.compile(r"\bexit\s+1\b|\bsys\.exit\(1\)|\bprocess\.exit\(1\)")
_DECIDES = re.compile(r"exit\s+2\b|exit\(2\)|decision|\"continue\"|updatedInput|return\s+2\b")
_REFUSES = re.compile(r"exit\s+2\b|exit\(2\)")
_GIVES_A_REASON = re.compile(
    r">\s*&\s*2|stderr|eason|console\.error|warn\b|\btee\b|(?:^|[\s;&|])(?:\S*/\S*|source|\.)\s"
)
_WINDOWS_PATH = re.compile(r"(?:^|[\s\"'=])(?:[A-Za-z]:\\|\.{1,2}\\)\w")
_GOES_ON = re.compile(r"exit\s+2\b|exit\(2\)|\"decision\"|'decision'|\bblock\b")
_GATES: Final = frozenset({"pre_tool_use", "permission_request", "user_prompt_submit"})
_ENDS: Final = frozenset({"stop", "subagent_stop"})


def check(checkup: Checkup) -> Iterator[Diagnostic]:
    """What can be read in a command, and in the script that it starts."""
    starts = _starts_an_agent(checkup)
    for item in checkup.hooks:
        written = item.hook.command or item.hook.summary
        if holds_secret(written):
            what = "has a secret in its command, where every list of processes shows it; put it in a variable or a file"
            yield item.found("secret-in-command", "warning", what)
        if hides_something(written):
            what = "has letters in its command that are not seen or turn text around; take them out, or do not trust it"
            yield item.found("hidden-letters", "error", what)
        if item.hook.handler == "command":
            if checkup.platform != "win32" and _WINDOWS_PATH.search(item.hook.command or ""):
                what = "names a path with backslashes, which a shell here takes for marks of quotation; write it with slashes"
                yield item.found("windows-path", "warning", what)
            yield from _command(item, item.hook.command or "", starts)
            yield from _answers(item, checkup)


def _command(item: Examined, line: str, starts: re.Pattern[str] | None) -> Iterator[Diagnostic]:
    if _LEFT_BEHIND.search(line):
        what = (
            "leaves a process behind, which is ended with it or holds its output open; let the hook end by itself, or "
            "start such a thing outside of hooks"
        )
        yield item.found("process-left-behind", "warning", what)
    agent = None if starts is None else starts.search(line)
    if agent is not None:
        what = f"starts {agent[1]!r}, an agent whose own hooks fire in turn, so it may never end; switch the hooks of that one off"
        yield item.found("starts-an-agent", "warning", what)
    fetched = _FETCHING.search(line)
    if fetched is not None and item.kind in _HOT:
        what = f"runs `{fetched[1] or fetched[2]}` on every {item.hook.event}, which looks for a package each time; install it"
        yield item.found("slow-start", "info", what)


def _answers(item: Examined, checkup: Checkup) -> Iterator[Diagnostic]:
    """Exit codes that do not do what they seem to, and ends of turns that are put off without end."""
    if item.kind not in _GATES | _ENDS or not item.steers:
        return
    text = item.hook.command or ""
    script = script_of(item, checkup)
    if script is not None:
        text += "\n" + decode(checkup.files.read(script).data or b"")
    if item.kind in _GATES and not item.hook.strict and _FAILS.search(text) and not _DECIDES.search(text):
        what = "only ever exits with 1, which is a failure and refuses nothing; exit with 2 and give the reason"
        yield item.found("failure-for-refusal", "warning", what)
    if _REFUSES.search(text) and not _GIVES_A_REASON.search(text):
        what = "refuses without a reason, so the model does not learn why and tries again; print one before it exits with 2"
        yield item.found("refusal-without-reason", "info", what)
    if item.kind in _ENDS and _GOES_ON.search(text) and "stop_hook_active" not in text:
        what = (
            "can make the agent go on and never looks at `stop_hook_active`, so the turn may not end; let it pass when that "
            "is true"
        )
        yield item.found("endless-turn", "warning", what)


def _starts_an_agent(checkup: Checkup) -> re.Pattern[str] | None:
    if not checkup.programs:
        return None
    names = "|".join(map(re.escape, sorted(checkup.programs)))
    return re.compile(rf"(?:^|[;&|(`]\s*)(?:\S*/)?({names})(?=\s+-|\s+exec\b|\s+run\b)")
