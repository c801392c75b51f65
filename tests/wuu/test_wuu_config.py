from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Document
from hookfw_wuu.rules import EVENTS

COMMAND = {"command": "sh gate.sh"}


def messages(loaded):
    return [item.message for item in loaded.diagnostics]


def names(loaded):
    return [hook.name for hook in loaded.hooks]


def test_an_entry_loads_with_its_defaults(wuu):
    hook = wuu.hook()
    assert (hook.name, hook.handler, hook.command, hook.matcher, hook.keys) == (
        "PreToolUse:0",
        "command",
        "sh gate.sh",
        "",
        None,
    )
    assert (hook.timeout, hook.strict, hook.background) == (30, True, False)
    assert (hook.source.path, hook.source.scope, hook.source.entry) == (wuu.user_file, "user", "hooks.PreToolUse[0]")


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_loads(wuu, event):
    assert names(wuu.load_entries(COMMAND, event=event)) == [f"{event}:0"]


@pytest.mark.parametrize(
    ("timeout", "seconds"), [(0, 30), (-1, 30), (None, 30), (1, 1), (2**62, 2**62), (-(2**63 - 1), 30)]
)
def test_a_timeout_that_is_missing_or_not_positive_is_thirty_seconds(wuu, timeout, seconds):
    hook = wuu.hook(timeout=timeout)
    assert hook.timeout == seconds
    assert (hook.timeout_note is not None) == (timeout is not None and timeout <= 0)


def test_field_names_are_read_in_any_letter_case_and_the_last_of_equal_ones_counts(wuu):
    (hook,) = wuu.load_entries({"COMMAND": "a", "Command": "b", "MatCher": "bash", "TIMEOUT": 7}).hooks
    assert (hook.command, hook.matcher, hook.timeout) == ("b", "bash", 7)


def test_hooks_itself_is_read_in_any_letter_case_and_event_names_are_not(wuu):
    loaded = wuu.load(wuu.file({"Hooks": {"PreToolUse": [COMMAND], "preToolUse": [COMMAND]}}))
    assert names(loaded) == ["PreToolUse:0", "preToolUse:0"]
    assert [item.code for item in loaded.diagnostics] == ["unknown-event"]
    assert "did you mean `PreToolUse`" in messages(loaded)[0]


def test_objects_under_equal_keys_are_merged(wuu):
    text = '{"hooks": {"Stop": [{"command": "a"}]}, "hooks": {"PreCompact": [{"command": "b"}]}}'
    assert names(wuu.load(wuu.file(text))) == ["Stop:0", "PreCompact:0"]


@pytest.mark.parametrize(
    ("entry", "word"),
    [
        ({"matchers": "bash"}, "did you mean `matcher`"),
        ({"matcher": "bash", "hooks": [COMMAND]}, "entries are flat"),
        ({"timeout": 1.5}, "`timeout` is a fraction"),
        ({"timeout": 1.0}, "`timeout` is a fraction"),
        ({"timeout": "10"}, "`timeout` is a text"),
        ({"timeout": True}, "`timeout` is a boolean"),
        ({"timeout": 2**63}, "`timeout` is larger"),
        ({"matcher": ["*"]}, "`matcher` is a list"),
        ({"command": 5}, "`command` is a whole number"),
        ({"type": False}, "`type` is a boolean"),
        ({"prompt": {}}, "`prompt` is an object"),
        ({"model": 1}, "`model` is a whole number"),
        ("sh gate.sh", "an entry must be an object, not a text"),
    ],
)
def test_a_field_that_is_unknown_or_mistyped_refuses_the_hooks_of_the_whole_file(wuu, entry, word):
    loaded = wuu.load(wuu.own(PreToolUse=[COMMAND], Stop=[COMMAND, entry]))
    assert loaded.hooks == ()
    assert [item.severity for item in loaded.diagnostics] == ["error", "error"]
    assert all(wuu.user_file in message for message in messages(loaded))
    assert word in messages(loaded)[0]
    assert "hooks.Stop[1]" in messages(loaded)[0]
    assert [entry.name for entry in loaded.rejected] == ["PreToolUse:0", "Stop:0", "Stop:1"]
    assert word in loaded.rejected[2].problems[0]
    assert "hooks.Stop[1]" in loaded.rejected[0].problems[0]


