from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.placeholders import filled

EVENT = {
    "session_id": "s",
    "tool_input": {"command": "ls", "count": 3, "list": [{"a": "x"}, None], "nothing": None, "text": "${session_id}"},
}


def fill(value, *, typed=True):
    missing = []
    return filled(value, EVENT, missing, typed=typed), missing


@pytest.mark.parametrize(
    ("written", "typed", "text"),
    [
        ("${tool_input.command}", "ls", "ls"),
        ("${tool_input.count}", 3, "3"),
        ("${tool_input.nothing}", None, "null"),
        ("${tool_input.list}", [{"a": "x"}, None], '[{"a":"x"},null]'),
        ("${tool_input.list.0.a}", "x", "x"),
        ("${ session_id }", "s", "s"),
        ("in ${session_id}: ${tool_input.count}", "in s: 3", "in s: 3"),
        ("$session_id ${} ${open", "$session_id ${} ${open", "$session_id ${} ${open"),
        (7, 7, 7),
        (None, None, None),
    ],
)
def test_a_placeholder_alone_keeps_its_type_where_the_agent_has_it_so(written, typed, text):
    assert fill(written) == (typed, [])
    assert fill(written, typed=False) == (text, [])


def test_lists_and_objects_are_walked_and_keys_stay():
    value = {"${session_id}": ["${session_id}", {"deep": "${tool_input.count}"}]}
    assert fill(value)[0] == {"${session_id}": ["s", {"deep": 3}]}


def test_what_was_filled_in_is_not_looked_at_again():
    assert fill("${tool_input.text}") == ("${session_id}", [])


@pytest.mark.parametrize(
    "path",
    ["nope", "tool_input.nope", "tool_input.command.x", "tool_input.list.9", "tool_input.list.-1", "tool_input.list.²"],
)
def test_a_path_that_leads_nowhere_is_empty_and_told(path):
    assert fill(f"${{{path}}}", typed=False) == ("", [path])
    assert fill(f"a${{{path}}}b") == ("ab", [path])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(value=JSON, payload=st.dictionaries(st.text(max_size=4), JSON, max_size=3), typed=st.booleans())
def test_whatever_is_filled_in_stays_json(value, payload, typed):
    json.dumps(filled(value, payload, [], typed=typed))
