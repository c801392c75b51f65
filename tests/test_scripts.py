from __future__ import annotations

import pytest
from twins import TwinsPlugin

import hookfw.background
import hookfw.handlers
from hookfw import FileView, Hook, Host, Places, SessionStart, Source, open_sync
from hookfw.scripts import scripts_of


def hook(command):
    return Hook(
        name="h",
        dialect="d",
        event="e",
        handler="command",
        summary="",
        source=Source("f", "project", "[0]"),
        timeout=1,
        command=command,
    )


@pytest.fixture
def places(home, workspace):
    for path in (home / "bin" / "a b.sh", workspace / "check.sh", workspace / "tool.py"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(path.name)
    return Places(home=str(home), workspace=str(workspace))


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("./check.sh --all", ["check.sh"]),
        ("sh check.sh", ["check.sh"]),
        ("python3 tool.py check.sh", ["check.sh", "tool.py"]),
        ("cd . && ( ./check.sh; )", ["check.sh"]),
        ("'~/bin/a b.sh'", ["a b.sh"]),
        ('"$HOME/bin/a b.sh"', ["a b.sh"]),
        ('"${HOME}/bin/a b.sh"', ["a b.sh"]),
        ("/bin/sh -c true", []),
        ("../../../bin/sh", []),
        ("no-such-file.sh 'unclosed", []),
        ("check.sh 'unclosed", ["check.sh"]),
        ("", []),
        ("\0", []),
    ],
)
def test_files_of_home_and_workspace_that_a_command_names_are_found(places, command, found):
    assert sorted(path.rpartition("/")[2] for path in scripts_of(hook(command), places, FileView())) == found


def test_a_hook_without_a_command_names_no_script(places):
    assert scripts_of(hook(None), places, FileView()) == {}


@pytest.fixture
def opened(home, workspace):
    host = Host()
    host.register(TwinsPlugin(), "twins")
    host.register(hookfw.handlers, "command")
    host.register(hookfw.background, "background")
    (workspace / ".chaining.json").write_text('[{"event": "session_start", "command": "sh check.sh", "name": "h"}]')
    (workspace / "check.sh").write_text("touch ran")

    def open_one():
        return open_sync(workspace=workspace, home=home, host=host)

    with open_one() as hooks:
        hooks.approve(hooks.reviews()[0])
    return open_one


def test_a_script_that_did_not_change_is_not_spoken_of(opened):
    with opened() as hooks:
        assert hooks.fire(SessionStart()).diagnostics == ()
        assert hooks.snapshot.diagnostics == ()


def test_a_script_that_changed_since_the_approval_is_told_while_loading_and_firing(opened, workspace):
    (workspace / "check.sh").write_text("touch other")
    with opened() as hooks:
        assert [item.code for item in hooks.snapshot.diagnostics] == ["modified-script"]
        assert "check.sh" in hooks.snapshot.diagnostics[0].message
        outcome = hooks.fire(SessionStart())
    assert [item.code for item in outcome.diagnostics] == ["modified-script"]
    assert (workspace / "other").exists()


def test_with_strict_scripts_such_a_hook_does_not_run(opened, home, workspace):
    (home / ".config" / "hookfw" / "config.toml").write_text("strict_scripts = true\n")
    (workspace / "check.sh").write_text("touch other")
    with opened() as hooks:
        state = hooks.snapshot.state(hooks.snapshot.hooks[0])
        assert (state.trust, state.runs) == ("modified", False)
        outcome = hooks.fire(SessionStart())
    assert "check.sh" in outcome.skipped[0].reason
    assert not (workspace / "other").exists()


def spoil(path, how):
    path.unlink()
    if how == "directory":
        path.mkdir()
    else:
        path.write_text({"broken": "[", "array": "[]", "deep": '{"a":' * 100_000}[how])


@pytest.mark.parametrize("how", ["broken", "array", "deep", "directory"])
def test_a_record_that_cannot_be_used_is_told(opened, home, workspace, how):
    record = home / ".config" / "hookfw" / "scripts.json"
    spoil(record, how)
    (workspace / "check.sh").write_text("touch other")
    with opened() as hooks:
        (note,) = hooks.snapshot.diagnostics
        assert (note.code, note.severity, note.file) == ("scripts-unreadable", "error", str(record))
        assert "no change of a script is noticed" in note.message
        assert hooks.snapshot.state(hooks.snapshot.hooks[0]).runs


def test_with_strict_scripts_a_record_that_cannot_be_used_keeps_scripts_from_running(opened, home):
    spoil(home / ".config" / "hookfw" / "scripts.json", "broken")
    (home / ".config" / "hookfw" / "config.toml").write_text("strict_scripts = true\n")
    with opened() as hooks:
        assert not hooks.snapshot.state(hooks.snapshot.hooks[0]).runs
        assert "cannot be told" in hooks.fire(SessionStart()).skipped[0].reason


def test_a_record_that_no_approved_hook_needs_may_be_broken(opened, home, workspace):
    spoil(home / ".config" / "hookfw" / "scripts.json", "broken")
    (workspace / "check.sh").unlink()
    with opened() as hooks:
        assert hooks.snapshot.diagnostics == ()
