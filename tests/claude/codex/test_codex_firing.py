from __future__ import annotations

import asyncio
import json
import os
import pwd

import psutil
import pytest
from driving import until

import hookfw.background
import hookfw.handlers
import hookfw_claude
from hookfw import (
    Host,
    PostToolUse,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    Supervisor,
    UserPromptSubmit,
    open_sync,
)
from hookfw.events import parse_event
from hookfw.testing.layout import lay_out
from hookfw_claude.codex.demo import DEMO

SHELL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


class Rig:
    """A home with one `hooks.json`, and firings at it with real processes."""

    def __init__(self, home, workspace):
        self.home, self.workspace = home, workspace
        self.host = Host()
        self.host.register(hookfw_claude, "claude")
        self.host.register(hookfw.handlers, "command")
        self.host.register(hookfw.background, "background")
        (home / ".codex").mkdir()

    def write(self, **events):
        content = {"hooks": {event: [{"hooks": list(handlers)}] for event, handlers in events.items()}}
        (self.home / ".codex" / "hooks.json").write_text(json.dumps(content))

    def options(self, **options):
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "SHELL": "/no/such/shell"}
        defaults = {"trust": "all", "environ": environ, "dialects": ["codex"], "host": self.host}
        return {"workspace": self.workspace, "home": self.home} | defaults | options

    def open(self, **options):
        return open_sync(**self.options(**options))

    def fire(self, event, **options):
        with self.open(**options) as hooks:
            return hooks.fire(event)


def command(line, **fields):
    return {"type": "command", "command": line} | fields


@pytest.fixture
def rig(home, workspace):
    return Rig(home, workspace)


def test_the_shell_is_that_of_the_password_database_and_no_login_shell(rig):
    rig.write(SessionStart=[command("echo $0 $MINE")])
    for name in (".profile", ".bash_profile", ".zprofile"):
        (rig.home / name).write_text("MINE=read; export MINE\n")
    shell = pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"
    assert rig.fire(SessionStart()).context == (shell,)


def test_the_line_goes_to_the_shell_that_the_session_names(codex):
    row = codex.row(SHELL)
    called = codex.dialect.invocation(row, codex.hook(command="a | b"), codex.session())
    assert called.argv == ("/bin/fish", "-c", "a | b")
    for environ, shell in (({}, "cmd.exe"), ({"COMSPEC": "c:/cmd"}, "c:/cmd")):
        session = codex.session(platform="win32", environ=environ)
        assert codex.dialect.invocation(row, codex.hook(command="a"), session).argv == (shell, "/C", "a")


def test_a_hook_runs_in_the_turns_directory_whatever_directory_a_shell_call_names(rig):
    rig.write(SessionStart=[command("pwd -P")], PreToolUse=[command("pwd -P > where; cat > seen")])
    (rig.workspace / "sub").mkdir()
    sub = str(rig.workspace / "sub")
    assert rig.fire(SessionStart(cwd=sub)).context == (sub,)
    rig.fire(PreToolUse(tool_name="exec_command", tool_input={"cmd": "ls"}, cwd=sub))
    assert (rig.workspace / "where").read_text() == f"{rig.workspace}\n"
    assert json.loads((rig.workspace / "seen").read_text())["cwd"] == sub


def test_hooks_have_the_whole_environment_and_those_of_plugins_their_folders(rig):
    rig.write(SessionStart=[command("echo key $API_KEY, root $PLUGIN_ROOT.")])
    root = rig.home / ".codex" / "plugins" / "cache" / "mp" / "pl" / "1.0.0"
    (root / ".codex-plugin").mkdir(parents=True)
    (root / "hooks").mkdir()
    (root / ".codex-plugin" / "plugin.json").write_text("{}")
    hooks = {"hooks": {"SessionStart": [{"hooks": [command("echo '${PLUGIN_ROOT}' $CLAUDE_PLUGIN_DATA")]}]}}
    (root / "hooks" / "hooks.json").write_text(json.dumps(hooks))
    (rig.home / ".codex" / "config.toml").write_text('[plugins."pl@mp"]\n')
    environ = {"PATH": os.environ["PATH"], "API_KEY": "secret"}
    assert rig.fire(SessionStart(), environ=environ).context == (
        "key secret, root .",
        f"{root} {rig.home}/.codex/plugins/data/pl-mp",
    )


def test_all_hooks_of_an_event_run_at_once(rig):
    meet = "touch {0}; until [ -e {1} ]; do sleep 0.02; done; echo {0}"
    rig.write(UserPromptSubmit=[command(meet.format("a", "b")), command(meet.format("b", "a"))])
    assert rig.fire(UserPromptSubmit()).context == ("a", "b")


def test_what_an_asynchronous_hook_gives_comes_with_a_later_outcome(rig):
    answer = {
        "continue": False,
        "systemMessage": "for the person",
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "from the background"},
    }
    rig.write(
        SessionStart=[command(f"echo '{json.dumps(answer)}'", **{"async": True})],
        UserPromptSubmit=[command("echo now")],
    )
    with rig.open() as hooks:
        started = hooks.fire(SessionStart())
        assert ([run.status for run in started.runs], started.context, started.ends_turn) == (["submitted"], (), False)
        assert hooks.join_background(30)
        outcome = hooks.fire(UserPromptSubmit())
        assert (outcome.context, outcome.messages, outcome.decision) == (
            ("from the background", "now"),
            ("for the person",),
            "none",
        )
        assert hooks.fire(UserPromptSubmit()).context == ("now",)


