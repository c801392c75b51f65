"""What Codex tells a hook: its events and their fields, as seen with codex-cli 0.171.0."""

from __future__ import annotations

from typing import Final

from hookfw_claude.calls import Calls
from hookfw_claude.codex.payloads import FIELDS, RENAMED
from hookfw_claude.codex.rules import AGENT, BY_KIND

CALLS: Final = Calls(
    agent=AGENT, fields=FIELDS, kinds={kind: rules.name for kind, rules in BY_KIND.items()}, renamed=RENAMED
)
"""The calls that Codex makes."""
