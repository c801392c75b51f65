from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hookfw import Hook, PatternTimeoutError, PreToolUse, Row, Source
from hookfw.matching import MEMO_LIMIT, HookIndex, why_not


def make(name, *, keys=None, predicate=None, event="pre"):
    return Hook(
        name=name,
        dialect="d",
        event=event,
        handler="command",
        summary="",
        source=Source("f", "user", name),
        timeout=1,
        keys=None if keys is None else frozenset(keys),
        predicate=predicate,
    )


def row(*subjects, facts=None, event="pre"):
    return Row(native_event=event, event=PreToolUse(), subjects=subjects, facts=facts)


def names(selection):
    return [hook.name for hook in selection.hooks]


def test_hooks_come_in_configuration_order_whatever_found_them():
    hooks = [make("a", keys="x"), make("b"), make("c", keys="xy"), make("d", keys="y")]
    assert names(HookIndex(hooks).select(row("x"))) == ["a", "b", "c"]


def test_a_hook_found_by_two_subjects_is_there_once():
    assert names(HookIndex([make("a", keys="xy")]).select(row("x", "y"))) == ["a"]


def test_a_key_and_a_predicate_must_both_hold():
    hook = make("a", keys="x", predicate=lambda facts: None if facts == 1 else "facts is not 1")
    index = HookIndex([hook])
    assert names(index.select(row("x", facts=1))) == ["a"]
    assert names(index.select(row("x", facts=2))) == []
    assert names(index.select(row("y", facts=1))) == []


def test_another_event_has_no_hooks():
    assert names(HookIndex([make("a")]).select(row("x", event="post"))) == []


def test_a_predicate_is_asked_once_for_the_same_facts():
    asked = []
    index = HookIndex([make("a", predicate=asked.append)])
    for _ in range(3):
        assert names(index.select(row(facts="f"))) == ["a"]
    assert asked == ["f"]


def test_a_pattern_that_runs_out_of_time_counts_as_matched_and_is_told():
    def slow(facts):
        raise PatternTimeoutError

    selection = HookIndex([make("a", predicate=slow), make("b")]).select(row("x"))
    assert names(selection) == ["a", "b"]
    assert [hook.name for hook in selection.doubtful] == ["a"]


def test_the_memo_is_bounded():
    index = HookIndex([make("a", predicate=lambda facts: None)])
    for number in range(MEMO_LIMIT + 50):
        index.select(row(facts=number))
    assert len(index._buckets["pre"].memo) == MEMO_LIMIT


def test_the_reason_for_no_is_said():
    assert why_not(make("a", keys="x"), row("y")) == "it is for 'x', not for 'y'"
    assert why_not(make("a", keys="x"), row()) == "it is for 'x', not for an event without a subject"
    assert why_not(make("a", event="post"), row("y")) == "it is for the event post"
    assert why_not(make("a", predicate=lambda facts: "no luck"), row("y")) == "no luck"
    assert why_not(make("a"), row("y")) is None


@given(
    st.lists(
        st.tuples(st.none() | st.frozensets(st.sampled_from("abc")), st.none() | st.frozensets(st.integers(0, 3))),
        max_size=8,
    ),
    st.lists(st.tuples(st.lists(st.sampled_from("abcd"), max_size=3), st.integers(0, 3)), max_size=8),
)
def test_the_index_finds_what_asking_every_hook_finds(described, rows):
    hooks = [
        make(
            str(at),
            keys=keys,
            predicate=None if good is None else lambda facts, good=good: None if facts in good else "no",
        )
        for at, (keys, good) in enumerate(described)
    ]
    index = HookIndex(hooks)
    for subjects, facts in rows:
        asked = row(*subjects, facts=facts)
        assert names(index.select(asked)) == [hook.name for hook in hooks if why_not(hook, asked) is None]


def test_the_literal_keys_of_events_are_told_unless_one_hook_must_always_be_asked():
    index = HookIndex([make("a", keys="xy"), make("b", keys="z", event="post"), make("c", event="other")])
    assert index.literal_keys(["pre", "post", "none"]) == set("xyz")
    assert index.literal_keys(["pre", "other"]) is None
