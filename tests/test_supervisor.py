from __future__ import annotations

import asyncio
import json
import os
import threading
from pathlib import Path

import psutil
import pytest
from twins import Chaining, TwinsPlugin

import hookfw.background
import hookfw.handlers
from hookfw import (
    DialectInfo,
    Host,
    PostToolUse,
    PreToolUse,
    SessionStart,
    Stop,
    Supervisor,
    UserPromptSubmit,
    hookimpl,
    open_sync,
)
from hookfw.errors import ClosedError, ConfigurationError, HookfwError, TrustError, UnknownDialectError
from hookfw.outcome import NO_OUTCOME

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


def children():
    return set(psutil.Process().children(recursive=True))


class Rig:
    """A home with twin configurations, and one way to open and fire for both kinds of supervisor."""

    def __init__(self, kind: str, home: Path, workspace: Path) -> None:
        self.kind, self.home, self.workspace = kind, home, workspace
        self.host = Host()
        self.host.register(TwinsPlugin(), "twins")
        self.host.register(hookfw.handlers, "command")
        self.host.register(hookfw.background, "background")

    def write(self, dialect, *hooks, project=False):
        folder = self.workspace if project else self.home
        (folder / f".{dialect}.json").write_text(json.dumps(hooks))

    def options(self, **options):
        return {"workspace": self.workspace, "home": self.home, "host": self.host, **options}

    def fire(self, *events, **options):
        """The outcomes of `events`, in one session, and the supervisor."""
        if self.kind == "sync":
            with open_sync(**self.options(**options)) as hooks:
                return [hooks.fire(event) for event in events], hooks

        async def session():
            async with Supervisor.open(**self.options(**options)) as hooks:
                return [await hooks.fire(event) for event in events], hooks

        return asyncio.run(session())

    def one(self, event, **options):
        return self.fire(event, **options)[0][0]


@pytest.fixture(params=["async", "sync"])
def rig(request, home, workspace):
    return Rig(request.param, home, workspace)


def test_an_event_that_no_hook_names_costs_nothing_and_gives_the_empty_outcome(rig):
    rig.write("chaining", {"event": "pre_tool_use", "command": "exit 2", "tool": "Write"})
    assert rig.one(CALL) is NO_OUTCOME
    assert rig.one(Stop()) is NO_OUTCOME


def test_an_event_that_no_literal_key_names_is_passed_over_before_anything_is_made_for_it(rig, monkeypatch):
    begun = []
    begin = Chaining.begin
    monkeypatch.setattr(Chaining, "begin", lambda *args: begun.append(1) or begin(*args))
    monkeypatch.setattr(Chaining, "subjects", lambda self, kind, tool: (tool,))
    rig.write("chaining", {"event": "pre_tool_use", "command": "exit 2", "tool": "Write"})
    assert rig.one(CALL) is NO_OUTCOME
    assert begun == []
    assert rig.one(PreToolUse(tool_name="Write")).refused
    rig.write("chaining", {"event": "pre_tool_use", "command": "exit 2", "tool": "Ba*"})
    assert rig.one(CALL).refused


def test_a_chaining_row_shows_each_hook_what_the_one_before_it_made(rig):
    add = "python3 -c \"import json,sys; print(json.dumps({'prompt': json.load(sys.stdin)['prompt'] + '!'}))\""
    rig.write("chaining", *[{"event": "user_prompt_submit", "command": add}] * 3)
    outcome = rig.one(UserPromptSubmit(prompt="hi"))
    assert outcome.prompt == "hi!!!"
    assert [run.status for run in outcome.runs] == ["completed"] * 3


def test_a_denial_ends_a_chaining_row_and_the_rest_is_skipped_with_the_reason(rig):
    rig.write(
        "chaining",
        {"event": "pre_tool_use", "command": "echo no >&2; exit 2", "name": "gate"},
        {"event": "pre_tool_use", "command": "touch ran", "name": "late"},
    )
    outcome = rig.one(CALL)
    assert (outcome.decision, outcome.refused, outcome.reason) == ("deny", True, "no")
    assert (outcome.decided_by, outcome.decided_in) == ("gate", "chaining")
    assert [(item.name, item.reason) for item in outcome.skipped] == [("late", "not started: gate ended the row")]
    assert not (rig.workspace / "ran").exists()


