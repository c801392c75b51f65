from __future__ import annotations

import pytest

from hookfw import Ended
from hookfw.process import not_started
from hookfw_codewhale.failures import error_of, failure


@pytest.mark.parametrize(
    ("ended", "error"),
    [
        (Ended(state="exited", exit_code=0), None),
        (Ended(state="exited", exit_code=1), "hook exited with code 1"),
        (Ended(state="exited", signal=9), "hook was ended by signal 9 (SIGKILL)"),
        (Ended(state="exited", signal=99), "hook was ended by signal 99"),
        (Ended(state="exited"), "hook was ended by an unknown cause"),
        (Ended(state="timed_out"), "Hook timed out after 5s"),
        (Ended(state="timed_out", confirmed=False), "hook could not be reaped after its timeout"),
        (Ended(state="cancelled"), "hook was cancelled"),
        (not_started("ENOENT"), "hook process could not be started (NotFound)"),
        (not_started("EPERM"), "hook process could not be started (PermissionDenied)"),
    ],
)
def test_the_error_of_a_run_is_in_words_of_the_facts(bench, ended, error):
    assert error_of(bench.hook(timeout_secs=5), ended) == error


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("gate.sh --all", "`gate.sh`, or a command that it runs,"),
        ("/home/ada/bin/gate.sh", "`gate.sh`, or a command that it runs,"),
        ("TOKEN=canary gate.sh", "its command, or one that it runs,"),
        ("/opt/sk-canary", "its command, or one that it runs,"),
        ("password", "its command, or one that it runs,"),
        ("'odd name' x", "its command, or one that it runs,"),
        ("c" * 65, "its command, or one that it runs,"),
        ("$(canary)", "its command, or one that it runs,"),
    ],
)
def test_a_command_that_is_not_found_is_named_where_its_name_gives_nothing_away(bench, command, named):
    hook = bench.hook(command=command)
    found = failure(hook, Ended(state="exited", exit_code=127), "it has no say")
    assert found.code == "command-not-found"
    assert f"exited with code 127: {named} was not found" in found.message
    assert "canary" not in found.message
    assert "/home" not in found.message


def test_a_command_that_is_not_executable_is_told_apart(bench):
    found = failure(bench.hook(), Ended(state="exited", exit_code=126), "it has no say")
    assert found.code == "command-not-executable"
    assert "`gate.sh`, or a command that it runs, is not executable" in found.message


@pytest.mark.parametrize(
    ("ended", "code", "words"),
    [
        (Ended(state="timed_out"), "hook-timed-out", ["timeout of 30 s", "`timeout_secs`"]),
        (Ended(state="timed_out", confirmed=False), "hook-timed-out", ["could not be confirmed"]),
        (Ended(state="exited", signal=11), "failed-hook", ["signal 11 (SIGSEGV)"]),
        (not_started("DENIED"), "authority-denied", ["revoked", "approve"]),
        (not_started("NO_HANDLER"), "failed-hook", ["handler type"]),
        (not_started("ENOTDIR"), "failed-hook", ["(NotADirectory)", "`working_dir`"]),
        (Ended(state="cancelled"), "hook-cancelled", ["cancelled"]),
    ],
)
def test_a_failure_names_the_hook_its_place_what_happened_and_the_remedy(bench, ended, code, words):
    found = failure(bench.hook(position=3), ended, "it has no say")
    assert (found.code, found.severity) == (code, "warning")
    assert (found.file, found.entry, found.hook) == ("/home/ada/.codewhale/config.toml", "hooks.hooks[3]", "gate")
    assert found.message.startswith("The tool_call_before hook `gate` (hooks.hooks[3]) ")
    for word in [*words, "it has no say", f"{ended.duration:.2f} s"]:
        assert word in found.message
    assert "gate.sh" not in found.message


def test_the_remedy_of_a_timeout_names_the_setting_that_gives_it(bench):

    hook = bench.hook()._replace(timeout_note="[hooks].default_timeout_secs")
    assert "`[hooks].default_timeout_secs`" in failure(hook, Ended(state="timed_out"), "x").message
