"""What the tests of the Codex dialect share: documents by hand, hooks out of them, ends of runs, firings without processes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from hookfw import Document, Done, Ended, FileView, Places, Run, Session
from hookfw_claude.codex.dialect import Codex

PLACES = Places(home="/home/ada", workspace="/srv/project")
USER_FILE = "/home/ada/.codex/hooks.json"
USER_CONFIG = "/home/ada/.codex/config.toml"


class Bench:
    """The dialect, and short ways to its steps."""

    dialect = Codex()
    places = PLACES
    user_file = USER_FILE
    user_config = USER_CONFIG

    def session(self, **changes):
        return Session(
            **{
                "id": "session-1",
                "home": "/home/ada",
                "workspace": "/srv/project",
                "environ": {},
                "scratch": lambda: "/tmp/scratch",
                "platform": "linux",
                "now": lambda: datetime(2026, 11, 29, 12, 0, tzinfo=UTC),
                "new_id": lambda: "11111111-2222-3333-4444-555555555555",
                "resolve": lambda path: path,
                "shell": lambda: "/bin/fish",
            }
            | changes
        )

    def file(self, content, path=USER_FILE, scope="user"):
        """A `hooks.json`; any JSON value, or a text as it is."""
        data = content if isinstance(content, str) else json.dumps(content)
        return Document(path, scope, "hooks", data.encode())

    def config(self, content="", path=USER_CONFIG, scope="user", role="config"):
        """A `config.toml`, which ends its layer."""
        return Document(path, scope, role, content.encode())

    def load(self, *documents, **places):
        return self.dialect.load(documents, PLACES._replace(**places), trust_all=False)

    def load_file(self, content, **places):
        """What the person's `hooks.json` gives."""
        return self.load(self.file(content), self.config(), **places)

    def load_events(self, **events):
        return self.load_file({"hooks": events})

    def load_handlers(self, *handlers, event="PreToolUse", **group):
        """What one group with these handlers gives."""
        return self.load_events(**{event: [group | {"hooks": list(handlers)}]})

    def hook(self, event="PreToolUse", *, matcher=None, **fields):
        handler = {"type": "command", "command": "sh gate.sh"} | fields
        group = {} if matcher is None else {"matcher": matcher}
        loaded = self.load_handlers(handler, event=event, **group)
        assert len(loaded.hooks) == 1, loaded.diagnostics
        return loaded.hooks[0]

    def on_disk(self, home, workspace, **places):
        """Discover, load and judge real files."""
        where = Places(home=str(home), workspace=str(workspace), **places)
        documents = self.dialect.discover(where, FileView())
        loaded = self.dialect.load(documents, where, trust_all=False)
        return loaded, self.dialect.judge(loaded, documents, where)

    def row(self, event):
        (row,) = self.dialect.begin(event, self.session(), self.load())
        return row

    def payload(self, event):
        return json.loads(self.row(event).stdin)

    def exited(self, stdout="", code=0, stderr="", **facts):
        text = stdout if isinstance(stdout, str) else json.dumps(stdout)
        return Ended(state="exited", exit_code=code, stdout=text, stderr=stderr, **facts)

    def read(self, event, ended, **handler):
        """How a run that ended so is read."""
        row = self.row(event)
        return self.dialect.interpret(row, self.hook(row.native_event, **handler), ended)

    def late(self, event, ended, **handler):
        """What a background run that ended so gives."""
        row = self.row(event)
        return self.dialect.late(row, self.hook(row.native_event, **{"async": True} | handler), ended)

    def fire(self, event, *ends, session=None, order=None, **handler):
        """The verdict on `event` after hooks, configured in this order, that ended so; `order`: who finished when."""
        row = self.row(event)
        done = []
        for position, ended in enumerate(ends):
            hook = self.hook(row.native_event, **handler)
            reading = self.dialect.interpret(row, hook, ended)
            run = Run(
                id=str(position),
                name=f"{hook.name}@{position}",
                dialect="codex",
                event=hook.event,
                handler="command",
                source="",
                status=reading.status,
            )
            finished = position if order is None else order[position]
            done.append(Done(hook, row, run, reading.effect, position, finished))
        return self.dialect.reduce(event, done, session or self.session())


@pytest.fixture(scope="session")
def codex():
    return Bench()
