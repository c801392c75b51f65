"""Every conformance case, in this process; and a sample of them through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookfw.testing import load_cases, run_case, run_case_by_command

CASES = load_cases([Path(__file__).parent / "cases"])
EVERY = 12
"""One of so many cases goes through the command line too."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_in_process(case, tmp_path):
    assert run_case(case, tmp_path) == []


@pytest.mark.parametrize("case", CASES[::EVERY], ids=lambda case: case.name)
def test_case_by_command(case, tmp_path):
    assert run_case_by_command(case, tmp_path) == []


def test_ids_are_unique_and_name_their_file():
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert [f"{case.path.parent.name}/{case.path.stem}" for case in CASES] == names
