from __future__ import annotations

import json

import pytest

from hookfw import FileView, Places

HOOKS = {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}


class Below(FileView):
    """Real files, with one folder in the place of the root: managed settings lie where no test may write."""

    def __init__(self, root):
        super().__init__()
        self.root = str(root)

    def read(self, path):
        return super().read(self.root + path)

    def names(self, path):
        return super().names(self.root + path)

    def resolve(self, path):
        return path


def write(path, content=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"hooks": HOOKS} if content is None else content))


def scopes(loaded):
    return [hook.source.scope for hook in loaded.hooks]


def test_all_files_in_the_order_in_which_their_hooks_start(claude, home, workspace):
    write(workspace / ".claude/settings.local.json")
    write(workspace / ".claude/settings.json")
    write(home / ".claude/settings.json")
    write(home / "plug/hooks/hooks.json")
    override = {"settings": json.dumps(json.dumps({"hooks": HOOKS}))}
    loaded, _ = claude.on_disk(home, workspace, overrides=override, plugin_dirs=(str(home / "plug"),))
    assert scopes(loaded) == ["user", "project", "local", "cli", "plugin"]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [("linux", "/etc/claude-code"), ("darwin", "/Library/Application Support/ClaudeCode")],
)
def test_managed_settings_and_the_files_beside_them(claude, tmp_path, platform, folder):
    base = tmp_path / folder[1:]
    for name in (
        "managed-settings.json",
        "managed-settings.d/b.json",
        "managed-settings.d/a.json",
        "managed-settings.d/c.txt",
    ):
        write(base / name)
    places = Places(home="/home/ada", workspace="/srv/project", platform=platform)
    found = claude.dialect.discover(places, Below(tmp_path))
    assert [document.path.removeprefix(folder + "/") for document in found] == [
        "managed-settings.json",
        "managed-settings.d/a.json",
        "managed-settings.d/b.json",
    ]
    assert {document.scope for document in found} == {"managed"}


def test_the_person_may_keep_settings_elsewhere(claude, home, workspace, tmp_path):
    write(home / ".claude/settings.json")
    write(tmp_path / "config/settings.json")
    loaded, _ = claude.on_disk(home, workspace, environ={"CLAUDE_CONFIG_DIR": str(tmp_path / "config")})
    assert [hook.source.path for hook in loaded.hooks] == [str(tmp_path / "config/settings.json")]


def test_a_home_that_is_the_project_has_one_settings_file(claude, home):
    write(home / ".claude/settings.json")
    loaded, _ = claude.on_disk(home, home)
    assert scopes(loaded) == ["user"]


def test_settings_of_this_run_may_be_a_file(claude, home, workspace):
    write(workspace / "ci.json")
    loaded, _ = claude.on_disk(home, workspace, overrides={"settings": "'ci.json'"})
    assert scopes(loaded) == ["cli"]


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("'gone.json'", "does not exist"),
        ("5", "must be a text"),
        ("]", "must be a text"),
        ("'{broken'", "not valid JSON"),
    ],
)
def test_settings_of_this_run_that_cannot_be_used_are_said(claude, home, workspace, written, word):
    loaded, _ = claude.on_disk(home, workspace, overrides={"settings": written})
    assert loaded.hooks == ()
    assert word in loaded.diagnostics[0].message


def test_what_decides_about_trust_is_not_read_where_there_are_no_settings(claude, home, workspace):
    (home / ".claude.json").write_text("{}")
    files = FileView()
    assert claude.dialect.discover(Places(str(home), str(workspace)), files) == []
    assert str(workspace / ".claude/settings.json") in files.asked
    assert "/etc/claude-code/managed-settings.d" in files.asked


def test_a_link_to_settings_is_followed_and_shows_where_it_leads(claude, home, workspace):
    write(home / "dotfiles/settings.json")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(home / "dotfiles/settings.json")
    loaded, _ = claude.on_disk(home, workspace)
    assert [hook.source.path for hook in loaded.hooks] == [str(home / "dotfiles/settings.json")]


def plugin(claude, home, workspace):
    return claude.on_disk(home, workspace, plugin_dirs=(str(home / "plug"),))[0]


def test_a_manifest_names_a_plugin_and_more_hooks_files(claude, home, workspace):
    write(home / "plug/hooks/hooks.json")
    write(home / "plug/more/hooks.json", {"hooks": HOOKS, "description": "more"})
    write(
        home / "plug/.claude-plugin/plugin.json", {"name": "gate", "hooks": ["./more/hooks.json", "./hooks/hooks.json"]}
    )
    loaded = plugin(claude, home, workspace)
    assert [hook.source.path for hook in loaded.hooks] == [
        str(home / "plug/hooks/hooks.json"),
        str(home / "plug/more/hooks.json"),
    ]
    assert {hook.config.plugin.name for hook in loaded.hooks} == {"gate"}
    assert loaded.hooks[0].config.plugin.data == str(home / ".claude/plugins/data/gate")


def test_a_manifest_may_hold_hooks_itself(claude, home, workspace):
    write(home / "plug/.claude-plugin/plugin.json", {"hooks": HOOKS})
    (hook,) = plugin(claude, home, workspace).hooks
    assert hook.config.plugin.name == "plug"


@pytest.mark.parametrize(
    ("named", "word"),
    [
        ("hooks.json", "starts with `./`"),
        ("./gone.json", "nothing is"),
        ("./../outside.json", "leads out"),
        ([5], "`./`"),
    ],
)
def test_a_hooks_path_that_cannot_be_followed_is_said(claude, home, workspace, named, word):
    write(home / "outside.json")
    write(home / "plug/.claude-plugin/plugin.json", {"hooks": named})
    loaded = plugin(claude, home, workspace)
    assert loaded.hooks == ()
    assert word in loaded.diagnostics[0].message


def test_a_plugin_folder_without_a_plugin_is_said(claude, home, workspace):
    loaded = plugin(claude, home, workspace)
    assert "brings no hooks" in loaded.diagnostics[0].message


def test_options_of_a_plugin_come_from_the_person_and_not_from_a_project(claude, home, workspace):
    write(home / "plug/hooks/hooks.json")
    write(home / ".claude/settings.json", {"pluginConfigs": {"plug@market": {"options": {"level": 3, "on": True}}}})
    write(workspace / ".claude/settings.json", {"pluginConfigs": {"plug@market": {"options": {"level": 9}}}})
    (hook,) = plugin(claude, home, workspace).hooks
    variables = hook.config.plugin.variables
    assert variables["CLAUDE_PLUGIN_OPTION_LEVEL"] == "3"
    assert variables["CLAUDE_PLUGIN_OPTION_ON"] == "true"
    assert variables["CLAUDE_PLUGIN_ROOT"] == str(home / "plug")
