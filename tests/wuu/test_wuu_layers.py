from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_wuu.entries import Entry, Item, Part
from hookfw_wuu.locations import agent_home, discover, user_config

A, B, C = ({"command": f"sh {letter}.sh"} for letter in "abc")


def commands(loaded):
    return [(hook.name, hook.command) for hook in loaded.hooks]


def codes(loaded):
    return [item.code for item in loaded.diagnostics]


def test_a_layer_replaces_the_list_of_an_event_and_leaves_the_others(wuu):
    loaded = wuu.load(wuu.own(PreToolUse=[A], Stop=[B]), wuu.shared({"hooks": {"PreToolUse": [C], "PreCompact": [C]}}))
    assert commands(loaded) == [("PreToolUse:0", "sh c.sh"), ("Stop:0", "sh b.sh"), ("PreCompact:0", "sh c.sh")]
    assert [hook.source.scope for hook in loaded.hooks] == ["project", "user", "project"]


def test_the_later_layer_counts(wuu):
    loaded = wuu.load(wuu.own(Stop=[A]), wuu.shared({"hooks": {"Stop": [B]}}), wuu.local({"hooks": {"Stop": [C]}}))
    assert commands(loaded) == [("Stop:0", "sh c.sh")]


@pytest.mark.parametrize("content", [{}, {"agent": {}}, {"hooks": {}}])
def test_a_layer_without_lists_changes_nothing(wuu, content):
    loaded = wuu.load(wuu.own(Stop=[A]), wuu.shared(content))
    assert (commands(loaded), codes(loaded)) == ([("Stop:0", "sh a.sh")], [])


@pytest.mark.parametrize("empty", [[], None])
def test_a_layer_that_empties_a_list_is_named_with_what_it_takes_away(wuu, empty):
    loaded = wuu.load(wuu.own(PreToolUse=[A, B], Stop=[C]), wuu.shared({"hooks": {"PreToolUse": empty}}))
    assert commands(loaded) == [("Stop:0", "sh c.sh")]
    (told,) = loaded.diagnostics
    assert (told.code, told.severity, told.file) == ("hooks-removed", "warning", wuu.shared_file)
    assert "2 hooks of your own" in told.message
    assert "hooks.PreToolUse[1]" in told.message
    assert wuu.user_file in told.message


def test_null_takes_every_hook_away(wuu):
    loaded = wuu.load(wuu.own(PreToolUse=[A], Stop=[C]), wuu.shared({"hooks": None}))
    assert loaded.hooks == ()
    assert [(told.code, told.file) for told in loaded.diagnostics] == [("hooks-removed", wuu.shared_file)] * 2


def test_a_layer_that_repeats_the_hooks_of_the_person_takes_nothing_away(wuu):
    loaded = wuu.load(wuu.own(Stop=[A, B]), wuu.shared({"hooks": {"Stop": [C, B, A]}}))
    assert codes(loaded) == []


def test_what_one_layer_takes_away_a_later_one_can_give_back(wuu):
    loaded = wuu.load(wuu.own(Stop=[A]), wuu.shared({"hooks": None}), wuu.local({"hooks": {"Stop": [A]}}))
    assert (commands(loaded), codes(loaded)) == ([("Stop:0", "sh a.sh")], [])


def test_a_layer_taking_away_what_another_brought_is_not_worth_a_word(wuu):
    loaded = wuu.load(wuu.own(), wuu.shared({"hooks": {"Stop": [B]}}), wuu.local({"hooks": {"Stop": []}}))
    assert (loaded.hooks, codes(loaded)) == ((), [])


def test_a_layer_that_is_refused_leaves_what_is_below_it(wuu):
    loaded = wuu.load(
        wuu.own(Stop=[A]), wuu.shared({"hooks": {"Stop": [{"cmd": "x"}]}}), wuu.local({"hooks": {"PreCompact": [B]}})
    )
    assert commands(loaded) == [("Stop:0", "sh a.sh"), ("PreCompact:0", "sh b.sh")]
    assert codes(loaded) == ["rejected-entry", "refused-file"]


def test_a_layer_that_is_no_json_is_an_error_and_not_a_skip(wuu):
    loaded = wuu.load(wuu.own(Stop=[A]), wuu.shared("{"))
    assert [(told.severity, told.file) for told in loaded.diagnostics] == [("error", wuu.shared_file)]


def test_without_a_file_of_the_person_a_projects_file_is_no_base(wuu):
    loaded = wuu.load(wuu.shared({"hooks": {"Stop": [A]}}))
    assert loaded.hooks == ()
    (told,) = loaded.diagnostics
    assert (told.code, told.severity) == ("no-base", "warning")
    assert wuu.user_file in told.message


def test_a_refused_base_is_nothing_to_go_over(wuu):
    loaded = wuu.load(wuu.file("{"), wuu.shared({"hooks": {"Stop": [A]}}))
    assert (loaded.hooks, codes(loaded)) == ((), ["broken-file", "no-base"])
    said = loaded.diagnostics[1]
    assert said.file == wuu.shared_file
    assert wuu.user_file in said.message
    assert codes(wuu.load(wuu.file("{"))) == ["broken-file"]


