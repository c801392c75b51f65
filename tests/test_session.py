from __future__ import annotations

import asyncio
import json
import threading

import pytest
from driving import Resources
from sessions import Driven, Script, denies, scripted_host

from hookfw import (
    AgentSession,
    Diagnostic,
    Effect,
    EventError,
    Host,
    Notification,
    OrderError,
    Permission,
    PostToolBatch,
    Supervisor,
    SyncAgentSession,
    ToolOutput,
    hookimpl,
    open_sync,
)

LS = {"command": "ls"}


@pytest.fixture(params=["async", "sync"])
def drive(request, home, workspace):
    """Opens a session over scripted hooks."""
    opened = []

    def open_session(script, **settings):
        host = scripted_host(script)
        driven = Driven(request.param, {"workspace": workspace, "home": home, "host": host}, settings)
        opened.append(driven)
        return driven

    yield open_session
    for driven in opened:
        driven.close()


@pytest.fixture
def turn(drive):
    """A session in a turn, and its script, with the events before it forgotten."""

    def begin(settings=None, **answers):
        script = Script(**answers)
        session = drive(script, **(settings or {}))
        session.start()
        session.submit("Do it.")
        script.events.clear()
        return session, script

    return begin


def echo(given, env):
    return f"ran {given}"


# The order of things.


def test_six_calls_drive_a_whole_session(drive):
    script = Script()
    session = drive(script, model="m1")
    session.start()
    session.submit("Do it.")
    assert session.tool("Bash", LS, echo, shell=True).output == f"ran {LS}"
    assert not session.finish("Done.").goes_on
    session.end("logout")
    observed = script.kinds
    observed[7:9] = sorted(observed[7:9])  # nobody waits for observers, so these two may come in any order
    assert observed == [
        "session_start",
        "user_prompt_submit",
        "session_busy",
        "pre_tool_use",
        "shell_env",
        "post_tool_use",
        "stop",
        "session_idle",
        "turn_end",
        "session_end",
    ]
    assert {event.model for event in script.events} == {"m1"}
    turns = {event.turn_id for event in script.events[1:-1]}
    assert len(turns) == 1
    assert turns != {None}
    assert script.events[0].source == "startup"
    assert script.events[-1].reason == "logout"
    assert script.events[-1].turn_id is None


@pytest.mark.parametrize(
    ("steps", "bad", "says"),
    [
        ([], "submit", "has not started: call start() first"),
        (["start"], "start", "no turn is under way"),
        (["start"], "tool", "call submit() first"),
        (["start"], "finish", "call submit() first"),
        (["start", "submit"], "submit", "call finish(), fail() or interrupt() first"),
        (["start", "end"], "submit", "the session has ended"),
        ([], "compact", "has not started"),
        ([], "end", "has not started"),
    ],
)
def test_steps_in_the_wrong_order_are_refused_with_the_step_to_take(drive, steps, bad, says):
    arguments = {"submit": ("Do it.",), "tool": ("Read", {}, echo), "compact": ("manual", lambda: "short")}
    session = drive(Script())
    for step in steps:
        getattr(session, step)(*arguments.get(step, ()))
    with pytest.raises(OrderError) as refused:
        getattr(session, bad)(*arguments.get(bad, ()))
    assert says in str(refused.value)


def test_a_session_that_ended_can_start_again(drive):
    script = Script()
    session = drive(script)
    session.start()
    session.end("clear")
    session.start("clear")
    assert script.kinds == ["session_start", "session_end", "session_start"]
    assert session.state == "idle"


def test_a_field_that_no_event_of_the_step_has_is_refused_by_name(turn):
    session, _ = turn()
    with pytest.raises(EventError, match="has no field 'colour'"):
        session.tool("Read", {}, echo, colour="red")
    with pytest.raises(EventError, match="tool_category"):
        session.tool("Read", {}, echo, tool_category=3)
    assert session.tool("Read", {}, echo, tool_category="read").output


def test_a_field_of_the_session_that_no_event_has_is_refused_at_once(drive):
    with pytest.raises(EventError, match="'colour'"):
        drive(Script(), colour="red")
    with pytest.raises(EventError, match="model"):
        drive(Script(), model=3)


