from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import BrokenJsonError, parse_json
from hookfw_claude.json_files import lines_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_what_was_written_is_read_with_and_without_a_byte_order_mark(value):
    data = json.dumps(value).encode()
    assert parse_json(data) == parse_json(b"\xef\xbb\xbf" + data) == value


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_in_one_sentence(data):
    detail = "read"
    try:
        parse_json(data)
    except BrokenJsonError as error:
        detail = error.detail
    assert detail
    assert "\n" not in detail


def test_a_mistake_is_named_with_line_and_column():
    with pytest.raises(BrokenJsonError) as caught:
        parse_json(b'{\r\n  "a": 1,\r\n  b\r\n}')
    assert (caught.value.line, caught.value.column) == (3, 3)
    assert "line 3, column 3" in caught.value.detail


def test_bytes_that_are_no_utf8_are_named_with_line_and_column():
    with pytest.raises(BrokenJsonError) as caught:
        parse_json(b'{\n "\xff": 1}')
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"[" * 100_000, "nested too deep"), (b"9" * 5000, "too many digits"), (b"[NaN]", "NaN is no JSON number")],
)
def test_what_the_parser_itself_cannot_take_is_said(data, why):
    with pytest.raises(BrokenJsonError, match=why):
        parse_json(data)


def test_constants_are_read_where_they_are_allowed():
    assert math.isnan(parse_json(b"[NaN]", constants=True)[0])


def test_of_equal_keys_the_last_counts():
    assert parse_json(b'{"a": 1, "a": 2}') == {"a": 2}


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
