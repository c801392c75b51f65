from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Ended, ShellEnv
from hookfw.process import not_started
from hookfw_codewhale.shell_env import parse

EVENT = ShellEnv(tool_name="exec_shell", tool_input={"command": "aws s3 ls"})
KIB = 1_024


def names(output):
    return [name for name, _ in parse(output)[1]]


@pytest.mark.parametrize(
    ("line", "env"),
    [
        ("A=1", {"A": "1"}),
        ("  A = 1  ", {"A": "1"}),
        ("A=1\r", {"A": "1"}),
        ("A=", {"A": ""}),
        ("A=x=y=z", {"A": "x=y=z"}),
        ("A=$HOME/`id`", {"A": "$HOME/`id`"}),
        ("# A=1", {}),
        ("   #A=1", {}),
        ("no sign", {}),
        ("", {}),
        ("export A=1", {"A": "1"}),
        ("  export  A=1", {"A": "1"}),
        ("exported=1", {"exported": "1"}),
        ("export BARE", {}),
        ('A="a b"', {"A": "a b"}),
        ("A=' a '", {"A": " a "}),
        ("A=\"'a'\"", {"A": "'a'"}),
        ("A=\"a'", {"A": "\"a'"}),
        ('A="', {"A": '"'}),
        ('A=""', {"A": ""}),
        ("A=1\nB=2\nA=3", {"A": "3", "B": "2"}),
        ("A=a\x0bb", {"A": "a\x0bb"}),
    ],
)
def test_a_line_is_read_as_a_shell_would_assign_it_without_expansion(line, env):
    assert parse(line) == (env, [])


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("=1", ""),
        ("export =1", ""),
        ("MY KEY=1", "MY KEY"),
        ("export\tA=1", "export\tA"),
        ("export export A=1", "export A"),
        ("B\x01D=1", "B\x01D"),
        ("\x1cA=1", "\x1cA"),
        ("N\u2003M=1", "N\u2003M"),
        ("N\x85M=1", "N\x85M"),
        ("N\0=1", "N\0"),
        ("A=a\0b", "A"),
        ("A=" + "x" * (32 * KIB + 1), "A"),
        ("A=" + "鲸" * 10_923, "A"),
    ],
)
def test_an_entry_that_a_shell_could_not_carry_is_dropped_by_itself(line, name):
    env, dropped = parse(f"FIRST=1\n{line}\nLAST=3")
    assert env == {"FIRST": "1", "LAST": "3"}
    assert [each for each, _ in dropped] == [name]


def test_a_value_of_exactly_32_kib_is_kept():
    assert names("A=" + "x" * 32 * KIB) == []


def test_past_256_kib_of_names_and_values_that_entry_and_all_later_ones_are_dropped():
    fill = [f"K{number}=" + "v" * (32 * KIB - 2) for number in range(8)]
    assert names("\n".join(fill)) == []
    assert names("\n".join([*fill, "A=1", "B="])) == ["A", "B"]


def test_a_dropped_entry_does_not_count_towards_the_total():
    fill = [f"K{number}=" + "v" * (32 * KIB - 2) for number in range(8)]
    assert names("\n".join(["BIG=" + "x" * 40 * KIB, *fill])) == ["BIG"]


@given(st.text())
def test_any_output_is_read_and_what_is_kept_can_be_carried(output):
    env, _ = parse(output)
    for name, value in env.items():
        assert name
        assert not set(name) & set(" \t\n=\0")
        assert "\0" not in value
        assert "\n" not in value


def test_later_hooks_override_earlier_ones_and_each_is_audited_by_names_only(bench):
    verdict, readings = bench.fire(
        EVENT,
        (bench.hook("shell_env", name="one"), bench.exited("A=secret1\nB=secret2")),
        (bench.hook("shell_env", name=None), bench.exited("A=secret3")),
        (bench.hook("shell_env", name="none"), bench.exited("# nothing")),
    )
    assert verdict.env == {"A": "secret3", "B": "secret2"}
    assert (verdict.decision, verdict.refused) == ("none", False)
    assert [reading.status for reading in readings] == ["completed"] * 3
    assert [write.path for write in verdict.writes] == ["/home/ada/.codewhale/audit.log"] * 2
    assert verdict.writes[0].text == (
        '{"ts":"2026-11-29T12:00:00+00:00","event":"shell_env_hook",'
        '"details":{"hook":"one","tool":"exec_shell","keys":["A","B"]}}\n'
    )
    assert json.loads(verdict.writes[1].text)["details"] == {"hook": "(unnamed)", "tool": "exec_shell", "keys": ["A"]}
    assert all(write.append and write.rotate_at == 16 * KIB * KIB for write in verdict.writes)


@pytest.mark.parametrize(
    ("home", "path"), [("/data/cw", "/data/cw"), ("~/cw", "/home/ada/cw"), ("", "/home/ada/.codewhale")]
)
def test_the_audit_log_follows_codewhale_home(bench, home, path):
    from hookfw_codewhale.shell_env import reduce

    hook, ended = bench.hook("shell_env"), bench.exited("A=1")
    from hookfw import Done, Run

    row = bench.row(EVENT)
    effect = bench.read(hook, EVENT, ended).effect
    run = Run(
        id="1", name="x", dialect="codewhale", event="shell_env", handler="command", source="", status="completed"
    )
    done = Done(hook=hook, row=row, run=run, effect=effect, position=0, finished=0)
    assert reduce([done], bench.session(environ={"CODEWHALE_HOME": home})).writes[0].path == f"{path}/audit.log"


@pytest.mark.parametrize(
    ("ended", "status"),
    [
        (Ended(state="exited", exit_code=1, stdout="A=1"), "failed"),
        (Ended(state="exited", exit_code=2, stdout="A=1"), "failed"),
        (Ended(state="exited", signal=15, stdout="A=1"), "failed"),
        (Ended(state="timed_out", stdout="A=1"), "timed_out"),
        (not_started("ENOENT"), "failed"),
    ],
)
def test_a_failure_contributes_nothing_and_stops_nobody_even_when_strict(bench, ended, status):
    verdict, readings = bench.fire(
        EVENT, (bench.strict("shell_env"), ended), (bench.hook("shell_env"), bench.exited("GOOD=1"))
    )
    assert verdict.env == {"GOOD": "1"}
    assert [reading.status for reading in readings] == [status, "completed"]
    assert len(verdict.writes) == 1
    assert readings[0].diagnostics


def test_a_dropped_entry_is_told_by_its_name_and_never_by_its_value(bench):
    reading = bench.read(bench.hook("shell_env"), EVENT, bench.exited("MY KEY=canary\nA=ok"))
    assert reading.effect.env == {"A": "ok"}
    assert [note.code for note in reading.diagnostics] == ["dropped-variable"]
    assert "`MY KEY`" in reading.diagnostics[0].message
    assert "canary" not in reading.diagnostics[0].message


def test_the_half_line_at_the_end_of_output_that_was_cut_is_no_variable(bench):
    reading = bench.read(bench.hook("shell_env"), EVENT, bench.exited("A=1\nTOKEN=half", stdout_cut=True))
    assert reading.effect.env == {"A": "1"}
    assert [note.code for note in reading.diagnostics] == ["output-cut"]


def test_background_is_not_honoured(bench):
    hook = bench.hook("shell_env", background=True)
    assert bench.read(hook, EVENT, bench.exited("A=1")).effect.env == {"A": "1"}
