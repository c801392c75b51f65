from __future__ import annotations

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Error, EventError, PostToolUse, PreToolUse, SessionStart, UnknownEventError
from hookfw.events import CLASS_OF, KINDS, event_class, parse_event

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_class_that_knows_its_kind(kind):
    cls = event_class(kind)
    assert cls.kind == kind
    assert cls().given == {}
    assert parse_event(kind, {})[0] == cls()


def test_the_kinds_are_the_canonical_events():
    assert len(KINDS) == 43
    assert CLASS_OF["error"] == "Error"
    assert event_class("error") is Error


def test_an_unknown_kind_is_said():
    with pytest.raises(UnknownEventError, match="'nope'"):
        event_class("nope")


def test_null_is_given_and_absent_is_not():
    event = parse_event("session_start", {"source": None})[0]
    assert event.given == {"source": None}
    assert SessionStart().given == {}


def test_an_event_cannot_be_changed_but_replaced():
    event = PreToolUse(tool_name="Bash", session_id=None)
    with pytest.raises(pydantic.ValidationError):
        event.tool_name = "Write"
    other = event.replace(tool_input={"a": 1})
    assert other == PreToolUse(tool_name="Bash", session_id=None, tool_input={"a": 1})
    assert other.given == {"session_id": None, "tool_name": "Bash", "tool_input": {"a": 1}}
    assert event.tool_input is None


def test_fields_that_an_event_does_not_have_are_named():
    event, unknown = parse_event("pre_tool_use", {"tool_name": "Bash", "tool_nmae": "x", "prompt": "y"})
    assert event == PreToolUse(tool_name="Bash")
    assert unknown == ("tool_nmae", "prompt")
    with pytest.raises(pydantic.ValidationError, match="tool_nmae"):
        PreToolUse(tool_nmae="x")


def test_a_field_of_the_wrong_type_is_one_sentence_that_names_it():
    with pytest.raises(EventError, match=r"post_tool_use.*tool_success") as raised:
        parse_event("post_tool_use", {"tool_success": "perhaps"})
    assert "\n" not in str(raised.value)


def test_half_a_surrogate_pair_becomes_the_replacement_character():
    assert parse_event("pre_tool_use", {"tool_name": "a\ud800b"})[0].tool_name == "a\ufffdb"
    assert parse_event("pre_tool_use", {"tool_input": {"\ud800": 1}})[0].tool_input == {"\ufffd": 1}


@given(
    st.sampled_from(KINDS).flatmap(
        lambda kind: st.tuples(
            st.just(kind), st.dictionaries(st.sampled_from(sorted(event_class(kind).model_fields)), JSON, max_size=4)
        )
    )
)
def test_parsing_is_what_the_model_says_whether_or_not_a_validator_was_needed(made):
    kind, fields = made
    try:
        wanted = event_class(kind)(**fields)
    except pydantic.ValidationError:
        with pytest.raises(EventError):
            parse_event(kind, fields)
        return
    event, unknown = parse_event(kind, fields)
    assert event == wanted
    assert event.given == wanted.given
    assert unknown == ()


def test_a_long_number_and_a_whole_number_keep_their_types():
    event = PostToolUse(tool_exit_code=3221225477, duration_ms=12, session_cost=1)
    assert (event.tool_exit_code, event.duration_ms, event.session_cost) == (3221225477, 12, 1.0)
