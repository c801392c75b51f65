from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookfw import Error, PostToolUse, PostToolUseFailure, PreToolUse, SessionStart, ShellEnv, text
from hookfw_codewhale.condition_tables import MAX_DEPTH, Findings, read_condition
from hookfw_codewhale.conditions import (
    ALWAYS,
    AllOf,
    AnyOf,
    ExitCode,
    Facts,
    Mode,
    ToolCategory,
    ToolName,
    category_of,
    facts_of,
)
from hookfw_codewhale.native import EVENTS, NATIVE_EVENTS


def read(table):
    findings = Findings()
    return read_condition(table, findings), findings


def holds(condition, **facts):
    return condition.match(Facts(**facts)) is None


def test_always_holds_even_where_nothing_is_known():
    assert holds(ALWAYS)
    assert (ALWAYS.literal_keys(), ALWAYS.predicate()) == (None, None)


@pytest.mark.parametrize("written", ["bash", "Bash", "exec_shell"])
@pytest.mark.parametrize("called", ["bash", "Bash", "exec_shell"])
def test_the_spellings_of_the_shell_are_one_tool(written, called):
    assert holds(ToolName(written), tool_name=called)


@pytest.mark.parametrize("called", ["BASH", "bash2", "ba", "Exec_shell", "run"])
def test_an_exact_name_is_whole_and_case_sensitive(called):
    assert not holds(ToolName("bash"), tool_name=called)
    assert holds(ToolName(called), tool_name=called)


@pytest.mark.parametrize(
    ("pattern", "called", "expected"),
    [
        ("*", "", True),
        ("*", "anything", True),
        ("mcp__*", "mcp__files__read", True),
        ("mcp__*", "xmcp__files", False),
        ("*_start", "job_start", True),
        ("*_start", "job_start2", False),
        ("job_*_start", "job_shell_start", True),
        ("job_*_start", "job_start", False),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("a**b", "ab", True),
        ("a*bc*c", "abc", False),
        ("*ab*ab*", "xabyabz", True),
        ("*ab*ab*", "xabyb", False),
        ("Write*", "write_file", False),
        ("too?*", "tool_x", False),
        ("[a-z]ool*", "tool_x", False),
        ("a.*", "abc", False),
        ("a.*", "a.c", True),
        ("*\n", "a\n", True),
        ("*a", "a\n", False),
    ],
)
def test_a_star_is_any_run_and_everything_else_is_literal(pattern, called, expected):
    assert holds(ToolName(pattern), tool_name=called) is expected


@pytest.mark.parametrize("pattern", ["ba*", "*ash", "bash*"])
def test_a_pattern_gets_no_alias(pattern):
    assert holds(ToolName(pattern), tool_name="bash")
    assert not holds(ToolName(pattern), tool_name="exec_shell")


@given(st.text("ab*.[", max_size=12), st.text("ab.[\n", max_size=20))
def test_a_pattern_means_what_the_regular_expression_means(pattern, called):
    if "*" not in pattern:
        pattern += "*"
    expression = "".join(".*" if letter == "*" else re.escape(letter) for letter in pattern)
    expected = re.fullmatch(expression, called, re.DOTALL) is not None
    assert holds(ToolName(pattern), tool_name=called) is expected


def test_a_pattern_of_many_stars_goes_over_a_long_name_once():
    pattern, name = "a*" * 20_000 + "b", "a" * 1_000_000
    assert not holds(ToolName(pattern), tool_name=name)
    assert holds(ToolName(pattern), tool_name=name + "b")


@pytest.mark.parametrize(
    "condition", [ToolName("*"), ToolName("x"), ToolCategory("other"), Mode("plan"), ExitCode(0), AnyOf(())]
)
def test_what_the_event_does_not_say_satisfies_no_condition(condition):
    assert condition.match(Facts()) is not None


def test_a_mode_is_compared_without_the_case_of_ascii_letters_only():
    assert holds(Mode("plan"), mode="PLAN")
    assert holds(Mode("PLAN"), mode="Plan")
    assert holds(Mode("ÄCT"), mode="Äct")
    assert not holds(Mode("Äct"), mode="äct")
    assert not holds(Mode("work"), mode="wor\N{KELVIN SIGN}")


