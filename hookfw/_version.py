"""The version, alone in its file so that asking for it imports nothing."""

from __future__ import annotations

__version__ = "0.1.0"
