from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import sysconfig
import venv
from contextlib import closing
from pathlib import Path

import pytest
from twins import TwinsPlugin

from hookfw import HandlerTypeInfo, Host, hookimpl
from hookfw.errors import UnknownDialectError

PACKAGES = Path(__file__).parent / "packages"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A virtual environment with hookfw and the third-party packages, installed as a person would."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    site = next((folder / "lib").glob("python*/site-packages"))
    (site / "parent.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-build-isolation",
            *(str(path) for path in sorted(PACKAGES.iterdir()) if path.is_dir()),
        ],
        check=True,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    return python


def hookfw(python: Path, *arguments: str, given: object = None):
    return subprocess.run(
        [python, "-m", "hookfw", *arguments],
        input=json.dumps(given) if given is not None else None,
        capture_output=True,
        text=True,
        check=False,
    )


CALL = {"event": "pre_tool_use", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}


def test_an_installed_package_denies_a_tool_call_through_the_command_line(installed, home, workspace):
    ended = hookfw(
        installed, "fire", "--json", "--input", "-", "--workspace", str(workspace), "--dialect", "codewhale", given=CALL
    )
    assert ended.returncode == 0, ended.stderr
    said = json.loads(ended.stdout)
    assert said["decision"] == "deny"
    assert said["refused"] is True
    assert said["reason"] == "the veto package says no"
    assert {"name": "veto", "dialect": "python", "status": "completed"}.items() <= next(
        run for run in said["runs"] if run["name"] == "veto"
    ).items()


def test_a_handler_that_raises_does_not_keep_the_veto_from_running_and_is_reported(installed, home, workspace):
    ended = hookfw(installed, "fire", "--json", "--input", "-", "--workspace", str(workspace), given=CALL)
    said = json.loads(ended.stdout)
    assert said["decision"] == "deny"
    assert next(run for run in said["runs"] if run["name"] == "raising")["status"] == "failed"
    assert any("cannot handle" in item["message"] for item in said["diagnostics"])


def test_a_blocked_plugin_has_no_say(installed, home, workspace):
    ended = hookfw(
        installed,
        *("fire", "--json", "--input", "-", "--workspace", str(workspace), "--no-plugin", "veto"),
        given=CALL,
    )
    assert json.loads(ended.stdout)["decision"] == "none"


def test_plugins_shows_what_is_broken_misspelt_and_raising(installed, home, workspace):
    ended = hookfw(installed, "plugins", "--json")
    assert ended.returncode == 0, ended.stderr
    said = json.loads(ended.stdout)
    plugins = {item["name"]: item for item in said["plugins"]}
    assert plugins["veto"]["package"] == "hookfw-veto"
    assert plugins["veto"]["version"] == "1.2.3"
    assert "no_such_module_anywhere" in plugins["broken"]["problem"]
    text = " ".join(item["message"] for item in said["diagnostics"])
    assert "pre_tool_usage" in text
    assert "'pre_tool_use'" in text
    assert "cannot register" in text


def test_the_good_hook_beside_a_misspelt_one_still_runs(installed, home, workspace):
    ended = hookfw(installed, "fire", "session_start", "--json", "--workspace", str(workspace))
    assert json.loads(ended.stdout)["context"] == ["still here"]


RULES = """
create table rules (pattern text, reason text);
insert into rules values ('%rm -rf%', 'the rules say no');
"""
QUERY = "select reason from rules where json_extract(:event, '$.tool_input.command') like pattern"