def test_an_exit_code_is_the_one_that_was_reported():
    assert holds(ExitCode(0), exit_code=0)
    assert holds(ExitCode(3221225477), exit_code=0xC0000005)
    assert holds(ExitCode(-9), exit_code=-9)
    assert not holds(ExitCode(0), exit_code=1)
    assert not holds(ExitCode(0), tool_name="bash")


def test_an_empty_all_holds_and_an_empty_any_never():
    assert holds(AllOf(()))
    assert not holds(AnyOf(()))
    assert holds(AllOf((AnyOf((AllOf(()),)),)))
    assert not holds(AllOf((AnyOf(()),)))


def test_all_needs_every_part_and_any_one():
    facts = {"tool_name": "bash", "mode": "PLAN"}
    assert holds(AllOf((ToolName("bash"), Mode("plan"))), **facts)
    assert not holds(AllOf((ToolName("bash"), Mode("act"))), **facts)
    assert holds(AnyOf((ToolName("write"), Mode("plan"))), **facts)
    assert not holds(AnyOf((ToolName("write"), Mode("act"))), **facts)


@pytest.mark.parametrize(
    ("condition", "facts", "words"),
    [
        (ToolName("bash"), {"tool_name": "write"}, ["write", "bash"]),
        (ToolName("bash"), {}, ["no tool"]),
        (ToolCategory("shell"), {"category": "other"}, ["other", "shell"]),
        (Mode("plan"), {"mode": "ACT"}, ["ACT", "plan"]),
        (ExitCode(1), {"exit_code": 2}, ["1", "2"]),
        (ExitCode(1), {}, ["no exit code"]),
        (AllOf((ToolName("a"), Mode("plan"))), {"tool_name": "a"}, ["no mode"]),
        (AnyOf((ToolName("a"), Mode("plan"))), {}, ["none", "2"]),
    ],
)
def test_the_reason_for_no_tells_what_was_asked_and_what_was_found(condition, facts, words):
    reason = condition.match(Facts(**facts))
    assert all(word in reason for word in words)


def test_the_name_of_a_tool_cannot_redraw_the_terminal_through_a_reason():
    assert "\x1b" not in ToolName("bash").match(Facts(tool_name="\x1b[2J" + "x" * 5000))
    assert len(ToolName("bash").match(Facts(tool_name="x" * 5000))) < 200


def test_literal_keys_hold_the_aliases_and_need_no_predicate():
    condition = ToolName("bash")
    assert condition.literal_keys() == {"bash", "Bash", "exec_shell"}
    assert condition.predicate() is None


def test_any_of_exact_names_is_decided_by_keys_alone():
    condition = AnyOf((ToolName("write"), ToolName("bash")))
    assert condition.literal_keys() == {"write", "bash", "Bash", "exec_shell"}
    assert condition.predicate() is None


def test_one_open_alternative_takes_the_keys_away():
    condition = AnyOf((ToolName("write"), Mode("plan")))
    assert condition.literal_keys() is None
    assert condition.predicate()(Facts(mode="plan")) is None


def test_all_keeps_the_keys_and_judges_the_rest():
    condition = AllOf((ToolName("bash"), Mode("plan")))
    assert condition.literal_keys() == {"bash", "Bash", "exec_shell"}
    assert condition.predicate()(Facts(tool_name="bash")) is not None
    assert condition.predicate()(Facts(tool_name="bash", mode="plan")) is None


