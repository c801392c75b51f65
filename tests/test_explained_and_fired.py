"""What `explain` says of a configuration of six ecosystems, and what a firing then does."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from ecosystems import ORDER

from hookfw import (
    PermissionRequest,
    PostToolUse,
    PreToolUse,
    SessionStart,
    Stop,
    UserPromptSubmit,
    open_sync,
)

FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "deepagents": ".deepagents/hooks.json",
    "mind": ".mind/hooks.json",
}
NAMES = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop", "PermissionRequest")
LISTED = ("tool_call_before", "tool_call_after", "session_start", "turn_end", "message_submit")
COMMANDS = (
    "true",
    "echo hi",
    "exit 1",
    "exit 2",
    """echo '{"continue": false}'""",
    """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'""",
    """echo '{"updated_input": {"command": "x"}}'""",
    """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
    "updatedInput": {"command": "y"}}}'""",
)
CALL = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
EVENTS = (
    PreToolUse(**CALL),
    PreToolUse(tool_name="Edit", tool_input={"file_path": "/a", "old_string": "a", "new_string": "b"}),
    PostToolUse(**CALL, tool_response="x"),
    PostToolUse(**CALL, tool_response="x", tool_success=False),
    UserPromptSubmit(prompt="hi"),
    SessionStart(source="startup"),
    Stop(),
    PermissionRequest(**CALL),
)
UNLESS = ", unless another hook rewrites the event before"


def handler(dice, dialect):
    made = {"type": "command", "command": dice.choice(COMMANDS)}
    if dice.random() < 0.3:
        made["timeout"] = dice.choice([5, 10])
    if dice.random() < 0.2 and dialect != "deepagents":
        made["async"] = True
    if dice.random() < 0.1 and dialect == "claude-code":
        made["if"] = dice.choice(["Bash(ls*)", "Read", "Bash"])
    if dice.random() < 0.1:
        made |= {"type": "unknown"} if dialect == "mind" else {"type": "prompt", "prompt": "x"}
    return made


def groups(dice, dialect):
    matchers = ["", "*", "Bash", "Bash|Read", "^B", "Edit", "bash", "startup"]
    return {
        name: [
            {"matcher": dice.choice(matchers), "hooks": [handler(dice, dialect) for _ in range(dice.randint(1, 3))]}
            for _ in range(dice.randint(1, 3))
        ]
        for name in dice.sample(NAMES, dice.randint(1, 4))
    }


def configure(dice, home, workspace):
    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    for dialect, file in FILES.items():
        for folder, often in ((home, 0.8), (workspace, 0.4)):
            if dice.random() < often:
                write(folder / file, json.dumps({"hooks": groups(dice, dialect)}))
    entries = [
        f"[[hooks.hooks]]\nevent = '{dice.choice(LISTED)}'\ncommand = {json.dumps(dice.choice(COMMANDS))}\n"
        for _ in range(dice.randint(0, 4))
    ]
    write(home / ".codewhale" / "config.toml", "".join(entries))
    flat = {
        name: [{"command": dice.choice(COMMANDS), "matcher": dice.choice(["Bash", "bash", "*"])} for _ in range(2)]
        for name in dice.sample(["PreToolUse", "PostToolUse", "SessionStart", "Stop"], 2)
    }
    write(home / ".wuu" / "config.json", json.dumps({"hooks": flat}))


@pytest.mark.parametrize("seed", range(24))
def test_what_would_run_runs_and_what_is_skipped_is_skipped_for_the_reason_that_was_given(home, workspace, seed):
    dice = random.Random(seed)
    configure(dice, home, workspace)
    trust = dice.choice(["all", "stored"])
    with open_sync(home=home, workspace=workspace, trust=trust, dialects=ORDER) as hooks:
        for event in EVENTS:
            explained = hooks.explain(event)
            fired = hooks.fire(event)
            check(explained, fired)


def check(explained, fired):
    would = [
        (item.hook.dialect, item.hook.name)
        for item in explained.hooks
        if item.standing in ("runs", "background", "fails")
    ]
    ran = [(run.dialect, run.name) for run in fired.runs]
    # That an earlier hook ends its row only a run can tell.
    ended = [(item.dialect, item.name) for item in fired.skipped if item.reason.startswith("not started: ")]
    skipped = Counter(
        (item.dialect, item.name, item.reason.replace("command ran", "command runs"))
        for item in fired.skipped
        if not item.reason.startswith("not started: ")
    )
    said = Counter(
        (item.hook.dialect, item.hook.name, item.reason.removesuffix(UNLESS))
        for item in explained.hooks
        if item.standing == "skipped"
    )
    if fired.updated_input is not None:
        # What judged the old call may run again for the new one; nothing else may differ.
        again = said - skipped
        assert all(reason.startswith("duplicate: the same command runs for ") for _, _, reason in again)
        would += [(dialect, name) for dialect, name, _ in again.elements()]
        said -= again
    else:
        assert [each for each in would if each not in ended] == ran
    assert Counter(would) == Counter(ran) + Counter(ended)
    assert said == skipped
