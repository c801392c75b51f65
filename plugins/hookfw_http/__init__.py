"""Handlers of the type `http`."""

from __future__ import annotations
