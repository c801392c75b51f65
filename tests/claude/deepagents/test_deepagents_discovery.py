"""Files, roots, trust and plugins, in real folders."""

from __future__ import annotations

import json
import os
from datetime import datetime
from hashlib import sha256

import pytest

from hookfw import FileView, Places, PreToolUse, SessionStart, Stop, TrustError
from hookfw_claude.deepagents.locations import plugin_data, project_root

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})


def commands(found):
    return [hook.command for hook in found.hooks]


def codes(found):
    return [item.code for item in found.diagnostics]


# The root.


def test_the_root_is_the_enclosing_git_root_and_outside_git_the_workspace(workspace):
    inner = workspace / "a/b"
    inner.mkdir(parents=True)
    assert project_root(str(inner), FileView()) == str(inner)
    (workspace / ".git").mkdir()
    assert project_root(str(inner), FileView()) == str(workspace)


@pytest.mark.parametrize(
    ("pointer", "is_root"),
    [("gitdir: ../main/.git/worktrees/x\n", True), ("gitdir: /no/such/place", False), ("hello", False), ("", False)],
)
def test_a_git_file_counts_where_it_points_at_a_folder(workspace, pointer, is_root):
    (workspace / "main/.git/worktrees/x").mkdir(parents=True)
    inner = workspace / "tree/a"
    inner.mkdir(parents=True)
    (workspace / "tree/.git").write_text(pointer)
    assert project_root(str(inner), FileView()) == str(inner.parent if is_root else inner)


def test_links_are_resolved_before_the_root_is_looked_for(workspace, tmp_path):
    (workspace / ".git").mkdir()
    (workspace / "sub").mkdir()
    (tmp_path / "link").symlink_to(workspace / "sub")
    assert project_root(str(tmp_path / "link"), FileView()) == str(workspace)


# Trust.


def test_an_untrusted_project_is_not_parsed_and_it_is_said_how_to_change_that(rig):
    rig.user(Stop=[rig.group("mine")])
    rig.write(rig.workspace / ".deepagents/hooks.json", "not json")
    found = rig.loaded()
    assert (commands(found), codes(found)) == (["mine"], ["untrusted-project"])
    assert "hookfw review" in found.diagnostics[0].message


def test_a_trusted_project_comes_first(rig):
    rig.user(Stop=[rig.group("mine")])
    rig.project(Stop=[rig.group("theirs")])
    rig.trust()
    assert commands(rig.loaded()) == ["theirs", "mine"]


def test_trust_all_loads_the_project_for_once_and_stores_nothing(rig):
    rig.project(Stop=[rig.group("theirs")])
    assert commands(rig.loaded(trust="all")) == ["theirs"]
    assert not (rig.home / ".deepagents").exists()


def test_an_untrusted_project_is_listed_and_does_not_run(rig):
    rig.project(Stop=[rig.group("theirs")])
    found = rig.loaded(trust="listed")
    assert [found.state(hook).trust for hook in found.hooks] == ["untrusted"]


@pytest.mark.parametrize(
    "store",
    [
        "not json",
        "[]",
        '{"version": 2, "projects": {}}',
        '{"version": true, "projects": {"WORKSPACE": {"trusted_at": "now"}}}',
        '{"version": 1.0, "projects": {"WORKSPACE": {"trusted_at": "now"}}}',
        '{"version": 1, "projects": []}',
        '{"version": 1}',
        '{"version": 1, "projects": {"WORKSPACE": {}}}',
        '{"version": 1, "projects": {"WORKSPACE": {"trusted_at": 5}}}',
        '{"version": 1, "projects": {"WORKSPACE": "yes"}}',
        '{"version": 1, "projects": {"/elsewhere": {"trusted_at": "now"}}}',
    ],
)
def test_reading_the_store_fails_closed(rig, store):
    rig.project(Stop=[rig.group("theirs")])
    store = store.replace("WORKSPACE", str(rig.workspace))
    rig.write(rig.home / ".deepagents/.state/hooks_trust.json", store)
    assert rig.loaded().hooks == []


