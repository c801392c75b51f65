"""
The command line.

One file a command. `main` answers `--version` before anything else is imported; everything else starts in `_app`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with `arguments`, by default those of the process, and give back the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given in (["--version"], ["-V"]):
        from hookfw._version import __version__  # noqa: PLC0415 - nothing is imported before it is needed

        sys.stdout.write(f"hookfw {__version__}\n")
        return 0
    from hookfw.cli._app import run  # noqa: PLC0415 - likewise

    return run(given)
