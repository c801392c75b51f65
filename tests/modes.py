"""Every agent's form, each with a home in which one shell hook answers every event, for tests of compatibility modes."""

from __future__ import annotations

import json
import os
from pathlib import Path

from hookfw import Ended, Host, Run, open_sync
from hookfw.dialect import Done
from hookfw.events import KINDS, event_class

HOST = Host.load()
MODES = sorted(set(HOST.agents) & set(HOST.dialects))

SHELL = {"codewhale": "exec_shell", "wuu": "bash"}
"""The name of the shell tool in an agent's calls, where it is not the canonical one."""

HOOK = 'cat >/dev/null; cat "{folder}/out"; cat "{folder}/err" >&2; exit "$(cat "{folder}/code")"'


def event(mode, kind):
    """An event of this kind, as the agent would tell it."""
    cls = event_class(kind)
    fields = {
        "tool_name": SHELL.get(mode, "Bash"),
        "tool_input": {"command": "ls"},
        "tool_use_id": "call_1",
        "tool_response": "text",
        "prompt": "hello",
        "source": "startup",
        "trigger": "manual",
        "notification_type": "agent_completed",
        "agent_id": "a1",
        "agent_type": "reviewer",
    }
    if kind == "config_change":
        fields["source"] = "user_settings"
    return cls(session_id="s1", **{name: value for name, value in fields.items() if name in cls.model_fields})


def _grouped(events, command):
    handler = {"type": "command", "command": command}
    return json.dumps({"hooks": {name: [{"hooks": [handler]}] for name in events}})


def _listed(events, command):
    return "".join(f'[[hooks.hooks]]\nevent = "{name}"\ncommand = {json.dumps(command)}\n' for name in events)


def _flat(events, command):
    return json.dumps({"hooks": {name: [{"command": command}] for name in events}})


CONFIGS = {
    "claude-code": (".claude/settings.json", _grouped),
    "codex": (".codex/hooks.json", _grouped),
    "deepagents": (".deepagents/hooks.json", _grouped),
    "mind": (".mind/hooks.json", _grouped),
    "codewhale": (".codewhale/config.toml", _listed),
    "wuu": (".wuu/config.json", _flat),
}


class Mode:
    """One agent, its dialect, and its hook that says what it is told to say."""

    def __init__(self, name: str, root: Path) -> None:
        self.name = name
        self.agent = HOST.agent(name)
        self.dialect = HOST.dialect(name)
        self.folder = root
        self.home, self.workspace = root / "home", root / "workspace"
        path, text = CONFIGS[name]
        (self.home / path).parent.mkdir(parents=True)
        self.workspace.mkdir()
        (self.home / path).write_text(
            text([event.name for event in self.dialect.events], HOOK.format(folder=self.folder))
        )
        self.hooks = self.open()
        (self.part,) = self.hooks.snapshot.parts
        assert not self.part.loaded.rejected
        self.kinds = [kind for kind in KINDS if self.row(self.event(kind)) is not None]
        self.steering = sorted(set(self.agent.forms) & set(self.kinds))

    def open(self, **options):
        """A supervisor for the agent's own hooks."""
        environ = os.environ | {"HOME": str(self.home), "SHELL": "/bin/sh"}
        given = {"workspace": self.workspace, "home": self.home, "dialects": [self.name], "trust": "all"}
        given["environ"] = environ
        return open_sync(**(given | options))

    def event(self, kind):
        return event(self.name, kind)

    def row(self, given):
        """The first row of an event; `None` where the agent has no such event."""
        rows = self.dialect.begin(given, self.hooks.session, self.part.loaded)
        return rows[0] if rows else None

    def heard(self, given, answer):
        """What the agent makes of a hook that answers so: the status of its run, and the verdict."""
        row = self.row(given)
        hook = next(hook for hook in self.part.loaded.hooks if hook.event == row.native_event)
        ended = Ended(
            state="exited",
            exit_code=answer.exit_code,
            stdout=answer.stdout.decode(),
            stderr=answer.stderr.decode(),
        )
        reading = self.dialect.interpret(row, hook, ended)
        run = Run("1", hook.name, self.name, hook.event, "command", "", reading.status, stdout=ended.stdout)
        done = Done(hook=hook, row=row, run=run, effect=reading.effect, position=0, finished=0)
        return reading.status, self.dialect.reduce(given, [done], self.hooks.session)

    def really_heard(self, given, answer):
        """The same by a real hook that prints the answer and ends with its exit code."""
        (self.folder / "out").write_bytes(answer.stdout)
        (self.folder / "err").write_bytes(answer.stderr)
        (self.folder / "code").write_text(str(answer.exit_code))
        outcome = self.hooks.fire(given)
        return outcome.runs[0].status, outcome
