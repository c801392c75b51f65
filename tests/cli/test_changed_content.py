"""A file that changed since it was shown is refused, and the difference is shown."""

from __future__ import annotations

import hashlib

PROJECT = '[[hooks]]\nevent = "session_start"\nname = "setup"\ncommand = "echo good > ran"\n'


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_digest_that_is_no_longer_current_is_refused_with_the_difference(place):
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    place.there("review")
    place.write("workspace/.codewhale/hooks.toml", PROJECT.replace("good", "evil"))
    result = place.there("approve", digest_of(PROJECT))
    assert result.status == 1
    assert "changed since it was shown" in result.err
    assert {'-command = "echo good > ran"', '+command = "echo evil > ran"'} <= set(result.err.splitlines())
    assert place.there("review", "--json").json["reviews"][0]["trust"] == "untrusted"


def test_a_digest_that_was_never_shown_here_is_refused_without_one(place):
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    result = place.there("approve", digest_of("other"))
    assert (result.status, len(result.err.splitlines())) == (1, 1)


def test_the_review_of_a_modified_file_shows_what_changed_since_the_approval(place):
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    place.there("approve", digest_of(PROJECT))
    assert "changed since the approval" not in place.there("review").out
    place.write("workspace/.codewhale/hooks.toml", PROJECT.replace("good", "evil"))
    out = place.there("review").out
    assert "modified" in out
    assert "changed since the approval" in out
    assert '-command = "echo good > ran"' in out


def test_what_was_shown_is_kept_for_the_person_alone_and_grants_nothing(place, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(place.root / "state"))
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    place.there("review")
    kept = list((place.root / "state" / "hookfw" / "reviewed").iterdir())
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]
    assert place.there("fire", "session_start", "--json").json["runs"] == []


def test_a_state_folder_that_cannot_be_written_loses_the_difference_alone(place, monkeypatch):
    place.write("state", "a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(place.root / "state"))
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    assert place.there("review").status == 0


def test_an_approval_of_other_bytes_or_of_a_file_that_is_gone_can_be_taken_back(place):
    file = place.write("workspace/.codewhale/hooks.toml", PROJECT)
    for change in (lambda: file.write_text(PROJECT + "# more\n"), file.unlink):
        file.write_text(PROJECT)
        assert place.there("approve", digest_of(PROJECT)).status == 0
        change()
        assert "Revoked" in place.there("revoke").out
        file.write_text(PROJECT)
        assert place.there("review", "--json").json["reviews"][0]["trust"] == "untrusted"


def test_what_is_gone_is_not_asked_about(place):
    file = place.write("workspace/.codewhale/hooks.toml", PROJECT)
    place.there("approve", digest_of(PROJECT))
    file.unlink()
    assert place.there("approve").out == "Nothing here waits for consent.\n"
