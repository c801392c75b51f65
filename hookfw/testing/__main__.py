"""
Runs conformance cases from a shell.

    python -m hookfw.testing CASES… [--hookfw COMMAND] [--in-process] [--only TEXT] [--jobs N] [--verbose]

CASES are case files or folders of them. Each case is laid out in a folder of its own and fired through the `hookfw`
command. The last line is `N passed, N failed`; the exit status is 0 when there are cases and all of them pass.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from hookfw.testing.by_command import run_case_by_command
from hookfw.testing.cases import Case, CaseError, load_cases
from hookfw.testing.in_process import run_case

Runner = Callable[[Case, Path], list[str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases that `arguments` name; the exit status is 0 when all pass."""
    options = _parser().parse_args(arguments)
    try:
        cases = [case for case in load_cases(options.cases) if options.only in case.name]
    except CaseError as error:
        sys.stderr.write(f"hookfw.testing: {error}\n")
        return 1
    runner: Runner = run_case_by_command
    if options.in_process:
        runner = run_case
    elif options.hookfw:
        runner = partial(run_case_by_command, command=shlex.split(options.hookfw))
    failed = 0
    with ThreadPoolExecutor(1 if options.in_process else options.jobs) as pool:
        for case, wrong in zip(cases, pool.map(partial(_in_scratch_folder, runner), cases), strict=True):
            failed += bool(wrong)
            if wrong:
                print(f"FAIL {case.name}  ({case.path}; rule: {case.source})\n  {case.about}")  # noqa: T201 - the report
                print("\n".join(f"  - {line}" for line in wrong))  # noqa: T201 - likewise
            elif options.verbose:
                print(f"pass {case.name}")  # noqa: T201 - likewise
    print(f"{len(cases) - failed} passed, {failed} failed")  # noqa: T201 - likewise
    return 0 if cases and not failed else 1


def _in_scratch_folder(runner: Runner, case: Case) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="hookfw-case-", ignore_cleanup_errors=True) as root:
        try:
            return runner(case, Path(root))
        except Exception as error:  # noqa: BLE001 - a case that breaks the runner has failed; the others still run
            return [f"{type(error).__name__}: {error}"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hookfw.testing", description="Run hookfw conformance cases.")
    parser.add_argument("cases", nargs="+", metavar="CASES", help="case files, or folders of them")
    parser.add_argument("--hookfw", default="", metavar="COMMAND", help="the command to test (default: this hookfw)")
    parser.add_argument("--in-process", action="store_true", help="use the supervisor itself, not the command")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases whose DIALECT/ID contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="cases at a time (default: one a core)")
    parser.add_argument("--verbose", action="store_true", help="name the cases that pass, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
