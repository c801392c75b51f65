from __future__ import annotations

from hookfw import Stop, open_sync


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
