"""Where Codewhale keeps its files: the person's configuration, the project's hooks, the approvals."""

from __future__ import annotations

import os.path
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookfw import Places

_CONFIG_VARIABLES = ("CODEWHALE_CONFIG_PATH", "DEEPSEEK_CONFIG_PATH")


def named_config(places: Places) -> tuple[str, str] | None:
    """
    The configuration file that the environment names instead of the usual one: the variable and the absolute path.

    `~` is the home. A relative path counts from the home, never from the working directory: that may be a repository,
    and a repository must not become the person's own configuration. The second variable is the older name.
    """
    for variable in _CONFIG_VARIABLES:
        value = places.environ.get(variable)
        if value:
            return variable, from_base(value, places.home, places.home)
    return None


def user_config(places: Places) -> str:
    """Path of the person's own configuration."""
    named = named_config(places)
    return named[1] if named else str(PurePath(places.home, ".codewhale", "config.toml"))


def project_hooks(places: Places) -> str:
    """Path of the hooks that the workspace brings."""
    return str(PurePath(places.workspace, ".codewhale", "hooks.toml"))


def trust_store(places: Places) -> str:
    """Path of the approvals: canonical workspace path to SHA-256 of the project's hooks file."""
    return str(PurePath(places.home, ".codewhale", "hooks_trust.json"))


def from_base(path: str, base: str, home: str) -> str:
    """`path` made absolute: `~` is `home`, anything relative counts from `base`."""
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    return os.path.normpath(PurePath(base, path))
