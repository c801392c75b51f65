"""Reach: hooks that no call of a known tool can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookfw.text import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookfw.checks.checkup import Checkup, Examined
    from hookfw.diagnostics import Diagnostic
    from hookfw.hooks import Hook

KNOWN_TOOLS: Final = (
    *(
        "Bash",
        "BashOutput",
        "KillShell",
        "Read",
        "Write",
        "Edit",
        "MultiEdit",
        "NotebookEdit",
        "Glob",
        "Grep",
        "LS",
        "Agent",
    ),
    *("Task", "WebFetch", "WebSearch", "TodoWrite", "ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "Skill"),
    *("SlashCommand", "TaskCreate", "TaskUpdate", "ListMcpResourcesTool", "ReadMcpResourceTool", "LSP", "ToolSearch"),
    *("apply_patch", "update_plan", "view_image", "web_search", "write_todos", "task", "fetch_url", "http_request"),
    *("read_file", "write_file", "edit_file", "patch_file", "list_dir", "grep_files", "agent_open", "agent_result"),
    *("exec_shell", "task_shell_start", "shell_command", "exec_command", "write_stdin", "spawn_agent", "execute"),
)
"""Names of tools beside those that dialects declare."""

PROBE: Final = "zz_no_tool"
"""A tool that nobody has: what a hook says of it, it says of every tool that it does not mean."""

TOOL_EVENTS: Final = (
    "pre_tool_use",
    "permission_request",
    "permission_denied",
    "post_tool_use",
    "post_tool_use_failure",
)
"""The canonical events about one tool call."""


def check(checkup: Checkup) -> Iterator[Diagnostic]:
    """Hooks on tool calls that apply to no known tool, because of the name alone and whatever else the call holds."""
    reasons: dict[Hook, dict[str, str]] = {}
    reached: set[Hook] = set()
    for tool, explained in checkup.tools:
        for each in explained.hooks:
            if each.standing != "unmatched":
                reached.add(each.hook)
            elif each.cause == "matcher":
                reasons.setdefault(each.hook, {})[tool] = each.reason
    for item in checkup.hooks:
        said = reasons.get(item.hook)
        if item.hook not in reached and said is not None and _by_name_alone(said) and "mcp" not in item.hook.matcher:
            yield _unreached(item)


def _by_name_alone(said: dict[str, str]) -> bool:
    """Every reason begins as the one for a tool that nobody has, up to the name of the tool."""
    probe = said.get(PROBE, "")
    begins, named, _ = probe.partition(PROBE)
    return bool(named) and all(reason.startswith(begins) for reason in said.values())


def _unreached(item: Examined) -> Diagnostic:
    keys = sorted(item.hook.keys or ())
    own = () if item.dialect.tools is None else item.dialect.tools.native_names
    names = [*own, *KNOWN_TOOLS]
    close = next((found for key in keys if (found := _meant(key, names)) is not None), None)
    meant = f"did you mean {close!r}?" if close else "correct it, unless a tool of a plugin has that name"
    return item.found(
        "matches-no-tool",
        "warning",
        f"matches no tool that is known here, by {item.hook.matcher!r}, so it may never run: {meant}",
    )


def _meant(key: str, names: list[str]) -> str | None:
    """The tool that was probably meant: one that is spelled alike but for capitals, or nearly so."""
    lowered = {name.lower(): name for name in names}
    return lowered.get(key.lower()) or closest(key, names)