def test_a_concurrent_row_keeps_configuration_order_and_knows_who_finished_last(rig):
    # The slow one waits until the quick one is gone: only then has the supervisor reaped it.
    slow = 'until [ -s go ] && ! kill -0 $(cat go) 2>/dev/null; do :; done; echo \'{"updated_input": {"by": "slow"}}\''
    quick = 'echo \'{"updated_input": {"by": "quick"}}\'; echo $$ > go'
    rig.write(
        "concurrent",
        {"event": "pre_tool_use", "command": slow, "name": "slow"},
        {"event": "pre_tool_use", "command": quick, "name": "quick"},
    )
    outcome = rig.one(CALL)
    assert [run.name for run in outcome.runs] == ["slow", "quick"]
    assert outcome.updated_input == {"by": "slow"}


def test_a_duplicate_that_the_dialect_plans_away_is_skipped(rig):
    rig.write("concurrent", *[{"event": "session_start", "command": "echo x >> ran"}] * 2)
    outcome = rig.one(SessionStart())
    assert [item.reason for item in outcome.skipped] == ["duplicate"]


def test_two_dialects_fire_in_the_order_given_and_a_rewrite_reaches_the_next(rig):
    tell = "python3 -c \"import json,sys; print(json.dumps({'context': [json.load(sys.stdin)['tool_input']['by']]}))\""
    rig.write("chaining", {"event": "pre_tool_use", "command": 'echo \'{"updated_input": {"by": "first"}}\''})
    rig.write("concurrent", {"event": "pre_tool_use", "command": tell})
    outcome = rig.one(PreToolUse(tool_name="Bash", tool_input={"by": "agent"}), dialects=["chaining", "concurrent"])
    assert outcome.context == ("first",)
    turned = rig.one(PreToolUse(tool_name="Bash", tool_input={"by": "agent"}), dialects=["concurrent", "chaining"])
    assert turned.context == ("agent",)


def meets(own, other):
    """A command that waits until that of the other dialect runs too."""
    return f"touch {own}; until [ -e {other} ]; do :; done"


def test_dialects_fire_side_by_side_where_nothing_can_be_rewritten(rig):
    rig.write("concurrent", {"event": "session_start", "command": meets("a", "b"), "name": "first"})
    rig.write("chaining", {"event": "session_start", "command": meets("b", "a"), "name": "second"})
    (outcome,), _ = rig.fire(SessionStart(), dialects=["concurrent", "chaining"])
    assert [(run.name, run.status) for run in outcome.runs] == [("first", "completed"), ("second", "completed")]


def test_runs_and_skipped_hooks_stay_in_the_order_of_the_dialects_whatever_order_they_end_in(rig):
    rig.write("concurrent", {"event": "session_start", "command": "until [ -e done ]; do :; done", "name": "slow"})
    rig.write("chaining", {"event": "session_start", "command": "touch done", "name": "quick"})
    (outcome,), _ = rig.fire(SessionStart(), dialects=["concurrent", "chaining"])
    assert [run.name for run in outcome.runs] == ["slow", "quick"]


def test_without_names_every_dialect_with_a_configuration_is_active(rig):
    rig.write("concurrent", {"event": "session_start", "command": "true"})
    assert rig.fire()[1].dialect_names == ("concurrent",)


def test_a_dialect_whose_ecosystem_left_no_trace_is_not_even_loaded(rig):
    loaded = []

    class Traced:
        @hookimpl
        def register_dialects(self):
            def load():
                loaded.append(1)
                return Chaining()

            return [
                DialectInfo(
                    name="traced",
                    title="T",
                    follows="1",
                    load=load,
                    traces=("~/.traced", ".here", "/no/such", "$TRACED"),
                )
            ]

    def loads(**options):
        loaded.clear()
        rig.host = Host()
        rig.host.register(Traced(), "traced")
        watched = rig.fire(**{"environ": {}, **options})[1].snapshot.watched
        return bool(loaded), watched

    above = rig.workspace.parent
    found, watched = loads()
    assert not found
    assert {str(rig.home / ".traced"), str(rig.workspace / ".here"), str(above / ".here"), "/no/such"} <= set(watched)
    for trace in (rig.home / ".traced", rig.workspace / ".here", above / ".here"):
        trace.touch()
        assert loads()[0]
        trace.unlink()
    assert loads(thorough=True)[0]
    assert loads(dialects=["traced"])[0]
    assert loads(environ={"TRACED": "1"})[0]
    assert loads(plugin_dirs=["/a/plugin"])[0]


def test_what_a_dialect_raises_stays_its_own_failure(rig):
    rig.write("chaining", {"event": "pre_tool_use", "command": "echo no JSON at all"})
    rig.write("concurrent", {"event": "pre_tool_use", "command": "echo no >&2; exit 2"})
    outcome = rig.one(CALL)
    assert outcome.refused
    assert outcome.decided_in == "concurrent"
    assert [item.code for item in outcome.diagnostics] == ["dialect-failed"]


