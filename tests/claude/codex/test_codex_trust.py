from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Document
from hookfw.trust import record
from hookfw_claude.codex.handlers import read_handler
from hookfw_claude.codex.identity import digest_of
from hookfw_claude.codex.rules import EVENTS

GATE = {"type": "command", "command": "echo trusted-no >&2; exit 2"}
SEEN = "sha256:afd945e6e8a13943682d06331c4b88ed497a9c8222c0eae46c8a7385f93973a9"
"""What the client itself has for that command, on PreToolUse with the matcher `Bash`."""


def digest(event="PreToolUse", matcher="Bash", **fields):
    rules = EVENTS[event]
    return digest_of(rules, matcher, read_handler({**GATE, **fields}, rules, [], windows=False).as_digested())


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("true", "sha256:a7de97b60e1412f8e936f33ad7e97c04dfe69190d43e61d14c46265643383835"),
        ("echo plugin >&2; exit 2", "sha256:779aaa60d5fe3048b52e5749ab390c4e8aed507e48054449bc63f378a122fc16"),
    ],
)
def test_digests_are_those_of_the_client(command, expected):
    assert digest() == SEEN
    assert digest(matcher=None, command=command) == expected


@pytest.mark.parametrize(
    "same",
    [
        {"timeout": 600},
        {"timeout": None},
        {"async": False},
        {"statusMessage": None},
        {"additionalContextLimit": None},
        {"commandWindows": "py gate.py"},
        {"note": "not digested"},
    ],
)
def test_written_out_defaults_and_unknown_fields_do_not_change_the_digest(same):
    assert digest(**same) == SEEN


@pytest.mark.parametrize(
    "other",
    [
        {"command": " echo trusted-no >&2; exit 2"},
        {"timeout": 7},
        {"async": True},
        {"additionalContextLimit": 2500},
        {"statusMessage": ""},
        {"matcher": None},
        {"matcher": ""},
        {"matcher": "*"},
        {"event": "PostToolUse"},
    ],
)
def test_every_part_of_the_definition_is_in_the_digest(other):
    assert digest(**other) != SEEN


def test_the_digest_is_over_what_applies():
    assert digest(timeout=0) == digest(timeout=1)
    assert digest("SessionEnd") == digest("SessionEnd", timeout=1)
    assert digest("SessionEnd", timeout=60) == digest("SessionEnd", timeout=3)
    assert digest("Stop", matcher="[") == digest("Stop", matcher=None)
    assert digest("Stop", additionalContextLimit=5) == digest("Stop")


def test_the_digest_of_a_tool_handler_sees_numbers_as_the_client_does():
    from hashlib import sha256

    rules = EVENTS["PreToolUse"]
    raw = {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"n": 1, "on": True, "list": [2.5, "3", None]}}
    text = (
        '{"event_name":"pre_tool_use","hooks":[{"input":{"list":[{"$serde_json::private::Number":"2.5"},"3",null],'
        '"n":{"$serde_json::private::Number":"1"},"on":true},"server":"s","timeout":600,"tool":"t","type":"mcp_tool"}]}'
    )
    expected = f"sha256:{sha256(text.encode()).hexdigest()}"
    assert digest_of(rules, None, read_handler(raw, rules, [], windows=False).as_digested()) == expected


@given(st.text(), st.text())
def test_any_text_has_a_digest_and_no_two_commands_the_same(one, other):
    assert (digest(command=one) == digest(command=other)) is (one == other)


KEY = "/home/ada/.codex/hooks.json:pre_tool_use:0:0"


def judged(codex, *state, scope="user", **flags):
    """The state of the one hook whose record these lines of TOML are."""
    file = codex.file({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}}, scope=scope)
    config = codex.config("\n".join((f"[hooks.state.'{KEY}']", *state)))
    documents = [file, config]
    if flags:
        text = "\n".join(f"hooks.state = {{ '{key}' = {value} }}" for key, value in flags.items())
        documents.append(
            codex.config(text.replace("'KEY'", f"'{KEY}'"), "/<session-flags>/config.toml", "cli", "flags")
        )
    loaded = codex.load(*documents)
    (state,) = codex.dialect.judge(loaded, documents, codex.places).values()
    return state


@pytest.mark.parametrize(
    ("state", "trust", "enabled"),
    [
        ([], "untrusted", True),
        ([f"trusted_hash = '{SEEN}'"], "trusted", True),
        ([f"trusted_hash = '{SEEN}'", "enabled = false"], "trusted", False),
        (["trusted_hash = 'sha256:00'"], "modified", True),
        (["enabled = false"], "untrusted", False),
        ([f"trusted_hash = '{SEEN}'", "enabled = 'no'"], "untrusted", True),
        (["trusted_hash = 5"], "untrusted", True),
    ],
)
def test_states(codex, state, trust, enabled):
    found = judged(codex, *state)
    assert (found.trust, found.enabled) == (trust, enabled)


def test_what_a_session_is_started_with_counts_field_by_field_over_the_file(codex):
    assert judged(codex, "enabled = false", KEY=f"{{ trusted_hash = '{SEEN}' }}").trust == "trusted"
    assert not judged(codex, "enabled = false", KEY=f"{{ trusted_hash = '{SEEN}' }}").enabled
    assert judged(codex, f"trusted_hash = '{SEEN}'", KEY="{ trusted_hash = 'x' }").trust == "modified"


def test_state_in_any_other_file_does_not_count(codex):
    lines = f"[hooks.state.'{KEY}']\ntrusted_hash = '{SEEN}'\n"
    documents = [
        codex.file({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}}),
        codex.config(),
        codex.config(lines, "/srv/project/.codex/config.toml", "project"),
        codex.config(lines, "/etc/codex/config.toml", "managed"),
    ]
    loaded = codex.load(*documents)
    assert [state.trust for state in codex.dialect.judge(loaded, documents, codex.places).values()] == ["untrusted"]


