"""What an agent's form cannot say is never said more weakly than it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES, Mode

from hookfw import Host, Outcome, PermissionRequest, PostCompact, PostToolUse
from hookfw.merge import REFUSABLE
from hookfw.modes.forms import CALLS, ENDS

ANY = st.text(max_size=6)
PLAIN = st.text("abcdeé", min_size=1, max_size=6)
WORDS = ("none", "allow", "ask", "defer", "deny", "block", "stop")


def outcomes(texts):
    """Outcomes of whatever kind, also such as no dialect gives."""
    several = st.lists(texts, max_size=2).map(tuple)
    inputs = st.dictionaries(st.sampled_from(["command", "cmd", "x"]), texts | st.integers(), max_size=2)
    return st.builds(
        Outcome,
        decision=st.sampled_from(WORDS),
        refused=st.booleans(),
        ends_turn=st.booleans(),
        asks=st.booleans(),
        reason=st.none() | texts,
        stop_reason=st.none() | texts,
        updated_input=st.none() | texts | inputs,
        prompt=st.none() | texts,
        suppress_prompt=st.booleans(),
        context=several,
        feedback=several,
        messages=several,
        terminal_sequences=st.lists(st.sampled_from(["\a", "\x1b]0;t\a", "\x1b[2J"]), max_size=2).map(tuple),
        env=st.dictionaries(st.sampled_from(["A", "B C", "é"]), texts, max_size=2),
        native=st.dictionaries(
            st.sampled_from(["interrupt", "retry", "sessionTitle", "other"]), st.just(True), max_size=2
        ),
    )


@pytest.fixture(scope="module", params=MODES)
def mode(request, tmp_path_factory):
    found = Mode(request.param, tmp_path_factory.mktemp(request.param))
    yield found
    found.hooks.close()


def check_end(form, outcome, heard):
    """A turn that is to end ends; one that is to go on goes on where the agent can be told so."""
    if outcome.ends_turn:
        assert heard.ends_turn or not form.stops
        assert not heard.feedback
    elif form.feedback:
        assert bool(heard.feedback) == any(told.strip() for told in outcome.feedback)


def check_refusals(form, event, outcome, heard, losses):
    """Refused stays refused, an end of the turn stays or is refused, and so does a question."""
    held = heard.refused or heard.ends_turn
    can_refuse = event.kind in REFUSABLE and (form.refuses or form.stops)
    if outcome.refused and event.kind in REFUSABLE:
        assert held == can_refuse
        assert can_refuse or "decision" in losses
    if outcome.ends_turn and not heard.ends_turn:
        assert heard.refused if can_refuse else "ends_turn" in losses
    if (outcome.asks or outcome.decision == "ask") and can_refuse:
        assert (
            heard.refused
            or heard.asks
            or heard.decision == "ask"
            or form.asks == "silence"
            or (held and (form.stop_refuses or not form.refuses))
        )


def check_rewrites(event, outcome, heard):
    """A rewrite stays what it was, or nothing goes ahead."""
    if heard.refused or heard.ends_turn:
        return
    if event.kind in CALLS and outcome.updated_input is not None:
        assert heard.updated_input == outcome.updated_input
    if event.kind != "user_prompt_submit":
        return
    if outcome.prompt is not None and outcome.prompt != event.prompt:
        replaced = heard.prompt is not None and heard.prompt.startswith(outcome.prompt)
        assert replaced or (heard.suppress_prompt and outcome.prompt.strip() in heard.context[0])
    assert heard.suppress_prompt or not outcome.suppress_prompt


def check_not_weaker(mode, event, outcome, heard):
    """The outcome that the agent hears asks for no less than the one that was to be said, and allows no more."""
    form = mode.agent.forms[event.kind]
    if event.kind in ENDS:
        check_end(form, outcome, heard)
        return
    check_refusals(form, event, outcome, heard, {loss.field for loss in mode.agent.can_say(event, outcome)})
    check_rewrites(event, outcome, heard)
    if heard.decision == "allow":
        assert outcome.decision == "allow"
        assert not outcome.refused


def found_again(told, heard, answer):
    """A text is heard, wherever; a denial beside a stop is only said."""
    texts = [heard.reason, heard.stop_reason, heard.prompt, *heard.context, *heard.feedback, *heard.messages]
    if heard.refused and heard.ends_turn:
        texts.append(answer.stdout.decode())
    return any(" ".join(told.split()) in " ".join(text.split()) for text in texts if text)


QUICK = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(data=st.data())
def test_no_answer_is_weaker_than_its_outcome(mode, data):
    event = mode.event(data.draw(st.sampled_from(mode.steering)))
    outcome = data.draw(outcomes(ANY))
    status, heard = mode.heard(event, mode.agent.render(event, outcome))
    assert status == "completed" or event.kind == "worktree_create"
    check_not_weaker(mode, event, outcome, heard)


@QUICK
@given(data=st.data())
def test_every_text_is_heard_somewhere_or_is_a_loss_and_no_field_is_lost_twice(mode, data):
    event = mode.event(data.draw(st.sampled_from(mode.steering)))
    outcome = data.draw(outcomes(PLAIN))
    answer = mode.agent.render(event, outcome)
    _, heard = mode.heard(event, answer)
    losses = {loss.field: loss.becomes for loss in mode.agent.can_say(event, outcome)}
    assert len(losses) == len(mode.agent.can_say(event, outcome))
    texts = [(name, told) for name in ("context", "feedback", "messages") for told in getattr(outcome, name)]
    texts += [(name, getattr(outcome, name) or "") for name in ("reason", "stop_reason")]
    for name, told in texts:
        asked = name == "reason" and outcome.decision == "ask" and mode.agent.forms[event.kind].asks == "silence"
        unsaid = [field for field, becomes in losses.items() if becomes in ("nothing", "part", "silence")]
        same = name in ("reason", "stop_reason") and told in (outcome.reason, *outcome.feedback)[name == "reason" :]
        if told.strip() and not asked and not same and name not in unsaid:
            assert found_again(told, heard, answer), (name, losses)


@QUICK
@given(data=st.data())
def test_what_is_heard_otherwise_than_it_was_is_a_loss(mode, data):
    event = mode.event(data.draw(st.sampled_from(mode.steering)))
    outcome = data.draw(outcomes(PLAIN))
    _, heard = mode.heard(event, mode.agent.render(event, outcome))
    losses = mode.agent.can_say(event, outcome)
    fields = {loss.field for loss in losses}
    stronger = any(loss.becomes in ("refusal", "stop") for loss in losses)
    plain = not (outcome.refused or outcome.ends_turn or event.kind in ENDS)
    if outcome.decision in ("allow", "ask") and plain:
        meant = "ask" if outcome.asks else outcome.decision
        silent = meant == "ask" and mode.agent.forms[event.kind].asks == "silence"
        assert heard.decision == meant or silent or stronger or "decision" in fields
    # A worktree whose place no hook names is refused by the agent itself.
    if heard.refused and event.kind not in (*ENDS, "worktree_create"):
        assert outcome.refused or outcome.decision in ("deny", "block", "defer") or stronger
    if heard.ends_turn:
        assert outcome.ends_turn or outcome.decision == "defer" or stronger
    for name in ("env", "native"):
        assert name in fields or getattr(outcome, name).keys() <= getattr(heard, name).keys()
    assert "terminal_sequences" in fields or heard.terminal_sequences == _joined(outcome.terminal_sequences)


def _joined(sequences):
    return ("".join(sequences),) if sequences else ()


def test_an_event_that_the_agent_does_not_have_is_answered_with_nothing_and_all_of_it_is_lost(mode):
    from hookfw.events import KINDS

    outcome = Outcome(decision="deny", refused=True, reason="no", context=("c",), messages=("m",), env={"A": "1"})
    for kind in set(KINDS) - set(mode.agent.forms):
        event = mode.event(kind)
        answer = mode.agent.render(event, outcome)
        assert answer == (0, b"", b"")
        lost = {loss.field: loss.becomes for loss in mode.agent.can_say(event, outcome)}
        assert set(lost) == {"decision", "reason", "context", "messages", "env"}
        assert set(lost.values()) <= {"nothing", "silence"}


@pytest.mark.parametrize("name", ["deepagents", "mind"])
def test_a_text_that_is_reason_and_feedback_at_once_is_said_somewhere(name):
    agent = Host.load().agent(name)
    event = PostCompact(session_id="s") if name == "mind" else PermissionRequest(tool_name="Bash", session_id="s")
    answer = agent.render(event, Outcome(ends_turn=True, reason="because", feedback=("because",)))
    assert b"because" in answer.stdout + answer.stderr


def test_a_stop_that_only_objects_tells_both_of_its_texts():
    outcome = Outcome(decision="stop", reason="why", stop_reason="enough")
    answer = Host.load().agent("mind").render(PostToolUse(tool_name="Bash", session_id="s"), outcome)
    assert json.loads(answer.stdout)["reason"] == "why\n\nenough"
