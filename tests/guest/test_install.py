from __future__ import annotations

import json
import os
import stat
import subprocess

import pytest

AGENTS = {
    "claude-code": "home/.claude/settings.json",
    "codex": "home/.codex/hooks.json",
    "mind": "home/.mind/hooks.json",
    "deepagents": "home/.deepagents/hooks.json",
    "codewhale": "home/.codewhale/config.toml",
    "wuu": "home/.wuu/config.json",
}
GATE = """event = "tool_call_before"\ncommand = '''echo '{"decision":"deny","reason":"not here"}' '''"""


@pytest.fixture
def hooks(site):
    """Somebody has a gate for Codewhale, and one for Claude Code."""
    site.codewhale(GATE)
    site.claude(PreToolUse="exit 0", Stop="exit 0")
    return site


def test_only_events_that_somebody_has_hooks_for_are_installed(hooks):
    done = hooks.command("guest", "install", "codex", "--json").json
    assert done["events"] == ["PreToolUse", "Stop"]
    assert "/hooks" in done["approval"]
    entries = json.loads((hooks.root / AGENTS["codex"]).read_text())["hooks"]
    command = entries["PreToolUse"][0]["hooks"][0]["command"]
    assert command.endswith("/hookfw guest codex PreToolUse")
    assert os.path.isabs(command.split()[0])


@pytest.mark.parametrize("agent", AGENTS)
def test_installing_twice_changes_nothing_and_taking_out_gives_the_file_back(hooks, agent):
    path = hooks.root / AGENTS[agent]
    before = path.read_bytes() if path.exists() else None
    assert hooks.command("guest", "install", agent).status == 0
    after = path.read_bytes()
    assert after != before
    again = hooks.command("guest", "install", agent)
    assert (again.status, path.read_bytes()) == (0, after)
    assert "Nothing to change" in again.out
    assert hooks.command("guest", "uninstall", agent).status == 0
    assert (path.read_bytes() if path.exists() else None) == before


def test_what_was_made_is_removed_with_its_folders(hooks):
    hooks.command("guest", "install", "mind")
    hooks.command("guest", "uninstall", "mind")
    assert not (hooks.home / ".mind").exists()


def test_a_folder_that_somebody_else_uses_stays(hooks):
    hooks.command("guest", "install", "mind")
    other = hooks.write("home/.mind/notes", "mine")
    hooks.command("guest", "uninstall", "mind")
    assert other.exists()
    assert not (hooks.root / AGENTS["mind"]).exists()


def test_trying_it_shows_the_difference_and_changes_nothing(hooks):
    said = hooks.command("guest", "install", "codex", "--dry-run")
    assert "+" in said.out
    assert "Would be changed" in said.out
    assert not (hooks.root / AGENTS["codex"]).exists()


@pytest.mark.parametrize("agent", [agent for agent in AGENTS if agent != "codewhale"])
@pytest.mark.parametrize(
    "broken", ['{"hooks": {', "// comment\n{}", "[]", '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}']
)
def test_a_file_that_cannot_be_read_is_left_alone(hooks, agent, broken):
    path = hooks.write(AGENTS[agent], broken)
    said = hooks.command("guest", "install", agent)
    assert said.status == 1
    assert str(path) in said.err
    assert path.read_text() == broken


@pytest.mark.parametrize("broken", ["[hooks\n", "hooks = { hooks = [] }\n", '[hooks]\nhooks = "none"\n'])
def test_a_toml_file_that_cannot_be_read_or_added_to_is_left_alone(hooks, broken):
    path = hooks.write(AGENTS["codewhale"], broken)
    said = hooks.command("guest", "install", "codewhale")
    assert said.status == 1
    assert str(path) in said.err
    assert path.read_text() == broken


def test_a_comment_and_an_order_of_the_persons_stay(hooks):
    path = hooks.root / AGENTS["codewhale"]
    path.write_text("# mine\n\nmodel = 'x' # and why\n" + path.read_text() + "# the end")
    before = path.read_text()
    hooks.command("guest", "install", "codewhale")
    assert path.read_text().startswith(before)
    hooks.command("guest", "uninstall", "codewhale")
    assert path.read_text() == before


