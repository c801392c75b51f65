from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from twins import Chaining, Concurrent, TwinsPlugin

import hookfw.background
import hookfw.handlers
from hookfw import DialectInfo, Field, Host, PreToolUse, Tool, ToolTable, hookimpl, open_sync

SECONDS = Field("limit", "timeout", to_canonical=lambda seconds: seconds * 1000, to_native=lambda ms: ms // 1000)
TABLE = ToolTable(
    [
        Tool("run", "Bash", (Field("cmd", "command"), SECONDS)),
        Tool("exec", "Bash", (Field("line", "command"),), only=True),
        Tool("store", "Write"),
    ]
)


def test_names_and_fields_are_converted_both_ways():
    spelled = TABLE.to_canonical("run", {"cmd": "ls", "limit": 5, "other": 1})
    assert spelled == ("Bash", {"command": "ls", "timeout": 5000, "other": 1}, True)
    assert TABLE.to_native("Bash", spelled.input) == ("run", {"cmd": "ls", "limit": 5, "other": 1}, True)


def test_a_tool_outside_the_table_passes_unchanged():
    assert TABLE.to_canonical("other", {"cmd": 1}) == ("other", {"cmd": 1}, True)
    assert TABLE.to_native("Other", {"command": 1}) == ("Other", {"command": 1}, True)


def test_a_tool_without_fields_is_a_name_alone():
    assert TABLE.to_canonical("store", {"p": 1}) == ("Write", {"p": 1}, False)
    assert TABLE.to_native("Write", {"p": 1}) == ("store", {"p": 1}, False)


def test_the_first_name_is_spoken_unless_another_was_given():
    assert TABLE.to_native("Bash", {"command": "ls"}).name == "run"
    assert TABLE.to_native("Bash", {"command": "ls"}, like="exec") == ("exec", {"line": "ls"}, True)
    assert TABLE.to_native("Write", {}, like="exec").name == "store"


def test_other_fields_go_where_a_tool_has_none_but_its_own():
    assert TABLE.to_canonical("exec", {"line": "ls", "more": 1}).input == {"command": "ls"}


def test_an_input_that_is_no_object_passes_unchanged():
    assert TABLE.to_canonical("run", "ls").input == "ls"


@given(
    st.sampled_from(["run", "exec", "store", "other"]),
    st.fixed_dictionaries({}, optional={"cmd": st.text(), "limit": st.integers(0, 99), "x": st.integers()}),
)
def test_there_and_back_is_the_same(name, fields):
    if name == "exec":
        fields = {"line": fields["cmd"]} if "cmd" in fields else {}
    canonical = TABLE.to_canonical(name, fields)
    assert TABLE.to_native(canonical.name, canonical.input, like=name)[:2] == (name, fields)


class First(Chaining):
    name = "first"
    tools = ToolTable([Tool("run", "Bash", (Field("cmd", "command"),)), Tool("store", "Write")])


class Second(Chaining):
    name = "second"
    tools = ToolTable([Tool("exec", "Bash", (Field("line", "command"),))])


class Third(Concurrent):
    name = "third"
    tools = ToolTable([Tool("shell", "Bash", (Field("text", "command"),))], speaks_canonical=True)


def fire(home, workspace, event, hooks):
    class Plugin:
        @hookimpl
        def register_dialects(self):
            return [DialectInfo(name=cls.name, title=cls.name, follows="1", load=cls) for cls in (First, Second, Third)]

    host = Host()
    host.register(Plugin(), "plugin")
    host.register(TwinsPlugin(), "twins")
    host.register(hookfw.handlers, "command")
    host.register(hookfw.background, "background")
    for name, command in hooks.items():
        (home / f".{name}.json").write_text(json.dumps([{"event": "pre_tool_use", "command": command}]))
    with open_sync(workspace=workspace, home=home, host=host, dialects=list(hooks)) as supervisor:
        return supervisor.fire(event)


def rewriting(field):
    change = f"d['tool_input']['{field}'] += '!'"
    return (
        'python3 -c "import json,sys; d=json.load(sys.stdin); '
        f"{change}; print(json.dumps({{'updated_input': d['tool_input'], 'context': [d['tool_name']]}}))\""
    )


def test_each_dialect_sees_its_own_spelling_and_the_rewrite_comes_back_as_given(home, workspace):
    hooks = {"first": rewriting("cmd"), "second": rewriting("line"), "third": rewriting("command")}
    for name, field in (("Bash", "command"), ("run", "cmd"), ("exec", "line"), ("shell", "text")):
        if name == "shell":
            # Its own dialect is given what it knows, and reads it itself.
            hooks = {"first": hooks["first"], "second": hooks["second"]} | {"third": rewriting("text")}
        outcome = fire(home, workspace, PreToolUse(tool_name=name, tool_input={field: "ls", "keep": 1}), hooks)
        assert outcome.updated_input == {field: "ls!!!", "keep": 1}, (name, outcome)
        assert outcome.context == ("run", "exec", "shell" if name == "shell" else "Bash")


def test_where_only_the_name_is_known_the_rewrite_passes_with_a_diagnostic(home, workspace):
    outcome = fire(
        home, workspace, PreToolUse(tool_name="Write", tool_input={"path": "a"}), {"first": rewriting("path")}
    )
    assert outcome.updated_input == {"path": "a!"}
    assert outcome.context == ("store",)
    assert [item.code for item in outcome.diagnostics] == ["rewrite-unconverted"]
