from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookfw import Document, Places
from hookfw_claude.mind.config import load
from hookfw_claude.mind.rules import EVENTS

COMMAND = {"type": "command", "command": "sh gate.sh"}


def messages(loaded):
    return [item.message for item in loaded.diagnostics]


def names(loaded):
    return [hook.name for hook in loaded.hooks]


def test_a_handler_loads_with_its_defaults(mind):
    (hook,) = mind.load_handlers(COMMAND, matcher="Bash").hooks
    assert (hook.name, hook.event, hook.handler, hook.command) == (
        "PreToolUse:0:0",
        "PreToolUse",
        "command",
        "sh gate.sh",
    )
    assert (hook.timeout, hook.background, hook.matcher, hook.keys) == (600, False, "Bash", frozenset({"Bash"}))
    assert hook.config.handler.context_limit == 2500
    assert (hook.source.path, hook.source.scope, hook.source.entry) == (
        mind.user_file,
        "user",
        "hooks.PreToolUse[0].hooks[0]",
    )


def test_a_summary_is_one_line_of_at_most_sixty_characters(mind):
    hook = mind.hook(command="echo one\necho " + "x" * 100)
    assert len(hook.summary) == 60
    assert "\n" not in hook.summary
    assert hook.summary.endswith("…")


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_of_mind_loads_in_both_representations(mind, event):
    toml = f'[[hooks.{event}]]\nhooks = [{{ type = "command", command = "true" }}]\n'
    assert names(mind.load(mind.config(toml))) == [f"{event}:0:0"]
    assert names(mind.load_handlers(COMMAND, event=event)) == [f"{event}:0:0"]


def test_definitions_of_a_source_come_in_the_order_of_events_whatever_the_file_says(mind):
    loaded = mind.load_events(**{event: [{"hooks": [COMMAND]}] for event in reversed(EVENTS)})
    assert [hook.event for hook in loaded.hooks] == list(EVENTS)


@pytest.mark.parametrize(
    ("handler", "word"),
    [
        ({"command": "true"}, "`type`"),
        ({"type": None, "command": "true"}, "`type`"),
        ({"type": "webhook", "command": "true"}, "webhook"),
        ({"type": ["command"], "command": "true"}, "`type`"),
        ({"type": "command"}, "`command`"),
        ({"type": "command", "command": " \n"}, "`command`"),
        ({"type": "command", "command": 5}, "`command`"),
        ({"type": "command", "command": "a\0b"}, "NUL"),
        ({**COMMAND, "commandWindows": 5}, "`commandWindows`"),
        ({**COMMAND, "commandWindows": "a", "command_windows": "a"}, "`command_windows`"),
        ({**COMMAND, "statusMessage": ["x"]}, "`statusMessage`"),
        ({**COMMAND, "timeout": -1}, "`timeout`"),
        ({**COMMAND, "timeout": 1.5}, "`timeout`"),
        ({**COMMAND, "timeout": True}, "`timeout`"),
        ({**COMMAND, "timeout": "5"}, "`timeout`"),
        ({**COMMAND, "async": "yes"}, "`async`"),
        ({**COMMAND, "async": None}, "`async`"),
        ({**COMMAND, "additionalContextLimit": -1}, "`additionalContextLimit`"),
        ({**COMMAND, "additionalContextLimit": None}, "`additionalContextLimit`"),
        ({**COMMAND, "additionalContextLimit": False}, "`additionalContextLimit`"),
        ({"type": "mcp_tool", "tool": "t"}, "`server`"),
        ({"type": "mcp_tool", "server": " ", "tool": "t"}, "`server`"),
        ({"type": "mcp_tool", "server": "s", "tool": 5}, "`tool`"),
        ({"type": "mcp_tool", "server": "s", "tool": "t", "input": "x"}, "`input`"),
        ({"type": "mcp_tool", "server": "s", "tool": "t", "input": None}, "`input`"),
        ({"type": "mcp_tool", "server": "s", "tool": "t", "statusMessage": 1}, "`statusMessage`"),
        ("sh gate.sh", "table"),
    ],
)
def test_a_bad_handler_costs_itself_and_says_where_and_why(mind, handler, word):
    loaded = mind.load_handlers(handler, COMMAND)
    assert names(loaded) == ["PreToolUse:0:1"]
    (rejected,) = loaded.rejected
    assert (rejected.name, rejected.event) == ("PreToolUse:0:0", "PreToolUse")
    (diagnostic,) = loaded.diagnostics
    assert diagnostic.severity == "error"
    assert word in diagnostic.message
    assert f"{mind.user_file}, hooks.PreToolUse[0].hooks[0], line 1: " in diagnostic.message