def test_no_two_events_share_what_a_handler_could_change(turn):
    session, script = turn()
    session.tool("Read", {}, echo)
    before, after = script.only("pre_tool_use"), script.only("post_tool_use")
    assert before.native == after.native == {}
    assert before.native is not after.native
    assert "native" not in before.given


def test_fields_of_the_session_can_change_on_the_way(turn):
    session, script = turn({"permission_mode": "default"})
    session.fields["permission_mode"] = "plan"
    session.tool("Read", {}, echo)
    assert script.only("pre_tool_use").permission_mode == "plan"


def test_an_agent_gives_ids_of_its_own(drive):
    script = Script()
    session = drive(script)
    session.start()
    session.submit("Do it.", turn_id="turn_7")
    session.tool("Read", {}, echo, tool_use_id="toolu_1")
    assert script.only("user_prompt_submit").turn_id == "turn_7"
    call = script.only("post_tool_use")
    assert (call.turn_id, call.tool_use_id) == ("turn_7", "toolu_1")


def test_any_other_event_is_fired_with_what_the_session_knows(turn):
    session, script = turn({"model": "m1"}, post_tool_batch=Effect(context=("more",), messages=("look",)))
    outcome = session.fire(PostToolBatch(tool_calls=[]))
    assert outcome.context == ("more",)
    assert script.only("post_tool_batch").model == "m1"
    session.fire(Notification(message="x", model="m2"))
    assert script.only("notification").model == "m2"


def test_a_session_without_any_hook_just_works(home, workspace):
    with open_sync(workspace=workspace, home=home, host=Host()) as hooks, SyncAgentSession(hooks) as session:
        session.start()
        assert session.submit("Do it.").for_model == "Do it."
        assert session.tool("Bash", LS, echo, shell=True).for_model == f"ran {LS}"
        assert session.finish().status == "completed"
        assert threading.active_count() == 1  # nothing is queued where nobody listens


def test_leaving_the_block_ends_a_session_that_was_not_ended(home, workspace):
    script = Script()
    with (
        open_sync(workspace=workspace, home=home, host=scripted_host(script)) as hooks,
        SyncAgentSession(hooks) as session,
    ):
        session.start()
        session.submit("Do it.")
    # Closing waits for the observers that are still in the queue.
    assert script.only("session_end").reason == "other"
    assert script.only("turn_end").status == "interrupted"


# Start and prompt.


def test_a_refused_start_starts_nothing(drive):
    session = drive(Script(session_start=[denies("not here"), None]))
    refused = session.start()
    assert (refused.refused, refused.reason) == (True, "not here")
    with pytest.raises(OrderError):
        session.submit("Do it.")
    assert not session.start().refused


def test_a_stopped_start_keeps_the_first_prompt_from_hooks_and_model(drive):
    script = Script(session_start=Effect(decision="stop", reason="closed for today"))
    session = drive(script)
    assert session.start().ends_turn
    prompt = session.submit("Do it.")
    assert (prompt.goes_on, prompt.refused, prompt.reason, prompt.for_model) == (False, True, "closed for today", "")
    assert script.kinds == ["session_start"]
    assert session.submit("And now?").goes_on


def test_a_prompt_comes_back_rewritten_and_with_context(drive):
    session = drive(Script(user_prompt_submit=Effect(prompt="Do it well.", context=("It rains.",))))
    session.start()
    prompt = session.submit("Do it.")
    assert (prompt.prompt, prompt.context) == ("Do it well.", ("It rains.",))
    assert prompt.for_model == "Do it well.\n\nIt rains."


def test_a_refused_prompt_begins_no_turn_and_its_context_waits_for_the_next(drive):
    script = Script(user_prompt_submit=[Effect(decision="block", reason="no secrets", context=("early",)), None])
    session = drive(script)
    session.start()
    refused = session.submit("My password is x.")
    assert (refused.refused, refused.reason, refused.for_model, refused.context) == (True, "no secrets", "", ())
    assert script.kinds == ["session_start", "user_prompt_submit"]
    assert session.state == "idle"
    assert session.submit("Do it.").context == ("early",)


# Tool calls.


