from __future__ import annotations

import asyncio
import json

import pytest
from twins import TwinsPlugin

import hookfw.background
import hookfw.handlers
from hookfw import (
    Agent,
    AgentInfo,
    ClosedError,
    ConfigurationError,
    EventError,
    Host,
    Loss,
    NativeAnswer,
    NativeCall,
    PluginError,
    PreToolUse,
    Stop,
    Supervisor,
    hookimpl,
    open_sync,
)


class Terse(Agent):
    """An agent whose calls are `{"tool", "input", "session"?, "folder"?}` and whose answers are a word."""

    name = "terse"

    def parse_event(self, call):
        told = json.loads(call.stdin)
        if told == "broken":
            raise RuntimeError(told)
        if call.event_hint == "stop":
            return Stop()
        if "tool" not in told:
            message = "This call names no tool."
            raise EventError(message)
        fields = {"session_id": told.get("session"), "cwd": told.get("folder")}
        given = {name: value for name, value in fields.items() if value is not None}
        return PreToolUse(tool_name=told["tool"], tool_input=told.get("input"), **given)

    def render(self, event, outcome):
        if event.kind == "stop":
            message = "no ends"
            raise RuntimeError(message)
        said = "no" if outcome.refused else json.dumps(outcome.updated_input)
        return NativeAnswer(3 if outcome.refused else 0, said.encode(), (outcome.reason or "").encode())

    def can_say(self, event, outcome):
        return [Loss("context", "it is left out")] if outcome.context else []


class Plugin:
    def __init__(self, seen):
        @hookimpl
        def register_agents():
            return [AgentInfo(name="terse", title="Terse", load=Terse)]

        @hookimpl
        def diagnostic_emitted(diagnostic):
            seen.append(diagnostic)

        self.register_agents = register_agents
        self.diagnostic_emitted = diagnostic_emitted


class Rig:
    def __init__(self, kind, home, workspace):
        self.kind, self.home, self.workspace = kind, home, workspace
        self.emitted = []
        self.host = Host()
        for plugin, name in (
            (TwinsPlugin(), "twins"),
            (hookfw.handlers, "command"),
            (hookfw.background, "background"),
            (Plugin(self.emitted), "terse"),
        ):
            self.host.register(plugin, name)

    def hook(self, **hook):
        hooks = json.loads(path.read_text()) if (path := self.home / ".chaining.json").exists() else []
        path.write_text(json.dumps([*hooks, {"event": "pre_tool_use", **hook}]))

    def answer(self, told, hint=None, seen=None, **options):
        call = NativeCall(event_hint=hint, stdin=json.dumps(told).encode())
        options = {"workspace": self.workspace, "home": self.home, "host": self.host, "mode": "terse"} | options
        if self.kind == "sync":
            with open_sync(**options) as hooks:
                return hooks.fire_native(call, seen)

        async def session():
            async with Supervisor.open(**options) as hooks:
                return await hooks.fire_native(call, seen)

        return asyncio.run(session())


@pytest.fixture(params=["async", "sync"])
def rig(request, home, workspace):
    return Rig(request.param, home, workspace)


def test_an_agents_own_call_is_answered_in_its_own_form(rig):
    rig.hook(command="echo not here >&2; exit 2", tool="Bash")
    assert rig.answer({"tool": "Bash"}) == NativeAnswer(3, b"no", b"not here")
    assert rig.answer({"tool": "Read"}) == NativeAnswer(0, b"null", b"")


def test_without_a_mode_the_remedy_is_said(rig):
    with pytest.raises(ConfigurationError, match=r'open the supervisor with one, such as mode="codex"'):
        rig.answer({"tool": "Bash"}, mode=None)


def test_a_call_that_names_no_event_is_an_event_error(rig):
    with pytest.raises(EventError, match="names no tool"):
        rig.answer({})


@pytest.mark.parametrize(("told", "hint", "where"), [("broken", None, "reads its call"), ({}, "stop", "writes its")])
def test_a_mode_that_breaks_is_an_error_that_names_it(rig, told, hint, where):
    with pytest.raises(PluginError, match=f"The mode 'terse' failed where it {where}.*RuntimeError"):
        rig.answer(told, hint)


def test_a_closed_supervisor_fires_nothing(home, workspace):
    rig = Rig("sync", home, workspace)
    hooks = open_sync(workspace=workspace, home=home, host=rig.host, mode="terse")
    hooks.close()
    with pytest.raises(ClosedError):
        hooks.fire_native(NativeCall(stdin=b'{"tool": "Bash"}'))


def test_what_the_form_cannot_say_is_a_diagnostic_for_observers_and_for_whoever_asks(rig):
    rig.hook(command="""echo '{"context": ["c"]}'""")
    seen = []
    rig.answer({"tool": "Bash"}, seen=lambda event, outcome: seen.append((event, outcome)))
    ((event, outcome),) = seen
    assert (event.tool_name, outcome.context) == ("Bash", ("c",))
    (diagnostic,) = outcome.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("degraded", "warning")
    assert diagnostic.message == (
        "The answer to terse does not say `context` as the outcome on pre_tool_use has it: it is left out."
    )
    assert rig.emitted == [diagnostic]


def test_session_and_folder_of_the_call_are_the_events_and_what_it_leaves_out_is_the_sessions(rig):
    rig.hook(command="cat > seen.json")
    rig.answer({"tool": "Bash", "session": "theirs", "folder": "/srv"}, session_id="ours")
    told = json.loads((rig.workspace / "seen.json").read_text())
    assert (told["session_id"], told["cwd"], told["workspace"]) == ("theirs", "/srv", str(rig.workspace))
    rig.answer({"tool": "Bash"}, session_id="ours")
    told = json.loads((rig.workspace / "seen.json").read_text())
    assert (told["session_id"], told["cwd"]) == ("ours", str(rig.workspace))


@pytest.mark.parametrize("dialects", [["claude-code"], None])
def test_a_rewrite_of_another_ecosystem_comes_back_in_the_agents_own_names_and_fields(home, workspace, dialects):
    # The mode's own tools are known, also where its ecosystem has no configuration or does not take part.
    (home / ".claude").mkdir()
    answer = json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "b"}}})
    (home / ".claude" / "settings.json").write_text(
        json.dumps(
            {
                "hooks": {
                    "PreToolUse": [
                        {"matcher": "Bash", "hooks": [{"type": "command", "command": f"cat >&2; echo '{answer}'"}]}
                    ]
                }
            }
        )
    )
    environ = {"DEEPSEEK_TOOL_NAME": "exec_shell", "DEEPSEEK_TOOL_ARGS": '{"command": "a"}'}
    with open_sync(workspace=workspace, home=home, mode="codewhale", dialects=dialects, trust="all") as hooks:
        given = hooks.fire_native(NativeCall("tool_call_before", environ=environ))
    assert json.loads(given.stdout) == {"updatedInput": {"command": "b"}}
