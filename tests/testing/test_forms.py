"""The tables of the documentation say what really happens: every cell, by a hook that answers so."""

from __future__ import annotations

import pytest
from modes import MODES, Mode

from hookfw.events import KINDS
from hookfw.testing.forms import ABSENT, CELLS, SAID, cell, markdown, native_row, probes, table


@pytest.fixture(scope="module", params=MODES)
def mode(request, tmp_path_factory):
    found = Mode(request.param, tmp_path_factory.mktemp(request.param))
    yield found
    found.hooks.close()


def cells(mode):
    # A worktree that no hook names is refused by the agent itself, whatever else is said.
    for kind in sorted(set(mode.kinds) - {"worktree_create"}):
        for probe in probes(kind):
            found = cell(mode.agent, kind, probe)
            if found != ABSENT:
                yield kind, probe, found


TEXTS = {"context": "c", "feedback": "f", "messages": "m"}

PLACES = {
    "as context": "context",
    "as message": "messages",
    "told the model": "feedback",
    "in the reason": "reason",
    "in the prompt": "prompt",
}


def is_true(kind, probe, found, heard):
    """What the cell promises is what the agent heard."""
    outcome = probe.outcome
    told = outcome.prompt or outcome.stop_reason or TEXTS.get(probe.field, "")
    if found in PLACES:
        return told in (getattr(heard, PLACES[found]) or "")
    # The reason of what is left out may be shown all the same.
    shown = (*heard.context, *heard.feedback, *heard.messages) if probe.field in TEXTS else ()
    checks = {
        SAID: getattr(heard, probe.field) == getattr(outcome, probe.field),
        "refused": heard.refused or heard.ends_turn,
        "turn ends": heard.ends_turn,
        "no answer": not (heard.refused or heard.feedback),
        "left out": not (heard.refused or heard.ends_turn or heard.decision == "allow" or told in shown),
    }
    if found == SAID and probe.field == "decision":
        silent = kind == "permission_request" and outcome.decision == "ask"
        return heard.refused if outcome.refused else heard.decision == ("none" if silent else outcome.decision)
    return checks[found]


def test_every_cell_is_what_a_real_hook_with_this_answer_does(mode):
    wrong = []
    for kind, probe, found in cells(mode):
        event = mode.event(kind)
        _, heard = mode.really_heard(event, mode.agent.render(event, probe.outcome))
        if not is_true(kind, probe, found, heard):
            wrong.append((kind, probe.label, found, heard))
    assert wrong == []


def test_where_nothing_is_bent_the_cell_says_so(mode):
    for kind, probe, found in cells(mode):
        losses = mode.agent.can_say(mode.event(kind), probe.outcome)
        assert (found == SAID) == (probe.field not in [loss.field for loss in losses])


def test_a_mode_has_a_form_for_every_event_whose_hooks_steer(mode):
    # The end of a session may be told of a failure; it ends all the same.
    steering = [event.canonical for event in mode.dialect.events if event.steers]
    assert [kind for kind in steering if kind not in (*mode.agent.forms, "session_end")] == []


def test_tables_leave_out_what_every_mode_leaves_out_and_events_that_are_alike_share_one():
    class Deaf:
        name = "deaf"
        forms = {}  # noqa: RUF012 - as an agent declares it

    agents = {"deaf": Deaf()}
    assert all(not table(agents, kind) for kind in KINDS)
    assert native_row(agents, "stop") == (ABSENT,)
    assert markdown(agents) == ""
    assert set(CELLS.values()) >= {"refused", "left out"}
