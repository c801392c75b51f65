from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.codex.rules import EVENTS
from hookfw_claude.codex.shapes import file_problem, table_problem

GATE = {"type": "command", "command": "sh gate.sh"}
CHECK = {"type": "mcp_tool", "server": "s", "tool": "t"}


def said(loaded):
    return [(item.code, item.severity) for item in loaded.diagnostics]


def only(loaded):
    (found,) = loaded.diagnostics
    return found


def one(handler, **group):
    return {"hooks": {"PreToolUse": [group | {"hooks": [handler]}]}}


@pytest.mark.parametrize("content", [{}, {"description": None}, {"description": "mine", "hooks": {}}])
def test_a_file_without_hooks_is_a_file(codex, content):
    loaded = codex.load_file(content)
    assert (loaded.hooks, loaded.rejected, loaded.diagnostics) == ((), (), ())


def test_a_mark_at_the_beginning_and_the_line_ends_of_other_editors_are_fine(codex):
    text = "\ufeff" + json.dumps(one(GATE), indent=1).replace("\n", "\r\n")
    assert len(codex.load_file(text).hooks) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{ broken", ["not valid JSON at line 1"]),
        ("// no\n{}", ["not valid JSON"]),
        ("[]", ["must hold a JSON object"]),
        ({"$schema": "x"}, ["unknown field `$schema`", "`hooks`"]),
        ({"description": 5}, ["`description` must be a text"]),
        ({"hooks": None}, ["`hooks` must be an object"]),
        ({"hooks": {"PreToolUse": None}}, ["hooks.PreToolUse: `PreToolUse` must be an array"]),
        ({"hooks": {"PreToolUse": ["x"]}}, ["hooks.PreToolUse[0]: a matcher group must be an object"]),
        ({"hooks": {"PreToolUse": [{"hooks": None}]}}, ["`hooks` of a matcher group must be an array"]),
        ({"hooks": {"PreToolUse": [{"hooks": ["x"]}]}}, ["hooks.PreToolUse[0].hooks[0]: a handler must be an object"]),
        ({"hooks": {"UserPromptSubmit": [{"matcher": 5, "hooks": []}]}}, ["`matcher` must be a text"]),
        (one({"command": "x"}), ["it names no `type`", "`mcp_tool`"]),
        (one({"type": "comand"}), ["unknown `type` `comand` (did you mean `command`?)"]),
        (one({"type": 5}), ["unknown `type` `5`"]),
        (one({"type": "command"}), ["missing field `command`"]),
        (one(GATE | {"command": None}), ["`command` must be a text"]),
        (one(GATE | {"commandWindows": "a", "command_windows": None}), ["duplicate field", "keep one"]),
        (one(GATE | {"command_windows": 5}), ["`command_windows` must be a text"]),
        (one(GATE | {"timeout": "5"}), ["`timeout` must be a whole number of seconds, not `5`"]),
        (one(GATE | {"timeout": 1.0}), ["`timeout` must be a whole number"]),
        (one(GATE | {"timeout": -1}), ["`timeout` must be a whole number"]),
        (one(GATE | {"timeout": True}), ["`timeout` must be a whole number"]),
        (one(GATE | {"timeout": 2**64}), ["`timeout` must be a whole number"]),
        (one(GATE | {"statusMessage": 5}), ["`statusMessage` must be a text"]),
        (one(GATE | {"additionalContextLimit": -1}), ["`additionalContextLimit` must be a whole number of tokens"]),
        (one(GATE | {"async": None}), ["`async` must be true or false"]),
        (one(GATE | {"async": "yes"}), ["`async` must be true or false"]),
        (one({"type": "mcp_tool", "tool": "t"}), ["missing field `server`"]),
        (one(CHECK | {"tool": None}), ["`tool` must be a text"]),
        (one(CHECK | {"input": None}), ["`input` must be an object"]),
    ],
)
def test_one_wrong_shape_costs_the_whole_file_and_is_told_with_its_place(codex, content, words):
    good = {"PostToolUse": [{"hooks": [GATE]}]}
    if isinstance(content, dict) and isinstance(content.get("hooks"), dict):
        content = content | {"hooks": content["hooks"] | good}
    loaded = codex.load_file(content)
    assert loaded.hooks == ()
    found = only(loaded)
    assert (found.code, found.severity, found.file) == ("broken-file", "error", codex.user_file)
    assert "failed to parse hooks config" in found.message
    for word in [*words, codex.user_file, "corrected"]:
        assert word in found.message


def test_the_line_of_the_fault_is_told(codex):
    text = '{"hooks": {\n"Stop": [],\n"PreToolUse": [\n{"hooks": [\n{"type": "command"}]}]}}'
    assert only(codex.load_file(text)).line == 5


