from __future__ import annotations

import json
import os

import psutil
import pytest
from driving import until

import hookfw.background
import hookfw.handlers
import hookfw_claude
from hookfw import CwdChanged, Host, PreToolUse, SessionStart, Stop, UserPromptSubmit, open_sync
from hookfw.events import parse_event
from hookfw.testing.layout import lay_out
from hookfw_claude.claude_code.demo import DEMO

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


class Rig:
    """A home with settings, and firings at it with real processes."""

    def __init__(self, home, workspace):
        self.home, self.workspace = home, workspace
        self.host = Host()
        self.host.register(hookfw_claude, "claude")
        self.host.register(hookfw.handlers, "command")
        self.host.register(hookfw.background, "background")

    def write(self, event, *handlers, where=None, **group):
        path = (where or self.home / ".claude") / "settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        group |= {"hooks": [{"type": "command", **handler} for handler in handlers]}
        path.write_text(json.dumps({"hooks": {event: [group]}}))

    def open(self, **options):
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.home)} | options.pop("variables", {})
        options = {"trust": "all", "environ": environ, "session_id": "sess_1"} | options
        return open_sync(workspace=self.workspace, home=self.home, dialects=["claude-code"], host=self.host, **options)

    def fire(self, event, **options):
        with self.open(**options) as hooks:
            return hooks.fire(event)


@pytest.fixture
def rig(home, workspace):
    return Rig(home, workspace)


def words(rig, command, **fields):
    """What a hook printed at the start of a session, word by word."""
    options = {name: fields.pop(name) for name in ("variables", "plugin_dirs") if name in fields}
    rig.write("SessionStart", {"command": command, **fields})
    (context,) = rig.fire(SessionStart(source="startup"), **options).context
    return context.split()


def test_a_line_is_for_the_systems_own_shell(rig):
    assert words(rig, 'V=1; echo "$V $0" "${BASH_VERSION-none}"', shell="bash") == ["1", "/bin/sh", "none"]


def test_with_args_one_program_gets_them_as_they_are(rig):
    assert words(rig, "printf", args=["<%s>\n", "a  b", "$HOME", "*", "${CLAUDE_PROJECT_DIR}/x", "${HOME}"]) == [
        "<a",
        "b>",
        "<$HOME>",
        "<*>",
        f"<{rig.workspace}/x>",
        "<${HOME}>",
    ]


def test_with_args_nothing_is_split(rig):
    rig.write("SessionStart", {"command": "echo hi", "args": []})
    outcome = rig.fire(SessionStart())
    assert [run.status for run in outcome.runs] == ["failed"]
    assert "echo hi" in outcome.diagnostics[-1].message


def test_the_variables_of_a_hook(rig):
    names = (
        "CLAUDE_PROJECT_DIR",
        "CLAUDECODE",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_CHILD_SESSION",
        "CLAUDE_CODE_ENTRYPOINT",
    )
    command = "echo " + " ".join(f"${name}" for name in names)
    assert words(rig, command) == [str(rig.workspace), "1", "sess_1", "1", "sdk-cli"]


def test_an_entry_point_that_is_known_stays(rig):
    assert words(rig, "echo $CLAUDE_CODE_ENTRYPOINT", variables={"CLAUDE_CODE_ENTRYPOINT": "cli"}) == ["cli"]


def test_exporters_of_telemetry_are_not_inherited_and_everything_else_is(rig):
    variables = {"OTEL_EXPORTER_OTLP_ENDPOINT": "x", "ANTHROPIC_API_KEY": "key"}
    assert words(rig, "echo ${OTEL_EXPORTER_OTLP_ENDPOINT-unset} $ANTHROPIC_API_KEY", variables=variables) == [
        "unset",
        "key",
    ]


@pytest.mark.parametrize(("event", "expected"), [(CALL, "medium"), (UserPromptSubmit(), "unset"), (Stop(), "medium")])
def test_the_effort_is_told_on_tool_and_stop_events(rig, event, expected):
    rig.write(
        {"pre_tool_use": "PreToolUse", "stop": "Stop"}.get(event.kind, "UserPromptSubmit"),
        {"command": "echo ${CLAUDE_EFFORT-unset} > seen"},
    )
    rig.fire(event.replace(effort="medium"))
    assert (rig.workspace / "seen").read_text() == f"{expected}\n"


