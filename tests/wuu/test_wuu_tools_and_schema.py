from __future__ import annotations

import pytest

from hookfw import Host
from hookfw_wuu.rules import EVENTS, FIELDS, NATIVE_EVENTS
from hookfw_wuu.tools import TOOLS


@pytest.mark.parametrize(
    ("canonical", "given", "native", "spoken"),
    [
        ("Bash", {"command": "ls", "timeout": 1500}, "bash", {"command": "ls", "timeout_seconds": 2}),
        ("Read", {"file_path": "a", "offset": 3}, "read_file", {"path": "a", "offset": 3}),
        ("Write", {"file_path": "a", "content": "x"}, "write_file", {"path": "a", "content": "x"}),
        (
            "Edit",
            {"file_path": "a", "old_string": "x", "new_string": "y"},
            "edit_file",
            {"path": "a", "old_text": "x", "new_text": "y"},
        ),
        ("Grep", {"pattern": "x", "glob": "*.py"}, "grep", {"pattern": "x", "include": "*.py"}),
        ("Glob", {"pattern": "*"}, "glob", {"pattern": "*"}),
        ("LS", {"path": "."}, "list_files", {"path": "."}),
    ],
)
def test_tools_are_spelled_both_ways(canonical, given, native, spoken):
    there = TOOLS.to_native(canonical, given)
    assert (there.name, there.input, there.complete) == (native, spoken, True)
    back = TOOLS.to_canonical(native, spoken)
    assert back.name == canonical
    assert back.input == given | ({"timeout": 2000} if canonical == "Bash" else {})


def test_another_tool_passes_unchanged():
    assert TOOLS.to_native("mcp__x__y", {"a": 1}).name == "mcp__x__y"
    assert TOOLS.to_canonical("chat", {"a": 1}).input == {"a": 1}


def test_a_time_that_is_no_number_stays():
    assert TOOLS.to_native("Bash", {"timeout": "long"}).input == {"timeout_seconds": "long"}
    assert TOOLS.to_canonical("bash", {"timeout_seconds": None}).input == {"timeout": None}


def test_the_schema_has_every_event_and_every_field_and_no_other():
    schema = Host.load().dialect("wuu").schema()
    assert list(schema["properties"]["hooks"]["properties"]) == list(EVENTS)
    entry = schema["$defs"]["entry"]
    assert (tuple(entry["properties"]), entry["additionalProperties"]) == (FIELDS, False)


def test_thirteen_events_each_with_a_canonical_one():
    assert len(NATIVE_EVENTS) == 13
    assert len({event.canonical for event in NATIVE_EVENTS}) == 13
