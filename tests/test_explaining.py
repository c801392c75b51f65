"""Explaining: the standing, the exact reason and the order of every hook, with nothing run."""

from __future__ import annotations

import asyncio
import json

import pytest
from twins import Concurrent, TwinsPlugin

import hookfw.handlers
from hookfw import (
    DialectInfo,
    Effect,
    Host,
    PatternTimeoutError,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Supervisor,
    hookimpl,
    open_sync,
)
from hookfw.errors import ClosedError
from hookfw.hooks import HookState

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


class Rig:
    """A home with twin configurations, explained by either kind of supervisor."""

    def __init__(self, kind, home, workspace):
        self.kind, self.home, self.workspace = kind, home, workspace
        self.host = Host()
        self.host.register(TwinsPlugin(), "twins")
        self.host.register(hookfw.handlers, "command")

    def write(self, dialect, *hooks, project=False):
        folder = self.workspace if project else self.home
        (folder / f".{dialect}.json").write_text(json.dumps(hooks))

    def explain(self, event, *, sent=True, **options):
        options = {"workspace": self.workspace, "home": self.home, "host": self.host, **options}
        if self.kind == "sync":
            with open_sync(**options) as hooks:
                return hooks.explain(event, sent=sent)

        async def session():
            async with Supervisor.open(**options) as hooks:
                return hooks.explain(event, sent=sent)

        return asyncio.run(session())

    def one(self, event, **options):
        (part,) = self.explain(event, **options).dialects
        return part


@pytest.fixture(params=["async", "sync"])
def rig(request, home, workspace):
    return Rig(request.param, home, workspace)


def told(items):
    return [(item.hook.name, item.standing, item.cause, item.reason) for item in items]


def test_what_applies_would_run_in_order_and_nothing_is_run(rig):
    rig.write(
        "chaining",
        {"event": "pre_tool_use", "command": "touch $HOME/ran", "name": "first"},
        {"event": "pre_tool_use", "command": "touch $HOME/ran", "name": "second", "tool": "B*"},
    )
    (row,) = rig.one(CALL).rows
    assert told(row.hooks) == [("first", "runs", "", ""), ("second", "runs", "", "")]
    assert (row.native_event, row.schedule, row.chain) == ("pre_tool_use", "sequential", "tool_input")
    assert not (rig.home / "ran").exists()


def test_each_that_does_not_apply_has_its_own_reason(rig):
    rig.write(
        "chaining",
        {"event": "pre_tool_use", "command": "true", "name": "key", "tool": "Write"},
        {"event": "pre_tool_use", "command": "true", "name": "predicate", "tool": "W*"},
        {"event": "session_start", "command": "true", "name": "event"},
    )
    part = rig.one(CALL)
    assert part.rows == ()
    assert told(part.unmatched) == [
        ("key", "unmatched", "matcher", "it is for 'Write', not for 'Bash'"),
        ("predicate", "unmatched", "matcher", "'Bash' does not start with 'W'"),
        ("event", "unmatched", "event", "it is for the event session_start"),
    ]


def test_consent_a_switch_and_the_schedule_keep_a_hook_from_starting(rig, monkeypatch):
    rig.write("concurrent", {"event": "pre_tool_use", "command": "true", "name": "foreign"}, project=True)
    rig.write(
        "concurrent",
        {"event": "pre_tool_use", "command": "true", "name": "off"},
        {"event": "pre_tool_use", "command": "echo", "name": "once"},
        {"event": "pre_tool_use", "command": "echo", "name": "again"},
    )
    judged = Concurrent.judge

    def judge(self, loaded, documents, places):
        states = judged(self, loaded, documents, places)
        return {hook: HookState("trusted", enabled=False) if hook.name == "off" else states[hook] for hook in states}

    monkeypatch.setattr(Concurrent, "judge", judge)
    (row,) = rig.one(CALL).rows
    assert told(row.hooks) == [("once", "runs", "", "")]
    assert told(row.skipped) == [
        ("off", "skipped", "disabled", "disabled"),
        ("foreign", "skipped", "trust", "untrusted"),
        ("again", "skipped", "plan", "duplicate"),
    ]


def test_what_is_skipped_gives_the_reason_that_a_firing_gives(rig):
    rig.write("concurrent", {"event": "pre_tool_use", "command": "true", "name": "foreign"}, project=True)
    with open_sync(workspace=rig.workspace, home=rig.home, host=rig.host) as hooks:
        fired = {(item.name, item.reason) for item in hooks.fire(CALL).skipped}
        explained = {(item.hook.name, item.reason) for item in hooks.explain(CALL).hooks}
    assert fired == explained == {("foreign", "untrusted")}


def test_consent_is_shown_as_the_policy_has_it(rig):
    rig.write("concurrent", {"event": "pre_tool_use", "command": "true", "name": "foreign"}, project=True)
    assert [item.standing for item in rig.one(CALL, trust="all").hooks] == ["runs"]


def test_a_hook_in_the_background_and_one_nobody_carries_out_are_told_apart(rig):
    rig.write(
        "concurrent",
        {"event": "pre_tool_use", "command": "true", "name": "later", "background": True},
        {"event": "pre_tool_use", "command": "ask", "name": "asks", "type": "oracle"},
    )
    (row,) = rig.one(CALL).rows
    assert told(row.hooks) == [
        ("later", "background", "", ""),
        ("asks", "fails", "handler", "no installed plugin brings handlers of the type 'oracle'"),
    ]


