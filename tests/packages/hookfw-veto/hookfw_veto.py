"""A third party's plugin: a Python handler that denies removing everything."""

from __future__ import annotations

from hookfw import Effect, PreToolUse, hookimpl


@hookimpl
def pre_tool_use(event: PreToolUse) -> Effect | None:
    """Deny `rm -rf`; say nothing about anything else."""
    if event.tool_name == "Bash" and "rm -rf" in (event.tool_input or {}).get("command", ""):
        return Effect(decision="deny", reason="the veto package says no")
    return None
