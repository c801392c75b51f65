"""Made events: plausible fields of each canonical event, for trying a hook without an agent."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_BASE: Mapping[str, Any] = MappingProxyType(
    {"session_id": "sess_00000000", "model": "example-model", "mode": "Agent", "total_tokens": 1200}
)
_CALL: Mapping[str, Any] = MappingProxyType(
    {"tool_name": "Bash", "tool_input": {"command": "echo hello"}, "tool_use_id": "call_1"}
)
_RESULT: Mapping[str, Any] = MappingProxyType({"tool_response": "hello\n", "tool_success": True, "tool_exit_code": 0})
_FAILURE: Mapping[str, Any] = MappingProxyType(
    {"tool_response": "", "tool_success": False, "tool_exit_code": 1, "error": "exit status 1"}
)

_FIELDS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "session_start": {"source": "startup"},
        "session_end": {"reason": "other"},
        "setup": {"trigger": "init"},
        "session_idle": {"from_state": "in_progress", "to_state": "idle", "last_turn_status": "completed"},
        "session_busy": {"from_state": "idle", "to_state": "in_progress"},
        "waiting_for_user": {"from_state": "in_progress", "to_state": "waiting", "reason": "approval"},
        "session_error": {"status": "failed", "error": "the model did not answer"},
        "turn_end": {"status": "completed", "turn_id": "turn_1", "duration_ms": 1500, "tool_count": 1},
        "stop": {"stop_hook_active": False, "last_assistant_message": "Done."},
        "pre_compact": {"trigger": "manual"},
        "post_compact": {"trigger": "manual", "compact_summary": "What was said so far."},
        "user_prompt_submit": {"prompt": "Say hello."},
        "user_prompt_expansion": {"prompt": "/greet", "command_name": "greet"},
        "message_display": {"message": "Hello.", "final": True},
        "post_model_request": {"status": "completed"},
        "pre_model_switch": {"from_model": "example-model", "to_model": "other-model"},
        "post_model_switch": {"from_model": "example-model", "to_model": "other-model"},
        "notification": {"notification_type": "idle_prompt", "message": "Waiting for your input."},
        "elicitation": {"mcp_server_name": "example", "message": "Which one?"},
        "elicitation_result": {"mcp_server_name": "example", "action": "accept", "content": {}},
        "pre_tool_use": _CALL,
        "permission_request": _CALL,
        "permission_denied": {**_CALL, "reason": "not permitted"},
        "post_tool_use": {**_CALL, **_RESULT},
        "post_tool_use_failure": {**_CALL, **_FAILURE},
        "post_tool_batch": {"tool_calls": [{**_CALL, **_RESULT}]},
        "shell_env": _CALL,
        "error": {**_CALL, **_FAILURE},
        "subagent_start": {"agent_id": "agent_1", "agent_type": "general", "prompt": "Say hello."},
        "subagent_stop": {"agent_id": "agent_1", "agent_type": "general", "result": "Hello.", "status": "completed"},
        "task_created": {"task_id": "task_1", "task_subject": "Say hello"},
        "task_completed": {"task_id": "task_1", "task_subject": "Say hello"},
        "teammate_idle": {"teammate_name": "example", "team_name": "team"},
        "mode_change": {"previous_mode": "Plan"},
        "instructions_loaded": {"file_path": "AGENTS.md"},
        "config_change": {"source": "user_settings"},
        "cwd_changed": {"old_cwd": "/", "new_cwd": "/srv"},
        "directory_added": {"directory": "/srv"},
        "file_changed": {"file_path": "README.md"},
        "worktree_create": {"name": "example"},
        "worktree_remove": {"worktree_path": "/srv/example"},
    }
)


def sample_fields(kind: str) -> dict[str, Any]:
    """Fields of a made event of this canonical kind."""
    return {**_BASE, **_FIELDS.get(kind, {})}
