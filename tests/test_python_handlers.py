from __future__ import annotations

import asyncio
import threading
import time

import pytest

from hookfw import Effect, Host, PostToolUse, PreCompact, PreToolUse, Supervisor, UserPromptSubmit, hookimpl, open_sync
from hookfw.loading import python_hooks
from hookfw.outcome import STRENGTH
from hookfw.python_handlers import reduce_python

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


@pytest.fixture(params=["async", "sync"])
def fire(request, home, workspace):
    def run(event, *plugins):
        host = Host()
        for at, plugin in enumerate(plugins):
            host.register(plugin, f"p{at}")
        options = {"workspace": workspace, "home": home, "host": host}
        if request.param == "sync":
            with open_sync(**options) as hooks:
                return hooks.fire(event)

        async def session():
            async with Supervisor.open(**options) as hooks:
                return await hooks.fire(event)

        return asyncio.run(session())

    return run


def handler(function, **options):
    """A plugin with `function` as its `pre_tool_use` handler."""

    class Plugin:
        pre_tool_use = staticmethod(hookimpl(specname="pre_tool_use", **options)(function))

    return Plugin()


def says(text):
    def pre_tool_use(event):
        return Effect(context=(text,))

    return pre_tool_use


def test_a_plain_handler_gives_its_effect(fire):
    outcome = fire(CALL, handler(says("hello")))
    assert outcome.context == ("hello",)
    assert [(run.name, run.dialect, run.status) for run in outcome.runs] == [("p0", "python", "completed")]


def test_an_async_handler_is_awaited(fire):
    async def pre_tool_use(event):
        await asyncio.sleep(0)
        return Effect(decision="deny", reason="no")

    outcome = fire(CALL, handler(pre_tool_use))
    assert (outcome.refused, outcome.reason, outcome.decided_by) == (True, "no", "p0")


def test_a_handler_that_says_nothing_is_a_completed_run(fire):
    outcome = fire(CALL, handler(lambda event: None))
    assert outcome.decision == "none"
    assert outcome.runs[0].status == "completed"


def test_observers_see_each_run_start_and_end(fire):
    seen = []

    class Watcher:
        @hookimpl
        def run_started(self, run):
            seen.append((run.name, run.status))

        @hookimpl
        def run_finished(self, run):
            seen.append((run.name, run.status))

    fire(CALL, handler(says("hello")), Watcher())
    assert seen == [("p0", "running"), ("p0", "completed")]


def test_order_follows_tryfirst_and_trylast(fire):
    outcome = fire(
        CALL,
        handler(says("last"), trylast=True),
        handler(says("middle")),
        handler(says("first"), tryfirst=True),
    )
    assert outcome.context == ("first", "middle", "last")


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_one_that_raises_is_a_failed_run_and_the_others_still_run(fire, kind):
    def plain(event):
        raise ValueError("boom")

    async def later(event):
        raise ValueError("boom")

    outcome = fire(CALL, handler(says("after"), trylast=True), handler(plain if kind == "plain" else later))
    assert [run.status for run in outcome.runs] == ["failed", "completed"]
    assert outcome.context == ("after",)
    assert not outcome.refused
    assert "boom" in outcome.diagnostics[0].message


def test_a_strict_one_that_raises_denies(fire):
    def pre_tool_use(event):
        raise ValueError("boom")

    outcome = fire(CALL, handler(pre_tool_use, strict=True))
    assert (outcome.decision, outcome.refused, outcome.decided_by) == ("deny", True, "p0")


def test_an_async_handler_past_its_timeout_is_reported_and_a_strict_one_denies(fire):
    async def pre_tool_use(event):
        await asyncio.Event().wait()

    outcome = fire(CALL, handler(pre_tool_use, strict=True, timeout=0.01))
    assert outcome.runs[0].status == "timed_out"
    assert outcome.refused
    assert "0.01s" in outcome.diagnostics[0].message


def test_a_blocking_handler_runs_in_a_thread(fire):
    def pre_tool_use(event):
        return Effect(context=(threading.current_thread().name,))

    assert fire(CALL, handler(pre_tool_use, blocking=True)).context != (threading.main_thread().name,)


def test_a_blocking_handler_past_its_timeout_is_reported_and_its_late_result_dropped(fire):
    release = threading.Event()

    def pre_tool_use(event):
        release.wait(30)
        return Effect(decision="deny")

    outcome = fire(CALL, handler(pre_tool_use, blocking=True, timeout=0.01))
    release.set()
    assert outcome.runs[0].status == "timed_out"
    assert not outcome.refused


def test_what_is_no_effect_is_a_failed_run(fire):
    outcome = fire(CALL, handler(lambda event: {"decision": "deny"}))
    assert outcome.runs[0].status == "failed"
    assert "returned a dict" in outcome.runs[0].error


