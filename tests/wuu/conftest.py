"""What the tests of the Wuu dialect share: documents by hand, hooks out of them, ends of runs, firings without processes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from hookfw import Document, Done, Ended, FileView, Places, Run, Session
from hookfw_wuu import config
from hookfw_wuu.dialect import Wuu

HOME, WORKSPACE = "/home/ada", "/srv/project"
PLACES = Places(home=HOME, workspace=WORKSPACE)
USER_FILE = f"{HOME}/.wuu/config.json"
SHARED = f"{WORKSPACE}/.wuu/settings.json"
LOCAL = f"{WORKSPACE}/.wuu/settings.local.json"
COMMAND = {"command": "sh gate.sh"}


class Bench:
    """The dialect, and short ways to its steps."""

    dialect = Wuu()
    places = PLACES
    user_file = USER_FILE
    shared_file = SHARED
    local_file = LOCAL

    def session(self, **changes):
        return Session(
            **{
                "id": None,
                "home": HOME,
                "workspace": WORKSPACE,
                "environ": {},
                "scratch": lambda: "/tmp/scratch",
                "platform": "linux",
                "now": lambda: datetime(2026, 11, 29, 12, 0, tzinfo=UTC),
                "new_id": lambda: "11111111-2222-3333-4444-555555555555",
                "resolve": lambda path: path,
            }
            | changes
        )

    def file(self, content, path=USER_FILE, scope="user", role="base"):
        """A configuration file; any JSON value, or a text or bytes as they are."""
        data = content if isinstance(content, str | bytes) else json.dumps(content)
        return Document(path, scope, role, data if isinstance(data, bytes) else data.encode())

    def own(self, **events):
        """The person's file with these lists."""
        return self.file({"hooks": events})

    def shared(self, content):
        return self.file(content, SHARED, "project", "layer")

    def local(self, content):
        return self.file(content, LOCAL, "local", "layer")

    def load(self, *documents, trust_all=True):
        return config.load(documents, PLACES, trust_all=trust_all)

    def load_entries(self, *entries, event="PreToolUse"):
        return self.load(self.own(**{event: list(entries)}))

    def hook(self, event="PreToolUse", **fields):
        loaded = self.load_entries(COMMAND | fields, event=event)
        assert len(loaded.hooks) == 1, loaded.diagnostics
        return loaded.hooks[0]

    def prompt(self, event="PreToolUse", **fields):
        return self.hook(event, type="prompt", prompt="Is it fine? $ARGUMENTS", **fields)

    def on_disk(self, home, workspace, *, trust_all=False, **places):
        """Discover, load and judge real files."""
        where = Places(home=str(home), workspace=str(workspace), **places)
        documents = self.dialect.discover(where, FileView())
        loaded = self.dialect.load(documents, where, trust_all=trust_all)
        return loaded, self.dialect.judge(loaded, documents, where), documents, where

    def row(self, event, session=None):
        (row,) = self.dialect.begin(event, session or self.session(), self.load())
        return row

    def payload(self, event, session=None):
        return json.loads(self.row(event, session).stdin)

    def exited(self, stdout="", code=0, stderr="", **facts):
        text = stdout if isinstance(stdout, str) else json.dumps(stdout)
        return Ended(state="exited", exit_code=code, stdout=text, stderr=stderr, **facts)

    def read(self, event, ended, hook=None):
        """How a run that ended so is read."""
        row = self.row(event)
        return self.dialect.interpret(row, hook or self.hook(row.native_event), ended)

    def fire(self, event, *ends):
        """The verdict on `event` after a row of hooks that ended so; what comes after an error does not run."""
        row = self.row(event)
        hook = self.hook(row.native_event)
        done = []
        for position, ended in enumerate(ends):
            reading = self.dialect.interpret(row, hook, ended)
            run = Run(str(position), hook.name, "wuu", hook.event, hook.handler, "", reading.status)
            done.append(
                Done(hook._replace(name=f"{hook.event}:{position}"), row, run, reading.effect, position, position)
            )
            if reading.ends_row:
                break
        return self.dialect.reduce(event, done, self.session())


@pytest.fixture(scope="session")
def wuu():
    return Bench()


def messages(loaded):
    return [item.message for item in loaded.diagnostics]
