from __future__ import annotations

import json

import pytest

HOOKS = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}})
INLINE = '[[hooks.Stop]]\nhooks = [{ type = "command", command = "true" }]\n'


def put(folder, name, content):
    (folder / ".mind").mkdir(parents=True, exist_ok=True)
    (folder / ".mind" / name).write_text(content)
    return str((folder / ".mind" / name).resolve())


def trusting(*folders, level="trusted"):
    return "".join(f"[projects.'{folder}']\ntrust_level = \"{level}\"\n" for folder in folders)


def paths(loaded):
    return [hook.source.path for hook in loaded.hooks]


def codes(loaded):
    return [item.code for item in loaded.diagnostics]


@pytest.fixture
def repository(workspace):
    """A git repository with two folders below each other; the workspace is the inner one."""
    (workspace / ".git").mkdir()
    inner = workspace / "packages" / "core"
    inner.mkdir(parents=True)
    return inner


def test_no_files_are_no_documents_and_no_findings(mind, home, workspace):
    loaded, states = mind.on_disk(home, workspace)
    assert (loaded.hooks, loaded.diagnostics, states) == ((), (), {})


def test_layers_come_in_order_and_in_each_the_file_before_the_table(mind, home, workspace, repository):
    middle = repository.parent
    expected = [
        put(home, "hooks.json", HOOKS),
        put(home, "config.toml", INLINE + trusting(workspace)),
        put(home, "work.config.toml", INLINE),
        put(workspace, "hooks.json", HOOKS),
        put(workspace, "config.toml", INLINE),
        put(middle, "hooks.json", HOOKS),
        put(repository, "config.toml", INLINE),
    ]
    loaded, _ = mind.on_disk(home, repository, profile="work")
    assert paths(loaded) == expected
    assert [hook.source.scope for hook in loaded.hooks] == ["user"] * 3 + ["project"] * 4


def test_a_folder_nobody_trusts_is_not_read_and_one_warning_says_so(mind, home, workspace):
    put(workspace, "hooks.json", "{ broken")
    loaded, _ = mind.on_disk(home, workspace)
    assert loaded.hooks == ()
    (diagnostic,) = loaded.diagnostics
    assert (diagnostic.code, diagnostic.file) == ("untrusted-project", str(workspace / ".mind"))
    assert f'under `[projects."{workspace}"]`' in diagnostic.message


@pytest.mark.parametrize("where", ["directory", "project root", "repository"])
def test_trust_is_looked_up_for_the_folder_then_the_root_then_the_repository(mind, home, workspace, repository, where):
    marked = workspace / "packages"
    (marked / "here.toml").touch()
    put(repository, "hooks.json", HOOKS)
    trusted = {"directory": repository, "project root": marked, "repository": workspace}[where]
    put(home, "config.toml", 'project_root_markers = ["here.toml"]\n' + trusting(trusted))
    assert len(mind.on_disk(home, repository)[0].hooks) == 1


def test_the_first_entry_found_decides(mind, home, workspace, repository):
    put(repository, "hooks.json", HOOKS)
    put(workspace, "hooks.json", HOOKS)
    put(home, "config.toml", trusting(workspace) + trusting(repository, level="untrusted"))
    loaded, _ = mind.on_disk(home, repository)
    assert paths(loaded) == [str(workspace / ".mind" / "hooks.json")]
    assert codes(loaded) == ["untrusted-project"]


@pytest.mark.parametrize("level", ["untrusted", "Trusted", "yes"])
def test_only_the_word_trusted_trusts(mind, home, workspace, level):
    put(workspace, "hooks.json", HOOKS)
    put(home, "config.toml", trusting(workspace, level=level))
    assert mind.on_disk(home, workspace)[0].hooks == ()


def test_a_project_and_a_profile_cannot_trust_the_project(mind, home, workspace):
    put(workspace, "hooks.json", HOOKS)
    put(workspace, "config.toml", trusting(workspace))
    put(home, "work.config.toml", trusting(workspace))
    assert mind.on_disk(home, workspace, profile="work")[0].hooks == ()


def test_folders_above_the_project_root_do_not_count(mind, home, tmp_path, workspace):
    put(tmp_path, "hooks.json", HOOKS)
    put(workspace, "hooks.json", HOOKS)
    put(home, "config.toml", trusting(tmp_path, workspace))
    assert paths(mind.on_disk(home, workspace)[0]) == [str(workspace / ".mind" / "hooks.json")]


@pytest.mark.parametrize("markers", ["[]", '["nowhere"]', '["", 5]'])
def test_without_a_marker_that_is_found_the_workspace_is_the_root(mind, home, workspace, repository, markers):
    put(workspace, "hooks.json", HOOKS)
    put(repository, "hooks.json", HOOKS)
    put(home, "config.toml", f"project_root_markers = {markers}\n" + trusting(workspace))
    assert paths(mind.on_disk(home, repository)[0]) == [str(repository / ".mind" / "hooks.json")]


