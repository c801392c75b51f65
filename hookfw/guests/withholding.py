"""Hooks that a supervisor lists and never starts, each with its reason: the plan of their dialect skips them."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from hookfw.dialect import Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw.dialect import Dialect, Row
    from hookfw.hooks import Hook


def withholding(dialect: Dialect, reasons: Mapping[Hook, str]) -> Dialect:
    """A `dialect` like the given one that skips the hooks of `reasons`, and knows no difference else."""
    kind = type(dialect)

    def plan(self: Any, row: Row, hooks: Sequence[Hook]) -> Sequence[Step]:
        steps = kind.plan(self, row, [hook for hook in hooks if hook not in reasons])
        return [*steps, *(Step(hook, "skip", reasons[hook]) for hook in hooks if hook in reasons)]

    made = copy(dialect)
    made.__class__ = type(kind.__name__, (kind,), {"plan": plan, "__doc__": kind.__doc__, "__slots__": ()})
    return made
