"""What the tests of the Claude Code dialect share: documents by hand, hooks out of them, ends of runs, firings without processes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from hookfw import Document, Done, Ended, FileView, Places, Run, Session
from hookfw_claude.claude_code.dialect import ClaudeCode

PLACES = Places(home="/home/ada", workspace="/srv/project")
USER_FILE = "/home/ada/.claude/settings.json"
PATHS = {
    "managed": "/etc/claude-code/managed-settings.json",
    "user": USER_FILE,
    "project": "/srv/project/.claude/settings.json",
    "local": "/srv/project/.claude/settings.local.json",
    "cli": "--settings",
}


class Bench:
    """The dialect, and short ways to its steps."""

    dialect = ClaudeCode()
    places = PLACES
    paths = PATHS

    def session(self, **changes):
        return Session(
            **{
                "id": "sess_bench",
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

    def file(self, content, scope="user", path=None):
        """A settings file; any JSON value, or a text as it is."""
        data = content if isinstance(content, str) else json.dumps(content)
        return Document(path or PATHS[scope], scope, "settings", data.encode())

    def accepted(self, content=None):
        """The client's own file, in which the folder was accepted."""
        content = {"projects": {"/srv/project": {"hasTrustDialogAccepted": True}}} if content is None else content
        data = content if isinstance(content, str) else json.dumps(content)
        return Document("/home/ada/.claude.json", "user", "trust", data.encode())

    def load(self, *documents, **places):
        return self.dialect.load(documents, PLACES._replace(**places), trust_all=False)

    def load_file(self, content, **places):
        return self.load(self.file(content), **places)

    def load_events(self, **events):
        return self.load_file({"hooks": events})

    def load_handlers(self, *handlers, event="PreToolUse", **group):
        return self.load_events(**{event: [group | {"hooks": list(handlers)}]})

    def hook(self, event="PreToolUse", *, matcher=None, **fields):
        handler = {"type": "command", "command": "sh gate.sh"} | fields
        group = {} if matcher is None else {"matcher": matcher}
        loaded = self.load_handlers(handler, event=event, **group)
        assert len(loaded.hooks) == 1, loaded.diagnostics
        return loaded.hooks[0]

    def on_disk(self, home, workspace, **places):
        """Discover and load real files."""
        where = Places(home=str(home), workspace=str(workspace), **places)
        documents = self.dialect.discover(where, FileView())
        loaded = self.dialect.load(documents, where, trust_all=False)
        return loaded, self.dialect.judge(loaded, documents, where)

    def rows(self, event, loaded=None):
        return self.dialect.begin(event, self.session(), loaded or self.load())

    def row(self, event, loaded=None):
        (row,) = self.rows(event, loaded)
        return row

    def payload(self, event):
        return json.loads(self.row(event).stdin)

    def matches(self, event, **hook):
        """The hook applies to the event."""
        loaded = self.load_handlers(
            {"type": "command", "command": "x"} | hook.pop("handler", {}),
            event=hook.pop("name", "PreToolUse"),
            **hook,
        )
        row = self.row(event, loaded)
        (hook,) = loaded.hooks
        keyed = hook.keys is None or not hook.keys.isdisjoint(row.subjects)
        return keyed and (hook.predicate is None or hook.predicate(row.facts) is None)

    def exited(self, stdout="", code=0, stderr="", files=None, **facts):
        text = stdout if isinstance(stdout, str) else json.dumps(stdout)
        ended = Ended(state="exited", exit_code=code, stdout=text, stderr=stderr, **facts)
        ended.files = files or {}
        return ended

    def said(self, event, *, top=None, code=0, stderr="", **specific):
        """A run that answered in JSON."""
        inner = {"hookSpecificOutput": {"hookEventName": event, **specific}} if specific else {}
        return self.exited((top or {}) | inner, code, stderr)

    def read(self, event, ended, **handler):
        """How a run that ended so is read."""
        row = self.row(event)
        return self.dialect.interpret(row, self.hook(row.native_event, **handler), ended)

    def fire(self, event, *ends, session=None, order=None, **handler):
        """The verdict on `event` after hooks, configured in this order, that ended so; `order`: who finished when."""
        row = self.row(event)
        done = []
        for position, ended in enumerate(ends):
            hook = self.hook(row.native_event, **handler)._replace(name=f"{row.native_event}:{position}:0")
            reading = self.dialect.interpret(row, hook, ended)
            run = Run(str(position), hook.name, "claude-code", hook.event, "command", "", reading.status)
            finished = position if order is None else order[position]
            done.append(Done(hook, row, run, reading.effect, position, finished))
        return self.dialect.reduce(event, done, session or self.session())


@pytest.fixture(scope="session")
def claude():
    return Bench()
