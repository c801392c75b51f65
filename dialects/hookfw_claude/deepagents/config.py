"""
Configuration: which files there are, and the hooks in them.

From the hooks document, "Setup", "Handler fields" and "Matchers"; what a fault costs and how handlers are numbered from the
public source. A handler's name is `<Event>:<group>:<handler>`: the group's place in the merged list of its event, the
handler's place among the valid ones of its group. A group that is malformed is gone before groups are numbered; one whose
matcher is refused keeps its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookfw import Document, Hook, Loaded, Source, text
from hookfw_claude.deepagents import legacy, plugins, trust
from hookfw_claude.deepagents.environment import plugin_variables
from hookfw_claude.deepagents.findings import Findings
from hookfw_claude.deepagents.handlers import FIELDS, Handler, read_handler, unknown_fields
from hookfw_claude.deepagents.locations import (
    plugin_data,
    project_hooks,
    project_root,
    root_of,
    trust_store,
    user_hooks,
)
from hookfw_claude.deepagents.rules import DIALECT, EVENTS, MATCHERS
from hookfw_claude.deepagents.snapshot import snapshot_id
from hookfw_claude.groups import Item, walk
from hookfw_claude.json_files import BrokenJsonError, lines_of, read_json
from hookfw_claude.matcher import EVERYTHING, InvalidMatcherError, Matcher, compile_matcher

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import FileView, Places

_SUMMARY_LENGTH = 60
_ROOT = "project-root"