def test_a_bad_entry_is_skipped_alone_and_unknown_fields_are_tolerated(rig):
    rig.project(Stop=[rig.group("theirs")])
    good = {"trusted_at": "2026-01-02T03:04:05+00:00", "by": "ada"}
    store = {"version": 1, "projects": {"/x": {}, str(rig.workspace): good}, "more": 1}
    rig.write(rig.home / ".deepagents/.state/hooks_trust.json", store)
    assert commands(rig.loaded()) == ["theirs"]


def test_nothing_in_the_repository_gives_trust(rig):
    rig.project(Stop=[rig.group("theirs")])
    store = {"version": 1, "projects": {str(rig.workspace): {"trusted_at": "now"}}}
    rig.write(rig.workspace / ".deepagents/.state/hooks_trust.json", store)
    assert rig.loaded().hooks == []


def test_a_review_shows_what_would_run_and_approving_it_stores_the_root_with_a_time(rig):
    path = rig.project(Stop=[rig.group("theirs")])
    with rig.open() as hooks:
        (review,) = hooks.reviews()
        assert (review.key, review.state.trust) == (str(rig.workspace), "untrusted")
        assert review.digest == sha256(path.read_bytes()).hexdigest()
        assert [hook.command for hook in review.hooks] == ["theirs"]
        hooks.approve(review)
        assert hooks.reload().hooks != []
        (again,) = hooks.reviews()
        assert again.state.runs
    store = rig.home / ".deepagents/.state/hooks_trust.json"
    content = json.loads(store.read_text())
    assert content["version"] == 1
    consent = content["projects"][str(rig.workspace)]["trusted_at"]
    assert datetime.fromisoformat(consent).utcoffset().total_seconds() == 0
    assert store.stat().st_mode & 0o777 == 0o600
    assert store.parent.stat().st_mode & 0o777 == 0o700


def test_consent_covers_later_edits_and_can_be_taken_back_from_a_running_session(rig):
    rig.project(Stop=[rig.group("exit 2")])
    rig.trust()
    rig.project(Stop=[rig.group("exit 2", "true")])
    with rig.open() as hooks:
        assert len(hooks.fire(Stop()).runs) == 2
        hooks.revoke(hooks.reviews()[0])
        assert not hooks.fire(Stop()).refused
        assert hooks.reload().hooks == []
    assert json.loads((rig.home / ".deepagents/.state/hooks_trust.json").read_text())["projects"] == {}


@pytest.mark.parametrize("store", ["not json", '{"version": 2, "projects": {"/x": {"trusted_at": "now"}}}'])
def test_a_store_that_cannot_be_read_is_never_overwritten(rig, store):
    rig.project(Stop=[rig.group("theirs")])
    path = rig.write(rig.home / ".deepagents/.state/hooks_trust.json", store)
    with rig.open() as hooks, pytest.raises(TrustError, match=r"hooks_trust\.json"):
        hooks.approve(hooks.reviews()[0])
    assert path.read_text() == store


def test_without_a_project_file_there_is_nothing_to_review(rig):
    rig.user(Stop=[rig.group("mine")])
    with rig.open() as hooks:
        assert hooks.reviews() == []


@pytest.mark.parametrize("trust", ["stored", "all"])
def test_a_session_in_the_home_directory_has_one_file_and_no_question(rig, tmp_path, trust):
    rig.user(Stop=[rig.group("mine")])
    link = tmp_path / "link"
    link.symlink_to(rig.home)
    with rig.open(workspace=link, trust=trust) as hooks:
        assert commands(hooks.snapshot) == ["mine"]
        assert hooks.reviews() == []


def test_edits_do_nothing_until_a_reload(rig):
    rig.user(SessionStart=[rig.group("echo old")])
    with rig.open() as hooks:
        before = hooks.snapshot.parts[0].loaded.settings.snapshot_id
        rig.user(SessionStart=[rig.group("echo new")])
        assert hooks.fire(SessionStart()).context == ("old",)
        hooks.reload()
        assert hooks.fire(SessionStart()).context == ("new",)
        assert hooks.snapshot.parts[0].loaded.settings.snapshot_id != before


