from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hookfw_claude.codex.spill import Spills, tokens_of, truncated


@pytest.mark.parametrize(
    ("whole", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 2, 1), ("é" * 3, 2)]
)
def test_four_bytes_are_a_token(whole, tokens):
    assert tokens_of(whole) == tokens


def test_a_text_over_its_limit_becomes_its_ends_and_the_path_of_the_whole(codex):
    spills = Spills("sess/../1", codex.session())
    whole = "HEAD" + "a\n" * 6_000 + "TAIL"
    told = spills.bounded(whole, 2500)
    (write,) = spills.writes
    assert (write.path, write.text, write.append) == (
        "/tmp/scratch/hook_outputs/sess____1/11111111-2222-3333-4444-555555555555.txt",
        whole,
        False,
    )
    beginning, end = "Warning: truncated output (original token count: 3002)\nTotal output lines: 6001\n\nHEADa", "TAIL"
    assert told.startswith(beginning)
    assert told.endswith(f"{end}\n\nFull hook output saved to: {write.path}")
    footer = tokens_of(f"\n\nFull hook output saved to: {write.path}")
    assert f"…{3002 - 2500 + footer} tokens truncated…" in told
    assert tokens_of(told) < 2500 + 40


@pytest.mark.parametrize(("size", "spilled"), [(10_000, False), (10_001, True)])
def test_the_limit_is_exact(codex, size, spilled):
    spills = Spills(None, codex.session())
    assert (spills.bounded("a" * size, 2500) != "a" * size) is spilled
    assert bool(spills.writes) is spilled


def test_without_a_limit_nothing_is_cut(codex):
    spills = Spills(None, codex.session())
    assert spills.bounded("a" * 50_000, 0) == "a" * 50_000


def test_a_limit_smaller_than_the_path_leaves_the_path(codex):
    told = Spills(None, codex.session()).bounded("a" * 50, 1)
    assert "…13 tokens truncated…\n\nFull hook output saved to: /tmp/scratch" in told


@given(st.text(min_size=1), st.integers(0, 20))
@example("é" * 9, 3)
@example("a\n", 0)
def test_what_is_left_are_the_two_ends_within_the_limit(whole, limit):
    if tokens_of(whole) <= limit:
        return
    head, told = truncated(whole, limit).split("\n\n", 1)
    first, _, rest = told.partition("…" if not whole.startswith("…") else "\0")
    assert head.startswith(f"Warning: truncated output (original token count: {tokens_of(whole)})")
    if "…" not in whole:
        count, _, last = rest.partition(" tokens truncated…")
        assert int(count) >= 0
        assert whole.startswith(first)
        assert whole.endswith(last)
        assert len((first + last).encode()) <= limit * 4
