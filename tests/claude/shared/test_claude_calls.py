"""The payload and the call of a command."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hookfw import Kill
from hookfw_claude.command import Launch
from hookfw_claude.payload import encode, take

LAUNCH = Launch(shell=("/bin/sh", "-c"), kill=Kill(grace=0.5), stdout_cap=7, stderr_cap=8)


def test_a_text_is_a_line_for_the_shell_and_a_sequence_is_run_as_it_is():
    call = LAUNCH.invocation("a | b", stdin=b"{}", cwd="/w", timeout=3.0, env={"A": "1"}, unset=["B"])
    assert call.argv == ("/bin/sh", "-c", "a | b")
    assert (call.stdin, call.cwd, call.timeout, call.env, call.unset) == (b"{}", "/w", 3.0, {"A": "1"}, ("B",))
    assert (call.stdout_cap, call.stderr_cap, call.kill) == (7, 8, LAUNCH.kill)
    assert LAUNCH.invocation(["a", "$B"], stdin=b"", cwd="/", timeout=1).argv == ("a", "$B")


def test_fields_are_taken_in_the_order_asked_for_and_null_as_the_agent_wants_it():
    given_fields = {"b": None, "a": 1, "c": 2}
    assert list(take(given_fields, ["a", "b", "x"], null=True).items()) == [("a", 1), ("b", None)]
    assert take(given_fields, ["a", "b"], null=False) == {"a": 1}


def test_a_payload_is_compact_in_order_and_as_ascii_where_wanted():
    assert encode({"b": "é", "a": [1, {"x": None}]}) == '{"b":"é","a":[1,{"x":null}]}'.encode()
    assert encode({"a": "é"}, ascii_only=True, end="\n") == b'{"a":"\\u00e9"}\n'


def test_half_a_surrogate_pair_becomes_a_character_that_every_reader_takes():
    assert encode({"a": "x\ud800"}) == encode({"a": "x\ufffd"})
    assert encode({"a": "x\ud800"}, ascii_only=True) == b'{"a":"x\\ufffd"}'


@given(
    st.dictionaries(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")) | st.none()),
    st.booleans(),
)
def test_what_was_encoded_is_read_back(fields, ascii_only):
    data = encode(fields, ascii_only=ascii_only)
    assert json.loads(data) == fields
    assert b"\n" not in data