def test_a_refused_call_does_not_run(turn):
    session, script = turn(pre_tool_use=denies("not with me", context=("use the bin",)))
    ran = []
    result = session.tool("Bash", LS, lambda given, env: ran.append(given))
    assert (result.refused, result.reason, result.decision, ran) == (True, "not with me", "deny", [])
    assert result.for_model == "This call was refused: not with me\n\nuse the bin"
    assert script.kinds == ["pre_tool_use"]


def test_the_tool_runs_with_the_rewritten_input_and_later_hooks_see_it(turn):
    session, script = turn(pre_tool_use=Effect(updated_input={"command": "ls -l"}))
    result = session.tool("Bash", LS, echo)
    assert result.output == "ran {'command': 'ls -l'}"
    assert result.tool_input == script.only("post_tool_use").tool_input == {"command": "ls -l"}


def test_a_shell_gets_the_variables_of_hooks_and_of_the_session(drive):
    script = Script(session_start=Effect(env={"A": "1", "B": "1"}), shell_env=Effect(env={"B": "2"}))
    session = drive(script)
    session.start()
    session.submit("Do it.")
    seen = []
    session.tool("Bash", LS, lambda given, env: seen.append(dict(env)), shell=True)
    session.tool("Read", {}, lambda given, env: seen.append(dict(env)))
    assert seen == [{"A": "1", "B": "2"}, {}]
    assert script.kinds.count("shell_env") == 1


def test_what_hooks_say_of_a_result_reaches_the_model(turn):
    effect = Effect(decision="block", feedback=("format it",), context=("line 3",), messages=("formatted",))
    told = []
    session, _ = turn({"on_message": told.append}, post_tool_use=effect)
    result = session.tool("Write", {"file_path": "a"}, lambda given, env: "written")
    assert result.for_model == "written\n\nformat it\n\nline 3"
    assert (result.messages, told, result.refused) == (("formatted",), ["formatted"], False)


def test_an_exception_of_the_tool_is_its_result(turn):
    session, script = turn(post_tool_use_failure=Effect(context=("try sudo",)))

    def broken(given, env):
        raise PermissionError("no entry")

    result = session.tool("Bash", LS, broken)
    assert (result.failed, result.reason, type(result.error)) == (True, "no entry", PermissionError)
    assert result.for_model == "The call failed: no entry\n\ntry sudo"
    assert script.kinds == ["pre_tool_use", "shell_env", "post_tool_use_failure"]
    event = script.only("post_tool_use_failure")
    assert (event.error, event.tool_success, "tool_response" in event.given) == ("no entry", False, False)


def test_a_command_that_failed_says_so_itself(turn):
    session, script = turn()
    output = ToolOutput("no such file", success=False, exit_code=2, execution={"stderr": b"no such file"})
    result = session.tool("Bash", LS, lambda given, env: output)
    assert (result.failed, result.error, result.output) == (True, None, "no such file")
    event = script.only("post_tool_use_failure")
    assert (event.tool_exit_code, event.error) == (2, "it ended with status 2")
    assert (event.tool_response, event.execution) == ("no such file", {"stderr": "no such file"})


def test_an_output_that_json_has_no_word_for_is_told_as_text(turn):
    session, script = turn()
    result = session.tool("Read", {}, lambda given, env: {"when": complex(1, 2), "raw": b"\xff", 3: ("a", None, True)})
    told = script.only("post_tool_use").tool_response
    assert told == {"when": "(1+2j)", "raw": "\ufffd", "3": ["a", None, True]}
    assert '"(1+2j)"' in result.for_model


def test_a_hook_may_replace_the_output_by_one_of_the_same_shape(turn):
    noted = []
    replaced = [Effect(native={"updatedToolOutput": "***"}), Effect(native={"updatedToolOutput": {"a": 1}})]
    session, _ = turn({"on_diagnostic": noted.append}, post_tool_use=replaced)
    assert session.tool("Read", {}, lambda given, env: "secret").output == "***"
    assert session.tool("Read", {}, lambda given, env: "plain").output == "plain"
    (note,) = noted
    assert isinstance(note, Diagnostic)
    assert "gave dict in place of str" in note.message


