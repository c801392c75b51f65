"""
The environment of a handler: the session's without credentials, and for a plugin's handlers where it stands.

From the hooks document, "Handler environment" and "Plugin hooks".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw_claude.deepagents.rules import looks_like_credential

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def credentials(environ: Iterable[str]) -> tuple[str, ...]:
    """The variables that are kept from every handler; values are never looked at."""
    return tuple(name for name in environ if looks_like_credential(name))


def plugin_variables(root: str, data: str, project: str) -> dict[str, str]:
    """What the handlers of a plugin find set: its folder, its data folder and the project's root."""
    return {
        "CLAUDE_PLUGIN_ROOT": root,
        "PLUGIN_ROOT": root,
        "CLAUDE_PLUGIN_DATA": data,
        "PLUGIN_DATA": data,
        "CLAUDE_PROJECT_DIR": project,
    }


def fill_in(argv: Sequence[str], variables: Mapping[str, str]) -> tuple[str, ...]:
    """`argv` with the exact text `${NAME}` of each variable replaced; `$NAME` stays, and nothing is split or quoted."""
    filled = list(argv)
    for name, value in variables.items():
        filled = [part.replace(f"${{{name}}}", value) for part in filled]
    return tuple(filled)
