"""What a server may send, and how long it may take to say goodbye."""

from __future__ import annotations

from typing import Final

TEXT_LIMIT: Final = 1_048_576
"""Bytes of text that a tool may answer; one more fails the call."""

MESSAGE_LIMIT: Final = 16 * 1_048_576
"""Bytes of one message of a server; one more ends the session."""

HANG_UP: Final = 1.0
"""Seconds that a server has to end by itself after its input was closed, and again after it was asked to."""

GOODBYE: Final = 1.0
"""Seconds that a session at an address has to be ended there."""

REAP: Final = 1.0
"""Seconds in which the death of a killed server must show."""

LISTING: Final = 5.0
"""Seconds in which a server is asked for its tools after a call failed."""

STDERR_LIMIT: Final = 65_536
"""Characters that are kept of what a tool says about its failure."""
