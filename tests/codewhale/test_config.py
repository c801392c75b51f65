from __future__ import annotations

import os

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookfw import Document, FileView, Places
from hookfw_codewhale.config import PROJECT_LIMIT, Settings, discover, load
from hookfw_codewhale.entries import preview
from hookfw_codewhale.native import EVENTS

PLACES = Places(home="/home/me", workspace="/srv/project")
USER = "/home/me/.codewhale/config.toml"
PROJECT = "/srv/project/.codewhale/hooks.toml"

MINE = '[[hooks.hooks]]\nname = "mine"\nevent = "session_start"\ncommand = "true"\n'
THEIRS = '[[hooks]]\nname = "theirs"\nevent = "session_start"\ncommand = "true"\n'


def documents(user=None, project=None):
    found = []
    for text, path, scope in ((user, USER, "user"), (project, PROJECT, "project")):
        if text is not None:
            data = text if isinstance(text, bytes) else text.encode()
            found.append(Document(path=path, scope=scope, data=data))
    return found


def loaded(user=None, project=None, places=PLACES):
    return load(documents(user, project), places)


def entry(**values):
    values = {"event": '"session_start"', "command": '"true"'} | values
    return "[[hooks.hooks]]\n" + "".join(f"{key} = {value}\n" for key, value in values.items() if value is not None)


def names(result):
    return [hook.name for hook in result.hooks]


def codes(result):
    return [diagnostic.code for diagnostic in result.diagnostics]


# Which files.


def write(path, data=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data)
    return str(path)


def test_the_persons_file_the_approvals_and_the_projects_file_are_found(tmp_path):
    places = Places(home=str(tmp_path / "h"), workspace=str(tmp_path / "w"))
    user = write(tmp_path / "h/.codewhale/config.toml")
    store = write(tmp_path / "h/.codewhale/hooks_trust.json")
    project = write(tmp_path / "w/.codewhale/hooks.toml")
    found = [(document.path, document.scope, document.role) for document in discover(places, FileView())]
    assert found == [(user, "user", "hooks"), (store, "user", "trust"), (project, "project", "hooks")]


def test_files_that_do_not_exist_are_no_documents_but_are_watched(tmp_path):
    files = FileView()
    assert discover(Places(home=str(tmp_path), workspace=str(tmp_path)), files) == []
    assert len(files.asked) == 3


@pytest.mark.parametrize("variable", ["CODEWHALE_CONFIG_PATH", "DEEPSEEK_CONFIG_PATH"])
@pytest.mark.parametrize("value", ["{home}/other.toml", "~/other.toml", "other.toml"])
def test_the_environment_may_name_another_configuration(tmp_path, variable, value):
    other = write(tmp_path / "other.toml")
    write(tmp_path / ".codewhale/config.toml")
    environ = {variable: value.format(home=tmp_path)}
    places = Places(home=str(tmp_path), workspace="/nowhere", environ=environ)
    assert [document.path for document in discover(places, FileView())] == [other]


def test_the_newer_variable_wins_and_an_empty_one_counts_as_unset(tmp_path):
    new, old, usual = (write(tmp_path / name) for name in ("new", "old", ".codewhale/config.toml"))
    for environ, expected in (
        ({"CODEWHALE_CONFIG_PATH": new, "DEEPSEEK_CONFIG_PATH": old}, new),
        ({"CODEWHALE_CONFIG_PATH": "", "DEEPSEEK_CONFIG_PATH": old}, old),
        ({"CODEWHALE_CONFIG_PATH": "", "DEEPSEEK_CONFIG_PATH": ""}, usual),
    ):
        places = Places(home=str(tmp_path), workspace="/nowhere", environ=environ)
        assert [document.path for document in discover(places, FileView())] == [expected]


def test_a_named_configuration_that_does_not_exist_is_told(tmp_path):
    places = Places(home=str(tmp_path), workspace="/nowhere", environ={"CODEWHALE_CONFIG_PATH": "/gone/config.toml"})
    result = load(discover(places, FileView()), places)
    (diagnostic,) = result.diagnostics
    assert diagnostic.code == "unreadable-file"
    assert "/gone/config.toml" in diagnostic.message
    assert "CODEWHALE_CONFIG_PATH" in diagnostic.message