TOOLS = st.sampled_from(["bash", "Bash", "exec_shell", "write", "mcp__a__b"])
LEAVES = st.one_of(
    st.just(ALWAYS),
    st.builds(ToolName, st.one_of(TOOLS, st.sampled_from(["*", "mcp__*", "b*h"]))),
    st.builds(ToolCategory, st.sampled_from(["shell", "other"])),
    st.builds(Mode, st.sampled_from(["plan", "act"])),
    st.builds(ExitCode, st.sampled_from([0, 1])),
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(AllOf, st.lists(inner, max_size=3).map(tuple)),
        st.builds(AnyOf, st.lists(inner, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)
FACTS = st.builds(
    Facts,
    st.one_of(st.none(), TOOLS),
    st.one_of(st.none(), st.sampled_from(["shell", "other"])),
    st.one_of(st.none(), st.sampled_from(["PLAN", "act"])),
    st.one_of(st.none(), st.sampled_from([0, 1])),
)


@settings(max_examples=400)
@given(CONDITIONS, FACTS)
def test_keys_and_predicate_together_select_exactly_what_the_condition_holds_for(condition, facts):
    keys, predicate = condition.literal_keys(), condition.predicate()
    selected = (keys is None or facts.tool_name in keys) and (predicate is None or predicate(facts) is None)
    assert selected is (condition.match(facts) is None)


@given(CONDITIONS)
def test_every_condition_can_be_hashed_compared_and_described(condition):
    assert hash(condition) == hash(condition)
    assert condition.describe()


def test_the_description_is_the_one_of_the_list():
    condition = AllOf((ToolName("mcp__*"), AnyOf((ToolCategory("shell"), Mode("plan"), ExitCode(1), ALWAYS))))
    assert condition.describe() == (
        "all of [tool_name=`mcp__*`, any of [tool_category=`shell`, mode=`plan`, exit_code=1, always]]"
    )


def test_a_described_value_is_one_bounded_line():
    described = ToolName("a\nb\x1b" + "x" * 100).describe()
    assert described == "tool_name=`a b " + "x" * 60 + "…[truncated]`"


# Which event supports which condition.

TOOL_EVENTS = {"tool_call_before", "tool_call_after", "shell_env", "on_error"}
RESULT_EVENTS = {"tool_call_after", "on_error"}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    ("condition", "supported"),
    [
        (ToolName("*"), TOOL_EVENTS),
        (ToolCategory("shell"), TOOL_EVENTS),
        (ExitCode(1), RESULT_EVENTS),
        (Mode("plan"), set(EVENTS) - {"shell_env"}),
        (ALWAYS, set(EVENTS)),
        (AllOf(()), set(EVENTS)),
        (AnyOf((ALWAYS,)), set(EVENTS)),
    ],
)
def test_an_event_supports_what_it_carries(event, condition, supported):
    assert (not condition.unsupported(EVENTS[event])) is (event in supported)
    nested = AnyOf((ALWAYS, AllOf((condition,))))
    assert (not nested.unsupported(EVENTS[event])) is (event in supported)


@pytest.mark.parametrize(
    ("condition", "event", "words"),
    [
        (ToolName("x"), "session_start", ["tool_name", "session_start", "no tool name"]),
        (ToolCategory("shell"), "turn_end", ["tool_category", "turn_end", "no tool name"]),
        (Mode("plan"), "shell_env", ["mode", "shell_env", "tool_name", "tool_category"]),
        (ExitCode(1), "tool_call_before", ["exit_code", "tool_call_before", "tool_call_after", "on_error"]),
    ],
)
def test_a_refusal_names_the_event_and_the_way_out(condition, event, words):
    (problem,) = condition.unsupported(EVENTS[event])
    assert all(f"`{word}`" in problem or word in problem for word in words)


def test_the_same_predicate_twice_is_one_problem():
    assert len(AllOf((ToolName("a"), ToolName("b"), Mode("plan"))).unsupported(EVENTS["session_start"])) == 1


# Categories and facts.


@pytest.mark.parametrize(
    ("name", "tool_input", "expected"),
    [
        ("bash", None, "shell"),
        ("Bash", None, "shell"),
        ("exec_shell", {"action": "read"}, "shell"),
        ("Run", None, "shell"),
        ("run", None, "shell"),
        ("write", None, "file_write"),
        ("edit", None, "file_write"),
        ("apply_patch", None, "file_write"),
        ("read", None, "safe"),
        ("todo_write", None, "safe"),
        ("File", {"action": "read"}, "safe"),
        ("file", {"action": "LIST"}, "safe"),
        ("File", {"action": "search_name"}, "safe"),
        ("File", {"action": "search_content"}, "safe"),
        ("File", {"action": "write"}, "file_write"),
        ("File", {"action": 1}, "file_write"),
        ("File", {}, "file_write"),
        ("File", None, "file_write"),
        ("File", '{"action": "rea', "file_write"),
        ("Git", {"action": "status"}, "safe"),
        ("git", {"action": "Diff"}, "safe"),
        ("Git", {"action": "commit_plan"}, "safe"),
        ("Git", {"action": "commit"}, "other"),
        ("Git", {}, "other"),
        ("git", {"action": ["status"]}, "other"),
        ("read_file", None, "other"),
        ("agent", None, "other"),
        ("mcp__files__read", {"action": "read"}, "other"),
        ("BASH", None, "other"),
    ],
)
def test_a_tool_call_has_the_category_of_its_name_and_action(name, tool_input, expected):
    assert category_of(name, tool_input) == expected


@pytest.mark.parametrize(("name", "action", "cut"), [("File", "read", "file_write"), ("git", "log", "other")])
def test_before_a_call_the_action_is_read_from_arguments_that_its_variable_holds_whole(name, action, cut):
    room = 10_000 - len(text.compact_json({"action": action, "note": ""}))
    fitting, over = ({"action": action, "note": "n" * length} for length in (room, room + 1))
    assert facts_of(PreToolUse(tool_name=name, tool_input=fitting)).category == "safe"
    assert facts_of(PreToolUse(tool_name=name, tool_input=over)).category == cut
    assert facts_of(PostToolUse(tool_name=name, tool_input=over)).category == "safe"


def test_facts_before_a_call_have_no_exit_code():
    event = PreToolUse(tool_name="File", tool_input={"action": "read"}, mode="Plan")
    assert facts_of(event) == Facts("File", "safe", "Plan", None)


@pytest.mark.parametrize("event_class", [PostToolUse, PostToolUseFailure, Error])
def test_facts_after_a_call_have_the_code_that_was_reported(event_class):
    assert facts_of(event_class(tool_name="bash", tool_exit_code=3)) == Facts("bash", "shell", None, 3)
    assert facts_of(event_class(tool_name="bash", tool_success=True)).exit_code is None


def test_facts_take_the_category_that_the_event_brings():
    assert facts_of(PreToolUse(tool_name="mine", tool_category="file_write")).category == "file_write"
    assert facts_of(ShellEnv(tool_category="mine")).category == "mine"


def test_facts_of_an_error_without_a_tool_have_none():
    assert facts_of(Error(error="connection reset", mode="ACT")) == Facts(mode="ACT")


@pytest.mark.parametrize("name", [None, ""])
def test_facts_of_an_error_without_a_tool_hold_nothing_of_one(name):
    event = Error(error="connection reset", tool_name=name, tool_category="shell", tool_exit_code=1)
    assert facts_of(event) == Facts()


def test_facts_of_an_event_without_a_tool_have_its_mode():
    assert facts_of(SessionStart(mode="ACT")) == Facts(mode="ACT")


def test_shell_env_is_always_about_exec_shell_and_has_no_mode():
    assert facts_of(ShellEnv(tool_name="bash", mode="ACT")) == Facts("exec_shell", "shell")


# Reading a table.


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"type": "always"}, ALWAYS),
        ({"type": "tool_name", "name": "bash"}, ToolName("bash")),
        ({"type": "tool_category", "category": "shell"}, ToolCategory("shell")),
        ({"type": "mode", "mode": "plan"}, Mode("plan")),
        ({"type": "exit_code", "code": -1}, ExitCode(-1)),
        ({"type": "exit_code", "code": 2**63 - 1}, ExitCode(2**63 - 1)),
        ({"type": "all", "conditions": []}, AllOf(())),
        ({"type": "any", "conditions": [{"type": "always"}]}, AnyOf((ALWAYS,))),
    ],
)
def test_each_type_is_read(table, expected):
    assert read(table) == (expected, Findings())


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("bash", ["`condition`", "table", "a text"]),
        ({}, ["`type`"]),
        ({"type": 1}, ["`condition.type`", "whole number"]),
        ({"type": "tool_nam"}, ["`tool_nam`", "did you mean `tool_name`"]),
        ({"type": "Always"}, ["`Always`"]),
        ({"type": "tool_name"}, ["`tool_name`", "`name`"]),
        ({"type": "tool_name", "name": 1}, ["`condition.name`", "text"]),
        ({"type": "tool_category", "category": ["shell"]}, ["`condition.category`", "an array"]),
        ({"type": "mode", "mode": True}, ["`condition.mode`", "a boolean"]),
        ({"type": "exit_code", "code": True}, ["`condition.code`", "a boolean"]),
        ({"type": "exit_code", "code": "1"}, ["`condition.code`", "a text"]),
        ({"type": "exit_code", "code": 1.0}, ["`condition.code`", "a fraction"]),
        ({"type": "exit_code", "code": 2**63}, ["`condition.code`", "64 bits"]),
        ({"type": "exit_code", "code": -(2**63) - 1}, ["`condition.code`", "64 bits"]),
        ({"type": "all"}, ["`all`", "`conditions`"]),
        ({"type": "any", "conditions": {"type": "always"}}, ["`condition.conditions`", "array"]),
        ({"type": "any", "conditions": [{"type": "always"}, 7]}, ["`condition.conditions[1]`"]),
    ],
)
def test_a_table_that_describes_no_condition_is_one_problem(table, words):
    condition, findings = read(table)
    assert condition is None
    (problem,) = findings.problems
    assert all(word in problem for word in words)


