"""What the tests of the Codewhale dialect share: a session set by hand, hooks out of one entry, ends of runs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hookfw import Ended, Loaded, Row, Session, Source
from hookfw_codewhale.condition_tables import Findings
from hookfw_codewhale.config import Settings
from hookfw_codewhale.dialect import Codewhale
from hookfw_codewhale.entries import read_entry


class Bench:
    """Hooks, runs and rows without any process."""

    dialect = Codewhale()
    uuid = "11111111-2222-3333-4444-555555555555"

    def session(self, **changes):
        return Session(
            **{
                "id": "sess_0a1b2c3d",
                "home": "/home/ada",
                "workspace": "/srv/project",
                "environ": {},
                "scratch": "/tmp",
                "platform": "linux",
                "now": lambda: datetime(2026, 11, 29, 12, 0, tzinfo=UTC),
                "new_id": lambda: self.uuid,
                "resolve": lambda path: path,
            }
            | changes
        )

    def hook(self, event="tool_call_before", *, position=0, **entry):
        raw = {"event": event, "command": "gate.sh --all", "name": "gate"} | entry
        raw = {key: value for key, value in raw.items() if value is not None}
        source = Source("/home/ada/.codewhale/config.toml", "user", f"hooks.hooks[{position}]")
        findings = Findings()
        hook = read_entry(raw, source, position, None, None, findings)
        assert hook is not None, findings.problems
        return hook

    def strict(self, event="tool_call_before", **entry):
        return self.hook(event, continue_on_error=False, **entry)

    def exited(self, stdout="", code=0, **facts):
        return Ended(state="exited", exit_code=code, stdout=stdout, **facts)

    def rows(self, event, session=None, **settings):
        return self.dialect.begin(event, session or self.session(), Loaded(settings=Settings(**settings)))

    def row(self, event, session=None) -> Row:
        return self.rows(event, session)[0]

    def read(self, hook, event, ended):
        return self.dialect.interpret(self.row(event), hook, ended)

    def fire(self, event, *runs):
        """The verdict on `event` after hooks that ended as told; and the readings."""
        from hookfw import Done, Run

        row = self.row(event)
        done, readings = [], []
        for position, (hook, ended) in enumerate(runs):
            reading = self.dialect.interpret(row, hook, ended)
            run = Run(
                id=str(position),
                name=hook.name,
                dialect="codewhale",
                event=hook.event,
                handler="command",
                source="",
                status=reading.status,
            )
            done.append(Done(hook=hook, row=row, run=run, effect=reading.effect, position=position, finished=position))
            readings.append(reading)
            if reading.ends_row:
                break
        return self.dialect.reduce(event, done, self.session()), readings


@pytest.fixture(scope="session")
def bench():
    return Bench()