def test_a_hook_that_ends_the_turn_lets_the_call_run_and_finish_asks_nobody(turn):
    session, script = turn(pre_tool_use=Effect(decision="stop", reason="enough"))
    result = session.tool("Read", {}, echo)
    assert (result.refused, result.ends_turn, session.ends_turn) == (False, True, True)
    assert result.output
    done = session.finish("Done.")
    assert (done.goes_on, done.ends_turn, done.status) == (False, True, "completed")
    assert "stop" not in script.kinds
    assert set(script.kinds[-2:]) == {"session_idle", "turn_end"}
    assert not session.ends_turn


# Permission.


def test_ask_of_a_hook_asks_the_person_and_the_session_waits_meanwhile(turn):
    questions = []

    def permission(question):
        questions.append((question, session.state))
        return True

    session, script = turn({"permission": permission}, pre_tool_use=Effect(decision="ask", reason="risky"))
    assert session.tool("Bash", LS, echo, tool_use_id="t1").output
    ((question, state),) = questions
    assert question == ("Bash", LS, "t1", "risky", "script")
    assert state == "waiting"
    assert script.kinds[:2] == ["pre_tool_use", "permission_request"]
    observed = {"waiting_for_user", "notification", "session_busy"}
    assert [kind for kind in script.kinds[2:] if kind not in observed] == ["shell_env", "post_tool_use"]
    assert observed < set(script.kinds)
    assert script.only("waiting_for_user").given.items() >= {"from_state": "in_progress", "reason": "approval"}.items()
    assert script.only("session_busy").from_state == "waiting"
    assert script.only("notification").notification_type == "permission_prompt"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (False, "The person did not permit this call."),
        (Permission(allowed=False, reason="later"), "later"),
    ],
)
def test_what_the_person_refuses_does_not_run(turn, answer, reason):
    session, script = turn({"permission": lambda question: answer})
    result = session.tool("Bash", LS, echo, ask=True)
    assert (result.refused, result.reason) == (True, reason)
    assert "post_tool_use" not in script.kinds
    assert session.state == "in_progress"


def test_the_person_may_change_the_input(turn):
    session, _ = turn({"permission": lambda question: Permission(allowed=True, updated_input={"command": "pwd"})})
    assert session.tool("Bash", LS, echo, ask=True).tool_input == {"command": "pwd"}


def test_nobody_to_ask_is_a_refusal(turn):
    session, script = turn(pre_tool_use=[Effect(decision="ask", reason="risky"), None])
    result = session.tool("Bash", LS, echo)
    assert (result.refused, result.reason) == (True, "risky")
    assert script.kinds == ["pre_tool_use"]
    assert session.tool("Bash", LS, echo, ask=True).reason == "Nobody can be asked for permission here."


def nobody(question):
    raise AssertionError(question)


def test_a_question_that_breaks_permits_nothing(turn):
    session, script = turn({"permission": nobody})
    with pytest.raises(AssertionError):
        session.tool("Bash", LS, echo, ask=True)
    assert "post_tool_use" not in script.kinds
    session.interrupt()
    assert session.state == "idle"


def test_allow_of_a_hook_spares_the_agent_its_own_question(turn):
    session, script = turn({"permission": nobody}, pre_tool_use=Effect(decision="allow"))
    assert session.tool("Bash", LS, echo, ask=True).output
    assert "permission_request" not in script.kinds


def test_a_permission_hook_answers_instead_of_the_person(turn):
    allowed = Effect(decision="allow", updated_input={"command": "ls -l"})
    session, _ = turn({"permission": nobody}, permission_request=[allowed, denies("never")])
    assert session.tool("Bash", LS, echo, ask=True).tool_input == {"command": "ls -l"}
    result = session.tool("Bash", LS, echo, ask=True)
    assert (result.refused, result.reason, result.decision) == (True, "never", "deny")


def test_a_refusal_is_never_overruled(turn):
    session, script = turn({"permission": lambda question: True}, pre_tool_use=denies())
    assert session.tool("Bash", LS, echo, ask=True).refused
    assert script.kinds == ["pre_tool_use"]


def test_the_agent_decides_to_ask_by_the_input_that_would_run(turn):
    session, _ = turn({"permission": lambda question: False}, pre_tool_use=Effect(updated_input={"command": "rm"}))
    assert session.tool("Bash", LS, echo, ask=lambda given: given["command"] == "rm").refused
    assert not session.tool("Bash", LS, echo, ask=lambda given: given["command"] == "ls").refused


