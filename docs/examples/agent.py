"""
A small complete agent that runs the hooks of every ecosystem: a model that follows a script, a shell tool, a file tool.

    python docs/examples/agent.py --mode codex --home ~ --workspace .

Copy it and put a real model in place of `ScriptedModel`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hookfw import Diagnostic, HookfwError, PermissionQuestion, SyncAgentSession, ToolOutput, open_sync

# The model: it reads the conversation and answers with a text and, perhaps, calls of tools.


class Call(NamedTuple):
    """A tool call that the model asks for."""

    tool: str
    input: dict[str, Any]


class Reply(NamedTuple):
    """What the model says; without calls it thinks it is done."""

    text: str
    calls: Sequence[Call] = ()


class ScriptedModel:
    """Gives one reply after another, whatever it is told; its last one again when there are no more."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._replies = list(replies)

    def reply(self, _conversation: Sequence[str]) -> Reply:
        """The answer to the conversation so far."""
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


PROMPT = "Write a program that greets, and try it."
SCRIPT = (
    Reply("I clean up first.", [Call("Bash", {"command": "rm -rf build"})]),
    Reply("Then I write it.", [Call("Write", {"file_path": "greet.sh", "content": "echo hello   \n"})]),
    Reply("I try it.", [Call("Bash", {"command": "sh greet.sh"})]),
    Reply("It works."),
    Reply("I run the tests.", [Call("Bash", {"command": "sh greet.sh | grep hello"})]),
    Reply("It works, and the tests pass."),
)

# The tools: each gets the input as hooks left it, and the variables they gave.


class Tools:
    """A shell and a file tool that work in one folder."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        self.by_name = {"Bash": self.shell, "Write": self.write}

    def shell(self, given: dict[str, Any], env: Mapping[str, str]) -> ToolOutput:
        """Run a command. A failing command is an output that is no success, not an exception."""
        ended = subprocess.run(  # noqa: S602 - running what the model asks for is what a shell tool does
            given["command"],
            shell=True,
            cwd=self.workspace,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return ToolOutput(ended.stdout + ended.stderr, success=ended.returncode == 0, exit_code=ended.returncode)

    def write(self, given: dict[str, Any], _env: Mapping[str, str]) -> str:
        """Write a file. An exception is the call's result: the model and the hooks are told."""
        (self.workspace / given["file_path"]).write_text(given["content"])
        return f"Wrote {given['file_path']}."


# The agent: the loop between the two, with the hooks in every place where they have a say.


class Conversation(list[str]):
    """What the model reads; shown as it grows."""

    def add(self, who: str, text: str) -> None:
        """Add what somebody said, unless it was nothing."""
        if text:
            self.append(text)
            print(f"{who}: {text.strip()}")


def run_agent(session: SyncAgentSession, model: ScriptedModel, tools: Tools, prompt: str) -> None:
    """One turn, from the person's prompt to its end."""
    start = session.start()
    if start.refused:
        print(f"No session: {start.reason}")
        return
    said = session.submit(prompt)
    if not said.goes_on:
        print(f"The prompt was refused: {said.reason}")
        return
    conversation = Conversation()
    conversation.add("hooks", start.for_model)
    conversation.add("user", said.for_model)
    while not session.ends_turn:
        reply = model.reply(conversation)
        conversation.add("model", reply.text)
        for call in reply.calls:
            result = session.tool(call.tool, call.input, tools.by_name[call.tool], ask=call.tool == "Bash")
            conversation.add("tool", result.for_model or "(no output)")
        if not reply.calls:
            end = session.finish(reply.text)
            if not end.goes_on:
                return
            conversation.add("hooks", end.for_model)
    session.finish()  # a hook ended the turn


def ask_person(question: PermissionQuestion) -> bool:
    """Ask on the terminal; anything but `y` is a no, and so is nobody there."""
    because = f" ({question.reason})" if question.reason else ""
    print(f"Run {question.tool_name} {question.tool_input}?{because} [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip() == "y"


class Notes:
    """Shows what hookfw has to say of hooks and their files, each note once: it may come with every event."""

    def __init__(self) -> None:
        self._shown: set[str] = set()

    def show(self, note: Diagnostic) -> None:
        """Print it, if it is new."""
        if note.message not in self._shown:
            self._shown.add(note.message)
            print(f"{note.severity}: {note.message}", file=sys.stderr)


def main() -> None:
    """Read the options, open the hooks, run the agent."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0] if __doc__ else None)
    parser.add_argument("--mode", help="the agent whose hooks come first")
    parser.add_argument("--home", default=os.path.expanduser("~"))
    parser.add_argument("--workspace", default=".", type=Path)
    parser.add_argument("--trust", choices=["stored", "all"], default="stored")
    parser.add_argument("prompt", nargs="?", default=PROMPT)
    options = parser.parse_args()
    with (
        open_sync(
            workspace=options.workspace,
            home=options.home,
            mode=options.mode,
            trust=options.trust,
            session_id="example",
            environ=os.environ | {"HOME": options.home},
        ) as hooks,
        SyncAgentSession(
            hooks,
            model="scripted",
            permission_mode="default",
            permission=ask_person,
            on_message=lambda text: print(f"(to you) {text}"),
            on_diagnostic=Notes().show,
        ) as session,
    ):
        run_agent(session, ScriptedModel(SCRIPT), Tools(options.workspace), options.prompt)


if __name__ == "__main__":
    try:
        main()
    except HookfwError as error:
        sys.exit(str(error))
