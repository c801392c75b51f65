from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookfw.guests import json_text, toml_text
from hookfw.guests.entries import GuestEntries, GuestEntry
from hookfw.guests.installing import install, uninstall
from hookfw.sources import Places

KEYS = st.sampled_from(["hooks", "PreToolUse", "Stop", "model", "env", "a b", "é"])
LEAVES = st.sampled_from([None, True, 0, -1.5, "", "a\nb", '"{[,]}"', "😀"])
VALUES = LEAVES | st.lists(LEAVES, max_size=2) | st.dictionaries(KEYS, st.lists(LEAVES, max_size=2), max_size=2)
EVENTS = st.dictionaries(st.sampled_from(["PreToolUse", "Stop", "Other"]), st.lists(VALUES, max_size=3), max_size=3)
DOCUMENTS = st.builds(
    lambda before, hooks, after: {**before, **({} if hooks is None else {"hooks": hooks}), **after},
    st.dictionaries(st.sampled_from(["model", "env", "é"]), VALUES, max_size=2),
    st.none() | EVENTS,
    st.dictionaries(st.sampled_from(["z", "permissions"]), VALUES, max_size=2),
)
ENTRY = {"hooks": [{"type": "command", "command": "/x/hookfw guest codex PreToolUse"}]}
ADDITIONS = {"hooks": {"PreToolUse": [ENTRY], "Stop": [ENTRY, ENTRY]}}


@st.composite
def json_texts(draw):
    indent = draw(st.sampled_from([None, 0, 1, 2, 3, 4, "\t", " \t"]))
    text = json.dumps(draw(DOCUMENTS), indent=indent, ensure_ascii=draw(st.booleans()))
    text = draw(st.sampled_from(["", "\n", "  ", "\n\n\t"])) + text + draw(st.sampled_from(["", "\n", " \n\n"]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text


@settings(deadline=None)
@given(json_texts())
def test_additions_to_json_are_there_and_everything_else_stays(text):
    before = json_text.parse(text)
    found = json_text.insertions(text, ADDITIONS)
    after = json_text.put(text, found)
    hooks = before.get("hooks", {})
    wanted = {**hooks, **{event: [*hooks.get(event, []), *added] for event, added in ADDITIONS["hooks"].items()}}
    assert json_text.parse(after) == {**before, "hooks": wanted}
    for place, addition in sorted(found):
        assert after[place : place + len(addition)] == addition
        after = after[:place] + after[place + len(addition) :]
    assert after == text


@settings(deadline=None)
@given(json_texts())
def test_what_is_cut_out_of_json_leaves_the_rest(text):
    before = json_text.parse(text)
    after = json_text.put(text, json_text.insertions(text, ADDITIONS))
    left = json_text.parse(json_text.without(after, lambda item: item == ENTRY))
    for document in (before, left):
        hooks = document.get("hooks", {})
        document["hooks"] = {event: value for event, value in hooks.items() if value}
    assert left == before


@pytest.mark.parametrize("text", ["[]", "1", '{"hooks": 1}', '{"hooks": {"Stop": {}}}', "{", "{,}", '{"a": NaN}'])
def test_what_takes_no_additions_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        json_text.insertions(text, ADDITIONS)


def test_additions_are_laid_out_as_the_text_is():
    text = '{\n\t"a": 1\n}\n'
    assert json_text.put(text, json_text.insertions(text, {"hooks": {"Stop": [1]}})) == (
        '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t1\n\t\t]\n\t}\n}\n'
    )
    flat = '{"a": 1}'
    assert json_text.put(flat, json_text.insertions(flat, {"hooks": {}})) == '{"a": 1, "hooks": {}}'


LINES = st.sampled_from(
    [
        "# a comment",
        "",
        "   ",
        'model = "x" # why',
        "[projects.'/a b']",
        'trust_level = "trusted"',
        "[[hooks.hooks]]",
        'event = "turn_end"',
        "command = '''a\n  b'''",
        "[hooks]",
        "enabled = true",
        "\tx.y = [1,\n 2]",
    ]
)


@st.composite
def toml_texts(draw):
    text = "\n".join(draw(st.lists(LINES, max_size=12))) + draw(st.sampled_from(["", "\n", "\n\n"]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text


TABLE = {"event": "turn_end", "command": "/x y/hookfw guest codewhale turn_end", "timeout_secs": 600}


@settings(deadline=None)
@given(toml_texts())
def test_additions_to_toml_are_there_and_everything_else_stays(text):
    plain = text.removeprefix("\ufeff")
    try:
        before = tomllib.loads(plain)
    except tomllib.TOMLDecodeError:
        with pytest.raises(ValueError, match="TOML"):
            toml_text.addition(text, [(("hooks", "hooks"), TABLE)])
        return
    added = toml_text.addition(text, [(("hooks", "hooks"), TABLE), (("hooks", "hooks"), TABLE)])
    after = tomllib.loads(plain + added)
    hooks = before.get("hooks", {})
    assert after == {**before, "hooks": {**hooks, "hooks": [*hooks.get("hooks", []), TABLE, TABLE]}}
    left = toml_text.without(text + added, lambda item: item == TABLE)
    assert tomllib.loads(left.removeprefix("\ufeff")).get("hooks", {}).get("hooks", []) == hooks.get("hooks", [])


def in_file(tmp_path_factory, name, data):
    home = tmp_path_factory.mktemp("home")
    path = home / name
    path.write_bytes(data)
    return path, Places(home=str(home), workspace=str(home), environ={"HOME": str(home)})


@settings(deadline=None)
@given(json_texts() | st.sampled_from(["", " \n", "\ufeff"]))
def test_a_json_file_comes_back_byte_for_byte(tmp_path_factory, text):
    path, places = in_file(tmp_path_factory, "hooks.json", text.encode())
    wanted = GuestEntries(str(path), (GuestEntry("PreToolUse", ("hooks", "PreToolUse"), ENTRY),))
    install("codex", wanted, places)
    installed = path.read_bytes()
    install("codex", wanted, places)
    assert path.read_bytes() == installed != text.encode()
    uninstall("codex", str(path), places)
    assert path.read_bytes() == text.encode()


@settings(deadline=None)
@given(toml_texts())
def test_a_toml_file_comes_back_byte_for_byte(tmp_path_factory, text):
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return
    path, places = in_file(tmp_path_factory, "config.toml", text.encode())
    wanted = GuestEntries(str(path), (GuestEntry("turn_end", ("hooks", "hooks"), TABLE),))
    install("codewhale", wanted, places)
    installed = path.read_bytes()
    install("codewhale", wanted, places)
    assert path.read_bytes() == installed != text.encode()
    uninstall("codewhale", str(path), places)
    assert path.read_bytes() == text.encode()