def test_all_problems_of_a_condition_are_gathered():
    condition, findings = read({"type": "all", "conditions": [1, {"type": "x"}, {"type": "mode"}]})
    assert condition is None
    assert len(findings.problems) == 3


def nested(depth):
    table = {"type": "always"}
    for _ in range(depth):
        table = {"type": "all", "conditions": [table]}
    return table


def test_nesting_has_a_limit_that_no_stack_reaches():
    assert read(nested(MAX_DEPTH))[0] is not None
    for depth in (MAX_DEPTH + 1, 700):
        condition, findings = read(nested(depth))
        assert condition is None
        assert str(MAX_DEPTH) in findings.problems[0]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"type": "always", "name": "bash"}, ["`name`", "`always`"]),
        ({"type": "tool_name", "name": "Edit|Write"}, ["`Edit|Write`", "`any`"]),
        ({"type": "tool_name", "name": ""}, ["fits no tool"]),
        ({"type": "tool_category", "category": "Shell"}, ["`Shell`", "`shell`"]),
        ({"type": "any", "conditions": []}, ["never"]),
    ],
)
def test_a_condition_that_cannot_do_what_it_seems_to_say_is_a_warning(table, words):
    condition, findings = read(table)
    assert condition is not None
    assert not findings.problems
    (warning,) = findings.warnings
    assert all(word in warning for word in words)


