from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hookfw import Host
from hookfw.settings import Guest, ModelSettings, Plugins, Settings

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def fences(language):
    pattern = re.compile(rf"^```{language}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return [
        pytest.param(found.group(1), id=f"{page.name}:{at}")
        for page in PAGES
        for at, found in enumerate(pattern.finditer(page.read_text()))
    ]


def test_the_generated_parts_are_up_to_date():
    ended = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("code", fences("python"))
def test_every_python_example_runs(code, home, tmp_path):
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_the_first_example_prints_what_it_shows(home, workspace):
    text = (ROOT / "README.md").read_text()
    config, script, shown = (
        re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL).group(1)
        for language in ("toml", "sh", "console")
    )
    folder = home / ".codewhale"
    (folder / "hooks").mkdir(parents=True)
    (folder / "config.toml").write_text(config)
    (folder / "hooks" / "no-recursive-delete.sh").write_text(script)
    (folder / "hooks" / "no-recursive-delete.sh").chmod(0o755)
    prompt, _, answer = shown.partition("\n")
    command = prompt.removeprefix("$ ").replace("hookfw fire", f"{sys.executable} -m hookfw fire")
    ended = subprocess.run(["sh", "-c", command], cwd=workspace, capture_output=True, text=True, check=True)
    assert without_times(ended.stdout) == without_times(answer)


def without_times(text):
    return re.sub(r" +", " ", re.sub(r"[\d.]+ m?s\b", "TIME", text))


@pytest.mark.parametrize(("language", "name"), [("toml", "pyproject.toml"), ("python", "hookfw_sql.py")])
def test_the_package_on_the_page_is_the_one_that_is_tested(language, name):
    page = (ROOT / "docs" / "writing-a-handler.md").read_text()
    (shown,) = re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert shown == (ROOT / "tests" / "packages" / "hookfw-sql" / name).read_text()


def test_every_handler_type_has_a_section():
    page = (ROOT / "docs" / "handlers.md").read_text()
    assert [name for name in Host.load().handler_types if f"\n## {name}\n" not in page] == []


@pytest.mark.parametrize("text", fences("toml"))
def test_every_toml_example_parses(text):
    tomllib.loads(text)


def test_every_setting_is_documented():
    text = (ROOT / "docs" / "configuration.md").read_text()
    names = [field.name for field in dataclasses.fields(Settings) if field.name not in ("guest", "model", "plugins")]
    names += [f"guest.{field.name}" for field in dataclasses.fields(Guest)]
    names += [f"model.{field.name}" for field in dataclasses.fields(ModelSettings)]
    names += [f"plugins.{field.name}" for field in dataclasses.fields(Plugins)]
    assert [name for name in names if f"| `{name}` |" not in text] == []


def test_every_dialect_has_a_page_that_names_what_it_follows_and_every_event():
    host = Host.load()
    for name, info in host.dialects.items():
        text = (ROOT / "docs" / "dialects" / f"{name}.md").read_text()
        assert info.follows in text
        assert [event.name for event in host.dialect(name).events if f"`{event.name}`" not in text] == []


def _properties(schema):
    if isinstance(schema, list):
        return {name for item in schema for name in _properties(item)}
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    return set(own if isinstance(own, dict) else ()) | {name for item in schema.values() for name in _properties(item)}


@pytest.mark.parametrize("name", sorted(Host.load().dialects))
def test_every_field_of_a_configuration_is_documented(name):
    text = (ROOT / "docs" / "dialects" / f"{name}.md").read_text()
    fields = _properties(dict(Host.load().dialect(name).schema()))
    assert fields
    assert sorted(field for field in fields if not re.search(rf"`[^`]*\b{re.escape(field)}\b[^`]*`", text)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_between_pages_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