def test_eight_asynchronous_hooks_run_at_a_time_and_the_others_wait(rig):
    line = "mkdir running; mkdir running/$$; until [ -e go ]; do sleep 0.02; done"
    rig.write(Stop=[command(line, **{"async": True}) for _ in range(11)])
    with rig.open() as hooks:
        assert [run.status for run in hooks.fire(Stop()).runs] == ["submitted"] * 11
        running = rig.workspace / "running"
        until(lambda: running.is_dir() and len(list(running.iterdir())) == 8)
        (rig.workspace / "go").touch()
        assert hooks.join_background(30)
        assert len(list(running.iterdir())) == 11


def test_an_asynchronous_hook_that_still_runs_when_the_session_ends_is_killed(rig):
    rig.write(Stop=[command("echo $$ > pid; mv pid started; exec sleep 300", **{"async": True})])
    started = rig.workspace / "started"
    with rig.open() as hooks:
        hooks.fire(Stop())
        until(started.exists)
        hooks.end_background()
        assert not psutil.pid_exists(int(started.read_text()))
        assert [item.code for item in hooks.late_diagnostics()] == ["background-cut"]


def test_closing_an_asynchronous_supervisor_kills_them_too(rig):
    rig.write(Stop=[command("echo $$ > pid; mv pid started; exec sleep 300", **{"async": True})])
    started = rig.workspace / "started"

    async def session():
        async with Supervisor.open(**rig.options(close_timeout=300)) as hooks:
            await hooks.fire(Stop())
            while not started.exists():
                await asyncio.sleep(0.01)
            await hooks.end_background()
            assert not psutil.pid_exists(int(started.read_text()))

    asyncio.run(session())


def test_an_asynchronous_hook_at_the_end_of_a_session_is_waited_for(rig):
    rig.write(SessionEnd=[command("echo done > done", **{"async": True})])
    assert [run.status for run in rig.fire(SessionEnd()).runs] == ["completed"]
    assert (rig.workspace / "done").exists()


def test_the_file_of_a_long_context_is_there_for_the_session_and_gone_after_it(rig):
    rig.write(UserPromptSubmit=[command("echo aaaaabbbbbccccc", additionalContextLimit=1)])
    with rig.open(session_id="session-1") as hooks:
        (context,) = hooks.fire(UserPromptSubmit()).context
        path = context.rsplit("saved to: ", 1)[1]
        assert "/hook_outputs/session-1/" in path
        with open(path) as stream:
            assert stream.read() == "aaaaabbbbbccccc"
    assert not os.path.exists(path)


def test_an_mcp_tool_without_its_plugin_fails_and_the_call_goes_ahead(rig):
    rig.write(PreToolUse=[{"type": "mcp_tool", "server": "s", "tool": "t"}])
    outcome = rig.fire(SHELL)
    assert [(run.handler, run.status) for run in outcome.runs] == [("mcp_tool", "failed")]
    assert not outcome.refused
    assert "handler-missing" in [item.code for item in outcome.diagnostics]
    assert not [item for item in outcome.diagnostics if "by hand" in item.message]


def test_consent_taken_back_in_a_running_session_holds_from_then_on(rig):
    rig.write(PreToolUse=[command("echo no >&2; exit 2")])
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
    rig.write(PreToolUse=[command("echo no >&2; exit 2")])
    with rig.open() as hooks:
        (hook,) = hooks.snapshot.hooks
        (rig.home / ".codex" / "config.toml").write_text(f"[hooks.state.'{hook.config.key}']\nenabled = false\n")
        hooks.reload()
        assert [item.reason for item in hooks.fire(SHELL).skipped] == ["disabled"]


def test_a_call_in_the_agents_own_spelling_is_rewritten_in_it(rig):
    answer = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "echo b"}}
    rig.write(PreToolUse=[command(f"cat > seen; echo '{json.dumps({'hookSpecificOutput': answer})}'")])
    call = PreToolUse(tool_name="exec_command", tool_input={"cmd": "a", "workdir": "/w"})
    assert rig.fire(call).updated_input == {"cmd": "echo b", "workdir": "/w"}
    assert json.loads((rig.workspace / "seen").read_text())["tool_input"] == {"command": "a"}


def test_a_failed_tool_fires_its_hooks_too(rig):
    rig.write(PostToolUse=[command("echo fix it >&2; exit 2")])
    assert rig.fire(PostToolUse(tool_name="Bash", tool_success=False)).feedback == ("fix it",)


def test_a_stop_may_be_blocked_without_end(rig):
    rig.write(Stop=[command("echo again >&2; exit 2")])
    with rig.open() as hooks:
        for _ in range(12):
            assert hooks.fire(Stop(stop_hook_active=True, continuation_count=100)).feedback == ("again",)


def test_the_demonstration_runs_as_its_titles_say(rig, tmp_path):
    (tmp_path / "demo").mkdir()
    place = lay_out(DEMO.files, tmp_path / "demo")
    with open_sync(workspace=place.workspace, home=place.home, dialects=["codex"], host=rig.host) as hooks:
        assert hooks.snapshot.diagnostics == ()
        outcomes = [hooks.fire(parse_event(kind, fields)[0]) for _, kind, fields in DEMO.steps]
    start, prompt, denied, rewritten, patch, changed, not_yet, now = outcomes
    assert start.skipped[0].reason.startswith("untrusted")
    assert prompt.context == ("Tests of this project run offline.",)
    assert denied.refused
    assert rewritten.updated_input == {"cmd": "pytest -q", "workdir": "."}
    assert patch.reason == "This file is generated: change its template."
    assert changed.skipped[0].reason.startswith("modified")
    assert not_yet.feedback == ("Run the tests before you stop.",)
    assert (now.decision, [run.status for run in now.runs]) == ("none", ["completed", "submitted"])
