from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.codex.plugins import active_version

HOOKS = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}})
INLINE = '[[hooks.Stop]]\nhooks = [{ type = "command", command = "true" }]\n'


def put(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return str(path)


def trusting(*folders, level="trusted"):
    return "".join(f"[projects.'{folder}']\ntrust_level = \"{level}\"\n" for folder in folders)


def paths(loaded):
    return [hook.source.path for hook in loaded.hooks]


def codes(loaded):
    return [item.code for item in loaded.diagnostics]


@pytest.fixture
def repository(workspace):
    """A git repository with two folders below each other; the working directory is the inner one."""
    (workspace / ".git").mkdir()
    inner = workspace / "packages" / "core"
    inner.mkdir(parents=True)
    return inner


def test_no_files_are_no_documents_and_no_findings(codex, home, workspace):
    loaded, states = codex.on_disk(home, workspace)
    assert (loaded.hooks, loaded.diagnostics, states) == ((), (), {})


def test_layers_come_in_order_and_in_each_the_file_before_the_table(codex, home, workspace, repository):
    expected = [
        put(home / ".codex", "hooks.json", HOOKS),
        put(home / ".codex", "config.toml", INLINE + trusting(workspace)),
        put(workspace / ".codex", "hooks.json", HOOKS),
        put(workspace / ".codex", "config.toml", INLINE),
        put(repository.parent / ".codex", "hooks.json", HOOKS),
        put(repository / ".codex", "config.toml", INLINE),
        "/<session-flags>/config.toml",
    ]
    loaded, _ = codex.on_disk(
        home,
        repository,
        overrides={"hooks.Stop": INLINE.split("\n")[1].removeprefix("hooks = ").join(["[{hooks = ", "}]"])},
    )
    assert paths(loaded) == expected
    assert [hook.source.scope for hook in loaded.hooks] == ["user"] * 2 + ["project"] * 4 + ["cli"]
    assert [hook.config.key for hook in loaded.hooks] == [f"{path}:stop:0:0" for path in expected]


@pytest.mark.parametrize(
    ("cwd", "found"), [("packages/core", 2), (".", 1), ("..", 1), ("packages", 1), (None, 1), ("packages/gone", 1)]
)
def test_a_session_that_works_deeper_in_the_project_has_the_hooks_down_to_there(
    codex, home, workspace, repository, cwd, found
):
    put(home / ".codex", "config.toml", trusting(workspace))
    put(workspace / ".codex", "hooks.json", HOOKS)
    put(repository / ".codex", "hooks.json", HOOKS)
    where = None if cwd is None else str((workspace / cwd).resolve())
    loaded, _ = codex.on_disk(home, workspace, cwd=where)
    assert len(loaded.hooks) == found


@pytest.mark.parametrize("level", ["untrusted", "maybe", None])
def test_a_folder_nobody_trusts_is_not_read_and_one_warning_says_so(codex, home, workspace, level):
    put(workspace / ".codex", "hooks.json", "{ broken")
    if level is not None:
        put(home / ".codex", "config.toml", trusting(workspace, level=level))
    loaded, _ = codex.on_disk(home, workspace)
    assert loaded.hooks == ()
    assert codes(loaded) == ["untrusted-project"]
    assert f'under `[projects."{workspace}"]`' in loaded.diagnostics[0].message


def test_a_folder_counts_when_itself_or_the_repository_is_trusted(codex, home, workspace, repository):
    put(workspace / ".codex", "hooks.json", HOOKS)
    put(repository / ".codex", "hooks.json", HOOKS)
    put(home / ".codex", "config.toml", trusting(repository))
    loaded, _ = codex.on_disk(home, repository)
    assert paths(loaded) == [str(repository / ".codex" / "hooks.json")]


def test_a_project_cannot_trust_itself(codex, home, workspace):
    put(workspace / ".codex", "config.toml", INLINE + trusting(workspace))
    assert codex.on_disk(home, workspace)[0].hooks == ()


def test_the_persons_own_folder_is_no_project_too(codex, home):
    put(home / ".codex", "hooks.json", HOOKS)
    put(home / ".codex", "config.toml", trusting(home))
    assert len(codex.on_disk(home, home)[0].hooks) == 1


def test_another_folder_of_the_person_can_be_named(codex, home, workspace, tmp_path):
    put(home / ".codex", "hooks.json", HOOKS)
    path = put(tmp_path / "own", "hooks.json", HOOKS)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    for folder in ("own", "link"):
        loaded, _ = codex.on_disk(home, workspace, environ={"CODEX_HOME": str(tmp_path / folder)})
        assert paths(loaded) == [path]


def test_the_persons_configuration_is_watched_even_before_it_is_there(codex, home, workspace):
    from hookfw import FileView

    put(home / ".codex", "hooks.json", HOOKS)
    documents = codex.dialect.discover(codex.places._replace(home=str(home), workspace=str(workspace)), FileView())
    assert [(item.role, item.scope) for item in documents] == [("hooks", "user"), ("config", "user")]


def test_a_broken_override_is_told_and_costs_no_file(codex, home, workspace):
    put(home / ".codex", "hooks.json", HOOKS)
    loaded, _ = codex.on_disk(home, workspace, overrides={"hooks.Stop": "[["})
    assert len(loaded.hooks) == 1
    assert codes(loaded) == ["broken-file"]
    assert "/<session-flags>/config.toml" in loaded.diagnostics[0].message


class Shop:
    """A person's plugins."""

    def __init__(self, home):
        self.own = home / ".codex"

    def enable(self, *lines):
        put(self.own, "config.toml", "\n".join(lines) + "\n")

    def install(self, name="pl", version="1.0.0", manifest=None, **files):
        root = self.own / "plugins" / "cache" / "mp" / name / version
        content = manifest if isinstance(manifest, str) else json.dumps({"name": name} | (manifest or {}))
        put(root, ".codex-plugin/plugin.json", content)
        for file, text in files.items():
            put(root, file.replace("__", "/") + ".json", text)
        return root


@pytest.fixture
def shop(home):
    return Shop(home)


ENABLED = '[plugins."pl@mp"]\nenabled = true'


def test_an_enabled_plugin_brings_its_hooks_after_all_others(codex, home, workspace, shop):
    root = shop.install(hooks__hooks=HOOKS)
    shop.enable(INLINE, ENABLED)
    loaded, states = codex.on_disk(home, workspace)
    user, plugin = loaded.hooks
    assert (user.source.scope, plugin.source.scope) == ("user", "plugin")
    assert plugin.config.key == "pl@mp:hooks/hooks.json:stop:0:0"
    assert states[plugin].trust == "untrusted"
    assert plugin.config.origin.env == {
        "PLUGIN_ROOT": str(root),
        "CLAUDE_PLUGIN_ROOT": str(root),
        "PLUGIN_DATA": str(home / ".codex" / "plugins" / "data" / "pl-mp"),
        "CLAUDE_PLUGIN_DATA": str(home / ".codex" / "plugins" / "data" / "pl-mp"),
    }


@pytest.mark.parametrize("entry", ["enabled = false", "enabled = 'yes'"])
def test_a_plugin_that_is_not_enabled_brings_nothing(codex, home, workspace, shop, entry):
    shop.install(hooks__hooks=HOOKS)
    shop.enable('[plugins."pl@mp"]', entry)
    assert codex.on_disk(home, workspace)[0].hooks == ()


def test_a_project_can_enable_no_plugin(codex, home, workspace, shop):
    shop.install(hooks__hooks=HOOKS)
    shop.enable(trusting(workspace))
    put(workspace / ".codex", "config.toml", ENABLED)
    assert codex.on_disk(home, workspace)[0].hooks == ()


@pytest.mark.parametrize(
    ("manifest", "keys"),
    [
        ({}, ["pl@mp:hooks/hooks.json:stop:0:0"]),
        ({"hooks": "./other/a.json"}, ["pl@mp:other/a.json:stop:0:0"]),
        ({"hooks": ["./other/a.json", "./b.json"]}, ["pl@mp:other/a.json:stop:0:0", "pl@mp:b.json:stop:0:0"]),
        ({"hooks": json.loads(HOOKS)}, ["pl@mp:plugin.json#hooks[0]:stop:0:0"]),
        ({"hooks": [{}, json.loads(HOOKS)]}, ["pl@mp:plugin.json#hooks[1]:stop:0:0"]),
        ({"hooks": "other/a.json"}, ["pl@mp:hooks/hooks.json:stop:0:0"]),
        ({"hooks": "./../../../mp/pl/1.0.0/b.json"}, ["pl@mp:hooks/hooks.json:stop:0:0"]),
    ],
)
def test_a_manifest_can_name_files_inside_the_plugin_or_hold_the_hooks_itself(
    codex, home, workspace, shop, manifest, keys
):
    shop.install(manifest=manifest, hooks__hooks=HOOKS, other__a=HOOKS, b=HOOKS)
    shop.enable(ENABLED)
    loaded, _ = codex.on_disk(home, workspace)
    assert [hook.config.key for hook in loaded.hooks] == keys


@pytest.mark.parametrize(
    ("manifest", "hooks", "words"),
    [
        ("{", HOOKS, ["failed to parse plugin manifest"]),
        ({"hooks": "./gone.json"}, HOOKS, ["failed to read plugin hooks config", "gone.json"]),
        ({"hooks": {"hooks": 5}}, HOOKS, ["failed to parse plugin hooks config", "hooks[0]"]),
        ({}, "{", ["failed to parse plugin hooks config"]),
    ],
)
def test_what_is_wrong_with_a_plugin_is_told_and_costs_its_file(codex, home, workspace, shop, manifest, hooks, words):
    shop.install(manifest=manifest, hooks__hooks=hooks)
    shop.enable(INLINE, ENABLED)
    loaded, _ = codex.on_disk(home, workspace)
    assert [hook.source.scope for hook in loaded.hooks] == ["user"]
    assert codes(loaded) == [loaded.diagnostics[0].code]
    for word in words:
        assert word in loaded.diagnostics[0].message


@pytest.mark.parametrize("key", ["gone@mp", "pl", "../pl@mp", "pl@m/p"])
def test_an_enabled_plugin_that_is_not_there_is_told(codex, home, workspace, shop, key):
    shop.install(hooks__hooks=HOOKS)
    shop.enable(f'[plugins."{key}"]')
    loaded, _ = codex.on_disk(home, workspace)
    assert loaded.hooks == ()
    assert codes(loaded) == ["unreadable-file"]


def test_placeholders_of_a_plugin_are_filled_in_as_text_but_not_in_what_is_reviewed(codex, home, workspace, shop):
    handler = {"type": "command", "command": "'${PLUGIN_ROOT}/a' ${CLAUDE_PLUGIN_DATA} ${HOME}"}
    root = shop.install(hooks__hooks=json.dumps({"hooks": {"Stop": [{"hooks": [handler]}]}}))
    shop.enable(ENABLED)
    (hook,) = codex.on_disk(home, workspace)[0].hooks
    assert hook.command == f"'{root}/a' {home}/.codex/plugins/data/pl-mp ${{HOME}}"
    assert hook.config.handler.command == handler["command"]


@pytest.mark.parametrize(
    ("versions", "active"),
    [
        ((), None),
        ((".", "..", "a b", "x/y"), None),
        (("1.9.0", "1.10.0"), "1.10.0"),
        (("2.0.0", "local"), "local"),
        (("1.0.0-rc.9", "1.0.0-rc.10"), "1.0.0-rc.10"),
        (("1.0.0-rc.1", "1.0.0"), "1.0.0"),
        (("1.0.0-1", "1.0.0-rc"), "1.0.0-rc"),
        (("aaa", "bbb"), "bbb"),
        (("zzz", "0.0.1"), "0.0.1"),
    ],
)
def test_the_version_in_force(versions, active):
    assert active_version(versions) == active


@given(st.lists(st.text("01a.-+rcl", max_size=8)))
def test_some_version_is_in_force_whatever_the_folder_holds(names):
    found = active_version(tuple(names))
    assert found is None or found in names
