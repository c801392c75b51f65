from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import FileChanged, PermissionRequest, PostToolUse, PostToolUseFailure, PreToolUse, SessionStart, Stop
from hookfw.matching import HookIndex
from hookfw_wuu.folding import fold, is_for_all, matches


@pytest.mark.parametrize(
    ("matcher", "tool", "expected"),
    [
        ("", "bash", True),
        ("*", "bash", True),
        ("", "", True),
        ("*", "", True),
        ("bash", "", False),
        ("bash", "bash", True),
        ("BASH", "bash", True),
        ("bash", "BaSh", True),
        ("bash|edit_file", "bash", False),
        ("ba*", "bash", False),
        ("bas", "bash", False),
        ("bash ", "bash", False),
        (" *", "bash", False),
        (".*", "bash", False),
        ("Bash", "bash_tool", False),
        ("ÄNDERE", "ändere", True),
        ("ANDERE", "ändere", False),
        ("straße", "STRASSE", False),
        ("straße", "STRAẞE", True),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", True),
        ("K", "k", True),
        ("\u017f", "S", True),
        ("İ", "i", False),
        ("\u0131", "I", False),
        ("ﬀ", "FF", False),
        ("ᾈ", "ᾀ", True),
    ],
)
def test_a_matcher_is_the_name_of_the_tool_in_any_letter_case(matcher, tool, expected):
    assert matches(matcher, tool) is expected


@given(st.text(max_size=6), st.text(max_size=6))
def test_matching_is_an_equivalence_of_whole_names(left, right):
    assert len(fold(left)) == len(left)
    assert fold(fold(left)) == fold(left)
    if not is_for_all(left) and not is_for_all(right):
        assert matches(left, right) == matches(right, left)
    assert matches(left, left)


@given(st.text(alphabet=st.characters(max_codepoint=0x24F), min_size=1, max_size=8))
def test_what_differs_in_letter_case_alone_matches(name):
    single = "".join(
        letter if len(letter.upper()) == 1 and letter.upper().lower() == letter else "x" for letter in name
    )
    assert matches(single, single.upper())


@pytest.mark.parametrize("kind", [PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure])
def test_tool_events_are_matched_by_their_tool(wuu, kind):
    hook = wuu.hook(kind.__name__, matcher="Edit_File")
    index = HookIndex([hook])
    assert index.select(wuu.row(kind(tool_name="edit_FILE"))).hooks == (hook,)
    assert index.select(wuu.row(kind(tool_name="bash"))).hooks == ()
    assert index.select(wuu.row(kind())).hooks == ()


@pytest.mark.parametrize("event", [SessionStart(source="startup"), Stop(), FileChanged(file_path="/x/edit_file")])
def test_events_without_a_tool_are_selected_by_an_open_matcher_alone(wuu, event):
    name = type(event).__name__
    hooks = [wuu.hook(name, matcher=matcher) for matcher in ("", "*", "startup", "edit_file")]
    assert HookIndex(hooks).select(wuu.row(event)).hooks == tuple(hooks[:2])


def test_the_subjects_are_known_from_the_tool_alone(wuu):
    assert wuu.dialect.subjects("pre_tool_use", "BASH") == wuu.row(PreToolUse(tool_name="BASH")).subjects == ("bash",)


def test_order_is_configuration_order_whatever_matches(wuu):
    loaded = wuu.load_entries(
        {"matcher": "bash", "command": "a"}, {"command": "b"}, {"matcher": "BASH", "command": "c"}
    )
    selected = HookIndex(loaded.hooks).select(wuu.row(PreToolUse(tool_name="bash"))).hooks
    assert [hook.command for hook in selected] == ["a", "b", "c"]
