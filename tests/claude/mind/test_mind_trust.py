from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw.trust import record
from hookfw_claude.hook_state import merged, read_state
from hookfw_claude.mind import trust
from hookfw_claude.mind.handlers import Findings, read_handler
from hookfw_claude.mind.rules import EVENTS

GATE = {"type": "command", "command": "sh hooks/gate.sh"}
CHECK_VALUE = "sha256:a0d2201892d387df51c52f8474693b65d6b5904bc1b9592154fdb7312cf456da"


def digest(event="PreToolUse", matcher="Bash", **fields):
    return trust.digest_of(matcher, read_handler({**GATE, **fields}, EVENTS[event], Findings(), windows=False))


def test_the_digest_of_the_published_example():
    assert digest() == CHECK_VALUE


@pytest.mark.parametrize(
    "same",
    [
        {"timeout": 600},
        {"async": False},
        {"additionalContextLimit": 2500},
        {"statusMessage": " "},
        {"commandWindows": None},
        {"command": "  sh hooks/gate.sh\n"},
        {"note": "not hashed"},
        {"server": "not a field of a command"},
    ],
)
def test_written_out_defaults_blanks_and_unknown_fields_do_not_change_the_digest(same):
    assert digest(**same) == CHECK_VALUE


@pytest.mark.parametrize(
    "other",
    [
        {"command": "sh hooks/gate.sh -x"},
        {"timeout": 7},
        {"async": True},
        {"additionalContextLimit": 0},
        {"statusMessage": "Looking"},
        {"commandWindows": "py gate.py"},
        {"matcher": "*"},
    ],
)
def test_every_part_of_the_definition_is_in_the_digest(other):
    assert digest(**other) != CHECK_VALUE


def test_the_digest_is_over_normal_values():
    assert digest(timeout=0) == digest(timeout=1)
    assert digest("SessionEnd", timeout=5) == digest("SessionEnd", timeout=30)
    assert digest(commandWindows="x") == digest(command_windows="x")
    assert digest("Stop") == digest("PreToolUse"), "the event is in the key, not in the digest"


def test_keys_name_source_type_event_and_positions_as_written(mind):
    tool = {"type": "mcp_tool", "server": "s", "tool": "t"}
    loaded = mind.load_events(PreToolUse=[5, {"hooks": [{"type": "prompt"}, GATE, tool]}])
    assert [hook.config.key for hook in loaded.hooks] == [
        "/home/ada/.mind/hooks.json|command:PreToolUse:1:1",
        "/home/ada/.mind/hooks.json|mcp_tool:s:t:PreToolUse:1:2",
    ]


KEY = "/home/ada/.mind/hooks.json|command:PreToolUse:0:0"


def judged(mind, config, **places):
    documents = [mind.file({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}}), mind.config(config)]
    loaded = mind.dialect.load(documents, mind.places._replace(**places), trust_all=False)
    (state,) = mind.dialect.judge(loaded, documents, mind.places).values()
    return state.trust, state.enabled


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("", ("untrusted", True)),
        (f"trusted_hash = '{CHECK_VALUE}'", ("trusted", True)),
        (f"trusted_hash = '{CHECK_VALUE.upper()}'", ("modified", True)),
        (f"trusted_hash = ' {CHECK_VALUE}'", ("modified", True)),
        ("trusted_hash = 'rubbish'", ("modified", True)),
        ("trusted_hash = ''", ("modified", True)),
        ("enabled = false", ("untrusted", False)),
        ("enabled = true", ("untrusted", True)),
        (f"trusted_hash = '{CHECK_VALUE}'\nenabled = false", ("trusted", False)),
        ("trusted_hash = 'x'\nenabled = false", ("modified", False)),
        (f"trusted_hash = '{CHECK_VALUE}'\nenabled = 'no'", ("untrusted", True)),
        ("trusted_hash = 5\nenabled = false", ("untrusted", True)),
        (f"trusted_hash = '{CHECK_VALUE}'\nwho = 'me'", ("trusted", True)),
    ],
)
def test_the_states_of_a_hook(mind, entry, expected):
    assert judged(mind, f"[hooks.state.'{KEY}']\n{entry}\n") == expected


@pytest.mark.parametrize(
    "config", ["hooks.state = 3\n", "[hooks.state]\nx = 3\n", "[hooks.state.' ']\nenabled = false\n"]
)
def test_a_malformed_state_is_dropped_in_silence(mind, config):
    assert judged(mind, config) == ("untrusted", True)
    assert mind.load(mind.config(config)).diagnostics == ()