# Plugins.


def test_plugins_come_last_by_id_each_with_default_file_named_files_and_inline_object(rig):
    rig.user(Stop=[rig.group("mine")])
    rig.plugin("b@m", hooks={"Stop": [rig.group("b")]})
    root = rig.plugin(
        "a@m",
        hooks={"Stop": [rig.group("default")]},
        manifest={"name": "a", "hooks": ["./extra", "./more.json", "./hooks/hooks.json"]},
    )
    rig.write(root / "extra/hooks.json", {"hooks": {"Stop": [rig.group("in a folder")]}})
    rig.write(root / "more.json", {"hooks": {"Stop": [rig.group("named")]}})
    found = rig.loaded()
    assert commands(found) == ["mine", "default", "in a folder", "named", "b"]
    assert codes(found) == []


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_inline_object_is_the_event_table_or_wraps_it(rig, wrapped):
    table = {"Stop": [rig.group("inline"), 5]}
    rig.plugin(manifest={"hooks": {"hooks": table} if wrapped else table})
    found = rig.loaded()
    assert commands(found) == ["inline"]
    assert found.hooks[0].source.line is not None
    assert codes(found) == ["invalid-config"]


@pytest.mark.parametrize("folder", [".claude-plugin", ".codex-plugin"])
def test_the_manifest_may_lie_in_another_ecosystem_s_folder_and_the_first_one_counts(rig, folder):
    root = rig.plugin()
    rig.write(root / folder / "plugin.json", {"hooks": {"Stop": [rig.group("theirs")]}})
    assert commands(rig.loaded()) == ["theirs"]
    rig.write(root / "plugin.json", {"name": "fmt"})
    assert commands(rig.loaded()) == []


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("more.json", 'must start with "./"'),
        ("/etc/hooks.json", 'must start with "./"'),
        ("./", 'must start with "./"'),
        ("./../x/hooks.json", 'must not contain ".."'),
        (5, "is no text"),
        ("./a\0b", "NUL"),
        ("./missing.json", "nothing is"),
        ("./out", "leads out of its plugin's folder"),
    ],
)
def test_a_bad_hooks_path_is_told_and_not_followed_and_the_rest_loads(rig, tmp_path, path, why):
    rig.write(tmp_path / "outside/hooks.json", {"hooks": {"Stop": [rig.group("stranger")]}})
    root = rig.plugin(hooks={"Stop": [rig.group("default")]}, manifest={"hooks": [path]})
    (root / "out").symlink_to(tmp_path / "outside")
    found = rig.loaded()
    assert commands(found) == ["default"]
    assert codes(found) == ["config-read-failed"]
    assert why in found.diagnostics[0].message


def test_what_is_wrong_with_one_plugin_costs_that_one(rig):
    rig.user(Stop=[rig.group("mine")])
    rig.write(rig.plugin("a@m") / "hooks/hooks.json", "no json")
    rig.plugin("b@m", root=rig.home / "gone")
    rig.plugin("c@m", manifest="no json", hooks={"Stop": [rig.group("default")]})
    rig.plugin("d@m", manifest=[], hooks={"Stop": [rig.group("default")]})
    rig.plugin("e@m", hooks={"Stop": [rig.group("good")]})
    found = rig.loaded()
    assert commands(found) == ["mine", "good"]
    assert codes(found) == [*["config-read-failed"] * 3, "invalid-config"]


def test_only_enabled_plugins_that_are_installed_count(rig):
    rig.plugin("off@m", enabled=False, hooks={"Stop": [rig.group("off")]})
    rig.plugin("odd@m", enabled="true", hooks={"Stop": [rig.group("odd")]})
    rig.write(
        rig.home / ".deepagents/.state/plugin_state.json",
        {"version": 1, "enabledPlugins": {"off@m": False, "odd@m": "true", "absent@m": True}},
    )
    found = rig.loaded()
    assert commands(found) == []
    assert codes(found) == ["config-read-failed"]
    assert "'absent@m'" in found.diagnostics[0].message


