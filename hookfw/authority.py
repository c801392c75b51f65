"""Authority: whether consent that was there at loading still stands when a hook is about to start."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookfw.sources import FileView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw.hooks import Hook, HookState
    from hookfw.loading import ActiveDialect
    from hookfw.sources import Places

Signature = tuple[tuple[str, int, int, int], ...]


class Authority:
    """
    Asks again, before each start of a hook that needed consent, whether the person has taken it back.

    Looking costs a `stat` of the person's own files; they are judged anew only when one of them changed. What was
    loaded stays what is judged: a project file that changed meanwhile neither gains nor loses anything.
    """

    __slots__ = ("_enforced", "_places", "_reviewed", "_states")

    def __init__(self, places: Places, *, enforced: bool) -> None:
        """`enforced`: false where every loaded hook counts as reviewed."""
        self._places = places
        self._enforced = enforced
        self._reviewed: dict[str, frozenset[Hook]] = {}
        self._states: dict[str, tuple[Signature, Mapping[Hook, HookState]]] = {}

    def holds(self, active: ActiveDialect, hook: Hook) -> bool:
        """Consent to `hook` stands; hooks that need none always hold."""
        if not self._enforced or hook not in self._needing_consent(active):
            return True
        signature = _signature(active)
        name = active.dialect.name
        known = self._states.get(name)
        if known is None:
            known = (signature, active.part.states)
        if known[0] != signature:
            known = (signature, self._judge(active))
        self._states[name] = known
        state = known[1].get(hook)
        return state is not None and state.runs

    def _needing_consent(self, active: ActiveDialect) -> frozenset[Hook]:
        name = active.dialect.name
        hooks = self._reviewed.get(name)
        if hooks is None:
            reviews = active.dialect.reviews(active.part.loaded, active.part.documents, self._places)
            hooks = self._reviewed[name] = frozenset(hook for review in reviews for hook in review.hooks)
        return hooks

    def _judge(self, active: ActiveDialect) -> Mapping[Hook, HookState]:
        """Today's consent to what was loaded then: the person's files as they are now, all others as they were."""
        files = FileView()
        now = [document for document in active.dialect.discover(self._places, files) if document.scope == "user"]
        then = [document for document in active.part.documents if document.scope != "user"]
        return active.dialect.judge(active.part.loaded, [*now, *then], self._places)


def _signature(active: ActiveDialect) -> Signature:
    found = []
    for document in active.part.documents:
        if document.scope == "user":
            try:
                status = os.stat(document.path)
            except OSError:
                found.append((document.path, 0, 0, 0))
            else:
                found.append((document.path, status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(found)
