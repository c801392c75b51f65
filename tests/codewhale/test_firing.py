"""The dialect under a real supervisor, with real processes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from hookfw import Invocation, PreToolUse, UserPromptSubmit, open_sync
from hookfw.handlers import CommandHandler, HandlerCall

CALL = PreToolUse(tool_name="bash", tool_input={"command": "ls"}, tool_use_id="call_7")


@pytest.fixture
def lay_out(home, workspace):
    def write(config="", project=""):
        (home / ".codewhale").mkdir(exist_ok=True)
        (home / ".codewhale/config.toml").write_text(config)
        if project:
            (workspace / ".codewhale").mkdir(exist_ok=True)
            (workspace / ".codewhale/hooks.toml").write_text(project)

    return write


@pytest.fixture
def supervise(home, workspace):
    opened = []

    def start():
        hooks = open_sync(workspace=str(workspace), home=str(home), dialects=["codewhale"])
        opened.append(hooks.__enter__())
        return opened[-1]

    yield start
    for hooks in opened:
        hooks.__exit__(None, None, None)


def test_a_strict_gate_whose_approval_is_taken_back_in_mid_session_denies_and_says_so(
    home, workspace, lay_out, supervise
):
    entry = '[[hooks]]\nname = "theirs"\nevent = "tool_call_before"\ncommand = "true"\ncontinue_on_error = false\n'
    lay_out(project=entry)
    reviewer = supervise()
    reviewer.approve(reviewer.reviews()[0])
    hooks = supervise()
    assert not hooks.fire(CALL).refused
    hooks.revoke(hooks.reviews()[0])
    outcome = hooks.fire(CALL)
    assert outcome.refused
    assert "theirs: Hook authority was denied" in outcome.reason
    assert [run.status for run in outcome.runs] == ["failed"]
    assert "authority-denied" in [note.code for note in outcome.diagnostics]


def test_a_replaced_prompt_reaches_the_next_hook_in_document_and_variable(lay_out, supervise, workspace):
    lay_out(
        """
[[hooks.hooks]]
event = "message_submit"
command = "printf '{\\"text\\":\\"first\\"}'"

[[hooks.hooks]]
event = "message_submit"
command = 'cat > doc.json; printf %s "$DEEPSEEK_MESSAGE" > message; exit 2'
"""
    )
    outcome = supervise().fire(UserPromptSubmit(prompt="original"))
    assert (outcome.decision, outcome.prompt) == ("block", None)
    assert json.loads((workspace / "doc.json").read_text())["text"] == "first"
    assert (workspace / "message").read_text() == "first"


def test_a_command_that_is_not_there_is_named_and_the_call_goes_on(lay_out, supervise):
    lay_out('[[hooks.hooks]]\nname = "gate"\nevent = "tool_call_before"\ncommand = "/no/such/gate.sh"\n')
    outcome = supervise().fire(CALL)
    assert not outcome.refused
    found = [note for note in outcome.diagnostics if note.code == "command-not-found"]
    assert len(found) == 1
    assert "`gate.sh`" in found[0].message
    assert "/no/such" not in found[0].message


def test_variables_and_commands_are_utf_8_whatever_the_encoding_of_the_locale(lay_out, home, workspace):
    lay_out(
        """
[[hooks.hooks]]
event = "message_submit"
command = 'printf "é %s" "$DEEPSEEK_MESSAGE" > message'
"""
    )
    (home / "event.json").write_text('{"prompt": "price in \\u20ac"}')
    places = ["--home", str(home), "--workspace", str(workspace), "--input", str(home / "event.json")]
    subprocess.run(
        [sys.executable, "-m", "hookfw", "fire", "message_submit", "--json", "--dialect", "codewhale", *places],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        check=True,
        capture_output=True,
    )
    assert (workspace / "message").read_bytes() == "é price in €".encode()


async def _start_only(child):
    child.start()
    return child.ended


def test_a_command_that_no_process_can_be_given_is_one_that_was_not_started():
    invocation = Invocation(argv=("sh", "-c", "echo \ud800"), cwd="/")
    call = HandlerCall(
        driver=SimpleNamespace(wait=_start_only),
        run_id="run.1",
        environ={"PATH": "/usr/bin:/bin"},
        scratch=str,
        resources=None,
    )
    ended = asyncio.run(CommandHandler().run(invocation, call))
    assert ended.state == "not_started"
