"""One script of each ecosystem as a hook of each other one: converted, loaded there, and fired."""

from __future__ import annotations

import json
import os
import sys

import pytest

from hookfw import ConversionError, EventError, Host, NativeCall, open_sync
from hookfw.adapting import Adapted, NoSuchEventError, adapt
from hookfw.conversion import convert
from hookfw.events import parse_event

HOST = Host.load()
FAMILY = [name for name in ("claude-code", "codex", "deepagents", "mind") if name in HOST.dialects]
NAMES = sorted(HOST.dialects)
SPOKEN = [name for name in NAMES if name in HOST.agents]
"""The ecosystems whose agents can be answered."""
CALL = {"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}, "tool_use_id": "1"}


def saying(event, said):
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, **said}})


def when_told(document, then):
    """A script that does something only when it was told of the call as its own ecosystem tells it."""
    return f"grep -q {document} && {then}"


def printing(text):
    return f"echo '{text}'"


_TOLD = """'"tool_name": *"Bash".*rm -rf build'"""
_BY_VARIABLE = "case $DEEPSEEK_TOOL_ARGS in *'rm -rf build'*) {};; esac"
DENIES = {
    "codewhale": _BY_VARIABLE.format(printing('{"decision":"deny","reason":"not here"}')),
    "wuu": when_told("""'"tool_name": *"bash".*rm -rf build'""", printing('{"decision":"block","reason":"not here"}')),
} | dict.fromkeys(
    FAMILY,
    when_told(
        _TOLD,
        printing(saying("PreToolUse", {"permissionDecision": "deny", "permissionDecisionReason": "not here"})),
    ),
)
REWRITES = {
    "codewhale": _BY_VARIABLE.format(printing('{"updatedInput":{"command":"true"}}')),
    "claude-code": when_told(_TOLD, printing(saying("PreToolUse", {"updatedInput": {"command": "true"}}))),
    "wuu": printing('{"updated_input":{"command":"true"}}'),
} | dict.fromkeys(
    ("codex", "mind"),
    when_told(
        _TOLD, printing(saying("PreToolUse", {"permissionDecision": "allow", "updatedInput": {"command": "true"}}))
    ),
)
CONTEXTS = {"codewhale": printing('{"additionalContext":"the build is shared"}')} | dict.fromkeys(
    FAMILY, when_told(_TOLD, printing(saying("PreToolUse", {"additionalContext": "the build is shared"})))
)
STOPS = dict.fromkeys(FAMILY, "grep -q Stop && " + printing('{"decision":"block","reason":"run the tests"}'))
FAILS = dict.fromkeys(["codewhale", "claude-code"], "exit 7")


def pairs(scripts, targets=None):
    known = [name for name in scripts if name in NAMES]
    answered = [name for name in SPOKEN if targets is None or name in targets]
    return [(one, other) for one in known for other in answered if one != other]


def configuration(name, event, script, *, strict=False):
    """One hook as a person writes it, its script in a file of its own."""
    if name == "codewhale":
        native = {"pre_tool_use": "tool_call_before", "post_tool_use": "tool_call_after"}[event]
        keep = "continue_on_error = false\n" if strict else ""
        return f'[[hooks.hooks]]\nevent = "{native}"\ncommand = "{script}"\n{keep}'
    native = event.title().replace("_", "")
    handler = {"type": "command", "command": str(script)}
    if name == "wuu":
        return json.dumps({"hooks": {native: [handler]}})
    if strict:
        handler["onFailure"] = "block"
    return json.dumps({"hooks": {native: [{"hooks": [handler]}]}})


@pytest.fixture
def carried(tmp_path, monkeypatch):
    """Fires an event in one ecosystem whose whole configuration was converted from another's."""
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("SHELL", "/bin/sh")
    home, workspace = tmp_path / "home", tmp_path / "workspace"
    home.mkdir()
    workspace.mkdir()
    # Login shells, which some agents start, make a search path of their own.
    (home / ".profile").write_text(f"PATH='{path}'\n")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CODEX_HOME", "CODEWHALE_CONFIG_PATH", "DEEPSEEK_CONFIG_PATH", "WUU_HOME"):
        monkeypatch.delenv(name, raising=False)

    def fire(one, other, event, body, fields, *, strict=False):
        script = tmp_path / "script.sh"
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
        origin, target = HOST.dialect(one), HOST.dialect(other)
        documents = origin.conversion().documents(
            "/nowhere/hooks.json", configuration(one, event, script, strict=strict).encode()
        )
        from hookfw import Places

        places = Places(home=str(home), workspace=str(workspace))
        converted = convert(origin, target, documents, places)
        assert converted.hooks == 1, converted.losses
        path = converted.document.path
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(converted.document.data)
        with open_sync(workspace=workspace, home=home, dialects=[other], trust="all", session_id="s1") as hooks:
            outcome = hooks.fire(parse_event(event, fields)[0])
        assert len(outcome.runs) == 1
        return outcome

    return fire


@pytest.mark.parametrize(("one", "other"), pairs(DENIES))
def test_a_denial_denies_everywhere(one, other, carried):
    outcome = carried(one, other, "pre_tool_use", DENIES[one], CALL)
    assert outcome.refused
    assert "not here" in outcome.reason


@pytest.mark.parametrize(("one", "other"), pairs(REWRITES, REWRITES))
def test_a_rewrite_rewrites_wherever_a_hook_can(one, other, carried):
    outcome = carried(one, other, "pre_tool_use", REWRITES[one], CALL)
    assert outcome.updated_input["command"] == "true"
    assert not outcome.refused


