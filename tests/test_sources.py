from __future__ import annotations

import os

import pytest

from hookfw import FileView


def test_a_file_is_read_once_whatever_happens_to_it_later(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"first")
    files = FileView()
    assert files.read(str(path)).data == b"first"
    path.write_bytes(b"second")
    assert files.read(str(path)).data == b"first"
    assert FileView().read(str(path)).data == b"second"


def test_every_path_that_was_asked_for_is_remembered_missing_ones_too(tmp_path):
    files = FileView()
    wanted = [str(tmp_path / name) for name in ("a", "b", "a")]
    for path in wanted:
        files.read(path)
    assert files.asked == (wanted[0], wanted[1])


def test_what_is_not_there_is_nothing_and_no_problem(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "missing", tmp_path / "file" / "below"):
        assert FileView().document(str(path), "user") is None


def _directory(path):
    path.mkdir()


def _broken_link(path):
    path.symlink_to("nowhere")


def _loop(path):
    path.symlink_to(path)


def _pipe(path):
    os.mkfifo(path)


def _long(path):
    path.write_bytes(b"x" * 101)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (_directory, "is a directory"),
        (_broken_link, "is a link to a file that does not exist"),
        (_loop, "is a link that leads back to itself"),
        (_pipe, "is not a regular file"),
        (_long, "is longer than 100 bytes"),
    ],
)
def test_what_cannot_be_read_is_a_problem_in_words(tmp_path, make, told):
    path = tmp_path / "f"
    make(path)
    document = FileView(limit=100).document(str(path), "user")
    assert document.data == b""
    assert told in document.problem


def test_a_file_at_the_limit_is_read_whole(tmp_path):
    (tmp_path / "f").write_bytes(b"x" * 100)
    assert FileView(limit=100).read(str(tmp_path / "f")).data == b"x" * 100


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_a_problem(tmp_path):
    (tmp_path / "f").touch(mode=0o000)
    assert "permission denied" in FileView().read(str(tmp_path / "f")).problem


def test_a_path_with_a_nul_is_a_problem():
    assert "not a usable path" in FileView().read("/tmp/a\0b").problem


def test_what_exists_is_remembered_too_a_broken_link_included(tmp_path):
    (tmp_path / "link").symlink_to("nowhere")
    files = FileView()
    assert files.exists(str(tmp_path / "link"))
    assert not files.exists(str(tmp_path / "missing"))
    assert files.asked == (str(tmp_path / "link"), str(tmp_path / "missing"))


def test_the_names_in_a_folder_are_read_once_and_remembered(tmp_path):
    files = FileView()
    (tmp_path / "b").touch()
    (tmp_path / "a").mkdir()
    assert files.names(str(tmp_path)) == ("a", "b")
    (tmp_path / "c").touch()
    assert files.names(str(tmp_path)) == ("a", "b")
    assert files.asked == (str(tmp_path),)


@pytest.mark.parametrize("path", ["gone", "file", "a\0b"])
def test_what_is_no_folder_holds_no_names(tmp_path, path):
    (tmp_path / "file").touch()
    assert FileView().names(str(tmp_path / path)) == ()


def test_the_view_tells_kind_and_permissions_and_remembers_what_it_was_asked(tmp_path):
    script = tmp_path / "check.sh"
    script.write_text("true")
    script.chmod(0o750)
    view = FileView()
    assert view.mode(str(script)) == script.stat().st_mode
    assert view.mode(str(tmp_path / "missing")) is None
    assert view.mode("a\0b") is None
    script.chmod(0o600)
    assert view.mode(str(script)) & 0o777 == 0o750
    assert view.asked == (str(script), str(tmp_path / "missing"), "a\0b")
