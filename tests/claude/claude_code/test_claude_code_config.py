from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Document, PreToolUse, Stop
from hookfw_claude.claude_code.rules import EVENTS, VOIDING_EVENTS

COMMAND = {"type": "command", "command": "true"}


def codes(loaded):
    return [item.code for item in loaded.diagnostics]


def test_every_event_loads_a_handler(claude):
    loaded = claude.load_events(**{name: [{"hooks": [COMMAND]}] for name in EVENTS})
    assert [hook.event for hook in loaded.hooks] == list(EVENTS)
    assert len(EVENTS) == 33


def test_a_hook_knows_its_place(claude):
    content = '{\n"hooks": {"Stop": [\n{"hooks": [\n{"type": "command", "command": "a"}]}]}}'
    (hook,) = claude.load_file(content).hooks
    assert hook.name == "Stop:0:0"
    assert hook.source.entry == "hooks.Stop[0].hooks[0]"
    assert hook.source.line == 4


BROKEN = {
    "unknown type": [{"hooks": [{"type": "weird"}]}],
    "no type": [{"hooks": [{"command": "x"}]}],
    "type no text": [{"hooks": [{"type": ["command"]}]}],
    "no command": [{"hooks": [{"type": "command"}]}],
    "command no text": [{"hooks": [COMMAND | {"command": 1}]}],
    "command null": [{"hooks": [COMMAND | {"command": None}]}],
    "NUL in command": [{"hooks": [COMMAND | {"command": "a\0b"}]}],
    "timeout 0": [{"hooks": [COMMAND | {"timeout": 0}]}],
    "timeout text": [{"hooks": [COMMAND | {"timeout": "5"}]}],
    "timeout true": [{"hooks": [COMMAND | {"timeout": True}]}],
    "args no texts": [{"hooks": [COMMAND | {"args": [1]}]}],
    "async text": [{"hooks": [COMMAND | {"async": "yes"}]}],
    "if no text": [{"hooks": [COMMAND | {"if": []}]}],
    "unknown shell": [{"hooks": [COMMAND | {"shell": "fish"}]}],
    "onFailure stop": [{"hooks": [COMMAND | {"onFailure": "stop"}]}],
    "onFailure null": [{"hooks": [COMMAND | {"onFailure": None}]}],
    "http without url": [{"hooks": [{"type": "http"}]}],
    "http headers": [{"hooks": [{"type": "http", "url": "http://x", "headers": {"a": 1}}]}],
    "mcp_tool without tool": [{"hooks": [{"type": "mcp_tool", "server": "s"}]}],
    "mcp_tool input": [{"hooks": [{"type": "mcp_tool", "server": "s", "tool": "t", "input": []}]}],
    "prompt without prompt": [{"hooks": [{"type": "prompt"}]}],
    "handler no object": [{"hooks": ["x"]}],
    "hooks no array": [{"hooks": {}}],
    "no hooks": [{"matcher": "Bash"}],
    "group no object": ["x"],
    "matcher no text": [{"matcher": 5, "hooks": [COMMAND]}],
    "matcher null": [{"matcher": None, "hooks": [COMMAND]}],
    "event no array": {"hooks": [COMMAND]},
}


