"""hookfw inside other agents: the hook that fires everybody else's, its installation, and the process behind it."""

from __future__ import annotations