# The end of a turn.


def test_a_turn_goes_on_only_with_feedback_and_counts(turn):
    stop = [
        Effect(decision="block", feedback=("Run the tests.",)),
        Effect(decision="block", feedback=("Commit.",)),
        None,
    ]
    session, script = turn(stop=stop)
    first = session.finish("Done.")
    assert (first.goes_on, first.for_model, first.continuations, first.status) == (True, "Run the tests.", 1, None)
    assert session.finish("Done again.").continuations == session.continuations == 2
    last = session.finish("Done at last.")
    assert (last.goes_on, last.for_model, last.status) == (False, "", "completed")
    seen = [
        (e.stop_hook_active, e.continuation_count, e.last_assistant_message) for e in script.events if e.kind == "stop"
    ]
    assert seen == [(False, 0, "Done."), (True, 1, "Done again."), (True, 2, "Done at last.")]
    assert script.kinds.count("session_idle") == script.kinds.count("turn_end") == 1
    session.submit("Next.")
    session.finish("Done.")
    assert [event for event in script.events if event.kind == "stop"][-1].stop_hook_active is False


def test_a_block_without_feedback_marks_the_turn_as_failed(turn):
    session, script = turn(stop=Effect(decision="block", reason="a hook broke"))
    result = session.finish("Done.")
    assert (result.goes_on, result.status, result.reason) == (False, "failed", "a hook broke")
    assert script.only("session_error").error == "a hook broke"
    assert script.only("session_idle").last_turn_status == script.only("turn_end").status == "failed"


def test_hooks_that_say_the_same_again_end_nothing_but_their_loop(turn):
    told = []
    session, _ = turn({"on_message": told.append}, stop=Effect(decision="block", feedback=("Run the tests.",)))
    assert session.finish("Done.").goes_on
    session.tool("Bash", LS, echo)
    assert session.finish("Ran them.").goes_on
    result = session.finish("Really done.")
    assert (result.goes_on, result.status, result.continuations) == (False, "completed", 2)
    assert "say the same again" in told[0]
    assert result.messages == tuple(told)


def test_hooks_that_never_let_go_are_overridden_after_so_many_times(turn):
    stop = [Effect(decision="block", feedback=(f"Step {at}",)) for at in range(9)]
    session, _ = turn({"max_continuations": 3}, stop=stop)
    assert [session.finish("Done.").goes_on for _ in range(4)] == [True, True, True, False]


def test_context_that_comes_with_the_end_of_a_turn_waits_for_the_next_prompt(turn):
    session, _ = turn(stop=Effect(context=("for later",)))
    assert session.finish("Done.").context == ()
    assert session.submit("Next.").context == ("for later",)


def test_feedback_that_says_nothing_keeps_nothing_going(turn):
    session, _ = turn(stop=Effect(decision="block", feedback=(" ", "")))
    assert (session.finish("Done.").goes_on, session.state) == (False, "idle")


def test_a_stop_that_ends_the_turn_beats_feedback(turn):
    session, _ = turn(stop=Effect(decision="stop", feedback=("Go on.",)))
    result = session.finish("Done.")
    assert (result.goes_on, result.ends_turn, result.status) == (False, True, "completed")


def test_the_end_of_a_turn_tells_what_happened_in_it(turn):
    session, script = turn()
    session.tool("Read", {}, echo)
    session.finish("Done.", usage={"input_tokens": 3})
    event = script.only("turn_end")
    assert (event.tool_count, event.status, event.usage) == (1, "completed", {"input_tokens": 3})
    assert event.duration_ms >= 0


def test_a_turn_that_failed(turn):
    session, script = turn()
    assert session.fail("rate_limit", details="429").reason == "rate_limit"
    assert script.kinds[0] == "error"
    assert sorted(script.kinds[1:]) == ["session_error", "session_idle", "turn_end"]
    event = script.only("error")
    assert (event.error, event.error_details) == ("rate_limit", "429")
    assert script.only("session_error").error == script.only("turn_end").error == "429"
    session.submit("Again.")
    assert session.fail(TimeoutError()).reason == "TimeoutError"


