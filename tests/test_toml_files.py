from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import BrokenTomlError, entry_lines, parse_toml


@given(st.binary(max_size=40))
def test_parsing_raises_nothing_but_its_own_error(data):
    with contextlib.suppress(BrokenTomlError):
        assert isinstance(parse_toml(data), dict)


def test_the_lines_of_entries_are_those_of_their_headers():
    data = b"\xef\xbb\xbf[[hooks]]\r\na = 1\r\n\r\n  [[ hooks ]] # two\r\n[[hooks.x]]\r\n[[other]]\r\n"
    assert entry_lines(data, "hooks", 2) == (1, 4)
    assert entry_lines(b"[[hooks.hooks]]\n[[hooks . hooks]]\n[[hooks]]\n", "hooks.hooks", 2) == (1, 2)


def test_lines_are_not_told_where_they_could_be_wrong():
    assert entry_lines(b'[[hooks]]\nx = """\n[[hooks]]\n"""\n', "hooks", 1) == ()
    assert entry_lines(b"hooks = [{}]\n", "hooks", 1) == ()


@pytest.mark.parametrize(
    ("data", "told", "line"),
    [
        (b"a = 1\nb = = 2\n", "at line 2, column 5", 2),
        (b"a = ", "at line 1", 1),
        (b"a = 1\n\xff\n", "no UTF-8 there", 2),
        (b"a = " + b"[" * 5000, "nested too deep", None),
    ],
)
def test_what_is_wrong_is_told_with_its_place(data, told, line):
    with pytest.raises(BrokenTomlError, match=told) as raised:
        parse_toml(data)
    assert raised.value.line == line


def test_a_byte_order_mark_and_windows_line_ends_break_nothing():
    assert parse_toml(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n") == {"a": 1, "b": 2}
