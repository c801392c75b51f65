from __future__ import annotations

import json
from pathlib import Path

import pytest

import hookfw
from hookfw import Places, PreToolUse, Stop
from hookfw.scripts import record_path

GUARD, MARK = {"command": "exit 2"}, {"command": "true"}
CALL = PreToolUse(tool_name="bash", tool_input={"command": "ls"})


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


def codes(snapshot):
    return [item.code for item in snapshot.diagnostics]


@pytest.fixture
def project(home, workspace):
    """A person with a guard, and a project whose layer would put something else in its place."""
    write(home / ".wuu/config.json", {"hooks": {"PreToolUse": [GUARD]}})
    write(workspace / ".wuu/settings.json", {"model": "x", "hooks": {"PreToolUse": [MARK]}})
    return workspace


def supervisor(workspace, **options):
    return hookfw.open_sync(workspace=workspace, dialects=["wuu"], **options)


def test_an_unapproved_project_adds_nothing_and_takes_nothing_away_and_is_told(project):
    with supervisor(project) as hooks:
        assert [hook.source.scope for hook in hooks.snapshot.hooks] == ["user"]
        (told,) = hooks.snapshot.diagnostics
        assert (told.code, told.severity) == ("untrusted-project", "warning")
        assert "settings.json" in told.message
        assert hooks.fire(CALL).refused


def test_an_unapproved_project_is_listed_and_never_runs(project):
    with supervisor(project, trust="listed") as hooks:
        listed = [(hook.source.scope, hooks.snapshot.state(hook).trust) for hook in hooks.snapshot.hooks]
        assert listed == [("user", "trusted"), ("project", "untrusted")]
        outcome = hooks.fire(CALL)
        assert outcome.refused
        assert [item.code for item in outcome.diagnostics if item.code == "untrusted-hooks"] == ["untrusted-hooks"]


def test_what_is_wrong_with_an_unapproved_project_is_listed_too(home, workspace):
    write(home / ".wuu/config.json", {})
    write(workspace / ".wuu.json", {"hooks": {"Stop": [{"type": "http"}]}})
    with supervisor(workspace, trust="listed") as hooks:
        assert [entry.name for entry in hooks.snapshot.rejected] == ["Stop:0"]


def test_all_counts_as_consent_and_names_what_is_taken_away(project):
    with supervisor(project, trust="all") as hooks:
        assert codes(hooks.snapshot) == ["hooks-removed"]
        assert not hooks.fire(CALL).refused


def approve_all(workspace):
    with supervisor(workspace) as hooks:
        reviews = hooks.reviews()
        for review in reviews:
            hooks.approve(review)
    return reviews


def test_approving_lets_the_layers_count_and_revoking_takes_that_back(project, home):
    (review,) = approve_all(project)
    assert (review.path, [hook.command for hook in review.hooks]) == (str(project / ".wuu/settings.json"), ["true"])
    assert '"hooks"' in review.text
    store = home / ".config/hookfw/trust.json"
    assert json.loads(store.read_text()) == {"wuu": {"projects": {str(project): review.digest}}}
    assert store.stat().st_mode & 0o777 == 0o600
    with supervisor(project) as hooks:
        assert not hooks.fire(CALL).refused
        (now,) = hooks.reviews()
        assert now.state.trust == "trusted"
        hooks.revoke(now)
        # The running session keeps its hook set; what lost its consent does not start, and that refuses.
        outcome = hooks.fire(CALL)
        assert outcome.refused
        assert [item.code for item in outcome.diagnostics] == ["authority-denied"]
        assert codes(hooks.reload()) == ["untrusted-project"]


def test_other_settings_may_change_and_hooks_may_not(project):
    approve_all(project)
    layer = project / ".wuu/settings.json"
    write(layer, {"model": "other", "hooks": {"PreToolUse": [MARK]}})
    with supervisor(project) as hooks:
        assert not hooks.fire(CALL).refused
    write(layer, {"hooks": {"PreToolUse": [MARK, MARK]}})
    with supervisor(project) as hooks:
        (told,) = hooks.snapshot.diagnostics
        assert "changed since you approved them" in told.message
        assert hooks.fire(CALL).refused
        (review,) = hooks.reviews()
        assert (review.state.trust, review.approved != review.digest) == ("modified", True)


