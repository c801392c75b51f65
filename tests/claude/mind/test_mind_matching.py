from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import PatternTimeoutError, PreCompact, PreToolUse, SessionEnd, SessionStart, Stop, SubagentStop
from hookfw.matching import HookIndex
from hookfw_claude.matcher import InvalidMatcherError, compile_matcher
from hookfw_claude.mind.rules import GRAMMAR
from hookfw_claude.mind.tools import TABLE, candidates

CONTROL = set("\\.^$*+?{}[]()")


def matches(mind, matcher, event):
    row = mind.row(event)
    return bool(HookIndex([mind.hook(row.native_event, matcher=matcher)]).select(row).hooks)


@pytest.mark.parametrize(
    ("matcher", "tool", "expected"),
    [
        (None, "read_file", True),
        ("", "read_file", True),
        ("*", "read_file", True),
        (" * ", "read_file", True),
        ("Bash", "BashOutput", False),
        ("bash", "Bash", False),
        ("read_file|list_dir", "list_dir", True),
        ("read_file | list_dir", "list_dir", False),
        (" read_file ", "read_file", True),
        ("my-tool", "my-tool-2", False),
        ("a/b:c d", "a/b:c d", True),
        ("mcp__.*", "mcp__s__t", True),
        ("read", "read_file", False),
        ("^read", "read_file", True),
        ("^read$", "read_file", False),
        ("x.|file", "read_file", True),
        ("shell_command", "shell_command", True),
        ("Bash", "shell_command", True),
        ("Bash", "exec_command", True),
        ("Bash", "write_stdin", True),
        ("exec_command", "shell_command", False),
        ("^Ba", "exec_command", True),
        ("Write", "apply_patch", True),
        ("Edit", "apply_patch", True),
        ("MultiEdit", "apply_patch", False),
        ("Agent", "spawn_agent", True),
        ("exec_command", "Bash", True),
        ("write_stdin", "Bash", True),
        ("apply_patch", "Edit", False),
        ("spawn_agent", "Agent", False),
    ],
)
def test_tool_matchers(mind, matcher, tool, expected):
    assert matches(mind, matcher, PreToolUse(tool_name=tool)) is expected


@pytest.mark.parametrize(
    ("matcher", "event", "expected"),
    [
        ("manual", PreCompact(trigger="manual"), True),
        ("auto", PreCompact(trigger="overflow"), True),
        ("auto", PreCompact(), True),
        ("compact", SessionStart(source="auto-compact"), True),
        ("resume", SessionStart(source="external"), True),
        ("startup", SessionStart(), True),
        ("clear", SessionStart(source="new"), True),
        ("other", SessionEnd(reason="clear"), True),
        ("clear", SessionEnd(reason="clear"), False),
        ("reviewer", SubagentStop(agent_type="reviewer"), True),
        ("reviewer", SubagentStop(agent_type="writer"), False),
        ("reviewer|", SubagentStop(), True),
        ("reviewer", SubagentStop(), False),
        ("nothing", Stop(), True),
    ],
)
def test_matchers_of_other_events(mind, matcher, event, expected):
    assert matches(mind, matcher, event) is expected


def test_a_handler_is_found_once_however_many_names_hit(mind):
    row = mind.row(PreToolUse(tool_name="apply_patch"))
    assert len(HookIndex([mind.hook(matcher="apply_patch|Write|Edit")]).select(row).hooks) == 1


def test_a_pattern_that_does_not_come_to_an_end_says_so_instead_of_hanging(mind):
    hook = mind.hook(matcher="(a|aa)+$")
    with pytest.raises(PatternTimeoutError):
        hook.predicate(("a" * 60 + "!",))
    row = mind.row(PreToolUse(tool_name="a" * 60 + "!"))
    selection = HookIndex([hook]).select(row)
    assert selection.hooks == selection.doubtful == (hook,)


NAMES = st.text(alphabet="aBx_|-/ .^$*+?()[]{}\\", max_size=8)


@pytest.mark.filterwarnings(
    "ignore:Possible:FutureWarning"
)  # of the reference, for sets that a later Python may read otherwise
@given(NAMES, st.lists(NAMES, min_size=1, max_size=3))
def test_matchers_mean_what_the_rule_says(text, subjects):
    matcher = text.strip()
    if matcher in ("", "*"):
        expected = True
    elif not CONTROL & set(matcher):
        expected = not set(matcher.split("|")).isdisjoint(subjects)
    else:
        try:
            pattern = re.compile(matcher)
        except re.error:
            with pytest.raises(InvalidMatcherError):
                compile_matcher(matcher, GRAMMAR)
            return
        expected = any(pattern.search(subject) for subject in subjects)
    assert compile_matcher(matcher, GRAMMAR).matches(subjects) is expected


def test_a_tool_is_looked_up_by_its_own_name_first():
    assert candidates("apply_patch") == ("apply_patch", "Write", "Edit")
    assert candidates("read_file") == ("read_file",)
    assert candidates("") == ("",)


def test_the_table_speaks_canonical_names_and_knows_the_local_ones():
    assert TABLE.to_native("Bash", {"command": "ls", "timeout": 5}) == ("Bash", {"command": "ls", "timeout": 5}, True)
    assert TABLE.to_canonical("shell_command", {"command": "ls"}) == ("Bash", {"command": "ls"}, True)
    assert TABLE.to_canonical("apply_patch", {"patch": "p"}) == ("apply_patch", {"command": "p"}, True)
    assert TABLE.to_canonical("spawn_agent", {"x": 1}) == ("Agent", {"x": 1}, False)
    assert TABLE.to_native("Agent", {"prompt": "p"}) == ("Agent", {"prompt": "p"}, True)
