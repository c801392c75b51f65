from __future__ import annotations

import asyncio
import json

import pytest
from driving import until

from hookfw import AgentSession, Supervisor, SyncAgentSession, open_sync

ALWAYS_BLOCKS = "echo More. >&2; exit 2"


@pytest.fixture
def session(home, workspace):
    """A started session with the hooks of one ecosystem."""
    opened = []

    def start(dialect, **settings):
        hooks = open_sync(workspace=workspace, home=home, dialects=[dialect], trust="all", session_id="s1")
        opened.append(hooks)
        begun = SyncAgentSession(hooks, **settings)
        begun.first = begun.start()
        return begun

    yield start
    for hooks in opened:
        hooks.close()


@pytest.fixture
def claude_style(home):
    def write(path, **events):
        (home / path).parent.mkdir(parents=True)
        groups = {
            name: [{"hooks": [{"type": "command", "command": command, **more}]}]
            for name, (command, more) in events.items()
        }
        (home / path).write_text(json.dumps({"hooks": groups}))

    return write


def shown(given, env):
    return dict(env)


def test_variables_from_the_start_reach_later_shell_commands_only(session, claude_style):
    claude_style(".claude/settings.json", SessionStart=("echo 'export GREETING=hello' >> \"$CLAUDE_ENV_FILE\"", {}))
    begun = session("claude-code")
    begun.submit("Do it.")
    assert begun.tool("Bash", {"command": "env"}, shown).output == {"GREETING": "hello"}
    assert begun.tool("Read", {"file_path": "a"}, shown).output == {}


def test_an_ecosystems_own_name_of_its_shell_is_a_shell(session, home):
    (home / ".codewhale").mkdir()
    (home / ".codewhale" / "config.toml").write_text('[[hooks.hooks]]\nevent = "shell_env"\ncommand = "echo CI=1"\n')
    begun = session("codewhale")
    begun.submit("Do it.")
    for name in ("exec_shell", "bash", "Bash"):
        assert begun.tool(name, {"command": "env"}, shown).output == {"CI": "1"}
    assert begun.tool("run_it", {"command": "env"}, shown).output == {}
    assert begun.tool("run_it", {"command": "env"}, shown, shell=True).output == {"CI": "1"}


def test_what_a_background_hook_says_comes_with_a_later_step(session, claude_style):
    answer = json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "linted"}})
    claude_style(".claude/settings.json", PostToolUse=(f"echo '{answer}'", {"async": True}))
    begun = session("claude-code")
    begun.submit("Do it.")
    assert begun.tool("Read", {"file_path": "a"}, shown).context == ()
    begun.hooks.join_background()
    assert begun.finish("Done.").context == ()
    assert begun.submit("Next.").context == ("linted",)


@pytest.mark.parametrize("dialect", ["claude-code", "deepagents"])
def test_an_ecosystem_with_a_limit_of_its_own_ends_the_loop_and_says_so(dialect, session, claude_style):
    path = {"claude-code": ".claude/settings.json", "deepagents": ".deepagents/hooks.json"}[dialect]
    claude_style(path, Stop=(ALWAYS_BLOCKS, {}))
    notes = []
    begun = session(dialect, max_continuations=100, on_diagnostic=notes.append)
    begun.submit("Do it.")
    for _ in range(8):
        assert begun.finish("Done.").goes_on
        begun.tool("Read", {"file_path": "a"}, shown)
    assert not begun.finish("Done.").goes_on
    assert any("in a row" in note.message for note in notes)


@pytest.mark.parametrize(("dialect", "path"), [("codex", ".codex/hooks.json"), ("mind", ".mind/hooks.json")])
def test_an_ecosystem_without_a_limit_is_given_one(dialect, path, session, claude_style):
    claude_style(path, Stop=(ALWAYS_BLOCKS, {}))
    told = []
    begun = session(dialect, on_message=told.append)
    begun.submit("Do it.")
    for _ in range(8):
        assert begun.finish("Done.").for_model
        begun.tool("Read", {"file_path": "a"}, shown)
    assert not begun.finish("Done.").goes_on
    assert "8 times in a row" in told[-1]


@pytest.mark.parametrize(("dialect", "path"), [("codex", ".codex/hooks.json"), ("mind", ".mind/hooks.json")])
def test_a_stopped_start_keeps_the_prompt_from_the_model(dialect, path, session, claude_style):
    claude_style(path, SessionStart=("""echo '{"continue": false, "stopReason": "closed"}'""", {}))
    begun = session(dialect)
    assert begun.first.ends_turn
    prompt = begun.submit("Do it.")
    assert (prompt.goes_on, prompt.reason) == (False, "closed")


def test_a_call_runs_although_its_hook_ends_the_turn(session, claude_style):
    claude_style(".claude/settings.json", PreToolUse=("""echo '{"continue": false, "stopReason": "enough"}'""", {}))
    begun = session("claude-code")
    begun.submit("Do it.")
    result = begun.tool("Read", {"file_path": "a"}, lambda given, env: "text")
    assert (result.output, result.ends_turn, begun.ends_turn) == ("text", True, True)
    assert begun.finish().status == "completed"


def test_a_call_does_not_run_where_the_ecosystem_says_so(session, claude_style):
    claude_style(".deepagents/hooks.json", PreToolUse=("""echo '{"continue": false, "stopReason": "enough"}'""", {}))
    begun = session("deepagents")
    begun.submit("Do it.")
    result = begun.tool("Read", {"file_path": "a"}, lambda given, env: "text")
    assert (result.refused, result.reason, result.ends_turn) == (True, "enough", True)