def test_a_turn_that_the_person_interrupted(turn):
    session, script = turn()
    session.interrupt()
    assert script.kinds[0] == "interrupt"
    assert sorted(script.kinds[1:]) == ["session_idle", "turn_end"]
    assert script.only("turn_end").status == "interrupted"
    assert session.submit("Go on.").goes_on


# Compaction and sub-agents.


def test_a_compaction_is_announced_and_the_session_begins_again_from_it(turn):
    session, script = turn(session_start=[None, Effect(context=("remember",))])
    result = session.compact("auto", lambda: "short", custom_instructions="keep names")
    assert (result.summary, result.context) == ("short", ("remember",))
    assert script.kinds == ["pre_compact", "post_compact", "session_start"]
    assert script.only("pre_compact").custom_instructions == "keep names"
    assert script.only("post_compact").compact_summary == "short"
    assert script.only("session_start").source == "compact"


def test_a_refused_compaction_does_not_run(turn):
    session, script = turn(pre_compact=Effect(decision="block", reason="not now"))
    result = session.compact("manual", lambda: pytest.fail("it ran"))
    assert (result.refused, result.reason, result.summary) == (True, "not now", None)
    assert script.kinds == ["pre_compact"]


def test_a_summary_that_hooks_refuse_is_not_given(turn):
    session, script = turn(post_compact=Effect(decision="block", reason="too short"))
    result = session.compact("manual", lambda: "s")
    assert (result.refused, result.reason, result.summary) == (True, "too short", None)
    assert "session_start" not in script.kinds


def test_a_compaction_that_failed_is_told_and_given_back(turn):
    session, script = turn()

    def broken():
        raise ValueError("too long")

    result = session.compact("auto", broken)
    assert (type(result.error), result.reason, result.summary) == (ValueError, "too long", None)
    assert script.only("post_compact").error == "too long"


@pytest.mark.parametrize(
    "answers",
    [
        {"pre_compact": Effect(decision="stop")},
        {"post_compact": Effect(decision="stop")},
        {"session_start": [None, denies("not again")]},
    ],
)
def test_hooks_of_a_compaction_may_end_the_turn(turn, answers):
    session, script = turn(**answers)
    session.compact("auto", lambda: "short")
    assert session.ends_turn
    session.finish("Done.")
    assert "stop" not in script.kinds


def test_a_sub_agent_may_be_refused_and_kept_going(turn):
    session, script = turn(
        subagent_start=[denies("none today"), Effect(context=("be brief",))],
        subagent_stop=[Effect(decision="block", feedback=("Cite the file.",)), Effect(context=("for the parent",))],
    )
    assert session.start_subagent("a1", "explorer").reason == "none today"
    with pytest.raises(OrderError, match="'a1', because it was not started"):
        session.stop_subagent("a1", "explorer", "found")
    assert session.start_subagent("a2", "explorer", prompt="Find it.").context == ("be brief",)
    assert session.stop_subagent("a2", "explorer", "found").for_model == "Cite the file."
    done = session.stop_subagent("a2", "explorer", "found in a.py")
    assert (done.goes_on, done.context) == (False, ("for the parent",))
    seen = [(event.stop_hook_active, event.agent_id) for event in script.events if event.kind == "subagent_stop"]
    assert seen == [(False, "a2"), (True, "a2")]


# What only one of the two kinds has.


@pytest.fixture
def loop_session(home, workspace):
    """Runs a test's body with an asynchronous session in a turn, and checks that nothing is left."""

    def run(body, script, **settings):
        async def main():
            options = {"workspace": workspace, "home": home, "host": scripted_host(script)}
            async with Supervisor.open(**options) as hooks, AgentSession(hooks, **settings) as session:
                await session.start()
                await session.submit("Do it.")
                await hooks.join_background()
                script.events.clear()
                await body(session)

        resources = Resources()
        asyncio.run(main())
        resources.check()

    return run


def test_calls_of_one_turn_run_at_once(loop_session):
    async def body(session):
        both = asyncio.Barrier(2)

        async def meet(given, env):
            await both.wait()
            return given

        results = await asyncio.gather(*(session.tool("Read", at, meet) for at in range(2)))
        assert [result.output for result in results] == [0, 1]

    loop_session(body, Script())