def test_a_broken_file_does_not_touch_the_others(codex):
    project = codex.file(one(GATE), "/srv/project/.codex/hooks.json", "project")
    loaded = codex.load(codex.file("nonsense"), codex.config(), project)
    assert [hook.source.scope for hook in loaded.hooks] == ["project"]


@pytest.mark.parametrize(
    "optional",
    [
        {"timeout": None, "statusMessage": None, "additionalContextLimit": None, "commandWindows": None},
        {},
    ],
)
def test_null_stands_for_not_given_where_a_field_is_optional(codex, optional):
    (hook,) = codex.load_file(one(GATE | optional, matcher=None)).hooks
    assert (hook.timeout, hook.config.handler.status_message, hook.config.handler.limit) == (600, None, 2500)
    assert hook.config.digest == codex.load_file(one(GATE)).hooks[0].config.digest


def test_unknown_events_and_fields_are_ignored_and_said(codex):
    loaded = codex.load_events(
        PreTolUse=None, PreToolUse=[{"matchr": "x", "hooks": [GATE | {"timeoutSec": 5, "status_message": "x"}]}]
    )
    assert len(loaded.hooks) == 1
    assert loaded.hooks[0].timeout == 600
    assert (
        said(loaded)
        == [("unknown-event", "warning")] + [("ignored-field", "warning")] + [("odd-handler", "warning")] * 2
    )
    messages = " ".join(item.message for item in loaded.diagnostics)
    assert "did you mean `PreToolUse`?" in messages
    assert "did you mean `matcher`?" in messages
    assert "`timeoutSec`" in messages


def test_a_field_of_another_type_of_handler_is_ignored_whatever_it_holds(codex):
    loaded = codex.load_handlers(CHECK | {"async": None, "additionalContextLimit": "x", "command": 5})
    assert [hook.handler for hook in loaded.hooks] == ["mcp_tool"]


def test_events_load_in_their_own_order_and_each_in_the_order_written(codex):
    groups = [{"hooks": [GATE, GATE]}, {"hooks": [GATE]}]
    loaded = codex.load_events(**dict.fromkeys(sorted(EVENTS), groups))
    assert [hook.name for hook in loaded.hooks] == [
        f"{rules.canonical}:{place}" for rules in EVENTS.values() for place in ("0:0", "0:1", "1:0")
    ]


@pytest.mark.parametrize(
    ("event", "handler", "words"),
    [
        ("PreToolUse", GATE | {"command": " \n"}, "empty hook command"),
        ("PreToolUse", GATE | {"command": "a\0b"}, "NUL"),
        ("PreToolUse", {"type": "prompt", "prompt": 5}, "prompt hooks are not supported yet"),
        ("Stop", {"type": "agent"}, "agent hooks are not supported yet"),
        ("SessionEnd", CHECK, "SessionEnd MCP hooks are not supported"),
    ],
)
def test_what_an_event_does_not_run_costs_itself_and_keeps_its_number(codex, event, handler, words):
    loaded = codex.load_handlers(handler, GATE, event=event)
    assert [hook.name for hook in loaded.hooks] == [f"{EVENTS[event].canonical}:0:1"]
    (rejected,) = loaded.rejected
    assert rejected.name == f"{EVENTS[event].canonical}:0:0"
    found = only(loaded)
    assert (found.code, found.severity, found.entry) == ("rejected-entry", "error", f"hooks.{event}[0].hooks[0]")
    assert words in found.message


def test_a_pattern_that_is_none_costs_its_group_and_later_groups_keep_their_numbers(codex):
    loaded = codex.load_events(PreToolUse=[{"matcher": "^(?!Edit)", "hooks": [GATE, GATE]}, {"hooks": [GATE]}])
    assert [hook.name for hook in loaded.hooks] == ["pre_tool_use:1:0"]
    assert [entry.name for entry in loaded.rejected] == ["PreToolUse:0"]
    assert "invalid matcher `^(?!Edit)`: look-around" in only(loaded).message


@pytest.mark.parametrize("event", [name for name, rules in EVENTS.items() if rules.subject == "none"])
def test_where_matchers_are_ignored_they_are_not_checked(codex, event):
    (hook,) = codex.load_handlers(GATE, event=event, matcher="[").hooks
    assert (hook.matcher, hook.keys, hook.predicate) == ("", None, None)


