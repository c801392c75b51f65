"""Closed, full and vanished: standard streams, the current directory, the home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

HOOKFW = [sys.executable, "-m", "hookfw"]

COMMANDS = [["list"], ["fire", "session_start", "--json"], ["check"], ["events"], ["--help"], ["--version"], ["-V"]]


def without(streams, *arguments, cwd=None, **options):
    """Run the command line with these descriptors closed."""
    closing = " ".join(f"{number}>&-" for number in streams)
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {closing}', "sh", *HOOKFW, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        **options,
    )


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_closed_standard_output_is_one_sentence(place, arguments):
    done = without([1], *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith("hookfw: Standard output is closed")
    assert done.stderr.count("\n") == 1


def test_with_closed_standard_output_no_hook_runs(place):
    place.hooks(f'event = "session_start"\ncommand = "touch {place.root}/ran"')
    without([1], "fire", "session_start", "--home", place.home, "--workspace", place.workspace)
    assert not (place.root / "ran").exists()


def test_with_closed_standard_error_the_status_still_tells(place):
    assert without([2], "fire", "no_such_event").returncode == 1
    assert without([2], "--version").stdout.startswith("hookfw ")
    place.hooks('event = "session_start"\ncommand = "kill -TERM $PPID; sleep 60"')
    assert without([2], "fire", "session_start", "--home", place.home).returncode == 143


def test_with_all_streams_closed_it_ends_without_a_word(place):
    assert without([0, 1, 2], "list").returncode == 1


@pytest.mark.parametrize("arguments", [["fire", "stop", "--input", "-"], ["approve"]], ids=" ".join)
def test_closed_standard_input_is_one_sentence(place, arguments):
    place.write("workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "session_start"\ncommand = "true"\n')
    done = without([0], *arguments, cwd=place.workspace)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "defect" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_disk_is_one_sentence(place, arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*HOOKFW, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("hookfw: No space left on device")
    assert done.stderr.count("\n") == 1


@contextmanager
def vanished(tmp_path):
    """The current directory is one that does not exist any more."""
    folder = tmp_path / "vanished"
    folder.mkdir()
    before = os.getcwd()
    os.chdir(folder)
    folder.rmdir()
    try:
        yield
    finally:
        os.chdir(before)


@pytest.mark.parametrize("command", ["fire stop", "list", "check x", "revoke x", "review"])
def test_a_current_directory_that_is_gone_is_said(place, command):
    with vanished(place.root):
        result = place.run(*command.split())
        elsewhere = place.there(*command.split())
    assert result.status == 1
    assert "current directory" in result.err
    assert "does not exist any more" in result.err
    assert "defect" not in elsewhere.err


def test_without_a_current_directory_other_commands_go_on(place):
    with vanished(place.root):
        assert place.run("events").status == 0
        assert place.there("list").status == 0


@pytest.mark.parametrize("option", ["--home", "--workspace", "--input"])
def test_an_empty_value_is_not_taken_for_the_default(place, option):
    result = place.run("fire", "stop", option, "")
    assert result.status == 1
    assert "empty text" in result.err


def test_a_home_that_is_not_known_is_told_with_the_remedy(place):
    place.monkeypatch.setenv("HOME", str(place.root / "nowhere"))
    result = place.run("list")
    assert result.status == 1
    assert "does not exist; set HOME" in result.err


def test_what_plugins_print_does_not_reach_a_document(place):
    place.write(
        "packages/chatty.py",
        "from hookfw import hookimpl\nprint('on import')\n"
        "@hookimpl\ndef register_commands():\n    print('on registration')\n    return []\n"
        "@hookimpl\ndef session_start(event):\n    print('on the event')\n",
    )
    place.write("packages/chatty-1.dist-info/entry_points.txt", "[hookfw]\nchatty = chatty\n")
    done = subprocess.run(
        [*HOOKFW, "fire", "session_start", "--json", "--home", place.home],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(place.root / "packages")},
    )
    assert [run["name"] for run in json.loads(done.stdout)["runs"]] == ["chatty"]
    assert done.stderr.splitlines() == ["on import", "on registration", "on the event"]