@pytest.fixture
def alone(monkeypatch):
    """Calls of the tool `Alone` must run alone."""
    monkeypatch.setattr(Supervisor, "serial_required", lambda self, event: event.tool_name == "Alone")


def test_a_call_that_must_run_alone_waits_and_holds_up_those_behind_it(loop_session, alone):
    async def body(session):
        log = []

        def run(name):
            async def running(given, env):
                log.append(f"{name} begins")
                for _ in range(20):
                    await asyncio.sleep(0)
                log.append(f"{name} ends")

            return running

        names = {"a": "Read", "b": "Read", "c": "Alone", "d": "Alone", "e": "Read"}
        await asyncio.gather(*(session.tool(tool, {}, run(name)) for name, tool in names.items()))
        assert log[:2] == ["a begins", "b begins"]
        assert log[4:] == ["c begins", "c ends", "d begins", "d ends", "e begins", "e ends"]

    loop_session(body, Script())


@pytest.mark.parametrize("outer", ["Read", "Alone"])
@pytest.mark.parametrize("inner", ["Read", "Alone"])
def test_a_call_that_another_one_makes_has_its_turn_with_that_one(loop_session, alone, outer, inner):
    async def body(session):
        async def nested(given, env):
            results = await asyncio.gather(*(session.tool(inner, at, echo) for at in range(2)))
            return [result.output for result in results]

        async with asyncio.timeout(30):
            assert (await session.tool(outer, {}, nested)).output == ["ran 0", "ran 1"]

    loop_session(body, Script())


def test_a_cancelled_call_holds_up_nobody(loop_session, alone):
    async def body(session):
        async def forever(given, env):
            await asyncio.Event().wait()

        calls = [asyncio.ensure_future(session.tool(name, {}, forever)) for name in ("Read", "Alone")]
        for _ in range(20):
            await asyncio.sleep(0)
        with pytest.raises(OrderError, match="2 tool calls have not returned"):
            await session.finish("Done.")
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        assert (await session.tool("Alone", {}, echo)).output

    loop_session(body, Script())


def test_the_session_waits_until_the_last_question_is_answered(loop_session):
    script = Script()
    answers = []

    async def permission(question):
        answer = asyncio.get_running_loop().create_future()
        answers.append(answer)
        return await answer

    async def body(session):
        calls = [asyncio.ensure_future(session.tool("Read", at, echo, ask=True)) for at in range(2)]
        while len(answers) < 2:
            await asyncio.sleep(0)
        answers[0].set_result(True)
        await calls[0]
        assert session.state == "waiting"
        answers[1].set_result(False)
        assert (await calls[1]).refused
        assert session.state == "in_progress"
        await session.hooks.join_background()
        assert script.kinds.count("waiting_for_user") == script.kinds.count("session_busy") == 1

    loop_session(body, script, permission=permission)


def test_a_turn_does_not_end_while_calls_run(loop_session):
    async def body(session):
        release = asyncio.Event()

        async def wait(given, env):
            await release.wait()

        call = asyncio.ensure_future(session.tool("Read", {}, wait))
        await asyncio.sleep(0)
        with pytest.raises(OrderError, match="1 tool calls have not returned"):
            await session.finish("Done.")
        release.set()
        await call
        assert (await session.finish("Done.")).status == "completed"

    loop_session(body, Script())


def test_a_step_runs_beside_no_other(loop_session):
    script = Script()

    async def slow(event):
        await asyncio.sleep(0)

    async def body(session):
        script.answers["stop"] = [slow(None)]
        first = asyncio.ensure_future(session.finish("Done."))
        await asyncio.sleep(0)
        with pytest.raises(OrderError, match=r"finish\(\) has not returned yet"):
            await session.finish("Done.")
        assert (await first).status == "completed"

    loop_session(body, script)


def test_a_cancelled_call_fires_nothing_more_and_the_turn_can_be_taken_up(loop_session):
    script = Script()

    async def body(session):
        started = asyncio.Event()

        async def forever(given, env):
            started.set()
            await asyncio.Event().wait()

        call = asyncio.ensure_future(session.tool("Read", {}, forever))
        await started.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert script.kinds == ["pre_tool_use"]
        await session.interrupt()
        assert session.state == "idle"

    loop_session(body, script)


