from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    TurnEnd,
)
from hookfw.matching import HookIndex


def matches(codex, event, matcher):
    row = codex.row(event)
    return bool(HookIndex([codex.hook(row.native_event, matcher=matcher)]).select(row).hooks)


@pytest.mark.parametrize(
    ("matcher", "found"),
    [
        (None, True),
        ("", True),
        ("*", True),
        ("Bash", True),
        ("bash", False),
        ("Edit|Bash", True),
        ("Edit|Write", False),
        ("|", False),
        ("Bash|", True),
        ("Ba", False),
        ("B.s", True),
        ("^ash", False),
        ("ash$", True),
        ("(?i)bASH", True),
        ("Ba-sh", False),
        ("Bash,Edit", False),
        ("Bash ", False),
        ("Edit | Bash", False),
        ("ash|é", True),
        ("exec_command", False),
        ("shell|local_shell|shell_command", False),
    ],
)
@pytest.mark.parametrize("name", ["Bash", "exec_command", "shell", "local_shell", "shell_command"])
def test_every_shell_is_bash(codex, name, matcher, found):
    assert matches(codex, PreToolUse(tool_name=name), matcher) is found


@pytest.mark.parametrize(
    ("name", "matcher", "found"),
    [
        ("apply_patch", "apply_patch", True),
        ("apply_patch", "Edit", True),
        ("apply_patch", "Write", True),
        ("apply_patch", "MultiEdit", False),
        ("apply_patch", "Bash", False),
        ("apply_patch", "^W", True),
        ("Write", "apply_patch", True),
        ("Write", "Write", True),
        ("Write", "Edit", False),
        ("Edit", "apply_patch|Edit|Write", True),
        ("mcp__gate__echo", "mcp__gate", False),
        ("mcp__gate__echo", "mcp__gate__.*", True),
        ("spawn_agent", "spawn_agent", True),
        ("spawn_agent", "Agent", False),
        ("Agent", "spawn_agent", True),
        ("Agent", "Agent", False),
        ("view_image", "view_image", True),
    ],
)
def test_names_and_aliases_of_tools(codex, name, matcher, found):
    assert matches(codex, PreToolUse(tool_name=name), matcher) is found


@pytest.mark.parametrize(
    ("event", "matcher", "found"),
    [
        (SessionStart(source="resume"), "resume", True),
        (SessionStart(source="startup"), "resume|clear", False),
        (SessionStart(source="fork"), "fork", True),
        (SessionStart(), "startup", False),
        (SessionStart(), ".*", False),
        (SessionStart(), "*", True),
        (SubagentStart(agent_type="worker"), "worker", True),
        (SubagentStop(agent_type="worker"), "default", False),
        (PreCompact(trigger="auto"), "manual", False),
        (PreCompact(trigger="auto"), "auto", True),
        (Stop(), "nothing at all", True),
        (PostToolUseFailure(tool_name="Bash"), "Bash", True),
        (PostToolUse(tool_name="Bash", tool_success=False), "Bash", True),
    ],
)
def test_what_matchers_of_each_event_look_at(codex, event, matcher, found):
    assert matches(codex, event, matcher) is found


def test_an_event_that_codex_does_not_have_fires_nothing(codex):
    assert codex.dialect.begin(TurnEnd(), codex.session(), codex.load()) == ()


NAMES = st.text("abBash_0|", max_size=6)


@given(NAMES, st.text("abBash_0é.-", min_size=1, max_size=4))
def test_a_list_of_names_matches_by_equality_alone(codex, matcher, name):
    expected = matcher == "" or name in matcher.split("|")
    assert matches(codex, PreToolUse(tool_name=name), matcher) is expected
