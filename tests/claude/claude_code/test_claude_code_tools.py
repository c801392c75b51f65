from __future__ import annotations

import json

import pytest

from hookfw import Document, PreToolUse, ServerSpec
from hookfw_claude.claude_code import locations

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls", "n": 2}, session_id="s")
ENV = ("CLAUDE_PROJECT_DIR", "/srv/project")
PLUGIN = "/opt/plugin"


def tool(**fields):
    return {"type": "mcp_tool", "server": "gate", "tool": "check"} | fields


def own(**content):
    """The client's own file."""
    return Document("/home/ada/.claude.json", "user", "trust", json.dumps(content).encode())


def shared(content, path="/srv/project/.mcp.json"):
    data = content if isinstance(content, str) else json.dumps({"mcpServers": content})
    return Document(path, "project", locations.PROJECT_SERVERS, data.encode())


def spec_of(claude, *documents, server="gate", **places):
    """How the server of a hook of the person's is reached."""
    settings = claude.file({"hooks": {"PreToolUse": [{"hooks": [tool(server=server)]}]}})
    loaded = claude.load(settings, *documents, **places)
    return loaded.hooks[0].config.server, loaded


def request(claude, *documents, **fields):
    settings = claude.file({"hooks": {"PreToolUse": [{"hooks": [tool(**fields)]}]}})
    (hook,) = claude.load(settings, *documents).hooks
    row = claude.row(CALL)
    return claude.dialect.invocation(row, hook, claude.session()).config, hook, row


def test_what_a_path_stands_for_is_always_text(claude):
    asked, _, _ = request(claude, input={"a": "${tool_input.n}", "b": ["${tool_input}"], "c": 5, "${session_id}": True})
    assert asked.arguments == {"a": "2", "b": ['{"command":"ls","n":2}'], "c": 5, "${session_id}": True}
    assert (asked.server, asked.tool, asked.spec, asked.problem) == ("gate", "check", None, "")


def test_a_path_that_leads_nowhere_is_empty_and_said(claude):
    asked, hook, row = request(claude, input={"a": "x${nope}", "b": "${nope} ${tool_input.no}"})
    assert asked.arguments == {"a": "x", "b": " "}
    reading = claude.dialect.interpret(row, hook, claude.exited(""))
    (said,) = [item for item in reading.diagnostics if item.code == "missing-path"]
    assert "`${nope}`, `${tool_input.no}`" in said.message
    assert reading.status == "completed"


def test_servers_come_from_the_clients_own_file_and_from_the_project(claude):
    everywhere = own(mcpServers={"gate": {"command": "everywhere"}})
    here = own(
        mcpServers={"gate": {"command": "everywhere"}},
        projects={"/srv/project": {"mcpServers": {"gate": {"command": "here"}}}},
    )
    project = shared({"gate": {"command": "project"}})
    assert spec_of(claude, project)[0].spec == ServerSpec(command="project", env=(ENV,), cwd="/srv/project/")
    assert spec_of(claude, everywhere, project)[0].spec.command == "everywhere"
    assert spec_of(claude, here, project)[0].spec.command == "here"


def test_variables_are_filled_in_with_their_defaults(claude):
    entry = {
        "type": "http",
        "url": "${BASE:-https://x.example}/mcp",
        "headers": {"Authorization": "Bearer ${TOKEN}", "X": "$TOKEN ${EMPTY:-not}"},
    }
    environ = {"TOKEN": "t", "EMPTY": ""}
    server, _ = spec_of(claude, shared({"gate": entry}), environ=environ)
    assert server.spec == ServerSpec(
        url="https://x.example/mcp", headers=(("Authorization", "Bearer t"), ("X", "$TOKEN "))
    )


def test_a_variable_that_is_not_set_stays_and_is_said(claude):
    entry = {"command": "${CLAUDE_PROJECT_DIR}/serve", "args": ["${ABSENT}"], "env": {"A": "${ABSENT}"}}
    server, loaded = spec_of(claude, shared({"gate": entry}))
    assert (server.spec.command, server.spec.args) == ("/srv/project/serve", ("${ABSENT}",))
    (said,) = [item for item in loaded.diagnostics if item.code == "odd-server"]
    assert "'gate' names the variable `ABSENT`" in said.message


