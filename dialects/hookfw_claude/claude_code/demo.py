"""What `hookfw demo` shows of Claude Code: a folder that was accepted, gates and advice of the person and the project, a switch."""

from __future__ import annotations

import json
from typing import Any

from hookfw import DemoInfo

_NO_RECURSIVE_DELETE = 'echo "Recursive deletion is off here; move it to the trash instead." >&2; exit 2'
_QUIET_TESTS = """\
printf '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "pytest -q"}}}'"""
_RUN_THE_TESTS = """\
if grep -q '"stop_hook_active":false'; then printf '{"decision": "block", \
"reason": "Run the tests before you stop."}'; fi"""
_VARIABLE = "echo 'export TESTS=offline' >> \"$CLAUDE_ENV_FILE\"; echo Tests of this project run offline."
_LOG = "cat >> calls.jsonl"


def _group(command: str, matcher: str | None = None, **fields: Any) -> dict[str, Any]:
    group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
    return group | {"hooks": [{"type": "command", "command": command, **fields}]}


_OWN = {
    "PreToolUse": [_group(_NO_RECURSIVE_DELETE, "Bash", **{"if": "Bash(rm -rf *)"})],
    "Stop": [_group(_RUN_THE_TESTS)],
}
_PROJECT = {
    "SessionStart": [_group(_VARIABLE, "startup|resume")],
    "PreToolUse": [
        _group(_QUIET_TESTS, "Bash", **{"if": "Bash(pytest *)"}),
        _group("exit 1", "Write", onFailure="block"),
    ],
    "PostToolUse": [_group(_LOG, "Bash|Edit|Write", **{"async": True})],
}
_CALL = {"tool_name": "Bash", "permission_mode": "default"}

DEMO = DemoInfo(
    dialect="claude-code",
    files={
        "home/.claude/settings.json": json.dumps({"hooks": _OWN}, indent=2) + "\n",
        "home/.claude.json": json.dumps({"projects": {"{WORKSPACE}": {"hasTrustDialogAccepted": True}}}, indent=2)
        + "\n",
        "workspace/.claude/settings.json": json.dumps({"hooks": _PROJECT}, indent=2) + "\n",
    },
    steps=(
        ("A session starts; the project adds context and a variable", "session_start", {"source": "startup"}),
        (
            "A command inside another is found, and the call is denied",
            "pre_tool_use",
            {**_CALL, "tool_input": {"command": "cd build && rm -rf ."}, "tool_use_id": "toolu_1"},
        ),
        (
            "A call is rewritten; the person's own rules judge the new one",
            "pre_tool_use",
            {**_CALL, "tool_input": {"command": "pytest"}, "tool_use_id": "toolu_2"},
        ),
        (
            "A gate that fails blocks, because it says so",
            "pre_tool_use",
            {
                "tool_name": "Write",
                "tool_input": {"file_path": "notes.txt", "content": "x"},
                "tool_use_id": "toolu_3",
                "permission_mode": "default",
            },
        ),
        (
            "A hook in the background logs what was done",
            "post_tool_use",
            {**_CALL, "tool_input": {"command": "ls"}, "tool_use_id": "toolu_4", "tool_response": {"stdout": ""}},
        ),
        ("The turn must not end yet", "stop", {"stop_hook_active": False}),
        ("Now it may", "stop", {"stop_hook_active": True}),
    ),
)
"""The demonstration of this dialect."""