@pytest.mark.parametrize(
    ("event", "given", "seconds", "clamped"),
    [
        ("PreToolUse", None, 600, False),
        ("PreToolUse", 0, 1, False),
        ("PreToolUse", 5, 5, False),
        ("SessionEnd", None, 1, False),
        ("SessionEnd", 0, 1, False),
        ("SessionEnd", 3, 3, False),
        ("SessionEnd", 60, 3, True),
        ("Interrupt", None, 1, False),
        ("Interrupt", 60, 3, True),
    ],
)
def test_timeouts(codex, event, given, seconds, clamped):
    loaded = codex.load_handlers(GATE | ({} if given is None else {"timeout": given}), event=event)
    assert loaded.hooks[0].timeout == seconds
    assert any(f"clamping {event} hook timeout to 3s" in item.message for item in loaded.diagnostics) is clamped


def test_a_timeout_in_milliseconds_is_questioned(codex):
    assert "in seconds" in only(codex.load_handlers(GATE | {"timeout": 30000})).message


def test_a_limit_of_context_is_ignored_where_there_is_none(codex):
    loaded = codex.load_handlers(GATE | {"additionalContextLimit": 10}, event="Stop")
    assert loaded.hooks[0].config.handler.context_limit is None
    assert "ignoring additionalContextLimit for Stop hook" in only(loaded).message
    (hook,) = codex.load_handlers(GATE | {"additionalContextLimit": 0}, event="SessionStart").hooks
    assert hook.config.handler.limit == 0


def test_asynchronous_hooks_run_in_the_background_but_at_the_end_of_a_session(codex):
    assert codex.hook(**{"async": True}).background
    loaded = codex.load_handlers(GATE | {"async": True}, event="SessionEnd")
    assert not loaded.hooks[0].background
    assert "running async SessionEnd hook synchronously" in only(loaded).message


def test_on_windows_the_command_for_windows_is_the_command(codex):
    for name in ("commandWindows", "command_windows"):
        (hook,) = codex.load_file(one(GATE | {name: "py gate.py"}), platform="win32").hooks
        assert hook.command == "py gate.py"
        assert codex.load_file(one(GATE | {name: "py gate.py"})).hooks[0].command == GATE["command"]


def test_both_representations_of_a_layer_load_the_file_first_with_a_warning(codex):
    inline = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n'
    loaded = codex.load(codex.file(one(GATE)), codex.config(inline))
    assert [hook.event for hook in loaded.hooks] == ["PreToolUse", "Stop"]
    assert f"loading hooks from both {codex.user_file} and {codex.user_config}" in only(loaded).message
    for file in ({}, {"hooks": {"Stop": []}}, {"hooks": {"Nonsense": [{}]}}):
        loaded = codex.load(codex.file(file), codex.config(inline))
        assert "two-representations" not in [code for code, _ in said(loaded)]


def test_two_files_of_different_layers_are_no_two_representations(codex):
    inline = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n'
    project = codex.config(inline, "/srv/project/.codex/config.toml", "project")
    assert codex.load(codex.file(one(GATE)), codex.config(), project).diagnostics == ()


def test_toml_lines_are_those_of_the_groups(codex):
    text = '\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n\n[[hooks.Stop]]\nhooks = []\n'
    (hook,) = codex.load(codex.config(text)).hooks
    assert (hook.source.entry, hook.source.line) == ("hooks.Stop[0].hooks[0]", 2)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[hooks.PreToolUse]\nmatcher = 'Bash'\n", "PreToolUse"),
        ("hooks = 5\n", "`hooks` must be an object of events"),
        ("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 5\n", "`command` must be a text"),
        (
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype='mcp_tool'\nserver='s'\ntool='t'\ninput={day=2026-11-29}\n",
            "plain JSON",
        ),
        ("[hooks\n", "not valid TOML at line 1"),
    ],
)
def test_a_wrong_shape_in_toml_costs_that_file_alone(codex, text, word):
    """The client would start no session; here no file of a repository may take the person's hooks away."""
    project = codex.config(text, "/srv/project/.codex/config.toml", "project")
    loaded = codex.load(codex.file(one(GATE)), codex.config(), project)
    assert len(loaded.hooks) == 1
    found = only(loaded)
    assert (found.code, found.severity) == ("broken-file", "error")
    assert "failed to parse TOML hooks" in found.message
    assert word in found.message


def test_a_file_that_cannot_be_read_is_told(codex):
    document = codex.file("")._replace(problem="cannot be read: permission denied")
    assert "failed to read hooks config: it cannot be read" in only(codex.load(document, codex.config())).message


def test_mcp_tools_load(codex):
    loaded = codex.load_handlers(CHECK, CHECK)
    assert [hook.handler for hook in loaded.hooks] == ["mcp_tool", "mcp_tool"]
    assert loaded.diagnostics == ()


MANAGED = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n'


