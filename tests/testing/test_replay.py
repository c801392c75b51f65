from __future__ import annotations

import pytest

from hookfw import EventError, Stop, open_sync
from hookfw.testing.replay import replay_file


def test_a_recording_is_a_test(hookfw_project, hookfw_replay, tmp_path):
    project = hookfw_project({"home/.codewhale/config.toml": "[[hooks.hooks]]\nevent='turn_end'\ncommand='true'\n"})
    place = {"home": project.home, "workspace": project.workspace}
    file = tmp_path / "session.jsonl"
    with open_sync(**place, record=file) as hooks:
        hooks.fire(Stop())
    assert hookfw_replay(file, **place) == []
    file.write_text(file.read_text().replace('"refused":false', '"refused":true'))
    assert hookfw_replay(file, **place) == ["line 1, stop: refused was true, is false"]
    assert hookfw_replay(file, dry=True, **place) == []


def test_a_file_that_is_not_even_text_is_no_recording(home, workspace, tmp_path):
    (tmp_path / "r").write_bytes(b"\xff\xfe{")
    with pytest.raises(EventError, match="line 1, is no record"):
        replay_file(tmp_path / "r", home=home, workspace=workspace)
