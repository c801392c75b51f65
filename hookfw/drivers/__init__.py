"""How waiting is done: on an asyncio event loop, or by a trampoline without one."""

from __future__ import annotations
