from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookfw_claude.deepagents.rules import EVENTS


def names(loaded):
    return [hook.name for hook in loaded.hooks]


def codes(loaded):
    return [item.code for item in loaded.diagnostics]


def test_the_smallest_file_gives_one_hook_with_its_place_and_the_default_timeout(bench):
    loaded = bench.load_events(PreToolUse=[bench.group("guard.sh", matcher="Bash")])
    (hook,) = loaded.hooks
    assert (hook.name, hook.event, hook.handler, hook.command) == (
        "PreToolUse:0:0",
        "PreToolUse",
        "command",
        "guard.sh",
    )
    assert (hook.timeout, hook.matcher, hook.keys) == (600.0, "Bash", {"Bash"})
    assert hook.source == (bench.user_file, "user", "hooks.PreToolUse[0].hooks[0]", 6)
    assert loaded.diagnostics == ()


def test_every_event_can_be_configured_and_a_prompt_has_thirty_seconds(bench):
    loaded = bench.load_events(**{event: [bench.group("a")] for event in EVENTS})
    assert {hook.event: hook.timeout for hook in loaded.hooks} == dict.fromkeys(EVENTS, 600.0) | {
        "UserPromptSubmit": 30.0
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("type", "http"),
        ("type", None),
        ("command", None),
        ("command", ["a"]),
        ("argv", []),
        ("argv", [" "]),
        ("argv", ["a", 1]),
        ("argv", "a b"),
        ("timeout", 0),
        ("timeout", -3),
        ("timeout", "5"),
        ("timeout", True),
        ("timeout", 10**400),
        ("statusMessage", 5),
        ("async", True),
        ("async", "yes"),
    ],
)
def test_a_bad_handler_costs_itself_and_says_file_place_field_and_remedy(bench, field, value):
    bad = {"type": "command", "command": "bad", field: value}
    loaded = bench.load_events(PreToolUse=[{"hooks": [bad, {"type": "command", "command": "good"}]}])
    assert [(hook.name, hook.command) for hook in loaded.hooks] == [("PreToolUse:0:0", "good")]
    assert [entry.name for entry in loaded.rejected] == ["hooks.PreToolUse[0].hooks[0]"]
    (note,) = loaded.diagnostics
    assert (note.code, note.severity, note.file, note.entry) == (
        "invalid-config",
        "error",
        bench.user_file,
        "hooks.PreToolUse[0].hooks[0]",
    )
    for part in (bench.user_file, "hooks.PreToolUse[0].hooks[0]", f"`{field}`"):
        assert part in note.message


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_a_timeout_that_is_no_finite_number_costs_its_handler_not_the_file(bench, value):
    text = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a", "timeout": %s}, {"type": "command", "command": "b"}]}]}}'
    loaded = bench.load_file(text % value)
    assert (names(loaded), len(loaded.rejected)) == (["Stop:0:0"], 1)


def test_a_missing_type_or_command_is_named(bench):
    loaded = bench.load_events(Stop=[{"hooks": [{"argv": ["a"]}]}])
    (entry,) = loaded.rejected
    assert [problem.split(" ")[2] for problem in entry.problems] == ["`type`;", "`command`,"]


@pytest.mark.parametrize("field", ["argv", "timeout", "statusMessage", "async", "other"])
def test_null_is_the_same_as_absent_and_unknown_fields_are_ignored(bench, field):
    loaded = bench.load_events(Stop=[bench.group({"command": "a", field: None}, other=1)])
    assert names(loaded) == ["Stop:0:0"]
    assert loaded.diagnostics == ()


def test_async_false_is_the_same_as_absent(bench):
    assert bench.load_events(Stop=[bench.group({"command": "a", "async": False})]).rejected == ()


def test_a_field_that_was_probably_misspelt_is_told_and_the_handler_loads(bench):
    loaded = bench.load_events(Stop=[bench.group({"command": "a", "timeuot": 5}, mather="x")])
    assert names(loaded) == ["Stop:0:0"]
    assert codes(loaded) == ["unknown-field", "unknown-field"]
    assert "'matcher'" in loaded.diagnostics[0].message
    assert "'timeout'" in loaded.diagnostics[1].message


