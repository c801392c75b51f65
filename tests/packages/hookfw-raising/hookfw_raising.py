"""A plugin that raises in everything it does."""

from __future__ import annotations

from hookfw import hookimpl


@hookimpl
def register_dialects() -> None:
    """Fail while registering."""
    raise RuntimeError("cannot register")


@hookimpl(tryfirst=True)
def pre_tool_use(event: object) -> None:
    """Fail while handling."""
    raise RuntimeError("cannot handle")


@hookimpl
def event_fired(event: object, outcome: object) -> None:
    """Fail while observing."""
    raise RuntimeError("cannot observe")
