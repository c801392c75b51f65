"""`hookfw review`, `approve` and `revoke`: what a person sees is what may run, and only that."""

from __future__ import annotations

import hashlib
import os
import pty
import subprocess
import sys

import psutil
import pytest
from driving import until

PROJECT = '[[hooks]]\nevent = "session_start"\nname = "setup"\ncommand = "echo > ran"\n'


@pytest.fixture
def project(place):
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    return place


@pytest.fixture
def digest():
    return hashlib.sha256(PROJECT.encode()).hexdigest()


def ran(place):
    place.there("fire", "session_start")
    return (place.workspace / "ran").exists()


def test_review_shows_file_digest_commands_content_and_state(project, digest):
    (review,) = project.there("review", "--json").json["reviews"]
    assert review["path"] == str(project.workspace / ".codewhale" / "hooks.toml")
    assert (review["digest"], review["trust"], review["dialect"]) == (digest, "untrusted", "codewhale")
    assert review["hooks"] == [{"name": "setup", "event": "session_start", "summary": "echo > ran"}]
    assert review["text"] == PROJECT
    out = project.there("review").out
    for part in (review["path"], digest, "echo > ran", "untrusted", "hookfw approve DIGEST"):
        assert part in out


def test_review_shows_marks_that_hide_or_reorder_a_command(place):
    text = PROJECT.replace("echo > ran", "echo \\u202e\u200bhidden")
    place.write("workspace/.codewhale/hooks.toml", text)
    out = place.there("review").out
    assert "\u202e" not in out
    assert "\\u202e\\u200bhidden" in out


def test_review_of_nothing_says_so(place):
    assert place.there("review").out == "Nothing here needs consent.\n"
    assert place.there("approve").out == "Nothing here waits for consent.\n"
    assert place.there("revoke").out == "There was no consent to take back.\n"


def test_the_digest_approves_exactly_this_content(project, digest):
    assert not ran(project)
    result = project.there("approve", digest)
    assert (result.status, result.err) == (0, "")
    assert "Approved" in result.out
    assert "echo > ran" in result.out
    assert ran(project)
    assert project.there("review", "--json").json["reviews"][0]["trust"] == "trusted"


def test_a_digest_that_is_not_current_is_refused(project, digest):
    project.write("workspace/.codewhale/hooks.toml", PROJECT + "# changed\n")
    result = project.there("approve", digest)
    assert (result.status, result.out) == (1, "")
    assert "changed since it was shown" in result.err
    assert not ran(project)


def test_part_of_a_digest_is_not_enough(project, digest):
    result = project.there("approve", digest[:20])
    assert (result.status, result.out) == (1, "")
    assert f"{digest[:20]} is a part of the digest {digest}: consent needs the whole of it" in result.err
    assert not ran(project)


def test_changed_content_needs_consent_again(project, digest):
    project.there("approve", digest)
    project.write("workspace/.codewhale/hooks.toml", PROJECT + "# changed\n")
    assert project.there("review", "--json").json["reviews"][0]["trust"] in ("modified", "untrusted")
    assert not ran(project)


def test_without_a_terminal_nothing_is_approved(project):
    result = project.run("approve", "--home", project.home, "--workspace", project.workspace, stdin=b"y\n")
    assert result.status == 1
    assert "needs a terminal" in result.err
    assert not ran(project)


@pytest.mark.parametrize(("what", "status"), [("digest", 0), ("path", 0), ("nothing", 0), ("other", 1)])
def test_consent_is_taken_back_by_digest_by_path_or_all_of_it(project, digest, what, status):
    project.there("approve", digest)
    path = project.workspace / ".codewhale" / "hooks.toml"
    given = {"digest": [digest], "path": [path], "nothing": [], "other": ["other"]}[what]
    result = project.there("revoke", *given)
    assert result.status == status
    assert ran(project) == (status == 1)
    assert ("Revoked" in result.out) == (status == 0)


def test_approving_and_revoking_print_documents_too(project, digest):
    assert project.there("approve", digest, "--json").json["approved"][0]["digest"] == digest
    assert project.there("revoke", "--json").json["revoked"][0]["digest"] == digest
    assert project.there("revoke", "--json").json == {"revoked": []}


@pytest.mark.parametrize(("answer", "approved"), [(b"y\n", True), (b"n\n", False), (b"\n", False), (b"\x03", False)])
def test_on_a_terminal_each_is_shown_and_asked_about(project, digest, answer, approved):
    controller, terminal = pty.openpty()
    # Opened by the leader of a session, it becomes the controlling terminal: Ctrl-C reaches the command, even where the
    # tests themselves run in the background, with SIGINT ignored.
    lead = (
        "import os, signal, sys; os.close(os.open(os.ttyname(0), os.O_RDWR)); "
        "signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    )
    approve = [sys.executable, "-m", "hookfw", "approve", "--home", project.home, "--workspace", project.workspace]
    child = subprocess.Popen(
        [sys.executable, "-c", lead, *approve],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        env=os.environ | {"TERM": "dumb"},
    )
    os.close(terminal)
    shown = b""
    while b"Approve exactly this?" not in shown:
        shown += os.read(controller, 65536)
    assert digest.encode() in shown
    assert b"echo > ran" in shown
    # Python asks on the terminal first and hears signals again when it reads: a person is never as quick as this test.
    until(lambda: psutil.Process(child.pid).status() == psutil.STATUS_SLEEPING)
    os.write(controller, answer)
    assert child.wait(timeout=30) == (130 if answer == b"\x03" else 0)
    os.close(controller)
    assert ran(project) == approved
