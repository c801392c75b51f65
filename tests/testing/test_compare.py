from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw.testing.compare import file_mismatches, is_subset, mismatches

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
DOCUMENT = {
    "decision": "deny",
    "reason": "no rm here",
    "prompt": None,
    "context": ["one", "two"],
    "env": {"CI": "1"},
    "runs": [{"name": "a", "status": "completed", "exit_code": 0}, {"name": "b", "status": "failed", "exit_code": 1}],
    "loaded": 2,
    "rejected": [{"name": "x"}],
    "diagnostics": [{"code": "rejected-entry", "message": "Hook X has no Command."}],
}


@pytest.mark.parametrize(
    "expect",
    [
        {},
        {"decision": "deny"},
        {"reason": "no rm here", "prompt": None},
        {"reason_contains": "rm"},
        {"reason_lacks": ["secret", "token"]},
        {"prompt_lacks": "anything"},
        {"context": ["one", "two"]},
        {"context_contains": ["wo"]},
        {"env_contains": ["CI"]},
        {"runs": [{"name": "a"}, {"status": "failed"}]},
        {"loaded": 2, "rejected": 1},
        {"diagnostics_contain": ["no command", "REJECTED"]},
        {"diagnostics_lack": ["timeout"]},
    ],
)
def test_what_fits_gives_no_mismatch(expect):
    assert mismatches(expect, DOCUMENT) == []


@pytest.mark.parametrize(
    "expect",
    [
        {"decision": "ask"},
        {"prompt": "text"},
        {"reason": None},
        {"absent": True},
        {"reason_contains": "mv"},
        {"reason_lacks": ["rm"]},
        {"context": ["two", "one"]},
        {"context_contain": ["three"]},
        {"env": {}},
        {"env_contains": ["1"]},
        {"runs": [{"name": "a"}]},
        {"runs": [{"name": "b"}, {"name": "a"}]},
        {"loaded": 3},
        {"rejected": 0},
        {"diagnostics_contain": ["timeout"]},
        {"diagnostics_lack": ["Command"]},
    ],
)
def test_each_difference_is_one_sentence_that_starts_with_its_key(expect):
    (sentence,) = mismatches(expect, DOCUMENT)
    assert sentence.startswith(f"{next(iter(expect))}: want ")


@given(JSON)
def test_every_value_is_a_subset_of_itself(value):
    assert is_subset(value, value)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4), st.text(max_size=3), JSON)
def test_more_keys_never_make_a_subset_fail(value, key, extra):
    assert is_subset(value, {key: extra} | value)


@given(st.dictionaries(st.text(max_size=3), JSON, min_size=1, max_size=4))
def test_a_missing_key_always_makes_it_fail(value):
    rest = dict(value)
    rest.pop(next(iter(value)))
    assert not is_subset(value, rest)


@pytest.mark.parametrize(
    ("want", "problem"),
    [
        ('{"a": 1}\n', ""),
        ('{"a": 2}\n', "want"),
        (None, "should not exist"),
        ({"contains": ["a", "1"], "lacks": ["b"]}, ""),
        ({"contains": ["b"]}, "lacks"),
        ({"lacks": ["a"]}, "has"),
        ({"json_subset": {"a": 1}, "json_lacks": ["b"]}, ""),
        ({"json_subset": {"a": 2}}, "want JSON with"),
        ({"json_lacks": ["a"]}, "key a should be absent"),
    ],
)
def test_files_are_compared_as_text_parts_or_json(tmp_path, want, problem):
    (tmp_path / "out").write_text('{"a": 1}\n')
    found = file_mismatches({"out": want}, tmp_path)
    assert found == [] if not problem else (len(found) == 1 and problem in found[0])


def test_a_file_that_was_not_written_is_a_mismatch_unless_none_was_wanted(tmp_path):
    assert file_mismatches({"a": "x", "b": None}, tmp_path) == ["a: was not written"]


def test_text_where_json_was_wanted_is_a_mismatch(tmp_path):
    (tmp_path / "out").write_text("plain")
    assert file_mismatches({"out": {"json_lacks": ["a"]}}, tmp_path) == ['out: is no JSON document: "plain"']