@pytest.mark.parametrize("groups", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("event", VOIDING_EVENTS)
def test_a_broken_entry_under_a_gate_voids_its_whole_file_and_no_other(claude, event, groups):
    broken = claude.file({"hooks": {event: groups, "Stop": [{"hooks": [COMMAND]}]}, "disableAllHooks": True}, "project")
    good = claude.file({"hooks": {"Stop": [{"hooks": [COMMAND]}]}})
    loaded = claude.load(good, broken)
    assert [hook.source.scope for hook in loaded.hooks] == ["user"]
    assert loaded.settings.off == {}
    assert "void-file" in codes(loaded)
    (void,) = [item for item in loaded.diagnostics if item.code == "void-file"]
    assert void.severity == "error"
    assert f"hooks.{event}" in void.message
    assert [entry.event for entry in loaded.rejected] == [event, "Stop"]


@pytest.mark.parametrize("groups", BROKEN.values(), ids=BROKEN)
def test_a_broken_entry_elsewhere_costs_itself(claude, groups):
    loaded = claude.load_events(PostToolUse=groups, Stop=[{"hooks": [COMMAND]}])
    assert [hook.event for hook in loaded.hooks] == ["Stop"]
    assert len(loaded.rejected) == 1
    (rejection,) = [item for item in loaded.diagnostics if item.code == "rejected-entry"]
    assert rejection.file == claude.paths["user"]
    assert rejection.entry.startswith("hooks.PostToolUse")


def test_a_neighbour_of_a_broken_handler_loads(claude):
    loaded = claude.load_handlers({"type": "weird"}, COMMAND, event="Stop")
    assert [hook.name for hook in loaded.hooks] == ["Stop:0:1"]


def test_an_empty_command_and_a_fractional_timeout_are_accepted(claude):
    (hook,) = claude.load_handlers({"type": "command", "command": "", "timeout": 0.5}).hooks
    assert (hook.command, hook.timeout) == ("", 0.5)


@pytest.mark.parametrize("name", ["pre_tool_use", "PreToolCall", "Stop "])
def test_an_unknown_event_is_ignored_and_said(claude, name):
    loaded = claude.load_events(**{name: [{"hooks": [{"type": "weird"}]}], "Stop": [{"hooks": [COMMAND]}]})
    assert len(loaded.hooks) == 1
    assert codes(loaded) == ["unknown-event"]
    assert name in loaded.diagnostics[0].message


def test_a_misspelt_event_is_answered_with_the_right_one(claude):
    loaded = claude.load_events(PreToolCall=[])
    assert "did you mean `PreToolUse`?" in loaded.diagnostics[0].message


def test_unknown_fields_are_ignored_and_said(claude):
    loaded = claude.load_handlers(COMMAND | {"on_failure": "block"}, zzz=1)
    assert len(loaded.hooks) == 1
    assert not loaded.hooks[0].strict
    assert ["zzz" in loaded.diagnostics[0].message, "onFailure" in loaded.diagnostics[1].message] == [True, True]


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ('{"hooks": {}} // note', "not valid JSON"),
        ('{"hooks": {},}', "not valid JSON"),
        ("[]", "JSON object"),
        ("", "not valid JSON"),
        ('{"a": NaN}', "no JSON number"),
    ],
)
def test_a_broken_file_counts_for_nothing_and_is_named(claude, content, word):
    loaded = claude.load(claude.file(content), claude.file({"hooks": {"Stop": [{"hooks": [COMMAND]}]}}, "project"))
    assert [hook.source.scope for hook in loaded.hooks] == ["project"]
    assert codes(loaded) == ["broken-file"]
    assert word in loaded.diagnostics[0].message
    assert claude.paths["user"] in loaded.diagnostics[0].message


def test_a_byte_order_mark_is_no_fault(claude):
    assert len(claude.load_file("\ufeff" + json.dumps({"hooks": {"Stop": [{"hooks": [COMMAND]}]}})).hooks) == 1


def test_hooks_that_are_no_object_cost_the_hooks_alone(claude):
    loaded = claude.load(
        claude.file({"hooks": [], "disableAllHooks": True}),
        claude.file({"hooks": {"Stop": [{"hooks": [COMMAND]}]}}, "project"),
    )
    assert codes(loaded) == ["broken-hooks"]
    assert len(loaded.settings.off) == 1


@pytest.mark.parametrize(
    ("event", "fields", "seconds"),
    [
        ("PreToolUse", {}, 600),
        ("UserPromptSubmit", {}, 30),
        ("MessageDisplay", {}, 10),
        ("UserPromptSubmit", {"timeout": 90}, 90),
        ("PreToolUse", {"type": "http", "url": "https://x"}, 600),
        ("PreToolUse", {"type": "prompt", "prompt": "x"}, 30),
        ("UserPromptSubmit", {"type": "agent", "prompt": "x"}, 60),
    ],
)
def test_the_time_a_hook_has(claude, event, fields, seconds):
    assert claude.load_handlers(COMMAND | fields, event=event).hooks[0].timeout == seconds