@pytest.mark.parametrize("file", ["plugin_state.json", "installed_plugins.json"])
@pytest.mark.parametrize(
    "content", ["no json", "[]", '{"version": 9}', '{"version": 1, "enabledPlugins": 5, "plugins": 5}']
)
def test_a_registry_that_cannot_be_used_costs_the_plugins_and_is_told(rig, file, content):
    rig.user(Stop=[rig.group("mine")])
    rig.plugin(hooks={"Stop": [rig.group("theirs")]})
    rig.write(rig.home / ".deepagents/.state" / file, content)
    found = rig.loaded()
    assert commands(found) == ["mine"]
    assert codes(found)[0] == "plugin-hooks-failed"
    assert file in found.diagnostics[0].message


def test_workspace_trust_neither_gives_nor_takes_a_plugin_s_hooks(rig):
    rig.project(Stop=[rig.group("theirs")])
    rig.plugin(hooks={"Stop": [rig.group("plugin")]})
    found = rig.loaded()
    assert commands(found) == ["plugin"]
    assert found.state(found.hooks[0]).runs


def test_a_plugin_s_handlers_know_their_folders_and_their_data_folder_is_made(rig, monkeypatch):
    (rig.workspace / ".git").mkdir()
    names = "CLAUDE_PLUGIN_ROOT PLUGIN_ROOT CLAUDE_PLUGIN_DATA PLUGIN_DATA CLAUDE_PROJECT_DIR"
    root = rig.plugin(
        hooks={
            "SessionStart": [
                rig.group(
                    f'for name in {names}; do eval "echo \\$$name"; done; test -d "$PLUGIN_DATA" && echo made',
                    {
                        "command": "exit 9",
                        "argv": ["/bin/sh", "-c", 'printf "%s\\n" "$@"', "sh", "${PLUGIN_ROOT}/x y", "$PLUGIN_ROOT"],
                    },
                )
            ]
        }
    )
    data = plugin_data(Places(str(rig.home), ""), "fmt@local")
    outcome = rig.fire(SessionStart())
    assert outcome.context == (
        "\n".join([str(root), str(root), data, data, str(rig.workspace), "made"]),
        f"{root}/x y\n$PLUGIN_ROOT",
    )


def test_others_get_neither_the_variables_nor_the_replacement(rig):
    line = ["/bin/sh", "-c", 'echo "${PLUGIN_ROOT-unset} $1"', "sh", "${CLAUDE_PROJECT_DIR}"]
    rig.user(SessionStart=[rig.group({"command": "x", "argv": line})])
    assert rig.fire(SessionStart()).context == ("unset ${CLAUDE_PROJECT_DIR}",)


def test_the_data_folder_of_a_plugin_is_told_apart_by_its_digest_and_can_be_moved(home):
    places = Places(str(home), "")
    assert plugin_data(places, "a b@m") != plugin_data(places, "a-b@m")
    digest = sha256(b"a b@m").hexdigest()[:32]
    assert plugin_data(places, "a b@m") == f"{home}/.deepagents/plugins/data/a-b-m-{digest}"
    moved = places._replace(environ={"DEEPAGENTS_CODE_PLUGIN_CACHE_DIR": "~/store"})
    assert plugin_data(moved, "a b@m") == f"{home}/store/data/a-b-m-{digest}"


def test_every_file_that_was_looked_for_is_watched(rig):
    rig.plugin(hooks={"Stop": [rig.group("a")]})
    watched = rig.loaded().watched
    for path in (
        rig.home / ".deepagents/hooks.json",
        rig.workspace / ".deepagents/hooks.json",
        rig.home / ".deepagents/.state/hooks_trust.json",
        rig.home / ".deepagents/.state/plugin_state.json",
    ):
        assert str(path) in watched


def test_a_home_without_anything_is_no_finding(rig):
    found = rig.loaded()
    assert (found.hooks, found.diagnostics) == ([], ())
    assert os.listdir(rig.home) == []