@pytest.mark.parametrize(("one", "other"), pairs(CONTEXTS, CONTEXTS))
def test_context_reaches_the_model_wherever_a_hook_can_give_it(one, other, carried):
    outcome = carried(one, other, "pre_tool_use", CONTEXTS[one], CALL)
    assert outcome.context == ("the build is shared",)


@pytest.mark.parametrize(("one", "other"), pairs(STOPS, STOPS))
def test_the_end_of_a_turn_is_put_off_wherever_a_hook_can(one, other, carried):
    outcome = carried(one, other, "stop", STOPS[one], {"stop_hook_active": False})
    assert outcome.feedback == ("run the tests",)


@pytest.mark.parametrize(("one", "other"), pairs(FAILS))
def test_a_failure_lets_the_call_run_where_its_own_ecosystem_lets_it(one, other, carried):
    outcome = carried(one, other, "pre_tool_use", FAILS[one], CALL)
    assert not outcome.refused
    assert outcome.runs[0].status == "completed"


@pytest.mark.parametrize(
    ("one", "other"), [(one, other) for one in ("codewhale", "claude-code") for other in SPOKEN if other != one]
)
def test_the_failure_of_a_strict_hook_refuses_everywhere(one, other, carried):
    outcome = carried(one, other, "pre_tool_use", "exit 7", CALL, strict=True)
    assert outcome.refused


def call(**fields):
    return NativeCall(
        stdin=json.dumps({"hook_event_name": "PreToolUse", **CALL, **fields}).encode(), environ=dict(os.environ)
    )


def test_the_command_ends_before_the_agent_would_end_it(tmp_path):
    told = []
    adapted = Adapted("codewhale", "claude-code", "sleep 60", timeout=0.5, strict=True)
    answer = adapt(HOST, adapted, call(cwd=str(tmp_path)), lambda event, outcome: told.append(outcome))
    assert json.loads(answer.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert told[0].runs[0].status == "timed_out"


def test_what_the_start_took_is_no_time_of_the_command(tmp_path):
    told = []
    adapted = Adapted("codewhale", "claude-code", "sleep 60", timeout=600)
    adapt(HOST, adapted, call(cwd=str(tmp_path)), lambda *what: told.append(what[1]), spent=lambda: 598.9)
    assert told[0].runs[0].status == "timed_out"


@pytest.mark.parametrize("name", NAMES)
def test_a_command_that_is_empty_is_no_gate_that_always_opens(name, tmp_path):
    for command in ("", " \n"):
        with pytest.raises(ConversionError, match="no gate would stand"):
            adapt(HOST, Adapted(name, "claude-code", command), call(cwd=str(tmp_path)))


def test_what_is_noticed_names_no_file_of_the_person(tmp_path):
    told = []
    adapt(HOST, Adapted("mind", "claude-code", "exit 7"), call(cwd=str(tmp_path)), lambda *what: told.append(what[1]))
    (noticed,) = told[0].diagnostics
    assert "(hookfw adapt, the command)" in noticed.message
    assert ".mind" not in f"{noticed}"


def test_a_folder_that_is_gone_is_no_reason_to_fail(tmp_path):
    answer = adapt(HOST, Adapted("codewhale", "claude-code", DENIES["codewhale"]), call(cwd=str(tmp_path / "gone")))
    assert b"not here" in answer.stdout


def test_a_failed_call_is_told_to_the_hook_that_its_own_agent_would_run(tmp_path):
    data = json.dumps({"hook_event_name": "PostToolUseFailure", **CALL, "error": "no"}).encode()
    wrong = NativeCall(stdin=data, environ=dict(os.environ))
    said = tmp_path / "said"
    adapt(HOST, Adapted("codewhale", "claude-code", f"echo $DEEPSEEK_TOOL_NAME > {said}", "on_error"), wrong)
    assert said.read_text() == "Bash\n"


def test_a_hook_that_its_own_agent_would_not_run_on_the_call_is_not_run(tmp_path):
    said = tmp_path / "said"
    adapt(HOST, Adapted("claude-code", "codewhale", f"touch {said}", "PostToolUse"), after(success=False))
    assert not said.exists()
    adapt(HOST, Adapted("claude-code", "codewhale", f"touch {said}", "PostToolUse"), after(success=True))
    assert said.exists()


def after(*, success):
    variables = {"DEEPSEEK_TOOL_NAME": "bash", "DEEPSEEK_TOOL_SUCCESS": str(success).lower()}
    return NativeCall("tool_call_after", environ={**os.environ, **variables})


def test_what_cannot_be_adapted_says_why(tmp_path):
    with pytest.raises(NoSuchEventError, match="codewhale has no event for stop"):
        adapt(HOST, Adapted("codewhale", "claude-code", "true"), NativeCall(stdin=b'{"hook_event_name": "Stop"}'))
    with pytest.raises(ConversionError, match="did you mean 'tool_call_before'"):
        adapt(HOST, Adapted("codewhale", "claude-code", "true", "tool_call_befor"), call())
    with pytest.raises(ConversionError, match="cannot be a hook of claude-code"):
        adapt(HOST, Adapted("claude-code", "codex", "a\0b"), call())
    with pytest.raises(ConversionError, match="claude-code has no event named 'PreToolUs': did you mean 'PreToolUse'"):
        adapt(HOST, Adapted("codewhale", "claude-code", "true"), call()._replace(event_hint="PreToolUs"))
    with pytest.raises(EventError):
        adapt(HOST, Adapted("codewhale", "claude-code", "true"), NativeCall(stdin=b"{"))
