from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Edit, TrustError, parse_toml
from hookfw.trust import edited, record

CONFIG = b"""# my configuration
model = "deepseek"   # the good one

[projects."/a b/c"]
trust_level = "untrusted"  # for now

[hooks]
enabled = true
"""


def test_comments_order_and_everything_else_stay():
    after = edited("c.toml", CONFIG, [Edit("c.toml", ("projects", "/a b/c", "trust_level"), "trusted")])
    assert after == CONFIG.replace(b'"untrusted"', b'"trusted"')


def test_a_new_table_leaves_the_rest_as_it_was():
    after = edited("c.toml", CONFIG, [Edit("c.toml", ("projects", '/w "q"', "trust_level"), "trusted")])
    before = CONFIG.decode().splitlines()
    assert [line for line in after.decode().splitlines() if line in before] == before
    assert parse_toml(after)["projects"]['/w "q"'] == {"trust_level": "trusted"}


def test_an_empty_file_gets_what_is_written():
    assert parse_toml(edited("c.toml", b"", [Edit("c.toml", ("a", "b"), 1)])) == {"a": {"b": 1}}
    assert json.loads(edited("c.json", b"", [Edit("c.json", ("a",), "b")])) == {"a": "b"}


def test_removing_takes_one_key_and_nothing_where_there_is_none():
    assert edited("c.toml", CONFIG, [Edit("c.toml", ("no", "such"), None)]) == CONFIG
    assert b"enabled" not in edited("c.toml", CONFIG, [Edit("c.toml", ("hooks", "enabled"), None)])
    assert json.loads(edited("c.json", b'{"a": 1, "b": 2}', [Edit("c.json", ("a",), None)])) == {"b": 2}


def test_windows_line_ends_and_a_byte_order_mark_stay():
    before = b"\xef\xbb\xbf" + CONFIG.replace(b"\n", b"\r\n")
    after = edited("c.toml", before, [Edit("c.toml", ("hooks", "enabled"), False)])
    assert after == before.replace(b"enabled = true", b"enabled = false")


@pytest.mark.parametrize(
    ("path", "data", "keys"),
    [
        ("c.toml", b"a = = 1", ("a",)),
        ("c.toml", b"a = 1", ("a", "b")),
        ("c.toml", b"\xff", ("a",)),
        ("c.json", b"{", ("a",)),
        ("c.json", b"[]", ("a",)),
        ("c.json", b'{"a": 1}', ("a", "b")),
    ],
)
def test_a_file_that_cannot_be_changed_is_one_sentence(path, data, keys):
    with pytest.raises(TrustError, match=path) as raised:
        edited(path, data, [Edit(path, keys, "x")])
    assert "\n" not in str(raised.value)


@given(
    st.dictionaries(st.text(min_size=1, max_size=4), st.integers() | st.text(max_size=4), max_size=4),
    st.lists(st.text(min_size=1, max_size=4).filter(lambda key: "\x00" not in key), min_size=1, max_size=3),
    st.booleans() | st.integers(-9, 9),
)
def test_json_holds_what_was_set_and_all_the_rest(before, keys, value):
    data = json.dumps(before).encode()
    try:
        after = json.loads(edited("c.json", data, [Edit("c.json", tuple(keys), value)]))
    except TrustError:
        assert len(keys) > 1
        return
    assert {key: after[key] for key in before if key != keys[0]} == {k: v for k, v in before.items() if k != keys[0]}
    for key in keys:
        after = after[key]
    assert after == value


def test_a_new_file_is_for_the_person_alone_and_an_old_one_keeps_its_mode(home):
    new, old = home / "sub" / "new.json", home / "old.json"
    old.write_text("{}")
    old.chmod(0o644)
    record([Edit(str(new), ("a",), 1), Edit(str(old), ("a",), 1)])
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    assert stat.S_IMODE(old.stat().st_mode) == 0o644
    assert [path.name for path in home.iterdir() if path.name not in (".local", "sub")] == ["old.json"]


def test_a_link_stays_a_link(home):
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "c.json").write_text("{}")
    (home / "c.json").symlink_to("dotfiles/c.json")
    record([Edit(str(home / "c.json"), ("a",), 1)])
    assert (home / "c.json").is_symlink()
    assert json.loads((home / "dotfiles" / "c.json").read_text()) == {"a": 1}


def test_a_file_that_cannot_be_parsed_is_left_as_it_was(home):
    (home / "c.json").write_text("{")
    with pytest.raises(TrustError):
        record([Edit(str(home / "c.json"), ("a",), 1)])
    assert (home / "c.json").read_text() == "{"


def test_a_place_that_cannot_be_written_is_one_sentence(home):
    (home / "c.json").mkdir()
    with pytest.raises(TrustError, match="nothing was recorded"):
        record([Edit(str(home / "c.json"), ("a",), 1)])
    (home / "file").touch()
    with pytest.raises(TrustError, match="nothing was recorded"):
        record([Edit(str(home / "file" / "c.json"), ("a",), 1)])


RECORD = "import sys; from hookfw import Edit; from hookfw.trust import record; record([Edit(sys.argv[1], (sys.argv[2],), 1)])"


def test_writers_at_the_same_time_lose_nothing(home):
    path = str(home / "c.json")
    writers = [subprocess.Popen([sys.executable, "-c", RECORD, path, f"k{at}"]) for at in range(6)]
    assert [writer.wait() for writer in writers] == [0] * 6
    assert json.loads((home / "c.json").read_text()) == {f"k{at}": 1 for at in range(6)}
    assert [name for name in os.listdir(home) if "c.json" in name] == ["c.json"]


@pytest.mark.parametrize("name", ["c.toml", "c.json"])
@pytest.mark.parametrize("kind", ["directory", "pipe", "device", "long", "deep"])
def test_what_cannot_be_read_as_a_file_is_refused_at_once(home, tmp_path, name, kind):
    path = tmp_path / name
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "long":
        path.write_bytes(b"#" * (16 * 1024 * 1024 + 1))
    else:
        path.write_text('{"a":' * 100_000 if name == "c.json" else "a = " + "[" * 100_000)
    with pytest.raises(TrustError, match=r"^/\S+ ") as raised:
        record([Edit(str(path), ("a",), "b")])
    assert "\n" not in str(raised.value)