def test_every_wrong_field_of_a_file_is_named(wuu):
    loaded = wuu.load_entries({"comand": "x", "timeout": "1"}, {"matcher": 1})
    assert [item.entry for item in loaded.diagnostics] == [
        "hooks.PreToolUse[0]",
        "hooks.PreToolUse[0]",
        "hooks.PreToolUse[1]",
        None,
    ]


@pytest.mark.parametrize("hooks", [[], "x", 1, {"Stop": {}}, {"Stop": "x"}, {"Stop": 0}])
def test_what_is_no_map_of_lists_refuses_the_file(wuu, hooks):
    loaded = wuu.load(wuu.file({"hooks": hooks}))
    assert loaded.hooks == ()
    assert {item.severity for item in loaded.diagnostics} == {"error"}
    assert loaded.diagnostics[-1].code == "refused-file"


@pytest.mark.parametrize("hooks", [None, {}, {"Stop": None}, {"Stop": []}])
def test_null_is_as_good_as_nothing(wuu, hooks):
    loaded = wuu.load(wuu.file({"hooks": hooks}))
    assert (loaded.hooks, loaded.diagnostics) == ((), ())


def test_a_field_that_is_null_has_its_default_and_a_null_entry_is_an_empty_one(wuu):
    loaded = wuu.load_entries({"command": "true", "matcher": None, "type": None, "timeout": None}, None)
    assert [(hook.handler, hook.command, hook.timeout) for hook in loaded.hooks] == [
        ("command", "true", 30),
        ("command", "", 30),
    ]
    assert [item.code for item in loaded.diagnostics] == ["empty-hook"]


@pytest.mark.parametrize("kind", ["http", "Prompt", "COMMAND", "mcp_tool", " command"])
def test_an_unknown_type_refuses_its_entry_alone(wuu, kind):
    loaded = wuu.load_entries(COMMAND, {"type": kind, "command": "x"}, COMMAND)
    assert names(loaded) == ["PreToolUse:0", "PreToolUse:2"]
    assert [entry.name for entry in loaded.rejected] == ["PreToolUse:1"]
    (problem,) = loaded.diagnostics
    assert (problem.severity, problem.entry) == ("error", "hooks.PreToolUse[1]")
    assert kind.strip() in problem.message


@pytest.mark.parametrize("entry", [{}, {"command": ""}, {"type": "", "command": " "}, {"type": "prompt"}])
def test_an_entry_that_runs_nothing_loads_with_a_warning(wuu, entry):
    loaded = wuu.load_entries(entry)
    assert len(loaded.hooks) == 1
    assert [(item.code, item.severity) for item in loaded.diagnostics] == [("empty-hook", "warning")]


def test_a_prompt_hook_without_a_prompt_is_not_said_to_let_pass(wuu):
    (problem,) = wuu.load_entries({"type": "prompt"}).diagnostics
    assert "passes" not in problem.message
    assert "decides all the same; write one" in problem.message


@pytest.mark.parametrize(
    ("entry", "idle"),
    [
        ({"type": "prompt", "prompt": "ok?", "command": "exit 2"}, ["command"]),
        ({"command": "exit 2", "prompt": "ok?", "model": "small"}, ["prompt", "model"]),
        ({"command": "exit 2", "prompt": "", "model": None}, []),
    ],
)
def test_a_field_of_the_other_type_is_said_to_do_nothing(wuu, entry, idle):
    loaded = wuu.load_entries(entry)
    assert [(item.code, item.entry) for item in loaded.diagnostics] == [
        ("ignored-field", "hooks.PreToolUse[0]") for _ in idle
    ]
    assert all(f"`{name}` does nothing" in said for name, said in zip(idle, messages(loaded), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": {"Stop": [{"command": "a"}], "Stop": [{"command": "b"}]}}',
        '{"hooks": {"Stop": [{"command": "a"}]}, "Hooks": {"Stop": [{"command": "b"}]}}',
        '{"hooks": {"Stop": [{"command": "a"}]}, "hooks": {"Stop": [{"command": "b"}]}}',
        '{"hooks": {"Stop": [{"command": "a"}]}, "Hooks": null, "HOOKS": {"Stop": [{"command": "b"}]}}',
    ],
)
def test_a_list_that_a_later_one_of_the_same_file_replaces_is_said(wuu, text):
    loaded = wuu.load(wuu.file(text))
    assert [hook.command for hook in loaded.hooks] == ["b"]
    (problem,) = loaded.diagnostics
    assert (problem.code, problem.severity, problem.entry) == ("repeated-list", "warning", "hooks.Stop")