def test_all_problems_of_one_handler_are_said_at_once(mind):
    loaded = mind.load_handlers({"type": "command", "timeout": -1, "async": 3})
    assert len(loaded.rejected[0].problems) == 3


@pytest.mark.parametrize(
    ("group", "word"), [(5, "table"), ({"matcher": {"tool": "x"}}, "`matcher`"), ({"hooks": {}}, "`hooks`")]
)
def test_a_bad_group_costs_itself_and_keeps_its_position(mind, group, word):
    loaded = mind.load_events(PreToolUse=[group, {"hooks": [COMMAND]}])
    assert names(loaded) == ["PreToolUse:1:0"]
    assert [item.name for item in loaded.rejected] == ["PreToolUse:0"]
    assert word in messages(loaded)[0]


def test_an_invalid_pattern_costs_its_group(mind):
    loaded = mind.load_events(PreToolUse=[{"matcher": "(Bash", "hooks": [COMMAND]}, {"hooks": [COMMAND]}])
    assert names(loaded) == ["PreToolUse:1:0"]
    assert "`matcher` `(Bash` is no pattern" in messages(loaded)[0]


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop"])
def test_events_without_a_subject_ignore_even_a_broken_matcher_and_digest_none(mind, event):
    with_matcher = mind.hook(event, matcher="(broken")
    assert (with_matcher.keys, with_matcher.predicate, with_matcher.matcher) == (None, None, "")
    assert with_matcher.config.digest == mind.hook(event).config.digest


def test_even_there_a_matcher_has_to_be_a_text(mind):
    assert mind.load_handlers(COMMAND, event="Stop", matcher=5).hooks == ()


def test_a_group_without_hooks_is_empty_and_no_matter(mind):
    loaded = mind.load_events(PreToolUse=[{"matcher": "x"}, {"hooks": []}], Stop=[])
    assert (loaded.hooks, loaded.rejected, loaded.diagnostics) == ((), (), ())


def test_an_event_that_is_no_array_costs_itself(mind):
    loaded = mind.load_events(PreToolUse={"hooks": [COMMAND]}, Stop=[{"hooks": [COMMAND]}])
    assert names(loaded) == ["Stop:0:0"]
    assert "`PreToolUse` must be an array" in messages(loaded)[0]
    assert "`Stop` must be an array" in messages(mind.load_events(Stop=None))[0]


@pytest.mark.parametrize("name", ["BeforeModel", "Interrupt", "pretooluse"])
def test_an_unknown_event_is_ignored_and_said_and_counts_as_nothing(mind, name):
    loaded = mind.load_events(**{name: [{"hooks": [COMMAND]}]}, Stop=[{"hooks": [COMMAND]}])
    assert names(loaded) == ["Stop:0:0"]
    assert loaded.rejected == ()
    (diagnostic,) = loaded.diagnostics
    assert (diagnostic.severity, diagnostic.code) == ("warning", "unknown-event")
    assert f"`{name}`" in diagnostic.message


def test_a_misspelt_name_gets_a_suggestion(mind):
    assert "did you mean `PreToolUse`?" in messages(mind.load_events(PreTolUse=[]))[0]
    assert "did you mean `timeout`?" in messages(mind.load_handlers({**COMMAND, "timeOut": 5}))[0]
    assert "did you mean `matcher`?" in messages(mind.load_handlers(COMMAND, matchers="x"))[0]


