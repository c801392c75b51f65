"""How outcomes, runs and diagnostics read to people."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookfw.cli._output import Output, Part, Style
    from hookfw.diagnostics import Diagnostic, Severity
    from hookfw.outcome import Outcome, Run, RunStatus

_SEVERITY: dict[Severity, Style] = {"error": "bad", "warning": "warn", "info": "dim"}
_STATUS: dict[RunStatus, Style] = {"completed": "good", "failed": "bad", "timed_out": "bad", "cancelled": "warn"}
_LABEL = 15
"""Columns of a label, so that the values stand below each other."""


def duration(seconds: float) -> str:
    """A duration as people read it: `0.4 ms`, `12 ms`, `1.2 s`."""
    milliseconds = seconds * 1000
    if milliseconds >= 1000:  # noqa: PLR2004 - milliseconds in a second
        return f"{seconds:.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 1 else f"{milliseconds:.1f} ms"


def verdict(outcome: Outcome) -> list[Part]:
    """What an agent must now do, in a few words: the decision, who decided, and what it comes to."""
    parts: list[Part] = []
    if outcome.decision != "none":
        parts.append((outcome.decision, "good" if outcome.decision == "allow" else "warn"))
        parts.append(f" by {outcome.decided_in}:{outcome.decided_by}, " if outcome.decided_by else ", ")
    holds = {
        "refused": outcome.refused,
        "ends the turn": outcome.ends_turn,
        "somebody must be asked": outcome.asks and outcome.decision != "ask" and not outcome.refused,
    }
    ends = [words for words, held in holds.items() if held]
    parts.append((" and ".join(ends), "bad") if ends else ("goes ahead", "good"))
    return parts


def show_answer(out: Output, outcome: Outcome, *, indent: int = 2) -> None:
    """Everything the outcome asks for beside the decision."""
    for label, value in _answer(outcome):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        first, *rest = text.splitlines() or [""]
        out.line((label.ljust(_LABEL), "dim"), first, indent=indent)
        for line in rest:
            out.block(line, indent=indent + _LABEL)


def _answer(outcome: Outcome) -> list[tuple[str, Any]]:
    rewrite = outcome.rewrite
    single: dict[str, Any] = {
        "reason": outcome.reason,
        "stop reason": None if outcome.stop_reason == outcome.reason else outcome.stop_reason,
        "new input": outcome.updated_input,
        "new prompt": outcome.prompt,
        "prompt": "is not shown" if outcome.suppress_prompt else None,
        "rewritten": f"by {rewrite.by}, after {rewrite.replaced}" if rewrite and rewrite.replaced else None,
    }
    return [
        *((label, value) for label, value in single.items() if value is not None),
        *(("context", text) for text in outcome.context),
        *(("feedback", text) for text in outcome.feedback),
        *(("message", text) for text in outcome.messages),
        *(("variable", f"{name}={value}") for name, value in outcome.env.items()),
        # They would act on the terminal they are shown on.
        *(("terminal", "an escape sequence, not sent to this terminal") for _ in outcome.terminal_sequences),
        *outcome.native.items(),
    ]


def show_runs(out: Output, runs: Sequence[Run]) -> None:
    """One row a run: the hook, how it ended, how long it took, what is to be known of it; its file where two share a name."""
    if runs:
        names = Counter((run.dialect, run.name) for run in runs)
        out.table(
            ("hook", "status", "time", "exit", "note"),
            [
                (
                    f"{run.dialect}:{run.name}",
                    status(run),
                    "" if run.status == "submitted" else duration(run.duration),
                    _exit(run),
                    _note(run, alone=names[run.dialect, run.name] == 1),
                )
                for run in runs
            ],
        )


def status(run: Run) -> Part:
    """The status of a run, in its colour."""
    text = run.status.replace("_", " ")
    style = _STATUS.get(run.status)
    return (text, style) if style else text


def _exit(run: Run) -> str:
    if run.signal is not None:
        return f"signal {run.signal}"
    return "" if run.exit_code is None else str(run.exit_code)


def _note(run: Run, *, alone: bool) -> str:
    notes = [] if alone or not run.source else [f"of {run.source}"]
    notes += [run.error] if run.error else []
    if run.stdout_cut or run.stderr_cut:
        notes.append("output past the cap was dropped")
    if run.pipes_held:
        notes.append("a process it left behind held its output open")
    return "; ".join(notes)


def show_skipped(out: Output, outcome: Outcome) -> None:
    """Every hook that matched and was not started, with the reason."""
    for item in outcome.skipped:
        out.line(("skipped ", "warn"), f"{item.dialect}:{item.name}: {item.reason}")


def show_diagnostics(out: Output, diagnostics: Iterable[Diagnostic], *, indent: int = 0) -> None:
    """One line a diagnostic."""
    for item in diagnostics:
        severity: Part = (f"{item.severity}: ", _SEVERITY[item.severity])
        out.line(severity, item.message, (f" [{item.code}]", "dim"), indent=indent)