def test_the_time_to_connect_is_the_clients_own_variable(claude):
    project = shared({"gate": {"command": "x"}})
    seconds = [
        spec_of(claude, project, environ=environ)[0].spec.startup_timeout
        for environ in ({}, {"MCP_TIMEOUT": "1500"}, {"MCP_TIMEOUT": "soon"}, {"MCP_TIMEOUT": "-1"})
    ]
    assert seconds == [30, 1.5, 30, 30]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (5, "is no object"),
        ({"type": "sse", "url": "https://x"}, "`sse`"),
        ({"command": "x", "args": 1}, "`args`"),
        ({"command": "x", "args": [1]}, "`args`"),
        ({"url": "https://x", "headers": []}, "`headers`"),
        ({}, "neither"),
    ],
)
def test_an_entry_that_cannot_be_used_says_why_at_the_run(claude, entry, words):
    asked, _, _ = request(claude, shared({"gate": entry}))
    assert words in asked.problem


def test_a_servers_file_that_is_broken_is_said_where_a_hook_calls_a_tool(claude):
    for content in ("{", "[]"):
        _, loaded = spec_of(claude, shared(content))
        (said,) = [item for item in loaded.diagnostics if item.code == "broken-file"]
        assert ".mcp.json" in said.message
    assert not claude.load(claude.file({}), shared("{")).diagnostics


@pytest.mark.parametrize("where", ["settings", "own"])
def test_a_project_server_that_was_rejected_is_not_reached(claude, where):
    rejected = {"disabledMcpjsonServers": ["gate", "other", 5]}
    settings = claude.file(rejected if where == "settings" else {}, "local")
    client = own(projects={"/srv/project": rejected if where == "own" else {}})
    server, _ = spec_of(claude, settings, client, shared({"gate": {"command": "x"}}))
    assert (server.spec, "rejected" in server.problem) == (None, True)


@pytest.mark.parametrize("where", ["manifest", "file", "bare file", "named file"])
def test_a_plugins_servers_have_its_name_and_its_variables(claude, tmp_path, where):
    home, workspace, plugin = (tmp_path / name for name in ("home", "workspace", "plugin"))
    for folder in (home / ".claude", workspace, plugin / ".claude-plugin", plugin / "conf"):
        folder.mkdir(parents=True)
    table = {"db": {"command": "${CLAUDE_PLUGIN_ROOT}/serve", "args": ["${user_config.level}"]}}
    manifest = {"name": "stock"}
    if where == "manifest":
        manifest["mcpServers"] = table
    elif where == "named file":
        manifest["mcpServers"] = "./conf/servers.json"
    name = {"named file": "conf/servers.json"}.get(where, ".mcp.json")
    if where != "manifest":
        (plugin / name).write_text(json.dumps(table if where == "bare file" else {"mcpServers": table}))
    (plugin / ".claude-plugin/plugin.json").write_text(json.dumps(manifest))
    settings = {
        "hooks": {"Stop": [{"hooks": [tool(server="plugin:stock:db")]}]},
        "pluginConfigs": {"stock@shop": {"options": {"level": 3}}},
    }
    (home / ".claude/settings.json").write_text(json.dumps(settings))
    loaded, _ = claude.on_disk(home, workspace, plugin_dirs=(str(plugin),))
    (hook,) = loaded.hooks
    spec = hook.config.server.spec
    assert (spec.command, spec.args) == (f"{plugin}/serve", ("3",))
    assert dict(spec.env)["CLAUDE_PLUGIN_ROOT"] == str(plugin)


def test_a_projects_servers_are_part_of_what_is_reviewed(claude, home, workspace):
    (home / ".claude").mkdir()
    (workspace / ".mcp.json").write_text('{"mcpServers": {"gate": {"command": "look-at-me"}}}')

    def review(handler):
        (home / ".claude/settings.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": [handler]}]}}))
        from hookfw import FileView, Places

        where = Places(home=str(home), workspace=str(workspace))
        documents = claude.dialect.discover(where, FileView())
        loaded = claude.dialect.load(documents, where, trust_all=False)
        (found,) = claude.dialect.reviews(loaded, documents, where)
        return found.text

    assert "look-at-me" in review(tool())
    assert "look-at-me" not in review({"type": "command", "command": "x"})


@pytest.mark.parametrize("event", ["SessionStart", "Setup"])
def test_where_the_client_has_no_servers_yet_the_call_is_made_and_that_is_said(claude, event):
    loaded = claude.load_handlers(tool(), event=event)
    (said,) = [item for item in loaded.diagnostics if item.code == "early-tool"]
    assert event in said.message


def test_a_tool_is_never_called_in_the_background(claude):
    (hook,) = claude.load_handlers(tool(**{"async": True, "asyncRewake": True, "onFailure": "block"})).hooks
    assert not hook.background
    assert hook.strict
