"""Handlers of the type `mcp_tool`."""

from __future__ import annotations
