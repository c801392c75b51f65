from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import (
    ConfigChange,
    CwdChanged,
    DirectoryAdded,
    Elicitation,
    Error,
    FileChanged,
    InstructionsLoaded,
    Notification,
    PatternTimeoutError,
    PostCompact,
    PostModelSwitch,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Setup,
    Stop,
    SubagentStart,
    UserPromptExpansion,
    UserPromptSubmit,
)

BASH = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


def on(tool):
    return PreToolUse(tool_name=tool, tool_input={})


@pytest.mark.parametrize(
    ("matcher", "tool", "fits"),
    [
        (None, "Bash", True),
        ("", "Bash", True),
        ("*", "Bash", True),
        ("Bash", "Bash", True),
        ("bash", "Bash", False),
        ("Bas", "Bash", False),
        (" Bash ", "Bash", True),
        ("Edit|Bash", "Bash", True),
        ("Edit, Bash", "Bash", True),
        ("Bash|", "Bash", True),
        ("Edit Bash", "Bash", False),
        ("!Bash", "Bash", False),
        ("^Ba", "Bash", True),
        ("B?sh", "Bash", True),
        ("Not.*|Bash", "Bash", True),
        ("ba.h", "Bash", False),
        ("(?i)bash", "Bash", False),
        ("Bash(touch *)", "Bash", False),
        ("mcp__my-srv", "mcp__my-srv__scan", False),
        ("mcp__my-srv__scan", "mcp__my-srv__scan", True),
        ("mcp__my-srv__.*", "mcp__my-srv__scan", True),
        ("Task", "Agent", True),
        ("Agent", "Task", True),
        ("^Task$", "Agent", True),
        ("\\p{L}", "p{L}", True),
    ],
)
def test_matchers_of_tools(claude, matcher, tool, fits):
    assert claude.matches(on(tool), **({} if matcher is None else {"matcher": matcher})) is fits


@pytest.mark.parametrize(
    ("event", "name", "matcher"),
    [
        (SessionStart(source="resume"), "SessionStart", "resume"),
        (Setup(trigger="init"), "Setup", "init"),
        (InstructionsLoaded(load_reason="include"), "InstructionsLoaded", "include"),
        (UserPromptExpansion(command_name="greet"), "UserPromptExpansion", "greet"),
        (Notification(notification_type="idle_prompt"), "Notification", "idle_prompt"),
        (SubagentStart(agent_type="general-purpose"), "SubagentStart", "general-purpose"),
        (Error(error="rate_limit"), "StopFailure", "rate_limit"),
        (ConfigChange(source="skills"), "ConfigChange", "skills"),
        (DirectoryAdded(source="slash_command"), "DirectoryAdded", "slash_command"),
        (FileChanged(file_path="/srv/project/Makefile"), "FileChanged", "Makefile"),
        (PostCompact(trigger="auto"), "PostCompact", "auto"),
        (PostModelSwitch(to_model="haiku"), "PostModelSwitch", "haiku"),
        (Elicitation(mcp_server_name="srv"), "Elicitation", "srv"),
        (SessionEnd(reason="clear"), "SessionEnd", "clear"),
    ],
)
def test_what_the_matcher_of_an_event_looks_at(claude, event, name, matcher):
    assert claude.matches(event, name=name, matcher=matcher)
    assert not claude.matches(event, name=name, matcher="other")
    assert not claude.matches(type(event)(), name=name, matcher=matcher)


@pytest.mark.parametrize(
    ("event", "name"),
    [(Stop(), "Stop"), (UserPromptSubmit(prompt="x"), "UserPromptSubmit"), (CwdChanged(), "CwdChanged")],
)
@pytest.mark.parametrize("matcher", ["nomatch", "["])
def test_events_without_matchers_do_not_even_look_at_them(claude, event, name, matcher):
    assert claude.matches(event, name=name, matcher=matcher)


@pytest.mark.parametrize(
    ("matcher", "fits"), [("a.txt|b.txt", True), ("a,b", False), ("b_txt|a", False), ("b.t", True)]
)
def test_names_of_files_keep_the_older_rule(claude, matcher, fits):
    assert claude.matches(FileChanged(file_path="/x/b.txt"), name="FileChanged", matcher=matcher) is fits


def test_a_pattern_that_does_not_come_to_an_end_says_so(claude):
    with pytest.raises(PatternTimeoutError):
        claude.matches(on("a" * 60 + "!"), matcher=r"(a+)+\1$")


@pytest.mark.parametrize(
    ("event", "native"),
    [
        (PostToolUse(tool_name="Bash"), "PostToolUse"),
        (PostToolUse(tool_name="Bash", tool_success=True), "PostToolUse"),
        (PostToolUse(tool_name="Bash", tool_success=False), "PostToolUseFailure"),
        (PostToolUseFailure(tool_name="Bash"), "PostToolUseFailure"),
    ],
)
def test_a_call_that_failed_fires_the_event_for_failures(claude, event, native):
    assert claude.row(event).native_event == native


