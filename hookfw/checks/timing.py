"""Timeouts that look like another unit, and hooks that are cut when their session ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw.text import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw.checks.checkup import Checkup
    from hookfw.diagnostics import Diagnostic

LONG = 3600.0
"""Seconds beyond which a timeout was probably meant in milliseconds."""
SHORT = 1.0
"""Seconds below which hardly a program starts and answers."""


def check(checkup: Checkup) -> Iterator[Diagnostic]:
    """Timeouts, as they will apply."""
    for item in checkup.hooks:
        hook = item.hook
        told = f"{seconds(hook.timeout)} seconds"
        if hook.timeout > LONG and not checkup.said_at_load(hook, "timeout"):
            what = f"may take {told}; timeouts are in seconds, so divide by 1,000 if milliseconds were meant"
            yield item.found("long-timeout", "warning", what)
        elif hook.timeout < SHORT and not checkup.said_at_load(hook, "timeout"):
            what = f"is ended after {told}, in which hardly a program starts; give it a second or more"
            yield item.found("short-timeout", "warning", what)
        grace = item.dialect.background.grace
        if item.kind == "session_end" and hook.background and grace is not None and hook.timeout > grace:
            what = (
                f"runs in the background at the end of a session, where it is ended after {seconds(grace)} seconds whatever its "
                "timeout is; let it run in the foreground"
            )
            yield item.found("cut-at-the-end", "warning", what)
