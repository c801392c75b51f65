from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Error, PostToolUse
from hookfw_codewhale import receipts

MARKER = "[receipt preview truncated]"
RUN = {
    "command": "printf hello",
    "cwd": "/srv/project",
    "completion": "completed",
    "exit_code": 0,
    "stdout": "hello",
    "stderr": "warn",
    "stdout_truncated": False,
    "stderr_truncated": False,
    "output_kind": "separate",
    "scope": "local",
    "background": False,
    "pty": False,
}


def result(tool_name="exec_shell", **changes):
    execution = {key: value for key, value in (RUN | changes).items() if value is not ...}
    return PostToolUse(tool_name=tool_name, tool_use_id="call_7", execution=execution)


def both(bench, event, **session):
    session = bench.session(**session)
    variable, document = receipts.variable(event, session), receipts.document(event, session)
    assert (variable is None) == (document is None)
    return variable and json.loads(variable), document and json.loads(document)


def test_both_forms_have_their_own_keys_in_order(bench):
    session = bench.session()
    assert receipts.variable(result(), session) == (
        '{"schema_version":1,"command":"printf hello","cwd":"/srv/project","state":"completed","scope":"local",'
        '"exit_code":0,"stdout":"hello","stderr":"warn","stdout_truncated":false,"stderr_truncated":false,'
        '"output_kind":"separate"}'
    )
    assert receipts.document(result(), session) == (
        '{"schema_version":1,"event":"tool_call_after","tool_name":"exec_shell","session_id":"sess_0a1b2c3d",'
        '"tool_call_id":"call_7","session_id_truncated":false,"tool_call_id_truncated":false,'
        '"tool_name_truncated":false,"execution_receipt":{"schema_version":1,"command":"printf hello",'
        '"cwd":"/srv/project","command_truncated":false,"cwd_truncated":false,"execution":"started",'
        '"completion":"completed","exit_code":0,"stdout":"hello","stderr":"warn","stdout_truncated":false,'
        '"stderr_truncated":false,"output_mode":"separate"}}'
    )


@pytest.mark.parametrize(
    ("told", "exit_code", "state", "completion", "shown"),
    [
        ("completed", 0, "completed", "completed", 0),
        ("completed", 3, "completed", "failed", 3),
        ("failed", 1, "completed", "failed", 1),
        ("failed", None, "completed", "failed", None),
        ("failed", 3_221_225_477, "completed", "failed", 3_221_225_477),
        ("killed", None, "interrupted", "killed", None),
        ("cancelled", None, "interrupted", "killed", None),
        ("timed_out", None, "interrupted", "timed_out", None),
        ("completed", True, "completed", "completed", None),
        ("completed", 2**63, "completed", "completed", None),
    ],
)
def test_the_end_of_the_run_as_both_forms_tell_it(bench, told, exit_code, state, completion, shown):
    variable, document = both(bench, result(completion=told, exit_code=exit_code))
    assert (variable["state"], variable["exit_code"]) == (state, shown)
    assert (document["execution_receipt"]["completion"], document["execution_receipt"]["exit_code"]) == (
        completion,
        shown,
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"command": "x" * 8_193},
        {"command": "鲸" * 2_731},
        {"command": "a\0b"},
        {"command": "\ud800"},
        {"command": ...},
        {"command": 7},
        {"command": "\x01" * 8_000},
        {"cwd": "relative"},
        {"cwd": "/" + "x" * 8_192},
        {"cwd": "/a\0b"},
        {"cwd": "/\udcff"},
        {"cwd": None},
        {"completion": ...},
        {"completion": "running"},
        {"scope": "sandbox"},
        {"scope": "remote"},
        {"background": True},
        {"pty": True},
    ],
)
def test_where_it_cannot_be_exact_or_was_not_observed_there_is_none(bench, changes):
    assert both(bench, result(**changes)) == (None, None)


