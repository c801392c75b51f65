"""What a supervisor knows of consent: what a person can review, and the edits that approve, revoke and switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw.errors import TrustError
from hookfw.scripts import edits_for
from hookfw.sources import FileView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.dialect import Review
    from hookfw.hooks import Hook
    from hookfw.host import Host
    from hookfw.loading import ActiveDialect
    from hookfw.sources import Places


class Consent:
    """The part of a supervisor that is about consent. What is recorded holds for the next session."""

    host: Host
    _active: Sequence[ActiveDialect]
    _places: Places

    def reviews(self) -> list[Review]:
        """Everything here that a person can consent to, with today's state."""
        return [
            review
            for active in self._active
            for review in active.dialect.reviews(active.part.loaded, active.part.documents, self._places)
        ]

    def approve(self, review: Review) -> None:
        """Record consent where the ecosystem keeps it; it holds for the next session. Raises `TrustError`."""
        from hookfw import trust  # noqa: PLC0415 - edits need a slow library, firings never do

        edits = self.host.dialect(review.dialect).approve(review, self._places)
        trust.record([*edits, *edits_for(review, self._places, FileView())])

    def revoke(self, review: Review) -> None:
        """Take consent back; queued and later runs do not start. Raises `TrustError`."""
        from hookfw import trust  # noqa: PLC0415 - edits need a slow library, firings never do

        trust.record(self.host.dialect(review.dialect).revoke(review, self._places))

    def enable(self, hook: Hook, *, enabled: bool) -> None:
        """Switch one hook on or off where its ecosystem keeps that; consent is untouched. Raises `TrustError`."""
        from hookfw import trust  # noqa: PLC0415 - edits need a slow library, firings never do

        edits = self.host.dialect(hook.dialect).enable(hook, self._places, enabled=enabled)
        if not edits:
            message = f"{hook.dialect} has no switch for a single hook: take {hook.name!r} out of {hook.source.path}."
            raise TrustError(message)
        trust.record(edits)
