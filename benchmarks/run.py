"""
The benchmark table: every figure a ratio against a floor that is measured in the same, interleaved run.

    python benchmarks/run.py [--quick] [NAME…]

A ratio is the median of the subject over the median of its floor. Absolute times differ between machines; ratios hold.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import firing
import guest
import handlers
import loading
import processes
import several
import startup


class Row:
    """One line of the table: a subject and its floor, timed in turn."""

    def __init__(self, name: str, limit: float, subject: Callable[[], float], floor: Callable[[], float]) -> None:
        self.name, self.limit, self.subject, self.floor = name, limit, subject, floor

    def measure(self, rounds: int) -> tuple[float, float]:
        """Median seconds of subject and floor over interleaved rounds, after one warm-up of each."""
        self.subject()
        self.floor()
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(rounds):
            gc.collect()
            times[0].append(self.subject())
            times[1].append(self.floor())
        return statistics.median(times[0]), statistics.median(times[1])


def rows(scratch: Path) -> Iterator[tuple[str, Row | Callable[[], str]]]:
    """Every benchmark by its name."""
    for module in (processes, firing, several, handlers, loading, startup, guest):
        for name, made in module.benchmarks(scratch):
            yield name, Row(*made) if isinstance(made, tuple) else made


def main() -> int:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only benchmarks whose name contains one of these")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args()
    rounds = 5 if options.quick else 21
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores\n")
    print("| what | against | at most | measured | subject | floor |")
    print("| --- | --- | --- | --- | --- | --- |")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="hookfw-bench-") as folder:
        for name, row in rows(Path(folder)):
            if options.names and not any(part in name for part in options.names):
                continue
            if not isinstance(row, Row):
                print(row())
                continue
            subject, floor = row.measure(rounds)
            ratio = subject / floor
            missed += ratio > row.limit
            what, against = row.name.split(" / ")
            print(f"| {what} | {against} | {row.limit:g} | **{ratio:.2f}** | {scale(subject)} | {scale(floor)} |")
    print(f"\n{missed} over the limit" if missed else "\nAll within their limits.")
    return 0


def scale(seconds: float) -> str:
    """Seconds with a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


if __name__ == "__main__":
    sys.exit(main())