def test_a_layer_more_is_another_thing_than_was_approved(project):
    approve_all(project)
    write(project / ".wuu/settings.local.json", {"hooks": None})
    with supervisor(project) as hooks:
        assert hooks.fire(CALL).refused


def test_a_project_that_only_changes_while_a_session_runs_neither_gains_nor_loses(project):
    approve_all(project)
    with supervisor(project) as hooks:
        write(project / ".wuu/settings.json", {"hooks": {"PreToolUse": [GUARD]}})
        assert not hooks.fire(CALL).refused


@pytest.mark.parametrize(
    "content",
    ["{", "[]", '{"wuu": []}', '{"wuu": {"projects": 1}}', '{"wuu": {"packages": []}}', '{"wuu": {"projects": null}}'],
)
def test_a_store_that_cannot_be_used_approves_nothing_and_is_told(project, home, content):
    write(home / ".config/hookfw/trust.json", content)
    with supervisor(project) as hooks:
        assert codes(hooks.snapshot) == ["broken-trust-store", "untrusted-project"]
        assert hooks.fire(CALL).refused


@pytest.mark.parametrize("value", [True, 1, "", "0" * 64, None, ["x"]])
def test_nothing_but_the_digest_is_consent(project, home, value):
    write(home / ".config/hookfw/trust.json", {"wuu": {"projects": {str(project): value}}})
    with supervisor(project) as hooks:
        assert hooks.fire(CALL).refused


def test_a_store_in_the_project_says_nothing(project):
    (review,) = approve_all(project)
    with supervisor(project) as hooks:
        hooks.revoke(hooks.reviews()[0])
    for path in (".config/hookfw/trust.json", ".wuu/trust.json", "trust.json"):
        write(project / path, {"wuu": {"projects": {str(project): review.digest}}})
    with supervisor(project) as hooks:
        assert hooks.fire(CALL).refused


def test_a_script_of_an_approved_project_is_recorded_beside_the_approval(project, home):
    write(project / "gate.sh", "true\n")
    write(project / ".wuu/settings.json", {"hooks": {"Stop": [{"command": "sh gate.sh"}]}})
    approve_all(project)
    record = Path(record_path(Places(home=str(home), workspace=str(project))))
    assert str(project / "gate.sh") in json.loads(record.read_text())
    write(project / "gate.sh", "exit 2\n")
    with supervisor(project) as hooks:
        assert codes(hooks.snapshot) == ["modified-script"]


def test_without_a_base_there_is_nothing_to_review(home, workspace):
    write(workspace / ".wuu.json", {"hooks": {"Stop": [MARK]}})
    with supervisor(workspace) as hooks:
        assert hooks.reviews() == []


def test_a_review_says_what_the_project_would_take_away(project):
    with supervisor(project) as hooks:
        (review,) = hooks.reviews()
    assert "Once approved: " in review.text
    assert "takes 1 hook of your own away from PreToolUse" in review.text


def test_a_project_that_only_takes_hooks_away_is_approved_by_its_digest(project, home):
    from hookfw.cli import main

    write(project / ".wuu/settings.json", {"hooks": {"PreToolUse": []}})
    with supervisor(project) as hooks:
        assert hooks.fire(CALL).refused
        (review,) = hooks.reviews()
        assert review.hooks == ()
    assert main(["approve", review.digest, "--workspace", str(project)]) == 0
    with supervisor(project) as hooks:
        assert not hooks.fire(CALL).refused
        assert codes(hooks.snapshot) == ["hooks-removed"]


# packages


@pytest.fixture
def package(home):
    """A package that was copied in."""
    write(home / ".wuu/config.json", {"hooks": {"PreToolUse": [MARK]}})
    root = home / ".wuu/plugins/demo"
    write(root / "plugin.json", {"id": "demo", "hooks": {"PreToolUse": [GUARD], "Stop": [MARK]}})
    write(root / "bin/gate.sh", "true\n")
    (root / "empty").mkdir()
    return root


@pytest.mark.parametrize("trust", ["stored", "listed", "all"])
def test_a_package_that_was_copied_in_does_not_load_whatever_counts_as_reviewed(package, workspace, trust):
    with supervisor(workspace, trust=trust) as hooks:
        assert [hook.name for hook in hooks.snapshot.hooks] == ["PreToolUse:0"]
        assert codes(hooks.snapshot) == ["unapproved-package"]
        assert str(package) in hooks.snapshot.diagnostics[0].message