@pytest.fixture
def checking(home):
    """Writes a Claude Code configuration whose hook is of the type that the package brings."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    with closing(sqlite3.connect(home / "rules.db")) as database:
        database.executescript(RULES)

    def write(**fields):
        handler = {"type": "sql_check", "database": str(home / "rules.db"), "query": QUERY} | fields
        path.write_text(json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [handler]}]}}))

    return write


def checked(installed, workspace, command, *arguments):
    call = CALL | {"tool_input": {"command": command}}
    ended = hookfw(
        installed,
        *("fire", "--json", "--input", "-", "--workspace", str(workspace), "--no-plugin", "veto", "--trust", "all"),
        *arguments,
        given=call,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_a_handler_type_of_an_installed_package_denies_a_tool_call(installed, checking, workspace):
    checking()
    said = checked(installed, workspace, "rm -rf /")
    assert (said["decision"], said["refused"], said["reason"]) == ("deny", True, "the rules say no")
    run = next(run for run in said["runs"] if run["dialect"] == "claude-code")
    assert (run["handler"], run["status"]) == ("sql_check", "completed")
    assert [item["severity"] for item in said["diagnostics"] if item["code"] == "foreign-handler"] == ["info"]
    assert checked(installed, workspace, "ls")["decision"] == "none"


@pytest.mark.parametrize(("on_failure", "decision"), [("continue", "none"), ("block", "deny")])
def test_a_failure_of_such_a_handler_is_read_like_a_command_s(installed, checking, workspace, on_failure, decision):
    checking(query="select missing", onFailure=on_failure)
    said = checked(installed, workspace, "ls")
    assert said["decision"] == decision
    run = next(run for run in said["runs"] if run["dialect"] == "claude-code")
    assert run["status"] == "failed"
    assert "no such column" in run["error"]


def test_without_its_package_the_type_is_refused_as_the_agent_does(installed, checking, workspace):
    checking()
    said = checked(installed, workspace, "rm -rf /", "--no-plugin", "sql")
    assert (said["decision"], said["loaded"], said["rejected"]) == ("none", 0, 1)
    assert any("sql_check" in item["message"] for item in said["diagnostics"])


def test_a_dialect_is_loaded_when_it_is_used_and_once():
    host = Host()
    host.register(TwinsPlugin(), "twins")
    assert list(host.dialects) == ["chaining", "concurrent", "heard"]
    assert host.dialect("chaining") is host.dialect("chaining")


def test_an_unknown_dialect_says_which_was_probably_meant():
    host = Host()
    host.register(TwinsPlugin(), "twins")
    with pytest.raises(UnknownDialectError, match="did you mean 'chaining'"):
        host.dialect("chainign")
    with pytest.raises(UnknownDialectError, match="installed are: chaining, concurrent, heard"):
        host.dialect("zzz")


def test_the_built_in_parts_are_registered_through_entry_points_alone():
    names = {info.name for info in Host.load().plugins if info.package == "hookfw"}
    assert {"command", "background", "cli", "codewhale"} <= names
    assert not Host().dialects
    assert not Host().handler_types


def test_a_blocked_plugin_is_listed_with_the_reason():
    info = next(info for info in Host.load(blocked=["codewhale"]).plugins if info.name == "codewhale")
    assert info.problem == "blocked by name"


def test_two_plugins_of_one_name_are_both_taken_in():
    class Other:
        @hookimpl
        def session_start(self, event):
            return None

    host = Host()
    host.register(Other(), "same", "a")
    host.register(Other(), "same", "b")
    assert [info.name for info in host.plugins] == ["same", "b:same"]


def test_an_implementation_with_a_foreign_argument_is_a_diagnostic():
    class Wrong:
        @hookimpl
        def pre_tool_use(self, evnt):
            return None

    host = Host()
    host.register(Wrong(), "wrong")
    assert host.plugins[0].problem is not None
    assert "evnt" in host.diagnostics[0].message
    assert host.python_handlers("pre_tool_use") == []


def test_two_plugins_that_implement_nothing_are_two():
    host = Host()
    host.register(object(), "one")
    host.register(object(), "two")
    assert [(info.name, info.problem) for info in host.plugins] == [("one", None), ("two", None)]
    assert host.diagnostics == ()


def test_a_handler_type_whose_package_is_missing_says_how_to_install_it():
    class Plugin:
        @hookimpl
        def register_handler_types(self):
            return [HandlerTypeInfo("sql", object, needs=("no_such_module",), install="hookfw-sql[all]")]

    host = Host()
    host.register(Plugin(), "sql")
    assert host.handler_type("sql") is None
    assert host.unusable_handler("sql").endswith("install it with: pip install 'hookfw-sql[all]'")
    assert host.unusable_handler("other") == "no installed plugin brings handlers of the type 'other'"
