from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.wire import InvalidAnswerError, OneOf, OrNull, Wire

TOP = {"continue": bool, "message": str | None}
FORMS = {
    "Call": {"word": Literal["yes", "no"], "input": dict[str, Any] | None},
    "Prompt": {"decision": OneOf("behavior", {"allow": {"input": dict[str, Any]}, "deny": {"message": str}})},
    "Nested": {"decision": {"behavior": Literal["allow"], "interrupt": bool}},
}
REQUIRED = frozenset({"Prompt.decision", "Nested.decision.behavior"})


def wire(**changes):
    return Wire(**{"top": dict.fromkeys([*FORMS, "Bare"], TOP), "specific": FORMS, "required": REQUIRED} | changes)


STRICT = wire()
LAX = wire(strict=False, extra="report", extra_specific="ignore", foreign=True, null_specific=True)


def specific(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def refused(form, event, value):
    with pytest.raises(InvalidAnswerError) as caught:
        form.read(event, value)
    return caught.value.field, caught.value.detail


def test_the_fields_that_were_given_come_back_and_no_others():
    answer = STRICT.read("Call", {"continue": False, **specific("Call", word="yes")})
    assert answer.top == {"continue": False}
    assert answer.specific == {"hookEventName": "Call", "word": "yes"}
    assert STRICT.read("Call", {}) == ({}, {}, ())


@pytest.mark.parametrize(
    ("value", "kind"), [([], "a list"), (5, "a number"), ("x", "a text"), (None, "null"), (True, "a boolean")]
)
def test_an_answer_is_an_object(value, kind):
    assert refused(STRICT, "Call", value) == ("", f"it must be a JSON object, not {kind}")


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"continue": "false"}, "continue"),
        ({"continue": None}, "continue"),
        ({"message": 5}, "message"),
        ({"other": 1}, "other"),
        (specific("Call", word="perhaps"), "hookSpecificOutput.word"),
        (specific("Call", other=1), "hookSpecificOutput.other"),
        ({"hookSpecificOutput": {"word": "yes"}}, "hookSpecificOutput.hookEventName"),
        (specific("Prompt"), "hookSpecificOutput.hookEventName"),
        ({"hookSpecificOutput": None}, "hookSpecificOutput"),
    ],
)
def test_a_strict_form_names_the_first_field_that_is_wrong(value, field):
    assert refused(STRICT, "Call", value)[0] == field


def test_null_is_fine_where_the_type_has_it():
    assert STRICT.read("Call", {"message": None}).top == {"message": None}


def test_an_event_without_a_form_of_its_own_takes_none():
    assert refused(STRICT, "Bare", specific("Call"))[0] == "hookSpecificOutput"


def test_a_lax_form_converts_reports_and_ignores():
    answer = LAX.read("Call", {"continue": "false", "z": 1, "a": 2, **specific("Call", word="no", other=1)})
    assert answer.top == {"continue": False}
    assert answer.unknown == ("a", "z")
    assert answer.specific == {"hookEventName": "Call", "word": "no"}
    assert LAX.read("Bare", {"hookSpecificOutput": None}).specific == {}


def test_the_form_of_another_event_is_read_where_the_agent_takes_it():
    answer = LAX.read("Call", specific("Prompt", decision={"behavior": "deny", "message": "no"}))
    assert answer.specific["hookEventName"] == "Prompt"
    assert refused(LAX, "Call", specific("Bare"))[1].startswith("its `hookEventName` must be one of")
    assert refused(LAX, "Call", {"hookSpecificOutput": {}}) == ("hookSpecificOutput", "it has no `hookEventName`")


def test_an_object_of_one_of_several_shapes_is_told_by_its_field():
    given = {"behavior": "allow", "input": {"a": 1}}
    assert STRICT.read("Prompt", specific("Prompt", decision=given)).specific["decision"] == given
    field, detail = refused(STRICT, "Prompt", specific("Prompt", decision={"behavior": "maybe"}))
    assert (field, detail) == (
        "hookSpecificOutput.decision",
        "its `behavior` must be one of 'allow', 'deny', not 'maybe'",
    )
    way = "hookSpecificOutput.decision.input"
    assert refused(STRICT, "Prompt", specific("Prompt", decision={"behavior": "allow", "input": 4}))[0] == way
    assert refused(STRICT, "Prompt", specific("Prompt", decision={"behavior": "deny", "input": {}}))[0] == way


def test_a_required_field_that_is_missing_is_named():
    assert refused(STRICT, "Prompt", specific("Prompt"))[0] == "hookSpecificOutput.decision"
    assert refused(STRICT, "Nested", specific("Nested", decision={}))[0] == "hookSpecificOutput.decision.behavior"


def test_texts_are_read_by_name_and_other_values_are_no_text():
    answer = LAX.read("Call", {"message": "m", "continue": True, **specific("Call", word="yes")})
    assert (answer.text("message"), answer.text("continue"), answer.text("nope")) == ("m", None, None)
    assert (answer.specific_text("word"), answer.specific_text("nope")) == ("yes", None)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["continue", "message", "hookSpecificOutput", "hookEventName", "word", "decision", "behavior"]
            ),
            inner | st.sampled_from(["Call", "Prompt", "yes", "allow"]),
        )
    ),
    max_leaves=10,
)


@given(VALUES, st.sampled_from(["Call", "Prompt", "Nested", "Bare"]), st.sampled_from([STRICT, LAX]))
def test_any_json_is_an_answer_or_refused_with_a_reason(value, event, form):
    try:
        said = set(form.read(event, value).top) <= set(TOP)
    except InvalidAnswerError as error:
        said = bool(error.detail)
    assert said


CLOSED = Wire(
    top={"One": {"a": str | None}, "Other": {}},
    specific={"One": {"b": OrNull({"c": bool})}},
    required=frozenset({"One.b.c"}),
    any_event=True,
)


@pytest.mark.parametrize("name", ["One", "Other"])
def test_where_any_event_may_be_named_the_fields_are_those_of_the_event_at_hand(name):
    answer = CLOSED.read("One", {"hookSpecificOutput": {"hookEventName": name, "b": {"c": True}}})
    assert answer.specific == {"hookEventName": name, "b": {"c": True}}
    assert CLOSED.read("One", {"hookSpecificOutput": None}).specific == {}
    assert CLOSED.read("One", {"hookSpecificOutput": {"hookEventName": name, "b": None}}).specific["b"] is None


@pytest.mark.parametrize(
    ("event", "specific", "field"),
    [
        ("One", {"hookEventName": "Third"}, "hookSpecificOutput.hookEventName"),
        ("One", {"b": None}, "hookSpecificOutput.hookEventName"),
        ("One", {"hookEventName": "One", "b": {}}, "hookSpecificOutput.b.c"),
        ("One", {"hookEventName": "One", "d": 1}, "hookSpecificOutput.d"),
        ("Other", {"hookEventName": "Other"}, "hookSpecificOutput"),
        ("Other", None, "hookSpecificOutput"),
    ],
)
def test_an_event_without_fields_of_its_own_takes_none_not_even_null(event, specific, field):
    with pytest.raises(InvalidAnswerError) as caught:
        CLOSED.read(event, {"hookSpecificOutput": specific})
    assert caught.value.field == field
