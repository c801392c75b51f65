from __future__ import annotations

import json
from pathlib import Path

import pytest
from ecosystems import ORDER, write_hook
from hypothesis import given
from hypothesis import strategies as st

from hookfw import PreToolUse, open_sync
from hookfw.jsonable import as_json, is_json

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))
ODD = st.recursive(
    LEAVES | st.binary(max_size=3) | st.just(Path("a")) | st.builds(pow, st.just(10), st.just(5000)),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.integers() | st.text(), inner),
)


@given(JSON)
def test_what_json_can_say_is_the_same_object(value):
    assert is_json(value)
    assert as_json(value) is value


@given(ODD)
def test_anything_else_becomes_what_json_can_say(value):
    json.dumps(as_json(value))
    assert is_json(as_json(value))


def test_a_value_however_deep_is_json_and_one_that_holds_itself_ends():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert is_json(deep)
    itself: list[object] = []
    itself.append(itself)
    assert json.dumps(as_json(itself)).count("[") == 200
    shared: list[object] = []
    assert is_json([shared, shared])


@pytest.mark.parametrize("dialect", ORDER)
@pytest.mark.parametrize("value", [Path("/a"), {1, 2}, b"\xff"], ids=["path", "set", "bytes"])
def test_a_gate_guards_a_call_that_json_cannot_say(home, workspace, dialect, value, tmp_path):
    write_hook(home, dialect, "PreToolUse", "echo no >&2; exit 2")
    call = PreToolUse(tool_name="Bash", tool_input={"command": "ls", "file_path": value})
    with open_sync(home=home, workspace=workspace, trust="all", record=tmp_path / "r") as hooks:
        assert hooks.fire(call).refused
    assert json.loads((tmp_path / "r").read_text())["event"] == "pre_tool_use"
