"""
How a run that ended is read: the status it gets, what it asks for, and what people should know about it.

From the contract, "Exit codes" and "`onFailure`". A run that fails has no say, but for what it printed as a valid answer.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from hookfw import NO_EFFECT, Delivery, Reading
from hookfw_claude.claude_code import calling, effects, failing
from hookfw_claude.claude_code.answer import Heard, late_texts, listen, misplaced, says_nothing
from hookfw_claude.claude_code.effects import Detail
from hookfw_claude.claude_code.hearing import hear
from hookfw_claude.claude_code.rules import ENV_FILE, EVENTS, EventRules, Failing
from hookfw_claude.failures import by_hand, note, timed_out
from hookfw_claude.reading import exit_hint
from hookfw_claude.wire import SPECIFIC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hookfw import Diagnostic, Ended, Hook, RunStatus

_STATUS: Mapping[str, RunStatus] = MappingProxyType({"timed_out": "timed_out", "cancelled": "cancelled"})
_CODES: Mapping[str, str] = MappingProxyType({"timed_out": "hook-timed-out", "cancelled": "hook-cancelled"})
_MISSING: Mapping[int, str] = MappingProxyType({126: "command-not-executable", 127: "command-not-found"})
"""The shell's own account of a command that it could not run."""
_TEXTLESS = ("PreToolUse", "PermissionRequest", "UserPromptSubmit")
"""Events that take no plain text from an `mcp_tool` with `onFailure: \"block\"`."""
WORD_LIMIT = 200
"""Characters of a command's first word in a message."""


def interpret(hook: Hook, ended: Ended) -> Reading:
    """The status of a run and what it asks for; one in the background asks for nothing."""
    rules = EVENTS[hook.event]
    fails = hook.config.failing(rules)
    heard = _heard(hook, ended, rules, fails)
    unstarted = calling.refusal(hook.config)
    if unstarted is not None:
        heard = heard._replace(why=unstarted)
    diagnostics = tuple(_notes(hook, ended, heard, rules))
    if hook.background or (fails != "blocks" and _went_on_alone(ended)):
        effect = NO_EFFECT
    elif heard.lost and fails != "ignored":
        effect = failing.of_failure(heard, hook, rules, fails)
    elif heard.status in ("timed_out", "not_started", "cancelled") and rules.name != "WorktreeCreate":
        effect = NO_EFFECT
    else:
        effect = effects.of_run(heard, rules)
    written = ended.files.get(ENV_FILE, "")
    if written:
        detail = effect.detail if isinstance(effect.detail, Detail) else Detail()
        effect = replace(effect, detail=detail._replace(env_file=written))
    if not heard.lost:
        return Reading(effect=effect, diagnostics=diagnostics)
    error = heard.why or heard.broken or ""
    if heard.status == "timed_out":
        error = f"timed out after {hook.timeout:g}s"
    return Reading(_STATUS.get(heard.status, "failed"), effect, error=error, diagnostics=diagnostics)


def _heard(hook: Hook, ended: Ended, rules: EventRules, fails: Failing) -> Heard:
    """
    What a run said, by the rules of its type: an `http` answer is one JSON object or nothing.

    Of an `mcp_tool` with `onFailure: "block"` the gates take no text, and PreToolUse no object without a field that says something.
    """
    if hook.handler in ("prompt", "agent"):
        return hear(ended, hook.config, rules.name)
    heard = listen(ended, rules.name)
    if heard.status != "well":
        return heard
    if hook.handler == "http" and heard.text:
        return heard._replace(text="", broken="answered with something that is not one JSON object")
    if hook.handler == "mcp_tool" and fails == "blocks":
        if heard.text and rules.name in _TEXTLESS:
            return heard._replace(text="", broken="answered with text instead of one JSON object")
        if heard.answer is not None and rules.name == "PreToolUse" and says_nothing(heard.answer):
            return heard._replace(answer=None, broken="answered with no field that says anything")
    return heard


def late(ended: Ended) -> Delivery | None:
    """What a hook that went on in the background gives to the next outcome: texts for the model."""
    texts = late_texts(ended)
    return Delivery(context=texts) if texts else None


def _went_on_alone(ended: Ended) -> bool:
    """It asked to go on in the background, and had ended before it could be left alone."""
    return calling.goes_on_alone(ended.stdout.lstrip().partition("\n")[0])