events = st.sampled_from(["PreToolUse", "Stop", "Other"])
lists = st.lists(st.sampled_from("abc"), max_size=3)
parts = st.builds(
    lambda cleared, given: Part(
        given=True,
        cleared=cleared,
        events={
            event: tuple(Item(event, None, Entry(command=each)) for each in each_list)
            for event, each_list in given.items()
        },
    ),
    st.booleans(),
    st.dictionaries(events, lists, max_size=3),
)


@given(st.lists(parts, max_size=4))
def test_merging_is_what_the_last_layer_that_speaks_of_an_event_says(layers):
    merged = {}
    for part in layers:
        merged = part.over(merged)
    for event in ("PreToolUse", "Stop", "Other"):
        expected = ()
        for part in layers:
            if part.cleared:
                expected = ()
            expected = part.events.get(event, expected)
        assert merged.get(event, ()) == expected


# where files are


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (None, "/home/ada/.wuu"),
        ("", "/home/ada/.wuu"),
        ("/opt/wuu", "/opt/wuu"),
        ("alt", "/home/ada/alt"),
        ("~/alt", "/home/ada/alt"),
        ("~", "/home/ada"),
    ],
)
def test_the_home_of_the_agent(wuu, named, expected):
    environ = {} if named is None else {"WUU_HOME": named}
    places = wuu.places._replace(environ=environ)
    assert agent_home(places) == expected
    assert user_config(places) == f"{expected}/config.json"


def test_the_dotted_file_hides_the_plain_one_even_where_it_is_blank(wuu, home, workspace):
    write(home / ".wuu/config.json", {})
    write(workspace / ".wuu.json", " \n")
    write(workspace / "wuu.json", {"hooks": {"Stop": [A]}})
    assert wuu.on_disk(home, workspace, trust_all=True)[0].hooks == ()
    (workspace / ".wuu.json").unlink()
    assert commands(wuu.on_disk(home, workspace, trust_all=True)[0]) == [("Stop:0", "sh a.sh")]


def test_layers_are_found_in_rising_priority(wuu, home, workspace):
    write(home / ".wuu/config.json", {"hooks": {"Stop": [A]}})
    write(workspace / ".wuu.json", {"hooks": {"Stop": [B]}})
    write(workspace / ".wuu/settings.json", {"hooks": {"PreCompact": [B]}})
    write(workspace / ".wuu/settings.local.json", {"hooks": {"PreCompact": [C]}})
    assert commands(wuu.on_disk(home, workspace, trust_all=True)[0]) == [
        ("Stop:0", "sh b.sh"),
        ("PreCompact:0", "sh c.sh"),
    ]


@pytest.mark.parametrize("blank", ["", " \r\n", "\ufeff\n"])
def test_a_blank_file_counts_as_missing(wuu, home, workspace, blank):
    write(home / ".wuu/config.json", {"hooks": {"Stop": [A]}})
    write(workspace / ".wuu/settings.json", blank)
    loaded = wuu.on_disk(home, workspace, trust_all=True)[0]
    assert (commands(loaded), codes(loaded)) == ([("Stop:0", "sh a.sh")], [])
    write(home / ".wuu/config.json", blank)
    write(workspace / ".wuu/settings.json", {"hooks": {"Stop": [B]}})
    assert codes(wuu.on_disk(home, workspace, trust_all=True)[0]) == ["no-base"]


def test_nothing_there_is_no_complaint(wuu, home, workspace):
    loaded, _, documents, _ = wuu.on_disk(home, workspace)
    assert (loaded.hooks, loaded.diagnostics, documents) == ((), (), [])


def test_a_folder_in_the_place_of_a_layer_is_an_error(wuu, home, workspace):
    write(home / ".wuu/config.json", {"hooks": {"Stop": [A]}})
    (workspace / ".wuu/settings.json").mkdir(parents=True)
    assert codes(wuu.on_disk(home, workspace, trust_all=True)[0]) == ["unreadable-file"]


# skills


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("---\nname: x\nhooks:\n  Stop: []\n---\n", True),
        ("---\n'hooks': {}\n---\n", True),
        ("---\r\nhooks:\r\n---\r\n", True),
        ("---\nname: x\n---\nhooks:\n", False),
        ("---\nmeta:\n  hooks: 1\n---\n", False),
        ("hooks:\n", False),
        ("", False),
    ],
)
def test_hooks_of_a_skill_are_told_and_never_registered(wuu, home, workspace, content, told):
    write(home / ".wuu/config.json", {})
    for folder in (home / ".wuu/skills/tidy", workspace / ".wuu/skills/tidy"):
        write(folder / "SKILL.md", content)
    loaded = wuu.on_disk(home, workspace)[0]
    assert loaded.hooks == ()
    assert [(item.code, item.severity) for item in loaded.diagnostics] == [("skill-hooks", "info")] * (2 * told)


def test_every_place_is_remembered_for_whoever_watches(wuu, home, workspace):
    from hookfw import FileView, Places

    files = FileView()
    list(discover(Places(home=str(home), workspace=str(workspace)), files))
    assert {str(home / ".wuu/config.json"), str(workspace / ".wuu.json"), str(workspace / ".wuu/settings.json")} <= set(
        files.asked
    )