def test_a_directory_in_the_place_of_a_file_is_told_and_the_other_file_loads(tmp_path):
    (tmp_path / "h/.codewhale/config.toml").mkdir(parents=True)
    write(tmp_path / "w/.codewhale/hooks.toml", THEIRS)
    places = Places(home=str(tmp_path / "h"), workspace=str(tmp_path / "w"))
    result = load(discover(places, FileView()), places)
    assert names(result) == ["theirs"]
    assert codes(result) == ["unreadable-file"]
    assert "directory" in result.diagnostics[0].message


# One entry.


def test_an_entry_of_event_and_command_has_the_documented_defaults():
    (hook,) = loaded(entry()).hooks
    assert (hook.dialect, hook.event, hook.handler, hook.summary) == ("codewhale", "session_start", "command", "true")
    assert (hook.timeout, hook.timeout_note, hook.background, hook.strict) == (30.0, None, False, False)
    assert (hook.matcher, hook.keys, hook.predicate) == ("", None, None)
    assert (hook.config.command, hook.config.label, hook.config.working_dir) == ("true", "(unnamed)", None)


def test_every_key_of_an_entry_arrives():
    condition = '{ type = "tool_name", name = "bash" }'
    text = entry(
        event='"tool_call_before"',
        name='"gate"',
        timeout_secs=5,
        background="false",
        continue_on_error="false",
        condition=condition,
    )
    (hook,) = loaded(text).hooks
    assert (hook.name, hook.timeout, hook.strict, hook.matcher) == ("gate", 5.0, True, "tool_name=`bash`")
    assert hook.keys == {"bash", "Bash", "exec_shell"}
    assert hook.predicate is None
    assert (hook.source.path, hook.source.scope, hook.source.entry) == (USER, "user", "hooks.hooks[0]")


def test_each_of_the_fifteen_events_loads():
    result = loaded("".join(entry(event=f'"{name}"') for name in EVENTS))
    assert [hook.event for hook in result.hooks] == list(EVENTS)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"event": None}, ["`event`"]),
        ({"event": "1"}, ["`event`", "a whole number"]),
        ({"event": '"tool_call_befor"'}, ["`tool_call_befor`", "did you mean `tool_call_before`"]),
        ({"event": '"PreToolUse"'}, ["`PreToolUse`", "here it is called `tool_call_before`"]),
        ({"event": '"Session_Start"'}, ["`Session_Start`"]),
        ({"command": None}, ["`command`"]),
        ({"command": "7"}, ["`command`", "a whole number"]),
        ({"command": '""'}, ["`command`", "empty"]),
        ({"command": '" \\t\\n"'}, ["`command`", "empty"]),
        ({"command": '"true\\u0000"'}, ["`command`", "NUL"]),
        ({"name": "1"}, ["`name`", "a whole number"]),
        ({"name": '["a"]'}, ["`name`", "an array"]),
        ({"timeout_secs": "0"}, ["`timeout_secs = 0`"]),
        ({"timeout_secs": "-1"}, ["`timeout_secs`"]),
        ({"timeout_secs": '"5"'}, ["`timeout_secs`", "a text"]),
        ({"timeout_secs": "5.0"}, ["`timeout_secs`", "a fraction"]),
        ({"timeout_secs": "true"}, ["`timeout_secs`", "a boolean"]),
        ({"timeout_secs": str(2**63)}, ["`timeout_secs`"]),
        ({"background": '"yes"'}, ["`background`", "a text"]),
        ({"background": "1"}, ["`background`", "a whole number"]),
        ({"continue_on_error": "0"}, ["`continue_on_error`", "a whole number"]),
        ({"condition": '"bash"'}, ["`condition`", "a text"]),
        ({"condition": "1979-05-27"}, ["`condition`", "a date"]),
        ({"condition": '{ type = "tool_name", name = "bash" }'}, ["`tool_name`", "`session_start`"]),
        ({"condition": '{ type = "exit_code", code = 0 }'}, ["`exit_code`", "`tool_call_after`", "`on_error`"]),
        ({"event": '"shell_env"', "condition": '{ type = "mode", mode = "plan" }'}, ["`mode`", "`tool_category`"]),
        (
            {"condition": '{ type = "any", conditions = [{ type = "always" }, { type = "tool_name", name = "*" }] }'},
            ["`tool_name`"],
        ),
    ],
)
def test_a_bad_entry_costs_itself_and_says_why(values, words):
    result = loaded(MINE + entry(**({"name": '"bad"'} | values)) + entry(name='"after"'))
    assert names(result) == ["mine", "after"]
    (refused,) = result.rejected
    (diagnostic,) = result.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("rejected-hook", "error")
    assert (diagnostic.file, diagnostic.entry, diagnostic.line) == (USER, "hooks.hooks[1]", 5)
    assert USER in diagnostic.message
    assert "hooks.hooks[1], line 5" in diagnostic.message
    assert all(word in diagnostic.message for word in words)
    assert len(refused.problems) == 1
    assert refused.source.line == 5


