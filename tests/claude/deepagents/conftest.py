"""What the tests of the Deep Agents Code dialect share: documents by hand, hooks out of them, ends of runs."""

from __future__ import annotations

import json
import shlex
from datetime import UTC, datetime

import pytest

import hookfw.background
import hookfw.handlers
import hookfw_claude
from hookfw import Document, Done, Ended, Host, Loaded, Places, Run, Session, open_sync
from hookfw_claude.deepagents.dialect import DeepAgents

USER_FILE = "/home/ada/.deepagents/hooks.json"
PROJECT_FILE = "/srv/project/.deepagents/hooks.json"


class Words:
    """Short ways to write configuration and answers."""

    @staticmethod
    def group(*commands, **fields):
        """One group of handlers, each a command or an object."""
        entries = [{"command": command} if isinstance(command, str) else command for command in commands]
        return {"hooks": [{"type": "command", **entry} for entry in entries], **fields}

    @staticmethod
    def specific(event, **fields):
        return {"hookSpecificOutput": {"hookEventName": event, **fields}}

    @staticmethod
    def prints(answer):
        """The command of a hook that prints an answer."""
        return f"printf %s {shlex.quote(json.dumps(answer))}"


class Bench(Words):
    """The dialect without any process, and short ways to its steps."""

    dialect = DeepAgents()
    places = Places(home="/home/ada", workspace="/srv/project")
    user_file = USER_FILE
    project_file = PROJECT_FILE

    def session(self, **changes):
        return Session(
            **{
                "id": "sess_0a1b2c3d",
                "home": "/home/ada",
                "workspace": "/srv/project",
                "environ": {},
                "scratch": lambda: "/tmp/scratch",
                "platform": "linux",
                "now": lambda: datetime(2026, 11, 29, 12, 0, tzinfo=UTC),
                "new_id": lambda: "11111111-2222-3333-4444-555555555555",
                "resolve": lambda path: path,
            }
            | changes
        )

    def file(self, content, path=USER_FILE, scope="user", role="hooks"):
        """A document; any JSON value, or a text as it is."""
        data = content if isinstance(content, str) else json.dumps(content, indent=1)
        return Document(path, scope, role, data.encode())

    def project(self, content):
        return self.file(content, PROJECT_FILE, "project")

    def load(self, *documents, trust_all=False):
        return self.dialect.load(documents, self.places, trust_all=trust_all)

    def load_file(self, content):
        return self.load(self.file(content))

    def load_events(self, **events):
        return self.load_file({"hooks": events})

    def hook(self, event="PreToolUse", **handler):
        group = {"hooks": [{"type": "command", "command": "gate", **handler}]}
        return self.load_events(**{event: [group]}).hooks[0]

    def row(self, event, **session):
        return self.dialect.begin(event, self.session(**session), Loaded())[0]

    def exited(self, stdout="", code=0, **facts):
        return Ended(**{"state": "exited", "exit_code": code, "stdout": stdout} | facts)

    def says(self, event, *answers):
        """The verdict on `event` when its hooks end like this: facts, a JSON value, or a text on standard output."""
        row = self.row(event)
        done, notes = [], []
        for position, answer in enumerate(answers):
            hook = self.hook(row.native_event)
            facts = answer
            if not isinstance(answer, Ended):
                facts = self.exited(answer if isinstance(answer, str) else json.dumps(answer))
            reading = self.dialect.interpret(row, hook, facts)
            notes += reading.diagnostics
            run = Run("id", hook.name, "deepagents", hook.event, "command", hook.source.path, reading.status)
            done.append(Done(hook, row, run, reading.effect, position, len(answers) - position))
        verdict = self.dialect.reduce(event, done, self.session())
        return verdict, [note.code for note in (*notes, *verdict.diagnostics)]

    def blocks(self, reason=""):
        return self.exited(code=2, stderr=reason)


@pytest.fixture
def bench():
    return Bench()


class Rig(Words):
    """A home and a workspace with real processes."""

    def __init__(self, home, workspace):
        self.home = home
        self.workspace = workspace
        self.host = Host()
        self.host.register(hookfw.handlers, "command")
        self.host.register(hookfw.background, "background")
        self.host.register(hookfw_claude, "claude")

    def write(self, path, content, *, mode=0o644):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        path.chmod(mode)
        return path

    def user(self, **events):
        return self.write(self.home / ".deepagents/hooks.json", {"hooks": events})

    def project(self, **events):
        return self.write(self.workspace / ".deepagents/hooks.json", {"hooks": events})

    def trust(self, root=None):
        entry = {str(root or self.workspace): {"trusted_at": "2026-01-02T03:04:05+00:00"}}
        return self.write(self.home / ".deepagents/.state/hooks_trust.json", {"version": 1, "projects": entry})

    def plugin(self, name="fmt@local", *, enabled=True, root=None, hooks=None, manifest=None):
        """An installed plugin; several calls install several."""
        root = root or self.home / "plugins" / name.replace("@", " at ")
        state = self.home / ".deepagents/.state"
        for file, key, value, version in (
            ("plugin_state.json", "enabledPlugins", enabled, 1),
            ("installed_plugins.json", "plugins", [{"installPath": str(root), "version": "1"}], 2),
        ):
            path = state / file
            content = json.loads(path.read_text()) if path.exists() else {"version": version, key: {}}
            content[key][name] = value
            self.write(path, content)
        if hooks is not None:
            self.write(root / "hooks/hooks.json", {"hooks": hooks})
        if manifest is not None:
            self.write(root / "plugin.json", manifest)
        return root

    def open(self, **options):
        return open_sync(
            **{"workspace": self.workspace, "home": self.home, "host": self.host, "dialects": ["deepagents"]} | options
        )

    def fire(self, *events, **options):
        """The outcome of the last of `events`, fired in one session."""
        with self.open(**options) as hooks:
            return [hooks.fire(event) for event in events][-1]

    def loaded(self, **options):
        with self.open(**options) as hooks:
            return hooks.snapshot


@pytest.fixture
def rig(home, workspace):
    return Rig(home, workspace)