def test_the_key_of_an_entry_is_trimmed(mind):
    assert judged(mind, f"[hooks.state.' {KEY} ']\ntrusted_hash = '{CHECK_VALUE}'\n") == ("trusted", True)


def test_overrides_of_state_count_field_by_field_over_the_file(mind, home, workspace):
    (home / ".mind").mkdir()
    (home / ".mind" / "hooks.json").write_text(
        json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}})
    )
    key = f"{(home / '.mind' / 'hooks.json').resolve()}|command:PreToolUse:0:0"
    (home / ".mind" / "config.toml").write_text(f"[hooks.state.'{key}']\nenabled = false\n")

    def state(overrides):
        loaded, states = mind.on_disk(home, workspace, overrides=overrides)
        (found,) = states.values()
        return found.trust, found.enabled, len(loaded.diagnostics)

    assert state({f"hooks.state.'{key}'.trusted_hash": f"'{CHECK_VALUE}'"}) == ("trusted", False, 0)
    assert state({f"hooks.state.'{key}'.enabled": "true"}) == ("untrusted", True, 0)
    assert state({f"hooks.state.'{key}'.trusted_hash": "'sha256:ABC'"}) == ("untrusted", False, 1)
    assert state({f"hooks.state.'{key}'.note": "'x'"}) == ("untrusted", False, 1)


@pytest.mark.parametrize("scope", ["profile", "project"])
def test_state_of_a_profile_or_a_project_never_counts(mind, home, workspace, scope):
    (home / ".mind").mkdir()
    (home / ".mind" / "hooks.json").write_text(
        json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}})
    )
    key = f"{(home / '.mind' / 'hooks.json').resolve()}|command:PreToolUse:0:0"
    entry = f"[hooks.state.'{key}']\ntrusted_hash = '{CHECK_VALUE}'\nenabled = false\n"
    (home / ".mind" / "config.toml").write_text(f"[projects.'{workspace}']\ntrust_level = 'trusted'\n")
    (workspace / ".mind").mkdir()
    target = home / ".mind" / "work.config.toml" if scope == "profile" else workspace / ".mind" / "config.toml"
    target.write_text(entry)
    _, states = mind.on_disk(home, workspace, profile="work" if scope == "profile" else None)
    (state,) = states.values()
    assert (state.trust, state.enabled) == ("untrusted", True)


def test_a_review_shows_all_that_the_digest_covers(mind):
    loaded = mind.load_handlers({**GATE, "command": "a\nb", "commandWindows": "c", "timeout": 7}, matcher="Bash")
    (review,) = mind.dialect.reviews(loaded, [], mind.places)
    assert (review.key, review.path, review.digest) == (KEY, mind.user_file, loaded.hooks[0].config.digest)
    assert 'matcher: "Bash"' in review.text
    assert 'command: "a\\nb"' in review.text, "a line break is seen as one"
    assert "timeout: 7" in review.text
    assert 'commandWindows: "c"' in review.text


def test_reviewing_and_switching_keep_out_of_each_others_way(mind, home):
    (home / ".mind").mkdir()
    config = home / ".mind" / "config.toml"
    config.write_text('# mine\nmodel = "x"\n')
    places = mind.places._replace(home=str(home))
    loaded = mind.load_handlers(GATE, matcher="Bash")
    (review,) = mind.dialect.reviews(loaded, [], places)
    (hook,) = loaded.hooks

    def state():
        documents = [mind.config(config.read_text())]
        found = mind.dialect.judge(loaded, documents, places)[hook]
        return found.trust, found.enabled

    record(mind.dialect.approve(review, places))
    assert state() == ("trusted", True)
    record(mind.dialect.enable(hook, places, enabled=False))
    assert state() == ("trusted", False)
    record(mind.dialect.revoke(review, places))
    assert state() == ("untrusted", False)
    record(mind.dialect.approve(review, places))
    assert state() == ("trusted", False)
    record(mind.dialect.enable(hook, places, enabled=True))
    assert state() == ("trusted", True)
    assert config.read_text().startswith('# mine\nmodel = "x"\n')


@given(
    st.dictionaries(
        st.text(max_size=4),
        st.fixed_dictionaries(
            {}, optional={"enabled": st.booleans() | st.integers(), "trusted_hash": st.text() | st.none()}
        )
        | st.integers(),
        max_size=4,
    )
)
def test_no_state_raises_and_only_an_explicit_false_switches_off(table):
    for key, entry in merged([read_state(table)]).items():
        assert key == key.strip() != ""
        assert entry.enabled or any(
            isinstance(value, dict) and value.get("enabled") is False
            for name, value in table.items()
            if name.strip() == key
        )