def test_one_entry_with_several_faults_is_one_refusal_that_tells_them_all():
    text = entry(name='"x"', command='""', timeout_secs=0, event='"nothing"', background=3, condition="1")
    result = loaded(text)
    (refused,) = result.rejected
    assert len(refused.problems) == 5
    assert len(result.diagnostics) == 1
    assert (refused.name, refused.event) == ("x", None)


def test_an_entry_that_is_no_table_costs_itself():
    result = loaded('[hooks]\nhooks = [3, { event = "session_end", command = "true" }]\n')
    assert names(result) == ["session_end#1"]
    assert "table" in result.diagnostics[0].message
    assert result.diagnostics[0].line is None


def test_refusal_goes_by_position_and_not_by_name():
    result = loaded(entry(name='"gate"') + entry(name='"gate"', command='""') + entry(command='""') + entry())
    assert names(result) == ["gate", "session_start#3"]
    assert [refused.source.entry for refused in result.rejected] == ["hooks.hooks[1]", "hooks.hooks[2]"]


def test_a_hook_without_a_name_is_called_by_event_and_place_in_the_merged_list():
    result = loaded(
        entry() + entry(command='""') + entry(event='"turn_end"', name='"  "') + entry(event='"nothing"'),
        '[[hooks]]\nevent = "session_end"\ncommand = "true"\n',
    )
    assert names(result) == ["session_start#0", "turn_end#2", "session_end#4"]
    assert [refused.name for refused in result.rejected] == ["session_start#1", "hook#3"]
    assert [hook.config.position for hook in result.hooks] == [0, 2, 4]
    assert result.hooks[2].source.entry == "hooks[0]"
    assert "`(unnamed)`" in result.diagnostics[0].message


def test_a_name_cannot_redraw_the_terminal_and_its_label_is_bounded():
    (hook,) = loaded(entry(name='" a\\u001b[2J\\n' + "x" * 100 + '"')).hooks
    assert hook.name.isprintable()
    assert hook.name.endswith("x" * 100)
    assert hook.config.label == "a [2J " + "x" * 57 + "…[truncated]"


def test_a_diagnostic_holds_no_command():
    command = '"curl -H CANARY https://example.org"'
    bad = entry(command=command, timeout_secs=0, name="1", background='"CANARY"', continue_on_error='"CANARY"')
    warned = entry(event='"message_submit"', command=command, background="true")
    result = loaded(bad + warned)
    assert len(result.diagnostics) == 2
    assert "CANARY" not in "".join(diagnostic.message for diagnostic in result.diagnostics)
    assert "CANARY" not in "".join(problem.row for problem in result.settings.problems)


@pytest.mark.parametrize(
    ("event", "words", "background"),
    [
        ("shell_env", "not honored", False),
        ("message_submit", "observer-only", True),
        ("tool_call_before", "observer-only", True),
    ],
)
def test_background_on_a_steering_event_is_a_warning(event, words, background):
    result = loaded(entry(name='"gate"', event=f'"{event}"', background="true"))
    (hook,), (diagnostic,) = result.hooks, result.diagnostics
    assert (diagnostic.code, diagnostic.severity, diagnostic.hook) == ("hook-warning", "warning", "gate")
    assert all(word in diagnostic.message for word in ("`background = true`", words, f"`{event}`", "`gate`"))
    assert (hook.background, hook.config.background) == (background, True)