# The table of events.


def test_the_events_are_the_fifteen_in_the_order_of_the_listing():
    assert list(EVENTS) == [
        "session_start",
        "session_end",
        "turn_end",
        "message_submit",
        "tool_call_before",
        "tool_call_after",
        "mode_change",
        "on_error",
        "subagent_spawn",
        "subagent_complete",
        "shell_env",
        "session_idle",
        "session_error",
        "waiting_for_user",
        "session_busy",
    ]
    assert [event.name for event in NATIVE_EVENTS] == list(EVENTS)


def test_exactly_three_events_steer():
    assert {name: spec.steers for name, spec in EVENTS.items() if spec.steers} == {
        "message_submit": "prompt",
        "tool_call_before": "call",
        "shell_env": "env",
    }
    assert {event.name for event in NATIVE_EVENTS if event.steers} == {
        "message_submit",
        "tool_call_before",
        "shell_env",
    }


def test_strict_failures_stop_later_hooks_on_the_execute_path_only():
    assert {name for name, spec in EVENTS.items() if spec.execute_path} == {
        "session_start",
        "session_end",
        "mode_change",
        "on_error",
        "tool_call_after",
        "tool_call_before",
    }


def test_the_events_with_a_document_on_standard_input():
    assert {name for name, spec in EVENTS.items() if not spec.document} == {
        "session_start",
        "session_end",
        "tool_call_before",
        "mode_change",
        "on_error",
        "shell_env",
    }


def test_a_failed_tool_reaches_both_the_result_and_the_error_hooks():
    kinds = {event.name: {event.canonical, *event.also} for event in NATIVE_EVENTS}
    assert kinds["tool_call_after"] == {"post_tool_use", "post_tool_use_failure"}
    assert kinds["on_error"] == {"error", "post_tool_use", "post_tool_use_failure"}