def test_an_error_of_a_tool_is_no_failure_of_the_turn(claude):
    assert claude.rows(Error(tool_name="Bash", error="Exit code 1")) == ()


def condition(claude, rule, event=BASH, name="PreToolUse"):
    return claude.matches(event, name=name, handler={"if": rule})


def command(line):
    return PreToolUse(tool_name="Bash", tool_input={"command": line})


@pytest.mark.parametrize(
    ("rule", "line", "fits"),
    [
        ("Bash", "anything", True),
        ("Bash(*)", "anything", True),
        ("Bash()", "anything", True),
        ("bash", "ls", False),
        ("Edit", "ls", False),
        ("Bash(git *)", "git status", True),
        ("Bash(git *)", "git", True),
        ("Bash(git *)", "gitk", False),
        ("Bash(git:*)", "git status", True),
        ("Bash(git:*)", "git", True),
        ("Bash(git:*)", "gitk", False),
        ("Bash(git*)", "gitk", True),
        ("Bash(ls)", "ls", True),
        ("Bash(ls)", "ls -l", False),
        ("Bash(git * main)", "git push main", True),
        ("Bash(git * main)", "git push dev", False),
        ("Bash(GIT *)", "git status", False),
        ("Bash(touch *)", "FOO=bar touch x", True),
        ("Bash(touch *)", "FOO='a b' BAR=$(date) touch x", True),
        ("Bash(touch *)", "true && touch x", True),
        ("Bash(touch *)", "true; touch x", True),
        ("Bash(touch *)", "true | touch x", True),
        ("Bash(touch *)", "true & touch x", True),
        ("Bash(touch *)", "true\ntouch x", True),
        ("Bash(touch *)", "(cd a; touch x)", True),
        ("Bash(touch *)", "if true; then touch x; fi", True),
        ("Bash(touch *)", "{ touch x; }", True),
        ("Bash(touch *)", "! touch x", True),
        ("Bash(touch *)", "echo $(touch x)", True),
        ("Bash(touch *)", 'echo "$(touch x)"', True),
        ("Bash(touch *)", "echo `touch x`", True),
        ("Bash(touch *)", "echo `echo \\`touch x\\``", True),
        ("Bash(touch *)", "echo 'a; touch x'", False),
        ("Bash(touch *)", 'echo "a; touch x"', False),
        ("Bash(touch *)", "echo a\\; touch x", False),
        ("Bash(touch *)", "echo $'a\\'; touch x'", False),
        ("Bash(touch *)", "echo hi # ; touch x", False),
        ("Bash(touch *)", "echo hi >&2", False),
        ("Bash(2)", "echo hi >&2", False),
        ("Bash(make)", "make &> log", False),
        ("Bash(make)", "make & ls", True),
        ("Bash(rm *)", "echo $(date)", False),
        ("Bash(rm *)", "echo $HOME", False),
        ("Bash(git push *)", "echo $(date)", True),
        ("Bash(git push *)", "echo `date`", True),
        ("Bash(git push *)", "$CMD", True),
        ("Bash(git push *)", "echo ${X}", True),
        ("Bash(git push *)", "echo '$X'", False),
        ("Bash(git push *)", "echo 5$", False),
        ("Bash(rm *)", "echo 'open", True),
        ("Bash(rm *)", 'echo "open', True),
        ("Bash(rm *)", "echo $(open", True),
        ("Bash(rm *)", "echo )", True),
        ("Bash(rm *)", "cat <<EOF\nx\nEOF", True),
        ("Bash(rm *)", "cat <<< word", False),
        ("Bash(rm *)", "case $x in a) ls;; esac", True),
        ("Bash(rm *)", "", False),
        ("Bash(rm", "rm x", False),
    ],
)
def test_rules_about_shell_commands(claude, rule, line, fits):
    assert condition(claude, rule, command(line)) is fits


