"""What `hookfw demo` shows of Deep Agents Code: a home with six handlers, a project with one, and a short session."""

from __future__ import annotations

from hookfw import DemoInfo

_HOOKS = """\
{
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup|resume",
        "hooks": [{"type": "command", "command": "echo 'Sprint goal: ship the importer.'"}]
      }
    ],
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {"type": "command", "command": "{HOME}/hooks/no-recursive-delete.sh"},
          {"type": "command", "command": "echo note >> {HOME}/calls.log", "statusMessage": "Writing the log"}
        ]
      }
    ],
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [{"type": "command", "command": "echo 'Format the file before you go on.' >&2; exit 2"}]
      },
      {
        "matcher": "Bash",
        "hooks": [{"type": "command", "command": "sleep 60", "timeout": 1}]
      }
    ],
    "Stop": [
      {
        "hooks": [
          {"type": "command", "command": "printf '%s' '{\\"decision\\": \\"block\\", \\"reason\\": \\"Run the tests.\\"}'"}
        ]
      }
    ]
  }
}
"""

_NO_RECURSIVE_DELETE = """\
#!/bin/sh
# The payload is JSON on standard input; exit status 2 denies, with standard error for the reason.
if grep -q 'rm -rf'; then
  echo 'Recursive deletes are not allowed here.' >&2
  exit 2
fi
"""

_PROJECT = """\
{
  "hooks": {
    "PreToolUse": [{"hooks": [{"type": "command", "command": "echo 'Never runs: nobody trusted this project.' >&2; exit 2"}]}]
  }
}
"""

DEMO = DemoInfo(
    dialect="deepagents",
    files={
        "home/.deepagents/hooks.json": _HOOKS,
        "home/hooks/no-recursive-delete.sh": _NO_RECURSIVE_DELETE,
        "workspace/.deepagents/hooks.json": _PROJECT,
    },
    steps=(
        ("A session starts, and a hook tells the model what it is about", "session_start", {"source": "startup"}),
        (
            "The agent wants to delete a folder",
            "pre_tool_use",
            {"tool_name": "execute", "tool_input": {"command": "rm -rf build"}, "tool_use_id": "call_1"},
        ),
        (
            "A harmless call goes ahead",
            "pre_tool_use",
            {"tool_name": "execute", "tool_input": {"command": "pytest -q"}, "tool_use_id": "call_2"},
        ),
        (
            "After an edit the model gets feedback",
            "post_tool_use",
            {
                "tool_name": "edit_file",
                "tool_input": {"file_path": "a.py", "old_string": "a", "new_string": "b"},
                "tool_use_id": "call_3",
                "tool_response": "Updated a.py",
            },
        ),
        (
            "A hook that hangs is ended at its timeout",
            "post_tool_use",
            {
                "tool_name": "execute",
                "tool_input": {"command": "pytest -q"},
                "tool_use_id": "call_2",
                "tool_response": "3 passed",
            },
        ),
        ("The turn wants to end, and a hook keeps it going", "stop", {"last_assistant_message": "Done."}),
    ),
)
"""The demonstration of this dialect."""