@pytest.mark.parametrize(
    ("own", "environ", "expected"),
    [
        ([None], {}, [1.5]),
        ([None, 10], {}, [10, 10]),
        ([None, 0.5], {}, [1.5, 0.5]),
        ([120], {}, [60]),
        ([None, 10], {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "3000"}, [3, 3]),
        ([None], {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "0"}, [1.5]),
        ([None], {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "inf"}, [1.5]),
    ],
)
def test_hooks_at_the_end_of_a_session_share_a_time(claude, own, environ, expected):
    handlers = [COMMAND | ({} if seconds is None else {"timeout": seconds}) for seconds in own]
    content = {"hooks": {"SessionEnd": [{"hooks": handlers}], "Stop": [{"hooks": [COMMAND | {"timeout": 50}]}]}}
    loaded = claude.load_file(content, environ=environ)
    assert [hook.timeout for hook in loaded.hooks if hook.event == "SessionEnd"] == expected


def test_a_plugin_raises_the_time_at_the_end_for_nobody(claude):
    content = {"hooks": {"SessionEnd": [{"hooks": [COMMAND | {"timeout": 30}]}]}}
    plugin = Document("/opt/p/hooks/hooks.json", "plugin", "plugin-hooks:/opt/p", json.dumps(content).encode())
    assert [hook.timeout for hook in claude.load(plugin).hooks] == [1.5]


