"""What goes wrong is one sentence on standard error and a status, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from driving import until

from hookfw.cli import _errors
from hookfw.errors import EventError

HOOKFW = [sys.executable, "-m", "hookfw"]


def said(capsys):
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_an_error_of_hookfw_is_its_sentence_and_status_1(capsys):
    def act():
        raise EventError("x.json is empty.")

    assert _errors.guarded(act) == 1
    assert said(capsys) == "hookfw: x.json is empty.\n"


def test_control_characters_of_an_error_do_not_reach_the_terminal(capsys):
    def act():
        raise EventError("a\x1b[2Jb\nc\x9bd")

    assert _errors.guarded(act) == 1
    assert said(capsys) == "hookfw: a [2Jb c d\n"


def test_a_usage_error_is_status_1_and_names_the_help(place):
    result = place.run("fire", "--jsn")
    assert result.status == 1
    assert "--jsn" in result.err
    assert "`hookfw fire --help`" in result.err
    assert "Traceback" not in result.err


def test_an_unknown_command_says_which_was_probably_meant(place):
    result = place.run("fier")
    assert result.status == 1
    assert "did you mean 'fire'?" in result.err


def test_a_command_like_no_other_gets_the_list(place):
    assert "fire" in place.run("qqqqqq").err


def test_an_unknown_choice_is_named_with_the_choices(place):
    result = place.run("fire", "stop", "--trust", "maybe")
    assert result.status == 1
    assert "stored" in result.err
    assert result.err.count("\n") == 1


def test_ctrl_c_is_130(capsys):
    def act():
        raise KeyboardInterrupt

    assert _errors.guarded(act) == 130
    assert said(capsys) == "hookfw: interrupted.\n"


def test_an_aborted_question_is_130(capsys):
    def act():
        raise click.Abort

    assert _errors.guarded(act) == 130


def test_a_defect_is_one_sentence_that_says_how_to_see_more(capsys, monkeypatch):
    monkeypatch.delenv("HOOKFW_DEBUG", raising=False)

    def act():
        raise ZeroDivisionError("by nought")

    assert _errors.guarded(act) == 1
    err = said(capsys)
    assert "ZeroDivisionError: by nought" in err
    assert "HOOKFW_DEBUG=1" in err


def test_the_traceback_of_a_defect_is_there_for_those_who_ask(capsys, monkeypatch):
    monkeypatch.setenv("HOOKFW_DEBUG", "1")

    def act():
        raise ZeroDivisionError

    assert _errors.guarded(act) == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_number_that_is_returned_is_the_status_and_anything_else_is_0():
    assert _errors.guarded(lambda: 3) == 3
    assert _errors.guarded(lambda: "text") == 0


def test_what_the_system_answers_is_no_defect(capsys):
    def act():
        Path("/no/such/file").read_text()

    assert _errors.guarded(act) == 1
    assert said(capsys) == "hookfw: /no/such/file: No such file or directory; nothing more was done.\n"


def test_whatever_is_raised_is_one_sentence(capsys):
    class OddError(BaseException):
        pass

    def act():
        raise OddError("odd")

    assert _errors.guarded(act) == 1
    assert "OddError: odd" in said(capsys)


def test_a_command_may_choose_its_status():
    with pytest.raises(SystemExit) as raised:
        _errors.guarded(lambda: sys.exit(7))
    assert raised.value.code == 7


@pytest.mark.parametrize("module", ["click", "hookfw.cli._app", "hookfw._version"])
def test_ctrl_c_while_modules_load_is_no_traceback(module):
    script = (
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from hookfw.cli import main\n"
        "sys.exit(main(['--version' if 'version' in sys.argv[1] else 'events']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, module], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "hookfw: interrupted.\n")


def test_undisturbed_no_signal_is_heard():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with _errors.undisturbed():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            os.kill(os.getpid(), number)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_signal_handlers_are_as_before_afterwards():
    before = signal.getsignal(signal.SIGTERM)
    _errors.guarded(lambda: None)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_reader_that_has_gone_away_ends_it_quietly(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    child = subprocess.run([*HOOKFW, "events"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert child.returncode == 1
    assert child.stderr == b""


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("background", ["false", "true"])
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)]
)
def test_a_signal_during_a_firing_kills_the_hooks(place, number, status, background):
    note = place.root / "pid"
    place.hooks(
        f'event = "session_start"\ncommand = "echo $$ > {note}.new; mv {note}.new {note}; sleep 300 & wait"\n'
        f"timeout_secs = 300\nbackground = {background}"
    )
    child = subprocess.Popen(
        [*HOOKFW, "fire", "session_start", "--home", place.home, "--workspace", place.workspace],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until(note.exists)
        pid = int(note.read_text())
        assert alive(pid)
        child.send_signal(number)
        _, err = child.communicate(timeout=30)
    finally:
        child.kill()
    assert child.returncode == status
    assert err.strip().startswith("hookfw: ")
    assert len(err.strip().splitlines()) == 1
    until(lambda: not alive(pid))


def test_a_signal_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        _errors.guarded(lambda: os.kill(os.getpid(), signal.SIGHUP))
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