def _notes(hook: Hook, ended: Ended, heard: Heard, rules: EventRules) -> Iterator[Diagnostic]:
    """What is odd about a run, each with the remedy."""
    if heard.status not in ("well", "blocks"):
        yield _of_failure(hook, ended, heard, rules)
    if heard.broken is not None:
        yield note(hook, "invalid-output", f"{heard.broken}: none of it counts; {_corrected(hook)}")
    if heard.answer is not None and heard.answer.unknown:
        yield _of_unknown(hook, heard, rules)
    if heard.answer is not None and not effects.may_be_shown(heard.answer.text("terminalSequence") or ""):
        what = (
            "asked for a terminal sequence that is not allowed; only titles, progress, notifications and the bell are"
        )
        yield note(hook, "refused-sequence", what)
    if heard.status == "blocks" and not heard.stderr and heard.text and rules.exit_2 != "ignored":
        what = "ended with exit status 2 and its reason on standard output, where it is not read; print it on stderr"
        yield note(hook, "reason-on-stdout", what)
    if _hides_json(heard, rules):
        what = (
            "printed text beside what looks like its answer, so all of it counts as text; print one JSON object alone"
        )
        yield note(hook, "text-beside-json", what)
    if ended.pipes_held:
        what = "left a process behind that kept its output open; what it had printed counts; close the streams of what it leaves"
        yield note(hook, "pipe-held", what)
    cut = [name for name, is_cut in (("stdout", ended.stdout_cut), ("stderr", ended.stderr_cut)) if is_cut]
    if cut:
        yield note(hook, "output-cut", f"printed too much: of its {' and '.join(cut)} only the beginning was kept")


def _corrected(hook: Hook) -> str:
    """The remedy for what cannot be used."""
    match hook.handler:
        case "prompt" | "agent":
            return "put the condition in its `prompt` in plain words, and leave the form of the answer to hookfw"
        case "http":
            return "let the service answer with one JSON object, or with nothing"
    return "correct what it prints"


def _hides_json(heard: Heard, rules: EventRules) -> bool:
    """Plain text that looks as if an answer were in it; where text is context, only what names a field of one."""
    if rules.text_is_context and f'"{SPECIFIC}"' not in heard.text:
        return False
    return any(line.lstrip().startswith("{") for line in heard.text.splitlines())


def _of_failure(hook: Hook, ended: Ended, heard: Heard, rules: EventRules) -> Diagnostic:
    what, remedy = heard.why, by_hand(hook, ended)
    code = _CODES.get(heard.status, "failed-hook")
    if heard.status == "timed_out":
        what, remedy = timed_out(hook), "make it faster or raise its `timeout`"
    elif heard.status == "cancelled":
        remedy = "fire the event again"
    elif ended.exit_code in _MISSING or ended.error_kind == "ENOENT":
        code = _MISSING.get(ended.exit_code or 127, "command-not-found")
        word = _first_word(hook)
        what = what if exit_hint(ended.exit_code) else f"{what}: the command was not found"
        what = f"{what} ({word!r}, or what it runs)"
        remedy = "correct the path, install the program, set its run bit; a path with blanks needs quotes"
    if ended.state == "failed":
        # The account of a handler that is no command names its own remedy.
        consequence = (
            "and so it blocks" if hook.config.failing(rules) == "blocks" else "it has no say and blocks nothing"
        )
        return note(hook, code, f"{what}; {consequence}")
    if hook.config.failing(rules) == "blocks":
        return note(hook, code, f"{what}, and so it blocks; {remedy}")
    if heard.answer is not None:
        return note(hook, code, f"{what}; what it printed as its answer counts all the same")
    return note(hook, code, f"{what}: it has no say and blocks nothing; {remedy}")


def _of_unknown(hook: Hook, heard: Heard, rules: EventRules) -> Diagnostic:
    """Fields of an answer that do nothing where they stand."""
    unknown = () if heard.answer is None else heard.answer.unknown
    inside = () if heard.answer is None else misplaced(heard.answer, rules.name)
    names = ", ".join(f"`{name[:WORD_LIMIT]}`" for name in inside or unknown)
    if inside:
        what = f"answered with {names} at the top, where it does nothing; write it inside `hookSpecificOutput`"
        return note(hook, "misplaced-field", what)
    return note(hook, "unknown-field", f"answered with {names}, which is not known and does nothing")


def _first_word(hook: Hook) -> str:
    """The first word of a command as a shell takes it apart; of what is no command, its type."""
    line = hook.handler if hook.command is None else hook.command
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    return words[0][:WORD_LIMIT] if words else ""
