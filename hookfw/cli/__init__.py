"""
The command line.

One file a command. `main` answers `--version` before anything else is imported; everything else starts in `_app`.
"""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with `arguments`, by default those of the process, and give back the exit status."""
    if arguments is not None:
        return _run(arguments)
    # The process ends with the command. Looking for garbage while modules load, and once more through all of them at
    # the end, would be a sixth of a firing.
    gc.disable()
    status = _run(sys.argv[1:])
    gc.freeze()
    return status


def _run(arguments: Sequence[str]) -> int:
    if list(arguments) in (["--version"], ["-V"]):
        from hookfw._version import __version__  # noqa: PLC0415 - nothing is imported before it is needed

        sys.stdout.write(f"hookfw {__version__}\n")
        return 0
    from hookfw.cli._app import run  # noqa: PLC0415 - likewise

    return run(arguments)