def test_lists_that_stand_once_and_other_parts_of_the_file_are_not_said_to_be_repeated(wuu):
    text = '{"Tools": [1], "Tools": [2], "hooks": {"Stop": [], "Stop": [{"command": "b"}]}}'
    assert wuu.load(wuu.file(text)).diagnostics == ()


def test_a_prompt_hook_is_not_strict(wuu):
    hook = wuu.prompt(model="small-1", timeout=20)
    assert (hook.handler, hook.command, hook.strict, hook.timeout) == ("prompt", None, False, 20)
    assert hook.summary == "Is it fine? $ARGUMENTS"


def test_a_hook_whose_errors_are_dropped_is_not_strict(wuu):
    assert not wuu.hook("PostToolUse").strict
    assert not wuu.hook("FileChanged").strict


def test_the_rest_of_the_file_is_not_looked_at(wuu):
    loaded = wuu.load(wuu.file({"providers": [1], "agent": None, "what": {"hooks": 5}, "hooks": {"Stop": [COMMAND]}}))
    assert names(loaded) == ["Stop:0"]
    assert loaded.diagnostics == ()


@pytest.mark.parametrize(
    "data", [b'\xef\xbb\xbf{"hooks": {"Stop": [{"command": "a"}]}}', b'{\r\n"hooks": {"Stop": [{"command": "a"}]}\r\n}']
)
def test_a_byte_order_mark_and_windows_line_ends_are_accepted(wuu, data):
    assert names(wuu.load(wuu.file(data))) == ["Stop:0"]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'{"hooks": {\n "Stop": [}', "line 2, column 11"),
        (b"[]", "must hold an object"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a":\n"\xff"}', "line 2, column 2 (no UTF-8 there)"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"a": ' + b"1" * 5000 + b"}", "too many digits"),
        (b'{"hooks": {}} {}', "Extra data"),
    ],
)
def test_a_file_that_is_no_json_object_is_refused_with_its_place(wuu, data, word):
    loaded = wuu.load(wuu.file(data))
    (problem,) = loaded.diagnostics
    assert (loaded.hooks, problem.code, problem.severity) == ((), "broken-file", "error")
    assert word in problem.message
    assert wuu.user_file in problem.message


def test_a_file_that_cannot_be_read_is_an_error(wuu):
    loaded = wuu.load(Document(wuu.user_file, "user", "base", problem="is a directory, not a file; move it away"))
    (problem,) = loaded.diagnostics
    assert (problem.code, problem.severity) == ("unreadable-file", "error")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["matcher", "command", "timeout", "type", "x", "Stop", "hooks"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_json_loads_or_is_refused_with_an_error(wuu, hooks):
    loaded = wuu.load(wuu.file({"hooks": hooks}))
    refused = any(item.code == "refused-file" for item in loaded.diagnostics)
    assert not (refused and loaded.hooks)
    listed = hooks if isinstance(hooks, dict) else {}
    count = sum(len(entries) for entries in listed.values() if isinstance(entries, list))
    if not refused:
        assert len(loaded.hooks) + len(loaded.rejected) == count


@given(st.binary(max_size=64))
def test_any_bytes_load_or_are_an_error(wuu, data):
    loaded = wuu.load(wuu.file(data))
    assert loaded.hooks == ()
    assert all(item.severity == "error" for item in loaded.diagnostics)


def test_a_summary_is_one_line(wuu):
    assert "\n" not in wuu.hook(command="echo one\necho two").summary


def test_the_file_is_told_with_the_count_of_its_entries(wuu):
    (_, told) = messages(wuu.load_entries({"x": 1}))
    assert "(1 entry)" in told
    assert json.dumps(told)
