from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hookfw import BrokenJsonError, parse_json
from hookfw_claude.json_files import lines_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def test_each_value_is_found_on_its_line_down_to_the_depth():
    data = (
        b'\xef\xbb\xbf{\n "hooks": {\n  "Stop": [\n   {"hooks": [\n    {"command": "a\\n"},\n    {"x": 1}]}\n  ]\n }\n}'
    )
    lines = lines_of(data)
    assert lines["hooks", "Stop"] == 3
    assert lines["hooks", "Stop", 0] == 4
    assert lines["hooks", "Stop", 0, "hooks", 0] == 5
    assert lines["hooks", "Stop", 0, "hooks", 1] == 6
    assert ("hooks", "Stop", 0, "hooks", 1, "x") not in lines


@given(JSON, st.sampled_from([None, 2]))
def test_every_place_of_a_document_has_a_line(value, indent):
    def places(found, path=()):
        yield path
        if len(path) < 5:
            steps = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
            for step, inner in steps:
                yield from places(inner, (*path, step))

    assert set(lines_of(json.dumps(value, indent=indent).encode())) == set(places(value))


@given(st.binary(max_size=40))
def test_a_document_that_cannot_be_read_has_no_lines_or_some_and_never_fails(data):
    try:
        parse_json(data, constants=True)
    except BrokenJsonError:
        lines_of(data)
    else:
        assert () in lines_of(data)