def test_entries_are_found_again_in_a_file_that_was_written_anew(hooks):
    path = hooks.root / AGENTS["claude-code"]
    mine = json.loads(path.read_text())
    hooks.command("guest", "install", "claude-code")
    path.write_text(json.dumps(json.loads(path.read_text()), indent=7, sort_keys=True))
    assert "hookfw guest" in path.read_text()
    hooks.command("guest", "uninstall", "claude-code")
    assert json.loads(path.read_text()) == mine


def test_what_the_person_added_to_the_entries_stays(hooks):
    path = hooks.root / AGENTS["codex"]
    hooks.command("guest", "install", "codex")
    document = json.loads(path.read_text())
    document["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "mine"})
    path.write_text(json.dumps(document))
    hooks.command("guest", "uninstall", "codex")
    assert json.loads(path.read_text()) == {
        "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}]}
    }


def test_entries_are_found_again_in_toml_whose_note_is_gone(hooks):
    path = hooks.root / AGENTS["codewhale"]
    before = path.read_text()
    hooks.command("guest", "install", "codewhale")
    for note in (hooks.home / ".config/hookfw/guests").iterdir():
        note.unlink()
    path.write_text(path.read_text() + '\n[[hooks.hooks]]\nevent = "turn_end"\ncommand = "mine"\n')
    hooks.command("guest", "uninstall", "codewhale")
    assert "hookfw guest" not in path.read_text()
    assert path.read_text().startswith(before)
    assert 'command = "mine"' in path.read_text()


def test_a_later_installation_adds_what_is_new(hooks):
    path = hooks.root / AGENTS["mind"]
    hooks.command("guest", "install", "mind")
    hooks.claude(PreToolUse="exit 0", Stop="exit 0", UserPromptSubmit="exit 0")
    hooks.command("guest", "install", "mind")
    assert sorted(json.loads(path.read_text())["hooks"]) == ["PreToolUse", "Stop", "UserPromptSubmit"]
    hooks.command("guest", "uninstall", "mind")
    assert not path.exists()


def test_events_that_nobody_has_hooks_for_any_more_stay(hooks):
    path = hooks.root / AGENTS["mind"]
    hooks.command("guest", "install", "mind")
    before = path.read_bytes()
    hooks.claude(PreToolUse="exit 0")
    assert "Nothing to change" in hooks.command("guest", "install", "mind").out
    assert path.read_bytes() == before


def test_claude_code_blocks_on_failure_where_guests_fail_closed(hooks):
    path = hooks.root / AGENTS["claude-code"]
    before = path.read_bytes()
    hooks.command("guest", "install", "claude-code")
    assert "onFailure" not in path.read_text()
    hooks.write("home/.config/hookfw/config.toml", '[guest]\non_failure = "closed"\n')
    hooks.command("guest", "install", "claude-code")
    handlers = [group["hooks"][0] for group in json.loads(path.read_text())["hooks"]["PreToolUse"]]
    assert [handler.get("onFailure") for handler in handlers] == [None, "block"]
    assert path.read_text().count("hookfw guest") == 1
    hooks.command("guest", "uninstall", "claude-code")
    assert path.read_bytes() == before


def test_codewhale_is_strict_where_guests_fail_closed(hooks):
    hooks.write("home/.config/hookfw/config.toml", '[guest]\non_failure = "closed"\n')
    hooks.command("guest", "install", "codewhale")
    assert "continue_on_error = false" in (hooks.root / AGENTS["codewhale"]).read_text()


def test_the_end_of_a_session_keeps_its_own_limits(site):
    site.codewhale('event = "session_end"\ncommand = "true"')
    for agent, timeout in (("claude-code", None), ("codex", 3), ("mind", 3)):
        site.command("guest", "install", agent)
        document = json.loads((site.root / AGENTS[agent]).read_text())
        assert document["hooks"]["SessionEnd"][0]["hooks"][0].get("timeout") == timeout


@pytest.mark.parametrize("agent", ["codex", "mind"])
def test_a_table_that_has_hooks_already_takes_the_entries(hooks, agent):
    text = '# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "mine"\n'
    path = hooks.write(f"home/.{agent}/config.toml", text)
    hooks.command("guest", "install", agent)
    assert path.read_text().count("hookfw guest") == 2
    assert not (path.parent / "hooks.json").exists()
    assert "Nothing to change" in hooks.command("guest", "install", agent).out
    hooks.command("guest", "uninstall", agent)
    assert path.read_text() == text


def test_the_projects_file_of_claude_code_is_that_of_one_person(hooks):
    hooks.command("guest", "install", "claude-code", "--scope", "project")
    path = hooks.workspace / ".claude" / "settings.local.json"
    assert "hookfw guest claude-code" in path.read_text()
    hooks.command("guest", "uninstall", "claude-code", "--scope", "project")
    assert not path.parent.exists()


@pytest.mark.parametrize(
    ("agent", "where"),
    [("codex", ".codex/hooks.json"), ("mind", ".mind/hooks.json"), ("deepagents", ".deepagents/hooks.json")],
)
def test_a_projects_file_and_what_it_needs(hooks, agent, where):
    done = hooks.command("guest", "install", agent, "--scope", "project", "--json").json
    assert done["path"] == str(hooks.workspace / where)
    assert "trust" in done["approval"]


def test_a_projects_file_of_codewhale_has_its_entries_at_the_top(hooks):
    hooks.command("guest", "install", "codewhale", "--scope", "project")
    assert (hooks.workspace / ".codewhale" / "hooks.toml").read_text().startswith("[[hooks]]\n")


def test_a_projects_file_of_wuu_would_take_the_place_of_the_persons_and_is_not_touched(hooks):
    said = hooks.command("guest", "install", "wuu", "--scope", "project")
    assert said.status == 1
    assert "--scope user" in said.err
    assert not (hooks.workspace / ".wuu").exists()


def test_links_and_modes_stay(hooks):
    real = hooks.write("home/dotfiles/settings.json", "{}\n")
    real.chmod(0o640)
    link = hooks.home / ".claude" / "settings.json"
    link.unlink()
    link.symlink_to(real)
    hooks.command("guest", "install", "claude-code")
    assert link.is_symlink()
    assert "hookfw guest" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    hooks.command("guest", "uninstall", "claude-code")
    assert real.read_text() == "{}\n"


def test_nothing_that_an_agent_keeps_about_trust_is_touched(hooks):
    for agent in AGENTS:
        hooks.command("guest", "install", agent)
    stores = [".codex/config.toml", ".mind/config.toml", ".deepagents/.state", ".codewhale/hooks_trust.json"]
    assert [store for store in stores if (hooks.home / store).exists()] == []


def test_where_nobody_has_hooks_nothing_is_installed(site):
    said = site.command("guest", "install", "codex")
    assert said.status == 0
    assert "nothing to install" in said.out
    assert not (site.home / ".codex").exists()


def test_taking_out_what_is_not_there_changes_nothing(hooks):
    before = (hooks.root / AGENTS["codewhale"]).read_bytes()
    for agent in AGENTS:
        assert hooks.command("guest", "uninstall", agent).status == 0
    assert (hooks.root / AGENTS["codewhale"]).read_bytes() == before


@pytest.mark.parametrize("words", [["install"], ["install", "codex", "x"], ["codex", "a", "b"], []])
def test_a_command_line_that_says_something_else_is_explained(site, words):
    said = site.command("guest", *words)
    assert said.status == 1
    assert said.err.startswith("hookfw: ")


def test_an_installed_line_runs_as_it_stands(hooks):
    hooks.command("guest", "install", "codex")
    line = json.loads((hooks.root / AGENTS["codex"]).read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}, "cwd": str(hooks.workspace)}
    ended = subprocess.run(
        ["sh", "-c", line],
        input=json.dumps(call).encode(),
        capture_output=True,
        cwd=hooks.workspace,
        env=hooks.environ,
        check=True,
    )
    assert json.loads(ended.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
