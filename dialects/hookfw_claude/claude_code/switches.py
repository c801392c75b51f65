"""
Settings beside the hooks that switch them off or narrow them.

From the contract, "Switches". Precedence of a plain setting: managed, this run, local, project, user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from hookfw_claude.claude_code import plugins, wildcards
from hookfw_claude.problems import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hookfw import Document, Hook
    from hookfw_claude.claude_code.plugins import Plugin

_PRECEDENCE: Final = ("managed", "cli", "local", "project", "user")
_FLAGS: Final = ("disableAllHooks", "allowManagedHooksOnly")
_LISTS: Final = ("allowedHttpHookUrls", "httpHookAllowedEnvVars")
_TABLES: Final = ("enabledPlugins", "pluginConfigs")


class SettingsFile(NamedTuple):
    """A settings file that counts, and what it holds."""

    document: Document
    content: Mapping[str, Any]


def odd_settings(content: Mapping[str, Any]) -> Iterator[str]:
    """Settings of ours that hold what they cannot hold, as sentences without their end."""
    for names, kind, says in (
        (_FLAGS, bool, "true or false"),
        (_LISTS, list, "an array"),
        (_TABLES, dict, "an object"),
    ):
        for name in names:
            if name in content and not isinstance(content[name], kind):
                yield f"`{name}` must be {says}, not {quoted(content[name])}; it is ignored"


class Switches:
    """The settings of all files together."""

    def __init__(self, files: Sequence[SettingsFile]) -> None:
        """`files`: those that count, in the order of their hooks."""
        # Of several managed files the later ones count more.
        self._files = list(reversed(files))
        self._files.sort(key=lambda file: _PRECEDENCE.index(file.document.scope))
        self._managed = [file for file in self._files if file.document.scope == "managed"]
        self.urls = _joined(files, "allowedHttpHookUrls")
        self.env_vars = _joined(files, "httpHookAllowedEnvVars")

    @property
    def plugin_configs(self) -> list[Mapping[str, Any]]:
        """The tables of `pluginConfigs`, later over earlier; no project sets a plugin's options."""
        files = [file for file in reversed(self._files) if file.document.scope in ("managed", "cli", "user")]
        return [table for file in files if isinstance(table := file.content.get("pluginConfigs"), dict)]

    def off(self, hook: Hook, plugin: Plugin | None) -> str | None:
        """Why a hook is switched off, for people; `None` when it is not."""
        disabled = _first(self._files, "disableAllHooks")
        if disabled is not None and disabled.content["disableAllHooks"]:
            by_organisation = disabled.document.scope == "managed"
            if by_organisation or hook.source.scope != "managed":
                return f"switched off by `disableAllHooks` in {disabled.document.path}"
        only = _first(self._managed, "allowManagedHooksOnly")
        if only is None or not only.content["allowManagedHooksOnly"] or hook.source.scope == "managed":
            return None
        if plugin is not None and self._is_forced(plugin):
            return None
        return f"switched off by `allowManagedHooksOnly` in {only.document.path}"

    def _is_forced(self, plugin: Plugin) -> bool:
        """Managed settings themselves enable the plugin."""
        tables = (file.content.get("enabledPlugins") for file in self._managed)
        return any(
            value is True and plugins.is_called(key, plugin.name)
            for table in tables
            if isinstance(table, dict)
            for key, value in table.items()
        )

    def url_problem(self, url: str) -> str | None:
        """Why an `http` handler may not call its address; `None` when it may."""
        if self.urls is None or any(_is_url(pattern, url) for pattern in self.urls):
            return None
        return "its `url` is none that `allowedHttpHookUrls` allows"


def _first(files: Sequence[SettingsFile], name: str) -> SettingsFile | None:
    """The file whose value of a flag counts."""
    return next((file for file in files if isinstance(file.content.get(name), bool)), None)


def _joined(files: Sequence[SettingsFile], name: str) -> tuple[str, ...] | None:
    """The lists of all files; `None` where no file has one."""
    lists = [value for file in files if isinstance(value := file.content.get(name), list)]
    return tuple(item for value in lists for item in value if isinstance(item, str)) if lists else None


def _is_url(pattern: str, url: str) -> bool:
    """`*` stands for any text; of the host neither case nor a dot at its end counts."""
    try:
        plain = urlsplit(url)
    except ValueError:
        return False
    # What hides the real host behind another one is never the address that was allowed.
    if plain.username is not None or "\\" in url:
        return False
    if "://" not in pattern:
        return wildcards.fits(pattern, url)
    wanted, given = _parts(pattern), _parts(url)
    # A star within the host stands for no text of the path; one that ends the pattern stands for any path.
    path = wanted.path or (wildcards.ANY if pattern.endswith(wildcards.ANY) else "")
    return (
        wildcards.fits(wanted.scheme, given.scheme)
        and wildcards.fits(wanted.host, given.host)
        and wildcards.fits(path, given.path)
    )


class _Parts(NamedTuple):
    """An address or a pattern of some, up to and from the end of its host and port."""

    scheme: str
    host: str
    path: str


def _parts(url: str) -> _Parts:
    scheme, _, rest = url.partition("://")
    end = min((at for mark in "/?#" if (at := rest.find(mark)) >= 0), default=len(rest))
    name, colon, port = rest[:end].partition(":")
    return _Parts(scheme.lower(), f"{name.lower().rstrip('.')}{colon}{port}", rest[end:])