def test_a_dialect_that_fails_beside_a_strict_hook_refuses_what_that_guards(rig):
    rig.write("chaining", {"event": "pre_tool_use", "command": "echo no JSON", "strict": True, "name": "guard"})
    outcome = rig.one(CALL)
    assert (outcome.decision, outcome.refused, outcome.decided_by) == ("deny", True, "guard")
    rig.write("chaining", {"event": "post_tool_use", "command": "echo no JSON", "strict": True})
    assert not rig.one(PostToolUse(tool_name="Bash")).refused


def test_a_file_that_a_dialect_cannot_load_leaves_the_other_dialect_alone(rig):
    (rig.home / ".chaining.json").write_text("not JSON")
    rig.write("concurrent", {"event": "session_start", "command": "true"})
    (outcome,), hooks = rig.fire(SessionStart())
    assert [run.dialect for run in outcome.runs] == ["concurrent"]
    assert [item.code for item in hooks.snapshot.diagnostics] == ["dialect-failed"]


def test_a_hook_that_nobody_reviewed_is_skipped_and_said_once(rig):
    rig.write("chaining", *[{"event": "session_start", "command": "touch ran"}] * 2, project=True)
    outcome = rig.one(SessionStart())
    assert [item.reason for item in outcome.skipped] == ["untrusted"] * 2
    assert [item.code for item in outcome.diagnostics] == ["untrusted-hooks"]
    assert "2 matching hooks" in outcome.diagnostics[0].message
    assert "hookfw review" in outcome.diagnostics[0].message
    assert not (rig.workspace / "ran").exists()


def test_trust_all_counts_every_hook_as_reviewed(rig):
    rig.write("chaining", {"event": "session_start", "command": "touch ran"}, project=True)
    rig.one(SessionStart(), trust="all")
    assert (rig.workspace / "ran").exists()


def test_consent_that_is_taken_back_stops_the_next_start_in_a_running_session(home, workspace):
    rig = Rig("sync", home, workspace)
    rig.write("chaining", {"event": "session_start", "command": "echo x >> ran"}, project=True)
    with open_sync(**rig.options()) as hooks:
        (review,) = hooks.reviews()
        hooks.approve(review)
        assert hooks.fire(SessionStart()).skipped, "approval holds for the next session"
    with open_sync(**rig.options()) as hooks:
        assert hooks.fire(SessionStart()).runs[0].status == "completed"
        hooks.revoke(hooks.reviews()[0])
        run = hooks.fire(SessionStart()).runs[0]
        assert (run.status, run.error) == ("failed", "DENIED")
    assert (workspace / "ran").read_text() == "x\n"


def test_a_background_hook_is_submitted_and_closing_waits_for_it(rig):
    rig.write(
        "chaining",
        {"event": "session_start", "command": "until [ -e go ]; do :; done; touch late", "background": True},
        {"event": "session_start", "command": "touch go"},
    )
    outcome = rig.one(SessionStart())
    assert [run.status for run in outcome.runs] == ["submitted", "completed"]
    assert (rig.workspace / "late").exists()


def test_a_full_background_queue_refuses_and_says_which_event(rig):
    wait = "until [ -e go ]; do :; done"
    rig.write(
        "chaining",
        *[{"event": "session_start", "command": wait, "background": True}] * 40,
        {"event": "session_start", "command": "touch go"},
    )
    outcome = rig.one(SessionStart())
    submitted = [run for run in outcome.runs if run.status == "submitted"]
    assert len(submitted) + len(outcome.skipped) == 40
    assert len(submitted) in (32, 33, 34)
    refused = [item for item in outcome.diagnostics if item.code == "background-refused"]
    assert len(refused) == len(outcome.skipped) > 0
    assert "session_start" in refused[0].message
    assert "queue is full" in refused[0].message


def test_a_background_hook_that_fails_is_a_late_diagnostic(rig):
    rig.write("chaining", {"event": "session_start", "command": "exit 3", "background": True})
    _, hooks = rig.fire(SessionStart())
    assert [item.code for item in hooks.late_diagnostics()] == ["background-failed"]


def test_background_hooks_past_the_bound_are_killed_and_closing_says_so(rig):
    before = children()
    rig.write("chaining", {"event": "session_start", "command": "sleep 1000", "background": True, "timeout": 1000})
    _, hooks = rig.fire(SessionStart(), close_timeout=0.05)
    assert "background-cut" in [item.code for item in hooks.late_diagnostics()]
    assert children() == before