def test_other_tools_other_systems_and_events_without_evidence_have_none(bench):
    assert both(bench, result("write")) == (None, None)
    assert both(bench, PostToolUse(tool_name="bash")) == (None, None)
    assert both(bench, result(), platform="win32") == (None, None)
    assert both(bench, result(), resolve=lambda path: None) == (None, None)
    assert both(bench, result(), resolve=lambda path: "/" + "x" * 8_192) == (None, None)


def test_a_command_of_exactly_8_kib_is_whole(bench):
    variable, document = both(bench, result(command="x" * 8_192))
    assert variable["command"] == document["execution_receipt"]["command"] == "x" * 8_192


def test_the_directory_is_resolved(bench):
    variable, document = both(bench, result(cwd="/link"), resolve={"/link": "/real"}.get)
    assert variable["cwd"] == document["execution_receipt"]["cwd"] == "/real"


@pytest.mark.parametrize(("tool", "kind"), [("bash", "combined"), ("Bash", "separate"), ("exec_shell", "separate")])
def test_without_an_output_kind_the_spelling_of_the_tool_gives_it(bench, tool, kind):
    variable, document = both(bench, result(tool, output_kind=...))
    assert variable["output_kind"] == document["execution_receipt"]["output_mode"] == kind


def test_combined_output_is_all_in_stdout(bench):
    variable, _ = both(bench, result(output_kind="combined", stdout="out", stderr="err", stderr_truncated=True))
    assert (variable["stdout"], variable["stderr"]) == ("outerr", "")
    assert (variable["stdout_truncated"], variable["stderr_truncated"]) == (True, False)


def test_bytes_that_the_tool_itself_lost_are_flagged_without_a_mark(bench):
    variable, document = both(bench, result(stdout_truncated=True))
    assert (variable["stdout"], variable["stdout_truncated"], variable["stderr_truncated"]) == ("hello", True, False)
    assert document["execution_receipt"]["stdout_truncated"] is True


def test_ids_are_cut_at_1024_bytes_between_characters_and_flagged_each(bench):
    event = result().replace(tool_use_id="鲸" * 400)
    _, document = both(bench, event, id="s" * 1_024)
    assert (document["session_id"], document["session_id_truncated"]) == ("s" * 1_024, False)
    assert (document["tool_call_id"], document["tool_call_id_truncated"]) == ("鲸" * 341 + "...[truncated]", True)


def test_missing_ids_are_null(bench):
    _, document = both(bench, result().replace(tool_use_id=None), id=None)
    assert (document["session_id"], document["tool_call_id"]) == (None, None)


def test_an_error_has_the_variable_too(bench):
    event = Error(error="boom", tool_name="bash", execution=RUN | {"completion": "failed", "exit_code": 3})
    assert json.loads(receipts.variable(event, bench.session()))["exit_code"] == 3


output = st.builds(
    lambda unit, size: (unit * size)[:size],
    st.text(alphabet=st.sampled_from(['"', "\n", "\x01", "a", "é", "鲸", "\U0001f433"]), min_size=1, max_size=6),
    st.integers(0, 60_000),
)


@given(output, output)
def test_previews_keep_head_and_tail_fit_the_limit_and_are_honest(bench, stdout, stderr):
    event = result(stdout=stdout, stderr=stderr)
    session = bench.session()
    for line, limit in (
        (receipts.variable(event, session), 32_768),
        (receipts.document(event, session) + "\n", 65_536),
    ):
        assert len(line.encode()) <= limit
        told = json.loads(line)
        told = told.get("execution_receipt", told)
        for name, whole in (("stdout", stdout), ("stderr", stderr)):
            shown = told[name]
            assert told[f"{name}_truncated"] == (shown != whole)
            if shown != whole:
                head, tail = shown.split(MARKER)
                assert whole.startswith(head)
                assert whole.endswith(tail)
                assert len(head) + len(tail) < len(whole)
                assert abs(len(head.encode()) - len(tail.encode())) <= 4


def test_a_preview_leaves_no_room_unused(bench):
    line = receipts.variable(result(stdout="x" * 100_000), bench.session())
    assert 32_768 - len(line) < 2
