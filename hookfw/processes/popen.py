"""A `Popen` that can be cleaned up whatever interrupts its constructor."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO


class ReachablePopen(subprocess.Popen[bytes]):
    """A `Popen` that is known before it forks: `keep` is called with it first of all."""

    def __init__(self, keep: Callable[[ReachablePopen], None], *args: Any, **options: Any) -> None:
        keep(self)
        super().__init__(*args, **options)

    def close_pipes(self) -> None:
        """Close the pipes that were opened so far; a constructor that was interrupted may not have come to all."""
        for name in ("stdin", "stdout", "stderr"):
            pipe: IO[bytes] | None = getattr(self, name, None)
            if pipe is not None:
                pipe.close()