def test_a_submitted_event_is_fired_without_anybody_waiting(home, workspace):
    rig = Rig("sync", home, workspace)
    rig.write("chaining", {"event": "session_start", "command": "touch ran"})
    with open_sync(**rig.options()) as hooks:
        assert hooks.submit(SessionStart())
        assert hooks.join_background(30)
    assert (workspace / "ran").exists()


def test_a_full_observer_queue_drops_the_event_and_says_so(home, workspace):
    rig = Rig("sync", home, workspace)
    rig.write("chaining", {"event": "session_start", "command": "until [ -e go ]; do :; done", "timeout": 60})
    with open_sync(**rig.options()) as hooks:
        results = [hooks.submit(SessionStart()) for _ in range(40)]
        (workspace / "go").touch()
        assert results.count(False) >= 6
        late = [item for item in hooks.late_diagnostics() if item.code == "event-refused"]
        assert len(late) == results.count(False)
        assert "session_start" in late[0].message


def test_reload_replaces_the_hook_set_whole(home, workspace):
    rig = Rig("sync", home, workspace)
    rig.write("chaining", {"event": "session_start", "command": 'echo \'{"context": ["old"]}\''})
    with open_sync(**rig.options(dialects=["chaining"])) as hooks:
        before = hooks.snapshot
        rig.write("chaining", {"event": "session_start", "command": 'echo \'{"context": ["new"]}\''})
        assert hooks.fire(SessionStart()).context == ("old",)
        hooks.reload()
        assert hooks.fire(SessionStart()).context == ("new",)
        assert before is not hooks.snapshot
        assert f"{workspace}/.chaining.json" in hooks.snapshot.watched


def test_missing_workspace_and_cwd_come_from_the_supervisor_and_the_session_id_only_where_it_has_one(rig):
    rig.write("chaining", {"event": "session_start", "command": "cat > event.json"})
    rig.one(SessionStart())
    said = json.loads((rig.workspace / "event.json").read_text())
    assert said == {"workspace": str(rig.workspace), "cwd": str(rig.workspace)}
    rig.one(SessionStart(cwd="/", session_id=None), session_id="s1")
    said = json.loads((rig.workspace / "event.json").read_text())
    assert said == {"workspace": str(rig.workspace), "cwd": "/", "session_id": None}
    rig.one(SessionStart(), session_id="s1")
    assert json.loads((rig.workspace / "event.json").read_text())["session_id"] == "s1"


def test_a_handler_type_that_is_not_installed_is_a_failed_run(rig):
    rig.write("chaining", {"event": "session_start", "command": "x", "type": "http"})
    outcome = rig.one(SessionStart())
    assert (outcome.runs[0].status, outcome.runs[0].error) == ("failed", "NO_HANDLER")
    assert "'http'" in outcome.diagnostics[0].message


def test_a_dialect_that_cannot_be_imported_leaves_the_others_alone(rig):
    class Broken:
        @hookimpl
        def register_dialects(self):
            def load():
                raise ModuleNotFoundError("no module named 'gone'")

            return [DialectInfo(name="broken", title="Broken", follows="nothing", load=load)]

    rig.host.register(Broken(), "broken")
    rig.write("chaining", {"event": "session_start", "command": "true"})
    (outcome,), hooks = rig.fire(SessionStart())
    assert [run.status for run in outcome.runs] == ["completed"]
    assert [item.code for item in hooks.snapshot.diagnostics] == ["dialect-failed"]
    assert "'gone'" in hooks.snapshot.diagnostics[0].message


def test_every_hook_finds_its_run_in_its_environment(rig):
    rig.write("chaining", {"event": "session_start", "command": "printf %s $HOOKFW_RUN $TWIN > run"})
    outcome = rig.one(SessionStart())
    assert (rig.workspace / "run").read_text() == outcome.runs[0].id + "chaining"


def test_a_closed_supervisor_says_so(home, workspace):
    rig = Rig("sync", home, workspace)
    hooks = open_sync(**rig.options())
    hooks.close()
    hooks.close()
    with pytest.raises(ClosedError):
        hooks.fire(CALL)


def test_cancelling_a_firing_kills_what_runs(home, workspace):
    rig = Rig("async", home, workspace)
    before = children()
    rig.write("chaining", {"event": "session_start", "command": "touch started; sleep 1000", "timeout": 1000})

    async def session():
        async with Supervisor.open(**rig.options()) as hooks:
            task = asyncio.create_task(hooks.fire(SessionStart()))
            while not (workspace / "started").exists():
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert children() == before

    asyncio.run(session())


