from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import BrokenJsonError, parse_json

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
