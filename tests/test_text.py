"""Cutting, sanitising, decoding."""

from __future__ import annotations

import json
import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import text

WHALE = "\U0001f433"
any_text = st.text(alphabet=st.characters(exclude_categories=()))


def test_bytes_are_decoded_with_replacement_and_without_a_leading_byte_order_mark():
    assert text.decode(b"\xef\xbb\xbfa\xff\xef\xbb\xbf") == "a\ufffd\ufeff"


@given(any_text)
def test_scrubbed_text_can_be_encoded_and_sound_text_is_left_alone(value):
    scrubbed = text.scrub(value)
    scrubbed.encode()
    if not any("\ud800" <= letter <= "\udfff" for letter in value):
        assert scrubbed == value


def test_scrub_joins_a_pair_and_replaces_a_lone_half():
    assert text.scrub("\ud83d\udc33") == WHALE
    assert text.scrub_value({"a\ud800": ["\udc00", 1, None]}) == {"a\ufffd": ["\ufffd", 1, None]}


def test_an_environment_value_has_no_nul_and_no_lone_surrogate():
    assert text.for_environment("a\0b\ud800") == "a\ufffdb\ufffd"


def test_compact_json_keeps_order_and_letters_and_has_no_spaces():
    assert text.compact_json({"b": [1, "é\n"], "a": None}) == '{"b":[1,"é\\n"],"a":null}'


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "x",
        "[]",
        "1",
        '{"a":1} {"b":2}',
        '{"a":1} x',
        "{'a': 1}",
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":-1e999}',
        "[" * 99_999,
    ],
)
def test_what_is_not_one_json_object_is_none(printed):
    assert text.parse_json_object(printed) is None


def nested(depth):
    value = None
    for level in range(depth):
        value = {"k\ud800": value} if level % 2 else ["v\ud800", value]
    return value


def test_json_nested_deeper_than_the_limit_is_none():
    for depth, kept in ((text.MAX_DEPTH, True), (text.MAX_DEPTH + 1, False), (900, False)):
        printed = '{"a":' * depth + "1" + "}" * depth
        assert (text.parse_json_object(printed) is not None) == kept


def test_a_value_nested_however_deep_is_scrubbed_and_written():
    written = text.compact_json(text.scrub_value(nested(10_000)))
    assert written.startswith('{"k\ufffd":["v\ufffd",{"k\ufffd":[')
    assert written.endswith('["v\ufffd",null]' + "}]" * 4_999 + "}")
    assert written.count("[") == written.count("}") == 5_000


def test_scrubbing_leaves_the_value_that_was_given_alone():
    given_value = {"a": ["\ud800", {"b": "\ud800"}]}
    assert text.scrub_value(given_value) == {"a": ["\ufffd", {"b": "\ufffd"}]}
    assert given_value == {"a": ["\ud800", {"b": "\ud800"}]}


def test_a_number_that_json_does_not_have_is_written_as_null():
    value = {"NaN": math.nan, "a": [math.inf, -math.inf, 1.5, "Infinity"], "b": {}, "c": [[], True]}
    assert text.compact_json(value) == '{"NaN":null,"a":[null,null,1.5,"Infinity"],"b":{},"c":[[],true]}'


@pytest.mark.parametrize(
    ("value", "shown"), [(30.0, "30"), (0.5, "0.5"), (100.0, "100"), (1_234_567.0, "1234567"), (0.0, "0")]
)
def test_seconds_are_written_as_people_do(value, shown):
    assert text.seconds(value) == shown


def test_white_space_around_a_json_object_is_allowed():
    assert text.parse_json_object(' \n{"a": 1}\r\n') == {"a": 1}
    assert text.parse_json_object('\ufeff {"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    ("value", "limit", "cut"),
    [
        ("abcde", 5, "abcde"),
        ("abcdef", 5, "abcde...[truncated]"),
        ("é" * 3, 6, "ééé"),
        ("é" * 3, 5, "éé...[truncated]"),
        (WHALE * 2, 7, WHALE + "...[truncated]"),
        ("a", 0, "...[truncated]"),
        ("", 0, ""),
    ],
)
def test_a_byte_cut_falls_between_characters_and_the_marker_comes_on_top(value, limit, cut):
    assert text.cut_bytes(value, limit) == cut


@given(st.text(), st.integers(0, 40))
def test_the_byte_prefix_is_the_longest_that_fits(value, limit):
    prefix = text.byte_prefix(value, limit)
    assert value.startswith(prefix)
    assert len(prefix.encode()) <= limit
    assert prefix == value or len(value[: len(prefix) + 1].encode()) > limit


def test_a_character_cut_counts_characters_and_exactly_the_limit_is_untouched():
    assert text.cut_characters(WHALE * 3, 3) == WHALE * 3
    assert text.cut_characters(WHALE * 4, 3) == WHALE * 3 + "…[truncated]"


def test_a_block_keeps_newline_and_tab_drops_carriage_return_and_blanks_every_other_control():
    assert text.block("one\r\n\ttwo\x1b[2Jend\x7f\x85", 100) == "one\n\ttwo [2Jend  "


def test_a_line_has_no_newline_and_no_tab():
    assert text.line("a\nb\tc\r", 100) == "a b c"


def test_a_dropped_carriage_return_does_not_count():
    assert text.block("\r" * 5 + "abc", 3) == "abc"


@given(any_text, st.integers(0, 30))
def test_sanitised_text_has_no_control_but_newline_and_tab_and_keeps_to_its_limit(value, limit):
    shown = text.block(value, limit)
    assert all(letter in "\n\t" or unicodedata.category(letter) != "Cc" for letter in shown)
    assert len(shown.removesuffix("…[truncated]")) <= limit or len(shown) <= limit
    assert not set(text.line(value, limit)) & set("\n\t\r")


@given(st.recursive(st.none() | st.booleans() | st.integers() | any_text, lambda inner: st.lists(inner, max_size=3)))
def test_compact_json_can_always_be_encoded_and_read_back(value):
    assert json.loads(text.compact_json(value).encode()) == text.scrub_value(value)
