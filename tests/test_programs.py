from __future__ import annotations

import pytest

from hookfw.processes.programs import find_program


def program(folder, name="tool", mode=0o755):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(mode)
    return str(folder / name)


def test_the_first_file_that_can_be_run_is_found(tmp_path):
    (tmp_path / "a" / "tool").mkdir(parents=True)
    program(tmp_path / "b", mode=0o644)
    wanted = program(tmp_path / "c")
    program(tmp_path / "d")
    path = ":".join(str(tmp_path / name) for name in ("missing", "a", "b", "c", "d"))
    assert find_program("tool", path) == wanted


def test_one_that_is_gone_is_searched_anew(tmp_path):
    first, second = program(tmp_path / "a"), program(tmp_path / "b")
    path = f"{tmp_path}/a:{tmp_path}/b"
    assert find_program("tool", path) == first
    (tmp_path / "a" / "tool").unlink()
    assert find_program("tool", path) == second


@pytest.mark.parametrize("name", ["", "./tool", "/bin/sh", "a\0b", "no-such-program"])
def test_what_is_for_the_system_to_find_out_is_left_to_it(tmp_path, name):
    program(tmp_path / "a")
    assert find_program(name, f"{tmp_path}/a") is None


@pytest.mark.parametrize("path", [None, "", ".:{0}", ":{0}", "relative:{0}"])
def test_a_search_path_with_relative_folders_is_left_to_the_system(tmp_path, path):
    program(tmp_path / "a")
    assert find_program("tool", path and path.format(tmp_path / "a")) is None


def test_what_was_found_is_bounded(tmp_path):
    from hookfw.processes import programs as _programs

    for number in range(300):
        program(tmp_path / "a", f"tool{number}")
        find_program(f"tool{number}", str(tmp_path / "a"))
    assert len(_programs._found) <= _programs._LIMIT
