"""
The tools of Wuu, by canonical name.

The hooks document names the shell and its `command`; the other names and fields are those of the public source. An input of
the shell keeps what it has beside them (`cwd`, `purpose`, `scope`).
"""

from __future__ import annotations

from typing import Any

from hookfw import Field, Tool, ToolTable

_MILLISECONDS = 1000


def _seconds(milliseconds: Any) -> Any:
    """Whole seconds, rounded up, so that nothing gets less time; what is no number stays."""
    return -(-milliseconds // _MILLISECONDS) if type(milliseconds) is int else milliseconds


def _milliseconds(seconds: Any) -> Any:
    return seconds * _MILLISECONDS if type(seconds) is int else seconds


_PATH = Field("path", "file_path")

TOOLS = ToolTable(
    [
        Tool(
            "bash",
            "Bash",
            (
                Field("command", "command"),
                Field("timeout_seconds", "timeout", _milliseconds, _seconds),
                Field("run_in_background", "run_in_background"),
            ),
        ),
        Tool("read_file", "Read", (_PATH, Field("offset", "offset"), Field("limit", "limit"))),
        Tool("write_file", "Write", (_PATH, Field("content", "content"))),
        Tool(
            "edit_file",
            "Edit",
            (
                _PATH,
                Field("old_text", "old_string"),
                Field("new_text", "new_string"),
                Field("replace_all", "replace_all"),
            ),
        ),
        Tool("list_files", "LS", (Field("path", "path"),)),
        Tool("glob", "Glob", (Field("pattern", "pattern"), Field("path", "path"))),
        Tool(
            "grep",
            "Grep",
            (
                Field("pattern", "pattern"),
                Field("path", "path"),
                Field("include", "glob"),
                Field("output_mode", "output_mode"),
                Field("ignore_case", "-i"),
            ),
        ),
    ]
)