def test_a_hook_runs_in_the_folder_of_the_event(rig):
    (rig.workspace / "sub").mkdir()
    rig.write("SessionStart", {"command": "pwd -P; echo $CLAUDE_PROJECT_DIR"})
    (context,) = rig.fire(SessionStart(cwd=str(rig.workspace / "sub"))).context
    assert context.split() == [str(rig.workspace / "sub"), str(rig.workspace)]


def test_hooks_each_have_a_file_of_variables_that_reach_later_commands(rig):
    rig.write(
        "CwdChanged",
        {"command": 'echo "export A=1" >> "$CLAUDE_ENV_FILE"; cat "$CLAUDE_ENV_FILE" > one'},
        {"command": 'echo "export B=\'x y\'" >> "$CLAUDE_ENV_FILE"; cat "$CLAUDE_ENV_FILE" > two'},
    )
    assert rig.fire(CwdChanged(new_cwd="/x")).env == {"A": "1", "B": "x y"}
    assert (rig.workspace / "one").read_text() == "export A=1\n"
    assert (rig.workspace / "two").read_text() == "export B='x y'\n"


def test_the_same_handler_runs_once_with_the_fields_of_the_last_definition(rig):
    rig.write("PreToolUse", {"command": "echo ran >> ran; exit 1", "onFailure": "block"})
    rig.write("PreToolUse", {"command": "echo ran >> ran; exit 1"}, where=rig.workspace / ".claude", matcher="Bash")
    outcome = rig.fire(CALL)
    assert (rig.workspace / "ran").read_text() == "ran\n"
    assert outcome.decision == "none"
    assert [(item.source, "defined again" in item.reason) for item in outcome.skipped] == [
        (str(rig.home / ".claude/settings.json"), True)
    ]


@pytest.mark.parametrize("fields", [{"if": "Bash(ls)"}, {"args": []}, {"shell": "powershell"}])
def test_handlers_that_differ_in_what_they_run_or_when_are_two(rig, fields):
    rig.write("PreToolUse", {"command": "true"}, {"command": "true", **fields})
    assert len(rig.fire(CALL).runs) == 2


@pytest.mark.parametrize("fields", [{"shell": "bash"}, {"timeout": 5}, {"statusMessage": "x"}, {"async": True}])
def test_handlers_that_differ_in_anything_else_are_one(rig, fields):
    rig.write("PreToolUse", {"command": "true"}, {"command": "true", **fields})
    outcome = rig.fire(CALL)
    assert [run.status for run in outcome.runs] == ["submitted" if "async" in fields else "completed"]


def plugin(rig, **handler):
    path = rig.home / "plug/hooks/hooks.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [{"type": "command", **handler}]}]}}))
    return (str(rig.home / "plug"),)


def set_option(rig):
    rig.write("Stop", {"command": "true"})
    path = rig.home / ".claude/settings.json"
    path.write_text(json.dumps({"pluginConfigs": {"plug@m": {"options": {"level": "high $HOME"}}}}))


def test_a_plugin_has_its_folder_its_data_and_its_options(rig):
    set_option(rig)
    folders = plugin(
        rig,
        command='echo "$CLAUDE_PLUGIN_ROOT" "$CLAUDE_PLUGIN_DATA" "$CLAUDE_PLUGIN_OPTION_LEVEL"; ls -d "$CLAUDE_PLUGIN_DATA"',
    )
    (context,) = rig.fire(SessionStart(), plugin_dirs=folders).context
    data = str(rig.home / ".claude/plugins/data/plug")
    assert context == f"{rig.home}/plug {data} high $HOME\n{data}"


def test_a_plugins_option_is_filled_in_where_no_shell_reads_it(rig):
    set_option(rig)
    folders = plugin(rig, command="echo", args=["${user_config.level}"])
    assert rig.fire(SessionStart(), plugin_dirs=folders).context == ("high $HOME",)


