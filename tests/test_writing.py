from __future__ import annotations

import fcntl
import os
import stat

from hookfw import Write
from hookfw.writing import perform


def test_lines_are_appended_in_a_file_for_the_person_alone(tmp_path):
    path = tmp_path / "sub" / "audit.log"
    assert perform(Write(str(path), "one\n")) is None
    assert perform(Write(str(path), "two\n")) is None
    assert path.read_text() == "one\ntwo\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_is_replaced_where_it_is_not_appended_to(tmp_path):
    path = tmp_path / "spill"
    perform(Write(str(path), "a long first text", append=False))
    perform(Write(str(path), "short", append=False))
    assert path.read_text() == "short"


def test_a_file_that_is_long_enough_is_renamed_first_and_one_generation_kept(tmp_path):
    path = tmp_path / "audit.log"
    for text in ("aaaa", "bbbb", "cccc"):
        perform(Write(str(path), text, rotate_at=4))
    assert path.read_text() == "cccc"
    assert (tmp_path / "audit.log.1").read_text() == "bbbb"


def test_a_planted_link_is_not_followed(tmp_path):
    (tmp_path / "precious").write_text("keep")
    (tmp_path / "audit.log").symlink_to("precious")
    problem = perform(Write(str(tmp_path / "audit.log"), "x"))
    assert "could not be written" in problem
    assert (tmp_path / "precious").read_text() == "keep"


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    assert "could not be written" in perform(Write(str(tmp_path / "file" / "audit.log"), "x"))


def test_a_pipe_that_nobody_reads_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "could not be written" in perform(Write(str(tmp_path / "pipe"), "x"))


def test_a_path_that_no_system_has_is_one_sentence():
    assert "NUL" in perform(Write("/tmp/a\0b", "x"))


def test_a_lock_that_another_holds_holds_nobody_up(tmp_path):
    with (tmp_path / "log").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert perform(Write(str(tmp_path / "log"), "x", rotate_at=0)) is None
    assert (tmp_path / "log").read_text() == "x"


def test_of_writers_that_rotate_at_once_none_moves_what_another_has_just_begun(tmp_path, monkeypatch):
    path = tmp_path / "log"
    path.write_text("full")
    flock = fcntl.flock

    def late(descriptor, how):
        if path.read_text() == "full":
            # Another one moves the file away just before it is locked here.
            path.rename(tmp_path / "log.1")
            path.write_text("new")
        flock(descriptor, how)

    monkeypatch.setattr("fcntl.flock", late)
    assert perform(Write(str(path), "!", rotate_at=4)) is None
    assert path.read_text() == "new!"
    assert (tmp_path / "log.1").read_text() == "full"
