"""Diagnostics: one place for how they are worded, and the values that they quote."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING, Final

from hookfw import Diagnostic, Source, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookfw import Hook, Severity

QUOTE_LIMIT: Final = 64
"""Characters of a value out of a file that a message shows."""

_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def quoted(value: str) -> str:
    """A text out of a file as messages show it: one line, bounded, in back quotes."""
    return f"`{text.line(value, QUOTE_LIMIT)}`"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to put after `word` when it looks like one of `known`; else empty."""
    close = text.closest(word[:QUOTE_LIMIT], known)
    return f" (did you mean `{close}`?)" if close else ""


def at(source: Source, code: str, severity: Severity, what: str, hook: str | None = None) -> Diagnostic:
    """A finding of loading. `what` is a sentence without its end that follows the place."""
    place = f", {source.entry}" if source.entry else ""
    message = f"{source.path}{place}: {what}."
    return Diagnostic(code, severity, message, source.path, source.entry or None, hook, source.line)


def of(hook: Hook, code: str, what: str, severity: Severity = "warning") -> Diagnostic:
    """A finding of a firing. `what` follows the hook's name and ends without a full stop."""
    message = f"The hook `{hook.name}` ({hook.source.path}, {hook.source.entry}) {what}."
    return Diagnostic(code, severity, message, file=hook.source.path, entry=hook.source.entry, hook=hook.name)


def program_of(hook: Hook) -> str:
    """The file name of the command's first word, in parentheses, where that gives nothing away; else empty."""
    words = (hook.command or "").split(maxsplit=1)
    name = os.path.basename(words[0]) if words else ""
    return f" (`{name}`, or a command that it runs)" if _PLAIN_NAME.fullmatch(name) else ""
