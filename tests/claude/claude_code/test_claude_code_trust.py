from __future__ import annotations

import json

import pytest

from hookfw import TRUSTED, FileView, Host, Places, open_sync

HOOKS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}


def states(claude, *documents, **changes):
    loaded = claude.load(*documents)
    return list(claude.dialect.judge(loaded, documents, claude.places._replace(**changes)).values())


def test_nothing_runs_before_the_folder_is_accepted_the_persons_own_included(claude):
    files = [claude.file(HOOKS, scope) for scope in ("managed", "user", "project", "local", "cli")]
    assert [state.runs for state in states(claude, *files)] == [False] * 5


def test_in_an_accepted_folder_all_of_them_run(claude):
    files = [claude.file(HOOKS, scope) for scope in ("managed", "user", "project", "local", "cli")]
    found = states(claude, *files, claude.accepted())
    assert [state.trust for state in found] == ["managed", "trusted", "trusted", "trusted", "trusted"]
    assert found[1] == TRUSTED


@pytest.mark.parametrize(
    "content",
    [
        "broken",
        [],
        {"projects": []},
        {"projects": {"/srv/project": True}},
        {"projects": {"/srv/project": {"hasTrustDialogAccepted": "true"}}},
        {"projects": {"/srv/project": {"hasTrustDialogAccepted": 1}}},
        {"projects": {"/srv": {"hasTrustDialogAccepted": True}}},
        {"hasTrustDialogAccepted": True},
    ],
)
def test_nothing_but_a_plain_true_for_this_very_folder_is_consent(claude, content):
    (state,) = states(claude, claude.file(HOOKS), claude.accepted(content))
    assert not state.runs


def test_a_repository_cannot_accept_itself(claude):
    own = claude.file(HOOKS | {"projects": {"/srv/project": {"hasTrustDialogAccepted": True}}}, "project")
    (state,) = states(claude, own)
    assert state.trust == "untrusted"


def test_what_is_switched_off_stays_so_in_an_accepted_folder(claude):
    (state,) = states(claude, claude.file(HOOKS | {"disableAllHooks": True}), claude.accepted())
    assert (state.trust, state.enabled) == ("trusted", False)


def test_the_folder_is_reviewed_as_a_whole_with_everything_that_would_run(claude):
    documents = [claude.file(HOOKS), claude.file(HOOKS, "project")]
    loaded = claude.load(*documents)
    (review,) = claude.dialect.reviews(loaded, documents, claude.places)
    assert (review.key, review.state.trust, review.hooks) == ("/srv/project", "untrusted", loaded.hooks)
    assert claude.paths["user"] in review.text
    assert claude.paths["project"] in review.text


def test_the_digest_is_over_the_files_that_hold_hooks(claude):
    def digest(*documents):
        (review,) = claude.dialect.reviews(claude.load(*documents), documents, claude.places)
        return review.digest

    one = claude.file(HOOKS)
    other = claude.file(HOOKS | {"x": 1})
    assert digest(one) == digest(one, claude.file({}, "project"), claude.accepted())
    assert digest(one) != digest(other)


def test_without_hooks_there_is_nothing_to_review(claude):
    documents = [claude.file({"model": "small"})]
    assert claude.dialect.reviews(claude.load(*documents), documents, claude.places) == []


@pytest.fixture
def laid_out(home, workspace):
    (workspace / ".claude").mkdir()
    (workspace / ".claude/settings.json").write_text(
        json.dumps({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo hello"}]}]}})
    )
    (home / ".claude.json").write_text('{"numStartups": 5, "projects": {"/other": {"history": []}}}')
    return home, workspace


def test_approving_accepts_the_folder_where_the_client_keeps_it_and_revoking_takes_it_back(claude, laid_out):
    from hookfw import SessionStart

    home, workspace = laid_out
    options = {"workspace": workspace, "home": home, "dialects": ["claude-code"], "host": Host.load()}
    with open_sync(**options) as hooks:
        assert hooks.fire(SessionStart(source="startup")).runs == ()
        (review,) = hooks.reviews()
        hooks.approve(review)
    kept = json.loads((home / ".claude.json").read_text())
    assert kept == {
        "numStartups": 5,
        "projects": {"/other": {"history": []}, str(workspace): {"hasTrustDialogAccepted": True}},
    }
    with open_sync(**options) as hooks:
        assert hooks.fire(SessionStart(source="startup")).context == ("hello",)
        (review,) = hooks.reviews()
        hooks.revoke(review)
        # Consent that is taken back holds for the session that runs.
        assert hooks.fire(SessionStart(source="startup")).context == ()
    places = Places(str(home), str(workspace))
    documents = claude.dialect.discover(places, FileView())
    loaded = claude.dialect.load(documents, places, trust_all=False)
    assert [state.runs for state in claude.dialect.judge(loaded, documents, places).values()] == [False]


def test_a_single_hook_has_no_switch(claude):
    assert claude.dialect.enable(claude.hook(), claude.places, enabled=False) == ()
