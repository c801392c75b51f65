"""The case runners, the scratch project, the pytest plugin and `python -m hookfw.testing`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hookfw import EventError, UnknownEventError
from hookfw.testing import Project, load_cases, run_case, run_case_by_command
from hookfw.testing.__main__ import main

pytest_plugins = ["pytester"]

CASE = {
    "id": "deny",
    "dialect": "codewhale",
    "about": "A gate denies.",
    "files": {
        "home/.codewhale/config.toml": '[[hooks.hooks]]\nname = "gate"\nevent = "tool_call_before"\n'
        'command = "{HOME}/gate.sh"\n',
        "home/gate.sh": '#!/bin/sh\ntouch $OUTER\necho \'{"decision": "deny", "reason": "no"}\'\n',
    },
    "environ": {"OUTER": "{WORKSPACE}/seen"},
    "event": {"event": "pre_tool_use", "tool_name": "Bash"},
    "expect": {"decision": "deny", "reason": "no", "runs": [{"name": "gate", "status": "completed"}], "loaded": 1},
    "files_after": {"workspace/seen": ""},
}
WRONG = CASE | {"id": "wrong", "expect": {"decision": "ask"}, "files_after": {"workspace/seen": None}}
LISTS = {"id": "lists", "dialect": "codewhale", "files": CASE["files"], "expect": {"loaded": 1, "rejected": 0}}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "cases"
    folder.mkdir()
    for case in (CASE, WRONG, LISTS):
        (folder / f"{case['id']}.json").write_text(json.dumps(case))
    return folder


@pytest.fixture(params=[run_case, run_case_by_command])
def runner(request, tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    return lambda case: request.param(case, root)


def test_a_case_that_holds_has_no_mismatch(folder, runner):
    assert runner(load_cases([folder / "deny.json"])[0]) == []


def test_a_case_without_an_event_only_lists(folder, runner):
    assert runner(load_cases([folder / "lists.json"])[0]) == []


def test_a_case_that_does_not_hold_says_all_that_differs(folder, runner):
    wrong = runner(load_cases([folder / "wrong.json"])[0])
    assert len(wrong) == 2
    assert wrong[0].startswith("decision: ")
    assert wrong[1] == "workspace/seen: should not exist"


@pytest.mark.parametrize("change", [{"dialect": "nonesuch"}, {"event": {"event": "nonesuch"}}])
def test_what_cannot_be_fired_is_a_mismatch(tmp_path, runner, change):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(CASE | change))
    (wrong,) = runner(load_cases([path])[0])
    assert "nonesuch" in wrong


def test_a_command_that_prints_no_document_is_a_mismatch(folder, tmp_path):
    (tmp_path / "root").mkdir()
    case = load_cases([folder / "deny.json"])[0]
    (wrong,) = run_case_by_command(case, tmp_path / "root", ["echo", "[]"])
    assert "not one JSON object" in wrong


@pytest.mark.parametrize("how", [[], ["--in-process"], ["--hookfw", f"{sys.executable} -m hookfw"]])
def test_the_shell_runner_names_failures_and_counts_in_the_last_line(folder, capsys, how):
    assert main([str(folder), *how]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "2 passed, 1 failed"
    assert "FAIL codewhale/wrong" in out
    assert "codewhale/deny" not in out


def test_the_shell_runner_can_choose_and_name_what_passes(folder, capsys):
    assert main([str(folder), "--in-process", "--only", "codewhale/deny", "--verbose"]) == 0
    assert capsys.readouterr().out == "pass codewhale/deny\n1 passed, 0 failed\n"


def test_no_case_at_all_is_a_failure(folder, capsys):
    assert main([str(folder), "--only", "nonesuch"]) == 1
    assert capsys.readouterr().out == "0 passed, 0 failed\n"


def test_a_case_file_that_is_none_is_one_sentence(tmp_path, capsys):
    (tmp_path / "bad.json").write_text("[]")
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith(f"hookfw.testing: {tmp_path / 'bad.json'} is no case")


def test_a_project_fires_and_lists(tmp_path):
    project = Project(tmp_path, CASE["files"])
    outcome = project.fire("pre_tool_use", tool_name="Bash")
    assert (outcome.decision, outcome.reason) == ("deny", "no")
    assert [hook.name for hook in project.hooks().hooks] == ["gate"]


def test_a_project_fires_with_the_trust_that_is_asked_for(tmp_path):
    project = Project(
        tmp_path, {"workspace/.codewhale/hooks.toml": '[[hooks]]\nevent = "session_start"\ncommand = "true"\n'}
    )
    assert len(project.fire("session_start").runs) == 1
    assert len(project.fire("session_start", trust="stored").skipped) == 1


def test_a_project_refuses_what_is_no_event(tmp_path):
    project = Project(tmp_path, {})
    with pytest.raises(UnknownEventError):
        project.fire("nonesuch")
    with pytest.raises(EventError):
        project.fire("stop", session_id=5)
    with pytest.raises(TypeError, match="Stop has no field zzz"):
        project.fire("stop", zzz=1)


def test_the_fixture_and_the_option_come_with_hookfw(pytester, folder):
    pytester.makepyfile(
        test_mine="""
        def test_it(hookfw_project):
            project = hookfw_project({"home/.codewhale/config.toml": '[[hooks.hooks]]\\nevent = "turn_end"\\ncommand = "true"'})
            assert [run.status for run in project.fire("turn_end").runs] == ["completed"]
        """
    )
    result = pytester.runpytest_subprocess("--hookfw-cases", str(folder), "test_mine.py", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*codewhale/deny*PASSED*", "*codewhale/wrong*FAILED*", "*decision: want*"])


def test_json_files_elsewhere_are_left_alone(pytester, folder):
    pytester.makefile(".json", data="[]")
    result = pytester.runpytest_subprocess(".", "--hookfw-cases", str(folder / "deny.json"))
    result.assert_outcomes(passed=1)


def test_starting_pytest_imports_neither_pydantic_nor_the_supervisor():
    script = "import sys, hookfw.testing.pytest_plugin; print([name for name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    for name in ("'pydantic'", "'click'", "'hookfw.supervisor'", "'hookfw.host'", "'hookfw_codewhale'"):
        assert name not in loaded