def test_state_counts_beside_hooks_of_a_wrong_shape(codex):
    config = codex.config(f"[hooks]\nStop = 5\n[hooks.state.'{KEY}']\ntrusted_hash = '{SEEN}'\n")
    documents = [codex.file({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}}), config]
    loaded = codex.load(*documents)
    assert [state.trust for state in codex.dialect.judge(loaded, documents, codex.places).values()] == ["trusted"]


def test_managed_hooks_need_no_consent_have_no_switch_and_are_not_reviewed(codex):
    text = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n'
    managed = codex.config(text, "/etc/codex/requirements.toml", "managed", "requirements")
    own = codex.config("[hooks.state.'/etc/codex/requirements.toml:stop:0:0']\nenabled = false\n")
    loaded = codex.load(managed, own)
    (hook,) = loaded.hooks
    state = codex.dialect.judge(loaded, [managed, own], codex.places)[hook]
    assert (state.trust, state.enabled) == ("managed", True)
    assert codex.dialect.reviews(loaded, [managed, own], codex.places) == []
    assert codex.dialect.enable(hook, codex.places, enabled=False) == []


def plugin_documents(codex, *state):
    root = "/home/ada/.codex/plugins/cache/mp/pl/1.0.0"
    key = "pl@mp:hooks/hooks.json:pre_tool_use:0:0"
    return [
        codex.config("\n".join((f"[hooks.state.'{key}']", *state))),
        Document(f"{root}/.codex-plugin/plugin.json", "plugin", "manifest", b"{}"),
        codex.file(
            {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}}, f"{root}/hooks/hooks.json", "plugin"
        ),
    ]


@pytest.mark.parametrize(
    ("state", "trust"),
    [
        ([f"trusted_hash = '{SEEN}'"], "trusted"),
        ([f"trusted_hash = '{SEEN}'", "trusted_content_hash = 'sha256:1'"], "modified"),
        (["trusted_content_hash = 'sha256:1'"], "untrusted"),
        (["trusted_hash = 'x'", "trusted_content_hash = 'sha256:1'"], "modified"),
    ],
)
def test_a_record_that_covers_the_files_of_a_plugin_cannot_be_held_against_them(codex, state, trust):
    documents = plugin_documents(codex, *state)
    loaded = codex.load(*documents)
    assert [found.trust for found in codex.dialect.judge(loaded, documents, codex.places).values()] == [trust]
    assert not judged(codex, f"trusted_hash = '{SEEN}'", "trusted_content_hash = 'x'").note


def test_approving_revoking_and_switching_write_what_judging_reads(codex, tmp_path):
    path = tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text("# mine\nmodel = 'x' # kept\n")
    places = codex.places._replace(home=str(tmp_path))

    def state():
        documents = [
            codex.file({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [GATE]}]}}),
            codex.config(path.read_text()),
        ]
        loaded = codex.load(*documents)
        (review,) = codex.dialect.reviews(loaded, documents, places)
        return loaded.hooks[0], review

    hook, review = state()
    assert (review.key, review.digest, review.state.trust) == (KEY, SEEN, "untrusted")
    assert review.text.splitlines() == [
        'event: "PreToolUse"',
        'matcher: "Bash"',
        'type: "command"',
        "timeout: 600",
        'command: "echo trusted-no >&2; exit 2"',
        "async: false",
    ]
    record(codex.dialect.enable(hook, places, enabled=False))
    record(codex.dialect.approve(review, places))
    hook, review = state()
    assert (review.state.trust, review.state.enabled) == ("trusted", False)
    record(codex.dialect.enable(hook, places, enabled=True))
    record(codex.dialect.revoke(review, places))
    assert (state()[1].state.trust, state()[1].state.enabled) == ("untrusted", True)
    assert path.read_text().startswith("# mine\nmodel = 'x' # kept\n")


def test_approving_a_plugins_hook_voids_what_covered_its_files(codex, tmp_path):
    documents = plugin_documents(codex, f"trusted_hash = '{SEEN}'", "trusted_content_hash = 'sha256:1'")
    loaded = codex.load(*documents)
    (review,) = codex.dialect.reviews(loaded, documents, codex.places)
    places = codex.places._replace(home=str(tmp_path))
    path = tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_bytes(documents[0].data)
    record(codex.dialect.approve(review, places))
    documents[0] = codex.config(path.read_text())
    assert [state.trust for state in codex.dialect.judge(codex.load(*documents), documents, places).values()] == [
        "trusted"
    ]


def test_consent_is_written_where_the_persons_folder_is(codex):
    places = codex.places._replace(environ={"CODEX_HOME": "/own"})
    assert {edit.path for edit in codex.dialect.revoke(codex.dialect.reviews(*reviewed(codex))[0], places)} == {
        "/own/config.toml"
    }


def reviewed(codex):
    documents = [codex.file({"hooks": {"Stop": [{"hooks": [GATE]}]}}), codex.config()]
    return codex.load(*documents), documents, codex.places


def test_a_review_shows_a_line_break_as_one_and_no_control_characters(codex):
    documents = [codex.file({"hooks": {"Stop": [{"hooks": [GATE | {"command": "a\nb\u001b[2J"}]}]}}), codex.config()]
    (review,) = codex.dialect.reviews(codex.load(*documents), documents, codex.places)
    assert f"command: {json.dumps('a' + chr(10) + 'b')[:-1]}" in review.text
    assert "\u001b" not in review.text
