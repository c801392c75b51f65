"""Start, help, version, and plugins that bring commands or break."""

from __future__ import annotations

import gc
import json
import subprocess
import sys

import pytest

from hookfw import __version__
from hookfw.cli._app import Early, early_options
from hookfw.cli.commands import register_commands

SHOW_MODULES = (
    "import sys, json; from hookfw.cli import main; main({arguments!r}); print(json.dumps(list(sys.modules)))"
)


def modules_after(*arguments, **options):
    script = SHOW_MODULES.format(arguments=list(arguments))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, **options)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_told(place, option):
    result = place.run(option)
    assert (result.status, result.out) == (0, f"hookfw {__version__}\n")


def test_the_version_imports_neither_click_nor_pydantic_nor_the_host():
    loaded = modules_after("--version")
    assert not loaded & {"click", "pydantic", "pluggy", "importlib.metadata", "hookfw.host", "rich"}


def test_only_the_process_of_a_command_does_without_garbage_collection(place):
    place.run("--version")
    assert gc.isenabled()
    script = "import gc, sys; sys.argv = ['hookfw', '--version']; from hookfw.cli import main; main(); "
    script += "print(gc.isenabled(), gc.get_freeze_count() > 0)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False True"


def test_firing_imports_no_event_loop_no_rich_and_no_library_for_edits(place):
    place.hooks('event = "session_start"\ncommand = "true"')
    loaded = modules_after("fire", "session_start", "--json", "--home", str(place.home), "--workspace", str(place.root))
    assert "hookfw.sync" in loaded
    assert not loaded & {"asyncio", "rich", "tomlkit", "filelock", "hookfw.trust", "hookfw.testing"}


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_lists_every_command_and_imports_none(place, arguments):
    result = place.run(*arguments)
    assert result.status == 0
    for info in register_commands():
        assert f"  {info.name} " in result.out
        assert info.help.split()[0] in result.out
    assert "hookfw.cli.demo" not in modules_after("--help")


@pytest.mark.parametrize("info", register_commands(), ids=lambda info: info.name)
def test_every_command_has_help_and_json(place, info):
    result = place.run(info.name, "--help")
    assert result.status == 0
    assert "--json" in result.out
    assert info.load().name == info.name


def test_plugins_are_blocked_before_they_are_imported(place):
    assert early_options(["fire", "--no-plugin", "a", "--no-plugin=b", "--home", "h"]) == Early("h", ("a", "b"))
    assert early_options(["fire", "--", "--no-plugin", "a"]) == Early()
    assert early_options(["--no-plugin"]).blocked == ("",)


@pytest.fixture
def broken_plugin(place):
    """A package with two plugins: one that cannot be imported, and one whose command cannot be loaded."""
    packages = place.root / "packages"
    place.write("packages/broken_hooks.py", "raise RuntimeError('half installed')\n")
    place.write(
        "packages/brings_command.py",
        "from hookfw import CommandInfo, hookimpl\n"
        "def load():\n    raise ImportError('no module named missing')\n"
        "@hookimpl\ndef register_commands():\n    return [CommandInfo(name='extra', help='More.', load=load)]\n",
    )
    place.write("packages/acme-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    place.write(
        "packages/acme-1.0.dist-info/entry_points.txt", "[hookfw]\nacme = broken_hooks\nacme-extra = brings_command\n"
    )
    place.monkeypatch.syspath_prepend(str(packages))
    return place


def test_a_broken_plugin_is_shown_with_its_reason_and_harms_nothing(broken_plugin):
    found = {item["name"]: item for item in broken_plugin.run("plugins", "--json").json["plugins"]}
    assert "half installed" in found["acme"]["problem"]
    assert (found["acme"]["package"], found["acme"]["version"]) == ("acme", "1.0")
    assert found["acme-extra"]["problem"] is None
    result = broken_plugin.there("fire", "session_start", "--json")
    assert result.status == 0
    assert any(item["code"] == "plugin-failed" for item in result.json["diagnostics"])


def test_a_blocked_plugin_is_not_imported(broken_plugin):
    result = broken_plugin.there("fire", "session_start", "--json", "--no-plugin", "acme")
    assert result.json["diagnostics"] == []
    broken_plugin.monkeypatch.setenv("HOOKFW_DISABLE", "acme")
    assert broken_plugin.there("fire", "session_start", "--json").json["diagnostics"] == []


def test_settings_of_the_home_block_plugins(broken_plugin):
    broken_plugin.write("home/.config/hookfw/config.toml", '[plugins]\ndisabled = ["acme"]\n')
    assert broken_plugin.there("fire", "session_start", "--json").json["diagnostics"] == []


def test_a_command_that_cannot_be_loaded_says_why(broken_plugin):
    result = broken_plugin.run("extra")
    assert result.status == 1
    assert "'extra' cannot be loaded: ImportError: no module named missing" in result.err


def test_a_broken_settings_file_is_one_sentence(place):
    path = place.write("home/.config/hookfw/config.toml", "dedupe = yes\n")
    result = place.run("events")
    assert result.status == 1
    assert str(path) in result.err
    assert "line 1" in result.err
    assert result.err.count("\n") == 1