def test_the_home_as_workspace_is_read_once_as_the_persons_own(mind, home):
    put(home, "hooks.json", HOOKS)
    put(home, "config.toml", INLINE + trusting(home))
    loaded, _ = mind.on_disk(home, home)
    assert [hook.source.scope for hook in loaded.hooks] == ["user", "user"]


def test_a_linked_worktree_takes_the_hooks_of_the_main_checkout(mind, home, tmp_path, workspace):
    (workspace / ".git" / "worktrees" / "tree").mkdir(parents=True)
    tree = (tmp_path / "tree").resolve()
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {workspace}/.git/worktrees/tree\n")
    put(tree, "hooks.json", HOOKS)
    main = put(workspace, "hooks.json", HOOKS)
    put(home, "config.toml", trusting(workspace))
    assert paths(mind.on_disk(home, tree)[0]) == [main]


@pytest.mark.parametrize("pointer", ["gitdir: /somewhere/.git/modules/sub\n", "rubbish", ""])
def test_a_submodule_or_a_strange_git_file_is_its_own_repository(mind, home, tmp_path, pointer):
    module = (tmp_path / "module").resolve()
    module.mkdir()
    (module / ".git").write_text(pointer)
    own = put(module, "hooks.json", HOOKS)
    put(home, "config.toml", trusting(module))
    assert paths(mind.on_disk(home, module)[0]) == [own]


def test_hooks_are_filed_under_the_real_path_of_their_file(mind, home, workspace, tmp_path):
    real = tmp_path / "dotfiles"
    real.mkdir()
    (real / "hooks.json").write_text(HOOKS)
    (home / ".mind").mkdir()
    (home / ".mind" / "hooks.json").symlink_to(real / "hooks.json")
    loaded, _ = mind.on_disk(home, workspace)
    assert loaded.hooks[0].config.key == f"{(real / 'hooks.json').resolve()}|command:Stop:0:0"


def test_a_broken_config_of_the_person_trusts_nothing(mind, home, workspace):
    put(workspace, "hooks.json", HOOKS)
    put(home, "config.toml", trusting(workspace) + "x = [")
    loaded, _ = mind.on_disk(home, workspace)
    assert loaded.hooks == ()
    assert sorted(codes(loaded)) == ["broken-file", "untrusted-project"]


@pytest.mark.parametrize(("profile", "word"), [("none", "does not exist"), ("../x", "letters, digits")])
def test_a_profile_that_cannot_be_used_is_an_error_of_its_own(mind, home, workspace, profile, word):
    put(home, "hooks.json", HOOKS)
    loaded, _ = mind.on_disk(home, workspace, profile=profile)
    assert len(loaded.hooks) == 1
    assert word in loaded.diagnostics[0].message


def test_a_profile_does_not_read_the_persons_hooks_file_again(mind, home, workspace):
    put(home, "hooks.json", HOOKS)
    put(home, "work.config.toml", INLINE)
    loaded, _ = mind.on_disk(home, workspace, profile="work")
    assert len(loaded.hooks) == 2
    assert codes(loaded) == []


def test_an_override_of_hooks_replaces_all_layers_and_their_warnings(mind, home, workspace):
    put(home, "hooks.json", "{ broken")
    put(home, "config.toml", INLINE)
    given = '{ Stop = [{ hooks = [{ type = "command", command = "echo cli" }] }] }'
    loaded, _ = mind.on_disk(home, workspace, overrides={"hooks": given})
    (hook,) = loaded.hooks
    assert (hook.command, hook.source.path, hook.source.scope) == ("echo cli", "cli", "cli")
    assert hook.config.key == "cli|command:Stop:0:0"
    assert loaded.diagnostics == ()


def test_an_override_of_one_event_is_an_error_and_changes_nothing(mind, home, workspace):
    put(home, "config.toml", INLINE)
    loaded, _ = mind.on_disk(home, workspace, overrides={"hooks.Stop": "[]"})
    assert len(loaded.hooks) == 1
    assert codes(loaded) == ["unknown-override"]


@pytest.mark.parametrize("overrides", [{"hooks": "3"}, {"hooks": "{"}, {"hooks.state": "3"}])
def test_an_override_that_cannot_be_read_is_said_and_ignored(mind, home, workspace, overrides):
    put(home, "config.toml", INLINE)
    loaded, _ = mind.on_disk(home, workspace, overrides=overrides)
    assert len(loaded.hooks) == 1
    assert codes(loaded) == ["broken-override"]


def test_an_override_of_something_else_is_none_of_our_business(mind, home, workspace):
    assert mind.on_disk(home, workspace, overrides={"model": '"x"'})[0].diagnostics == ()
