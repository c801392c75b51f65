"""
The tools of Codewhale, by canonical name.

The hooks document names the shell's three spellings and shows its `command`; of the file tools and the sub-agent only the
names are known, so a rewrite of their input passes unchanged.
"""

from __future__ import annotations

from hookfw import Field, Tool, ToolTable

_COMMAND = (Field("command", "command"),)

TOOLS = ToolTable(
    [
        Tool("bash", "Bash", _COMMAND),
        Tool("Bash", "Bash", _COMMAND),
        Tool("exec_shell", "Bash", _COMMAND),
        Tool("read", "Read"),
        Tool("write", "Write"),
        Tool("edit", "Edit"),
        Tool("agent", "Agent"),
    ]
)