def test_managed_hooks_are_filed_under_their_folder_or_their_file(codex):
    def load(text, **places):
        document = codex.config(text, "/etc/codex/requirements.toml", "managed", "requirements")
        return codex.load(document, **places).hooks

    text = f'[hooks]\nmanaged_dir = "/opt/hooks"\nwindows_managed_dir = "/w/hooks"\n{MANAGED}'
    assert [hook.config.key for hook in load(text)] == ["/opt/hooks:stop:0:0"]
    assert [hook.config.key for hook in load(text, platform="win32")] == ["/w/hooks:stop:0:0"]
    assert [hook.config.key for hook in load(MANAGED)] == ["/etc/codex/requirements.toml:stop:0:0"]
    assert [hook.config.key for hook in load(f"[hooks]\nmanaged_dir = 'here'\n{MANAGED}")] == [
        "/etc/codex/requirements.toml:stop:0:0"
    ]


def test_administrators_can_leave_out_every_other_source_which_is_said(codex):
    text = f"allow_managed_hooks_only = true\n{MANAGED}"
    requirements = codex.config(text, "/etc/codex/requirements.toml", "managed", "requirements")
    system = codex.config(MANAGED, "/etc/codex/config.toml", "managed")
    loaded = codex.load(requirements, system, codex.file(one(GATE)), codex.config("[hooks\n"))
    assert [hook.source.path for hook in loaded.hooks] == [requirements.path, system.path]
    assert only(loaded).code == "managed-only"


@pytest.mark.parametrize("path", ["/etc/codex/config.toml", "/srv/project/.codex/config.toml"])
def test_nobody_else_can_leave_out_other_sources(codex, path):
    scope = "managed" if path.startswith("/etc") else "project"
    document = codex.config("allow_managed_hooks_only = true\n", path, scope)
    assert len(codex.load(document, codex.file(one(GATE)), codex.config()).hooks) == 1


OFF, ON, OLD = "[features]\nhooks = false\n", "[features]\nhooks = true\n", "[features]\ncodex_hooks = false\n"


@pytest.mark.parametrize(
    ("requirements", "flags", "user", "system", "on"),
    [
        ("", "", "", "", True),
        ("", "", OFF, "", False),
        ("", "", OLD, "", False),
        ("", "", OLD + "hooks = true\n", "", True),
        ("", "", "", OFF, False),
        ("", "", ON, OFF, True),
        ("", "features.hooks = true", OFF, "", True),
        (OFF, "features.hooks = true", ON, "", False),
        ("", "", "[features]\nhooks = 'no'\n", "", True),
        ("", "", "features = 5\n", "", True),
        ("", "", "[features\n", "", True),
    ],
)
def test_the_switch_of_all_hooks_and_who_has_a_say(codex, requirements, flags, user, system, on):
    documents = [
        codex.config(requirements, "/etc/codex/requirements.toml", "managed", "requirements"),
        codex.config(system, "/etc/codex/config.toml", "managed"),
        codex.file(one(GATE)),
        codex.config(user),
        codex.config(OFF, "/srv/project/.codex/config.toml", "project"),
        codex.config(flags, "/<session-flags>/config.toml", "cli", "flags"),
    ]
    loaded = codex.load(*documents)
    states = codex.dialect.judge(loaded, documents, codex.places)
    assert [state.enabled for state in states.values()] == [on]
    assert ("hooks-off" in [code for code, _ in said(loaded)]) is not on
    assert ("deprecated-setting" in [code for code, _ in said(loaded)]) is ("codex_hooks" in user)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["hooks", "PreToolUse", "Stop", "type", "command", "timeout", "matcher", "input"])
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_taken_or_refused_in_one_sentence(codex, content):
    loaded = codex.load_file(json.dumps(content))
    assert (file_problem(content) is None) is not any(item.code == "broken-file" for item in loaded.diagnostics)
    for item in loaded.diagnostics:
        assert "\n" not in item.message
        assert item.message.endswith(".")


FIELD_VALUES = st.sampled_from([None, True, 0, 5, -1, 1.5, "", "x", [], {}, {"a": 1}])


@given(
    st.dictionaries(
        st.sampled_from(["type", "command", "commandWindows", "timeout", "statusMessage", "async", "input", "tool"]),
        FIELD_VALUES | st.sampled_from(["command", "mcp_tool", "prompt"]),
    )
)
def test_a_handler_that_has_its_shape_never_fails_to_load(codex, handler):
    table = {"Stop": [{"hooks": [handler]}]}
    if table_problem(table) is None:
        loaded = codex.load_file({"hooks": table})
        assert len(loaded.hooks) + len(loaded.rejected) == 1