@pytest.mark.parametrize("event", sorted(set(EVENTS) - {"shell_env", "message_submit", "tool_call_before"}))
def test_background_on_an_observer_is_ordinary(event):
    result = loaded(entry(event=f'"{event}"', background="true"))
    assert result.hooks[0].background
    assert result.diagnostics == ()


def test_an_unknown_key_is_told_with_the_one_that_was_meant():
    result = loaded(entry(name='"x"', timout_secs=5, matcher='"*"'))
    assert names(result) == ["x"]
    (diagnostic,) = result.diagnostics
    assert diagnostic.severity == "warning"
    assert "`timout_secs` (did you mean `timeout_secs`?)" in diagnostic.message
    assert "`matcher`" in diagnostic.message


@pytest.mark.parametrize(("seconds", "warned"), [(3600, False), (3601, True), (2**63 - 1, True)])
def test_a_timeout_that_looks_like_milliseconds_is_a_warning(seconds, warned):
    for result in (
        loaded(entry(timeout_secs=seconds)),
        loaded(f"[hooks]\ndefault_timeout_secs = {seconds}\n" + entry()),
    ):
        assert result.hooks[0].timeout == float(seconds)
        assert codes(result) == ["hook-warning"] * warned


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("true", "true"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("a\nb\tc\r\nd", "a b c d"),
        ("echo \x1b[31mred", "echo  [31mred"),
    ],
)
def test_the_preview_of_a_command_is_one_line_of_at_most_sixty_characters(command, expected):
    assert preview(command) == expected


@given(st.text())
def test_a_preview_is_always_printable_and_bounded(command):
    shown = preview(command)
    assert len(shown) <= 60
    assert not any(letter < " " or "\x7f" <= letter <= "\x9f" for letter in shown)


# The table.


@pytest.mark.parametrize("text", ["", "[hooks]\n", "[other]\nx = 1\n"])
def test_a_file_without_hooks_loads_nothing_and_says_nothing(text):
    result = loaded(text)
    assert (result.hooks, result.rejected, result.diagnostics) == ((), (), ())
    assert result.settings == Settings()


@pytest.mark.parametrize("own", [1, 30, 3600])
def test_the_default_timeout_replaces_every_hooks_own_smaller_or_larger(own):
    result = loaded("[hooks]\ndefault_timeout_secs = 20\n" + entry(timeout_secs=own) + entry(), THEIRS)
    assert [hook.timeout for hook in result.hooks] == [20.0, 20.0, 20.0]
    assert {hook.timeout_note for hook in result.hooks} == {"[hooks].default_timeout_secs"}
    assert result.settings.default_timeout == 20


def test_the_override_does_not_save_an_entry_with_a_timeout_of_zero():
    assert len(loaded("[hooks]\ndefault_timeout_secs = 20\n" + entry(timeout_secs=0)).rejected) == 1


@pytest.mark.parametrize("value", ["0", "-1", '"20"', "2.5", "true", str(2**63)])
def test_a_bad_default_timeout_is_dropped_and_hooks_keep_their_own(value):
    result = loaded(f"[hooks]\ndefault_timeout_secs = {value}\n" + entry(timeout_secs=5))
    (hook,), (diagnostic,) = result.hooks, result.diagnostics
    assert (hook.timeout, hook.timeout_note, result.rejected) == (5.0, None, ())
    assert (diagnostic.code, diagnostic.severity) == ("rejected-setting", "error")
    assert "`[hooks].default_timeout_secs`" in diagnostic.message
    assert "per-hook timeouts apply" in diagnostic.message


def test_a_default_timeout_of_zero_is_told_in_these_words():
    assert "`default_timeout_secs = 0`" in loaded("[hooks]\ndefault_timeout_secs = 0\n").diagnostics[0].message


@pytest.mark.parametrize(("value", "enabled"), [("true", True), ("false", False)])
def test_the_global_switch_is_a_setting_and_hooks_still_load(value, enabled):
    result = loaded(f"[hooks]\nenabled = {value}\n" + entry(), THEIRS)
    assert result.settings.enabled is enabled
    assert len(result.hooks) == 2


