from __future__ import annotations

import hashlib
import json
import os
import stat

import pytest

from hookfw import FileView, Places
from hookfw.trust import record
from hookfw_codewhale.config import discover, load
from hookfw_codewhale.trust import approve, judge, reviews, revoke

THEIRS = '[[hooks]]\nname = "theirs"\nevent = "session_start"\ncommand = "true"\n'
MINE = '[[hooks.hooks]]\nname = "mine"\nevent = "session_start"\ncommand = "true"\n'


class Project:
    """A home and a workspace on disk, loaded anew each time one asks."""

    def __init__(self, folder):
        self.places = Places(home=str(folder / "home"), workspace=os.path.realpath(folder / "work"))
        self.config = folder / "home/.codewhale/config.toml"
        self.store = folder / "home/.codewhale/hooks_trust.json"
        self.hooks = folder / "work/.codewhale/hooks.toml"
        for path in (self.config, self.hooks):
            path.parent.mkdir(parents=True)
        self.config.write_text(MINE)
        self.hooks.write_text(THEIRS)

    def load(self):
        documents = discover(self.places, FileView())
        return load(documents, self.places), documents

    def states(self):
        loaded, documents = self.load()
        return {hook.name: state for hook, state in judge(loaded, documents, self.places).items()}

    def review(self):
        loaded, documents = self.load()
        (review,) = reviews(loaded, documents, self.places)
        return review

    def trust_workspace(self, level="trusted", path=None):
        self.config.write_text(f'{MINE}\n[projects."{path or self.places.workspace}"]\ntrust_level = "{level}"\n')

    def trust_bytes(self):
        digest = hashlib.sha256(self.hooks.read_bytes()).hexdigest()
        self.store.write_text(json.dumps({self.places.workspace: digest}))


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_the_persons_own_hooks_need_no_consent(project):
    assert project.states()["mine"].runs


def test_a_projects_hooks_are_loaded_and_untrusted_until_someone_consents(project):
    state = project.states()["theirs"]
    assert state.trust == "untrusted"
    assert "workspace is not trusted" in state.note
    assert "never approved" in state.note


def test_the_workspace_alone_is_not_enough(project):
    project.trust_workspace()
    state = project.states()["theirs"]
    assert state.trust == "untrusted"
    assert "never approved" in state.note
    assert "workspace" not in state.note


def test_the_digest_alone_is_not_enough(project):
    project.trust_bytes()
    state = project.states()["theirs"]
    assert state.trust == "untrusted"
    assert "workspace is not trusted" in state.note
    assert "approved" not in state.note.split(";")[0]


def test_both_locks_together_let_the_hooks_run(project):
    project.trust_workspace()
    project.trust_bytes()
    assert project.states()["theirs"].runs


@pytest.mark.parametrize("level", ["untrusted", "Trusted", "", "yes"])
def test_only_the_word_trusted_trusts_a_workspace(project, level):
    project.trust_workspace(level)
    project.trust_bytes()
    assert project.states()["theirs"].trust == "untrusted"


def test_a_workspace_path_with_a_slash_at_its_end_is_the_same_workspace(project):
    project.trust_workspace(path=project.places.workspace + "/")
    project.trust_bytes()
    assert project.states()["theirs"].runs


def test_another_workspaces_consent_is_of_no_use(project):
    project.trust_workspace(path=project.places.workspace + "-2")
    project.trust_bytes()
    assert project.states()["theirs"].trust == "untrusted"


@pytest.mark.parametrize("change", [b"\n", b"\r\n", b" ", b"# harmless\n"])
def test_any_change_of_the_bytes_needs_a_new_approval(project, change):
    project.trust_workspace()
    project.trust_bytes()
    project.hooks.write_bytes(project.hooks.read_bytes() + change)
    state = project.states()["theirs"]
    assert state.trust == "modified"
    assert "changed" in state.note


def test_a_changed_file_in_a_workspace_that_is_not_trusted_names_both_locks(project):
    project.store.write_text(json.dumps({project.places.workspace: "0" * 64}))
    state = project.states()["theirs"]
    assert state.trust == "modified"
    assert "changed" in state.note
    assert "workspace is not trusted" in state.note


def test_nothing_in_a_repository_opens_a_lock(project):
    digest = hashlib.sha256(project.hooks.read_bytes()).hexdigest()
    folder = project.hooks.parent
    (folder / "hooks_trust.json").write_text(json.dumps({project.places.workspace: digest}))
    (folder / "config.toml").write_text(f'[projects."{project.places.workspace}"]\ntrust_level = "trusted"\n')
    project.hooks.write_text(f'{THEIRS}\n[projects."{project.places.workspace}"]\ntrust_level = "trusted"\n')
    assert project.states()["theirs"].trust == "untrusted"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"%s": 7}', b"\xff\xff", b'{"%s": {"digest": "x"}}'])
