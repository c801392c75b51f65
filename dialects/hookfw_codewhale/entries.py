"""
One entry of a configuration file: validated, and made into a hook.

From the hooks document of 2026-09-29, "Configuration" and "Conditions". An entry is refused by itself, with all its
problems, and never takes another one along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import Hook, Source, text
from hookfw_codewhale.condition_tables import Findings, read_condition
from hookfw_codewhale.conditions import ALWAYS
from hookfw_codewhale.native import EVENTS
from hookfw_codewhale.problems import LABEL_LIMIT, did_you_mean, kind_of, quoted

if TYPE_CHECKING:
    from hookfw_codewhale.conditions import Condition
    from hookfw_codewhale.native import NativeSpec

DIALECT = "codewhale"

DEFAULT_TIMEOUT = 30
"""Seconds a hook may take when neither it nor the table says."""

ODD_TIMEOUT = 3600
"""Seconds beyond which a timeout looks like milliseconds."""

PREVIEW_LIMIT = 60
"""Characters of a command that lists show."""

OVERRIDE = "[hooks].default_timeout_secs"

_MAX_SECONDS = 2**63 - 1
_KEYS = frozenset({"event", "command", "name", "timeout_secs", "background", "continue_on_error", "condition"})
_CANONICAL = {spec.canonical.replace("_", ""): spec.name for spec in EVENTS.values()}


class Entry(NamedTuple):
    """
    What only this dialect reads of a hook.

    Attributes:
        command: the shell line, verbatim.
        name: as it was configured, if it was.
        working_dir: where every hook runs, absolute; `None` is the session's workspace.
        background: as it was declared, honoured or not.
        position: place in the merged list of all entries, from 0, refused ones included.
        condition: what it asks of an event.
    """

    command: str
    name: str | None
    working_dir: str | None
    background: bool
    position: int
    condition: Condition = ALWAYS

    @property
    def label(self) -> str:
        """The name as messages show it: one line, at most 64 characters, `(unnamed)` when there is none."""
        return label(self.name)


def read_entry(
    raw: object, source: Source, position: int, override: int | None, working_dir: str | None, findings: Findings
) -> Hook | None:
    """
    The hook that one entry configures; `None` with problems in `findings` when it is refused.

    `override` is the timeout in seconds that replaces every hook's own, `working_dir` where all hooks run.
    """
    if not isinstance(raw, dict):
        findings.problems.append(f"an entry must be a table, not {kind_of(raw)}")
        return None
    condition = _check(raw, findings)
    if findings.problems or condition is None:
        return None
    event, command, background = raw["event"], raw["command"], raw.get("background", False)
    return Hook(
        name=run_name(raw, position),
        dialect=DIALECT,
        event=event,
        handler="command",
        summary=preview(command),
        source=source,
        timeout=float(override or raw.get("timeout_secs", DEFAULT_TIMEOUT)),
        command=command,
        matcher="" if condition is ALWAYS else condition.describe(),
        keys=condition.literal_keys(),
        predicate=condition.predicate(),
        background=background and event != "shell_env",
        strict=not raw.get("continue_on_error", True),
        timeout_note=None if override is None else OVERRIDE,
        config=Entry(command, raw.get("name"), working_dir, background, position, condition),
    )


_PLAIN = (("name", str, "a text"), ("background", bool, "true or false"), ("continue_on_error", bool, "true or false"))


def _check(raw: dict[str, Any], findings: Findings) -> Condition | None:
    """Gather everything that is wrong with an entry; gives its condition when that can be read."""
    problems, warnings = findings.problems, findings.warnings
    event = raw.get("event")
    spec = EVENTS.get(event) if isinstance(event, str) else None
    if spec is None:
        problems.append(_bad_event(event))
    command = raw.get("command")
    if not isinstance(command, str) or not command.strip() or "\0" in command:
        problems.append(_bad_command(command))
    for key, kind, words in _PLAIN:
        if key in raw and not isinstance(raw[key], kind):
            problems.append(f"`{key}` must be {words}, not {kind_of(raw[key])}")
    if "timeout_secs" in raw:
        _check_timeout(raw["timeout_secs"], findings)
    if spec is not None and spec.steers and raw.get("background") is True:
        warnings.append(_background_note(spec))
    if not _KEYS.issuperset(raw):
        warnings.extend(
            f"it has {quoted(key)}{did_you_mean(key, _KEYS)}, which is not known and is ignored"
            for key in raw
            if key not in _KEYS
        )
    return _check_condition(raw, spec, findings)


def _check_condition(raw: dict[str, Any], spec: NativeSpec | None, findings: Findings) -> Condition | None:
    if "condition" not in raw:
        return ALWAYS
    condition = read_condition(raw["condition"], findings)
    if spec is not None and condition is not None:
        findings.problems.extend(condition.unsupported(spec))
    return condition


def _check_timeout(value: Any, findings: Findings) -> None:
    problem = timeout_problem("timeout_secs", value)
    if problem is not None:
        findings.problems.append(problem)
    elif value > ODD_TIMEOUT:
        findings.warnings.append(odd_timeout("timeout_secs", value))


def _background_note(spec: NativeSpec) -> str:
    if spec.steers == "env":
        return (
            f"`background = true` is not honored on `{spec.name}`, whose output is the point, it runs in the foreground"
        )
    return f"`background = true` makes it observer-only, it cannot steer `{spec.name}`, remove it from a gate"


def _bad_event(event: object) -> str:
    if event is None:
        return "it needs an `event`, one of the 15 names that `/hooks events` shows"
    if not isinstance(event, str):
        return f"`event` must be a text, not {kind_of(event)}"
    known = _CANONICAL.get(event.replace("_", "").lower())
    hint = f" (here it is called `{known}`)" if known else did_you_mean(event, EVENTS)
    return f"`event` is {quoted(event)}{hint}, which is none of the 15 names that `/hooks events` shows"


def _bad_command(command: object) -> str:
    if command is None:
        return "it needs a `command`, the shell line to run"
    if not isinstance(command, str):
        return f"`command` must be a text, not {kind_of(command)}"
    if "\0" in command:
        return "`command` holds a NUL character, which no shell can take"
    return "`command` is empty, give the shell line to run"


def timeout_problem(key: str, value: object) -> str | None:
    """Why `value` is no timeout in seconds; `None` when it is one."""
    if type(value) is not int:
        return f"`{key}` must be a whole number of seconds, not {kind_of(value)}"
    if 0 < value <= _MAX_SECONDS:
        return None
    if value == 0:
        return f"`{key} = 0` leaves no time at all, give at least 1 or leave it out"
    return f"`{key}` must be a whole number of seconds from 1 to {_MAX_SECONDS}"


def odd_timeout(key: str, value: int) -> str:
    """The warning about a timeout that looks like milliseconds."""
    return f"`{key} = {value}` is more than an hour, since the unit is seconds, not milliseconds"


def run_name(raw: object, position: int) -> str:
    """What the runs of an entry are called: its name on one line, else its event and place in the merged list."""
    table = raw if isinstance(raw, dict) else {}
    name, event = table.get("name"), table.get("event")
    if isinstance(name, str) and name.strip():
        return _one_line(name)
    return f"{event if isinstance(event, str) and event in EVENTS else 'hook'}#{position}"


def label_of(raw: object) -> str:
    """What messages call an entry, whatever it is."""
    return label(raw.get("name") if isinstance(raw, dict) else None)


def label(name: object) -> str:
    """A name as messages show it: one line, at most 64 characters, `(unnamed)` when there is none."""
    shown = text.cut_characters(_one_line(name), LABEL_LIMIT).strip() if isinstance(name, str) else ""
    return shown or "(unnamed)"


def preview(command: str) -> str:
    """A command as lists show it: control characters out, one line, at most 60 characters; no verbatim copy."""
    flat = _one_line(command).strip()
    return flat if len(flat) <= PREVIEW_LIMIT else flat[: PREVIEW_LIMIT - 1] + "…"


def _one_line(value: str) -> str:
    # Nearly every name and command is already one line, and there may be thousands.
    return value if value.isprintable() else text.line(value, len(value))
