"""Sessions for authors of agents: the lifecycle in a handful of calls."""

from __future__ import annotations
