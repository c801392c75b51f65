"""The files of six ecosystems, for tests that fire at all of them: one hook each, whatever its form."""

from __future__ import annotations

import json

ORDER = ("claude-code", "codewhale", "codex", "deepagents", "mind", "wuu")
"""As they fire where nobody names them."""

_GROUPS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "deepagents": ".deepagents/hooks.json",
    "mind": ".mind/hooks.json",
}
_NATIVE = {
    "codewhale": {"PreToolUse": "tool_call_before", "SessionStart": "session_start", "Stop": "turn_end"},
}


def write_hook(home, dialect, event, command):
    """Configure one command for an event, given by its name in the Claude-style family."""
    if dialect in _GROUPS:
        path = home / _GROUPS[dialect]
        text = json.dumps({"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}})
    elif dialect == "wuu":
        path = home / ".wuu" / "config.json"
        text = json.dumps({"hooks": {event: [{"command": command}]}})
    else:
        path = home / ".codewhale" / "config.toml"
        text = f"[[hooks.hooks]]\nname = 'hook'\nevent = '{_NATIVE[dialect][event]}'\ncommand = {json.dumps(command)}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def prints(document):
    """A command that prints a JSON document."""
    return f"echo '{json.dumps(document)}'"


def specific(**fields):
    """A command that answers as the Claude-style family does before a tool call."""
    return prints({"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}})


_DENIES = "echo no >&2; exit 2"
WORDS = {
    "claude-code": {
        "none": "true",
        "allow": specific(permissionDecision="allow", permissionDecisionReason="fine"),
        "ask": specific(permissionDecision="ask", permissionDecisionReason="sure?"),
        "defer": specific(permissionDecision="defer", permissionDecisionReason="later"),
        "deny": _DENIES,
        "stop": prints({"continue": False, "stopReason": "enough"}),
    },
    "codewhale": {"none": "true", "ask": prints({"decision": "ask", "reason": "sure?"}), "deny": _DENIES},
    "codex": {"none": "true", "deny": _DENIES},
    "deepagents": {
        "none": "true",
        "allow": specific(permissionDecision="allow", permissionDecisionReason="fine"),
        "ask": specific(permissionDecision="ask", permissionDecisionReason="sure?"),
        "deny": _DENIES,
        "stop": prints({"continue": False, "stopReason": "enough"}),
    },
    "mind": {"none": "true", "deny": _DENIES},
    "wuu": {"none": "true", "deny": _DENIES},
}
"""For each ecosystem the decisions that it knows before a tool call, with a command that makes it."""
