"""
`shell_env`: a hook contributes variables to the shell's environment.

From the hooks document of 2026-09-29, "shell_env". An entry that a shell could not carry is dropped by itself; a hook
that fails contributes nothing and stops nobody. Values appear nowhere but in the variables themselves.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, Final

from hookfw import Effect, Reading, Verdict, Write, text
from hookfw_codewhale.entries import DIALECT
from hookfw_codewhale.failures import called, error_of, exit_code_of, failure, note, status_of
from hookfw_codewhale.locations import from_base
from hookfw_codewhale.problems import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Diagnostic, Done, Ended, Hook, Session

VALUE_LIMIT: Final = 32_768
"""Bytes of one value."""

TOTAL_LIMIT: Final = 262_144
"""Bytes of the names and values of one hook."""

AUDIT_ROTATION: Final = 16 * 1024 * 1024
"""Bytes from which on the audit log is renamed before the next record."""

_BLANKS: Final = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
"""Unicode white space. Python's own notion of it also holds four control characters."""


def interpret(hook: Hook, ended: Ended) -> Reading:
    """The variables of a hook that exited with 0; the output of any other does not count."""
    if exit_code_of(ended) != 0:
        failed = failure(hook, ended, "it contributes no variable; the shell command goes ahead without")
        return Reading(status=status_of(ended), error=error_of(hook, ended), diagnostics=(failed,))
    # The last line of output that was cut is half an entry, and half a credential is worse than none.
    env, dropped = parse(ended.stdout.rpartition("\n")[0] if ended.stdout_cut else ended.stdout)
    notes = [_dropped(hook, name, why) for name, why in dropped]
    if ended.stdout_cut:
        message = f"{called(hook)} printed more than is kept of a hook's output, so its last variables are missing."
        notes.append(note(hook, "output-cut", message))
    return Reading(effect=Effect(env=env), diagnostics=tuple(notes))


def parse(output: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """
    The variables in `KEY=VALUE` lines, and the entries dropped: name and reason.

    A leading `export ` and one pair of quotes around a value are taken off; nothing is expanded. Within one output the
    last line for a name counts.
    """
    env: dict[str, str] = {}
    dropped: list[tuple[str, str]] = []
    total = 0
    full = False
    for raw in output.split("\n"):
        line = raw.strip(_BLANKS)
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.removeprefix("export ").partition("=")
        if not equals:
            continue
        name, value = name.strip(_BLANKS), _unquoted(value.strip(_BLANKS))
        problem = _problem(name, value)
        if problem is None:
            total += len(name.encode()) + len(value.encode())
            full = full or total > TOTAL_LIMIT
            if full:
                problem = f"the hook's output is past {TOTAL_LIMIT:,} bytes"
        if problem is None:
            env[name] = value
        else:
            dropped.append((name, problem))
    return env, dropped


def reduce(done: Sequence[Done], session: Session) -> Verdict:
    """All variables, later hooks over earlier ones, and one audit record for each hook that contributed any."""
    env: dict[str, str] = {}
    for each in done:
        env.update(each.effect.env)
    writes = tuple(_record(each.hook, each.effect.env, session) for each in done if each.effect.env)
    return Verdict(dialect=DIALECT, env=env, writes=writes)


def _unquoted(value: str) -> str:
    quotes = value[:1]
    return value[1:-1] if len(value) > 1 and quotes in "'\"" and value.endswith(quotes) else value


def _problem(name: str, value: str) -> str | None:
    """Why a shell could not carry this entry."""
    if not name:
        return "it has no name"
    if any(letter in _BLANKS or unicodedata.category(letter) == "Cc" for letter in name):
        return "its name holds white space or a control character"
    if "\0" in value:
        return "its value holds a NUL"
    if len(value.encode()) > VALUE_LIMIT:
        return f"its value is longer than {VALUE_LIMIT:,} bytes"
    return None


def _dropped(hook: Hook, name: str, why: str) -> Diagnostic:
    return note(hook, "dropped-variable", f"{called(hook)} printed the variable {quoted(name)}, dropped: {why}.")


def _record(hook: Hook, env: Any, session: Session) -> Write:
    """One line of the audit log: names of variables, never a value."""
    home = from_base(session.environ.get("CODEWHALE_HOME") or "~/.codewhale", session.home, session.home)
    record = {
        "ts": session.now().isoformat(),
        "event": "shell_env_hook",
        "details": {"hook": hook.config.label, "tool": "exec_shell", "keys": list(env)},
    }
    return Write(path=f"{home}/audit.log", text=text.compact_json(record) + "\n", rotate_at=AUDIT_ROTATION)
