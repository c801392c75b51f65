"""What is installed is what the agent accepts, and taking it out gives back what was there, whatever that was."""

from __future__ import annotations

import json
import os

import pytest

from hookfw import open_sync
from hookfw.errors import ConfigurationError, HookfwError
from hookfw.events import KINDS
from hookfw.guests.entries import GuestRequest, guest_call
from hookfw.guests.installing import install, uninstall
from hookfw.host import Host
from hookfw.sources import FileView, Places

AGENTS = ["claude-code", "codex", "codewhale", "deepagents", "mind", "wuu"]
JSON = {
    "byte order mark": b'\xef\xbb\xbf{"a": 1}',
    "line ends of Windows": b'{\r\n  "a": 1\r\n}\r\n',
    "tabs": b'{\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}',
    "one line": b'{"a":1,"hooks":{}}',
    "blank": b" \n",
    "empty": b"",
    "hooks twice": b'{"hooks": {"Stop": []}, "b": 2, "hooks": {}}\n',
    "letters": '{"ä": "\\ud800 \u2028 \U0001f40b"}\n'.encode(),
    "an escaped key": b'{"h\\u006foks": {"Stop": []}}',
    "strange white space": b'\n\n {  "hooks"\t:\n{ } ,"z":[ ]}  \n\n',
}
TOML = {
    "byte order mark": b"\xef\xbb\xbfmodel = 'x'\n",
    "comments": b"# mine\n\n[a] # why\nb = 1 # here\n# the end",
    "line ends of Windows": b"# mine\r\nmodel = 'x'\r\n",
    "no last line end": b"[a]\nb = 1",
    "letters": 'x = "\u2028 \U0001f40b \x7f"\n'.replace("\x7f", "").encode(),
    "text of many lines": b'x = """\n[[hooks.hooks]]\n"""\n',
    "empty": b"",
    "dotted keys": b"a.b.c = 1\n",
}


@pytest.fixture
def places(tmp_path):
    for name in ("home", "workspace"):
        (tmp_path / name).mkdir()
    return Places(home=str(tmp_path / "home"), workspace=str(tmp_path / "workspace"), environ={})


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def wanted(agent, places, *, closed=False, more="", scope="user"):
    return (
        Host.load()
        .agent(agent)
        .guest_entries(
            GuestRequest(
                places=places,
                files=FileView(),
                scope=scope,
                kinds=frozenset(KINDS),
                command=lambda event: f"'/opt/a b/hookfw' guest {agent} {event}{more}",
                closed=closed,
            )
        )
    )


def written(agent, places, data):
    path = wanted(agent, places).path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data)
    return path


def content(path):
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None


KINDS_OF_FILES = [
    (agent, name)
    for agent in AGENTS
    for name in (TOML if agent == "codewhale" else JSON)
    if agent != "codewhale" or name != "hooks twice"
]


@pytest.mark.parametrize(("agent", "name"), KINDS_OF_FILES)
def test_whatever_the_file_was_it_is_given_back_to_the_byte(agent, name, places):
    data = (TOML if agent == "codewhale" else JSON)[name]
    path = written(agent, places, data)
    entries = wanted(agent, places)
    assert install(agent, entries, places).after != data
    installed = content(path)
    assert install(agent, entries, places).after == installed
    # Another setting, and back: everything is written anew.
    install(agent, wanted(agent, places, closed=True, more=" --record '/tmp/it'"), places)
    install(agent, entries, places)
    uninstall(agent, path, places)
    assert content(path) == data


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("agent", AGENTS)
def test_the_agents_own_rules_accept_every_entry(agent, closed, places):
    entries = wanted(agent, places, closed=closed, more=" --record /tmp/it")
    install(agent, entries, places)
    options = {"workspace": places.workspace, "home": places.home, "environ": {}, "trust": "all"}
    with open_sync(dialects=[agent], **options) as hooks:
        assert [item for item in hooks.snapshot.diagnostics if item.severity == "error"] == []
        assert hooks.snapshot.rejected == []
        found = [(hook.event, guest_call(hook.command)) for hook in hooks.snapshot.hooks]
    assert found == [(entry.event, (agent, entry.event)) for entry in entries.entries]


@pytest.mark.parametrize("agent", ["claude-code", "codex", "deepagents", "mind", "wuu"])
def test_a_file_that_was_made_goes_also_where_the_agent_wrote_it_anew(agent, places):
    entries = wanted(agent, places)
    install(agent, entries, places)
    with open(entries.path, encoding="utf-8") as stream:
        document = json.load(stream)
    with open(entries.path, "w", encoding="utf-8") as stream:
        json.dump(document, stream, separators=(",", ":"))
    uninstall(agent, entries.path, places)
    assert content(entries.path) is None


@pytest.mark.parametrize("agent", AGENTS)
def test_what_was_taken_out_by_hand_is_not_remembered(agent, places):
    data = (TOML if agent == "codewhale" else JSON)["line ends of Windows"]
    entries = wanted(agent, places)
    install(agent, entries, places)
    path = written(agent, places, data)
    install(agent, entries, places)
    uninstall(agent, path, places)
    assert content(path) == data


@pytest.mark.parametrize("agent", AGENTS)
def test_a_file_that_cannot_be_written_leaves_no_note_of_what_is_not_in_it(agent, places, monkeypatch):
    data = b""
    path = written(agent, places, data)
    entries = wanted(agent, places)
    real = os.replace

    def full(old, new):
        if str(new) == os.path.realpath(path):
            raise OSError(28, "No space left on device")
        real(old, new)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(HookfwError, match="No space"):
        install(agent, entries, places)
    monkeypatch.undo()
    assert content(path) == data
    assert not os.path.exists(os.path.join(places.home, ".config/hookfw/guests"))
    install(agent, entries, places)
    uninstall(agent, path, places)
    assert content(path) == data


@pytest.mark.parametrize("agent", AGENTS)
def test_a_file_that_is_read_only_is_left_alone(agent, places):
    path = written(agent, places, b"")
    entries = wanted(agent, places)
    os.chmod(path, 0o444)
    with pytest.raises(ConfigurationError, match="read-only"):
        install(agent, entries, places)
    os.chmod(path, 0o644)
    install(agent, entries, places)
    os.chmod(path, 0o444)
    with pytest.raises(ConfigurationError, match="read-only"):
        uninstall(agent, path, places)
