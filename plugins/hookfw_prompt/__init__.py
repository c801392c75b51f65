"""Handlers of the types `prompt` and `agent`, and the model clients."""

from __future__ import annotations
