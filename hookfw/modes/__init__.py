"""Compatibility modes: an agent's own calls, its own answers, and the nearest form of what it cannot say."""

from __future__ import annotations