def test_an_unusable_time_for_the_end_is_said(claude):
    loaded = claude.load_file({}, environ={"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "soon"})
    assert codes(loaded) == ["ignored-variable"]


@pytest.mark.parametrize(
    ("event", "fields", "word"),
    [
        ("PreToolUse", {"once": True}, "skills"),
        ("PreToolUse", {"asyncRewake": True}, "waited for"),
        ("Stop", {"if": "Bash"}, "ever running"),
        ("Stop", {"onFailure": "block"}, "on Stop"),
        ("PreToolUse", {"onFailure": "block", "async": True}, "background"),
        ("PreToolUse", {"timeout": 5000}, "seconds"),
        ("SessionStart", {"type": "http", "url": "https://x"}, "do not run"),
        ("Notification", {"type": "prompt", "prompt": "x"}, "do not run"),
    ],
)
def test_what_does_nothing_is_said(claude, event, fields, word):
    loaded = claude.load_handlers(COMMAND | fields, event=event)
    assert len(loaded.hooks) == 1
    assert any(word in item.message for item in loaded.diagnostics)


@pytest.mark.parametrize(
    ("event", "fields", "strict"),
    [
        ("PreToolUse", {"onFailure": "block"}, True),
        ("PreToolUse", {"onFailure": "continue"}, False),
        ("PreToolUse", {"onFailure": "block", "async": True}, False),
        ("PreToolUse", {"onFailure": "block", "asyncRewake": True}, False),
        ("Stop", {"onFailure": "block"}, False),
        ("SessionStart", {"onFailure": "block"}, False),
        ("PreCompact", {"onFailure": "block"}, True),
    ],
)
def test_a_hook_is_strict_where_its_failure_blocks(claude, event, fields, strict):
    assert claude.hook(event, **fields).strict is strict


@pytest.mark.parametrize(
    ("fields", "background"), [({"async": True}, True), ({"asyncRewake": True}, False), ({}, False)]
)
def test_only_async_hooks_run_in_the_background(claude, fields, background):
    assert claude.hook(**fields).background is background


def test_handlers_of_every_type_load_and_are_listed(claude):
    prompt = {"type": "prompt", "prompt": "Is this safe?"}
    loaded = claude.load_handlers(
        {"type": "http", "url": "https://hooks.example"},
        {"type": "mcp_tool", "server": "s", "tool": "t"},
        prompt,
        prompt | {"model": "small"},
        {"type": "agent", "prompt": "look"},
    )
    assert [hook.handler for hook in loaded.hooks] == ["http", "mcp_tool", "prompt", "prompt", "agent"]
    assert [hook.summary for hook in loaded.hooks][:2] == ["https://hooks.example", "s/t"]
    assert codes(loaded) == []


def test_a_type_that_a_plugin_of_hookfw_brings_loads_and_that_is_said(claude):
    handler = {"type": "sql_check", "database": "rules.db", "timeout": 3}
    loaded = claude.load_file({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}, handler_types=frozenset({"sql_check"}))
    (hook,) = loaded.hooks
    assert (hook.handler, hook.summary, hook.timeout) == ("sql_check", "sql_check", 3)
    (said,) = loaded.diagnostics
    assert (said.code, said.severity) == ("foreign-handler", "info")
    assert "refuses all of its file" in said.message
    sent = claude.dialect.invocation(claude.row(PreToolUse(tool_name="Bash", tool_input={})), hook, claude.session())
    assert sent.config == handler
    assert json.loads(sent.stdin)["tool_name"] == "Bash"


def test_a_type_that_nobody_brings_is_refused_as_the_client_does(claude):
    handler = {"type": "sql_chek"}
    content = {"hooks": {"PreToolUse": [{"hooks": [handler]}]}}
    loaded = claude.load_file(content, handler_types=frozenset({"sql_check"}))
    assert loaded.hooks == ()
    assert "sql_check" in str(loaded.rejected[0].problems)
    assert "void-file" in codes(loaded)


@pytest.mark.parametrize("broken", [{"timeout": "3"}, {"onFailure": "stop"}, {"if": 5}])
def test_what_every_handler_has_is_checked_of_a_plugin_s_type_too(claude, broken):
    content = {"hooks": {"Stop": [{"hooks": [{"type": "sql_check"} | broken]}]}}
    loaded = claude.load_file(content, handler_types=frozenset({"sql_check"}))
    assert (loaded.hooks, len(loaded.rejected)) == ((), 1)


def test_handlers_of_a_plugin_s_type_are_the_same_when_all_their_fields_are(claude):
    handlers = [{"type": "sql_check", "database": name} for name in ("a.db", "b.db", "a.db")]
    handlers[2]["timeout"] = 5
    content = {"hooks": {"Stop": [{"hooks": handlers}]}}
    loaded = claude.load_file(content, handler_types=frozenset({"sql_check"}))
    steps = claude.dialect.plan(claude.row(Stop()), loaded.hooks)
    assert [step.how for step in steps] == ["foreground", "skip", "foreground"]


@pytest.mark.parametrize(
    ("matcher", "word"), [("(?i)bash", "JavaScript"), ("Edit Bash", "blank"), ("mcp__srv", "server"), ("|", "never")]
)
def test_a_matcher_that_cannot_match_is_said(claude, matcher, word):
    loaded = claude.load_handlers(COMMAND, matcher=matcher)
    assert len(loaded.hooks) == 1
    assert codes(loaded) == ["odd-matcher"]
    assert word in loaded.diagnostics[0].message


def test_settings_that_are_a_link_out_of_the_project_are_said(claude):
    loaded = claude.load(claude.file({"hooks": {"Stop": [{"hooks": [COMMAND]}]}}, "project", path="/opt/shared.json"))
    assert codes(loaded) == ["linked-settings"]
    assert len(loaded.hooks) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
HANDLERS = st.dictionaries(
    st.sampled_from(
        ["type", "command", "args", "if", "timeout", "async", "url", "prompt", "server", "tool", "onFailure"]
    ),
    JSON | st.sampled_from(["command", "http", "prompt", "block"]),
    max_size=5,
)
GROUPS = JSON | st.lists(
    st.fixed_dictionaries({}, optional={"matcher": JSON | st.text(), "hooks": st.lists(HANDLERS | JSON, max_size=3)}),
    max_size=3,
)


@given(hooks=JSON | st.dictionaries(st.sampled_from([*EVENTS, "Other"]), GROUPS, max_size=3))
def test_whatever_a_file_holds_every_handler_loads_or_is_accounted_for(claude, hooks):
    loaded = claude.load_file({"hooks": hooks})
    refused = {entry.source.entry for entry in loaded.rejected}
    assert refused.isdisjoint(hook.source.entry for hook in loaded.hooks)
    assert not refused or any(item.severity == "error" for item in loaded.diagnostics)


@given(data=st.binary(max_size=60))
def test_no_bytes_of_a_file_are_too_much(claude, data):
    document = claude.file("{}")._replace(data=data)
    claude.load(document, claude.accepted()._replace(data=data))


@pytest.mark.parametrize("written", ["1" + "0" * 400, "1e400"])
def test_a_timeout_beyond_all_numbers_is_just_long(claude, written):
    content = '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": %s}]}]}}'
    (hook,) = claude.load_file(content % written).hooks
    assert hook.timeout == 1e9
