from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from hookfw.entry_points import InstalledEntry, entries


@pytest.mark.parametrize("group", ["hookfw", "console_scripts", "pytest11", "no.such.group"])
def test_it_finds_what_the_standard_library_finds(group):
    wanted = sorted((entry.name, entry.value) for entry in entry_points(group=group))
    assert [(entry.name, entry.value) for entry in entries(group)] == wanted


def test_the_distribution_is_told_by_its_own_name():
    entry = next(entry for entry in entries("hookfw") if entry.name == "codewhale")
    assert entry.distribution() == ("hookfw", "0.1.0")


@pytest.mark.parametrize("value", ["os.path:join", "os : path.join", "os.path:join [extra]"])
def test_an_entry_may_name_an_attribute(value):
    import os.path

    assert InstalledEntry("x", value, "").load() is os.path.join


def lay_out(folder, name, text):
    (folder / name).mkdir(parents=True)
    (folder / name / "entry_points.txt").write_text(text)


def test_the_first_of_two_copies_counts_and_odd_files_break_nothing(tmp_path):
    lay_out(tmp_path / "a", "Some_Thing-1.0.dist-info", "[hookfw]\none = a\n")
    lay_out(tmp_path / "b", "some.thing-2.0.dist-info", "[hookfw]\none = b\n")
    lay_out(tmp_path / "b", "other.egg-info", "[x]\nno = x\n\n[hookfw]\n# note\ntwo=c:d\nnonsense\n[y]\nno = y\n")
    (tmp_path / "b" / "broken-1.dist-info").write_text("a file")
    path = [str(tmp_path / "missing"), str(tmp_path / "a"), str(tmp_path / "b")]
    assert [(entry.name, entry.value) for entry in entries("hookfw", path)] == [("one", "a"), ("two", "c:d")]