def test_an_approved_package_comes_after_the_configuration(package, workspace):
    (review,) = approve_all(workspace)
    assert review.path == str(package / "plugin.json")
    assert "bin/gate.sh" in review.text
    with supervisor(workspace) as hooks:
        assert [(hook.name, hook.source.scope) for hook in hooks.snapshot.hooks] == [
            ("PreToolUse:0", "user"),
            ("PreToolUse:1", "plugin"),
            ("Stop:0", "plugin"),
        ]
        outcome = hooks.fire(CALL)
        assert (outcome.decided_by, outcome.refused) == ("PreToolUse:1", True)
        hooks.revoke(hooks.reviews()[0])
        assert codes(hooks.reload()) == ["unapproved-package"]


@pytest.mark.parametrize(
    "change",
    [
        lambda root: write(root / "bin/gate.sh", "exit 2\n"),
        lambda root: write(root / "more.txt", ""),
        lambda root: (root / "bin/gate.sh").rename(root / "bin/other.sh"),
        lambda root: (root / "bin/gate.sh").unlink(),
        lambda root: (root / "link").symlink_to("bin/gate.sh"),
    ],
)
def test_any_change_of_a_packages_content_ends_its_approval(package, workspace, change):
    approve_all(workspace)
    change(package)
    with supervisor(workspace) as hooks:
        states = {hooks.snapshot.state(hook).trust for hook in hooks.snapshot.hooks if hook.source.scope == "plugin"}
        assert states == {"modified"}
        assert not hooks.fire(CALL).refused


def test_a_package_with_a_link_out_of_it_cannot_be_approved(package, workspace, home):
    (package / "out").symlink_to(home / ".wuu/config.json")
    with supervisor(workspace) as hooks:
        assert codes(hooks.snapshot) == ["unusable-package"]
        assert hooks.reviews() == []


def test_a_package_without_hooks_is_none_of_our_business(home, workspace):
    write(home / ".wuu/config.json", {})
    write(home / ".wuu/plugins/quiet/plugin.json", {"id": "quiet"})
    (home / ".wuu/plugins/no-package").mkdir()
    with supervisor(workspace) as hooks:
        assert codes(hooks.snapshot) == []
        assert hooks.reviews() == []


def test_a_broken_manifest_of_a_package_in_place_is_not_hookfws_business_and_of_one_handed_in_is(home, workspace):
    write(home / ".wuu/plugins/broken/plugin.json", "{")
    write(workspace / "handed/plugin.json", "{")
    with supervisor(workspace, plugin_dirs=["handed"]) as hooks:
        assert codes(hooks.snapshot) == ["broken-file"]


def test_a_package_handed_in_is_listed_and_waits_for_consent(package, workspace):
    with supervisor(workspace, plugin_dirs=[str(package)]) as hooks:
        states = [hooks.snapshot.state(hook).trust for hook in hooks.snapshot.hooks]
        assert states == ["trusted", "untrusted", "untrusted"]
        assert not hooks.fire(CALL).refused
    with supervisor(workspace, plugin_dirs=[str(package)], trust="all") as hooks:
        assert hooks.fire(CALL).refused
    approve_all(workspace)
    with supervisor(workspace, plugin_dirs=[str(package)]) as hooks:
        assert hooks.fire(CALL).refused


def test_a_folder_that_is_no_package_is_told(home, workspace):
    with supervisor(workspace, plugin_dirs=["nowhere"]) as hooks:
        assert codes(hooks.snapshot) == ["unreadable-file"]


def test_a_package_beyond_the_bound_cannot_be_approved(package, workspace, monkeypatch):
    monkeypatch.setattr("hookfw_wuu.packages.FILE_LIMIT", 1)
    with supervisor(workspace) as hooks:
        assert codes(hooks.snapshot) == ["unusable-package"]


def test_a_package_whose_hooks_are_refused_is_told(package, workspace):
    write(package / "plugin.json", {"hooks": {"Stop": [{"comand": "x"}]}})
    approve_all(workspace)
    with supervisor(workspace) as hooks:
        assert codes(hooks.snapshot) == ["rejected-entry", "refused-file"]


def test_the_persons_own_hooks_need_no_consent(home, workspace):
    write(home / ".wuu/config.json", {"hooks": {"Stop": [GUARD]}})
    with supervisor(workspace) as hooks:
        assert hooks.fire(Stop()).refused
        assert hooks.reviews() == []
