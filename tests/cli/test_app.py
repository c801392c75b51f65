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


@pytest.fixture
def plugin(place):
    """Installs a module as a plugin."""

    def install(name, text, *, metadata=True):
        place.write(f"packages/{name}_hooks.py", f"from hookfw import CommandInfo, DialectInfo, hookimpl\n{text}\n")
        place.write(f"packages/{name}-1.dist-info/entry_points.txt", f"[hookfw]\n{name} = {name}_hooks\n")
        if metadata:
            place.write(f"packages/{name}-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        place.monkeypatch.syspath_prepend(str(place.root / "packages"))
        return place

    return install


@pytest.mark.parametrize("raises", ["sys.exit(3)", "raise BaseException('half')", "raise GeneratorExit", "1 / 0"])
def test_whatever_an_import_raises_the_others_go_on(plugin, raises):
    place = plugin(f"odd_{raises[0]}", f"import sys\n{raises}")
    result = place.run("plugins", "--json")
    assert result.status == 0
    assert any("cannot be imported" in item["message"] for item in result.json["diagnostics"])
    assert place.there("fire", "session_start").status == 0


REGISTER = "@hookimpl\ndef register_{what}():\n    return [{infos}]"


@pytest.mark.parametrize("what", ["commands", "dialects", "agents", "handler_types", "executors", "demos"])
@pytest.mark.parametrize("infos", ["'text'", "None", "object()", "(3, 3, 3, 3)"])
def test_a_wrong_registration_is_told_and_spoils_nothing(plugin, what, infos):
    place = plugin(f"wrong_{what}", REGISTER.format(what=what, infos=infos))
    result = place.run("plugins", "--json")
    assert result.status == 0
    (note,) = result.json["diagnostics"]
    assert f"'wrong_{what}'" in note["message"]
    assert f"register_{what}" in note["message"]


def test_two_plugins_with_a_command_of_one_name_are_told(plugin):
    place = plugin("zzz", REGISTER.format(what="commands", infos="CommandInfo('list', 'Mine.', lambda: None)"))
    assert place.there("list").status == 0
    (note,) = place.run("plugins", "--json").json["diagnostics"]
    assert "'cli' and 'zzz' both register 'list'" in note["message"]


@pytest.mark.parametrize(
    ("infos", "told"),
    [
        ("CommandInfo('extra', 'More.', lambda: 3)", "no click command"),
        ("CommandInfo('extra', 'More.', lambda: exit(3))", "SystemExit: 3"),
    ],
)
def test_a_command_that_is_none_is_told(plugin, infos, told):
    result = plugin(f"more{len(infos)}", REGISTER.format(what="commands", infos=infos)).run("extra")
    assert result.status == 1
    assert told in result.err
    assert "defect" not in result.err


def test_a_dialect_that_exits_while_it_loads_stays_alone(plugin):
    infos = "DialectInfo('leaving', 'Leaving', 'nothing', lambda: exit(3))"
    place = plugin("leaving", REGISTER.format(what="dialects", infos=infos))
    place.hooks('event = "session_start"\ncommand = "true"')
    result = place.there("fire", "session_start", "--json")
    assert result.status == 0
    assert [run["status"] for run in result.json["runs"]] == ["completed"]
    assert any("'leaving' cannot be loaded: SystemExit" in item["message"] for item in result.json["diagnostics"])


def test_a_package_without_metadata_is_shown_without_them(plugin):
    result = plugin("bare", "", metadata=False).run("plugins", "--json")
    assert result.status == 0
    assert next(item for item in result.json["plugins"] if item["name"] == "bare")["version"] == ""


def test_blocking_a_plugin_that_is_not_there_is_told(place):
    for arguments, disabled in ((["--no-plugin", "codewale"], ""), ([], "codewale")):
        place.monkeypatch.setenv("HOOKFW_DISABLE", disabled)
        (note,) = place.there("fire", "stop", "--json", *arguments).json["diagnostics"]
        assert (note["code"], note["severity"]) == ("unknown-plugin", "warning")
        assert "did you mean 'codewhale'?" in note["message"]


def test_without_the_commands_it_says_what_brings_them(place):
    place.monkeypatch.setenv("HOOKFW_DISABLE", "cli")
    assert "the plugin 'cli'" in place.run("list").err
    assert "the plugin 'cli'" in place.run("--help").out