@pytest.mark.parametrize(
    ("group", "rejected"),
    [
        (5, 1),
        ({"type": "command", "command": "a"}, 1),
        ({"hooks": {}}, 1),
        ({"hooks": None}, 1),
        ({"matcher": 5, "hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}, 2),
        ({"hooks": ["a"]}, 1),
    ],
)
def test_a_malformed_group_is_gone_before_groups_are_numbered(bench, group, rejected):
    loaded = bench.load_events(PreToolUse=[group, bench.group("a")])
    assert names(loaded) == ["PreToolUse:0:0"]
    assert len(loaded.rejected) == rejected
    assert codes(loaded) == ["invalid-config"] * rejected


def test_a_group_whose_matcher_is_refused_keeps_its_number(bench):
    loaded = bench.load_events(PreToolUse=[bench.group("a", "b", matcher="mcp__("), bench.group("c")])
    assert names(loaded) == ["PreToolUse:1:0"]
    assert len(loaded.rejected) == 2
    assert codes(loaded) == ["invalid-matcher"] * 2
    assert loaded.diagnostics[1].entry == "hooks.PreToolUse[0].hooks[1]"
    assert "because hooks.PreToolUse[0] has the `matcher` 'mcp__('" in loaded.diagnostics[1].message
    assert "unterminated" in loaded.diagnostics[0].message


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop"])
def test_an_event_without_a_subject_takes_only_a_matcher_of_everything(bench, event):
    groups = [bench.group("a", matcher=matcher) for matcher in ("x", None, "", "*", ".*")]
    loaded = bench.load_events(**{event: groups})
    assert names(loaded) == [f"{event}:{number}:0" for number in (1, 2, 3)]
    assert codes(loaded) == ["unsupported-matcher", "unsupported-matcher"]


def test_a_group_of_which_nothing_is_left_is_gone_and_an_empty_one_keeps_its_number(bench):
    loaded = bench.load_events(Stop=[bench.group({"timeout": 0}), {"hooks": []}, bench.group("a")])
    assert names(loaded) == ["Stop:1:0"]


def test_handlers_are_numbered_among_the_valid_ones(bench):
    loaded = bench.load_events(Stop=[bench.group({"command": 5}, "a", {"timeout": 0}, "b")])
    assert [(hook.name, hook.command) for hook in loaded.hooks] == [("Stop:0:0", "a"), ("Stop:0:1", "b")]


def test_an_unknown_event_loses_its_own_groups_and_says_what_was_meant(bench):
    loaded = bench.load_events(PreToolCall=[bench.group("a", "b"), 5], Stop=[bench.group("c")])
    assert names(loaded) == ["Stop:0:0"]
    assert [entry.name for entry in loaded.rejected] == [
        "hooks.PreToolCall[0].hooks[0]",
        "hooks.PreToolCall[0].hooks[1]",
        "hooks.PreToolCall[1]",
    ]
    assert loaded.diagnostics[0].message.endswith(
        "because hooks.PreToolCall is no event of this agent; did you mean PreToolUse?"
    )


def test_an_event_that_is_no_list_is_lost_alone(bench):
    loaded = bench.load_events(PreToolUse=bench.group("a"), Stop=[bench.group("c")])
    assert names(loaded) == ["Stop:0:0"]
    assert [entry.name for entry in loaded.rejected] == ["hooks.PreToolUse"]


def test_an_empty_event_is_valid_and_does_nothing(bench):
    loaded = bench.load_events(Stop=[], PreToolUse=[{"hooks": []}])
    assert (loaded.hooks, loaded.rejected, loaded.diagnostics) == ((), (), ())


@pytest.mark.parametrize(
    "content", [[], 5, None, {}, {"hooks": None}, {"hooks": 5}, {"hooks": ["x"]}, {"hooks": [{}, 5]}]
)
def test_a_file_of_another_shape_is_refused_whole_with_its_name(bench, content):
    loaded = bench.load_file(content)
    assert loaded.hooks == ()
    assert codes(loaded) == ["invalid-config"]
    assert loaded.diagnostics[0].message.startswith(bench.user_file)


def test_a_file_that_is_no_json_is_skipped_with_the_place_of_the_mistake_and_the_others_load(bench):
    loaded = bench.load(
        bench.project({"hooks": {"Stop": [bench.group("p")]}}), bench.file('{"hooks": {'), trust_all=True
    )
    assert names(loaded) == ["Stop:0:0"]
    (note,) = loaded.diagnostics
    assert (note.code, note.line) == ("config-read-failed", 1)
    assert bench.user_file in note.message


def test_a_file_that_cannot_be_read_is_skipped_with_the_reason(bench):
    document = bench.file("")._replace(data=b"", problem="cannot be read: permission denied; make it readable for you")
    loaded = bench.load(document)
    assert codes(loaded) == ["config-read-failed"]
    assert "permission denied" in loaded.diagnostics[0].message


def test_bytes_of_editors_change_nothing(bench):
    text = json.dumps({"hooks": {"Stop": [bench.group("a")]}}, indent=1).replace("\n", "\r\n")
    assert names(bench.load_file("\ufeff" + text)) == ["Stop:0:0"]


def test_project_comes_before_the_person_and_groups_are_numbered_over_both(bench):
    own = bench.file({"hooks": {"Stop": [bench.group("u", "v")]}})
    loaded = bench.load(bench.project({"hooks": {"Stop": [bench.group("p")]}}), own, trust_all=True)
    assert [(hook.name, hook.command) for hook in loaded.hooks] == [
        ("Stop:0:0", "p"),
        ("Stop:1:0", "u"),
        ("Stop:1:1", "v"),
    ]


def test_a_summary_is_one_line_of_at_most_sixty_characters(bench):
    hook = bench.hook(command="a\nb" * 100)
    assert len(hook.summary) <= 60 + len("…[truncated]")
    assert "\n" not in hook.summary


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["hooks", "matcher", "type", "command", "argv", "timeout", "events", "Stop", "PreToolUse"]),
            inner | st.just("command"),
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_file_holds_it_loads_with_every_loss_told(bench, content):
    loaded = bench.load_file(content)
    if loaded.rejected:
        assert loaded.diagnostics
    assert len({hook.name for hook in loaded.hooks}) == len(loaded.hooks)


@given(st.binary(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_configuration_or_a_diagnostic(bench, data):
    loaded = bench.load(bench.file("")._replace(data=data))
    assert loaded.hooks or loaded.diagnostics or b"{" in data


def test_the_snapshot_id_changes_with_the_configuration_and_with_nothing_else(bench):
    base = bench.load_events(Stop=[bench.group("a")], PreToolUse=[bench.group("b", matcher="Bash")])
    swapped = bench.load_events(PreToolUse=[bench.group("b", matcher="Bash")], Stop=[bench.group("a")])
    spelled = bench.load_events(
        PreToolUse=[bench.group({"command": "b", "timeout": None}, matcher="Bash")], Stop=[bench.group("a")]
    )
    changed = bench.load_events(Stop=[bench.group("a")], PreToolUse=[bench.group("b", matcher="Read")])
    assert base.settings.snapshot_id == swapped.settings.snapshot_id == spelled.settings.snapshot_id
    assert changed.settings.snapshot_id != base.settings.snapshot_id
    assert len(base.settings.snapshot_id) == 64


def test_the_schema_names_every_event_and_every_field_of_a_handler(bench):
    events = bench.dialect.schema()["properties"]["hooks"]["properties"]
    assert list(events) == list(EVENTS)
    handler = events["PreToolUse"]["items"]["properties"]["hooks"]["items"]
    assert set(handler["properties"]) == {"type", "command", "argv", "timeout", "statusMessage", "async"}
    assert events["Stop"]["items"]["properties"]["matcher"] == {"enum": [None, "", "*"]}
