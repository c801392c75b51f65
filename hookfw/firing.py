"""One firing: Python handlers, then the dialects, to one outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hookfw.diagnostics import Diagnostic
from hookfw.dialect_firing import DialectFiring
from hookfw.merge import CHAINED, merge
from hookfw.python_handlers import fire_python
from hookfw.sharing import SharedRuns, key_of

if TYPE_CHECKING:
    from hookfw.base_supervisor import BaseSupervisor
    from hookfw.dialect_firing import Rows
    from hookfw.drivers.driver import Driver
    from hookfw.events import Event
    from hookfw.loading import ActiveDialect
    from hookfw.outcome import Outcome, Run, Skipped, Verdict

Selected = Sequence[tuple["ActiveDialect", "Rows"]]
"""The dialects that may take part, in firing order, with the rows of the event as it was given."""


class Firing:
    """
    The state of one firing, while it lasts.

    Where an event can be rewritten, dialects fire one after another, each with the event as the ones before it made it. Of
    all other events none has anything to wait for, so they fire side by side. Verdicts, runs and skipped hooks stay in the
    order of the dialects.
    """

    __slots__ = ("_driver", "_event", "_fired", "_notes", "_shared", "_supervisor")

    def __init__(self, supervisor: BaseSupervisor, driver: Driver, event: Event) -> None:
        self._supervisor = supervisor
        self._driver = driver
        self._event = event
        self._notes: list[Diagnostic] = []
        self._shared = SharedRuns(supervisor.shared_keys)
        self._fired: dict[int, tuple[DialectFiring, Verdict]] = {}

    async def fire(self, selected: Selected) -> Outcome:
        """Fire the Python handlers, then the dialects, and merge their verdicts."""
        supervisor, event = self._supervisor, self._event
        heard: list[Verdict] = []
        runs: list[Run] = []
        if event.kind in supervisor.python_kinds:
            verdict, runs = await fire_python(supervisor, self._driver, event)
            if not selected:
                return merge((verdict,), runs)
            heard.append(verdict)
            event = _rewritten(event, verdict)
        if len(selected) == 1 or event.kind in CHAINED:
            await self._in_order(range(len(selected)), selected, event)
        else:
            await self._driver.gather([self._in_order(lane, selected, event) for lane in self._lanes(selected)])
        skipped: list[Skipped] = []
        notes = self._notes
        for _, (part, verdict) in sorted(self._fired.items()):
            heard.append(self._shared.heard_once(verdict, heard))
            runs += part.runs
            skipped += part.skipped
            notes += part.diagnostics
        outcome = merge(heard, runs, skipped)
        return replace(outcome, diagnostics=(*notes, *outcome.diagnostics)) if notes else outcome

    async def _in_order(self, lane: Sequence[int], selected: Selected, event: Event) -> None:
        """
        Fire some of the dialects one after another; each sees what the ones before it made of the event.

        An event that was rewritten is matched anew: it may concern hooks that the first one did not, and the other way round.
        """
        for at in lane:
            active, rows = selected[at]
            if event is not self._event:
                rows = self._supervisor.select(active, event)
            if not rows:
                continue
            part = DialectFiring(self._supervisor, self._driver, active, self._shared)
            verdict = await part.fire(event, rows)
            self._shared.rewritten(verdict)
            verdict = self._spelled_back(active, event, rows, verdict)
            self._fired[at] = part, verdict
            if event.kind in CHAINED:
                event = _rewritten(event, verdict)

    def _lanes(self, selected: Selected) -> list[list[int]]:
        """The dialects by their places: those that have a command in common one after another, the others by themselves."""
        keys = self._supervisor.shared_keys
        lanes: list[list[int]] = []
        sharing: list[int] = []
        for at, (active, rows) in enumerate(selected):
            if keys and any(key_of(active.dialect, hook) in keys for _, found in rows for hook in found.hooks):
                sharing.append(at)
            else:
                lanes.append([at])
        return [sharing, *lanes] if sharing else lanes

    def _spelled_back(self, active: ActiveDialect, event: Event, rows: Rows, verdict: Verdict) -> Verdict:
        """A rewrite in the names and fields in which the event was given; where only names are known, as it is."""
        if verdict.updated_input is None:
            return verdict
        name, spoken = getattr(event, "tool_name", None), getattr(rows[0][0].event, "tool_name", None)
        if name is None or spoken is None or spoken == name:
            return verdict
        updated, complete = self._supervisor.translator(active, name).back(spoken, verdict.updated_input, name)
        if not complete:
            self._notes.append(
                Diagnostic(
                    "rewrite-unconverted",
                    "warning",
                    f"The rewrite of {active.dialect.name} is in its own fields of {spoken}: their names in {name} are not "
                    "known, so look at it before you use it.",
                )
            )
        return replace(verdict, updated_input=updated)


def _rewritten(event: Event, verdict: Verdict) -> Event:
    """The event as the next dialect sees it."""
    fields: dict[str, Any] = {}
    if verdict.updated_input is not None and "tool_input" in type(event).model_fields:
        fields["tool_input"] = verdict.updated_input
    if verdict.prompt is not None and "prompt" in type(event).model_fields:
        fields["prompt"] = verdict.prompt
    return event.replace(**fields) if fields else event