def test_unknown_fields_are_ignored_and_said(mind):
    loaded = mind.load_handlers({**COMMAND, "retries": 3}, label="x")
    assert names(loaded) == ["PreToolUse:0:0"]
    assert ["`label`" in messages(loaded)[0], "`retries`" in messages(loaded)[1]] == [True, True]
    assert {item.severity for item in loaded.diagnostics} == {"warning"}


@pytest.mark.parametrize("kind", ["prompt", "agent"])
def test_prompt_and_agent_handlers_are_named_and_count_nowhere(mind, kind):
    loaded = mind.load_handlers({"type": kind, "prompt": "judge"}, COMMAND)
    assert names(loaded) == ["PreToolUse:0:1"]
    assert loaded.rejected == ()
    assert f"`{kind}` are not supported" in messages(loaded)[0]


def test_equal_warnings_are_recorded_once(mind):
    loaded = mind.load_handlers({**COMMAND, "x": 1}, {**COMMAND, "x": 1})
    assert len(loaded.diagnostics) == 2
    assert (
        len(
            mind.load(
                mind.file({"hooks": {}, "x": 1}), mind.config(), mind.file({"hooks": {}, "x": 1}), mind.config()
            ).diagnostics
        )
        == 1
    )


def test_null_for_three_fields_is_absent(mind):
    hook = mind.hook(timeout=None, statusMessage=None, commandWindows=None)
    assert hook.config.digest == mind.hook().config.digest


@pytest.mark.parametrize(("given", "counts"), [(0, 1), (1, 1), (7, 7), (99_999, 99_999)])
def test_a_timeout_is_at_least_one_second_and_has_no_upper_bound(mind, given, counts):
    assert mind.hook(timeout=given).timeout == counts


def test_a_timeout_that_looks_like_milliseconds_is_asked_about(mind):
    assert "counts as seconds" in messages(mind.load_handlers({**COMMAND, "timeout": 30_000}))[0]
    assert messages(mind.load_handlers({**COMMAND, "timeout": 3600})) == []


@pytest.mark.parametrize(
    ("given", "counts", "said"), [(None, 1, 0), (0, 1, 0), (2, 2, 0), (3, 3, 0), (4, 3, 1), (30_000, 3, 1)]
)
def test_session_end_has_one_second_by_default_and_three_at_most(mind, given, counts, said):
    handler = COMMAND if given is None else {**COMMAND, "timeout": given}
    loaded = mind.load_handlers(handler, event="SessionEnd")
    assert loaded.hooks[0].timeout == counts
    assert len([text for text in messages(loaded) if "SessionEnd" in text]) == said


def test_async_runs_in_the_background_but_never_at_session_end(mind):
    assert mind.hook(**{"async": True}).background
    loaded = mind.load_handlers({**COMMAND, "async": True}, event="SessionEnd")
    assert not loaded.hooks[0].background
    assert "`async` does nothing" in messages(loaded)[0]


def test_async_of_an_mcp_tool_is_not_even_looked_at(mind):
    (hook,) = mind.load_handlers({"type": "mcp_tool", "server": "s", "tool": "t", "async": "yes"}).hooks
    assert not hook.background


@pytest.mark.parametrize("event", EVENTS)
def test_a_context_limit_is_replaced_where_hooks_give_no_context(mind, event):
    loaded = mind.load_handlers({**COMMAND, "additionalContextLimit": 7}, event=event)
    takes = event not in ("PermissionRequest", "PreCompact", "PostCompact", "SessionEnd")
    assert loaded.hooks[0].config.handler.context_limit == (7 if takes else 2500)
    assert len(loaded.diagnostics) == (0 if takes else 1)


def test_an_mcp_tool_loads_trimmed(mind):
    loaded = mind.load_handlers({"type": "mcp_tool", "server": " s ", "tool": " t ", "input": {"a": [1]}, "command": 5})
    (hook,) = loaded.hooks
    assert (hook.handler, hook.command, hook.summary) == ("mcp_tool", None, "s:t")
    assert hook.config.handler.input == {"a": [1]}
    assert loaded.diagnostics == ()


