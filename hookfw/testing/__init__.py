"""
Help for authors of dialects, plugins and hooks: conformance cases, scratch projects, a clock that is set by hand.

- `Case`, `load_cases`: case files, one configuration and one event each, with what must come out.
- `run_case`: runs a case in this process; `run_case_by_command`: through the `hookfw` command.
- `Project`: a scratch home and workspace to fire events at; in pytest it is the fixture `hookfw_project`.
- `FakeClock`: a clock for whatever takes one as an argument.
- `forms`: tables of what the hooks of every compatibility mode can say, and of what becomes of the rest.

`python -m hookfw.testing CASES…` runs case files from a shell.
"""

from __future__ import annotations

from hookfw.testing.by_command import run_case_by_command
from hookfw.testing.cases import Case, CaseError, load_cases
from hookfw.testing.clock import FakeClock
from hookfw.testing.in_process import run_case
from hookfw.testing.project import Project

__all__ = ["Case", "CaseError", "FakeClock", "Project", "load_cases", "run_case", "run_case_by_command"]
