"""
The command line.

One file a command. `main` answers `--version` and a guest's call before anything else is imported; everything else starts in
`_app`.
"""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_INTERRUPTED = 130


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
    try:
        if list(arguments) in (["--version"], ["-V"]) and _version_told():
            return 0
        if arguments and arguments[0] == "guest":
            from hookfw.guests import client as guest_client  # noqa: PLC0415 - likewise

            call = guest_client.call_of(arguments)
            if call is not None:
                return guest_client.run(call)
        from hookfw.cli._app import run  # noqa: PLC0415 - nothing is imported before it is needed
    except KeyboardInterrupt:
        # What runs a command has not begun yet: it tells of everything later.
        if sys.stderr is not None:
            sys.stderr.write("hookfw: interrupted.\n")
        return _INTERRUPTED
    return run(arguments)


def _version_told() -> bool:
    from hookfw._version import __version__  # noqa: PLC0415 - nothing is imported before it is needed

    try:
        sys.stdout.write(f"hookfw {__version__}\n")
        sys.stdout.flush()
    except (AttributeError, OSError):
        return False  # closed, or full: that is told as by every other command
    return True
