"""
Checks: what is wrong or risky about what is configured, as far as it can be told without running anything.

Each module holds one kind. A check takes a `Checkup` and gives diagnostics, each with its remedy; it reads files through
the view of the checkup and nothing else. What the dialects found while loading is not found again here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hookfw.checks import calls, consent, overlaps, places, reach, scripts, timing
from hookfw.redaction import without_written_secrets

if TYPE_CHECKING:
    from hookfw.checks.checkup import Checkup
    from hookfw.diagnostics import Diagnostic, Severity

_CHECKS: Sequence[Callable[[Checkup], Iterable[Diagnostic]]] = (
    places.check,
    consent.check,
    reach.check,
    scripts.check,
    calls.check,
    timing.check,
    overlaps.check,
)
_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}


class Health(NamedTuple):
    """
    What the checks came to.

    Attributes:
        findings: errors, then warnings, then what is good to know; each kind in the order in which it was found.
    """

    findings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Nothing is an error; warnings may be left."""
        return not self.count("error")

    def count(self, severity: Severity) -> int:
        """How many findings there are of one severity."""
        return sum(item.severity == severity for item in self.findings)


def examine(checkup: Checkup) -> Health:
    """Every finding of loading and of the checks, worst first, equal ones once; no secret that a file holds is in them."""
    replaced = {overlaps.LOADED}
    found = [item for item in checkup.known if item.code not in replaced]
    for check in _CHECKS:
        found += check(checkup)
    shown = (_without_secrets(item) for item in found)
    return Health(tuple(sorted(dict.fromkeys(shown), key=lambda item: _RANK[item.severity])))


def _without_secrets(item: Diagnostic) -> Diagnostic:
    entry, hook = (told and without_written_secrets(told) for told in (item.entry, item.hook))
    return item._replace(message=without_written_secrets(item.message), entry=entry, hook=hook)
