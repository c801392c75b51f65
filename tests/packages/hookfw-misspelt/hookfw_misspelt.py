"""A plugin with a misspelt hook beside a good one."""

from __future__ import annotations

from hookfw import Effect, hookimpl


@hookimpl
def pre_tool_usage(event: object) -> None:
    """No hook has this name."""


@hookimpl
def session_start(event: object) -> Effect:
    """This one is a hook."""
    return Effect(context=("still here",))
