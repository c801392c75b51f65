"""
Claude Code's own tools: canonical spelling is theirs, so nothing is converted.

From the contract, "Matchers": `Task`, the old name of `Agent`, still matches that tool, and the payload says `Agent`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hookfw import Field, Tool, ToolTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

AGENT: Final = "Agent"
OLD_AGENT: Final = "Task"


def _tool(name: str, fields: Iterable[str], canonical: str | None = None) -> Tool:
    return Tool(name, canonical or name, tuple(Field(field, field) for field in fields))


_AGENT_FIELDS: Final = ("description", "prompt", "subagent_type", "run_in_background")
TABLE: Final = ToolTable(
    (
        _tool("Bash", ("command", "description", "timeout", "run_in_background")),
        _tool("Read", ("file_path", "offset", "limit")),
        _tool("Write", ("file_path", "content")),
        _tool("Edit", ("file_path", "old_string", "new_string", "replace_all")),
        _tool("MultiEdit", ("file_path", "edits")),
        _tool("NotebookEdit", ("notebook_path", "new_source")),
        _tool("Glob", ("pattern", "path")),
        _tool("Grep", ("pattern", "path", "glob")),
        _tool("LS", ("path",)),
        _tool("WebFetch", ("url", "prompt")),
        _tool("WebSearch", ("query",)),
        _tool(AGENT, _AGENT_FIELDS),
        _tool(OLD_AGENT, _AGENT_FIELDS, AGENT),
    ),
    speaks_canonical=True,
)
"""Every tool as itself; a name that is not here passes unchanged too."""

_TARGETS: Final = {
    "Bash": "command",
    AGENT: "subagent_type",
    "NotebookEdit": "notebook_path",
} | dict.fromkeys(("Edit", "MultiEdit", "Read", "Write"), "file_path")


def canonical_name(name: str) -> str:
    """The name in the payload."""
    return AGENT if name == OLD_AGENT else name


def candidates(name: str) -> tuple[str, ...]:
    """What a matcher is compared with for a call of this tool."""
    return (AGENT, OLD_AGENT) if name in (AGENT, OLD_AGENT) else (name,)


def target_of(name: str, given: Any) -> str:
    """The text of a call that permission rules speak of; empty where there is none."""
    field = _TARGETS.get(canonical_name(name))
    fields: Mapping[str, Any] = given if isinstance(given, dict) else {}
    value = fields.get(field) if field is not None else None
    return value if isinstance(value, str) else ""
