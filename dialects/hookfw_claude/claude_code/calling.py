"""
The call of a handler: what is started, with which variables.

From the contract, "`command`" and "Environment". Of the client's variables those are set whose value is known here; what is
about its own process (its id, its messaging socket, who attends it) is not invented.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from hookfw import Kill, text
from hookfw_claude.claude_code import asking, sending, tool_calls
from hookfw_claude.claude_code.rules import (
    ENV_FILE,
    ENV_FILE_EVENTS,
    EVENTS,
    KILL_GRACE,
    OUTPUT_LIMIT,
)
from hookfw_claude.command import Launch

if TYPE_CHECKING:
    from hookfw import Hook, Invocation, Row, Session
    from hookfw_claude.claude_code.handlers import Handler

_KILL: Final = Kill(grace=KILL_GRACE)
_SHELL: Final = ("/bin/sh", "-c")
_POWERSHELL: Final = ("pwsh", "-NoProfile", "-Command")
_NOT_INHERITED: Final = (
    "OTEL_",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PLUGIN_DATA",
    "CLAUDE_PLUGIN_OPTION_",
    "CLAUDE_EFFORT",
    ENV_FILE,
)
"""How the variables begin that hooks do not inherit: the exporter's, and those that only some hooks are given, of another's."""
_ENTRYPOINT: Final = "sdk-cli"
"""As the client calls itself without a terminal."""
_USER_OPTION: Final = "${user_config."
_PLACEHOLDER: Final = re.compile(r"\$\{(user_config\.)?([A-Za-z_][A-Za-z0-9_]*)\}")


def invocation(row: Row, hook: Hook, session: Session) -> Invocation:
    """The call of `hook` for an event."""
    handler: Handler = hook.config
    variables = _variables(row, handler, session)
    launch = Launch(
        shell=_POWERSHELL if handler.powershell else _SHELL,
        kill=_KILL,
        stdout_cap=OUTPUT_LIMIT,
        stderr_cap=OUTPUT_LIMIT,
    )
    called = launch.invocation(
        _command(handler, variables) if handler.type == "command" else (),
        stdin=row.stdin,
        cwd=row.event.cwd or session.workspace,
        timeout=hook.timeout,
        env=variables,
        unset=[name for name in session.environ if name.startswith(_NOT_INHERITED)],
    )
    if handler.type != "command":
        return called._replace(config=_request(row, handler, session))
    return called._replace(
        folders=() if handler.plugin is None else (handler.plugin.data,),
        read_back={ENV_FILE: f"{hook.event.lower()}-hook.sh"} if hook.event in ENV_FILE_EVENTS else {},
        # With `onFailure: "block"` the client waits, whatever the first line says.
        detach_on=None if handler.failing(EVENTS[hook.event]) == "blocks" else goes_on_alone,
    )


def _request(row: Row, handler: Handler, session: Session) -> Any:
    """What a handler that is no command is asked; of a type that a plugin brings, its fields as they are written."""
    match handler.type:
        case "prompt" | "agent":
            return asking.request(row, handler, session.environ)
        case "http":
            return sending.request(handler, session.environ)
        case "mcp_tool":
            return tool_calls.tool_request(row, handler)
    return handler.fields


def goes_on_alone(first_line: str) -> bool:
    """A first line of standard output that sends a hook to the background: an object with `async: true`."""
    line = first_line.strip()
    if not line.startswith("{"):
        return False
    said = text.parse_json_object(line)
    return said is not None and said.get("async") is True


def refusal(handler: Handler) -> str | None:
    """Why a command is not started, for people; `None` when it is."""
    if handler.type != "command" or handler.plugin is None or _USER_OPTION not in handler.line:
        return None
    if "args" not in handler.fields:
        return (
            "was not started: `${user_config.…}` would be read by the shell; write `$CLAUDE_PLUGIN_OPTION_<KEY>`, or give "
            "the command as `args`"
        )
    words = [handler.fields["command"], *handler.fields["args"]]
    missing = [
        found[2]
        for word in words
        for found in _PLACEHOLDER.finditer(word)
        if found[1] and found[2] not in handler.plugin.options
    ]
    return f"was not started: its plugin's option `{missing[0]}` is not set" if missing else None


def _command(handler: Handler, variables: dict[str, str]) -> str | list[str]:
    """A line for the shell, or a program and its arguments with their placeholders filled in."""
    if refusal(handler) is not None:
        return []
    command: str = handler.fields["command"]
    args: list[str] | None = handler.fields.get("args")
    if args is None:
        return command
    options = {} if handler.plugin is None else handler.plugin.options
    known = {name: variables[name] for name in _FILLED if name in variables}

    def value(found: re.Match[str]) -> str:
        table: Any = options if found[1] else known
        return str(table.get(found[2], found[0]))

    return [_PLACEHOLDER.sub(value, word) for word in (command, *args)]


_FILLED: Final = ("CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA")


def _variables(row: Row, handler: Handler, session: Session) -> dict[str, str]:
    event = row.event
    variables = {
        "CLAUDE_PROJECT_DIR": event.workspace or session.workspace,
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": session.environ.get("CLAUDE_CODE_ENTRYPOINT") or _ENTRYPOINT,
        "CLAUDE_CODE_CHILD_SESSION": "1",
    }
    if event.session_id is not None:
        variables["CLAUDE_CODE_SESSION_ID"] = event.session_id
    if event.effort is not None and EVENTS[row.native_event].effort:
        variables["CLAUDE_EFFORT"] = event.effort
    return variables if handler.plugin is None else variables | handler.plugin.variables
