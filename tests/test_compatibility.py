"""Compatibility modes from end to end: an agent's own call in, its answer out, and the answer heard by the agent's own reading."""

from __future__ import annotations

import json

import pytest
from modes import MODES, Mode

import hookfw
from hookfw import Effect, Host, NativeCall, hookimpl
from hookfw.merge import REFUSABLE
from hookfw.modes.forms import CALLS, ENDS

WORDS = ("none", "allow", "ask", "defer", "deny", "block", "stop")


class Deciding:
    """A plugin whose Python handlers ask for whatever they are told to ask for, on every event."""

    def __init__(self, kinds):
        self.effect = None
        self.seen = []
        for kind in kinds:
            setattr(self, kind, self.implementation(kind))

    def implementation(self, kind):
        @hookimpl(specname=kind)
        def implementation(event):
            return self.decide(event)

        return implementation

    def decide(self, event):
        self.seen.append(event)
        return self.effect


@pytest.fixture(scope="module", params=MODES)
def loop(request, tmp_path_factory):
    """A mode, and a supervisor in it whose only hooks are Python handlers."""
    mode = Mode(request.param, tmp_path_factory.mktemp(request.param))
    host = Host.load()
    deciding = Deciding(mode.kinds)
    host.register(deciding, "deciding")
    with mode.open(mode=mode.name, dialects=["mind" if mode.name != "mind" else "codex"], host=host) as hooks:
        yield mode, hooks, deciding
    mode.hooks.close()


def native_call(mode, event):
    """The call that the agent makes to its own hook on this event."""
    row = mode.row(event)
    return NativeCall(row.native_event, (), dict(row.env), row.stdin)


@pytest.mark.parametrize("word", WORDS)
def test_every_word_on_every_event_that_steers_is_heard_by_the_agent_as_no_less_than_it_was(loop, word):
    mode, hooks, deciding = loop
    for kind in mode.steering:
        form = mode.agent.forms[kind]
        told = []
        deciding.effect = Effect(decision=word, reason="why", stop_reason="why" if word == "stop" else None)
        call = native_call(mode, mode.event(kind))
        answer = hooks.fire_native(call, lambda event, outcome, told=told: told.append((event, outcome)))
        ((event, outcome),) = told
        # A call that failed is a result like any other to Codex.
        assert event.kind in (kind, "post_tool_use")
        assert outcome.decision == word
        assert len([note for note in outcome.diagnostics if note.code == "degraded"]) == len(
            mode.agent.can_say(event, outcome)
        )
        status, heard = mode.really_heard(mode.event(kind), answer)
        if kind == "worktree_create":
            assert heard.refused
            continue
        assert status == "completed"
        assert heard.decision != "allow" or word == "allow"
        if kind in ENDS:
            assert heard.ends_turn == (word == "stop" and form.stops)
        elif kind in REFUSABLE and (form.refuses or form.stops):
            assert (heard.refused or heard.ends_turn) == (outcome.refused or outcome.ends_turn or _refused(form, word))


def _refused(form, word):
    """What cannot be asked is refused."""
    return word == "ask" and not form.asks


def test_a_new_input_comes_back_in_the_agents_own_names_or_the_call_is_refused(loop):
    mode, hooks, deciding = loop
    for kind in set(CALLS) & set(mode.steering):
        deciding.effect = Effect(updated_input={"command": "better"})
        _, heard = mode.really_heard(mode.event(kind), hooks.fire_native(native_call(mode, mode.event(kind))))
        said = mode.agent.forms[kind].rewrites == "said"
        assert heard.updated_input == ({"command": "better"} if said else None)
        assert heard.refused != said


def test_the_session_and_the_folder_of_the_call_reach_the_hooks_of_all(loop):
    mode, hooks, deciding = loop
    deciding.effect = None
    for kind in mode.steering:
        deciding.seen.clear()
        given = mode.event(kind).replace(session_id="theirs", cwd=str(mode.folder))
        hooks.fire_native(native_call(mode, given))
        (seen,) = deciding.seen
        assert seen.workspace == str(mode.workspace)
        if mode.name != "codewhale":
            assert (seen.session_id, seen.cwd) == ("theirs", str(mode.folder))


def test_a_call_for_codewhale_names_its_workspace_and_session(home, workspace, tmp_path):
    (home / ".codewhale").mkdir()
    (home / ".codewhale" / "config.toml").write_text(
        f'[[hooks.hooks]]\nevent = "tool_call_before"\ncommand = \'printf "%s %s" "$DEEPSEEK_SESSION_ID" "$DEEPSEEK_WORKSPACE" > {tmp_path}/seen\'\n'
    )
    environ = {"DEEPSEEK_TOOL_NAME": "exec_shell", "DEEPSEEK_SESSION_ID": "theirs", "DEEPSEEK_WORKSPACE": str(tmp_path)}
    with hookfw.open_sync(workspace=workspace, home=home, mode="codewhale", session_id="ours") as hooks:
        hooks.fire_native(NativeCall("tool_call_before", environ=environ))
    assert (tmp_path / "seen").read_text() == f"theirs {tmp_path}"


@pytest.mark.parametrize("mode_name", MODES)
def test_a_call_that_names_no_event_is_an_event_error_in_one_sentence(home, workspace, mode_name):
    with (
        hookfw.open_sync(workspace=workspace, home=home, mode=mode_name) as hooks,
        pytest.raises(hookfw.EventError, match=r"\A[^\n]+[.?)]\Z"),
    ):
        hooks.fire_native(NativeCall(stdin=json.dumps({"cwd": "/"}).encode()))