def test_a_cancelled_question_fires_nothing_more(loop_session):
    script = Script()

    async def body(session):
        call = asyncio.ensure_future(session.tool("Read", {}, echo, ask=True))
        while session.state != "waiting":
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await session.hooks.join_background()
        assert sorted(script.kinds) == ["notification", "permission_request", "pre_tool_use", "waiting_for_user"]
        await session.interrupt()

    loop_session(body, script, permission=lambda question: asyncio.Event().wait())


def test_a_cancelled_submit_begins_no_turn(loop_session):
    script = Script()

    async def body(session):
        await session.finish("Done.")

        async def forever():
            await asyncio.Event().wait()

        script.answers["user_prompt_submit"] = [forever()]
        call = asyncio.ensure_future(session.submit("Do it."))
        await asyncio.sleep(0.0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert session.state == "idle"
        assert (await session.submit("Again.")).goes_on

    loop_session(body, script)


def test_callbacks_of_an_asynchronous_agent_may_be_coroutines(loop_session):
    told = []

    async def tell(text):
        told.append(text)

    async def body(session):
        await session.tool("Read", {}, echo)
        assert told == ["look"]

    loop_session(body, Script(post_tool_use=Effect(messages=("look",))), on_message=tell)


def test_a_plain_session_says_what_it_cannot_wait_for(home, workspace):
    async def run(given, env):
        return given

    with open_sync(workspace=workspace, home=home, host=Host()) as hooks, SyncAgentSession(hooks) as session:
        session.start()
        session.submit("Do it.")
        result = session.tool("Read", {}, run)
        assert result.failed
        assert "use `AgentSession`" in result.reason


def test_a_step_of_a_plain_session_that_waits_is_a_fault_that_says_so():
    from hookfw.sessions.plain import at_once

    with pytest.raises(RuntimeError, match="waited for something"):
        at_once(asyncio.sleep(0))


# What an agent hands in.


@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        (True, True),
        (Permission(allowed=True), True),
        (False, False),
        (None, False),
        ("no", False),
        (1, False),
        ({"allowed": False}, False),
        ((True, None, None), False),
        (Permission(allowed="no"), False),
    ],
)
def test_only_a_plain_yes_permits(turn, answer, runs):
    session, _ = turn({"permission": lambda question: answer})
    result = session.tool("Read", {}, echo, ask=True)
    assert result.refused is not runs
    assert "counts as no" in (result.reason or "") or runs or answer in (None, False)


def test_a_question_that_breaks_off_leaves_no_session_waiting(turn):
    class BrokenOff(BaseException):
        pass

    def permission(question):
        raise BrokenOff

    session, script = turn({"permission": permission})
    with pytest.raises(BrokenOff):
        session.tool("Read", {}, echo, ask=True)
    session.tool("Read", {}, echo)
    assert session.state == "in_progress"
    assert script.kinds.count("session_busy") == 1


def test_a_question_beneath_the_stop_of_another_handler_is_asked(turn):
    class Stops:
        @hookimpl
        def pre_tool_use(self, event):
            return Effect(decision="stop", stop_reason="enough")

    asked = []
    session, _ = turn({"permission": asked.append}, pre_tool_use=Effect(decision="ask", reason="sure?"))
    session.hooks.host.register(Stops(), "stops")
    assert session.tool("Read", {}, echo).refused
    assert len(asked) == 1
    assert session.ends_turn


def holding_itself():
    value = []
    value.append(value)
    return value


class Wordless:
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    "output",
    [holding_itself(), {1, 2}, {(1, 2): b"\xff"}, 10**5000, [Wordless()]],
    ids=["itself", "set", "key", "number", "wordless"],
)
def test_an_output_that_json_cannot_say_is_told_as_text(turn, output):
    session, script = turn()
    result = session.tool("Read", {"path": output}, lambda given, env: output)
    assert not result.failed
    assert result.for_model
    json.dumps([script.only("post_tool_use").tool_response, script.only("pre_tool_use").tool_input])
