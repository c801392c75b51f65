"""The Wuu dialect."""

from __future__ import annotations
