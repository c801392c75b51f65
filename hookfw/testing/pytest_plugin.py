"""
The pytest plugin for authors of dialects and hooks. It comes with hookfw and is switched on by itself.

- The fixture `hookfw_project` lays out a scratch home and workspace and fires events at them.
- The fixture `hookfw_replay` fires the events of a recording again and says what has changed.
- `pytest --hookfw-cases DIR` collects the conformance cases in `DIR` as tests; it can be given more than once.

It imports nothing heavy: supervisor, events and dialects are loaded when an event is fired.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hookfw.testing.cases import Case, load_case
from hookfw.testing.in_process import run_case
from hookfw.testing.project import Project
from hookfw.testing.replay import replay_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_OPTION = "hookfw_cases"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option `--hookfw-cases`."""
    parser.getgroup("hookfw").addoption(
        "--hookfw-cases",
        action="append",
        default=[],
        dest=_OPTION,
        metavar="DIR",
        help="collect the hookfw conformance cases in DIR (or one case file) as tests; may be repeated",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Folders of cases are collected beside whatever else was asked for."""
    config.args += [folder for folder in config.getoption(_OPTION) if folder not in config.args]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A JSON file in a folder of cases is a case; all others are left alone."""
    folders = [Path(folder).resolve() for folder in parent.config.getoption(_OPTION)]
    if file_path.suffix != ".json" or not any(file_path.is_relative_to(folder) for folder in folders):
        return None
    file: pytest.Collector = CaseFile.from_parent(parent, path=file_path)
    return file


class CaseFile(pytest.File):
    """A case file; it holds one test."""

    def collect(self) -> Iterator[pytest.Item]:
        """The one case in it. Raises `CaseError` for a file that is none."""
        case = load_case(self.path)
        yield CaseItem.from_parent(self, name=case.name, case=case)


class CaseItem(pytest.Item):
    """One conformance case as a test."""

    def __init__(self, *, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._case = case
        self._root = Path()

    def setup(self) -> None:
        """A scratch folder of its own."""
        factory: pytest.TempPathFactory = self.config._tmp_path_factory  # type: ignore[attr-defined]  # noqa: SLF001 - items have no fixtures, and pytest has no other way to its scratch folders
        self._root = factory.mktemp("hookfw-case")

    def runtest(self) -> None:
        """Run the case and fail with every difference."""
        wrong = run_case(self._case, self._root)
        if wrong:
            pytest.fail("\n".join([self._case.about, *wrong]), pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where a report says the test is."""
        return self.path, None, self.name


@pytest.fixture
def hookfw_project(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mapping[str, Any]], Project]:
    """
    Lay out a scratch home and workspace: `hookfw_project({"home/.codewhale/config.toml": "…"})`.

    The `Project` that comes back fires events (`project.fire("pre_tool_use", tool_name="Bash")`) and lists hooks.
    """

    def make(files: Mapping[str, Any]) -> Project:
        return Project(tmp_path_factory.mktemp("hookfw-project"), files)

    return make


@pytest.fixture
def hookfw_replay() -> Callable[..., list[str]]:
    """
    A call that fires the events of a recording again and says what has changed.

    `assert hookfw_replay("session.jsonl", workspace=".") == []`: each difference is one text. `dry=True` runs nothing and compares which hooks would run; other keywords are those of
    `hookfw.open_sync`. Raises `EventError` for a file that is no recording, `OSError` for one that cannot be read.
    """
    return replay_file