@pytest.mark.parametrize(
    ("handler", "word"),
    [
        ({"command": "echo ${user_config.level}"}, "CLAUDE_PLUGIN_OPTION_"),
        ({"command": "echo", "args": ["${user_config.gone}"]}, "gone"),
    ],
)
def test_a_plugins_option_that_a_shell_would_read_or_that_is_not_set_starts_nothing(rig, handler, word):
    folders = plugin(rig, **handler)
    outcome = rig.fire(SessionStart(), plugin_dirs=folders)
    assert (outcome.context, [run.status for run in outcome.runs]) == ((), ["failed"])
    assert any(word in item.message for item in outcome.diagnostics)


def test_a_plugins_copy_of_a_handler_stays_separate(rig):
    rig.write("SessionStart", {"command": "echo ran >> ran"})
    rig.fire(SessionStart(), plugin_dirs=plugin(rig, command="echo ran >> ran"))
    assert (rig.workspace / "ran").read_text() == "ran\nran\n"


def test_a_hook_in_the_background_speaks_in_a_later_outcome(rig):
    answer = json.dumps(
        {"systemMessage": "m", "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "c"}}
    )
    waits = "while [ ! -e go ]; do sleep 0.01; done"
    rig.write("PreToolUse", {"command": f"{waits}; echo '{answer}'; exit 2", "async": True})
    with rig.open() as hooks:
        outcome = hooks.fire(CALL)
        assert ([run.status for run in outcome.runs], outcome.decision, outcome.context) == (["submitted"], "none", ())
        (rig.workspace / "go").touch()
        assert hooks.join_background(30)
        assert hooks.fire(CALL).context == ("c", "m")


def test_a_first_line_sends_a_hook_to_the_background(rig):
    command = (
        'echo \'{"async": true}\'; until [ -e go ]; do sleep 0.02; done; echo \'{"systemMessage": "later"}\'; exit 2'
    )
    rig.write("PreToolUse", {"command": command})
    with rig.open() as hooks:
        outcome = hooks.fire(CALL)
        assert ([run.status for run in outcome.runs], outcome.decision) == (["submitted"], "none")
        (rig.workspace / "go").touch()
        assert hooks.join_background(30)
        assert [delivery.context for delivery in hooks.deliveries()] == [("later",)]


@pytest.mark.parametrize(("on_failure", "waited_for"), [("block", True), ("continue", False)])
def test_a_hook_whose_failure_blocks_is_waited_for_whatever_its_first_line_says(rig, on_failure, waited_for):
    rig.write("PreToolUse", {"command": "true", "onFailure": on_failure})
    with rig.open() as hooks:
        (hook,) = hooks.snapshot.hooks
        assert (hooks.invocation(hook, CALL).detach_on is None) is waited_for


def test_many_hooks_in_the_background_run_at_once(rig):
    wait = "touch {0}; until [ $(ls mark* | wc -l) -eq 4 ]; do sleep 0.02; done"
    rig.write("PreToolUse", *({"command": wait.format(f"mark{number}"), "async": True} for number in range(4)))
    with rig.open() as hooks:
        hooks.fire(CALL)
        assert hooks.join_background(30)


def test_all_hooks_of_an_event_run_at_once(rig):
    meet = "touch {0}; until [ -e {1} ]; do sleep 0.02; done; echo {0}"
    rig.write("UserPromptSubmit", {"command": meet.format("a", "b")}, {"command": meet.format("b", "a")})
    assert sorted(rig.fire(UserPromptSubmit()).context) == ["a", "b"]


def test_at_its_timeout_a_hook_may_clean_up_and_its_children_die(rig):
    command = "trap 'echo cleaned > cleaned; exit 2' TERM; sleep 60 & echo $! > pid; wait"
    rig.write("PreToolUse", {"command": command, "timeout": 0.5})
    outcome = rig.fire(CALL)
    assert ([run.status for run in outcome.runs], outcome.decision) == (["timed_out"], "none")
    assert (rig.workspace / "cleaned").exists()
    pid = int((rig.workspace / "pid").read_text())
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def test_a_neighbour_of_a_hook_that_runs_out_of_time_still_denies(rig):
    rig.write("PreToolUse", {"command": "sleep 60", "timeout": 0.5}, {"command": "echo no >&2; exit 2"})
    outcome = rig.fire(CALL)
    assert (outcome.decision, outcome.reason) == ("deny", "no")


def test_a_pattern_that_does_not_come_to_an_end_counts_as_matched_and_is_said(rig):
    rig.write("PreToolUse", {"command": "exit 2"}, matcher=r"(a+)+\1$")
    outcome = rig.fire(PreToolUse(tool_name="a" * 60 + "!", tool_input={}))
    assert outcome.refused
    assert "pattern-timeout" in [item.code for item in outcome.diagnostics]


@pytest.mark.parametrize(("on_failure", "decision"), [("block", "deny"), ("continue", "none")])
def test_a_handler_that_waits_for_its_plugin_fails_and_that_is_said(rig, on_failure, decision):
    rig.write("PreToolUse", {"type": "http", "url": "https://hooks.example", "onFailure": on_failure})
    outcome = rig.fire(CALL)
    assert [run.status for run in outcome.runs] == ["failed"]
    assert "handler-missing" in [item.code for item in outcome.diagnostics]
    assert not [item for item in outcome.diagnostics if "by hand" in item.message]
    assert outcome.decision == decision


@pytest.mark.parametrize(
    ("event", "handler", "settings"),
    [
        (SessionStart(), {"type": "http", "url": "https://hooks.example"}, {}),
        (CwdChanged(), {"type": "prompt", "prompt": "x"}, {}),
        (CALL, {"type": "http", "url": "https://hooks.example"}, {"allowedHttpHookUrls": []}),
    ],
)
def test_a_handler_that_does_not_run_here_is_skipped_with_the_reason(rig, event, handler, settings):
    name = {"pre_tool_use": "PreToolUse", "session_start": "SessionStart"}.get(event.kind, "CwdChanged")
    rig.write(name, handler)
    path = rig.home / ".claude/settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))
    outcome = rig.fire(event)
    assert outcome.runs == ()
    (skipped,) = outcome.skipped
    assert "do not run" in skipped.reason or "allowedHttpHookUrls" in skipped.reason


def test_a_long_context_is_in_a_file_while_the_session_lasts(rig):
    rig.write("UserPromptSubmit", {"command": "head -c 12000 /dev/zero | tr '\\0' x"})
    with rig.open() as hooks:
        (told,) = hooks.fire(UserPromptSubmit()).context
        path = next(word.rstrip(";") for word in told.split() if "/tool-results/" in word)
        with open(path, encoding="utf-8") as stream:
            assert stream.read() == "x" * 12000
    assert not os.path.exists(path)


def test_the_demonstration_shows_what_it_says(rig, tmp_path):
    (tmp_path / "demo").mkdir()
    place = lay_out(DEMO.files, tmp_path / "demo")
    expected = ["none", "deny", "none", "deny", "none", "block", "none"]
    with open_sync(workspace=place.workspace, home=place.home, dialects=["claude-code"], host=rig.host) as hooks:
        decisions = [hooks.fire(parse_event(kind, fields)[0]).decision for _, kind, fields in DEMO.steps]
        assert hooks.join_background(30)
    assert decisions == expected
    assert (place.workspace / "calls.jsonl").exists()


OUTER = {
    "CLAUDE_EFFORT": "low",
    "CLAUDE_ENV_FILE": "outer",
    "CLAUDE_PLUGIN_ROOT": "outer",
    "CLAUDE_PLUGIN_DATA": "outer",
    "CLAUDE_PLUGIN_OPTION_X": "outer",
}


def test_what_only_some_hooks_are_given_is_not_inherited_from_another(rig):
    line = " ".join(f"${{{name}-none}}" for name in OUTER)
    rig.write("UserPromptSubmit", {"command": f"echo {line}"})
    (context,) = rig.fire(UserPromptSubmit(prompt="x"), variables=OUTER).context
    assert context.split() == ["none"] * len(OUTER)