def test_an_input_from_toml_has_to_be_plain_json(mind):
    text = '[[hooks.Stop]]\nhooks = [{ type = "mcp_tool", server = "s", tool = "t", input = { at = 2026-01-01 } }]\n'
    assert mind.load(mind.config(text)).hooks == ()
    assert mind.load(mind.config(text.replace("2026-01-01", "nan"))).hooks == ()
    assert len(mind.load(mind.config(text.replace("2026-01-01", "1"))).hooks) == 1


def test_a_blank_windows_command_is_none_except_on_windows(mind):
    content = {"hooks": {"Stop": [{"hooks": [{**COMMAND, "commandWindows": " "}]}]}}
    assert mind.load_file(content).hooks[0].config.handler.command_windows is None
    loaded = mind.load_file(content, platform="win32")
    assert loaded.hooks == ()
    assert "`commandWindows` is empty" in messages(loaded)[0]


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("{", "line 1, column 2"),
        ("[]", "object"),
        ("", "JSON"),
        ('{"hooks": {"Stop": [{"hooks": [], "weight": NaN}]}}', "NaN"),
        ('{"hooks": {}, "version": 1}', "`version`"),
        ('{"description": 5}', "`description`"),
        ('{"hooks": []}', "`hooks`"),
    ],
)
def test_a_broken_hooks_file_costs_itself_and_inline_hooks_still_load(mind, content, word):
    inline = mind.config('[[hooks.Stop]]\nhooks = [{ type = "command", command = "true" }]\n')
    loaded = mind.load(mind.file(content), inline)
    assert [hook.source.path for hook in loaded.hooks] == [mind.user_config]
    (diagnostic,) = loaded.diagnostics
    assert (diagnostic.code, diagnostic.severity, diagnostic.file) == ("broken-file", "error", mind.user_file)
    assert word in diagnostic.message
    assert "no hooks of this file load" in diagnostic.message


@pytest.mark.parametrize("content", ['{"description": null, "hooks": {}}', "{}"])
def test_an_empty_hooks_file_is_fine(mind, content):
    assert mind.load_file(content).diagnostics == ()


def test_editors_bytes_break_nothing(mind):
    content = json.dumps({"hooks": {"Stop": [{"hooks": [COMMAND]}]}}, indent=1).replace("\n", "\r\n")
    toml = '\ufeff[[hooks.Stop]]\r\nhooks = [{ type = "command", command = "true" }]\r\n'
    assert len(mind.load(mind.file("\ufeff" + content), mind.config(toml)).hooks) == 2


@pytest.mark.parametrize("content", ["hooks = 3\n", "x = [\n", "hooks = []\n"])
def test_a_broken_config_costs_its_whole_layer_and_no_other(mind, content):
    other = mind.file({"hooks": {"Stop": [{"hooks": [COMMAND]}]}}, "/srv/project/.mind/hooks.json", "project")
    end = mind.config("", "/srv/project/.mind/config.toml", "project")
    loaded = mind.load(mind.file({"hooks": {"Stop": [{"hooks": [COMMAND]}]}}), mind.config(content), other, end)
    assert [hook.source.scope for hook in loaded.hooks] == ["project"]
    assert "no hooks of this layer load" in messages(loaded)[0]


def test_an_unreadable_file_says_so(mind):
    unreadable = Document(mind.user_config, "user", "config", problem="cannot be read: permission denied")
    assert "cannot be read: permission denied" in messages(mind.load(unreadable))[0]


def test_other_keys_of_the_config_are_none_of_our_business(mind):
    assert mind.load(mind.config('model = "x"\n[tui]\ntheme = "y"\n')).diagnostics == ()


