from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.payload import encode

TEXTS = st.text(st.characters(), max_size=8)


@given(st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_escaped_and_plain_payloads_say_the_same(fields):
    escaped = encode(fields, ascii_only=True)
    assert escaped.isascii()
    assert json.loads(escaped) == json.loads(encode(fields))


def test_escapes_are_those_of_json():
    assert encode({"a": "é\x7f😀\n"}, ascii_only=True) == b'{"a":"\\u00e9\\u007f\\ud83d\\ude00\\n"}'


def test_a_value_nested_however_deep_and_a_number_json_has_not_are_written_with_escapes_too():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert encode({"a": deep}, ascii_only=True).count(b"[") == 100_001
    assert encode({"a": float("nan")}, ascii_only=True) == b'{"a":null}'