def test_approvals_that_cannot_be_read_count_as_none_and_are_told(project, data):
    project.trust_workspace()
    project.store.write_bytes(data.replace(b"%s", project.places.workspace.encode()))
    assert project.states()["theirs"].trust == "untrusted"
    (diagnostic,) = project.load()[0].diagnostics
    assert (diagnostic.code, diagnostic.severity, diagnostic.file) == (
        "broken-trust-store",
        "error",
        str(project.store),
    )


def test_a_directory_in_the_place_of_the_approvals_is_told(project):
    project.store.mkdir()
    (diagnostic,) = project.load()[0].diagnostics
    assert "directory" in diagnostic.message
    assert project.states()["theirs"].trust == "untrusted"


def test_approvals_with_a_byte_order_mark_are_read(project):
    project.trust_workspace()
    project.trust_bytes()
    project.store.write_bytes(b"\xef\xbb\xbf" + project.store.read_bytes())
    assert project.states()["theirs"].runs


@pytest.mark.parametrize("projects", ["projects = 3", "[projects]\nx = 1", "projects = ['a']"])
def test_projects_in_another_shape_trust_nobody(project, projects):
    project.config.write_text(f"{projects}\n")
    project.trust_bytes()
    assert project.states()["theirs"].trust == "untrusted"


def test_a_broken_configuration_trusts_nobody(project):
    project.trust_workspace()
    project.trust_bytes()
    project.config.write_text(project.config.read_text() + "oops\n")
    assert project.states() == {"theirs": project.states()["theirs"]}
    assert project.states()["theirs"].trust == "untrusted"


def test_the_global_switch_disables_every_hook_and_leaves_consent_alone(project):
    project.trust_workspace()
    project.trust_bytes()
    project.config.write_text("[hooks]\nenabled = false\n" + project.config.read_text())
    states = project.states()
    assert {name: (state.trust, state.enabled, state.runs) for name, state in states.items()} == {
        "mine": ("trusted", False, False),
        "theirs": ("trusted", False, False),
    }
    assert all("[hooks].enabled" in state.note for state in states.values())


def test_an_untrusted_hook_of_a_disabled_configuration_is_both(project):
    project.config.write_text("[hooks]\nenabled = false\n")
    state = project.states()["theirs"]
    assert (state.trust, state.enabled) == ("untrusted", False)


def test_a_review_shows_the_exact_file_its_digest_and_its_hooks(project):
    project.hooks.write_bytes(THEIRS.replace("\n", "\r\n").encode())
    review = project.review()
    assert review.digest == hashlib.sha256(project.hooks.read_bytes()).hexdigest()
    assert (review.dialect, review.key, review.path) == ("codewhale", project.places.workspace, str(project.hooks))
    assert [hook.name for hook in review.hooks] == ["theirs"]
    assert review.state.trust == "untrusted"


def test_the_text_of_a_review_cannot_redraw_the_terminal(project):
    project.hooks.write_bytes(THEIRS.replace("theirs", "th\u009beirs").encode())
    review = project.review()
    assert 'command = "true"\n' in review.text
    assert "\u009b" not in review.text


@pytest.mark.parametrize("text", ["", "oops\n", "[[hooks]]\nevent = 'session_start'\n", None])
def test_a_project_without_a_hook_that_could_run_has_nothing_to_review(project, text):
    if text is None:
        project.hooks.unlink()
    else:
        project.hooks.write_text(text)
    loaded, documents = project.load()
    assert reviews(loaded, documents, project.places) == ()


def test_approval_writes_both_locks_and_nothing_else(project):
    project.config.write_text("# mine\n" + MINE)
    record(approve(project.review(), project.places))
    assert project.states()["theirs"].runs
    assert project.config.read_text().startswith("# mine\n" + MINE)
    assert stat.S_IMODE(project.store.stat().st_mode) == 0o600
    assert json.loads(project.store.read_text()) == {project.places.workspace: project.review().digest}


def test_approval_goes_where_the_environment_says_the_configuration_is(project, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(MINE)
    project.places = Places(
        home=project.places.home, workspace=project.places.workspace, environ={"CODEWHALE_CONFIG_PATH": str(other)}
    )
    record(approve(project.review(), project.places))
    assert project.states()["theirs"].runs
    assert "trust_level" in other.read_text()
    assert "trust_level" not in project.config.read_text()


def test_revoking_takes_the_digest_back_and_leaves_other_workspaces_alone(project):
    record(approve(project.review(), project.places))
    approvals = json.loads(project.store.read_text()) | {"/other": "1" * 64}
    project.store.write_text(json.dumps(approvals))
    record(revoke(project.review(), project.places))
    state = project.states()["theirs"]
    assert state.trust == "untrusted"
    assert "never approved" in state.note
    assert json.loads(project.store.read_text()) == {"/other": "1" * 64}
