from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import SessionBusy, SessionIdle, WaitingForUser
from hookfw_codewhale.states import STATES, SessionStates, waiting_reason


@pytest.mark.parametrize("state", STATES)
def test_the_first_state_and_a_repeated_one_are_silent(state):
    states = SessionStates()
    assert states.observe(state) is None
    assert states.observe(state) is None
    assert states.state == state


def test_a_turn_that_waits_for_the_person_fires_the_documented_events():
    states = SessionStates()
    states.observe("idle")
    fired = [
        states.observe("in_progress"),
        states.observe("waiting", reason="user_input"),
        states.observe("in_progress"),
        states.observe("idle", last_turn_status="completed"),
    ]
    assert fired == [
        SessionBusy(from_state="idle", to_state="in_progress"),
        WaitingForUser(from_state="in_progress", to_state="waiting", reason="user_input"),
        SessionBusy(from_state="waiting", to_state="in_progress"),
        SessionIdle(from_state="in_progress", to_state="idle", last_turn_status="completed"),
    ]


@pytest.mark.parametrize("state", ["idle", "waiting"])
def test_what_is_not_known_is_absent_and_not_null(state):
    states = SessionStates()
    states.observe("in_progress")
    assert set(states.observe(state).given) == {"from_state", "to_state"}


def test_a_known_status_and_reason_count_as_given():
    states = SessionStates()
    states.observe("in_progress")
    assert states.observe("waiting", reason="approval").given["reason"] == "approval"
    assert states.observe("idle", last_turn_status="failed").given["last_turn_status"] == "failed"


def test_an_unknown_state_is_an_error_that_names_the_states_and_changes_nothing():
    states = SessionStates()
    states.observe("idle")
    with pytest.raises(ValueError, match=r"'busy'.*idle, in_progress, waiting"):
        states.observe("busy")
    assert states.state == "idle"


@given(st.lists(st.sampled_from(sorted(STATES))))
def test_events_are_the_changes_in_their_order(observed):
    states = SessionStates()
    fired = [event for state in observed if (event := states.observe(state)) is not None]
    changes = [(a, b) for a, b in pairwise(observed) if a != b]
    assert [(event.from_state, event.to_state) for event in fired] == changes
    assert [event.kind for event in fired] == [STATES[state] for _, state in changes]


@pytest.mark.parametrize(
    ("approval", "user_input", "goal", "expected"),
    [
        (True, True, True, "approval"),
        (False, True, True, "user_input"),
        (False, False, True, "goal_continuation"),
        (False, False, False, None),
    ],
)
def test_an_approval_is_told_before_a_question_and_a_question_before_a_goal(approval, user_input, goal, expected):
    assert waiting_reason(approval=approval, user_input=user_input, goal_continuation=goal) == expected
