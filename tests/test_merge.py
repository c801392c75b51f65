from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from hookfw import Rewrite, Verdict
from hookfw.merge import merge
from hookfw.outcome import STRENGTH, Answer

WORDS = tuple(STRENGTH)
texts = st.lists(st.sampled_from(["one", "two", "three"]), max_size=2).map(tuple)
verdicts = st.lists(
    st.builds(
        Verdict,
        dialect=st.sampled_from(["a", "b", "c"]),
        decision=st.sampled_from(WORDS),
        reason=st.none() | st.sampled_from(["r", "s"]),
        refused=st.booleans(),
        ends_turn=st.booleans(),
        updated_input=st.none() | st.dictionaries(st.sampled_from("xy"), st.integers(), max_size=2),
        prompt=st.none() | st.sampled_from(["p", "q"]),
        context=texts,
        feedback=texts,
        messages=texts,
        env=st.dictionaries(st.sampled_from("XY"), st.sampled_from("12"), max_size=2),
        decided_by=st.none() | st.sampled_from(["h", "i"]),
    ),
    max_size=5,
)


@given(verdicts)
def test_a_refusal_is_never_lost(given_verdicts):
    for order in itertools.islice(itertools.permutations(given_verdicts), 6):
        outcome = merge(order)
        assert outcome.refused == any(verdict.refused for verdict in given_verdicts)
        assert outcome.ends_turn == any(verdict.ends_turn for verdict in given_verdicts)


@given(verdicts)
def test_the_order_of_dialects_never_weakens_a_decision(given_verdicts):
    strongest = max((STRENGTH[verdict.decision] for verdict in given_verdicts), default=0)
    for order in itertools.islice(itertools.permutations(given_verdicts), 6):
        merged = STRENGTH[merge(order).decision]
        # An allow may fall away, which weakens nothing: it is a permission.
        assert merged == strongest or strongest == STRENGTH["allow"] > merged


@given(verdicts.filter(bool))
def test_merging_one_changes_nothing(given_verdicts):
    one = given_verdicts[0]
    outcome = merge([one])
    for name in (*Answer.__dataclass_fields__, "refused", "ends_turn"):
        assert getattr(outcome, name) == getattr(one, name)
    assert outcome.decided_by == (one.decided_by if one.decision != "none" else None)


@given(verdicts)
def test_lists_are_joined_in_order_and_later_variables_win(given_verdicts):
    outcome = merge(given_verdicts)
    assert outcome.context == tuple(text for verdict in given_verdicts for text in verdict.context)
    env = {}
    for verdict in given_verdicts:
        env |= verdict.env
    assert outcome.env == env


def test_among_equals_the_first_in_order_gives_the_reason():
    first = Verdict(dialect="a", decision="deny", reason="first", decided_by="h")
    second = Verdict(dialect="b", decision="block", reason="second", decided_by="i")
    outcome = merge([first, second])
    assert (outcome.decision, outcome.reason, outcome.decided_by, outcome.decided_in) == ("deny", "first", "h", "a")


def test_a_denial_stays_beside_a_stop():
    outcome = merge(
        [
            Verdict(dialect="a", decision="deny", reason="no", refused=True),
            Verdict(dialect="b", decision="stop", reason="enough", ends_turn=True),
        ]
    )
    assert (outcome.decision, outcome.refused, outcome.ends_turn) == ("stop", True, True)


def test_the_last_rewrite_stands_and_says_whose_it_replaced():
    outcome = merge(
        [
            Verdict(dialect="a", updated_input={"x": 1}),
            Verdict(dialect="b"),
            Verdict(dialect="c", updated_input={"x": 2}),
        ]
    )
    assert outcome.updated_input == {"x": 2}
    assert outcome.rewrite == Rewrite("c", "a")


@given(verdicts.filter(bool))
def test_one_verdict_and_one_beside_a_silent_one_give_the_same(given_verdicts):
    one = given_verdicts[0]
    assert merge([one, Verdict(dialect="silent")]) == merge([one])


def test_an_allow_permits_only_the_call_that_it_judged():
    allow = Verdict(dialect="a", decision="allow", reason="fine", decided_by="h")
    rewrite = Verdict(dialect="b", updated_input={"command": "rm -rf /"})
    fallen = merge([allow, rewrite])
    assert (fallen.decision, fallen.decided_by) == ("none", None)
    assert [item.code for item in fallen.diagnostics] == ["allow-outdated"]
    assert merge([rewrite, allow]).decision == "allow"
    both = Verdict(dialect="a", decision="allow", updated_input={"command": "ls"})
    assert merge([both, Verdict(dialect="b")]).decision == "allow"
    assert merge([allow, rewrite, allow]).decision == "allow"