@pytest.mark.parametrize(
    ("rule", "path", "fits"),
    [
        ("Edit(src/**)", "/srv/project/src/a/b.py", True),
        ("Edit(src/**)", "src/a.py", True),
        ("Edit(src/**)", "/srv/project/lib/src/a.py", False),
        ("Edit(**/src/**)", "/srv/project/lib/src/a.py", True),
        ("Edit(**/src/**)", "/srv/project/src/a.py", True),
        ("Edit(./src/**)", "/srv/project/src/a.py", True),
        ("Edit(src/*.py)", "/srv/project/src/a.py", True),
        ("Edit(src/*.py)", "/srv/project/src/a/b.py", False),
        ("Edit(src)", "/srv/project/src/a.py", True),
        ("Edit(*.py)", "/srv/project/deep/down/a.py", True),
        ("Edit(*.py)", "/srv/project/a.PY", False),
        ("Edit(/src/**)", "/srv/project/src/a.py", True),
        ("Edit(~/notes/**)", "/home/ada/notes/a", True),
        ("Edit(//etc/**)", "/etc/passwd", True),
        ("Edit(src/**)", "/srv/project/../src/a.py", False),
        ("Edit(src/**)", "/srv/project/src/../secret", False),
        ("Edit(**)", "/etc/passwd", False),
        ("Edit(src/**)", "", False),
    ],
)
def test_rules_about_files(claude, rule, path, fits):
    event = PreToolUse(tool_name="Edit", cwd="/srv/project", tool_input={"file_path": path})
    assert condition(claude, rule, event) is fits


def test_rules_about_files_are_relative_to_the_current_directory(claude):
    event = PreToolUse(tool_name="Write", cwd="/srv/project/sub", tool_input={"file_path": "/srv/project/sub/src/a"})
    assert condition(claude, "Write(src/**)", event)


def test_rules_about_sub_agents(claude):
    event = PreToolUse(tool_name="Agent", tool_input={"subagent_type": "reviewer"})
    assert condition(claude, "Task(reviewer)", event)
    assert not condition(claude, "Agent(planner)", event)


def test_brackets_of_other_tools_are_not_looked_at_and_that_is_said(claude):
    loaded = claude.load_handlers({"type": "command", "command": "x", "if": "WebFetch(domain:a.example)"})
    assert [item.code for item in loaded.diagnostics] == ["odd-condition"]
    assert condition(claude, "WebFetch(domain:a.example)", on("WebFetch"))


def test_a_rule_that_is_none_is_said(claude):
    loaded = claude.load_handlers({"type": "command", "command": "x", "if": "Bash(rm"})
    assert "no permission rule" in loaded.diagnostics[0].message


def test_a_rule_on_an_event_that_is_not_about_a_call_keeps_the_hook_from_running(claude):
    assert not condition(claude, "Bash", Stop(), "Stop")


@pytest.mark.parametrize("name", ["PreToolUse", "PostToolUse"])
def test_the_reason_for_no_names_the_rule(claude, name):
    loaded = claude.load_handlers({"type": "command", "command": "x", "if": "Bash(rm *)"}, event=name)
    (hook,) = loaded.hooks
    event = BASH if name == "PreToolUse" else PostToolUse(tool_name="Bash", tool_input={"command": "ls"})
    assert "Bash(rm *)" in hook.predicate(claude.row(event, loaded).facts)


def test_without_a_rule_the_input_of_a_call_is_no_part_of_the_facts(claude):
    assert claude.row(command("ls")).facts == claude.row(command("pwd")).facts


@given(line=st.text(alphabet="ab '\"\\$(){}`;&|<>#\n=!", max_size=40))
def test_no_line_for_a_shell_is_too_much(claude, line):
    condition(claude, "Bash(a *)", command(line))


@given(words=st.lists(st.sampled_from(["a", "b c", "x;y", "$z", "it's"]), min_size=1, max_size=5))
def test_quoted_words_never_begin_a_command(claude, words):
    import shlex

    from hookfw_claude.claude_code.shell_parts import split

    line = shlex.join(["echo", *words])
    parts = split(line)
    assert parts is not None
    assert parts.commands == (line,)
    assert not parts.expands


@given(pieces=st.lists(st.text(alphabet="ab*", max_size=4), max_size=4), text=st.text(alphabet="ab", max_size=10))
def test_stars_mean_any_text(pieces, text):
    import re

    from hookfw_claude.claude_code.wildcards import fits

    pattern = "*".join(pieces)
    expected = re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text)
    assert fits(pattern, text) is (expected is not None)


@pytest.mark.parametrize(
    "line",
    [
        "echo ${X:-$(git push)}",
        'echo "${X:-$(git push)}"',
        "echo ${X:-`git push`}",
        'echo "${X:-"$(git push)"}"',
        "echo ${X:-$(awk '{print}')}; git push",
    ],
)
def test_commands_inside_the_default_of_a_variable_are_tried_too(claude, line):
    call = PreToolUse(tool_name="Bash", tool_input={"command": line})
    assert claude.matches(call, handler={"if": "Bash(git *)"})
    assert not claude.matches(call, handler={"if": "Bash(rm *)"})


def test_variables_nested_too_deep_fit_every_rule(claude):
    call = PreToolUse(tool_name="Bash", tool_input={"command": "echo " + "${X:-" * 50_000})
    assert claude.matches(call, handler={"if": "Bash(rm *)"})
