"""
What Mind tells a hook: its events and their fields.

From the paragraph on standard input of the hooks document and the fields of each event in the public source.
"""

from __future__ import annotations

from typing import Final

from hookfw_claude.calls import Calls
from hookfw_claude.mind.payloads import FIELDS
from hookfw_claude.mind.rules import BY_KIND

CALLS: Final = Calls(agent="Mind", fields=FIELDS, kinds={kind: rules.name for kind, rules in BY_KIND.items()})
"""The calls that Mind makes."""