def test_nothing_is_left_after_a_session(rig):
    rig.write("concurrent", *[{"event": "session_start", "command": f"true {at}"} for at in range(20)])
    rig.fire(SessionStart())
    before = (threading.active_count(), psutil.Process().num_fds(), children())
    for _ in range(3):
        rig.fire(SessionStart(), SessionStart())
    assert (threading.active_count(), psutil.Process().num_fds(), children()) == before


def test_observers_see_runs_start_and_end_and_events_and_cannot_change_anything(rig):
    seen = []

    class Watcher:
        @hookimpl
        def run_started(self, run):
            seen.append(("started", run.name, run.status))

        @hookimpl
        def run_finished(self, run):
            seen.append(("finished", run.name, run.status))
            raise RuntimeError("observers cannot hurt")

        @hookimpl
        def event_fired(self, event, outcome):
            seen.append(("fired", event.kind, outcome.decision))

        @hookimpl
        def diagnostic_emitted(self, diagnostic):
            seen.append(("noted", diagnostic.code))

    rig.host.register(Watcher(), "watcher")
    rig.write("chaining", {"event": "session_start", "command": "true", "name": "a"})
    rig.write("chaining", {"event": "session_start", "command": "true"}, project=True)
    rig.fire(SessionStart(), Stop())
    assert seen == [
        ("started", "a", "running"),
        ("finished", "a", "completed"),
        ("noted", "untrusted-hooks"),
        ("fired", "session_start", "none"),
        ("fired", "stop", "none"),
    ] or seen[0] == ("noted", "untrusted-hooks")


def test_progress_is_told(rig):
    seen = []
    rig.write("chaining", {"event": "session_start", "command": "true", "name": "a"})
    rig.fire(SessionStart(), on_progress=lambda run: seen.append((run.name, run.status)))
    assert seen == [("a", "running"), ("a", "completed")]


@pytest.mark.parametrize(
    "path", [".claude/settings.json", ".codex/hooks.json", ".mind/hooks.json", ".deepagents/hooks.json"]
)
def test_the_message_of_a_hook_reaches_those_who_watch(home, workspace, path):
    (home / path).parent.mkdir()
    handler = {"type": "command", "command": "true", "statusMessage": "Warming up"}
    (home / path).write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}))
    seen = []
    with open_sync(home=home, workspace=workspace, trust="all", on_progress=seen.append) as hooks:
        hooks.fire(SessionStart(source="startup", session_id="s"))
    assert [run.status_message for run in seen] == ["Warming up"] * 2


def test_one_hook_can_be_run_alone_whatever_its_matcher_but_not_without_consent(home, workspace):
    rig = Rig("sync", home, workspace)
    rig.write("chaining", {"event": "pre_tool_use", "command": "exit 2", "tool": "Write"}, project=True)
    with (
        open_sync(**rig.options()) as hooks,
        pytest.raises(TrustError, match=r"not approved \(untrusted\): see `hookfw review`"),
    ):
        hooks.fire_hook(hooks.snapshot.hooks[0], CALL)
    with open_sync(**rig.options(trust="all")) as hooks:
        hook = hooks.snapshot.hooks[0]
        assert hooks.fire_hook(hook, CALL).refused
        assert hooks.invocation(hook, CALL).argv == ("sh", "-c", "exit 2")
        with pytest.raises(HookfwError, match="is for pre_tool_use, which stop does not fire"):
            hooks.fire_hook(hook, Stop())


@pytest.mark.parametrize("what", ["home", "workspace"])
def test_a_place_that_does_not_exist_is_one_sentence(rig, what):
    with pytest.raises(ConfigurationError, match=f"The {what} /no/such/place does not exist"):
        rig.fire(**{what: "/no/such/place"})


def test_a_file_in_the_place_of_the_workspace_is_said(rig, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="is not a directory"):
        rig.fire(workspace=tmp_path / "file")


def test_an_unknown_mode_is_said(rig):
    with pytest.raises(UnknownDialectError, match="There is no agent named 'nope'"):
        rig.fire(mode="nope")


def test_plugins_are_blocked_by_the_environment(home, workspace):
    with open_sync(workspace=workspace, home=home, environ={**os.environ, "HOOKFW_DISABLE": "codewhale, cli"}) as hooks:
        blocked = {info.name for info in hooks.host.plugins if info.problem == "blocked by name"}
    assert blocked == {"codewhale", "cli"}
