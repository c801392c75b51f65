from __future__ import annotations

import json
import os

import psutil
import pytest

import hookfw.background
import hookfw.handlers
import hookfw_claude
from hookfw import Host, PostToolUse, PreToolUse, SessionStart, Stop, UserPromptSubmit, open_sync
from hookfw.events import parse_event
from hookfw.testing.layout import lay_out
from hookfw_claude.mind.demo import DEMO

SHELL = PreToolUse(tool_name="shell_command", tool_input={"command": "ls"})


class Rig:
    """A home with one `hooks.json`, and firings at it with real processes."""

    def __init__(self, home, workspace):
        self.home, self.workspace = home, workspace
        self.host = Host()
        self.host.register(hookfw_claude, "claude")
        self.host.register(hookfw.handlers, "command")
        self.host.register(hookfw.background, "background")
        (home / ".mind").mkdir()

    def write(self, event, *handlers, matcher=""):
        group = {"matcher": matcher, "hooks": [{"type": "command", **handler} for handler in handlers]}
        (self.home / ".mind" / "hooks.json").write_text(json.dumps({"hooks": {event: [group]}}))

    def open(self, **options):
        options = {"trust": "all", "environ": {"PATH": os.environ["PATH"], "HOME": str(self.home)}} | options
        return open_sync(workspace=self.workspace, home=self.home, dialects=["mind"], host=self.host, **options)

    def fire(self, event, **options):
        with self.open(**options) as hooks:
            return hooks.fire(event)


@pytest.fixture
def rig(home, workspace):
    return Rig(home, workspace)


def test_the_persons_shell_runs_the_line_as_a_login_shell(rig):
    shell = rig.home / "shell"
    shell.write_text('#!/bin/sh\nprintf "%s " "$@" > "$HOME/args"\nexec /bin/sh "$@"\n')
    shell.chmod(0o755)
    rig.write("SessionStart", {"command": "echo from the line"})
    environ = {"PATH": os.environ["PATH"], "HOME": str(rig.home), "SHELL": str(shell)}
    assert rig.fire(SessionStart(), environ=environ).context == ("from the line",)
    assert (rig.home / "args").read_text() == "-lc echo from the line "


@pytest.mark.parametrize("shell", [None, " "])
def test_without_a_shell_of_the_person_it_is_sh(rig, shell):
    (rig.home / ".profile").write_text("MINE=read\n")
    rig.write("SessionStart", {"command": "echo $MINE"})
    environ = {"PATH": os.environ["PATH"], "HOME": str(rig.home)} | ({} if shell is None else {"SHELL": shell})
    assert rig.fire(SessionStart(), environ=environ).context == ("read",)


def test_a_hook_runs_in_the_folder_of_the_event(rig):
    (rig.workspace / "sub").mkdir()
    rig.write("SessionStart", {"command": "pwd -P"})
    assert rig.fire(SessionStart(cwd=str(rig.workspace / "sub"))).context == (str(rig.workspace / "sub"),)
    assert rig.fire(SessionStart(cwd=None)).context == (str(rig.workspace),)


def test_all_hooks_of_an_event_run_at_once(rig):
    meet = "touch {0}; until [ -e {1} ]; do sleep 0.02; done; echo {0}"
    rig.write("UserPromptSubmit", {"command": meet.format("a", "b")}, {"command": meet.format("b", "a")})
    outcome = rig.fire(UserPromptSubmit(cwd=str(rig.workspace)))
    assert outcome.context == ("a", "b")


def test_a_hook_that_ignores_sigterm_is_killed_after_its_grace(rig):
    rig.write("SessionStart", {"command": "trap 'echo asked > asked' TERM; while :; do sleep 0.05; done", "timeout": 1})
    outcome = rig.fire(SessionStart())
    assert [run.status for run in outcome.runs] == ["timed_out"]
    assert (rig.workspace / "asked").exists()
    assert psutil.Process().children(recursive=True) == []


def test_a_background_hook_is_submitted_and_a_closing_session_waits_for_it(rig):
    rig.write("Stop", {"command": "until [ -e go ]; do sleep 0.02; done; echo done > done; exit 2", "async": True})
    with rig.open() as hooks:
        outcome = hooks.fire(Stop())
        assert [run.status for run in outcome.runs] == ["submitted"]
        assert outcome.decision == "none"
        (rig.workspace / "go").touch()
    assert (rig.workspace / "done").exists()


def test_the_file_of_a_long_context_is_there_for_the_session_and_gone_after_it(rig):
    rig.write("UserPromptSubmit", {"command": "echo aaaaabbbbbccccc", "additionalContextLimit": 1})
    with rig.open(session_id="sid_1") as hooks:
        (context,) = hooks.fire(UserPromptSubmit()).context
        path = context.splitlines()[0].split(" is in ")[1]
        with open(path) as stream:
            assert stream.read() == "aaaaabbbbbccccc"
    assert not os.path.exists(path)


