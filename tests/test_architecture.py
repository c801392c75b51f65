from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import hookfw
from hookfw import events

ROOT = Path(__file__).parent.parent
LISTS = (ROOT / "hookfw" / "hookspecs.py",)  # an entry for each event
MODULES = [path for folder in ("hookfw", "dialects", "plugins") for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_short_and_says_what_it_is(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 400 or path in LISTS
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("package", [hookfw, events])
def test_what_is_exported_is_what_type_checkers_see(package):
    tree = ast.parse(Path(package.__file__).read_text())
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.asname or alias.name for node in guarded.body for alias in node.names}
    assert set(package.__all__) - {"CLASS_OF", "KINDS", "MODULE_OF", "event_class", "parse_event"} == seen
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_a_name_that_is_not_exported_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = hookfw.nothing
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = events.nothing


def loaded_by(code):
    said = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(said.stdout.split())


def test_importing_hookfw_loads_nothing_of_it():
    assert {name for name in loaded_by("import hookfw") if name.startswith("hookfw.")} == set()


def test_an_event_class_loads_only_its_own_theme():
    loaded = loaded_by("from hookfw import PreToolUse")
    assert "hookfw.events.calls" in loaded
    assert (
        not {"hookfw.events.work", "hookfw.events.prompts", "hookfw.events.results", "hookfw.supervisor", "asyncio"}
        & loaded
    )


def test_the_core_of_process_supervision_loads_little():
    assert not {"asyncio", "dataclasses", "pydantic", "psutil", "pluggy"} & loaded_by("import hookfw.process")


def test_a_plain_supervisor_fires_without_an_event_loop(home, tmp_path):
    (home / ".codewhale").mkdir()
    (home / ".codewhale" / "config.toml").write_text('[[hooks.hooks]]\nevent = "session_start"\ncommand = "true"\n')
    loaded = loaded_by(
        "import hookfw\n"
        "from hookfw.events import parse_event\n"
        f"with hookfw.open_sync(workspace={str(tmp_path)!r}) as hooks:\n"
        "    assert hooks.fire(parse_event('session_start', {})[0]).runs"
    )
    assert not {"asyncio", "tomlkit", "rich", "click", "psutil", "importlib.metadata"} & loaded