@pytest.mark.parametrize("value", ['"false"', "0", "[]"])
def test_a_switch_that_is_no_boolean_leaves_the_gates_armed_and_is_told(value):
    result = loaded(f"[hooks]\nenabled = {value}\n" + entry())
    assert result.settings.enabled
    assert codes(result) == ["rejected-setting"]
    assert "`[hooks].enabled`" in result.diagnostics[0].message


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/srv/x", "/srv/x"),
        ("~", "/home/me"),
        ("~/x", "/home/me/x"),
        ("sub/dir", "/srv/project/sub/dir"),
        ("~other", "/srv/project/~other"),
        ("/a/../b", "/b"),
    ],
)
def test_the_working_directory_is_made_absolute(value, expected):
    result = loaded(f'[hooks]\nworking_dir = "{value}"\n' + entry(), THEIRS)
    assert result.settings.working_dir == expected
    assert [hook.config.working_dir for hook in result.hooks] == [expected, expected]


@pytest.mark.parametrize("value", ["7", '""', '" "', '"a\\u0000b"', "[]"])
def test_a_bad_working_directory_is_told_and_hooks_run_in_the_workspace(value):
    result = loaded(f"[hooks]\nworking_dir = {value}\n" + entry())
    assert result.hooks[0].config.working_dir is None
    assert codes(result) == ["rejected-setting"]
    assert "`[hooks].working_dir`" in result.diagnostics[0].message


def test_an_unknown_setting_is_told():
    (diagnostic,) = loaded("[hooks]\nenabeld = false\n").diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("ignored-setting", "warning")
    assert "`enabeld` (did you mean `enabled`?)" in diagnostic.message


@pytest.mark.parametrize(
    "text", ["hooks = 1\n", THEIRS, "[hooks]\nhooks = 1\n", "[hooks.hooks]\nevent = 'session_start'\ncommand = 'x'\n"]
)
def test_entries_in_another_shape_are_told_with_the_one_that_works(text):
    result = loaded(text, THEIRS)
    assert names(result) == ["theirs"]
    assert codes(result) == ["rejected-setting"]
    assert "`[[hooks.hooks]]`" in result.diagnostics[0].message


# The project's file.


def test_the_projects_hooks_come_after_the_persons():
    result = loaded(MINE, THEIRS)
    assert [(hook.name, hook.source.scope) for hook in result.hooks] == [("mine", "user"), ("theirs", "project")]
    assert result.hooks[1].source.entry == "hooks[0]"


def test_a_project_can_set_nothing_for_all_hooks():
    top = 'enabled = false\ndefault_timeout_secs = 1\nworking_dir = "/"\nother = 1\n'
    result = loaded(MINE, top + THEIRS)
    assert result.settings.enabled
    assert [(hook.timeout, hook.config.working_dir) for hook in result.hooks] == [(30.0, None), (30.0, None)]
    assert codes(result) == ["ignored-setting"] * 4
    for diagnostic, key in zip(
        result.diagnostics, ("enabled", "default_timeout_secs", "working_dir", "other"), strict=True
    ):
        assert f"`{key}`" in diagnostic.message
        assert diagnostic.file == PROJECT


@pytest.mark.parametrize("text", [MINE, "[hooks]\nenabled = false\n", "hooks = 'x'\n"])
def test_a_project_that_writes_the_persons_shape_is_told_and_loads_nothing(text):
    result = loaded(MINE, text)
    assert names(result) == ["mine"]
    assert result.settings.enabled
    assert codes(result) == ["rejected-setting"]
    assert "`[[hooks]]`" in result.diagnostics[0].message


def test_a_projects_file_may_be_one_mebibyte_and_not_a_byte_longer():
    fits = THEIRS + "#" * (PROJECT_LIMIT - len(THEIRS))
    assert names(loaded(MINE, fits)) == ["mine", "theirs"]
    result = loaded(MINE, fits + "#")
    assert names(result) == ["mine"]
    assert codes(result) == ["broken-file"]
    assert "1,048,576" in result.diagnostics[0].message


def test_the_persons_own_file_may_be_longer():
    assert names(loaded(MINE + "#" * PROJECT_LIMIT)) == ["mine"]


# Files that do not parse.