def test_permission_hooks_of_an_ecosystem_answer_for_the_person(session, claude_style):
    answer = {
        "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "no"}}
    }
    claude_style(".codex/hooks.json", PermissionRequest=(f"echo '{json.dumps(answer)}'", {}))
    begun = session("codex", permission=lambda question: pytest.fail("the person was asked"))
    begun.submit("Do it.")
    result = begun.tool("Bash", {"command": "git push"}, shown, ask=True)
    assert (result.refused, result.reason) == (True, "no")


def test_observers_of_the_state_see_every_change_once(session, home):
    log = home / "states.jsonl"
    (home / ".codewhale").mkdir()
    (home / ".codewhale" / "config.toml").write_text(
        "".join(
            f"[[hooks.hooks]]\nevent = '{event}'\ncommand = 'printf \"%s\\n\" \"$(cat)\" >> {log}'\n"
            for event in ("session_busy", "waiting_for_user", "session_idle", "session_error")
        )
    )
    begun = session("codewhale", permission=lambda question: True)

    def seen(count):
        begun.hooks.join_background()
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        assert len(lines) == count
        return lines

    begun.submit("Do it.")
    assert seen(1) == [{"from": "idle", "to": "in_progress"}]
    begun.tool("Read", {"file_path": "a"}, shown, ask=True)
    changes = sorted(seen(3)[1:], key=lambda change: change["to"])
    assert changes == [
        {"from": "waiting", "to": "in_progress"},
        {"from": "in_progress", "to": "waiting", "reason": "approval"},
    ]
    begun.tool("Read", {"file_path": "a"}, shown)
    begun.finish("Done.")
    assert seen(4)[-1] == {"from": "in_progress", "to": "idle", "last_turn_status": "completed"}


def test_a_slow_observer_holds_nobody_up(session, home):
    started, release = home / "started", home / "release"
    (home / ".codewhale").mkdir()
    (home / ".codewhale" / "config.toml").write_text(
        "[[hooks.hooks]]\nevent = 'waiting_for_user'\n"
        f"command = 'touch {started}; until test -e {release}; do sleep 0.01; done'\n"
    )

    def permission(question):
        until(started.exists)
        return True

    begun = session("codewhale", permission=permission)
    begun.submit("Do it.")
    assert begun.tool("Read", {"file_path": "a"}, shown, ask=True).output == {}
    release.touch()


def test_a_call_whose_hook_may_change_it_runs_beside_no_other(home, workspace):
    (home / ".wuu").mkdir()
    hooks_of = {"PreToolUse": [{"matcher": "bash", "type": "command", "command": "true"}]}
    (home / ".wuu" / "config.json").write_text(json.dumps({"hooks": hooks_of}))
    most = {"Bash": 0, "Read": 0}
    running = {"Bash": 0, "Read": 0}

    def counting(name):
        async def run(given, env):
            running[name] += 1
            most[name] = max(most[name], sum(running.values()))
            for _ in range(20):
                await asyncio.sleep(0)
            running[name] -= 1

        return run

    async def main():
        async with (
            Supervisor.open(workspace=workspace, home=home, dialects=["wuu"], trust="all") as hooks,
            AgentSession(hooks) as begun,
        ):
            await begun.start()
            await begun.submit("Do it.")
            names = ["Read", "Read", "Bash", "Bash", "Read"]
            await asyncio.gather(*(begun.tool(name, {"command": "x"}, counting(name)) for name in names))

    asyncio.run(main())
    assert most == {"Bash": 1, "Read": 2}


def test_a_stop_hook_that_fails_marks_the_turn_and_does_not_keep_it_going(session, home):
    (home / ".wuu").mkdir()
    hooks_of = {"Stop": [{"type": "command", "command": "echo broken >&2; exit 1"}]}
    (home / ".wuu" / "config.json").write_text(json.dumps({"hooks": hooks_of}))
    begun = session("wuu")
    begun.submit("Do it.")
    result = begun.finish("Done.")
    assert (result.goes_on, result.status) == (False, "failed")
    assert "broken" in result.reason


def test_the_person_is_asked_although_the_same_hook_ends_the_turn(session, claude_style):
    specific = {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "sure?"}
    answer = json.dumps({"continue": False, "stopReason": "enough", "hookSpecificOutput": specific})
    claude_style(".claude/settings.json", PreToolUse=(f"echo '{answer}'", {}))
    asked = []
    begun = session("claude-code", permission=asked.append)
    begun.submit("Do it.")
    result = begun.tool("Bash", {"command": "ls"}, shown)
    # The reason is that of the stop, so it is no part of the question.
    assert [(question.tool_name, question.reason) for question in asked] == [("Bash", None)]
    assert result.refused
    assert begun.ends_turn


def test_where_nobody_can_be_asked_a_question_beneath_a_stop_refuses(session, claude_style):
    specific = {"hookEventName": "PreToolUse", "permissionDecision": "ask"}
    answer = json.dumps({"continue": False, "hookSpecificOutput": specific})
    claude_style(".claude/settings.json", PreToolUse=(f"echo '{answer}'", {}))
    begun = session("claude-code")
    begun.submit("Do it.")
    assert begun.tool("Bash", {"command": "ls"}, shown).refused