def test_both_representations_load_the_file_first_and_are_warned_about(mind):
    inline = '[[hooks.Stop]]\nhooks = [{ type = "command", command = "true" }]\n'
    loaded = mind.load(mind.file({"hooks": {"Stop": [{"hooks": [COMMAND]}]}}), mind.config(inline))
    assert [hook.source.path for hook in loaded.hooks] == [mind.user_file, mind.user_config]
    (diagnostic,) = loaded.diagnostics
    assert mind.user_file in diagnostic.message
    assert mind.user_config in diagnostic.message


def test_the_warning_counts_groups_before_they_are_checked_and_only_within_one_layer(mind):
    file = mind.file({"hooks": {"Stop": [5]}})
    inline = "[[hooks.Stop]]\nmatcher = 5\n"
    assert [item.code for item in mind.load(file, mind.config(inline)).diagnostics].count("two-representations") == 1
    empty = mind.file({"hooks": {"Stop": []}})
    assert "two-representations" not in [item.code for item in mind.load(empty, mind.config(inline)).diagnostics]
    apart = mind.load(file, mind.config(), mind.config(inline, "/srv/project/.mind/config.toml", "project"))
    assert "two-representations" not in [item.code for item in apart.diagnostics]


def test_the_line_of_an_entry_is_told(mind):
    content = '{"hooks": {\n"Stop": [\n{"hooks": [\n{"type": "command", "command": "true"}\n]}]}}'
    assert mind.load_file(content).hooks[0].source.line == 4
    toml = '\n\n[[hooks.Stop]]\nhooks = [{ type = "command", command = "true" }]\n'
    assert mind.load(mind.config(toml)).hooks[0].source.line == 3


def test_a_name_with_blanks_beside_the_bar_is_warned_about(mind):
    loaded = mind.load_handlers(COMMAND, matcher="Edit | Write")
    assert [item.code for item in loaded.diagnostics] == ["odd-matcher"]
    assert mind.load_handlers(COMMAND, matcher=" Edit|my tool ").diagnostics == ()


def test_a_list_of_names_that_can_never_match_is_warned_about(mind):
    assert "never matches" in messages(mind.load_handlers(COMMAND, event="SessionStart", matcher="start"))[0]
    assert mind.load_handlers(COMMAND, event="SessionStart", matcher="startup|x").diagnostics == ()
    assert mind.load_handlers(COMMAND, event="SessionEnd", matcher="other").diagnostics == ()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["type", "command", "timeout", "async", "additionalContextLimit", "server", "tool", "input", "x"]
)
HANDLERS = st.dictionaries(FIELDS, VALUES | st.sampled_from(["command", "mcp_tool", "prompt"]), max_size=5) | VALUES
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=3)}, optional={"matcher": VALUES}) | VALUES
TABLES = st.dictionaries(st.sampled_from([*EVENTS, "Other"]), st.lists(GROUPS, max_size=3) | VALUES, max_size=3)


@settings(max_examples=150, deadline=None)
@given(TABLES | VALUES)
def test_whatever_a_file_holds_loading_ends_and_every_handler_is_a_hook_a_refusal_or_named(table):
    file = Document("/h/.mind/hooks.json", "user", "hooks", json.dumps({"hooks": table}).encode())
    loaded = load([file, Document("/h/.mind/config.toml", "user", "config")], Places("/h", "/w"))
    groups = [
        group
        for event in EVENTS
        if isinstance(table, dict) and isinstance(table.get(event), list)
        for group in table[event]
        if isinstance(group, dict) and isinstance(group.get("hooks"), list)
    ]
    handlers = sum(len(group["hooks"]) for group in groups)
    unsupported = sum(item.code == "unsupported-handler" for item in loaded.diagnostics)
    assert len(loaded.hooks) + unsupported <= handlers
    assert len({hook.config.key for hook in loaded.hooks}) == len(loaded.hooks)
    for item in loaded.rejected:
        assert item.problems


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_of_a_file_raise(data):
    file = Document("/h/.mind/hooks.json", "user", "hooks", data)
    config = Document("/h/.mind/config.toml", "user", "config", data)
    load([file, config], Places("/h", "/w"))
