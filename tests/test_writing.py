from __future__ import annotations

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
