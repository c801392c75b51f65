from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.groups import walk

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["hooks", "matcher", "x"]), inner),
    max_leaves=12,
)


def walked(table):
    return [(item.path, item.fault) for item in walk(table)]


def test_events_groups_and_handlers_come_in_the_order_written_each_before_what_it_holds():
    table = {"B": [{"hooks": [{"a": 1}, {"a": 2}]}, {"matcher": "x", "hooks": []}], "A": []}
    assert walked(table) == [
        (("B",), None),
        (("B", 0), None),
        (("B", 0, "hooks", 0), None),
        (("B", 0, "hooks", 1), None),
        (("B", 1), None),
        (("A",), None),
    ]


def test_a_handler_knows_its_group_and_matcher():
    group = {"matcher": "Bash", "hooks": [{"a": 1}], "note": "x"}
    handler = list(walk({"Stop": [group]}))[-1]
    assert (handler.matcher, handler.fields, handler.value) == ("Bash", group, {"a": 1})
    assert handler.entry == "hooks.Stop[0].hooks[0]"


def test_each_fault_is_reported_where_it_is_and_nothing_below_it():
    table = {"A": {"hooks": []}, "B": [5, {}, {"hooks": {}}, {"hooks": ["x", {}]}]}
    assert walked(table) == [
        (("A",), "event-not-a-list"),
        (("B",), None),
        (("B", 0), "group-not-an-object"),
        (("B", 1), "no-handlers"),
        (("B", 2), "handlers-not-a-list"),
        (("B", 3), None),
        (("B", 3, "hooks", 0), "handler-not-an-object"),
        (("B", 3, "hooks", 1), None),
    ]


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=3))
def test_whatever_the_table_holds_every_path_leads_to_its_value(table):
    for item in walk(table):
        found = table
        for step in item.path:
            found = found[step]
        assert json.dumps(found) == json.dumps(item.value)