def test_it_tells_what_a_hook_would_be_sent_only_where_it_starts_and_is_asked_for(rig):
    rig.write("chaining", {"event": "pre_tool_use", "command": "cat", "timeout": 7})
    (item,) = rig.one(CALL).hooks
    assert item.sent.argv == ("sh", "-c", "cat")
    assert json.loads(item.sent.stdin)["cwd"] == str(rig.workspace)
    assert (item.sent.env["TWIN"], item.sent.cwd, item.sent.timeout) == ("chaining", str(rig.workspace), 7)
    assert rig.one(CALL, sent=False).hooks[0].sent is None
    assert rig.one(SessionStart()).hooks[0].sent is None


def test_refused_entries_are_told_with_their_dialect(rig):
    rig.write("chaining", {"event": "pre_tool_use", "command": ""})
    assert [entry.problems for entry in rig.one(CALL).rejected] == [("no command",)]


def test_an_event_no_dialect_has_leaves_every_hook_where_it_is(rig):
    rig.write("chaining", {"event": "pre_tool_use", "command": "true"})
    assert told(rig.one(SessionEnd()).hooks) == [
        ("pre_tool_use:0", "unmatched", "event", "it is for the event pre_tool_use")
    ]


def test_a_native_event_that_is_meant_but_not_fired_says_so(rig, monkeypatch):
    rig.write("chaining", {"event": "pre_tool_use", "command": "true", "name": "gate"})
    monkeypatch.setattr("twins.Chaining.begin", lambda *_: ())
    assert told(rig.one(CALL).hooks) == [("gate", "unmatched", "event", "this pre_tool_use does not fire pre_tool_use")]


def test_python_handlers_come_first_with_those_for_other_events(rig):
    class Plugin:
        @hookimpl
        def pre_tool_use(self, event):
            return Effect(decision="deny")

        @hookimpl
        def stop(self, event):
            return None

    rig.host.register(Plugin(), "mine")
    rig.write("chaining", {"event": "pre_tool_use", "command": "true"})
    python, chaining = rig.explain(CALL).dialects
    assert (python.dialect, chaining.dialect) == ("python", "chaining")
    assert told(python.hooks) == [
        ("mine", "runs", "", ""),
        ("mine", "unmatched", "event", "it is for the event stop"),
    ]
    assert "strictest decision wins" in python.rows[0].reduction


def test_a_dialect_without_words_of_its_own_says_whose_rules_hold(rig):
    rig.write("chaining", {"event": "pre_tool_use", "command": "true"})
    assert rig.one(CALL).rows[0].reduction == "The answers to pre_tool_use become one by the rules of chaining."


def test_a_dialect_that_fails_costs_only_its_own_part(rig, monkeypatch):
    rig.write("chaining", {"event": "pre_tool_use", "command": "true"})
    rig.write("concurrent", {"event": "pre_tool_use", "command": "true"})

    def broken(self, *_):
        raise RuntimeError("out of order")

    monkeypatch.setattr("twins.Chaining.invocation", broken)
    explained = rig.explain(CALL)
    assert [(part.dialect, len(part.hooks)) for part in explained.dialects] == [("chaining", 0), ("concurrent", 1)]
    (problem,) = explained.diagnostics
    assert problem.code == "dialect-failed"
    assert "out of order" in problem.message


def test_a_pattern_that_ran_out_of_time_counts_as_matched_and_is_said(rig, monkeypatch):
    def out_of_time(_facts):
        raise PatternTimeoutError("too long")

    monkeypatch.setattr("twins._prefix", lambda _: out_of_time)
    rig.write("chaining", {"event": "pre_tool_use", "command": "true", "tool": "B*", "name": "slow"})
    explained = rig.explain(CALL)
    assert [item.standing for item in explained.hooks] == ["runs"]
    assert [item.code for item in explained.diagnostics] == ["pattern-timeout"]


def test_each_dialect_sees_the_tool_in_its_own_spelling(home, workspace):
    (home / ".codewhale").mkdir()
    (home / ".codewhale" / "config.toml").write_text(
        '[[hooks.hooks]]\nevent = "tool_call_before"\ncommand = "true"\ncondition = { type = "tool_name", name = "write" }\n'
    )
    with open_sync(workspace=workspace, home=home, dialects=["codewhale"]) as hooks:
        explained = hooks.explain(PreToolUse(tool_name="Write", tool_input={}))
    assert [item.standing for item in explained.dialects[-1].hooks] == ["runs"]


def test_a_closed_supervisor_explains_nothing(rig):
    hooks = open_sync(workspace=rig.workspace, home=rig.home, host=rig.host)
    hooks.close()
    with pytest.raises(ClosedError):
        hooks.explain(CALL)


@pytest.mark.parametrize("name", sorted(Host.load().dialects))
def test_every_installed_dialect_says_how_the_answers_to_each_event_become_one(name):
    dialect = Host.load().dialect(name)
    for native in dialect.events:
        said = dialect.reduction(native.name)
        assert said.endswith("."), native
        assert "by the rules of" not in said, native


def test_a_third_dialect_needs_no_words_to_be_explained(rig):
    assert DialectInfo(name="x", title="X", follows="1", load=Concurrent).load().reduction("e").endswith("concurrent.")
