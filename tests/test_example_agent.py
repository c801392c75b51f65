from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hookfw import Host

AGENT = Path(__file__).parent.parent / "docs" / "examples" / "agent.py"
VETO = 'if grep -q "rm -rf"; then echo "use the bin" >&2; exit 2; fi'
CONTEXT = "echo Sprint goal: greet everybody."
REWRITE = """if grep -q '"sh greet.sh"'; then printf '%s' '{"hookSpecificOutput": {"hookEventName": "PreToolUse", \
"permissionDecision": "allow", "updatedInput": {"command": "sh greet.sh | tr a-z A-Z"}}}'; fi"""
STOP = """if grep -q '"stop_hook_active": *false'; then echo "Run the tests." >&2; exit 2; fi"""
FORMATTER = "sed -i 's/ *$//' greet.sh"
WUU_REWRITE = (
    """if grep -q '"sh greet.sh"'; then printf '%s' '{"updated_input": {"command": "sh greet.sh | tr a-z A-Z"}}'; fi"""
)


def claude_style(**tasks):
    """A file of the Claude-style family with hooks for some of the five tasks."""
    places = {
        "veto": ("PreToolUse", "Bash", VETO),
        "context": ("SessionStart", None, CONTEXT),
        "rewrite": ("PreToolUse", "Bash", REWRITE),
        "stop": ("Stop", None, STOP),
        "formatter": ("PostToolUse", "Write", FORMATTER),
    }
    hooks = {}
    for task in tasks:
        event, matcher, command = places[task]
        group = {} if matcher is None else {"matcher": matcher}
        hooks.setdefault(event, []).append(group | {"hooks": [{"type": "command", "command": command}]})
    return json.dumps({"hooks": hooks})


def wuu(**tasks):
    places = {
        "veto": ("PreToolUse", "bash", VETO),
        "rewrite": ("PreToolUse", "bash", WUU_REWRITE),
        "formatter": ("PostToolUse", "", FORMATTER),
        "mark": ("PostToolUse", "", "touch marked"),
    }
    hooks = {}
    for task in tasks:
        event, matcher, command = places[task]
        hooks.setdefault(event, []).append({"matcher": matcher, "type": "command", "command": command})
    return json.dumps({"hooks": hooks})


def codewhale(**tasks):
    rewrite = """case "$DEEPSEEK_TOOL_ARGS" in *'"sh greet.sh"'*) printf '%s' '{"updatedInput": {"command": "sh greet.sh | tr a-z A-Z"}}';; esac"""
    places = {
        "veto": (
            "tool_call_before",
            """case "$DEEPSEEK_TOOL_ARGS" in *"rm -rf"*) printf '{"decision": "deny", "reason": "use the bin"}';; esac""",
        ),
        "context": ("message_submit", """printf '{"text": "%s Sprint goal: greet everybody."}' "$DEEPSEEK_MESSAGE" """),
        "rewrite": ("tool_call_before", rewrite),
        "formatter": ("tool_call_after", f"test ! -e greet.sh || {FORMATTER}"),
    }
    return "".join(
        f"[[hooks.hooks]]\nname = '{task}'\nevent = '{places[task][0]}'\ncommand = '''{places[task][1]}'''\n"
        for task in tasks
    )


PLACES = {
    "claude-code": (".claude/settings.json", claude_style),
    "codewhale": (".codewhale/config.toml", codewhale),
    "codex": (".codex/hooks.json", claude_style),
    "deepagents": (".deepagents/hooks.json", claude_style),
    "mind": (".mind/hooks.json", claude_style),
    "wuu": (".wuu/config.json", wuu),
}
ALL = ("veto", "context", "rewrite", "stop", "formatter")
CANNOT = {
    "codewhale": {"stop"},
    "deepagents": {"rewrite"},
    "wuu": {"context", "stop"},
}  # its contract has no word for it


@pytest.fixture
def write(home):
    def write_hooks(dialect, *tasks):
        path, made = PLACES[dialect]
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(made(**dict.fromkeys(tasks)))

    return write_hooks


def run(home, workspace, *options, person="y\ny\ny\n"):
    ended = subprocess.run(
        [sys.executable, AGENT, "--home", home, "--workspace", workspace, "--trust", "all", *options],
        input=person,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def check(said, workspace, tasks):
    """Each of the tasks left its mark in the conversation, or in the file; without its hook it did not."""
    assert ("tool: This call was refused: use the bin" in said) == ("veto" in tasks)
    assert ("Sprint goal: greet everybody." in said) == ("context" in tasks)
    assert ("HELLO" in said) == ("rewrite" in tasks)
    assert said.count("hooks: Run the tests.") == ("stop" in tasks)
    assert said.endswith("the tests pass.\n" if "stop" in tasks else "It works.\n")
    assert (workspace / "greet.sh").read_text() == ("echo hello\n" if "formatter" in tasks else "echo hello   \n")


@pytest.mark.parametrize("mode", sorted(Host.load().agents))
def test_in_every_mode_the_agent_hears_hooks_of_every_ecosystem(mode, write, home, workspace):
    write("codewhale", "veto")
    write("deepagents", "context")
    write("codex", "rewrite")
    write("claude-code", "stop")
    write("mind", "formatter")
    write("wuu", "mark")
    check(run(home, workspace, "--mode", mode), workspace, ALL)
    assert (workspace / "marked").exists()


def test_a_mode_that_is_not_installed_is_said_without_a_traceback(home, workspace):
    ended = subprocess.run(
        [sys.executable, AGENT, "--home", home, "--workspace", workspace, "--mode", "nosuch"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("There is no agent named 'nosuch'")
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("dialect", sorted(Host.load().dialects))
def test_the_hooks_of_one_ecosystem_do_all_that_it_knows(dialect, write, home, workspace):
    tasks = [task for task in ALL if task not in CANNOT.get(dialect, ())]
    write(dialect, *tasks)
    check(run(home, workspace), workspace, tasks)


def test_without_hooks_the_agent_does_as_its_model_says(home, workspace):
    check(run(home, workspace), workspace, ())


def test_what_the_person_does_not_permit_does_not_run(home, workspace):
    said = run(home, workspace, person="")
    assert said.count("tool: This call was refused: The person did not permit this call.") == 2


def test_what_every_event_says_again_is_shown_once(write, home, workspace):
    write("codex", "veto")
    ended = subprocess.run(
        [sys.executable, AGENT, "--home", home, "--workspace", workspace], capture_output=True, text=True, check=True
    )
    notes = ended.stderr.splitlines()
    assert any("is not approved" in note for note in notes)
    assert len(notes) == len(set(notes))
