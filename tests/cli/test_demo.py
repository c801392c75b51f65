"""`hookfw demo`: a short session that shows what hooks do."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile

import pytest

from hookfw.cli import demo


@pytest.fixture
def document(place):
    return place.run("demo", "--json").json


@pytest.fixture
def steps(document):
    (session,) = [item for item in document["sessions"] if item["dialect"] == "codewhale"]
    return {step["event"]: step for step in session["steps"]} | {"calls": session["steps"][2:4]}


def test_the_session_shows_what_hooks_can_do(steps):
    assert steps["session_start"]["skipped"][0]["name"] == "from-the-repository"
    assert "Run the tests" in steps["user_prompt_submit"]["prompt"]
    denied, allowed = steps["calls"]
    assert denied["refused"]
    assert denied["reason"]
    assert not allowed["refused"]
    assert allowed["context"]
    assert steps["shell_env"]["env"]
    assert steps["post_tool_use"]["runs"][0]["status"] == "timed_out"
    assert [run["status"] for run in steps["turn_end"]["runs"]] == ["completed", "submitted"]


def test_nothing_of_it_is_refused_at_load(document):
    assert all(step["rejected"] == 0 for session in document["sessions"] for step in session["steps"])


def test_it_leaves_nothing_behind_and_touches_no_home(place, monkeypatch):
    scratch = place.root / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    assert place.run("demo").status == 0
    assert list(scratch.iterdir()) == []
    assert list(place.home.iterdir()) == []


def test_people_see_each_step_with_its_runs_and_its_reason(place):
    out = place.run("demo").out
    for part in (
        "1. A session starts",
        "- no-recursive-delete  completed in ",
        "=> deny by codewhale:no-recursive-delete, refused",
        "reason         Recursive deletion",
        "- slow-linter  timed out in ",
        "- notify  submitted",
    ):
        assert part in out
    assert "\x1b" not in out


def test_without_a_dialect_there_is_nothing_to_show(place):
    result = place.run("demo", *place.no_dialects)
    assert result.status == 1
    assert "No installed dialect brings a demonstration" in result.err


def test_the_scratch_folder_is_removed_whatever_comes_meanwhile(place, monkeypatch):
    scratch = place.root / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    remove = shutil.rmtree

    def interrupted(path, **options):
        os.kill(os.getpid(), signal.SIGTERM)
        remove(path, **options)

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    with demo._scratch_folder() as root:
        (root / "file").touch()
    assert list(scratch.iterdir()) == []
