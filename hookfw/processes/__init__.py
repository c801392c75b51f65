"""What a supervised process is made of; the process itself is `hookfw.process`."""

from __future__ import annotations