def test_a_wrapper_sees_results_and_may_replace_them(fire):
    def wrap(event):
        results = yield
        return [*results, Effect(context=("added",))]

    outcome = fire(CALL, handler(says("inner")), handler(wrap, wrapper=True))
    assert outcome.context == ("inner", "added")
    assert [run.name for run in outcome.runs] == ["p0", "(wrapper)"]


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_an_effect_that_a_wrapper_takes_out_has_no_say_and_is_told(fire, kind):
    def plain(event):
        return Effect(decision="deny")

    async def later(event):
        return Effect(decision="deny")

    def wrap(event):
        yield
        return []

    outcome = fire(CALL, handler(plain if kind == "plain" else later), handler(wrap, wrapper=True))
    assert not outcome.refused
    assert [item.code for item in outcome.diagnostics] == ["dropped-effect"]


@pytest.mark.parametrize("where", ["before", "after", "twice"])
def test_a_wrapper_that_fails_keeps_nobody_from_running(fire, where):
    def wrap(event):
        if where == "before":
            raise ValueError("boom")
        results = yield
        if where == "after":
            raise ValueError("boom")
        yield
        return results

    outcome = fire(CALL, handler(says("inner")), handler(wrap, wrapper=True))
    assert outcome.context == ("inner",)
    assert {run.name: run.status for run in outcome.runs} == {"p0": "completed", "p1": "failed"}


def test_a_rewrite_of_a_prompt_comes_back(fire):
    class Plugin:
        @hookimpl
        def user_prompt_submit(self, event):
            return Effect(prompt=event.prompt.upper())

    assert fire(UserPromptSubmit(prompt="hi"), Plugin()).prompt == "HI"


def test_a_denial_never_refuses_what_already_happened(fire):
    class Plugin:
        @hookimpl
        def post_tool_use(self, event):
            return Effect(decision="block", feedback=("look again",))

    outcome = fire(PostToolUse(tool_name="Bash"), Plugin())
    assert (outcome.decision, outcome.refused, outcome.feedback) == ("block", False, ("look again",))


def test_a_stop_ends_the_turn_and_refuses_a_prompt_or_compaction_but_not_a_call():
    for kind, refused in (("pre_tool_use", False), ("user_prompt_submit", True), (PreCompact.kind, True)):
        verdict = reduce_python(kind, [("p", Effect(decision="stop", stop_reason="enough"))])
        assert (verdict.ends_turn, verdict.refused, verdict.stop_reason) == (True, refused, "enough")


def test_the_strictest_of_several_handlers_wins():
    for word in STRENGTH:
        effects = [("a", Effect(decision="ask", reason="a")), ("b", Effect(decision=word, reason="b"))]
        verdict = reduce_python("pre_tool_use", effects)
        assert verdict.decided_by == ("b" if STRENGTH[word] > STRENGTH["ask"] else "a")


def test_the_durations_of_handlers_are_kept(fire):
    def pre_tool_use(event):
        end = time.perf_counter() + 0.01
        while time.perf_counter() < end:
            pass

    assert fire(CALL, handler(pre_tool_use)).runs[0].duration >= 0.01


@pytest.mark.parametrize("options", [{}, {"blocking": True}])
def test_a_handler_that_exits_is_a_failed_run(fire, options):
    def pre_tool_use(event):
        raise SystemExit(3)

    outcome = fire(CALL, handler(pre_tool_use, **options), handler(says("hello")))
    assert outcome.context == ("hello",)
    assert sorted(run.status for run in outcome.runs) == ["completed", "failed"]


def test_an_async_handler_that_exits_ends_no_event_loop(fire):
    async def pre_tool_use(event):
        raise SystemExit(3)

    async def later(event):
        return Effect(context=("hello",))

    outcome = fire(CALL, handler(later), handler(pre_tool_use, strict=True))
    assert outcome.context == ("hello",)
    assert outcome.refused
    assert any("asked the process to exit (3)" in (run.error or "") for run in outcome.runs)


@pytest.mark.parametrize(
    "fields",
    [
        {"decision": "Deny"},
        {"decision": None},
        {"reason": 5},
        {"prompt": b"x"},
        {"suppress_prompt": "no"},
        {"context": "one text"},
        {"context": (1,)},
        {"messages": None},
        {"env": 3},
        {"env": {"A": 1}},
        {"native": {"a": print}},
        {"native": []},
        {"updated_input": {"a": {1, 2}}},
    ],
    ids=str,
)
def test_an_effect_with_a_wrong_field_is_a_failed_run_that_names_it(fire, fields):
    outcome = fire(CALL, handler(lambda event: Effect(**fields)))
    (run,) = outcome.runs
    assert run.status == "failed"
    assert f"the {next(iter(fields))} " in run.error
    assert outcome.decision == "none"


def test_lists_show_how_a_handler_is_run():
    host = Host()
    host.register(handler(says("hello"), timeout=5, strict=True), "p")
    (hook,) = python_hooks(host, ["pre_tool_use"])
    assert (hook.timeout, hook.strict) == (5, True)