def test_an_mcp_tool_without_its_plugin_fails_and_the_call_goes_ahead(rig):
    content = {"hooks": {"PreToolUse": [{"hooks": [{"type": "mcp_tool", "server": "s", "tool": "t"}]}]}}
    (rig.home / ".mind" / "hooks.json").write_text(json.dumps(content))
    outcome = rig.fire(SHELL)
    assert [(run.handler, run.status) for run in outcome.runs] == [("mcp_tool", "failed")]
    assert not outcome.refused
    assert "handler-missing" in [item.code for item in outcome.diagnostics]
    assert not [item for item in outcome.diagnostics if "by hand" in item.message]


def test_a_command_with_half_a_character_is_a_failed_run(rig):
    rig.write("PreToolUse", {"command": "echo \ud800"})
    outcome = rig.fire(SHELL)
    assert [run.status for run in outcome.runs] == ["failed"]


def test_consent_taken_back_in_a_running_session_holds_from_then_on(rig):
    rig.write("PreToolUse", {"command": "echo no >&2; exit 2"})
    with rig.open(trust="stored") as hooks:
        assert [item.reason for item in hooks.fire(SHELL).skipped] == ["untrusted: nobody has reviewed it"]
        (review,) = hooks.reviews()
        hooks.approve(review)
    with rig.open(trust="stored") as hooks:
        assert hooks.fire(SHELL).refused
        hooks.revoke(review)
        outcome = hooks.fire(SHELL)
        assert not outcome.refused
        assert [run.status for run in outcome.runs] == ["failed"]


def test_a_switch_in_the_persons_file_holds_even_where_everything_counts_as_reviewed(rig):
    rig.write("PreToolUse", {"command": "echo no >&2; exit 2"})
    with rig.open() as hooks:
        (hook,) = hooks.snapshot.hooks
        (rig.home / ".mind" / "config.toml").write_text(f"[hooks.state.'{hook.config.key}']\nenabled = false\n")
        hooks.reload()
        outcome = hooks.fire(SHELL)
    assert [item.reason for item in outcome.skipped] == ["disabled"]


def test_a_firing_writes_no_transcript(rig):
    rig.write("Stop", {"command": "true"})
    rig.fire(Stop(session_id="sid_1"), session_id="sid_1")
    assert sorted(path.name for path in (rig.home / ".mind").iterdir()) == ["hooks.json"]


def test_a_call_of_another_ecosystem_is_rewritten_in_its_own_spelling(rig):
    answer = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "echo b"}}
    rig.write(
        "PreToolUse", {"command": f"cat > seen; echo '{json.dumps({'hookSpecificOutput': answer})}'"}, matcher="Bash"
    )
    outcome = rig.fire(PreToolUse(tool_name="Bash", tool_input={"command": "a", "timeout": 5}))
    assert outcome.updated_input == {"command": "echo b", "timeout": 5}
    assert json.loads((rig.workspace / "seen").read_text())["tool_input"] == {"command": "a"}


def test_the_demonstration_runs_as_its_titles_say(rig, tmp_path):
    (tmp_path / "demo").mkdir()
    place = lay_out(DEMO.files, tmp_path / "demo")
    with open_sync(workspace=place.workspace, home=place.home, dialects=["mind"], host=rig.host) as hooks:
        assert hooks.snapshot.diagnostics == ()
        outcomes = [hooks.fire(parse_event(kind, fields)[0]) for _, kind, fields in DEMO.steps]
    start, prompt, denied, rewritten, changed, not_yet, now = outcomes
    assert start.skipped[0].reason.startswith("untrusted")
    assert prompt.context == ("Tests of this project run offline.",)
    assert denied.refused
    assert rewritten.updated_input == {"command": "pytest -q", "cwd": "."}
    assert changed.skipped[0].reason.startswith("modified")
    assert not_yet.feedback == ("Run the tests before you stop.",)
    assert (now.decision, [run.status for run in now.runs]) == ("none", ["completed", "submitted"])


def test_a_program_hands_in_the_profile_and_the_overrides_of_its_session(rig):
    (rig.home / ".mind" / "work.config.toml").write_text(
        '[[hooks.SessionStart]]\nhooks = [{ type = "command", command = "echo profile" }]\n'
    )
    assert rig.fire(SessionStart(), profile="work").context == ("profile",)
    given = '{ SessionStart = [{ hooks = [{ type = "command", command = "echo cli" }] }] }'
    assert rig.fire(SessionStart(), profile="work", overrides={"hooks": given}).context == ("cli",)


def test_a_failed_tool_fires_nothing(rig):
    rig.write("PostToolUse", {"command": "touch ran"})
    assert rig.fire(PostToolUse(tool_name="shell_command", tool_success=False)).runs == ()
    assert not (rig.workspace / "ran").exists()