BROKEN = '[[hooks]]\nname = "a"\n  name = "b"\nevent = oops\n'


def test_a_broken_project_file_leaves_the_persons_hooks():
    result = loaded(MINE, BROKEN)
    assert names(result) == ["mine"]
    assert codes(result) == ["broken-file"]
    assert result.rejected == ()


def test_a_broken_file_of_the_person_leaves_the_projects_hooks_loaded_and_untrusted():
    result = loaded("[hooks]\nenabled = \n", THEIRS)
    assert names(result) == ["theirs"]
    assert not result.settings.consent.workspace_trusted


def test_a_syntax_error_is_told_with_file_line_and_column():
    (diagnostic,) = loaded("[hooks]\nenabled = nope\n").diagnostics
    assert (diagnostic.code, diagnostic.severity, diagnostic.file, diagnostic.line) == ("broken-file", "error", USER, 2)
    assert USER in diagnostic.message
    assert "line 2, column 11" in diagnostic.message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a = 1\nb = '\xc3\xa4\xff'\n", ["line 2, column 7", "UTF-8"]),
        (b"a = " + b"[" * 5000, ["nested too deep"]),
        (b"a = " + b"1" * 5000, ["too many digits"]),
        (b"a = 1\x00", ["line 1"]),
        (b"a = '\xed\xa0\x80'", ["UTF-8"]),
        (b"\xff\xfea\x00", ["line 1, column 1"]),
    ],
)
def test_bytes_that_are_no_toml_are_told_in_one_sentence(data, words):
    result = loaded(data)
    (diagnostic,) = result.diagnostics
    assert diagnostic.code == "broken-file"
    assert "\n" not in diagnostic.message
    assert all(word in diagnostic.message for word in words)


@pytest.mark.parametrize("data", [MINE.encode(), b"\xef\xbb\xbf" + MINE.encode(), MINE.replace("\n", "\r\n").encode()])
def test_a_byte_order_mark_and_windows_line_ends_are_accepted(data):
    result = loaded(data, data.replace(b"hooks.hooks", b"hooks"))
    assert len(result.hooks) == 2
    assert result.diagnostics == ()


# Whatever a file holds.

SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["session_start", "tool_call_before", "shell_env", "tool_name", "any", "bash", "*"]),
    st.dates(),
    st.times(),
)
KEYS = st.one_of(
    st.sampled_from(
        [
            "hooks",
            "enabled",
            "default_timeout_secs",
            "working_dir",
            "event",
            "command",
            "name",
            "timeout_secs",
            "background",
            "continue_on_error",
            "condition",
            "conditions",
            "type",
            "projects",
            "trust_level",
        ]
    ),
    st.text(max_size=3),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)
TABLES = st.dictionaries(KEYS, VALUES, max_size=5)
ENTRIES = st.one_of(VALUES, st.lists(st.one_of(VALUES, TABLES), max_size=4))
CONFIGS = st.one_of(
    TABLES, st.fixed_dictionaries({"hooks": st.one_of(VALUES, st.fixed_dictionaries({"hooks": ENTRIES}))})
)


def _entries_of(table, *keys):
    for key in keys:
        table = table.get(key, {} if key != keys[-1] else []) if isinstance(table, dict) else []
    return table if isinstance(table, list) else []


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(CONFIGS, CONFIGS)
def test_loading_never_raises_and_every_entry_is_a_hook_or_a_refusal(user, project):
    result = loaded(tomlkit.dumps(user), tomlkit.dumps(project))
    assert "broken-file" not in codes(result)
    assert len(result.hooks) + len(result.rejected) == len(_entries_of(user, "hooks", "hooks")) + len(
        _entries_of(project, "hooks")
    )
    for hook in result.hooks:
        assert hook.event in EVENTS
        assert hook.timeout > 0
        assert hook.config.command.strip()
        assert os.path.isabs(hook.config.working_dir or "/")


def test_ten_thousand_entries_load_in_order():
    text = "".join(
        entry(event='"tool_call_before"', condition=f'{{ type = "tool_name", name = "t{i}" }}') for i in range(10_000)
    )
    assert [hook.config.position for hook in loaded(text).hooks] == list(range(10_000))
